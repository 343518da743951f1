"""What a join lacks, for people: a function of the query and the policy.

orders a JOIN orders b ON a.day = b.day        join on the unit: a.customer = b.customer
lines a JOIN lines b ON a.note = b.note        join on a key that leads to the unit: …
customers c JOIN lines l ON l.price > c.age    join orders too, which leads to the unit: …
"""

from __future__ import annotations

from collections.abc import Iterator

from dpsql.core.infer.unit import UNIT, Anchors
from dpsql.core.plan.expr import Column, columns_of
from dpsql.core.plan.nodes import Aggregate, Join, Plan, Scan, nodes
from dpsql.errors import Diagnostic, Rejected
from dpsql.types import DATE

GENERAL = "join on the unit, or on a key that leads to it"
NOTHING = "one side has no column that leads to the unit: have its subquery pass one on, if it can"
TIED = "tie it to the row's own unit: EXISTS (… AND a.unit = b.unit), or list the values: IN (1, 2)"


def missing_equality(plan: Join, left: Anchors, right: Anchors) -> str:
    """What to add to the join so that both rows are of one unit.

    Args:
        plan: the join.
        left: the anchors of its left side.
        right: of its right side.
    """
    if not left or not right:
        return NOTHING if plan.mark is None else TIED
    ours, theirs = _written(plan.left), _written(plan.right)
    pairs = [
        (anchor != UNIT, a, b)
        for a, anchor in left.items()
        for b, other in right.items()
        if anchor == other and a in ours and b in theirs
    ]
    if pairs:
        key, a, b = min(pairs)
        what = "a key that leads to the unit" if key else "the unit"
        if ours[a] == theirs[b]:
            return f"join on {what}: {ours[a]} of both sides"
        return f"join on {what}: {ours[a]} = {theirs[b]}"
    present = {scan.table.name.lower() for scan in _scans(plan)}
    for anchors, names in ((right, theirs), (left, ours)):
        for column, (table, name) in sorted(anchors.items()):
            if column in names and (table, name) != UNIT and table not in present:
                return (
                    f"join {table} too, which leads to the unit: {names[column]} = {table}.{name}"
                )
    return GENERAL


def unknown_fan_out(plan: Join, side: Plan, equated: frozenset[int]) -> Rejected:
    """DP403, with the table that could be met any number of times, and what would bound it.

    Args:
        plan: the join.
        side: the public one of the two.
        equated: its columns that the condition equates with the other side's.
    """
    scans, names = _scans(side), _written(side)
    met = (
        ", ".join(dict.fromkeys(scan.table.name for scan in scans))
        or "a subquery of released numbers"
    )
    message = f"one private row could meet any number of rows of {met}"
    keyed = [scan for scan in scans if scan.table.key]
    unique = [f"{scan.alias}.{key}" for scan in keyed for key in scan.table.key]
    once = sorted(names[c] for c in equated if c in names)
    if not scans or any(isinstance(node, Aggregate) for node in nodes(side)):
        help = "join on all that it is grouped by"
    elif unique:
        help = f"join on its key, {' and '.join(unique)}"
        read = frozenset[int]() if plan.condition is None else columns_of(plan.condition)
        if {n for c, n in names.items() if c in read - equated} & set(unique):
            days = {f"{s.alias}.{f}" for s in keyed for f, c in _fields(s) if c.type == DATE}
            parts = (f"{n} = CAST(… AS DATE)" if n in days else f"{n} = …" for n in unique)
            wanted = " AND ".join(parts)
            help = f"equate its key as it is with something of the other side: {wanted}"
    elif once:
        help = f"declare max_rows for {once[0]} in the policy, or the key or rows of {met}"
    else:
        help = f"declare the key of {met} in the policy and join on it, or its rows"
    span = plan.span or (None if plan.condition is None else plan.condition.span)
    return Rejected(Diagnostic("DP403", message, span, help))


def _written(plan: Plan) -> dict[int, str]:
    """How the query writes the columns of its tables."""
    return {
        column.id: f"{scan.alias}.{field}"
        for scan in _scans(plan)
        if scan.alias
        for field, column in _fields(scan)
    }


def _fields(scan: Scan) -> Iterator[tuple[str, Column]]:
    return zip(scan.fields, scan.columns, strict=True)


def _scans(plan: Plan) -> list[Scan]:
    return [node for node in nodes(plan) if isinstance(node, Scan)]
