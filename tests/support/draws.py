"""The noise of one query drawn many times: its exact cells are read once.

All groups of all draws are one release with the same groups over and over, so that noise, values
and half-widths come from the code that answers. That holds for queries whose rows are one row of
the release each: no LIMIT, and no window over noisy rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import dpsql
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.calibrate.options import DEFAULT, Options
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.plan.expr import Ref
from dpsql.core.release.formulas import Linear
from dpsql.core.release.statements import statements
from dpsql.execution import cells
from dpsql.execution.cells import ExactCells
from dpsql.execution.loaded import CONFIDENCE, load
from dpsql.execution.noise import add_noise, without_noise
from dpsql.execution.processing import Rows, post_process
from dpsql.execution.processing import intervals as half_widths
from dpsql.execution.reading import copy_table, engine_source, public_groups


@dataclass(frozen=True, slots=True)
class Known:
    """A compiled query of one release, and its exact cells."""

    query: ReleasedQuery
    exact: ExactCells


def known(db: dpsql.Database, sql: str, eps: Fraction, options: Options = DEFAULT) -> Known:
    """Compile a query, and read its exact cells."""
    query = compile_query(sql, db.schema, eps, options=options).query
    assert isinstance(query, ReleasedQuery)
    (release,) = query.releases
    source = engine_source(db._engine)
    with db._engine.snapshot() as snapshot:
        groups = public_groups(release, snapshot, source)
        return Known(query, cells.read(release, groups, snapshot, statements(release, source)))


def repeated(exact: ExactCells, draws: int, places: Sequence[int] | None = None) -> ExactCells:
    """The groups at `places` (all by default), `draws` times over."""
    kept = range(len(exact.groups)) if places is None else places
    return ExactCells(
        [exact.groups[i] for i in kept] * draws,
        [[values[i] for i in kept] * draws for values in exact.values],
        [[points[i] for i in kept] * draws for points in exact.points],
        exact.clips,
        exact.scores,
        None if exact.units is None else [exact.units[i] for i in kept] * draws,
    )


@dataclass(frozen=True, slots=True)
class Answers:
    """Rows of an answer: of each its group's number, its values and their half-widths."""

    groups: list[int]
    rows: list[tuple[object, ...]]
    intervals: list[tuple[float | None, ...]]


def answers(
    db: dpsql.Database, query: ReleasedQuery, exact: ExactCells, *, noise: bool = True
) -> Answers:
    """One answer with fresh noise, or with none; the query must be one whose noise is traced."""
    shown = len(query.names)
    with db._engine.snapshot() as snapshot, db._scratches.take() as scratch:
        for table in query.tables:
            copy_table(scratch, table, db._engine, snapshot)
        noisy = add_noise(query, 0, exact) if noise else without_noise(query.releases[0], exact)
        load(query, 0, noisy, scratch)
        found = scratch.run(query.post_sql).rows
    intervals = half_widths(query, noisy, found)
    return Answers([int(r[shown]) for r in found], [r[:shown] for r in found], intervals)  # type: ignore[call-overload]


def expected(query: ReleasedQuery) -> list[float]:
    """How often each output is within its 95 % half-width: exactly, for one discrete noise that
    the output is a multiple of; 95 % for others.
    """
    assert query.trace is not None
    formulas = {o.column.id: o.formula for o in query.releases[0].outputs}
    result: list[float] = []
    for expr in query.trace.outputs:
        formula = formulas.get(expr.column.id) if isinstance(expr, Ref) else None
        result.append(0.95)
        if isinstance(formula, Linear) and len({t.measure for t in formula.terms}) == 1:
            noise = query.planned[0].noise[formula.terms[0].measure]
            assert not isinstance(noise, AdaptiveLaplace)
            result[-1] = 1 - noise.tail(noise.interval(CONFIDENCE))
    return result


@dataclass(frozen=True, slots=True)
class KnownAll:
    """A compiled query of any number of releases, none of which reads another or a public table,
    and their exact cells.
    """

    query: ReleasedQuery
    exact: tuple[ExactCells, ...]


def known_all(db: dpsql.Database, sql: str, eps: Fraction, options: Options = DEFAULT) -> KnownAll:
    """Compile a query, and read its exact cells."""
    query = compile_query(sql, db.schema, eps, options=options).query
    assert isinstance(query, ReleasedQuery) and not query.feeds
    source = engine_source(db._engine)
    with db._engine.snapshot() as snapshot:
        found = [
            cells.read(r, public_groups(r, snapshot, source), snapshot, statements(r, source))
            for r in query.releases
        ]
    return KnownAll(query, tuple(found))


def processed(db: dpsql.Database, found: KnownAll, *, noise: bool = True) -> Rows:
    """One answer with fresh noise, or with none, as it is processed where noise is drawn again."""
    query = found.query
    assert not query.tables
    with db._scratches.take() as scratch:
        noisy = [
            add_noise(query, n, exact) if noise else without_noise(query.releases[n], exact)
            for n, exact in enumerate(found.exact)
        ]
        return post_process(query, noisy, scratch)


def held(
    db: dpsql.Database, found: KnownAll, draws: int
) -> dict[tuple[str, tuple[object, ...]], list[tuple[float, float | None]]]:
    """Of each number of the true answer, by its column and its row's exact values, how far the
    answers were off, and their half-widths; NULLs are left out.
    """
    truth = processed(db, found, noise=False)
    assert truth.accuracy is not None
    exact = [i for i, may in enumerate(truth.accuracy.noisy) if not may]
    made: dict[tuple[str, tuple[object, ...]], list[tuple[float, float | None]]] = {}
    true = {tuple(row[i] for i in exact): row for row in truth.rows}
    assert len(true) == len(truth.rows), "rows are told apart by exact columns"
    for _ in range(draws):
        answer = processed(db, found)
        for row, widths in zip(answer.rows, answer.intervals, strict=True):
            key = tuple(row[i] for i in exact)
            for place, (value, width) in enumerate(zip(row, widths, strict=True)):
                wanted = true[key][place] if key in true else None
                if place not in exact and value is not None and wanted is not None:
                    off = abs(float(value) - float(wanted))  # type: ignore[arg-type]
                    made.setdefault((answer.columns[place], key), []).append((off, width))
    return made
