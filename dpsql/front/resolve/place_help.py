"""What keeps a quantile that is written with ROW_NUMBER from being one, for who reads why the
window is rejected. Of rows of one unit it is not: there the help is for nobody.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.plan.expr import Expr, columns_of, substitute
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Aggregate, Plan, Window, each, inputs, with_inputs
from dpsql.front.resolve.by_place import Place, is_their_number, may_be_null, numbered_by, place_of
from dpsql.front.resolve.numbered_rows import Rows, rows_below
from dpsql.front.resolve.window_groups import groups_for_rows

OTHER_ROWS = "the total must count the rows that are numbered: COUNT(*) OVER (…)"
NULLS = "leave out NULLs before rows are numbered: WHERE x IS NOT NULL"


def with_help(plan: Plan, ids: Ids) -> Plan:
    """The plan with such help in its windows."""
    found: dict[int, str] = {}
    for node in each(plan):
        if isinstance(node, Aggregate):
            groups = groups_for_rows(node, ids)
            found |= _helps(node if groups is None else groups[0])
    made: dict[int, Plan] = {}

    def visit(node: Plan) -> Plan:
        if id(node) not in made:
            new = with_inputs(node, tuple(visit(i) for i in inputs(node)))
            if isinstance(new, Window):
                said = ((c, replace(call, help=found.get(c.id, ""))) for c, call in new.calls)
                new = replace(new, calls=tuple(said))
            made[id(node)] = new
        return made[id(node)]

    return visit(plan) if found else plan


def _helps(plan: Aggregate) -> dict[int, str]:
    asked = [p for _, call in plan.calls if (p := place_of(call)) is not None]
    rows = rows_below(plan.input) if asked else None
    if rows is None:
        return {}
    groups = {substitute(e, rows.defined) for _, e in plan.keys}
    found: dict[int, str] = {}
    for place in asked:
        number = rows.defined.get(place.place.column.id, place.place)
        found |= dict.fromkeys(columns_of(number), _help(place, rows, groups))
    return found


def _help(asked: Place, rows: Rows, groups: set[Expr]) -> str:
    key = numbered_by(asked.place, rows, groups)
    if key is None:
        return ""
    if not is_their_number(asked.total, asked.place, rows, groups):
        return OTHER_ROWS
    return NULLS if may_be_null(key.expr, rows) else ""
