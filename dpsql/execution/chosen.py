"""An answer whose numbers are those of its release: it is made without the second database.

Claim: the rows are those that the second database would give. Why: a plan of projections that only
name columns of one release, or constants, computes nothing, and keeps the rows in their order; and
of `_KEPT` alone a table gives each value back as it was put in. All else is left to the database.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpsql.compile import ReleasedQuery
from dpsql.core.plan.expr import Literal, Ref
from dpsql.core.plan.nodes import Plan, Project, Released
from dpsql.execution.loaded import table_columns, table_rows
from dpsql.execution.noise import NoisyRelease
from dpsql.platform.engine.protocol import ResultTable
from dpsql.types import DOUBLE

_WHOLE = {"INTEGER": int, "BIGINT": int, "HUGEINT": int}
_KEPT = {**_WHOLE, "DOUBLE": float, "VARCHAR": str, "BOOLEAN": bool}
"""The types of columns, and of their values."""


def chosen(query: ReleasedQuery, released: Sequence[NoisyRelease]) -> ResultTable | None:
    """The rows of the `shown` plan; None where more is done than to name columns.

    Args:
        query: what was asked.
        released: its noisy releases.
    """
    outer: list[Project] = []
    plan: Plan = query.shown
    while isinstance(plan, Project):
        outer.append(plan)
        plan = plan.input
    tables = [release.table for release in query.releases]
    if not isinstance(plan, Released) or plan.name not in tables:
        return None
    number = tables.index(plan.name)
    names = [name for name, _ in table_columns(query, number)]
    rows = table_rows(query, number, released[number])
    values = list(zip(*rows, strict=True)) or [()] * len(names)
    found: dict[int, Sequence[object]] = {
        column.id: values[names.index(name)]
        for column, name in zip(plan.columns, plan.fields, strict=True)
    }
    for project in reversed(outer):
        for column, expr in project.items:
            if isinstance(expr, Ref):
                found[column.id] = found[expr.column.id]
            elif isinstance(expr, Literal) and expr.value == 1 and expr.type == DOUBLE:  # a slope
                found[column.id] = [1.0] * len(rows)
            else:
                return None
    columns = query.shown.columns
    for column in columns:
        kind = _KEPT.get(str(column.type))
        if any(value is not None and type(value) is not kind for value in found[column.id]):
            return None
    return ResultTable(
        columns=tuple(column.name for column in columns),
        types=tuple(str(column.type) for column in columns),
        rows=list(zip(*(found[column.id] for column in columns), strict=True)),
    )
