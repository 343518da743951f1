"""A plan above a release with the release's own columns carried to the top.

What an output number is made of is then known, and where that stands in its row. It is so where
each row of the plan is one row of the release, perhaps joined with rows that hold no noise; or,
where randomized answers are public, one row of the aggregate that debiases them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpsql.core.plan.expr import Column, Expr, Literal, Ref, substitute, too_large
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    Filter,
    Join,
    Limit,
    Plan,
    Project,
    Released,
    Sort,
    Window,
    map_expressions,
    with_inputs,
)
from dpsql.core.release.noisy import inexact
from dpsql.core.release.release import Release
from dpsql.core.shape.coins import Coins


@dataclass(frozen=True, slots=True)
class Carried:
    """A plan with more columns.

    Attributes:
        plan: the rows.
        current: where each old column now stands, by id.
        definitions: each old column over those of the release and of what it is joined with.
        across: the ids of columns that a window makes of several rows, which are their own
            definitions.
    """

    plan: Plan
    current: Mapping[int, Column]
    definitions: Mapping[int, Expr]
    across: frozenset[int] = frozenset()

    @property
    def here(self) -> dict[int, Expr]:
        """The old columns as the plan's own."""
        return {i: Ref(c) for i, c in self.current.items()}


def carry(
    plan: Plan, release: Release | None, coins: Coins, row: Column, ids: Ids
) -> Carried | None:
    """The plan with what it is made of; None for nodes whose rows are not rows of one release.

    Args:
        plan: what is above the release.
        release: the only one; None where the rows are public.
        coins: the columns that depend on coins.
        row: what is to hold the number of the released row; 0 where the rows are public.
        ids: new columns.
    """
    if isinstance(plan, Released | Aggregate):
        return _leaf(plan, release, coins, row)
    if isinstance(plan, Filter | Sort | Limit | Window):
        inner = carry(plan.input, release, coins, row, ids)
        if inner is None:
            return None
        here = inner.here
        moved = map_expressions(plan, lambda expr: substitute(expr, here))
        below = replace(inner, plan=with_inputs(moved, (inner.plan,)))
        return _windowed(plan, below) if isinstance(plan, Window) else below
    if isinstance(plan, Join):
        return _joined(plan, release, coins, row, ids)
    if isinstance(plan, Project):
        inner = carry(plan.input, release, coins, row, ids)
        return None if inner is None else _projected(plan, inner, ids)
    return None


def _windowed(plan: Window, below: Carried) -> Carried:
    made = {c.id: c for c, _ in plan.calls}
    return Carried(
        below.plan,
        {**below.current, **made},
        {**below.definitions, **{i: Ref(c) for i, c in made.items()}},
        below.across | made.keys(),
    )


def _leaf(
    plan: Released | Aggregate, release: Release | None, coins: Coins, row: Column
) -> Carried | None:
    """The rows of the release with their numbers, or those of the debiased aggregate."""
    if not coins.columns <= {c.id for c in plan.columns}:
        return None
    columns = (*plan.columns, row)
    below: Plan
    if release is not None and isinstance(plan, Released):
        below = Released(plan.name, columns, (*plan.fields, f"c{row.id}"))
    elif release is None and isinstance(plan, Aggregate):
        items = [(c, Ref(c)) for c in plan.columns]
        below = Project(plan, (*items, (row, Literal(0, row.type))))
    else:
        return None
    return Carried(below, {c.id: c for c in columns}, {c.id: Ref(c) for c in columns})


def _joined(
    plan: Join, release: Release | None, coins: Coins, row: Column, ids: Ids
) -> Carried | None:
    """An inner join with rows that are public and exact: they are constants of each row."""
    if plan.kind != "inner":
        return None
    sides = plan.left, plan.right
    for place, (side, other) in enumerate(((sides[0], sides[1]), (sides[1], sides[0]))):
        if inexact(other):
            continue
        inner = carry(side, release, coins, row, ids)
        if inner is None:
            return None
        current = {**inner.current, **{c.id: c for c in other.columns}}
        definitions = {**inner.definitions, **{c.id: Ref(c) for c in other.columns}}
        here: dict[int, Expr] = {i: Ref(c) for i, c in current.items()}
        condition = None if plan.condition is None else substitute(plan.condition, here)
        pair = (inner.plan, other) if place == 0 else (other, inner.plan)
        below = replace(plan, left=pair[0], right=pair[1], condition=condition)
        return Carried(below, current, definitions, inner.across)
    return None


def _projected(plan: Project, inner: Carried, ids: Ids) -> Carried | None:
    here, definitions = inner.here, inner.definitions
    items = [(c, substitute(e, here)) for c, e in plan.items]
    after = {c.id: c for c, _ in plan.items}
    for i, found in definitions.items():
        if isinstance(found, Ref) and found.column.id == i and i not in after:
            after[i] = ids.column(found.column.name, found.type)
            items.append((after[i], here[i]))
    known = {c.id: substitute(e, definitions) for c, e in plan.items}
    if any(too_large(e) for e in known.values()):
        return None  # x + x of x + x of …: no intervals rather than no answer
    known |= {i: definitions[i] for i in after if i in definitions}
    return Carried(Project(inner.plan, tuple(items)), after, known, inner.across)
