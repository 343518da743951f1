"""Search for neighbours that a query's claims do not allow, or that come near: hill climbing from
random databases, many of which are measured in one statement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from dpsql.audit.databases import Candidate, Maker, Tables, neighbours, smaller
from dpsql.audit.observed_claims import Observer
from dpsql.audit.world_store import WorldStore, kind_of
from dpsql.audit.worlds import Printed, Side, World, Worlds
from dpsql.core.schema import Schema
from dpsql.errors import EngineError
from dpsql.execution.reading import Fed, exact_feeds
from dpsql.platform.engine.scratch import Scratch

AT_ONCE = 100
"""Pairs that are measured together."""

ROUNDS = 12
"""How often a pair that breaks a claim is tried with a row less."""

Progress = Callable[[int], None]
"""Told of so many databases that are done."""


@dataclass(slots=True)
class Searched:
    """What was found.

    Attributes:
        databases: how many were measured.
        observed: of each claim the most that a pair showed.
        broken: of the worst pair that breaks a claim, the two databases; None where none does.
        worst: the pair that is told apart most easily, as its exact cells; None for no pair.
        loss: what that pair is thought to cost.
        failed: whether the query failed on a database.
        one_by_one: whether the engine was asked for each database alone.
    """

    databases: int = 0
    observed: list[Fraction] = field(default_factory=list)
    broken: tuple[Tables, Tables] | None = None
    worst: tuple[World, World] | None = None
    loss: float = 0.0
    failed: bool = False
    one_by_one: bool = False


class Search:
    """A search over the databases of a schema.

    Args:
        observer: compares pairs with the claims.
        schema: of the databases.
        seed: of what is drawn.
    """

    def __init__(self, observer: Observer, schema: Schema, seed: int) -> None:
        self._observer, self._schema = observer, schema
        self._rng = Random(seed)
        self._maker = Maker(schema, observer.compiled.sql, self._rng)
        self._best: dict[int, tuple[float | Fraction, Candidate]] = {}
        self._found = Searched(observed=[Fraction(0)] * len(observer.claims))

    def run(self, databases: int, progress: Progress) -> Searched:
        """Measure so many databases, unless a claim is broken before.

        Raises:
            EngineError: a database could not be made.
        """
        with WorldStore(self._schema) as store:
            broken: Candidate | None = None
            while self._found.databases < databases and broken is None and not self._found.failed:
                # Whole generations: a seed means the same databases, whatever their number.
                made = [self._next() for _ in range(AT_ONCE)]
                before = self._found.databases
                broken = self._measure(made, store)
                progress(self._found.databases - before)
            if broken is not None:
                self._found.broken = neighbours(self._smallest(broken, store), self._schema)
        return self._found

    def _next(self) -> Candidate:
        elite = list(self._best.values())
        if not elite or self._rng.random() < 0.35:
            return self._maker.draw()
        (_, one), (_, other) = self._rng.choice(elite), self._rng.choice(elite)
        return self._maker.mutate(one, other)

    def _measure(self, made: Sequence[Candidate], store: WorldStore) -> Candidate | None:
        """One generation; the first candidate that breaks a claim."""
        pairs = [(c, pair) for c in made if (pair := neighbours(c, self._schema)) is not None]
        self._found.databases += 2 * len(pairs) or 2  # the search ends, whatever is drawn
        seen = self._seen([pair for _, pair in pairs], store)
        broken: Candidate | None = None
        for (candidate, _), (a, b) in zip(pairs, seen, strict=False):
            observed = self._observer.observe(a, b)
            over = self._note(candidate, observed)
            loss = self._observer.loss(observed)
            if loss > self._found.loss or self._found.worst is None:
                self._found.loss, self._found.worst = loss, (a, b)
                self._best[-1] = (loss, candidate)
            if over and broken is None:
                broken = candidate
        return broken

    def _note(self, candidate: Candidate, observed: Sequence[Fraction]) -> bool:
        over = False
        for number, (claim, value) in enumerate(zip(self._observer.claims, observed, strict=True)):
            over = over or value > claim.bound
            if value > self._found.observed[number]:
                self._found.observed[number] = value
            best = self._best.get(number)
            if value and (best is None or value >= best[0]):
                self._best[number] = (value, candidate)
        return over

    def _seen(
        self, pairs: Sequence[tuple[Tables, Tables]], store: WorldStore
    ) -> list[tuple[World, World]]:
        if not pairs:
            return []
        side = store.fill([world for pair in pairs for world in pair])
        try:
            fed = self._fed(pairs[0][0], side, store)
            worlds = Worlds(side, Printed.of(self._observer.query, side.source), fed)
            worlds.read()
        except EngineError:
            self._found.failed = True
            return []
        self._found.one_by_one = self._found.one_by_one or worlds.one_by_one
        return [worlds.pair(2 * n, 2 * n + 1) for n in range(len(pairs))]

    def _fed(self, tables: Tables, side: Side, store: WorldStore) -> list[Fed]:
        """What releases read of those before them: as one of the databases has it, for all."""
        query = self._observer.query
        if not query.feeds:
            return [{} for _ in query.releases]
        source = side.alone(0)
        with Scratch() as scratch:
            for table in query.tables:
                columns = [(c.name, kind_of(table, c.name)) for c in table.columns]
                names = ", ".join(f'"{c}"' for c, _ in columns)
                item = source(table).sql(dialect="duckdb")
                scratch.load(table.name, columns, store.rows(f"SELECT {names} FROM {item}"))
            return exact_feeds(query, store, source, scratch)

    def _smallest(self, broken: Candidate, store: WorldStore) -> Candidate:
        """The candidate with as few rows as still break a claim."""
        for _ in range(ROUNDS):
            less = [c for c in smaller(broken) if neighbours(c, self._schema) is not None]
            pairs = [pair for c in less if (pair := neighbours(c, self._schema)) is not None]
            found: Candidate | None = None
            for candidate, (a, b) in zip(less, self._seen(pairs, store), strict=False):
                observed = self._observer.observe(a, b)
                limits = zip(self._observer.claims, observed, strict=True)
                if any(value > claim.bound for claim, value in limits):
                    found = candidate
                    break
            if found is None:
                return broken
            broken = found
        return broken
