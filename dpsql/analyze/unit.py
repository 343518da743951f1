"""The privacy unit of each row, and when two joined rows have the same one.

A column is *anchored* at a table if the unit of a row is a function of the column's value alone:
`l_orderkey` is anchored at `orders`, because the order with that key belongs to one customer, and
`o_custkey` at UNIT, because it is the customer.

Claim: if the two sides of an inner join are tracked and the condition implies a = b for columns
anchored at the same table, then the units of both rows are equal.
Why: an anchor is a function from key values to units, made by the policy's foreign keys; it is a
function because the referenced keys are unique in fact (checked when the database is opened).
Equal arguments give equal units. NULL is equal to nothing, so such rows do not join.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpsql.plan.nodes import Scan
from dpsql.policy.schema import Schema

UNIT = ""
"""The anchor of a column that holds the unit itself. No table has this name."""

Anchors = Mapping[int, str]


def scan_anchors(scan: Scan, schema: Schema) -> dict[int, str]:
    """The anchored columns of a table: its owner column, and its own single-column key."""
    table = scan.table
    if not table.private or table.owner is None:
        return {}
    by_name = {field.lower(): c.id for field, c in zip(scan.fields, scan.columns, strict=True)}
    anchors: dict[int, str] = {}
    if len(table.key) == 1:
        anchors[by_name[table.key[0].lower()]] = table.name.lower()
    reference = schema.next_owner(table)
    anchors[by_name[table.owner.lower()]] = UNIT if reference is None else reference.table.lower()
    return anchors


def same_unit(left: Anchors, right: Anchors, pairs: list[tuple[int, int]]) -> bool:
    """Whether equal columns (a on the left, b on the right) imply equal units."""
    return any(a in left and left[a] == right.get(b) for a, b in pairs)
