"""The privacy unit of each row, and when two joined rows have the same one.

A column is *anchored* at a unique column if the unit of a row is a function of the column's value
alone, by way of the row that has this value there: `l_orderkey` is anchored at `orders.o_orderkey`,
because the order with that key belongs to one customer, and `o_custkey` at UNIT, because it is the
customer. The column counts, not its table alone: of two unique columns of `orders`, equal values
may name two different orders.

Claim: if the two sides of an inner join are tracked and the condition implies a = b for columns
anchored at the same unique column, then the units of both rows are equal.
Why: an anchor is a function from values to units, made by the policy's foreign keys; it is a
function because the referenced columns are unique in fact (checked when the database is opened).
Equal arguments give equal units. NULL is equal to nothing, so such rows do not join.

An anchored column is a *home* if the row's unit is found from it in every row that has a unit: if
it is NULL, the row belongs to nobody. The NULL-extended side of an outer join has anchored columns
that are no homes: there NULL only says that there was no match.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpsql.core.plan.nodes import Scan
from dpsql.core.schema import Schema, Table

Anchor = tuple[str, str]
"""A private table and a column of it that is unique in fact, both in lower case."""

UNIT: Anchor = ("", "")
"""The anchor of a column that holds the unit itself. No table has this name."""

Anchors = Mapping[int, Anchor]


def scan_anchors(scan: Scan, schema: Schema) -> dict[int, Anchor]:
    """The anchored columns of a table: its owner column, and its own unique ones."""
    table = scan.table
    if not table.private:
        return {}
    by_name = {field.lower(): c.id for field, c in zip(scan.fields, scan.columns, strict=True)}
    anchors: dict[int, Anchor] = {}
    if table.owner is None:  # each row is a unit, which its key names
        key = tuple(k.lower() for k in table.key)
        return {by_name[key[0]]: UNIT} if len(key) == 1 and key[0] in by_name else {}
    for column in table.columns:
        name = column.name.lower()
        unique = column.max_rows == 1 and column.max_rows_proven
        if name in by_name and (unique or tuple(k.lower() for k in table.key) == (name,)):
            anchors[by_name[name]] = (table.name.lower(), name)
    anchors[by_name[table.owner.lower()]] = _owner_anchor(table, schema)
    return anchors


def _owner_anchor(table: Table, schema: Schema) -> Anchor:
    """The anchor of the owner column. Where it leads to a column that owns the rows there, equal
    values name the same unit by themselves: it is anchored where that one is.
    """
    reference = schema.next_owner(table)
    if reference is None:
        return UNIT
    upper = schema.table(reference.table)
    if upper is not None and (upper.owner or "").lower() == reference.column.lower():
        return _owner_anchor(upper, schema)
    return reference.table.lower(), reference.column.lower()


def same_unit(left: Anchors, right: Anchors, pairs: list[tuple[int, int]]) -> bool:
    """Whether equal columns (a on the left, b on the right) imply equal units."""
    return any(a in left and left[a] == right.get(b) for a, b in pairs)


def best_home(home: frozenset[int], anchors: Anchors) -> int | None:
    """A column from which the unit is found in every row: one that holds it itself, if there is."""
    return min(home, key=lambda c: (anchors[c] != UNIT, c), default=None)
