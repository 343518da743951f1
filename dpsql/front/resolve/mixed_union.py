"""What is made of private rows beside others, is made of each of the two first.

    SELECT k, COUNT(*), SUM(x), AVG(x) FROM (SELECT k, x FROM p UNION ALL SELECT k, x FROM q)
    GROUP BY k
    SELECT k, SUM(n), SUM(s), SUM(t) / SUM(m) FROM (
        SELECT k, COUNT(*) AS n, SUM(x) AS s, AVG(x) * COUNT(x) AS t, COUNT(x) AS m FROM p
        GROUP BY k UNION ALL SELECT k, COUNT(*), SUM(x), SUM(x), COUNT(x) FROM q GROUP BY k)
    GROUP BY k

Groups without aggregates, which UNION without ALL is, too: those of the private rows and those of
the others, where these are released.

Claim: the answers are the same. Why: the rows of a group are those that it has on either side, and
counts and sums of parts add up; a group is there if it is on either side. A count below 0 is noise
and taken for 0, so that a mean lies between those of both sides.

MIN and MAX are not made so: of no private row they are anything between the bounds, and that would
be taken for the least of all. Nor is what counts a value once that both sides may have, and nor are
counts of private groups: those of few units would lack in what is shown of the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.typing import common, sum_type
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref, conjunction, substitute
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Filter,
    Plan,
    Project,
    Released,
    Scan,
    Union,
    each,
    inputs,
    with_inputs,
)
from dpsql.core.shape.flatten import Block, flatten
from dpsql.front.resolve.distinct_rows import in_place, private_keys, used_once
from dpsql.front.resolve.group_by import determines_unit
from dpsql.front.resolve.state import Resolution
from dpsql.types import BIGINT


def mixed_union(state: Resolution, plan: Aggregate) -> Plan | None:
    """An aggregate of a union of private rows and others; None for what is none."""
    if state.schema.kinds or plan.totals or not used_once(state, plan.input):
        return None
    plan = replace(plan, input=in_place(state, plan.input, once=True))
    block = flatten(plan.input)
    (union,) = block.sources if len(block.sources) == 1 else (None,)
    if not isinstance(union, Union) or block.marks or not all(_adds(c) for _, c in plan.calls):
        return None
    private = [_reads(b, private=True) for b in union.branches]
    released = not plan.calls and any(_reads(b, private=False) for b in union.branches)
    if not any(private) or (all(private) and not released):
        return None
    resolved = state.renewed(replace(union, branches=tuple(map(state.plan, union.branches))))
    assert isinstance(resolved, Union)
    made = _apart(state, plan, block, resolved)
    return _as_it_is(state, plan, union, resolved) if made is None else made


def _adds(call: AggregateCall) -> bool:
    """Whether it is made of what it is of parts of the rows."""
    plain = call == AggregateCall(call.function, call.argument)
    of_numbers = call.argument is not None and call.argument.type.is_numeric
    return plain and (call.function == "count" or (call.function in ("sum", "avg") and of_numbers))


def _reads(plan: Plan, *, private: bool) -> bool:
    """Whether there are private tables below, or else aggregates of what may be."""
    if private:
        return any(isinstance(node, Scan) and node.table.private for node in each(plan))
    return any(isinstance(node, Aggregate) for node in each(plan))


def _as_it_is(state: Resolution, plan: Plan, old: Union, new: Union) -> Plan:
    """The plan with the union resolved, and what is above it."""
    if plan is old:
        return state.above(new)
    below = tuple(_as_it_is(state, node, old, new) for node in inputs(plan))
    return state.above(state.renewed(with_inputs(plan, below)))


def _apart(state: Resolution, plan: Aggregate, block: Block, union: Union) -> Plan | None:
    """The aggregate of what is made of both sides; None where there are not two that can be."""
    kinds = [kind_of(branch) for branch in union.branches]
    others = {kind for kind in kinds if kind is not Kind.TRACKED}
    if Kind.TRACKED not in kinds or not others or (plan.calls and Kind.RELEASED in others):
        return None
    rows = [b for b, k in zip(union.branches, kinds, strict=True) if k is Kind.TRACKED]
    rest = [b for b, k in zip(union.branches, kinds, strict=True) if k is not Kind.TRACKED]
    mine = _side(state, plan, block, replace(union, branches=tuple(rows)), private=True)
    if plan.keys and determines_unit(state, mine.plan):
        return None
    if plan.calls and private_keys(state, mine.plan):
        return None
    noisy = any(_has_numbers(branch) for branch in rest)
    if noisy or state.counted & {c.id for c in plan.columns}:
        state.counted |= {c.id for c in mine.plan.columns}
    other = _side(state, plan, block, replace(union, branches=tuple(rest)), private=False)
    return _together(state, plan, [_values(state, mine), _values(state, other)])


def _has_numbers(plan: Plan) -> bool:
    """Whether released numbers may be among what is read."""
    found = (node for node in each(plan) if isinstance(node, Released))
    return any({c.id for c in n.columns} - frozenset().union(*n.keys) for n in found)


@dataclass(frozen=True, slots=True)
class _Side:
    """One side's groups.

    Attributes:
        plan: that makes them.
        read: what each call of the whole is made of.
        private: whether its rows are.
    """

    plan: Aggregate
    read: tuple[tuple[Column, ...], ...]
    private: bool


def _side(
    state: Resolution, plan: Aggregate, block: Block, union: Union, *, private: bool
) -> _Side:
    columns = tuple(state.ids.column(c.name, c.type) for c in union.columns)
    here = {old.id: Ref(new) for old, new in zip(union.columns, columns, strict=True)}

    def inline(expr: Expr) -> Expr:
        return substitute(block.inline(expr), here)

    said = conjunction([substitute(term, here) for term in block.terms])
    rows: Plan = replace(union, columns=columns)
    if len(union.branches) == 1:
        (alone,) = union.branches
        rows = Project(
            alone, tuple((c, Ref(of)) for c, of in zip(columns, alone.columns, strict=True))
        )
    rows = rows if said is None else Filter(rows, said)
    keys = tuple((state.ids.column(c.name, c.type), inline(e)) for c, e in plan.keys)
    asked: dict[AggregateCall, Column] = {}
    read: list[tuple[Column, ...]] = []
    for column, call in plan.calls:
        whole = call.mapped(inline)
        found: list[Column] = []
        for part in _parts(whole, private):
            kind = BIGINT if part.function == "count" else column.type
            if part.function == "sum" and part.argument is not None:
                kind = sum_type(part.argument.type)
            found.append(asked.setdefault(part, state.ids.column(part.function, kind)))
        read.append(tuple(found))
    calls = tuple((c, call) for call, c in asked.items())
    return _Side(Aggregate(rows, keys, calls, plan.span), tuple(read), private)


def _parts(call: AggregateCall, private: bool) -> tuple[AggregateCall, ...]:
    """What is asked of a side: of private rows the mean, which has bounds."""
    if call.function != "avg":
        return (call,)
    of = call if private else replace(call, function="sum")
    return of, replace(call, function="count")


def _values(state: Resolution, side: _Side) -> tuple[Plan, list[Expr]]:
    """The groups of a side, their keys, and the numbers that are added up."""
    made = state.above(side.plan)
    here = {c.id: c for c in made.columns}
    values: list[Expr] = [Ref(here[c.id]) for c, _ in side.plan.keys]
    for read in side.read:
        found: list[Expr] = [Ref(here[c.id]) for c in read]
        if side.private and len(found) > 1:
            mean, count = found
            count = make("greatest", (count, Literal(0, count.type)), None)
            found = [make("mul", (mean, count), None), count]
        values += found
    return made, values


def _together(state: Resolution, plan: Aggregate, sides: list[tuple[Plan, list[Expr]]]) -> Plan:
    """The groups of both sides, with the sums of their numbers."""
    pairs = list(zip(*(values for _, values in sides), strict=True))
    kinds = [common(pair, "values") for pair in pairs]

    def named() -> tuple[Column, ...]:
        return tuple(state.ids.column("part", kind) for kind in kinds)

    branches = tuple(
        Project(made, tuple((c, coerce(v, c.type)) for c, v in zip(named(), values, strict=True)))
        for made, values in sides
    )
    columns, width = named(), len(plan.keys)
    keys = tuple((state.ids.column("key", c.type), Ref(c)) for c in columns[:width])
    sums = tuple(
        (state.ids.column("sum", sum_type(c.type)), AggregateCall("sum", Ref(c), plan.span))
        for c in columns[width:]
    )
    added = state.above(Aggregate(Union(branches, columns, plan.span), keys, sums, plan.span))
    items: list[tuple[Column, Expr]] = [
        (column, Ref(key)) for (column, _), (key, _) in zip(plan.keys, keys, strict=True)
    ]
    left = iter(column for column, _ in sums)
    for column, call in plan.calls:
        value: Expr = Ref(next(left), call.span)
        if call.function == "count":
            value = Call("cast", (value,), column.type, call.span)
        elif call.function == "avg":
            value = coerce(make("div", (value, Ref(next(left))), call.span), column.type)
        items.append((state.typed(column, value), value))
    return Project(added, tuple(items))
