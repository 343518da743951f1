"""Without the aggregates and windows that nothing reads, which would be measured and paid for.

    SELECT n FROM (SELECT COUNT(*) AS n, SUM(x) AS s FROM t)
    SELECT n FROM (SELECT COUNT(*) AS n FROM t)

Claim: the rows and the columns of the query are the same. Why: a column changes neither which rows
there are nor their other columns, so that one which no expression above reads, and which is no
column of the query, is of no consequence. Conditions, keys, orders and what is joined on are
read, and so is all of a branch of UNION ALL and of a scalar subquery; of a SELECT of which nothing
is read, the first column is. An aggregate without keys is one row, whatever it aggregates.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.plan.expr import columns_of
from dpsql.core.plan.nodes import (
    Aggregate,
    Apply,
    Named,
    OneRow,
    Plan,
    Project,
    Union,
    Window,
    defined,
    expressions,
    inputs,
    with_inputs,
)


def without_unread(plan: Plan) -> Plan:
    """The plan without them; a WITH query that is used twice stays one."""
    order = _readers_first(plan)
    read = {c.id for c in plan.columns}
    for node in order:
        read |= _read_by(node, read)
    gone = {c.id for n in order if isinstance(n, Aggregate | Window) for c, _ in n.calls} - read
    if not gone:
        return plan
    made: dict[int, Plan] = {}
    for node in reversed(order):
        below = tuple(made[id(i)] for i in inputs(node))
        made[id(node)] = _without(node, below, gone)
    return made[id(plan)]


def _readers_first(plan: Plan) -> list[Plan]:
    """Every node once, after those that may read its columns: also the subquery of an Apply."""
    done: list[Plan] = []
    seen: set[int] = set()
    stack = [(plan, False)]
    while stack:
        node, is_left = stack.pop()
        if is_left:
            done.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((i, False) for i in reversed(inputs(node)))
    return done[::-1]


def _read_by(node: Plan, read: set[int]) -> set[int]:
    """What is read for what is read of the node."""
    if isinstance(node, Named):
        pairs = zip(node.columns, node.query.columns, strict=True)
        return {below.id for column, below in pairs if column.id in read}
    if isinstance(node, Union):
        return {c.id for branch in node.branches for c in branch.columns}
    if isinstance(node, Apply) and node.kind == "scalar":
        return {c.id for c in node.subquery.columns}
    if isinstance(node, Project):
        items = tuple(item for item in node.items if item[0].id in read) or node.items[:1]
        node = replace(node, items=items)
    elif isinstance(node, Aggregate):
        node = replace(node, calls=tuple(call for call in node.calls if call[0].id in read))
    elif isinstance(node, Window):
        node = replace(node, calls=tuple(window for window in node.calls if window[0].id in read))
    own = {c.id for c in defined(node)}
    return own.union(*map(columns_of, expressions(node)))


def _without(node: Plan, below: tuple[Plan, ...], gone: set[int]) -> Plan:
    """The node over what is left of its inputs; `gone` grows by what is made of what is gone."""
    if isinstance(node, Named):
        pairs = zip(node.columns, node.query.columns, strict=True)
        gone |= {column.id for column, below in pairs if below.id in gone}
        node = replace(node, columns=tuple(c for c in node.columns if c.id not in gone))
    elif isinstance(node, Project):
        gone |= {c.id for c, e in node.items if columns_of(e) & gone}
        node = replace(node, items=tuple(i for i in node.items if i[0].id not in gone))
    elif isinstance(node, Aggregate):
        node = replace(node, calls=tuple(c for c in node.calls if c[0].id not in gone))
        if not node.columns:
            return OneRow()
    elif isinstance(node, Window):
        node = replace(node, calls=tuple(c for c in node.calls if c[0].id not in gone))
        if not node.calls:
            return below[0]
    return with_inputs(node, below)
