"""Several grouping sets as one relation: UNION ALL of what each set gives.

A set that lies within a finer one of the same query is added up from that one's groups:

    ROLLUP (a, b)   (a, b) from the rows; (a) from the groups of (a, b); () from those of (a)

so that it costs nothing more (post-processing), and the totals agree with what they are totals of.
Counts and sums add up; an average is a sum over a count. Where a query has an aggregate that does
not add up, each set is computed from the rows. Where the finer groups are private, those of few
units would be missing in the totals: `resolve.points` rejects it.

Why totals are not asked for directly, though √k times the noise of a group is in the sum of k. A
share of ε for them is taken from the groups: a half of it halves what is off in a total of 16
groups, and doubles it in each of the 16; a fifth of it halves a total of 100, for a fourth more in
each of the 100, and makes that of 6 worse, even where both answers are combined
(`benchmarks/accuracy.py --only totals`). Where a total has as many rows as its groups together, its
*relative* width is smaller than theirs anyway, by √k. Who needs the total more than the groups can
say so: UNION ALL of two questions, or two queries, give it a part of ε, and an interval.

GROUP BY a, ROLLUP (b, c) -> the sets of keys that it means.

ROLLUP (b, c)          (b, c), (b), ()
CUBE (b, c)            (b, c), (b), (c), ()
GROUPING SETS (…)      those, each of which may be a ROLLUP or a CUBE
a, ROLLUP (b, c)       (a, b, c), (a, b), (a): the product, joined
"""

from __future__ import annotations

from itertools import combinations, product

from sqlglot import exp

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.typing import sum_type
from dpsql.core.plan.expr import Column, Expr, Literal, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Aggregate, AggregateCall, Named, Plan, Project, Union
from dpsql.errors import Span
from dpsql.front.parse import only, reject
from dpsql.types import BIGINT, DOUBLE, HUGEINT

Keys = tuple[tuple[Column, Expr], ...]
Calls = tuple[tuple[Column, AggregateCall], ...]
Grouping = tuple[Column, ...]


def several(
    plan: Plan,
    sets: list[Grouping],
    keys: Keys,
    calls: Calls,
    groupings: dict[Grouping, Column],
    ids: Ids,
    span: Span | None,
) -> Plan:
    """The union of the grouping sets; its columns are all keys, the calls, and the groupings.

    Args:
        plan: the rows.
        sets: the keys of each set, by their columns.
        keys: all keys.
        calls: the aggregates.
        groupings: for the keys of each GROUPING(…), its column.
        ids: new columns.
        span: of the query.
    """
    adds_up = all(  # a mean of times does not
        call.function in ("count", "sum", "avg") and not call.distinct and column.type.is_numeric
        for column, call in calls
    )
    base = _Parts(calls, ids) if adds_up else None
    made: list[tuple[Grouping, Plan]] = []
    branches: list[Plan] = []
    rows_used = 0
    for one in sorted(range(len(sets)), key=lambda i: -len(sets[i])):
        chosen = sets[one]
        finer = [m for m in made if set(chosen) <= set(m[0])] if base is not None else []
        if finer:
            home, grouped = min(finer, key=lambda m: len(m[0]))
            assert base is not None
            made.append((chosen, _coarser(grouped, home, chosen, base, ids, span)))
        else:
            rows = _use(plan, ids)
            rows_used += 1
            made.append((chosen, _grouped(rows, plan, chosen, keys, calls, base, ids, span)))
    by_set = {id(sets[i]): m for i, m in zip(_order(sets), made, strict=True)}
    columns = (*(c for c, _ in keys), *(c for c, _ in calls), *groupings.values())
    for chosen in sets:
        _, grouped = by_set[id(chosen)]
        branches.append(_branch(grouped, chosen, keys, calls, groupings, base, ids))
    return Union(tuple(branches), columns, span)


def _order(sets: list[Grouping]) -> list[int]:
    return sorted(range(len(sets)), key=lambda i: -len(sets[i]))


class _Parts:
    """The counts and sums of which the calls are made."""

    def __init__(self, calls: Calls, ids: Ids) -> None:
        self.calls: dict[AggregateCall, int] = {}
        for _, call in calls:
            for part in _parts(call):
                self.calls.setdefault(part, len(self.calls))


def _parts(call: AggregateCall) -> tuple[AggregateCall, ...]:
    if call.function != "avg":
        return (call,)
    names = ("sum", "count")
    return tuple(AggregateCall(name, call.argument, call.span) for name in names)


def _part_type(call: AggregateCall) -> object:
    if call.function == "count":
        return BIGINT
    assert call.argument is not None
    return sum_type(call.argument.type)


def _use(plan: Plan, ids: Ids) -> Named:
    columns = tuple(ids.column(c.name, c.type) for c in plan.columns)
    return Named(plan, columns)


