"""The exact cells of a release: read in one statement, held for as long as it takes to add noise.

`ExactCells` has no repr, cannot be pickled or iterated by accident, and leaves this package only as
noisy numbers, or to the owner through `dpsql.audit`.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import product

from dpsql.analyze.domain import Domain
from dpsql.engine.protocol import Snapshot
from dpsql.errors import Diagnostic, Rejected
from dpsql.plan.expr import Column
from dpsql.rewrite.cells import Cells
from dpsql.rewrite.cells_sql import cells_sql
from dpsql.sensitivity.measures import Kind, Measure
from dpsql.sensitivity.release import Release
from dpsql.sql.emit import Source, nested

Key = tuple[object, ...]

MAX_PUBLIC_GROUPS = 1_000_000


class ExactCells:
    """Exact values: `values[m][g]` is measure m in group g, in lattice steps."""

    __slots__ = ("groups", "values")

    def __init__(self, groups: list[Key], values: list[list[int]]) -> None:
        self.groups, self.values = groups, values

    def __repr__(self) -> str:
        return "<exact cells>"

    def __reduce__(self) -> str:
        raise TypeError("exact cells stay where they are")


def statement(release: Release, source: Source) -> str | None:
    """The SQL of a release's exact cells; None where nothing private is measured."""
    if release.cells is None:
        return None
    return cells_sql(release.cells, source).sql(dialect="duckdb")


def read(
    release: Release,
    groups: list[Key],
    snapshot: Snapshot,
    sql: str | None,
    fed: Mapping[str, list[object]] | None = None,
) -> ExactCells:
    """The exact value of every measure in every one of `groups`, in their order.

    Args:
        release: what is measured.
        groups: the public domain's keys.
        snapshot: of the data.
        sql: the release's `statement`.
        fed: the columns of the released rows that it reads, by parameter.

    Raises:
        EngineError: the engine failed.
    """
    totals: dict[Key, list[int]] = {}
    if release.cells is not None and sql is not None:
        width = len(release.cells.keys)
        for row in snapshot.rows(sql, fed):
            key = tuple(normal(v) for v in row[:width])
            sums = _sums(release.cells, row[width:])
            before = totals.get(key)
            totals[key] = (
                sums if before is None else [a + b for a, b in zip(before, sums, strict=True)]
            )
    empty = [0] * len(_layout(release.cells)) if release.cells is not None else []
    values = [
        [_measured(measure, totals.get(group, empty), release.cells) for group in groups]
        for measure in release.measures
    ]
    return ExactCells(groups, values)


def normal(value: object) -> object:
    """A key's value in the one form in which keys are compared."""
    return Fraction(value) if isinstance(value, Decimal) else value


def group_rows(
    domain: Domain, columns: tuple[Column, ...], snapshot: Snapshot, source: Source
) -> list[Key]:
    """Every group of the domain, in an order that is a function of public things.

    Raises:
        EngineError: the engine failed.
        Rejected: DP304 where public tables make too many groups.
    """
    parts: list[tuple[list[int], list[Key]]] = []
    for key in domain.listed:
        parts.append(([key.column.id], [(v,) for v in key.values]))
    for public in domain.public:
        select = nested(public.plan, source).distinct()
        width = len(public.columns)
        select = select.order_by(*(str(i + 1) for i in range(width)))
        rows = [tuple(normal(v) for v in r) for r in snapshot.rows(select.sql(dialect="duckdb"))]
        parts.append(([c.id for c in public.columns], list(dict.fromkeys(rows))))
    size = 1
    for _, rows in parts:
        size *= len(rows)
    if size > MAX_PUBLIC_GROUPS:
        message = f"the public tables make {size:,} groups, more than {MAX_PUBLIC_GROUPS:,}"
        raise Rejected(Diagnostic("DP304", message, None, "group by coarser keys"))
    ids = [i for part_ids, _ in parts for i in part_ids]
    keys = [c.id for c in columns if c.id in set(ids)]
    # Sorted by the query's own order of keys: the first key varies slowest.
    order = sorted(range(len(parts)), key=lambda p: keys.index(parts[p][0][0]))
    places = [i for p in order for i in parts[p][0]]
    arrange = [places.index(i) for i in keys]
    result: list[Key] = []
    for combination in product(*(parts[p][1] for p in order)):
        flat = [v for piece in combination for v in piece]
        result.append(tuple(flat[i] for i in arrange))
    return result


Place = tuple[str, int | None]
"""What a column of the cells adds up: ("rows", None), ("count", i) or ("sum", i)."""


def _layout(cells: Cells) -> list[Place]:
    layout: list[Place] = [("rows", None)]
    for i, item in enumerate(cells.inputs):
        layout += [("count", i)] if item.counted else []
        layout += [("sum", i)] if item.total is not None else []
    return layout


def _sums(cells: Cells, row: tuple[object, ...]) -> list[int]:
    """The row's sums in lattice steps; SUM over no value is NULL, hence 0."""
    result: list[int] = []
    for (_, i), value in zip(_layout(cells), row, strict=True):
        if value is None:
            result.append(0)
        elif isinstance(value, Decimal) and i is not None:
            lattice = cells.inputs[i].total
            assert lattice is not None
            steps = Fraction(value) / lattice.step
            assert steps.denominator == 1
            result.append(steps.numerator)
        else:
            assert isinstance(value, int)
            result.append(value)
    return result


def _measured(measure: Measure, sums: list[int], cells: Cells | None) -> int:
    """The measure's exact value in one group."""
    if measure.constant is not None:
        return measure.constant
    assert cells is not None
    found = dict(zip(_layout(cells), sums, strict=True))
    rows = found["rows", None]
    if measure.kind is Kind.ROWS:
        return rows
    count = found.get(("count", measure.input), rows)
    if measure.kind is Kind.VALUES:
        return count
    total = found["sum", measure.input]
    if measure.kind is Kind.SUM:
        return total
    if measure.centre % 2:
        return 2 * total - measure.centre * count
    return total - measure.centre // 2 * count
