"""The equality that a join across units lacks, for people: a function of the query and the policy.

orders a JOIN orders b ON a.day = b.day        join on the unit: a.customer = b.customer
lines a JOIN lines b ON a.note = b.note        join on a key that leads to the unit: …
customers c JOIN lines l ON l.price > c.age    join orders too, which leads to the unit: …
"""

from __future__ import annotations

from dpsql.core.infer.unit import UNIT, Anchors
from dpsql.core.plan.nodes import Join, Plan, Scan, nodes

GENERAL = "join on the unit, or on a key that leads to it"
NOTHING = "one side has no column that leads to the unit: have its subquery pass one on, if it can"


def missing_equality(plan: Join, left: Anchors, right: Anchors) -> str:
    """What to add to the join so that both rows are of one unit.

    Args:
        plan: the join.
        left: the anchors of its left side.
        right: of its right side.
    """
    if not left or not right:
        return NOTHING
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


def _written(plan: Plan) -> dict[int, str]:
    """How the query writes the columns of its tables."""
    return {
        column.id: f"{scan.alias}.{field}"
        for scan in _scans(plan)
        if scan.alias
        for column, field in zip(scan.columns, scan.fields, strict=True)
    }


def _scans(plan: Plan) -> list[Scan]:
    return [node for node in nodes(plan) if isinstance(node, Scan)]
