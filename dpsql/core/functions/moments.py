"""Dates and moments: what their functions share, and the calendar's arithmetic in Python.

Python's calendar is the years 1 to 9999. DuckDB's reaches far beyond and has ±infinity, where many
of its functions raise; so an operand that is not known to lie within is guarded by `in_calendar`.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import lru_cache

from dpsql.core.functions.spec import Args, TypeMismatch, call, coerce
from dpsql.core.functions.typing import need
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.core.plan.values import FINITE_LIMIT, Values
from dpsql.types import DATE, TIMESTAMP, Type

FIRST, LAST = datetime.min, datetime.max

ALIASES = {
    **dict.fromkeys(("mil", "mils", "millennia", "millenniums", "millenium"), "millennium"),
    **dict.fromkeys(("c", "cent", "centuries"), "century"),
    **dict.fromkeys(("dec", "decs", "decades"), "decade"),
    **dict.fromkeys(("y", "yr", "yrs", "years"), "year"),
    **dict.fromkeys(("quarters",), "quarter"),
    **dict.fromkeys(("mon", "mons", "months"), "month"),
    **dict.fromkeys(("w", "weeks", "weekofyear"), "week"),
    **dict.fromkeys(("d", "days", "dayofmonth"), "day"),
    **dict.fromkeys(("dow", "weekday"), "dayofweek"),
    **dict.fromkeys(("doy",), "dayofyear"),
    **dict.fromkeys(("h", "hr", "hrs", "hours"), "hour"),
    **dict.fromkeys(("m", "min", "mins", "minutes"), "minute"),
    **dict.fromkeys(("s", "sec", "secs", "seconds"), "second"),
    **dict.fromkeys(("ms", "msec", "msecs", "milliseconds"), "millisecond"),
    **dict.fromkeys(("us", "usec", "usecs", "microseconds"), "microsecond"),
}
"""DuckDB's other names of units and parts."""

MONTHS = {
    "millennium": 12_000,
    "century": 1_200,
    "decade": 120,
    "year": 12,
    "quarter": 3,
    "month": 1,
}
"""Units that are months."""

MICROSECONDS = {
    "week": 7 * 86_400_000_000,
    "day": 86_400_000_000,
    "hour": 3_600_000_000,
    "minute": 60_000_000,
    "second": 1_000_000,
    "millisecond": 1_000,
    "microsecond": 1,
}
"""Units of one length."""


def canonical(name: str) -> str:
    """The one name of a unit or a part; itself where it is none."""
    return ALIASES.get(name.lower(), name.lower())


def unit_of(arg: object, units: tuple[str, ...]) -> str:
    """The unit that the first argument of a call names.

    Raises:
        TypeMismatch: it is no constant, or none of `units`.
    """
    if isinstance(arg, Literal) and isinstance(arg.value, str):
        name = canonical(arg.value)
        if name in units:
            return name
    raise TypeMismatch(f"needs one of {', '.join(units)}", 0)


def temporal(args: Args, index: int) -> None:
    """Raise TypeMismatch unless the argument is a date or a timestamp (or NULL)."""
    need(args, index, args[index].type.is_temporal, "a date or timestamp")


def plain_moment(args: Args, index: int) -> Expr:
    """A date or a timestamp as it is; NULL as a DATE."""
    temporal(args, index)
    return args[index] if args[index].type.is_temporal else coerce(args[index], DATE)


def timestamp(args: Args, index: int) -> Expr:
    """A timestamp; a date as its midnight."""
    temporal(args, index)
    return coerce(args[index], TIMESTAMP)


def alike(args: Args) -> Args:
    """Moments of one type: DATE where all are."""
    kind: Type = DATE if all(a.type.name in ("DATE", "NULL") for a in args) else TIMESTAMP
    return tuple(coerce(a, kind) for a in args)


