"""The same plan with columns of its own, so that it can stand in a query twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dpsql.core.plan.expr import Column, Ref, substitute
from dpsql.core.plan.nodes import (
    Aggregate,
    Apply,
    Join,
    Named,
    Plan,
    Project,
    Released,
    Scan,
    Union,
    Window,
    inputs,
    map_expressions,
    with_inputs,
)


def fresh_copy(plan: Plan, make: Callable[[Column], Column]) -> tuple[Plan, dict[int, Column]]:
    """A copy of the plan, and its column for each of the plan's own by id.

    Args:
        plan: any plan; columns that it reads but does not define stay as they are.
        make: a new column like the given one.
    """
    current: dict[int, Ref] = {}
    made = _copy(plan, make, current)
    return made, {i: ref.column for i, ref in current.items()}


def _copy(plan: Plan, make: Callable[[Column], Column], current: dict[int, Ref]) -> Plan:
    if isinstance(plan, Named):  # the query itself stays shared
        return replace(plan, columns=_new(plan.columns, make, current))
    plan = with_inputs(plan, tuple(_copy(child, make, current) for child in inputs(plan)))
    plan = map_expressions(plan, lambda e: substitute(e, current))

    def one(column: Column) -> Column:
        return _new((column,), make, current)[0]

    if isinstance(plan, Scan | Union):
        return replace(plan, columns=_new(plan.columns, make, current))
    if isinstance(plan, Released):
        columns = _new(plan.columns, make, current)
        keys = tuple(frozenset(current[c].column.id for c in key) for key in plan.keys)
        values, claims = (
            {current[i].column.id: v for i, v in known.items()}
            for known in (plan.values, plan.claims)
        )
        return replace(plan, columns=columns, keys=keys, values=values, claims=claims)
    if isinstance(plan, Project):
        return replace(plan, items=tuple((one(c), e) for c, e in plan.items))
    if isinstance(plan, Aggregate):
        keys_ = tuple((one(c), e) for c, e in plan.keys)
        return replace(plan, keys=keys_, calls=tuple((one(c), a) for c, a in plan.calls))
    if isinstance(plan, Window):
        return replace(plan, calls=tuple((one(c), a) for c, a in plan.calls))
    if isinstance(plan, Join) and plan.mark is not None:
        return replace(plan, mark=one(plan.mark))
    if isinstance(plan, Apply) and plan.column is not None:
        return replace(plan, column=one(plan.column))
    return plan


def _new(
    columns: tuple[Column, ...], make: Callable[[Column], Column], current: dict[int, Ref]
) -> tuple[Column, ...]:
    made = tuple(make(c) for c in columns)
    current.update((old.id, Ref(new)) for old, new in zip(columns, made, strict=True))
    return made
