"""What stands in one row of a unit: ARG_MAX, ARG_MIN, FIRST, LAST, ANY_VALUE and MODE of its rows,
and what stands between two (`places_of_unit`).

    SELECT customer, ARG_MAX(status, placed) AS last FROM orders GROUP BY customer
    SELECT customer, MAX(v) AS last FROM (
      SELECT customer, FIRST_VALUE(CASE WHEN placed IS NOT NULL THEN status END)
        OVER (PARTITION BY customer ORDER BY status IS NULL OR placed IS NULL, placed DESC, status)
        AS v FROM orders) GROUP BY customer

Claim: it is what DuckDB could say. Why: the first row in that order has the greatest `placed` of
those in which neither is NULL, which DuckDB leaves out; of rows with equal ones DuckDB takes any,
and this the least value, so that one unit's answer does not depend on how rows of others lie. All
rows of the group have it, so it is their MAX. FIRST and LAST see NULLs, and are of rows as they
come where no order is said: then any value will do, and the least is taken, as of ANY_VALUE. A
MODE is in the rows whose value is in the most of them; of several DuckDB takes any, this the least.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.functions.build import make
from dpsql.core.plan.expr import Column, Expr, null_unless
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    SortKey,
)
from dpsql.front.resolve.places_of_unit import Windows, place_value
from dpsql.front.resolve.texts_of_unit import joined_texts


def with_rows(plan: Aggregate, ids: Ids, most: int | None) -> Aggregate:
    """Groups of one unit each with such calls, and those of a place in order, as windows below.

    Args:
        plan: the groups.
        ids: new columns.
        most: rows of a group, for what hangs on it.
    """
    windows = Windows(tuple(e for _, e in plan.keys), ids, most)
    calls: list[tuple[Column, AggregateCall]] = []
    for column, call in plan.calls:
        value = value_in_rows(column, call, windows)
        calls.append((column, call if value is None else AggregateCall("min", value, call.span)))
    return replace(plan, input=windows.below(plan.input), calls=tuple(calls), per_unit=True)


def value_in_rows(column: Column, call: AggregateCall, windows: Windows) -> Expr | None:
    """What each row of a group has that has it, and others have as NULL; None for other calls."""
    value, order = _first(call, windows)
    if value is None:
        return place_value(call, column.type, windows) or joined_texts(call, windows)
    return windows.read(column.name, "first_value", value, order, call.span) if order else value


def _first(call: AggregateCall, windows: Windows) -> tuple[Expr | None, tuple[SortKey, ...]]:
    """The value that is shown of the first row, and in which order; None for other calls."""
    value, by = call.argument, call.second
    if value is None or call.distinct or call.where is not None:
        return None, ()
    if call.function == "any_value" or (call.function in ("first", "last") and not call.order):
        return value, ()
    least = SortKey(value, False, False)
    if call.function == "mode":
        known = SortKey(make("is_null", (value,), None), False, False)
        often = windows.number("count", (value,), more=(value,))
        return value, (known, SortKey(often, True, False), least)
    if call.function in ("arg_max", "arg_min") and by is not None:
        both = make("and", (_is_there(value), _is_there(by)), call.span)
        order = SortKey(make("not", (both,), None), False, False)
        return null_unless(both, value), (
            order,
            SortKey(by, call.function == "arg_max", False),
            least,
        )
    if call.function == "first":
        return value, (*call.order, least)
    if call.function == "last":
        return value, (*map(_turned, call.order), least)
    return None, ()


def _turned(key: SortKey) -> SortKey:
    return SortKey(key.expr, not key.descending, not key.nulls_first)


def _is_there(expr: Expr) -> Expr:
    return make("not", (make("is_null", (expr,), expr.span),), expr.span)
