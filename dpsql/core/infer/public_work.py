"""How much work public rows can cause: an estimate, so that a query without end is not begun.

Privacy does not rest on it: public rows take the same time on all neighbours, and what the estimate
does not see is stopped by the limits of the run. Tables have as many rows as the policy says, or
UNKNOWN_ROWS; rows that equal columns tie together are as many as the larger side has, times
MEETING; what a filter leaves out is not known, but that of rows with one key one is left. What one
unit can cause does rest on how many rows its own are compared with: `most_public_rows`.
"""

from __future__ import annotations

from typing import assert_never

from dpsql.core.infer.keys import constants, covers, equalities, plain_column
from dpsql.core.plan.expr import conjuncts
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
    inputs,
)

Pairs = list[tuple[int, int]]

UNKNOWN_ROWS = 10_000
"""Rows of a public table of which nobody says how many it has."""

MEETING = 4
"""Rows that one row meets by equal columns which are no key, as a guess."""

CONSTANT = -1
"""What a column is paired with that is equal to a constant."""

_MOST = 10**30
"""Beyond all limits; products stop to grow here."""


def public_steps(plan: Plan) -> tuple[int, Plan]:
    """About how many rows the public part of a plan reads and makes, and the node that makes most.

    Args:
        plan: resolved or not; private rows in it do not count.
    """
    counter = _Counter()
    counter.rows(plan, [])
    return counter.total, counter.costliest or plan


def public_rows(plan: Plan) -> int:
    """About how many rows a public plan has."""
    return _Counter().rows(plan, [])


def most_public_rows(plan: Plan) -> int:
    """How many rows a public plan has at most, but that released rows, and tables of which nobody
    says how many they have, are taken to have UNKNOWN_ROWS. Rows that meet by columns which are no
    key are as many as all pairs.
    """
    return _Counter(_MOST).rows(plan, [])


class _Counter:
    """Counts rows; `meeting` is how many rows a row meets by equal columns that are no key."""

    def __init__(self, meeting: int = MEETING) -> None:
        self.meeting = meeting
        self.total, self.most = 0, -1
        self.costliest: Plan | None = None
        self.named: dict[int, int] = {}

    def rows(self, plan: Plan, pairs: Pairs) -> int:
        """About how many rows a node has; what it takes to make them is added. `pairs` are columns
        that conditions above it make equal: `FROM a, b WHERE a.x = b.y`.
        """
        if isinstance(plan, Named):
            key = id(plan.query)
            if key not in self.named:
                self.named[key] = self.rows(plan.query, [])
            return self.named[key]
        pairs = _below(plan, pairs)
        below = [self.rows(child, pairs) for child in inputs(plan)]
        if isinstance(plan, Scan) and (plan.table.private or plan.table.hidden):
            return 1
        made, looked_at = (min(n, _MOST) for n in _made(plan, below, pairs, self.meeting))
        steps = max(looked_at, made)
        self.total += steps
        if steps > self.most:
            self.most, self.costliest = steps, plan
        return made


def _below(plan: Plan, pairs: Pairs) -> Pairs:
    """The equal columns, as the inputs of a node have them."""
    if isinstance(plan, Filter):
        told = ((column, CONSTANT) for column in constants(plan.predicate))
        return [*pairs, *equalities(conjuncts(plan.predicate)), *told]
    if isinstance(plan, Join):
        if plan.condition is None:
            return pairs
        # In ON a constant leaves out no left row of an outer join.
        sides = (plan.left, plan.right) if plan.kind == "inner" else (plan.right,)
        narrowed = {c.id for side in sides for c in side.columns} if plan.kind != "full" else set()
        told = ((column, CONSTANT) for column in constants(plan.condition) & narrowed)
        return [*pairs, *equalities(conjuncts(plan.condition)), *told]
    if isinstance(plan, Project):
        names = {c.id: plain_column(e) for c, e in plan.items}
        found = [(names.get(a, a), names.get(b, b)) for a, b in pairs]
        return [(a, b) for a, b in found if a is not None and b is not None]
    return pairs if isinstance(plan, Sort | Scan) else []


def _made(plan: Plan, below: list[int], pairs: Pairs, meeting: int) -> tuple[int, int]:
    """Rows of a node, and the rows or pairs that it looks at."""
    match plan:
        case Scan():
            rows = plan.table.rows or UNKNOWN_ROWS
            fixed = frozenset(column for column, other in pairs if other == CONSTANT)
            return 1 if covers(fixed, _keys(plan)) else rows, rows
        case OneRow():
            return 1, 1
        case Released():
            rows = plan.rows or UNKNOWN_ROWS
            return rows, rows
        case Union():
            return sum(below), sum(below)
        case Join():
            return _joined(plan, below[0], below[1], pairs, meeting)
        case Aggregate() if not plan.keys:
            return 1, below[0]
        case Limit() if plan.count is not None:
            return min(plan.count, below[0]), below[0]
        case Filter() | Project() | Aggregate() | Window() | Sort() | Limit() | Apply() | Named():
            return below[0], below[0]
        case _:
            assert_never(plan)


def _joined(plan: Join, left: int, right: int, pairs: Pairs, meeting: int) -> tuple[int, int]:
    met = left * right
    here, there = ({c.id for c in side.columns} for side in (plan.left, plan.right))
    tied = {c for p in pairs if set(p) & here and set(p) & there for c in p}
    if tied:
        keys = [_keys(side) for side in (plan.left, plan.right)]
        once = any(covers(frozenset(tied), key) for key in keys)
        met = min(met, max(left, right) * (1 if once else meeting))
    if plan.kind == "mark":
        return left, met
    if plan.kind in ("left", "full"):
        return left + right + met, met
    return met, met


def _keys(plan: Plan) -> tuple[frozenset[int], ...]:
    if isinstance(plan, Scan) and plan.table.key:
        by_name = {f.lower(): c.id for f, c in zip(plan.fields, plan.columns, strict=True)}
        key = [by_name.get(k.lower()) for k in plan.table.key]
        return () if None in key else (frozenset(c for c in key if c is not None),)
    if isinstance(plan, Aggregate):
        return (frozenset(c.id for c, _ in plan.keys),)
    return ()
