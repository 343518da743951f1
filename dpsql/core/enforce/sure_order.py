"""Orders in which only equal rows are tied, so that the rows alone say what is computed of them.

    FROM towns LIMIT 1                    FROM towns ORDER BY id, name, … LIMIT 1
    ROW_NUMBER() OVER (ORDER BY zone)     ROW_NUMBER() OVER (ORDER BY zone, id, name, …)
    FIRST(name ORDER BY zone)             FIRST(name ORDER BY zone, name)
    SUM(x), ARG_MAX(name, size)           SUM(x ORDER BY x), ARG_MAX(name, size ORDER BY name, size)

Claim: which rows a LIMIT leaves, what a window says of a row, and what an aggregate of public rows
is, hang on the values of the rows, not on where they are stored, on threads or on what else the
statement reads. Why: every column breaks ties; and an aggregate sees nothing of a row but its
arguments, so that rows in an order of these are one sequence to it; over a frame, in the window's
order first. In some order of its own the engine would take another of public rows that are tied on
neighbours, or add floating numbers up to another last digit, by which all private rows may be
compared. A unit's rows would be counted otherwise where another unit's are stored between them.
`_CERTAIN` are those that no order matters to, MODE being printed with one (`emit.plans`).
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.plan.expr import Column, Expr, Ref, columns_of
from dpsql.core.plan.nodes import (
    USUAL,
    WHOLE,
    Aggregate,
    AggregateCall,
    Limit,
    Plan,
    Sort,
    SortKey,
    Window,
    WindowCall,
)

_ENDS = {"first_value": "start", "last_value": "end"}
"""Which end of the frame they are at."""

TIED = frozenset({"row_number", "ntile", "lag", "lead", *_ENDS})
RANKED = frozenset({"rank", "dense_rank", "percent_rank", "cume_dist"})

_CERTAIN = frozenset(
    {
        *("count", "min", "max", "bool_and", "bool_or", "bit_and", "bit_or", "bit_xor"),
        *("median", "quantile_cont", "quantile_disc", "mad", "mode", "histogram"),
        "approx_count_distinct",
    }
)
_SUMS = frozenset({"sum", "avg"})
"""Exact of exact numbers; not of floating ones, nor of moments, whose mean is made of such."""


def untied(call: WindowCall, columns: tuple[Column, ...]) -> WindowCall:
    """The call whose value the rows determine, of which these are all columns.

    The frame of a rank is without effect, and ties are what it is about.
    """
    frame = call.frame or USUAL
    rows = frame.unit == "rows"
    ties = _beside(call.order, columns)
    if call.function in _ENDS and not rows and getattr(frame, _ENDS[call.function]) == USUAL.end:
        peers = (*call.partition, *(k.expr for k in call.order))
        return replace(call, partition=peers, order=ties, frame=WHOLE)
    if call.function in TIED or (rows and call.function not in RANKED):
        return replace(call, order=call.order + ties)
    return call


def settled(plan: Plan) -> Plan:
    """A node over public rows, with such orders."""
    if isinstance(plan, Limit):
        below = plan.input if isinstance(plan.input, Sort) else Sort(plan.input, ())
        keys = below.keys + _beside(below.keys, below.columns)
        return replace(plan, input=replace(below, keys=keys))
    if isinstance(plan, Window):
        calls = ((c, untied(call, plan.input.columns)) for c, call in plan.calls)
        return replace(plan, calls=tuple((c, _within(call)) for c, call in calls))
    if isinstance(plan, Aggregate):
        return replace(plan, calls=tuple((column, _in_order(call)) for column, call in plan.calls))
    return plan


def _in_order(call: AggregateCall) -> AggregateCall:
    own = tuple(e for e in (call.argument, call.second) if e is not None)
    return replace(call, order=_among(call.function, own, call.order, call.order))


def _within(call: WindowCall) -> WindowCall:
    """The call with an order in which it sees a frame's rows: its own, or else the window's."""
    order = call.within or (() if call.distinct else call.order)
    return replace(call, within=_among(call.function, call.arguments, order, call.within))


def _among(
    function: str,
    arguments: tuple[Expr, ...],
    order: tuple[SortKey, ...],
    usual: tuple[SortKey, ...],
) -> tuple[SortKey, ...]:
    """An order in which an aggregate sees its rows, with the arguments as the last keys; the usual
    one where none matters.
    """
    own = dict.fromkeys(e for e in arguments if columns_of(e))
    exact = function in _SUMS and all(e.type.is_exact for e in own)
    if exact or function in _CERTAIN | TIED | RANKED:
        return usual
    asked = [key.expr for key in order]
    return order + tuple(SortKey(e, False, False) for e in own if e not in asked)


def _beside(order: tuple[SortKey, ...], columns: tuple[Column, ...]) -> tuple[SortKey, ...]:
    """The columns that are no keys of an order, as its last ones."""
    keys = [key.expr for key in order]
    return tuple(SortKey(Ref(c), False, False) for c in columns if Ref(c) not in keys)
