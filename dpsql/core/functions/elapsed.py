"""What passes between two moments as a value: a - b, its microseconds and its parts; and moments of
microseconds.

    elapsed(a, b)            a - b of timestamps: days and time of day
    interval_us(i)           the microseconds of such a difference
    elapsed_part(part, i)    its days, or hours, minutes and seconds of a day, each cut off toward 0
    make_timestamp(n)        the moment so many microseconds after 1970 began

All are NULL where a moment lies outside the years 1 to 9999: DuckDB raises there, or wraps. What a
difference can be is said in microseconds, by which DuckDB orders those without months.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from sqlglot import exp

from dpsql.core.functions.date_arithmetic import pair, toward_zero
from dpsql.core.functions.moments import (
    FIRST,
    LAST,
    MICROSECONDS,
    alike,
    guards,
    ticks,
    timestamp,
    unit_of,
)
from dpsql.core.functions.spec import (
    Args,
    Function,
    NotTotal,
    call,
    coerce,
    inside,
    named,
    operator,
    plain,
    shown,
)
from dpsql.core.functions.temporal import amounts, is_interval
from dpsql.core.functions.typing import need, require, signature, whole
from dpsql.core.plan.expr import Call, Case, Expr, Literal, Ref
from dpsql.core.plan.values import Values, of_type
from dpsql.types import BIGINT, INTERVAL, TIMESTAMP, VARCHAR, Type

EPOCH = Literal(datetime(1970, 1, 1), TIMESTAMP)


def _elapsed_values(node: Call, values: tuple[Values, ...]) -> Values:
    """In microseconds. Claim: the corners are the extremes. Why: guarded, both moments are in the
    calendar, and their difference grows with a and falls with b.
    """
    (a_low, a_high), (b_low, b_high) = pair(node, values)
    nullable = not all(v.bounded for v in values)
    return Values(ticks(a_low) - ticks(b_high), ticks(a_high) - ticks(b_low), nullable)


def microseconds_between(a: Expr, b: Expr) -> Expr:
    """Those of a - b, which DuckDB keeps as days and the microseconds of a day, and no months."""
    found = call("date_diff", (Literal("microsecond", VARCHAR), b, a), BIGINT, a)
    return replace(found, args=(found.args[0], *alike(found.args[1:])))


def microseconds(interval: Expr) -> Expr:
    """Those of an interval, by which DuckDB compares it: with months of 30 days."""
    found = _microseconds(interval)
    return call("interval_us", (interval,), BIGINT, interval) if found is None else found


def _microseconds(interval: Expr) -> Expr | None:
    """Those of a difference or a constant that stands there; of other intervals it is not known
    that they have no months.
    """
    if isinstance(interval, Literal):
        return coerce(interval, BIGINT)
    if isinstance(interval, Case):
        values = (*(v for _, v in interval.branches), interval.default)
        of = [n for v in values if (n := _microseconds(v)) is not None]
        pairs = zip((c for c, _ in interval.branches), of, strict=False)
        return Case(tuple(pairs), of[-1], BIGINT) if len(of) == len(values) else None
    if isinstance(interval, Call) and is_interval(interval):
        months, days, seconds = amounts(interval)
        total = ((30 * months + days) * 86_400 + seconds) * 10**6
        return Literal(total, BIGINT, interval.span)
    if isinstance(interval, Call) and interval.function == "coalesce":
        of = [n for v in interval.args if (n := _microseconds(v)) is not None]
        every = len(of) == len(interval.args)
        return call("coalesce", tuple(of), BIGINT, interval) if every else None
    if isinstance(interval, Call) and interval.function == "elapsed":
        return microseconds_between(*interval.args)
    return None


def _difference(args: Args, index: int) -> None:
    need(args, index, args[index].type == INTERVAL, "a difference of timestamps")


def _us_bind(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    _difference(args, 0)
    return args, BIGINT


def _us_values(node: Call, values: tuple[Values, ...]) -> Values:
    (i,) = values
    return Values(i.low, i.high, False) if i.bounded else of_type(BIGINT)


def _known(node: Call, difference: Values) -> Expr:
    """What DuckDB is asked of a column as it is: it is a difference where it has bounds, which
    nothing else has.
    """
    if isinstance(node.args[-1], Ref) and difference.bounded:
        return node
    help = "use seconds: EXTRACT(epoch FROM a - b)"
    raise NotTotal("this interval is not known to be a difference of two timestamps", help)


def _us_total(node: Call, values: tuple[Values, ...]) -> Expr:
    found = _microseconds(node.args[0])
    return _known(node, values[0]) if found is None else found


ELAPSED_PARTS = {"day": None, "hour": 24, "minute": 60, "second": 60}
"""The parts of a difference, and how many there are in the next larger one."""


def _elapsed_part_bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    unit_of(args[0], tuple(ELAPSED_PARTS))
    _difference(args, 1)
    return args, BIGINT


def _elapsed_part_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: days at the corners, cut off toward 0; of the others one less than there are in the
    next, with the sign of the difference.
    """
    name, i = unit_of(node.args[0], tuple(ELAPSED_PARTS)), values[1]
    most = ELAPSED_PARTS[name]
    if not i.bounded:
        return of_type(BIGINT)
    if most is None:
        low, high = (toward_zero(int(end), MICROSECONDS["day"]) for end in (i.low, i.high))
        return Values(low, high, False)
    return Values(-(most - 1) * (i.low < 0), (most - 1) * (i.high > 0), False)


