"""The equality that a join across units lacks, for people: a function of the query and the policy.

    orders a JOIN orders b ON a.day = b.day        join on the unit: a.customer = b.customer
    lines a JOIN lines b ON a.note = b.note        join on a key that leads to the unit: …
    customers c JOIN lines l ON l.price > c.age    join the table that the key names too: …
"""

from __future__ import annotations

from dpsql.analyze.unit import UNIT, Anchors
from dpsql.plan.nodes import Join, Plan, Scan, nodes

GENERAL = "join on the unit, or on a key that leads to it"


def missing_equality(plan: Join, left: Anchors, right: Anchors) -> str:
    """What to add to the join so that both rows are of one unit.

    Args:
        plan: the join.
        left: the anchors of its left side.
        right: of its right side.
    """
    ours, theirs = _written(plan.left), _written(plan.right)
    pairs = [
        (anchor != UNIT, a, b)
        for a, anchor in left.items()
        for b, other in right.items()
        if anchor == other and a in ours and b in theirs and ours[a] != theirs[b]
    ]
    if pairs:
        key, a, b = min(pairs)
        what = "a key that leads to the unit" if key else "the unit"
        return f"join on {what}: {ours[a]} = {theirs[b]}"
    for anchors, names, others in ((right, theirs, left), (left, ours, right)):
        for column, (table, name) in sorted(anchors.items()):
            if column in names and others and (table, name) != UNIT:
                return f"join {table} too, which leads to the unit: {names[column]} = {table}.{name}"
    return GENERAL


def _written(plan: Plan) -> dict[int, str]:
    """How the query writes the columns of its tables."""
    return {
        column.id: f"{scan.alias}.{field}"
        for scan in nodes(plan)
        if isinstance(scan, Scan) and scan.alias
        for column, field in zip(scan.columns, scan.fields, strict=True)
    }
