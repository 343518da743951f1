"""A hint where private groups look like things of one unit each, as visits or orders are: a group
of one unit is never shown, and an answer without rows would not say why.

It is a guess from names that are public, and changes nothing that is computed.
"""

from __future__ import annotations

import re

from dpsql.core.plan.expr import Expr, Ref
from dpsql.core.plan.nodes import Plan, Scan, nodes
from dpsql.core.release.release import Release as Point
from dpsql.core.shape.public_keys import origins

_NAME = re.compile(r"(?:(?:^|_)(?:id|no|nr|num|number|key|uuid)|[a-z](?:Id|ID|No|Nr|Key))$")


def of_one(point: Point) -> tuple[str, ...]:
    """What to say of a release's private keys."""
    private = set(point.domain.private)
    keys = [e for c, e in point.aggregate.keys if c in private]
    names = [name for key in keys if (name := _thing(key, point.aggregate.input))]
    if not names:
        return ()
    name = names[0]
    return (
        f"if each {name} is one unit's, no group is shown: say so in the policy, by "
        f"one_unit: {{{name}: [{name}]}} and nullable: false, or name the unit in GROUP BY, too; "
        "and aggregate the groups: SELECT AVG(n) FROM (SELECT COUNT(*) AS n … GROUP BY …)",
    )


def _thing(key: Expr, plan: Plan) -> str | None:
    """The column that is the key, where it seems to name a thing."""
    found = origins(plan, key.column.id) if isinstance(key, Ref) else frozenset()
    if len(found) != 1:
        return None
    ((of, field),) = found
    tables = (n.table for n in nodes(plan) if isinstance(n, Scan) and n.table.name == of)
    table = next((table for table in tables if table.private), None)
    if table is None:
        return None
    things = {c.lower() for columns in (table.key, *table.one_unit.values()) for c in columns}
    return field if _NAME.search(field) or field.lower() in things else None