def _grouped(
    rows: Named,
    plan: Plan,
    chosen: Grouping,
    keys: Keys,
    calls: Calls,
    base: _Parts | None,
    ids: Ids,
    span: Span | None,
) -> Plan:
    """One set from the rows."""
    from dpsql.core.plan.expr import substitute

    here: dict[int, Expr] = {
        old.id: Ref(new) for old, new in zip(plan.columns, rows.columns, strict=True)
    }
    wanted = [call for _, call in calls] if base is None else list(base.calls)
    new_keys = tuple(
        (ids.column(c.name, c.type), substitute(e, here)) for c, e in keys if c in chosen
    )
    new_calls: list[tuple[Column, AggregateCall]] = []
    for position, call in enumerate(wanted):
        kind = calls[position][0].type if base is None else _part_type(call)
        moved = call.mapped(lambda e: substitute(e, here))
        new_calls.append((ids.column(call.function, kind), moved))  # type: ignore[arg-type]
    return Aggregate(rows, new_keys, tuple(new_calls), span)


def _coarser(
    grouped: Plan, home: Grouping, chosen: Grouping, base: _Parts, ids: Ids, span: Span | None
) -> Plan:
    """One set from the groups of a finer one."""
    rows = _use(grouped, ids)
    width = len(_ordered(home))
    by_key = dict(zip(_ordered(home), rows.columns[:width], strict=True))
    keys = tuple((ids.column(c.name, c.type), Ref(by_key[c])) for c in _ordered(chosen))
    totals = tuple(
        (ids.column(c.name, HUGEINT if c.type == BIGINT else c.type), AggregateCall("sum", Ref(c)))
        for c in rows.columns[width:]
    )
    summed = Aggregate(rows, keys, totals, span, totals=True)
    items: list[tuple[Column, Expr]] = [(ids.column(c.name, c.type), Ref(c)) for c, _ in keys]
    for (total, _), old, call in zip(totals, rows.columns[width:], base.calls, strict=True):
        value = coerce(Ref(total), old.type)
        if call.function == "count" and not keys:  # there may be no group, and so no sum
            value = make("coalesce", (value, Literal(0, old.type)), span)
        items.append((ids.column(old.name, old.type), value))
    return Project(summed, tuple(items))


def _ordered(one: Grouping) -> Grouping:
    return tuple(sorted(dict.fromkeys(one), key=lambda c: c.id))


def _branch(
    grouped: Plan,
    chosen: Grouping,
    keys: Keys,
    calls: Calls,
    groupings: dict[Grouping, Column],
    base: _Parts | None,
    ids: Ids,
) -> Plan:
    """The set's groups with NULL for the keys that it lacks, the calls, and the groupings."""
    rows = _use(grouped, ids)
    width = len(_ordered(chosen))
    by_key = dict(zip(_ordered(chosen), rows.columns[:width], strict=True))
    values = rows.columns[width:]
    items: list[tuple[Column, Expr]] = []
    for column, _ in keys:
        held = by_key.get(column)
        value: Expr = Literal(None, column.type) if held is None else Ref(held)
        items.append((ids.column(column.name, column.type), value))
    for position, (column, call) in enumerate(calls):
        if base is None:
            value = Ref(values[position])
        else:
            found = [Ref(values[base.calls[part]]) for part in _parts(call)]
            value = found[0] if len(found) == 1 else make("div", tuple(found), call.span)
            value = coerce(value, DOUBLE) if call.function == "avg" else value
        items.append((ids.column(column.name, column.type), value))
    for of, column in groupings.items():
        bits = [int(c not in chosen) for c in of]
        number = sum(bit << place for place, bit in enumerate(reversed(bits)))
        items.append((ids.column(column.name, column.type), Literal(number, BIGINT)))
    return Project(rows, tuple(items))


MAX_SETS = 64

Set = list[exp.Expr]


def grouping_sets(group: exp.Group) -> list[Set]:
    """The grouping sets of a GROUP BY clause, in the order that SQL gives them.

    Raises:
        Rejected: DP103 where there are too many.
    """
    only(group, "expressions", "rollup", "cube", "grouping_sets")
    parts = list(group.expressions)
    for key in ("rollup", "cube", "grouping_sets"):
        found = group.args.get(key)
        parts += found if isinstance(found, list) else []
    choices = [_choices(part) for part in parts]
    size = 1
    for choice in choices:
        size *= len(choice)
        if size > MAX_SETS:
            raise reject("DP103", f"more than {MAX_SETS} grouping sets", group)
    return [[node for one in combo for node in one] for combo in product(*choices)]


def _choices(node: exp.Expr) -> list[Set]:
    if isinstance(node, exp.Rollup):
        keys = [_set(e) for e in node.expressions]
        return [_flat(keys[:n]) for n in range(len(keys), -1, -1)]
    if isinstance(node, exp.Cube):
        keys = [_set(e) for e in node.expressions]
        if len(keys) > 6:
            raise reject("DP103", f"more than {MAX_SETS} grouping sets", node)
        sizes = range(len(keys), -1, -1)
        return [_flat(list(some)) for n in sizes for some in combinations(keys, n)]
    if isinstance(node, exp.GroupingSets):
        return [one for part in node.expressions for one in _choices(part)]
    return [_set(node)]


def _set(node: exp.Expr) -> Set:
    """(a, b), (a), a or ()."""
    if isinstance(node, exp.Tuple):
        return list(node.expressions)
    if isinstance(node, exp.Paren):
        return [node.this]
    return [node]


def _flat(keys: list[Set]) -> Set:
    return [node for one in keys for node in one]