def _elapsed_part_total(node: Call, values: tuple[Values, ...]) -> Expr:
    """DuckDB keeps a - b as days and the rest of a day, no months; both are cut off toward 0."""
    name, inner = node.args
    if isinstance(inner, Literal):
        return coerce(inner, BIGINT)
    if not isinstance(inner, Call) or inner.function != "elapsed":
        return _known(node, values[1])
    passed = call("date_sub", (name, *alike((inner.args[1], inner.args[0]))), BIGINT, node)
    most = ELAPSED_PARTS[unit_of(name, tuple(ELAPSED_PARTS))]
    return passed if most is None else call("mod", (passed, Literal(most, BIGINT)), BIGINT, node)


_STAMP = signature(whole(BIGINT), gives=TIMESTAMP)
_FIRST_US, _LAST_US = (ticks(end) - ticks(datetime(1970, 1, 1)) for end in (FIRST, LAST))


def _stamp_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: the moments of the ends. Why: a TIMESTAMP is that number, and those outside the years
    1 to 9999 are NULL.
    """
    (n,) = values
    low = _FIRST_US if n.low is None else min(max(int(n.low), _FIRST_US), _LAST_US)
    high = _LAST_US if n.high is None else min(max(int(n.high), _FIRST_US), _LAST_US)
    first, last = (FIRST + timedelta(microseconds=end - _FIRST_US) for end in (low, high))
    return Values(first, last, not _in_calendar(n))


def _in_calendar(n: Values) -> bool:
    return n.bounded and n.low >= _FIRST_US and n.high <= _LAST_US


def _stamp_total(node: Call, values: tuple[Values, ...]) -> Expr:
    if _in_calendar(values[0]):
        return node
    return replace(node, args=(inside(node.args[0], BIGINT, _FIRST_US - 1, _LAST_US + 1),))


FUNCTIONS = (
    Function(
        "elapsed",
        signature(timestamp, timestamp, gives=INTERVAL),
        _elapsed_values,
        operator(exp.Sub),
        guards(0, 1),
    ),
    Function("interval_us", _us_bind, _us_values, plain("epoch_us"), _us_total),
    Function(
        "elapsed_part",
        _elapsed_part_bind,
        _elapsed_part_values,
        plain("date_part"),
        _elapsed_part_total,
    ),
    shown(named("make_timestamp", _STAMP, _stamp_values, _stamp_total)),
)