def guarded(node: Call, index: int, values: Values) -> Call:
    """`node` with its moment in the years 1 to 9999, or NULL; itself if it always is."""
    if values.bounded:
        return node
    moment = node.args[index]
    args = list(node.args)
    args[index] = call("in_calendar", (moment,), moment.type, moment)
    return call(node.function, tuple(args), node.type, node)


def guards(*indices: int) -> Callable[[Call, tuple[Values, ...]], Call]:
    """The totality rule of functions that cannot fail within the years 1 to 9999."""

    def total(node: Call, values: tuple[Values, ...]) -> Call:
        for index in indices:
            node = guarded(node, index, values[index])
        return node

    return total


def as_moment(value: date) -> datetime:
    """Midnight of a date; a moment as it is."""
    if isinstance(value, datetime):
        return value
    return datetime(value.year, value.month, value.day)


def ends(values: Values, kind: Type) -> tuple[datetime, datetime]:
    """The first and the last moment, once guarded; of a DATE, midnights."""
    low = FIRST if values.low is None else as_moment(values.low)
    high = LAST if values.high is None else as_moment(values.high)
    return (midnight(low), midnight(high)) if kind == DATE else (low, high)


def midnight(moment: datetime) -> datetime:
    """The start of its day."""
    return datetime(moment.year, moment.month, moment.day)


def ticks(moment: datetime) -> int:
    """Microseconds since the first moment of the year 1."""
    return (moment - FIRST) // timedelta(microseconds=1)


def month_index(moment: datetime) -> int:
    """Months since the year 0."""
    return moment.year * 12 + moment.month - 1


def last_day(moment: datetime) -> int:
    """How many days its month has."""
    return calendar.monthrange(moment.year, moment.month)[1]


def truncate(unit: str, moment: datetime) -> datetime | None:
    """The start of the unit that holds `moment`; weeks start on Monday. None before the year 1,
    where the first decade, century and millennium start (DuckDB's are 2000 to 2999, and so on).
    """
    if unit in MONTHS:
        year, month = divmod(month_index(moment) // MONTHS[unit] * MONTHS[unit], 12)
        return datetime(year, month + 1, 1) if year >= 1 else None
    if unit == "isoyear":
        return as_moment(date.fromisocalendar(moment.isocalendar()[0], 1, 1))
    since = ticks(moment)  # the year 1 starts on a Monday
    return FIRST + timedelta(microseconds=since - since % MICROSECONDS[unit])


def add_months(moment: datetime, months: int) -> datetime:
    """DuckDB's rule: the same day of the month, or the last one where there is none such."""
    year, month = divmod(month_index(moment) + months, 12)
    day = min(moment.day, calendar.monthrange(year, month + 1)[1])
    return moment.replace(year=year, month=month + 1, day=day)


def shifted(moment: datetime, months: int, days: int, seconds: int) -> datetime:
    """`moment` plus an interval: months first, then days, then seconds, as DuckDB does."""
    return add_months(moment, months) + timedelta(days=days, seconds=seconds)


def _next(unit: str, start: datetime) -> datetime:
    if unit in MONTHS:
        return add_months(start, MONTHS[unit])
    if unit == "isoyear":
        return as_moment(date.fromisocalendar(start.isocalendar()[0] + 1, 1, 1))
    return start + timedelta(microseconds=MICROSECONDS[unit])


@lru_cache(maxsize=256)
def starts(
    unit: str, low: datetime, high: datetime, limit: int = FINITE_LIMIT
) -> tuple[datetime, ...] | None:
    """Every start of a unit from `low`, which is one, to `high`; None where they are too many."""
    shortest = MONTHS[unit] * 28 * MICROSECONDS["day"] if unit in MONTHS else None
    if unit == "isoyear":
        shortest = 364 * MICROSECONDS["day"]
    if (ticks(high) - ticks(low)) // (shortest or MICROSECONDS[unit]) >= limit:
        return None
    found = [low]
    while found[-1] < high:
        try:
            following = _next(unit, found[-1])
        except (ValueError, OverflowError):  # the last one of the calendar
            break
        if following > high:
            break
        found.append(following)
    return tuple(found)
