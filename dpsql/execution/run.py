"""From a compiled query to noisy rows: public groups, charge, exact cells, noise, post-processing.

The order is the guarantee: the ledger is charged, durably, before the engine is asked for anything
private; noise is added before anything leaves this module; what comes after sees noisy numbers and
public tables only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from dpsql.accounting.ledger import Entry, Ledger
from dpsql.compile import Compiled, PublicQuery, ReleasedQuery, plan_sql, post_sql
from dpsql.engine.protocol import Engine, Snapshot
from dpsql.engine.scratch import Scratch
from dpsql.engine.scratch_pool import ScratchPool
from dpsql.execution import cells, decode
from dpsql.execution.cells import Key
from dpsql.execution.widths import width
from dpsql.mechanism.laplace import DiscreteLaplace
from dpsql.plan.expr import Column, Ref
from dpsql.policy.schema import Table
from dpsql.rewrite.cells_sql import feeds_of, parameter
from dpsql.sensitivity.release import Release
from dpsql.sensitivity.trace import ROW
from dpsql.sql.emit import Source, output_name
from dpsql.sql.emit import table as sql_table
from dpsql.types import Type


@dataclass(frozen=True, slots=True)
class NoisyRelease:
    """What is released: for each group its key and its noisy measures, in lattice steps."""

    groups: list[Key]
    noisy: list[list[int]]


@dataclass(frozen=True, slots=True)
class Rows:
    """The answer's rows and the 95 % half-widths beside them."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[object, ...]]
    intervals: list[tuple[float | None, ...]]


class Recheck(Protocol):
    """What was true of the data when it was opened."""

    def definitions(self, snapshot: Snapshot) -> None:
        """Raise PolicyError where a table is another one now; reads no row."""

    def facts(self, snapshot: Snapshot) -> None:
        """Raise PolicyError where a key or a public number of rows is none any more."""


CONFIDENCE = 0.95


def engine_source(engine: Engine) -> Source:
    """Declared tables by their full names in the engine."""
    return lambda table: sql_table(*engine.target(table.name))


def execute(
    compiled: Compiled,
    statements: tuple[str | None, ...],
    engine: Engine,
    ledger: Ledger,
    scratches: ScratchPool,
    description: list[object],
    recheck: Recheck | None = None,
) -> Rows:
    """Answer a compiled query.

    Args:
        compiled: the query, accepted.
        statements: the SQL of each release's cells, see `cells.statement`.
        engine: the data.
        ledger: is charged `compiled.cost` before anything private is read.
        scratches: empty databases for post-processing.
        description: of the releases, for the ledger's entry; a function of the query alone.
        recheck: what must still be true of data that can change, asked in the query's snapshot.

    Raises:
        BudgetExceeded: nothing was charged.
        EngineError: the charge stays.
    """
    query = compiled.query
    if isinstance(query, PublicQuery):
        return _public(query, engine, scratches)
    source = engine_source(engine)
    with engine.snapshot() as snapshot, scratches.take() as scratch:
        if recheck is not None:
            recheck.definitions(snapshot)
        groups = [
            cells.group_rows(r.domain, r.node.columns, snapshot, source) for r in query.releases
        ]
        if compiled.cost.eps:
            ledger.reserve(compiled.cost, Entry(compiled.text, json.dumps(description)))
        if recheck is not None:
            recheck.facts(snapshot)  # reads private rows, and fails by what they are: charged
        for table in query.tables:
            copy_table(scratch, table, engine, snapshot)
        released: list[NoisyRelease] = []
        for release, noises, found, sql in zip(
            query.releases, query.noise, groups, statements, strict=True
        ):
            fed = fed_columns(query, release, scratch)
            noisy = add_noise(release, noises, found, snapshot, sql, fed)
            load(query, release, noisy, scratch)
            released.append(noisy)
        return post_process(query, released, scratch)


def fed_columns(
    query: ReleasedQuery, release: Release, scratch: Scratch
) -> dict[str, list[object]]:
    """The released rows that a release reads, made from those before it; by parameter."""
    result: dict[str, list[object]] = {}
    for node in [] if release.cells is None else feeds_of(release.cells):
        feed = query.feeds[node.name]
        rows = scratch.run(plan_sql(feed.plan)).rows
        for position, field in enumerate(feed.fields):
            result[parameter(feed.name, field)] = [row[position] for row in rows]
    return result


def add_noise(
    release: Release,
    noises: tuple[DiscreteLaplace, ...],
    groups: list[Key],
    snapshot: Snapshot,
    sql: str | None,
    fed: Mapping[str, list[object]],
) -> NoisyRelease:
    """Read the exact cells and add fresh noise to each: one vector draw a measure."""
    exact = cells.read(release, groups, snapshot, sql, fed)
    noisy: list[list[int]] = []
    for values, noise in zip(exact.values, noises, strict=True):
        noisy.append([v + z for v, z in zip(values, noise.draw(len(values)), strict=True)])
    return NoisyRelease(groups, [list(column) for column in zip(*noisy, strict=True)])


