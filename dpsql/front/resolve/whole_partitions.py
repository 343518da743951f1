"""Aggregates OVER whole partitions of rows of several units: released, and joined to the rows.

    SELECT x - AVG(x) OVER (PARTITION BY k) FROM t
    SELECT t.x - g.a FROM t JOIN (SELECT k, AVG(x) AS a FROM t GROUP BY k) AS g ON g.k = t.k

Claim: the rows and values are the same, but for the noise, and rows whose k is in no group. Why: a
window without an order has one value for a partition, that of the group; a key that may be NULL is
not taken, of which `=` would find none. The second is a query like others: it is released before
it is read, with a part of ε. NTILE is made of quantiles of partitions (`resolve.tiles`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from dpsql.core.functions.aggregates import AGGREGATES
from dpsql.core.functions.build import make
from dpsql.core.infer.ranges import infer
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import (
    Column,
    Expr,
    Literal,
    Ref,
    columns_of,
    conjunction,
    conjuncts,
    substitute,
)
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Apply,
    Filter,
    Join,
    Limit,
    Named,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
    Union,
    Window,
    WindowCall,
)
from dpsql.errors import Diagnostic, Rejected
from dpsql.front.resolve.fresh_copy import fresh_copy
from dpsql.front.resolve.group_by import determines_unit, grouped
from dpsql.front.resolve.joined_rows import joined, known
from dpsql.front.resolve.state import Resolution
from dpsql.front.resolve.tiles import without_tiles
from dpsql.types import Scalar

_WHOLE = frozenset(f.name for f in AGGREGATES.values()) | {"quantile_disc", "quantile_cont"}

Calls = list[tuple[Column, WindowCall]]


def totals(state: Resolution, plan: Window) -> Plan | None:
    """The rows with such aggregates joined to them; None where there are none."""
    if kind_of(plan.input) is not Kind.TRACKED or state.schema.kinds:
        return None
    parts: dict[tuple[Expr, ...], Calls] = {}
    for column, call in plan.calls:
        if is_whole(call) or call.function == "ntile":
            parts.setdefault(call.partition, []).append((column, call))
    found = [p for p in parts if not (p and _stays(state, plan, p))]
    rows, tiles = plan.input, dict[int, Expr]()
    for partition in tuple(found):
        made, own = without_tiles(parts[partition], state.ids)
        parts[partition] = [(c, call) for c, call in made if is_whole(call)]
        tiles |= own
    found = [partition for partition in found if parts[partition]]
    if not found:
        return None
    for partition in found:
        rows = _with_totals(state, rows, plan, partition, parts[partition])
    gone = {c.id for p in found for c, _ in parts[p]} | tiles.keys()
    calls = tuple((c, call) for c, call in plan.calls if c.id not in gone)
    same = _constant(plan.input)
    if all(is_whole(call) for _, call in calls):  # or the others are the problem
        whole = [p for p in found if all(columns_of(key) <= same for key in p)]
        state.of_all_rows |= {c.id for p in whole for c, _ in parts[p]}
    below = replace(plan, input=rows, calls=calls) if calls else rows
    types = {c.id: c for c in below.columns}
    items = (
        (c, tiles[c.id]) if c.id in tiles else (types[c.id], Ref(types[c.id])) for c in plan.columns
    )
    return Project(below, tuple(items))


def of_totals(state: Resolution, plan: Filter | Aggregate) -> None:
    """Refuse a condition, and what is aggregated, that asks of totals of all rows alone: it is the
    same for all rows, whose number then multiplies the noise of the total, or is all or nothing.
    Of released groups it may ask: their noise is drawn already.

    Raises:
        Rejected: DP405.
    """
    if not state.of_all_rows or kind_of(plan.input) is not Kind.TRACKED:
        return
    found = _of_all_rows(state, plan.input)
    if isinstance(plan, Filter):
        asked = conjuncts(plan.predicate)
    else:
        asked = [call.argument for _, call in plan.calls if call.argument is not None]
    for term in asked:
        if columns_of(term) and columns_of(term) <= found:
            message = "this asks of a total alone, which is the same for all rows: so is its noise"
            help = "ask for the total in a query of its own"
            raise Rejected(Diagnostic("DP405", message, term.span, help))


def _of_all_rows(state: Resolution, plan: Plan) -> frozenset[int]:
    """The columns of resolved rows that are made of totals of all rows alone."""
    match plan:
        case Project():
            found = _of_all_rows(state, plan.input)
            made = [(c.id, columns_of(e)) for c, e in plan.items]
            return frozenset(c for c, read in made if read and read <= found)
        case Filter() | Sort() | Window():
            return _of_all_rows(state, plan.input)
        case Join(right=Released()):
            own = {c.id for c in plan.right.columns} & state.of_all_rows
            return _of_all_rows(state, plan.left) | own
        case Scan() | OneRow() | Released() | Join() | Apply() | Named() | Union():
            return frozenset()
        case Aggregate() | Limit():
            return frozenset()


def _constant(plan: Plan) -> frozenset[int]:
    """The columns that are one value, which the query states."""
    match plan:
        case Project():
            same = _constant(plan.input)
            return frozenset(c.id for c, e in plan.items if columns_of(e) <= same)
        case Window() | Filter() | Sort():
            return _constant(plan.input)
        case Scan() | OneRow() | Released() | Join() | Apply() | Named() | Union():
            return frozenset()
        case Aggregate() | Limit():
            return frozenset()


def is_whole(call: WindowCall) -> bool:
    """Whether a call is an aggregate of its whole partition."""
    return call.function in _WHOLE and not call.order and call.frame is None


def _stays(state: Resolution, plan: Window, partition: tuple[Expr, ...]) -> bool:
    """Whether the partition's rows are one unit's, or it may be NULL."""
    keys = tuple((state.ids.column("key", e.type), e) for e in partition)
    if determines_unit(state, Aggregate(plan.input, keys, (), plan.span)):
        return True
    env = known(state, plan.input).expected
    return any(infer(e, env).nullable for e in partition)


def _with_totals(
    state: Resolution, rows: Plan, plan: Window, partition: tuple[Expr, ...], calls: Calls
) -> Plan:
    message = "the query is too large: rows of aggregates OVER () are written out twice"
    state.count_copy(plan.input, message, plan.span)
    copy, names = fresh_copy(plan.input, lambda c: state.ids.column(c.name, c.type))
    here = {i: Ref(c) for i, c in names.items()}
    keys = tuple((state.ids.column("key", e.type), substitute(e, here)) for e in partition)
    made = tuple((c, aggregate_of(call, here)) for c, call in calls)
    right = grouped(state, Aggregate(copy, keys, made, calls[0][1].span))
    ids = {c.id: c for c in right.columns}
    terms = [
        make("eq", (e, Ref(ids[c.id])), e.span) for (c, _), e in zip(keys, partition, strict=True)
    ]
    return joined(state, Join(rows, right, conjunction(terms), plan.span))


def aggregate_of(call: WindowCall, here: Mapping[int, Expr]) -> AggregateCall:
    """What the call is of its partition as a group, with columns replaced."""
    value, *others = call.arguments
    constant = isinstance(value, Literal) and value.value is not None
    rows = call.function == "count" and constant and not call.distinct
    shares = tuple(e.value for e in others if isinstance(e, Literal) and e.value is not None)
    argument = None if rows else substitute(value, here)
    return AggregateCall(
        call.function, argument, call.span, call.distinct, parameters=tuple(map(_share, shares))
    )


def _share(value: Scalar) -> Fraction:
    assert isinstance(value, int | Fraction)
    return Fraction(value)
