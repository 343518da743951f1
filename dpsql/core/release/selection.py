"""Whether noise has a say in which rows an answer shows.

A row that is shown because its noisy number is large has, more often than not, got noise that made
it larger: the largest of ten equal noisy counts is above their exact number. Half-widths then have
to hold for all groups at once that the row was selected from; see `execution.accuracy`.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpsql.core.plan.expr import Expr, columns_of
from dpsql.core.plan.nodes import Aggregate, Filter, Join, Limit, Plan, Sort, inputs
from dpsql.core.release.noisy import noisy_columns


@dataclass(frozen=True, slots=True)
class Selection:
    """How noise selects rows.

    Attributes:
        filtered: each by itself, by a condition on it.
        limited: the first ones in an order that noise has made.
    """

    filtered: bool
    limited: bool


def selection(plan: Plan, exact: frozenset[int]) -> Selection:
    """Whether the rows of a plan are selected by noise.

    Args:
        plan: what is above the releases.
        exact: the ids of the columns of releases that hold no noise: their keys.
    """
    if isinstance(plan, Aggregate):
        return Selection(False, False)  # its rows are the answer's, those below are not
    below = [selection(child, exact) for child in inputs(plan)]
    filtered = any(s.filtered for s in below)
    limited = any(s.limited for s in below)
    if isinstance(plan, Filter):
        filtered |= _noisy(plan.predicate, plan.input, exact)
    if isinstance(plan, Join) and plan.condition is not None:
        sides = (plan.left, plan.right)
        filtered |= any(_noisy(plan.condition, side, exact) for side in sides)
    if isinstance(plan, Limit):
        limited |= _ordered(plan.input, exact)
    return Selection(filtered, limited)


def _ordered(plan: Plan, exact: frozenset[int]) -> bool:
    """Whether noise has made the order of a plan's rows."""
    if isinstance(plan, Sort) and any(_noisy(k.expr, plan.input, exact) for k in plan.keys):
        return True
    return any(_ordered(child, exact) for child in inputs(plan))


def _noisy(expr: Expr, plan: Plan, exact: frozenset[int]) -> bool:
    return bool(columns_of(expr) & noisy_columns(plan, exact))
