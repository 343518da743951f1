"""Groups that are rows, and rows of whole partitions that are groups.

    SELECT x FROM (SELECT x, ROW_NUMBER() OVER (ORDER BY x) AS place FROM t) GROUP BY x, place
    SELECT x FROM (…)

    SELECT DISTINCT k, AVG(x) OVER (PARTITION BY k) FROM t
    SELECT          k, AVG(x)                       FROM t GROUP BY k

Claim: the rows are the same. Why: no two rows of a partition have the same number, so that a group
of keys that have the number and the partition among them is one row. An aggregate over a whole
partition has one value in all its rows, and so has what is computed of it, of the partition's keys
and of such aggregates; where the keys come out, no two partitions have the same row. Of no rows at
all there is no row in the first, and one of NULLs in the second where there are no keys.
"""

from __future__ import annotations

from dpsql.core.plan.expr import Column, Expr, Literal, Ref, columns_of, substitute, transform
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    Frame,
    Plan,
    Project,
    Window,
    WindowCall,
)
from dpsql.front.resolve.numbered_rows import Rows, rows_below
from dpsql.front.resolve.whole_partitions import aggregate_of, is_whole

Items = tuple[tuple[Column, Expr], ...]


def rows_for_groups(plan: Aggregate) -> Aggregate | Project:
    """The rows, where each group is one and nothing but its keys is asked."""
    if plan.calls or plan.totals:
        return plan
    rows = rows_below(plan.input)
    keys = {substitute(e, rows.defined) for _, e in plan.keys}
    for key in keys:
        call = rows.windows.get(key.column.id) if isinstance(key, Ref) else None
        if call is not None and numbers_rows(call) and partition_of(call) <= keys:
            return Project(plan.input, plan.keys)
    return plan


def groups_for_rows(plan: Aggregate, ids: Ids) -> tuple[Aggregate, Items] | None:
    """The groups, where DISTINCT leaves one row of each partition, and the columns over them; None
    where it does not.
    """
    below: Plan = plan.input
    keys = tuple(e for _, e in plan.keys)
    while isinstance(below, Project):
        made = {c.id: e for c, e in below.items}
        keys, below = tuple(substitute(e, made) for e in keys), below.input
    if plan.calls or plan.totals or not isinstance(below, Window):
        return None
    partition = below.calls[0][1].partition
    if not all(is_whole(c) and c.partition == partition for _, c in below.calls):
        return None
    groups = [p for p in dict.fromkeys(partition) if not is_constant(p)]
    named: dict[Expr, Column] = {p: ids.column("key", p.type) for p in groups}

    def of_group(expr: Expr) -> Expr:
        return Ref(named[expr], expr.span) if expr in named else expr

    items = tuple(transform(e, of_group) for e in keys)
    rows = rows_below(below.input)
    whole = {substitute(p, rows.defined) for p in groups}
    own = {c.id for c in named.values()} | {c.id for c, _ in below.calls}
    read = frozenset().union(*(columns_of(e) for e in items)) - own
    asked = [c for c in below.input.columns if c.id in read]
    fixed = [c for c in asked if is_fixed(rows.defined[c.id], rows, whole)]
    if not named.keys() <= set(keys) or len(fixed) < len(read):
        return None
    calls = tuple((c, aggregate_of(call, {})) for c, call in below.calls)
    alike = {c.id: ids.column(c.name, c.type) for c in fixed}
    by = (*((c, p) for p, c in named.items()), *((alike[c.id], Ref(c)) for c in fixed))
    new: dict[int, Expr] = {i: Ref(c) for i, c in alike.items()}
    made_of = [(c, substitute(e, new)) for (c, _), e in zip(plan.keys, items, strict=True)]
    return Aggregate(below.input, by, calls, plan.span), tuple(made_of)


def is_constant(expr: Expr) -> bool:
    """Whether it is a constant that is not NULL."""
    return isinstance(expr, Literal) and expr.value is not None


def partition_of(call: WindowCall) -> set[Expr]:
    """What tells the partitions apart."""
    return {e for e in call.partition if not is_constant(e)}


def numbers_rows(call: WindowCall) -> bool:
    """ROW_NUMBER, or a running SUM(1) or COUNT(*) of rows."""
    if call.function == "row_number" or call.distinct:
        return not call.distinct
    running = Frame("rows", (None, "preceding"), (0, "current"))
    ones = [a.value for a in call.arguments if isinstance(a, Literal)] == [1]
    return call.function in ("sum", "count") and ones and call.frame == running


def is_fixed(expr: Expr, rows: Rows, partition: set[Expr]) -> bool:
    """Whether it is made of aggregates of partitions, and so has one value in each."""
    calls = [rows.windows.get(c) for c in columns_of(expr)]
    return bool(calls) and all(
        call is not None and is_whole(call) and set(call.partition) <= partition for call in calls
    )
