"""Cut a unit's rows down to the declared number before they meet one another.

    orders AS a JOIN orders AS b ON a.customer = b.customer       max_rows: 40
    (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY customer) AS n FROM orders)
     WHERE n <= 40) AS a JOIN …

A unit with more rows than are declared is cut down where its rows are counted. That is too late
where they are joined with one another: n rows make n² pairs, and the time shows the unit.

Claim: after this pass at most `max_rows` rows share a value of each column that leads to the unit,
on any database; and what is kept of a unit is a function of its own rows.
Why: no two rows of a partition have the same ROW_NUMBER. A partition holds rows of one unit, since
its column leads to the unit; every column breaks ties (`enforce.sure_order`), so that rows that the
order leaves equal are equal in all that is read.
"""

from __future__ import annotations

from dpsql.core.functions.build import make
from dpsql.core.infer.unit import scan_anchors
from dpsql.core.plan.expr import Column, Literal, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Filter, Plan, Scan, Window, WindowCall, inputs, with_inputs
from dpsql.core.schema import Schema
from dpsql.types import BIGINT


def cut_rows(plan: Plan, schema: Schema, ids: Ids) -> Plan:
    """The plan with each private table cut to its declared numbers that are not proven."""
    if isinstance(plan, Scan):
        return _cut(plan, schema, ids)
    return with_inputs(plan, tuple(cut_rows(child, schema, ids) for child in inputs(plan)))


def _cut(scan: Scan, schema: Schema, ids: Ids) -> Plan:
    anchored = scan_anchors(scan, schema)
    plan: Plan = scan
    for name, column in zip(scan.fields, scan.columns, strict=True):
        declared = scan.table.column(name)
        if declared is None or column.id not in anchored:
            continue
        if declared.max_rows is not None and not declared.max_rows_proven:
            plan = _numbered(plan, column, declared.max_rows, ids)
    return plan


def _numbered(plan: Plan, column: Column, most: int, ids: Ids) -> Plan:
    number = ids.column(f"number_up_to_{most}", BIGINT)
    call = WindowCall("row_number", (), (Ref(column),), (), None)
    windowed = Window(plan, ((number, call),))
    return Filter(windowed, make("le", (Ref(number), Literal(most, BIGINT)), None))
