"""Find the unit of each row: in a column that is there already, or along the policy's path.

    SELECT SUM(l_quantity) FROM lineitem
    … FROM lineitem JOIN orders ON l_orderkey = o_orderkey, unit o_custkey

The join drops rows whose path is broken, and rows without a unit are dropped by `unit IS NOT NULL`:
neither belongs to anybody, so neither may be counted. It adds no row, because the referenced key is
unique in fact. Where a per-unit step is not needed and no such row can occur, nothing is joined.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpsql.core.infer.properties import Properties
from dpsql.core.infer.unit import UNIT, Anchor, scan_anchors
from dpsql.core.plan.expr import Column
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Plan, Scan
from dpsql.core.schema import Schema


@dataclass(frozen=True, slots=True)
class Step:
    """Join `scan` on its column `key` being equal to `column` of what is there already."""

    column: Column
    scan: Scan
    key: Column


@dataclass(frozen=True, slots=True)
class UnitPath:
    """Where the unit is: in `unit`, after joining `steps`; rows where it is NULL are dropped."""

    steps: tuple[Step, ...]
    unit: Column


def unit_path(plan: Plan, properties: Properties, schema: Schema, ids: Ids) -> UnitPath | None:
    """The shortest path from the plan's columns to the unit; None where each row is a unit."""
    by_id = {c.id: c for c in plan.columns}
    best: UnitPath | None = None
    for column_id in sorted(properties.home):
        path = path_from(by_id[column_id], properties.anchors[column_id], schema, ids)
        if best is None or len(path.steps) < len(best.steps):
            best = path
    return best


def path_from(column: Column, anchor: Anchor, schema: Schema, ids: Ids) -> UnitPath:
    """The path from a column with that anchor."""
    steps: list[Step] = []
    while anchor != UNIT:
        table = schema.table(anchor[0])
        assert table is not None and table.owner is not None
        wanted = (anchor[1], table.owner)
        found = [table.column(name) for name in dict.fromkeys(wanted)]
        columns = tuple(ids.column(c.name, c.type) for c in found if c is not None)
        scan = Scan(table, columns, tuple(c.name for c in columns))
        steps.append(Step(column, scan, columns[0]))
        column = columns[-1]
        anchor = scan_anchors(scan, schema)[column.id]
    return UnitPath(tuple(steps), column)
