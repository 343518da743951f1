"""Orders in which only equal rows are tied, so that the rows alone say what is computed of them.

    FROM towns LIMIT 1                    FROM towns ORDER BY id, name, … LIMIT 1
    ROW_NUMBER() OVER (ORDER BY zone)     ROW_NUMBER() OVER (ORDER BY zone, id, name, …)
    FIRST(name)                           FIRST(name ORDER BY name, id, …)

Claim: which rows a LIMIT leaves, what a window says of a row, and which value FIRST, LAST and
ANY_VALUE take, hang on the values of the rows, not on where they are stored, on threads or on what
else the statement reads. Why: every column breaks ties. A unit's rows would else be counted
otherwise where another unit's are stored between them; and of public rows beside private ones
another one could be taken on neighbours.

What is left of public rows alone: the last digits of sums of floating numbers, and which of the
values that are as frequent MODE takes, or of the rows that are as great ARG_MAX.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.plan.expr import Column, Ref
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

_TAKEN = frozenset({"first", "last", "any_value"})


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
        return replace(
            plan, calls=tuple((c, untied(call, plan.input.columns)) for c, call in plan.calls)
        )
    if isinstance(plan, Aggregate):
        return replace(
            plan, calls=tuple((c, _taken(call, plan.input.columns)) for c, call in plan.calls)
        )
    return plan


def _taken(call: AggregateCall, columns: tuple[Column, ...]) -> AggregateCall:
    if call.function not in _TAKEN:
        return call
    return replace(call, order=call.order + _beside(call.order, columns))


def _beside(order: tuple[SortKey, ...], columns: tuple[Column, ...]) -> tuple[SortKey, ...]:
    """The columns that are no keys of an order, as its last ones."""
    keys = [key.expr for key in order]
    return tuple(SortKey(Ref(c), False, False) for c in columns if Ref(c) not in keys)
