"""An answer whose numbers are those of its release: it is made without the second database.

Claim: the rows are those that the second database would give. Why: a plan of projections that only
name columns of one release, or constants, computes nothing, and keeps the rows in their order; of
`_KEPT` alone, and of decimals, a table gives each value back as it was put in. Rows are sorted by
values of these types alone, in DuckDB's order: texts by their bytes, and where two rows are equal
in it the order is the database's own, which is asked. All else is left to the database.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise

from dpsql.compile import ReleasedQuery
from dpsql.core.plan.expr import Literal, Ref
from dpsql.core.plan.nodes import Plan, Project, Released, Sort, SortKey
from dpsql.execution.loaded import table_columns, table_rows
from dpsql.execution.noise import NoisyRelease
from dpsql.platform.engine.protocol import ResultTable
from dpsql.types import DOUBLE, Type

_WHOLE = {"INTEGER": int, "BIGINT": int, "HUGEINT": int}
_DAYS = {"DATE": date, "TIMESTAMP": datetime}
_KEPT: Mapping[str, type] = {**_WHOLE, **_DAYS, "DOUBLE": float, "VARCHAR": str, "BOOLEAN": bool}
"""The types of columns, and of their values."""

Values = dict[int, Sequence[object]]
"""The columns of a plan, by their ids."""


def chosen(query: ReleasedQuery, released: Sequence[NoisyRelease]) -> ResultTable | None:
    """The rows of the `shown` plan; None where more is done than to name columns and to sort.

    Args:
        query: what was asked.
        released: its noisy releases.
    """
    outer: list[Project | Sort] = []
    plan: Plan = query.shown
    while isinstance(plan, Project | Sort):
        outer.append(plan)
        plan = plan.input
    tables = [release.table for release in query.releases]
    if not isinstance(plan, Released) or plan.name not in tables:
        return None
    columns = query.shown.columns
    kinds = [_kept(column.type) for column in columns]
    if None in kinds or not all(map(_named, outer)):  # before anything is made
        return None
    number = tables.index(plan.name)
    names = [name for name, _ in table_columns(query, number)]
    rows = table_rows(query, number, released[number])
    values = list(zip(*rows, strict=True)) or [()] * len(names)
    found: Values = {
        column.id: values[names.index(name)]
        for column, name in zip(plan.columns, plan.fields, strict=True)
    }
    order: Sequence[int] = range(len(rows))
    for step in reversed(outer):
        if isinstance(step, Project):
            for column, expr in step.items:
                one = found[expr.column.id] if isinstance(expr, Ref) else [1.0] * len(rows)
                found[column.id] = one
        else:
            turned = _sorted(order, step.keys, found)
            if turned is None:
                return None
            order = turned
    for column, kind in zip(columns, kinds, strict=True):
        if any(value is not None and type(value) is not kind for value in found[column.id]):
            return None
    return ResultTable(
        columns=tuple(column.name for column in columns),
        types=tuple(str(column.type) for column in columns),
        rows=[tuple(found[column.id][i] for column in columns) for i in order],
    )


def _kept(kind: Type) -> type | None:
    """Of what type the values of a column are that a table gives back as they are."""
    return Decimal if kind.is_decimal else _KEPT.get(str(kind))


def _named(step: Project | Sort) -> bool:
    """Whether a step only names columns, or constants 1 as slopes are, or sorts by columns."""
    if isinstance(step, Sort):
        refs = [key.expr for key in step.keys if isinstance(key.expr, Ref)]
        return len(refs) == len(step.keys) and all(_kept(r.column.type) for r in refs)
    return all(
        isinstance(expr, Ref)
        or (isinstance(expr, Literal) and expr.value == 1 and expr.type == DOUBLE)
        for _, expr in step.items
    )


def _sorted(order: Sequence[int], keys: Sequence[SortKey], found: Values) -> Sequence[int] | None:
    """The rows in another order; None where keys do not tell all apart, or are no such values."""
    made = list(order)
    ranks = []
    for key in reversed(keys):  # the last one first: Python's sort is stable
        assert isinstance(key.expr, Ref)
        values, kind = found[key.expr.column.id], _kept(key.expr.column.type)
        if any(values[i] is not None and type(values[i]) is not kind for i in made):
            return None
        rank = {i: _rank(values[i], key) for i in made}
        made.sort(key=rank.__getitem__, reverse=key.descending)
        ranks.append(rank)
    places = [tuple(rank[i] for rank in ranks) for i in made]
    return None if any(a == b for a, b in pairwise(places)) else made


def _rank(value: object, key: SortKey) -> tuple[int, int, object]:
    """Where a value is in ascending order, such that NULL is where it is wanted."""
    if value is None:
        return (-1 if key.nulls_first != key.descending else 1), 0, 0
    if isinstance(value, str):
        return 0, 0, value.encode("utf-8", "surrogatepass")
    odd = isinstance(value, float) and math.isnan(value)  # beyond all numbers
    return (0, 1, 0) if odd else (0, 0, value)
