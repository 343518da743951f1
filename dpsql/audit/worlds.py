"""Many databases in one statement.

The SQL of a release is run as it was printed; only how its tables are written differs. Each table
is its rows in one world, and the statement is asked for every world at once:

    SELECT worlds.id, r.* FROM (… AS id) AS worlds,
    LATERAL (<the printed SQL; a table is (SELECT … FROM t WHERE t.of_world = worlds.id)>) AS r

What a world's rows are, is said by a condition: in generated databases on a column, in the owner's
data that the row is of any unit but one. Nothing here knows of the analysis.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from dpsql.compile import ReleasedQuery
from dpsql.core.emit.plans import Source
from dpsql.core.release.picks import Best
from dpsql.core.release.release import Release
from dpsql.core.release.statements import Statements, statements
from dpsql.errors import EngineError
from dpsql.execution import cells
from dpsql.execution.cells import ExactCells
from dpsql.execution.exact import Key
from dpsql.execution.reading import Fed
from dpsql.platform.engine.protocol import ArrowStream, Snapshot

Rows = list[tuple[object, ...]]

World = list[ExactCells]
"""What is measured in one database: the exact cells of each release."""


@dataclass(frozen=True, slots=True)
class Side:
    """Databases side by side.

    Attributes:
        snapshot: where they are.
        relation: "worlds", a FROM item with a column id from 0 to `size` - 1.
        size: how many they are.
        parameters: that the relation and the tables need.
        source: tables of the world `worlds.id`.
        alone: tables of one world, written without the relation.
    """

    snapshot: Snapshot
    relation: str
    size: int
    parameters: Mapping[str, object]
    source: Source
    alone: Callable[[int], Source]


@dataclass(frozen=True, slots=True)
class _Fixed:
    """The snapshot of a world whose rows are known already."""

    found: Mapping[str, Mapping[int, Rows]]
    world: int

    def rows(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        kept: Sequence[str] = (),
    ) -> Rows:
        return self.found[sql].get(self.world, [])

    def bind(self, sql: str) -> None:
        raise NotImplementedError

    def arrow(self, sql: str) -> ArrowStream:
        raise NotImplementedError


@dataclass(slots=True)
class Printed:
    """The statements of a query, printed once for all worlds.

    Attributes:
        query: the query.
        texts: of each release.
        groups: the public tables that list its groups, by release.
        rivals: and its candidates, by release and pick.
    """

    query: ReleasedQuery
    texts: list[Statements]
    groups: list[list[str]]
    rivals: list[dict[int, list[str]]]

    @classmethod
    def of(cls, query: ReleasedQuery, source: Source) -> Printed:
        """The statements, with tables written as `source` says."""
        return cls(
            query,
            [statements(release, source) for release in query.releases],
            [
                [] if r.domain.private else cells.group_queries(r.domain, source)
                for r in query.releases
            ],
            [
                {
                    n: cells.group_queries(pick.domain, source)
                    for n, pick in enumerate(r.picks)
                    if isinstance(pick, Best)
                }
                for r in query.releases
            ],
        )

    def every(self) -> list[tuple[int, str]]:
        """All statements, each with the release whose rows it reads."""
        found: list[tuple[int, str]] = []
        for number, text in enumerate(self.texts):
            listed = [*self.groups[number], *(q for qs in self.rivals[number].values() for q in qs)]
            found += [(number, sql) for sql in (*text.every, *listed)]
        return found


@dataclass(slots=True)
class Worlds:
    """What a query measures in each of several databases.

    Attributes:
        side: the databases.
        printed: the query, over them.
        fed: what each release reads of those before it: released, and so the same for all.
        one_by_one: whether the engine was asked for each database alone.
    """

    side: Side
    printed: Printed
    fed: Sequence[Fed]
    one_by_one: bool = False
    _found: list[dict[str, dict[int, Rows]]] = field(default_factory=list)

    def read(self, *, together: bool = True) -> None:
        """Ask the engine.

        Args:
            together: for all worlds at once; where it cannot do that, one by one.

        Raises:
            EngineError: a statement failed.
        """
        self._found = [{} for _ in self.printed.texts]
        failed = not together
        if not failed:
            try:
                for number, sql in self.printed.every():
                    self._found[number][sql] = self._together(sql, self.fed[number])
            except EngineError:
                failed = True
        if failed:
            self.one_by_one = True
            self._each()

    def _together(self, sql: str, fed: Fed) -> dict[int, Rows]:
        text = f"SELECT worlds.id, r.* FROM {self.side.relation} AS worlds, LATERAL ({sql}) AS r"
        found: dict[int, Rows] = {}
        for world, *row in self.side.snapshot.rows(
            text, {**self.side.parameters, **_used(fed, sql)}
        ):
            assert isinstance(world, int)
            found.setdefault(world, []).append(tuple(row))
        return found

    def _each(self) -> None:
        for world in range(self.side.size):
            own = Printed.of(self.printed.query, self.side.alone(world))
            for (number, sql), (_, text) in zip(self.printed.every(), own.every(), strict=True):
                rows = list(self.side.snapshot.rows(text, _used(self.fed[number], text)))
                self._found[number].setdefault(sql, {})[world] = rows

    def pair(self, a: int, b: int) -> tuple[World, World]:
        """Two of the databases, each release over the same groups: where which groups come out is
        known with noise alone, what is measured later is measured of the list that came out, and
        that may have any group of either.
        """
        return tuple(zip(*(self._release(n, (a, b)) for n in self._numbers), strict=True))  # type: ignore[return-value]

    def all(self, worlds: Sequence[int]) -> list[World]:
        """The same of any number of the databases."""
        found = [self._release(n, worlds) for n in self._numbers]
        return [list(world) for world in zip(*found, strict=True)]

    @property
    def _numbers(self) -> range:
        return range(len(self.printed.query.releases))

    def _release(self, number: int, worlds: Sequence[int]) -> list[ExactCells]:
        release = self.printed.query.releases[number]
        if not release.domain.private:
            return [self._read(number, w, self._groups(number, release, w)) for w in worlds]
        seen = [self._read(number, w, None).groups for w in worlds]
        groups = list(dict.fromkeys(group for found in seen for group in found))
        return [self._read(number, w, groups) for w in worlds]

    def _groups(self, number: int, release: Release, world: int) -> list[Key]:
        found = [self._found[number][q].get(world, []) for q in self.printed.groups[number]]
        return cells.listed_groups(release.domain, release.node.columns, found)

    def _read(self, number: int, world: int, groups: list[Key] | None) -> ExactCells:
        release, found = self.printed.query.releases[number], self._found[number]
        rivals: dict[int, list[Key]] = {}
        for n, queries in self.printed.rivals[number].items():
            pick = release.picks[n]
            assert isinstance(pick, Best)
            rows = [found[q].get(world, []) for q in queries]
            rivals[n] = cells.listed_groups(pick.domain, (pick.key,), rows)
        fixed = _Fixed(found, world)
        return cells.read(release, groups, fixed, self.printed.texts[number], {}, rivals)


def _used(fed: Fed, sql: str) -> Fed:
    """The parameters that a statement has; the engine wants no others."""
    named = set(re.findall(r"\$(\w+)", sql))
    return {name: values for name, values in fed.items() if name in named}
