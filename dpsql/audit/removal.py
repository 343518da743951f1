"""The owner's data and its neighbours: without each of its units, or (`replace`) without one or
another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import combinations

from dpsql.audit.defaults import SWAPPED, UNITS
from dpsql.audit.owned import OwnedUnits, units, units_there, without_each
from dpsql.audit.worlds import Printed, World, Worlds
from dpsql.compile import ReleasedQuery
from dpsql.execution.reading import Fed, copy_table, engine_source, exact_feeds
from dpsql.platform.engine.protocol import Snapshot
from dpsql.session.database import Database

ROWS = 150_000_000
"""Rows that are read altogether, if nothing else is said: units times private rows."""

NUMBERS = 20_000_000
"""Numbers that are compared altogether: units times groups."""

LEAST = 10
"""Units that are removed however large the data is."""

AT_ONCE, ROWS_AT_ONCE = 200, 2_000_000
"""Worlds of one statement, at most, and how many rows they may have together."""


class Removal:
    """Pairs of neighbours of the owner's data, for one query. A context manager: one snapshot.

    Args:
        db: the data.
        query: what is measured.
        most: units that are removed; None for as many as `UNITS`, or fewer where that takes long.
        seed: of the sample, where there are more.

    Attributes:
        units: those that are removed.
        one_by_one: whether the engine was asked for each database alone.
    """

    units: OwnedUnits

    def __init__(self, db: Database, query: ReleasedQuery, most: int | None, seed: int) -> None:
        self._db, self._query, self._most, self._seed = db, query, most, seed
        self._stack = ExitStack()
        self.one_by_one = False

    def __enter__(self) -> Removal:
        db = self._db
        with ExitStack() as stack:
            self._snapshot: Snapshot = stack.enter_context(db._engine.snapshot())
            self._source = engine_source(db._engine)
            self._fed = unnoised(self._query, db, self._snapshot)
            whole = without_each(db.schema, self._snapshot, self._source, "BIGINT", ())
            self._printed = Printed.of(self._query, whole.source)
            worlds = Worlds(whole, self._printed, self._fed)
            worlds.read()
            (base,) = worlds.all([0])
            numbers = sum(len(e.groups) * (len(e.values) + len(e.points)) for e in base)
            self.units = self._chosen(numbers)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _chosen(self, numbers: int) -> OwnedUnits:
        swapped = self._db.schema.neighbours == "replace"
        usual = SWAPPED if swapped else UNITS
        most = usual if self._most is None else self._most

        def find(n: int) -> OwnedUnits:
            given = (self._db.schema, self._snapshot, self._source, n, self._seed)
            return units(*given) if self._db._engine.takes is None else units_there(*given)

        found = find(max(1, most))
        if self._most is None:
            fit = min(ROWS // max(1, found.rows), NUMBERS // max(1, numbers))
            if fit < len(found.names):
                found = find(max(LEAST, fit))
        return found

    def pairs(
        self, progress: Callable[[int], None] = lambda _: None
    ) -> Iterator[tuple[World, World]]:
        """Every pair of neighbours; `progress` is told of units that are done.

        Raises:
            EngineError: the engine failed.
        """
        names, swapped = self.units.names, self._db.schema.neighbours == "replace"
        size = max(1, min(AT_ONCE, ROWS_AT_ONCE // max(1, self.units.rows)))
        if swapped:
            size = max(1, len(names))
        for start in range(0, len(names), size):
            part = names[start : start + size]
            side = without_each(
                self._db.schema, self._snapshot, self._source, self.units.kind, part
            )
            worlds = Worlds(side, self._printed, self._fed)
            worlds.read(together=not self.one_by_one)
            self.one_by_one = worlds.one_by_one
            numbers = range(1, len(part) + 1)
            for a, b in combinations(numbers, 2) if swapped else ((0, n) for n in numbers):
                yield worlds.pair(a, b)
            progress(len(part))


def unnoised(query: ReleasedQuery, db: Database, snapshot: Snapshot) -> list[Fed]:
    """What each release reads of those before it, as it would be without noise. It is released, and
    so the same for neighbours."""
    if not query.feeds:
        return [{} for _ in query.releases]
    with db._scratches.take() as scratch:
        for table in query.tables:
            copy_table(scratch, table, db._engine, snapshot)
        return exact_feeds(query, snapshot, engine_source(db._engine), scratch)
