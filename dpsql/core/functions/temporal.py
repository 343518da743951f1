"""Truncation, constant intervals, and a moment plus one of them; the days between two dates.

All raise far out in DuckDB's calendar and for infinities; so they are NULL outside the years 1 to
9999, from which no interval that is allowed leaves the engine's range.
"""

from __future__ import annotations

from datetime import datetime

from sqlglot import exp

from dpsql.core.functions.moments import (
    MICROSECONDS,
    MONTHS,
    ends,
    guards,
    shifted,
    starts,
    timestamp,
    truncate,
    unit_of,
)
from dpsql.core.functions.spec import (
    Args,
    Function,
    Sql,
    any_interval,
    coerce,
    named,
    op,
    operator,
)
from dpsql.core.functions.typing import integer_constant, need, require
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.core.plan.values import Values
from dpsql.types import BIGINT, DATE, INTERVAL, TIMESTAMP, Type

TRUNCATIONS = (*MONTHS, *MICROSECONDS, "isoyear")


# --- truncation ---


def _trunc_bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    unit_of(args[0], TRUNCATIONS)
    return (args[0], timestamp(args, 1)), TIMESTAMP


def _trunc_values(node: Call, values: tuple[Values, ...]) -> Values:
    """The starts of the units that hold the ends; truncation is monotone."""
    a = values[1]
    if not a.bounded:
        return Values()
    unit = unit_of(node.args[0], TRUNCATIONS)
    low, high = ends(a, TIMESTAMP)
    first, last = truncate(unit, low), truncate(unit, high)
    listed = None if first is None or last is None else starts(unit, first, last)
    return Values(first, last, False, finite=listed)


# --- constant intervals ---


def _amounts_bind(args: Args, first: int) -> None:
    """Months, days, seconds: whole constants, from argument `first` on."""
    integer_constant(args[first], first, -12_000, 12_000)
    integer_constant(args[first + 1], first + 1, -MOST_DAYS, MOST_DAYS)
    integer_constant(args[first + 2], first + 2, -(10**11), 10**11)


MOST_DAYS = 3_660_000
"""The most days that are added: from the years 1 to 9999 they do not leave the engine's range."""


def _interval_bind(args: Args) -> tuple[Args, Type]:
    require(args, 3)
    _amounts_bind(args, 0)
    return args, INTERVAL


def amounts(node: Call) -> tuple[int, int, int]:
    """Months, days and seconds: the last three arguments."""
    found = [a.value for a in node.args[-3:] if isinstance(a, Literal) and isinstance(a.value, int)]
    return found[0], found[1], found[2]


def _interval(amount: int, unit: str) -> Sql:
    return exp.Interval(this=exp.Literal.string(str(amount)), unit=exp.Var(this=unit))


def _terms(node: Call) -> list[Sql]:
    pairs = zip(amounts(node), ("MONTH", "DAY", "SECOND"), strict=True)
    return [_interval(amount, unit) for amount, unit in pairs if amount]


def _interval_sql(args: list[Sql], node: Call) -> Sql:
    first, *rest = _terms(node) or [_interval(0, "DAY")]
    for term in rest:
        first = op(exp.Add, first, term)
    return first


def is_interval(expr: Expr) -> bool:
    """Whether it is a constant interval."""
    return isinstance(expr, Call) and expr.function == "interval"


# --- a moment plus a constant interval ---


def _plus_bind(args: Args) -> tuple[Args, Type]:
    """moment, months, days, seconds: the last three are whole constants."""
    require(args, 4)
    moment = timestamp(args, 0)
    _amounts_bind(args, 1)
    return (moment, *args[1:]), TIMESTAMP


def _plus_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: the ends of the range, shifted; where months are added to times of day, by whole days
    outward. Why: adding months maps days to days monotonically, and keeps the time of day. But it
    maps several days to the last of a short month, and among those the time alone decides:
    30 January 23:00 and 31 January 01:00 plus a month are 28 February 23:00 and 01:00.
    """
    a, by = values[0], amounts(node)
    low, high = a.low, a.high
    if by[0] and not midnights(node.args[0]):
        low, high = outward(low, high)
    return Values(_shifted(low, by), _shifted(high, by), False)


def outward(low: datetime | None, high: datetime | None) -> tuple[datetime | None, datetime | None]:
    """The first moment of the day of the one end, and the last of that of the other."""
    low = None if low is None else datetime(low.year, low.month, low.day)
    high = None if high is None else datetime(high.year, high.month, high.day, 23, 59, 59, _US)
    return low, high


_US = 999_999

_WITHIN_A_DAY = ("hour", "minute", "second", "millisecond", "microsecond")


def midnights(moment: Expr) -> bool:
    """Whether it is a DATE, or one made a TIMESTAMP, at midnight."""
    while isinstance(moment, Call) and moment.function in ("in_calendar", "clamp"):
        moment = moment.args[0]
    if isinstance(moment, Call) and moment.function == "date_trunc":
        return unit_of(moment.args[0], TRUNCATIONS) not in _WITHIN_A_DAY
    if moment.type == DATE:
        return True
    return (
        isinstance(moment, Call)
        and moment.function in ("coerce", "cast", "try_cast")
        and moment.args[0].type == DATE
    )


def _shifted(end: datetime | None, by: tuple[int, int, int]) -> datetime | None:
    try:
        return None if end is None else shifted(end, *by)
    except (ValueError, OverflowError):  # beyond Python's calendar, not the engine's
        return None


def _plus_sql(args: list[Sql], node: Call) -> Sql:
    result = args[0]
    for term in _terms(node):
        result = op(exp.Add, result, term)
    return result


# --- the days between two dates ---


def _days_bind(args: Args) -> tuple[Args, Type]:
    """DATE - DATE: whole days."""
    require(args, 2)
    for index, arg in enumerate(args):
        need(args, index, arg.type == DATE, "a date")
    return tuple(coerce(a, DATE) for a in args), BIGINT


def _days_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Guarded, both dates lie in the calendar."""
    (a_low, a_high), (b_low, b_high) = (ends(v, DATE) for v in values)
    nullable = not all(v.bounded for v in values)
    return Values((a_low - b_high).days, (a_high - b_low).days, nullable)


FUNCTIONS = (
    named("date_trunc", _trunc_bind, _trunc_values, guards(1)),
    Function("interval", _interval_bind, any_interval, _interval_sql),
    Function("plus_interval", _plus_bind, _plus_values, _plus_sql, guards(0)),
    Function("days_between", _days_bind, _days_values, operator(exp.Sub), guards(0, 1)),
)
