"""How large the expressions of a plan would be if each were written over its tables' columns.

The engine does write them so: where it moves a condition below a subquery, it puts the subquery's
expressions in the place of its columns, and NULLIF(a, b) is CASE WHEN a = b THEN NULL ELSE a END to
it. A chain of twenty that read their column twice would be a million; planning it takes all memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpsql.core.plan.expr import MAX_SIZE, Call, Expr, Ref, children
from dpsql.core.plan.nodes import Aggregate, Named, Plan, Project, Union, expressions, inputs
from dpsql.errors import Diagnostic, Rejected

MAX_NESTED = 12
"""Groupings of which each reads the one before it."""

TWICE = frozenset({"nullif"})
"""Functions whose first argument the engine reads twice."""


def check_sizes(plan: Plan) -> None:
    """Refuse a plan with expressions that would be too large.

    Raises:
        Rejected: DP103.
    """
    _columns(plan, {})
    _grouped(plan, {})


def _grouped(plan: Plan, seen: dict[int, int]) -> int:
    """How many groupings stand below one another."""
    known = seen.get(id(plan))
    if known is None:
        known = max((_grouped(child, seen) for child in inputs(plan)), default=0)
        if isinstance(plan, Aggregate):
            known += 1
            if known > MAX_NESTED:
                message = f"more than {MAX_NESTED} groupings, each of the one before it"
                raise Rejected(Diagnostic("DP103", message, plan.span))
        seen[id(plan)] = known
    return known


def _columns(plan: Plan, seen: dict[int, dict[int, int]]) -> dict[int, int]:
    """The sizes of a plan's columns, where they are more than 1; of each node once."""
    known = seen.get(id(plan))
    if known is not None:
        return known
    below: dict[int, int] = {}
    branches = [_columns(child, seen) for child in inputs(plan)]
    for found in branches:
        below |= found
    sizes = {id(e): _checked(e, below) for e in expressions(plan)}
    made = below
    if isinstance(plan, Project):
        made = {c.id: sizes[id(e)] for c, e in plan.items}
    elif isinstance(plan, Named):
        own = zip(plan.columns, plan.query.columns, strict=True)
        made = {c.id: below.get(q.id, 1) for c, q in own}
    elif isinstance(plan, Union):
        made = {
            c.id: max(
                found.get(b.columns[i].id, 1)
                for found, b in zip(branches, plan.branches, strict=True)
            )
            for i, c in enumerate(plan.columns)
        }
    seen[id(plan)] = made
    return made


def _checked(expr: Expr, columns: Mapping[int, int]) -> int:
    size = _size(expr, columns, {})
    if size > MAX_SIZE:
        message = "an expression is too large once its subqueries are inlined"
        raise Rejected(Diagnostic("DP103", message, expr.span))
    return size


def _size(expr: Expr, columns: Mapping[int, int], seen: dict[int, int]) -> int:
    """Nodes; a part that stands at several places is looked at once."""
    if isinstance(expr, Ref):
        return columns.get(expr.column.id, 1)
    known = seen.get(id(expr))
    if known is None:
        known = 1 + sum(_size(part, columns, seen) for part in children(expr))
        if isinstance(expr, Call) and expr.function in TWICE:
            known += _size(expr.args[0], columns, seen)
        seen[id(expr)] = known
    return known