Fed = dict[str, list[object]]
"""The released rows that a release reads: its statement's parameters."""


def exact_feeds(
    query: ReleasedQuery, snapshot: Snapshot, source: Source, scratch: Scratch
) -> list[Fed]:
    """For audits and tests: what each release would read of those before it, were there no noise.

    Args:
        query: the query.
        snapshot: of the data.
        source: how its tables are written.
        scratch: holds the public tables that the query reads.
    """
    result: list[Fed] = []
    for release in query.releases:
        fed = fed_columns(query, release, scratch)
        groups = cells.group_rows(release.domain, release.node.columns, snapshot, source)
        exact = cells.read(release, groups, snapshot, cells.statement(release, source), fed)
        rows = [list(column) for column in zip(*exact.values, strict=True)]
        load(query, release, NoisyRelease(groups, rows), scratch)
        result.append(fed)
    return result


def copy_table(scratch: Scratch, table: Table, engine: Engine, snapshot: Snapshot) -> None:
    """A public table's rows into the scratch database."""
    columns = [(c.name, str(c.type)) for c in table.columns]
    scratch.copy(table.name, columns, snapshot, engine.target(table.name))


def _public(query: PublicQuery, engine: Engine, scratches: ScratchPool) -> Rows:
    with engine.snapshot() as snapshot, scratches.take() as scratch:
        for table in query.tables:
            copy_table(scratch, table, engine, snapshot)
        answer = scratch.run(query.sql)
    none = (None,) * len(answer.columns)
    return Rows(answer.columns, answer.types, answer.rows, [none] * len(answer.rows))


def post_process(query: ReleasedQuery, released: list[NoisyRelease], scratch: Scratch) -> Rows:
    """Run what the query does with its releases, and find each number's half-width."""
    answer = scratch.run(post_sql(query))
    shown = len(query.names)
    rows = [row[:shown] for row in answer.rows]
    if query.trace is None:
        intervals: list[tuple[float | None, ...]] = [(None,) * shown] * len(rows)
    else:
        intervals = _intervals(query, released[0], answer.rows)
    return Rows(query.names, answer.types[:shown], rows, intervals)


def load(query: ReleasedQuery, release: Release, noisy: NoisyRelease, scratch: Scratch) -> None:
    """The noisy answer of a release as a table: its keys, its aggregates, its row numbers."""
    row = ROW if query.trace is None else output_name(query.trace.row.id)
    columns = [(output_name(c.id), _stored(c.type)) for c in release.node.columns]
    keys = release.node.columns[: len(release.node.columns) - len(release.outputs)]
    count = len(noisy.groups)
    noisy_rows = noisy.noisy or [[] for _ in range(count)]
    rows: list[tuple[object, ...]] = []
    for number, (group, values) in enumerate(zip(noisy.groups, noisy_rows, strict=True)):
        made = tuple(
            decode.plain(decode.value(o.formula, values), o.column.type) for o in release.outputs
        )
        rows.append((*_key_values(group, keys), *made, number))
    scratch.load(release.table, [*columns, (row, "BIGINT")], rows)


def _stored(kind: Type) -> str:
    return str(kind)


def _key_values(group: Key, columns: tuple[Column, ...]) -> list[object]:
    return [
        decode.plain(v, c.type) if isinstance(v, Fraction) else v
        for v, c in zip(group, columns, strict=True)
    ]


def _intervals(
    query: ReleasedQuery, released: NoisyRelease, rows: list[tuple[object, ...]]
) -> list[tuple[float | None, ...]]:
    traced, (release,), (noises,) = query.trace, query.releases, query.noise
    assert traced is not None
    shown, limits = len(query.names), _limits(query, release)
    result: list[tuple[float | None, ...]] = []
    for row in rows:
        number = row[shown]
        assert isinstance(number, int)
        noisy = released.noisy[number] if released.noisy else []
        found: dict[int, dict[int, float]] = {i: {} for i in traced.exact}
        usable = set(traced.exact)
        for (position, aggregate), slope in zip(traced.gradients, row[shown + 1 :], strict=True):
            if not isinstance(slope, float):
                usable.discard(position)
                continue
            formula = release.outputs[aggregate].formula
            for measure, weight in decode.weights(formula, noisy).items():
                before = found[position].get(measure, 0.0)
                found[position][measure] = before + slope * weight
        widths = [
            width(found[i], noises, CONFIDENCE) if i in usable else None for i in range(shown)
        ]
        result.append(tuple(_capped(w, limits[i]) for i, w in enumerate(widths)))
    return result


def _limits(query: ReleasedQuery, release: Release) -> list[float | None]:
    """For each output column the most that it can be off, where that is public: an average is
    kept in the range of its values.
    """
    assert query.trace is not None
    ranges = {o.column.id: decode.widest(o.formula) for o in release.outputs}
    return [ranges.get(e.column.id) if isinstance(e, Ref) else None for e in query.trace.outputs]


def _capped(width: float | None, limit: float | None) -> float | None:
    return width if width is None or limit is None else min(width, limit)
