"""Groups without rows are no groups: where what is made from groups would count them, those that
seem to have none are left out first.

    SELECT AVG(n), COUNT(*) FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k)

A release gives a number for each group that is publicly possible, since which of them have a row is
private; SQL gives those that have one. An answer that lists the groups shows them all, and a sum of
counts or sums is none the worse for those that add 0. Whatever else is made from groups takes those
whose noisy count of rows is larger than noise alone makes it: at most one of all groups is expected
to be there by noise. With less noise the groups are SQL's. The count is that of COUNT(*) where the
query asks for it, and has a part of ε of its own where it does not.

Nothing of this bears on privacy: it is one more count, and post-processing of it.
"""

from __future__ import annotations

from dpsql.core.infer.keys import constants
from dpsql.core.plan.expr import Call, Case, Column, Expr, Literal, Ref, columns_of
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Apply,
    Filter,
    Join,
    Limit,
    Named,
    Plan,
    Project,
    Scan,
    Sort,
    Union,
    Window,
    WindowCall,
    inputs,
    nodes,
)
from dpsql.core.shape.flatten import flatten

ADDING = frozenset({"count", "sum", "count_if"})
"""Aggregates that are 0 for a group without rows."""


def counted_groups(plan: Plan) -> frozenset[int]:
    """The ids of the columns of groups that are left out where they seem to have no row.

    Args:
        plan: a query as it is bound.
    """
    found: set[int] = set()
    _collect(plan, False, found, set())
    return frozenset(found)


def _collect(plan: Plan, counted: bool, found: set[int], seen: set[tuple[int, bool]]) -> None:
    if (id(plan), counted) in seen:
        return  # a WITH query that is used several times
    seen.add((id(plan), counted))
    match plan:
        case Aggregate():
            if counted and plan.keys:
                found |= {c.id for c in plan.columns}
            noisy = frozenset().union(*(columns_of(e) for _, e in plan.keys)) & _numbers(plan.input)
            if plan.calls:
                counted = not all(_neutral(plan, call) for _, call in plan.calls)
            _collect(plan.input, counted or bool(noisy), found, seen)
        case Window():
            shares = all(_shares(plan.input, call) for _, call in plan.calls)
            _collect(plan.input, counted or not shares, found, seen)
        case Join():
            both = plan.kind == "full" or (_made(plan.left) and _made(plan.right))
            _collect(plan.left, counted or both, found, seen)
            _collect(plan.right, counted or both or plan.mark is not None, found, seen)
        case Apply():
            _collect(plan.input, counted, found, seen)
            _collect(plan.subquery, counted or plan.kind != "scalar", found, seen)
        case _:
            for below in inputs(plan):
                _collect(below, counted, found, seen)


def _neutral(plan: Aggregate, call: AggregateCall) -> bool:
    """Whether groups that add 0 make no difference."""
    if call.distinct or call.second is not None or call.argument is None:
        return False
    if call.function == "sum" and _adds(plan.input, call.argument):
        return True
    return call.function in ("sum", "max", "min", "avg") and _of_one(plan, call.argument)


def _of_one(plan: Aggregate, argument: Expr) -> bool:
    """Whether it is of one group alone, as a column of a PIVOT is: all its keys are told."""
    block = flatten(plan.input)
    if len(block.sources) != 1 or not isinstance(block.sources[0], Aggregate):
        return False
    told = {e.column.id for _, key in plan.keys if isinstance(e := block.inline(key), Ref)}
    value = block.inline(argument)
    if isinstance(value, Case) and len(value.branches) == 1:
        told |= constants(value.branches[0][0])
    return {c.id for c, _ in block.sources[0].keys} <= told


def _made(plan: Plan) -> bool:
    """Whether rows are private, or made from private ones."""
    return any(isinstance(node, Scan) and node.table.private for node in nodes(plan))


def _shares(plan: Plan, call: WindowCall) -> bool:
    """Whether it is a sum of all rows of a partition, or of all until one, as in a share of a total
    or a total that runs.
    """
    (argument,) = call.arguments if len(call.arguments) == 1 else (None,)
    whole = call.frame is None or (call.frame.start[0] is None and call.frame.end[1] == "current")
    return call.function == "sum" and whole and argument is not None and _adds(plan, argument)


def _adds(plan: Plan, expr: Expr) -> bool:
    """Whether an expression is 0 or NULL for a group without rows: of counts and sums."""
    match expr:
        case Ref():
            return _is_sum(plan, expr.column)
        case Literal():
            return not expr.value
        case Case():
            read = frozenset().union(*(columns_of(c) for c, _ in expr.branches))
            values = (*(v for _, v in expr.branches), expr.default)
            return not read & _numbers(plan) and all(_adds(plan, value) for value in values)
        case Call(function="add" | "sub"):
            return all(_adds(plan, arg) for arg in expr.args)
        case Call(function="mul"):
            return any(_adds(plan, arg) for arg in expr.args)
        case Call(function="coerce" | "cast" | "div" | "neg" | "round"):
            return _adds(plan, expr.args[0])
        case _:
            return False


def _is_sum(plan: Plan, column: Column) -> bool:
    match plan:
        case Filter() | Sort() | Limit():
            return _is_sum(plan.input, column)
        case Window():
            own = {c.id: call for c, call in plan.calls}
            return column.id not in own and _is_sum(plan.input, column)
        case Project():
            return _adds(plan.input, next(e for c, e in plan.items if c.id == column.id))
        case Aggregate():
            call = next((call for c, call in plan.calls if c.id == column.id), None)
            return call is not None and call.function in ADDING
        case Join():
            side = plan.left if column.id in {c.id for c in plan.left.columns} else plan.right
            return column.id in {c.id for c in side.columns} and _is_sum(side, column)
        case Union() | Named():
            place = [c.id for c in plan.columns].index(column.id)
            return all(_is_sum(below, below.columns[place]) for below in inputs(plan))
        case _:
            return False


def _numbers(plan: Plan) -> frozenset[int]:
    """The columns that are aggregates of what is below."""
    match plan:
        case Aggregate():
            return frozenset(c.id for c, _ in plan.calls)
        case Project():
            below = _numbers(plan.input)
            return frozenset(c.id for c, e in plan.items if columns_of(e) & below)
        case Union() | Named():
            places = {
                i
                for below in inputs(plan)
                for i, c in enumerate(below.columns)
                if c.id in _numbers(below)
            }
            return frozenset(c.id for i, c in enumerate(plan.columns) if i in places)
        case _:
            return frozenset().union(*(_numbers(below) for below in inputs(plan)))
