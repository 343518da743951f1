"""Which columns of a plan above releases may hold noise: all but those that are known to hold none.

For plans whose noise is not traced; see `trace`. Which rows there are may depend on noise all the
same: a filter on a noisy number, or a group that is left out.
"""

from __future__ import annotations

from dpsql.core.plan.expr import columns_of
from dpsql.core.plan.nodes import (
    Aggregate,
    Filter,
    Join,
    Limit,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
    Union,
    Window,
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
            return every - exact
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
            # Whether a row finds another may depend on noise: then so does each NULL and mark.
            return every if plan.kind != "inner" and inexact(plan) else every & sides
        case Union():
            found = [(b, noisy_columns(b, exact)) for b in plan.branches]
            return frozenset(
                c.id
                for place, c in enumerate(plan.columns)
                if any(branch.columns[place].id in noisy for branch, noisy in found)
            )
    return every


def inexact(plan: Plan) -> bool:
    """Whether there is noise or are coins below."""
    return any(
        isinstance(n, Released) or (isinstance(n, Scan) and n.table.randomized) for n in nodes(plan)
    )
