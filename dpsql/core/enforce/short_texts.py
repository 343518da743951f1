"""Cut texts where they are read, before rows are multiplied.

    SELECT DISTINCT id, note, c FROM people CROSS JOIN (VALUES (0), …, (999)) v(c)
    … FROM (SELECT id, cut(note, 10000) AS note FROM people) CROSS JOIN …

A text is cut where a function reads it (`enforce.secure`). Where one row becomes many, it is also
carried, compared and grouped as often; and one stored text of many megabytes would show.

Claim: above the scans no text of the table is longer than declared, but for keys and for columns
that lead to the unit, by which rows are told apart. Why: every other column of texts whose length
is not proven is defined by a cut alone, right above its scan, and the scan's own column is read by
nothing else.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.infer.unit import scan_anchors
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Plan, Project, Scan, inputs, nodes, with_inputs
from dpsql.core.schema import Schema
from dpsql.types import BIGINT, VARCHAR


def short_texts(plan: Plan, schema: Schema, ids: Ids) -> Plan:
    """The secured plan with the texts of private tables cut above their scans."""
    if isinstance(plan, Scan):
        return _cut(plan, schema, ids)
    return with_inputs(plan, tuple(short_texts(child, schema, ids) for child in inputs(plan)))


def has_long_texts(plan: Plan, schema: Schema) -> bool:
    """Whether there is a text to cut."""
    return any(isinstance(node, Scan) and _long(node, schema) for node in nodes(plan))


def _long(scan: Scan, schema: Schema) -> dict[int, int]:
    """The columns to cut, and to how many characters."""
    if not (scan.table.private or scan.table.hidden):
        return {}
    kept = {name.lower() for name in scan.table.key}
    anchored = scan_anchors(scan, schema)
    found: dict[int, int] = {}
    for name, column in zip(scan.fields, scan.columns, strict=True):
        declared = scan.table.column(name)
        if declared is None or declared.type != VARCHAR or declared.max_length is None:
            continue
        proven = declared.max_length_proven or (
            declared.values is not None and declared.values_proven
        )
        leads = column.id in anchored or declared.references is not None
        if not (proven or leads or name.lower() in kept):
            found[column.id] = declared.max_length
    return found


def _cut(scan: Scan, schema: Schema, ids: Ids) -> Plan:
    long = _long(scan, schema)
    if not long:
        return scan
    raw = tuple(ids.column(c.name, c.type) if c.id in long else c for c in scan.columns)

    def item(column: Column, own: Column) -> tuple[Column, Expr]:
        if column.id not in long:
            return column, Ref(column)
        return column, Call("cut", (Ref(own), Literal(long[column.id], BIGINT)), VARCHAR)

    items = tuple(item(c, own) for c, own in zip(scan.columns, raw, strict=True))
    return Project(replace(scan, columns=raw), items)
