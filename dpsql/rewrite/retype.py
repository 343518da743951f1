"""Types and totality above the release points.

Rewriting may give an aggregate or a key another type than the binder saw (a sum that needed a wider
one). Above it every reference gets the column's new type, and every expression the totality rules,
so that no noisy value can make post-processing fail.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.plan.expr import Column, Expr, Ref, substitute
from dpsql.plan.nodes import (
    Aggregate,
    Filter,
    Join,
    Plan,
    Project,
    Sort,
    inputs,
    with_inputs,
)
from dpsql.plan.values import of_type
from dpsql.rewrite.secure import secure


def retype(plan: Plan) -> Plan:
    """The plan with types and totality renewed, bottom up."""
    plan = with_inputs(plan, tuple(retype(child) for child in inputs(plan)))
    columns = {c.id: c for child in inputs(plan) for c in child.columns}
    env = {i: of_type(c.type) for i, c in columns.items()}

    def renewed(expr: Expr) -> Expr:
        current = substitute(expr, {i: Ref(c) for i, c in columns.items()})
        return secure(current, env, env, value=False)

    if isinstance(plan, Filter):
        return replace(plan, predicate=renewed(plan.predicate))
    if isinstance(plan, Project):
        items = tuple((c, renewed(e)) for c, e in plan.items)
        return replace(plan, items=tuple((_typed(c, e), e) for c, e in items))
    if isinstance(plan, Join) and plan.condition is not None:
        return replace(plan, condition=renewed(plan.condition))
    if isinstance(plan, Sort):
        return replace(plan, keys=tuple(replace(k, expr=renewed(k.expr)) for k in plan.keys))
    if isinstance(plan, Aggregate):
        keys = tuple((c, renewed(e)) for c, e in plan.keys)
        calls = tuple(
            (c, call if call.argument is None else replace(call, argument=renewed(call.argument)))
            for c, call in plan.calls
        )
        return replace(plan, keys=tuple((_typed(c, e), e) for c, e in keys), calls=calls)
    return plan


def _typed(column: Column, expr: Expr) -> Column:
    return column if column.type == expr.type else replace(column, type=expr.type)
