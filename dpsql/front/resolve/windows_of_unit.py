"""MEDIAN, QUANTILE, MODE, ARG_MAX, FIRST and the like OVER partitions of one unit's rows.

    SELECT x - MEDIAN(x) OVER (PARTITION BY customer) FROM t
    SELECT x - MIN(v) OVER (PARTITION BY customer) FROM (… what `first_of_unit` has below groups …)

Claim: the rows and values are the same. Why: a window without an order has one value for all rows
of a partition, that of the group of these rows. There it is the MIN of a column that each row that
has it has alike, and others have as NULL; so it is over the partition.
"""

from __future__ import annotations

from fractions import Fraction

from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Expr, Literal, Ref
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Aggregate, AggregateCall, Plan, Project, Window, WindowCall
from dpsql.front.resolve.first_of_unit import value_in_rows
from dpsql.front.resolve.group_by import determines_unit, rows_of_group
from dpsql.front.resolve.places_of_unit import Windows
from dpsql.front.resolve.state import Resolution
from dpsql.front.resolve.whole_partitions import totals

_TWO = frozenset({"arg_max", "arg_min"})
_PLACED = frozenset({"median", "quantile_cont", "quantile_disc"})
_CHOSEN = _TWO | _PLACED | {"mode", "first", "last", "any_value", "string_agg"}


def windows_of_unit(state: Resolution, plan: Window) -> Plan | None:
    """The rows with such values; None where there are none."""
    if kind_of(plan.input) is not Kind.TRACKED:
        return None
    parts: dict[tuple[Expr, ...], Windows] = {}
    found: dict[int, WindowCall] = {}
    for column, call in plan.calls:
        if call.function not in _CHOSEN or call.order or call.frame is not None:
            continue
        partition = call.partition
        if partition not in parts:
            groups = _groups(state, plan, partition)
            if not determines_unit(state, groups):
                continue
            parts[partition] = Windows(partition, state.ids, rows_of_group(state, groups))
        value = value_in_rows(column, _aggregate(call), parts[partition])
        if value is not None:
            found[column.id] = WindowCall("min", (value,), partition, (), None, call.span)
    if not found:
        return None
    rows = plan.input
    for windows in parts.values():
        rows = windows.below(rows)
    made = Window(rows, tuple((c, found.get(c.id, call)) for c, call in plan.calls), plan.span)
    resolved = totals(state, made) or made
    types = {c.id: c for c in resolved.columns}
    return Project(resolved, tuple((c, Ref(types[c.id])) for c in plan.columns))


def _groups(state: Resolution, plan: Window, partition: tuple[Expr, ...]) -> Aggregate:
    """What is chosen of each partition."""
    keys = tuple((state.ids.column("key", e.type), e) for e in partition)
    every = ((c, call) for c, call in plan.calls if call.partition == partition)
    calls = tuple((c, _aggregate(call)) for c, call in every if call.function in _CHOSEN)
    return Aggregate(plan.input, keys, calls, plan.span)


def _aggregate(call: WindowCall) -> AggregateCall:
    """What it is of the partition as a group."""
    value, *others = call.arguments
    constants = [e.value for e in others if isinstance(e, Literal)]
    parameters = tuple(
        Fraction(p) if isinstance(p, int | Fraction) else p for p in constants if p is not None
    )
    return AggregateCall(
        call.function,
        value,
        call.span,
        call.distinct,
        others[0] if call.function in _TWO else None,
        () if call.function in _TWO else parameters,
        () if call.function == "mode" else call.within,
    )
