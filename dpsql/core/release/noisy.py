"""Which columns of a plan above releases may hold noise: all but those that are known to hold none.

For plans whose noise is not traced; see `trace`. Which rows there are may depend on noise all the
same: a filter on a noisy number, or a group that is left out.
"""

from __future__ import annotations

from dpsql.core.emit.plans import output_name
from dpsql.core.plan.expr import Expr, columns_of
from dpsql.core.plan.nodes import (
    Aggregate,
    Apply,
    Filter,
    Join,
    Limit,
    Named,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
    Union,
    Window,
    expressions,
    inputs,
    nodes,
)


def noisy_columns(plan: Plan, exact: frozenset[int]) -> frozenset[int]:
    """The ids of the plan's columns that may hold noise.

    Args:
        plan: what is above the releases.
        exact: the ids of the columns of releases that hold none: their keys.
    """
    every = frozenset(c.id for c in plan.columns)
    match plan:
        case Released():
            # A table that is read twice has columns of its own each time: the fields are the same.
            known = {output_name(i) for i in exact}
            pairs = zip(plan.columns, plan.fields, strict=True)
            return frozenset(c.id for c, field in pairs if field not in known)
        case Scan():
            return every if plan.table.randomized else frozenset()
        case OneRow():
            return frozenset()
        case Filter() | Sort() | Limit():
            return noisy_columns(plan.input, exact)
        case Project():
            below = noisy_columns(plan.input, exact)
            return frozenset(c.id for c, e in plan.items if columns_of(e) & below)
        case Aggregate():
            below = noisy_columns(plan.input, exact)
            keys = frozenset(c.id for c, e in plan.keys if columns_of(e) & below)
            return keys | (frozenset(c.id for c, _ in plan.calls) if inexact(plan) else keys)
        case Window():
            # Which rows a window is over may depend on noise, whatever it computes of them.
            calls = frozenset(c.id for c, _ in plan.calls) if inexact(plan) else frozenset()
            return noisy_columns(plan.input, exact) | calls
        case Join():
            sides = noisy_columns(plan.left, exact) | noisy_columns(plan.right, exact)
            if plan.kind == "inner" or not inexact(plan):
                return every & sides
            # Whether a row finds another may depend on noise: then so does each NULL and mark. In
            # all but a FULL JOIN the left rows have none that they did not have.
            left = frozenset(c.id for c in plan.left.columns if plan.kind != "full")
            return (every - left) | (every & sides)
        case Union():
            found = [(b, noisy_columns(b, exact)) for b in plan.branches]
            return frozenset(
                c.id
                for place, c in enumerate(plan.columns)
                if any(branch.columns[place].id in noisy for branch, noisy in found)
            )
        case Apply() | Named():
            return every


def inexact(plan: Plan) -> bool:
    """Whether there is noise or are coins below."""
    return any(
        isinstance(n, Released) or (isinstance(n, Scan) and n.table.randomized) for n in nodes(plan)
    )


def sources(plan: Plan) -> dict[int, frozenset[str]]:
    """For each column the fields of released tables whose values it is made of; which rows there
    are is not looked at.

    Args:
        plan: what is above the releases.
    """
    below: dict[int, frozenset[str]] = {}
    for child in inputs(plan):
        below |= sources(child)

    def read(*exprs: Expr) -> frozenset[str]:
        return frozenset().union(*(below.get(i, _NONE) for e in exprs for i in columns_of(e)))

    match plan:
        case Released():
            return {c.id: frozenset({f}) for c, f in zip(plan.columns, plan.fields, strict=True)}
        case Project():
            return {c.id: read(e) for c, e in plan.items}
        case Aggregate():
            keys = {c.id: read(e) for c, e in plan.keys}
            return keys | {c.id: read(*call.arguments) for c, call in plan.calls}
        case Window():
            return below | dict.fromkeys((c.id for c, _ in plan.calls), read(*expressions(plan)))
        case Union():
            places = list(zip(*(b.columns for b in plan.branches), strict=True))
            return {
                c.id: _NONE.union(*(below.get(own.id, _NONE) for own in place))
                for c, place in zip(plan.columns, places, strict=True)
            }
        case Join() if plan.mark is not None:
            return below | {plan.mark.id: read(*expressions(plan))}
        case Scan() | OneRow() | Filter() | Join() | Sort() | Limit() | Apply() | Named():
            return below


_NONE: frozenset[str] = frozenset()
