"""A query ready to run: what was proven, and its SQL."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from dpsql.compile import Compiled, ReleasedQuery
from dpsql.core.emit.plans import Source, nested
from dpsql.core.plan.nodes import Released, Scan, each
from dpsql.core.release.picks import Best
from dpsql.core.release.release import Release
from dpsql.core.release.statements import Statements, public_stages, statements
from dpsql.core.schema import Schema
from dpsql.errors import Diagnostic, Rejected, shallow
from dpsql.execution.binding import bind_statements
from dpsql.execution.cells import check_groups, check_single, rows_of
from dpsql.execution.certify import certified, once
from dpsql.execution.exact import Key
from dpsql.execution.identity import Identity, identities
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.empty import Empty
from dpsql.platform.engine.protocol import Engine, Snapshot
from dpsql.platform.engine.public_facts import TableFacts

MAX_SQL = 1_000_000
"""Characters of all statements of a query: the engine needs seconds to bind that many."""
FEW = 1_000
"""Groups that public tables list are kept of a query that has no more of them."""


@dataclass(frozen=True)
class Prepared:
    """A query ready to run.

    Attributes:
        compiled: what was proven.
        statements: for each release its SQL; none for a public query.
        source: how the engine's tables are written.
        empty: the same tables without rows.
        facts: what of public tables the proof rests on, beyond what is declared.
    """

    compiled: Compiled
    statements: tuple[Statements, ...]
    source: Source = field(repr=False)
    empty: Empty = field(repr=False)
    facts: tuple[TableFacts, ...] = field(default=(), repr=False)
    _listed: dict[int, list[Key]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def query(self) -> ReleasedQuery:
        """What is asked, where it is not public."""
        assert isinstance(self.compiled.query, ReleasedQuery)
        return self.compiled.query

    @cached_property
    def identities(self) -> tuple[Identity, ...]:
        """What each release is, by which stored answers are found."""
        return identities(self.query, self.compiled.schema, self.statements)

    def groups(
        self, engine: Engine, found: Callable[[Release], list[Key] | None]
    ) -> list[list[Key] | None]:
        """The groups of each release that are output; None where they are known only with noise.

        A few that public tables list are found once, where no row of these tables can change while
        the database is open: they are then the same in every snapshot.

        Args:
            engine: with these tables.
            found: the groups of a release, in a snapshot of it.
        """
        return [
            [*self._listed[place]] if place in self._listed else self._noted(place, engine, found)
            for place in range(len(self.query.releases))
        ]

    def _noted(
        self, place: int, engine: Engine, found: Callable[[Release], list[Key] | None]
    ) -> list[Key] | None:
        release = self.query.releases[place]
        groups, public = found(release), release.domain.public
        if groups is not None and public and len(groups) <= FEW:
            scans = (node for part in public for node in each(part.plan) if isinstance(node, Scan))
            if all(engine.stays(engine.target(scan.table.name)) for scan in scans):
                self._listed[place] = [*groups]
        return groups

    def proven(self) -> Prepared:
        """The same, proven once more from the text of its statements. Asked once.

        Raises:
            Rejected: the checker does not follow (DP601, a bug).
        """
        _ = self._proven
        return self

    def bind(self) -> Prepared:
        """The same, for a run: it is proven, and the engine takes all that is run after the charge.
        Asked once.

        Raises:
            Rejected: there is no proof, it does not, or something is too deeply nested for it.
        """
        _ = self.proven()._bound
        return self

    @cached_property
    def _proven(self) -> bool:
        if self.statements:  # without any nothing private can be run
            certified(self.compiled, self.statements, self.source, once)
        return True

    @cached_property
    def _bound(self) -> bool:
        def bind() -> None:
            bind_statements(self.query, self.statements, self.source, self.empty)

        if isinstance(self.compiled.query, ReleasedQuery):
            shallow(bind, self.compiled.text)
        return True


def answerable(
    made: Prepared,
    at: Callable[[Schema], Prepared],
    engine: Engine,
    same: Callable[[Snapshot], None],
) -> Prepared:
    """The query, which has as many groups as can be answered, and one row where one is asked for.

    Where public tables list too many groups, their keys are as private ones if there is a δ: how
    many they list is public, and so is which keys these are.

    Args:
        made: the query.
        at: makes it under a schema.
        engine: with the public tables.
        same: raises PolicyError where a table is another one than when the database was opened.

    Raises:
        EngineError: the engine failed.
        PolicyError: a table is another one now.
        Rejected: DP304, DP205, or there is no proof.
    """
    crowded, problem = _crowded(made, engine, same)
    if problem is None:
        return made.proven()
    if crowded:
        with suppress(Rejected):  # of that way; this one's is told
            other = replace(at(replace(made.compiled.asked_of, crowded=crowded)), facts=made.facts)
            if _crowded(other, engine, same)[1] is None:
                return other.proven()
    raise problem


def _crowded(
    made: Prepared, engine: Engine, same: Callable[[Snapshot], None]
) -> tuple[frozenset[int], Rejected | None]:
    """The keys of which public tables list too many values, and the first thing that is wrong."""
    if not isinstance(made.compiled.query, ReleasedQuery):
        return frozenset(), None
    single = made.query.single
    own = [r.domain for r in made.query.releases if not r.domain.private]
    picks = [p.domain for r in made.query.releases for p in r.picks if isinstance(p, Best)]
    listed = [domain for domain in (*own, *picks) if domain.public]
    if not listed and not single:
        return frozenset(), None
    problems: list[Rejected] = []
    crowded: set[int] = set()
    # Nobody waits longer for a count of public rows than for an answer.
    with engine.snapshot(Deadline.after(made.compiled.schema.limits.seconds)) as snapshot:
        same(snapshot)
        for domain in listed:
            try:
                check_groups(domain, snapshot, made.source)
            except Rejected as rejected:
                problems.append(rejected.at(made.compiled.text))
                crowded |= {column.id for part in domain.public for column in part.columns}
        for plan, span in single:
            try:
                check_single(plan, span, snapshot, made.source)
            except Rejected as rejected:
                problems.append(rejected.at(made.compiled.text))
    return frozenset(crowded), problems[0] if problems else None


def few_public_rows(made: Prepared, engine: Engine, same: Callable[[Snapshot], None]) -> bool:
    """Whether the public rows that private ones meet are no more than those of an answer may be.
    They are counted, up to one more than that, in the time of an answer.

    Args:
        made, engine, same: see `answerable`.

    Raises:
        EngineError: the engine failed.
        PolicyError: a table is another one now.
    """
    limits = made.compiled.schema.limits
    stages = [plan for r in made.query.releases for plan in public_stages(r)]
    for node in (node for plan in stages for node in each(plan)):
        if isinstance(node, Released):
            return False  # they are not known before the run
        if isinstance(node, Scan) and node.table.hidden:
            return False  # of units of another kind: nobody may see how many there are
    with engine.snapshot(Deadline.after(limits.seconds)) as snapshot:
        same(snapshot)
        return all(
            rows_of(nested(plan, made.source), snapshot, limits.public_rows + 1)
            <= limits.public_rows
            for plan in stages
        )


def prepared(compiled: Compiled, source: Source, empty: Empty) -> Prepared:
    """The query with its statements printed; see `proven`.

    The arguments are the attributes of `Prepared`.

    Raises:
        Rejected: they are too deeply nested to be printed, or too long.
    """
    query = compiled.query
    if not isinstance(query, ReleasedQuery):
        return Prepared(compiled, (), source, empty)
    texts = shallow(lambda: _printed(query, source), compiled.text)
    return Prepared(compiled, texts, source, empty)


def _printed(query: ReleasedQuery, source: Source) -> tuple[Statements, ...]:
    """The statements of each release, as long as they are not too long together."""
    found: list[Statements] = []
    letters = 0
    for release in query.releases:
        found.append(statements(release, source))
        letters += sum(map(len, found[-1].every))
        if letters > MAX_SQL:
            message = f"it becomes more than {MAX_SQL:,} characters of SQL"
            help = "ask for fewer columns, in several queries"
            raise Rejected(Diagnostic("DP103", message, None, help))
    return tuple(found)
