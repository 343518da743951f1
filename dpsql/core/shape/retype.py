"""An expression over columns whose types have changed since it was bound.

Securing may give a column a wider type than the binder saw (a product that its own type does not
hold, a sum that is released as a DOUBLE). Every call above it is bound again, operands first, so
that what is computed, what is inferred and what is printed agree about its type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpsql.core.functions import BY_NAME, TypeMismatch
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.typing import common
from dpsql.core.plan.expr import Call, Case, Expr, Literal, Ref, children, rebuild
from dpsql.core.plan.nodes import Named, Plan, inputs, map_expressions, with_inputs
from dpsql.errors import Diagnostic, Rejected

CASTS = frozenset({"cast", "coerce", "try_cast"})
"""Their type is what they convert to; their totality rule looks at what they convert from."""

ENFORCING = frozenset({"clamp", "inside", "in_calendar", "cut", "steps"})
"""What securing itself puts in, of types of its own choice."""


def retyped(expr: Expr, current: Mapping[int, Expr]) -> Expr:
    """The expression with `current` in place of columns, and every call above one bound again.

    Raises:
        Rejected: DP306 where the operands fit no type any more.
    """
    if isinstance(expr, Ref):
        found = current.get(expr.column.id)
        if found is None:
            return expr
        return found if expr.span is None else replace(found, span=expr.span)
    below = children(expr)
    if not below:
        return expr
    made = tuple(retyped(child, current) for child in below)
    if all(new is old for new, old in zip(made, below, strict=True)):
        return expr
    result = rebuild(expr, made)
    if [a.type for a in made] == [a.type for a in below]:
        return result
    return rebound(result)


def rebound(expr: Expr) -> Expr:
    """A call or a CASE of the type that its operands give it."""
    if isinstance(expr, Case):
        return _same_type(expr)
    assert isinstance(expr, Call)
    if expr.function in CASTS | ENFORCING:
        return expr
    try:
        args, kind = BY_NAME[expr.function].bind(expr.args)
    except TypeMismatch:
        message = f"{expr.function}: the range of its operands fits no exact type"
        help = "declare tighter bounds in the policy, or cast to a smaller type"
        raise Rejected(Diagnostic("DP306", message, expr.span, help)) from None
    return Call(expr.function, args, kind, expr.span)


def _same_type(case: Case) -> Case:
    """CASE whose results have become of different types: all brought to one that holds them."""
    results = (*(v for _, v in case.branches), case.default)
    if all(r.type == case.type for r in results):
        return case
    present = tuple(r for r in results if not (isinstance(r, Literal) and r.value is None))
    kind = common(present, "CASE")
    branches = tuple((c, coerce(v, kind)) for c, v in case.branches)
    return Case(branches, coerce(case.default, kind), kind, case.span)


def everywhere(plan: Plan, current: dict[int, Expr]) -> Plan:
    """The plan with columns of other queries in the types that they have now."""
    if isinstance(plan, Named):
        return plan  # reads no other query's columns, and is known by its identity
    plan = with_inputs(plan, tuple(everywhere(c, current) for c in inputs(plan)))
    return map_expressions(plan, lambda e: retyped(e, current))
