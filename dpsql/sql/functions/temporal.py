"""Date parts, truncation, and a date plus a constant interval.

DuckDB's dates reach far beyond the years 1 to 9999 and include ±infinity; parts of an infinite date
are NULL, and week, date_trunc and arithmetic raise far out. So those are NULL outside the years 1
to 9999, and a part is never NULL only within known bounds.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import date, datetime, timedelta

from sqlglot import exp

from dpsql.plan.expr import Call, Expr, Literal
from dpsql.plan.values import FINITE_LIMIT, Values
from dpsql.sql.functions.spec import (
    Args,
    Function,
    Sql,
    TypeMismatch,
    call,
    coerce,
    op,
    operator,
    plain,
)
from dpsql.sql.functions.typing import integer_constant, require
from dpsql.types import BIGINT, DATE, TIMESTAMP, Type

PARTS: dict[str, tuple[int, int] | None] = {
    "year": None,
    "quarter": (1, 4),
    "month": (1, 12),
    "week": (1, 53),
    "day": (1, 31),
    "dayofweek": (0, 6),
    "isodow": (1, 7),
    "dayofyear": (1, 366),
    "hour": (0, 23),
    "minute": (0, 59),
    "second": (0, 59),
}
"""Each part and the range that it has by definition."""

PART_ALIASES = {
    "years": "year",
    "months": "month",
    "days": "day",
    "dayofmonth": "day",
    "dow": "dayofweek",
    "weekday": "dayofweek",
    "doy": "dayofyear",
    "weekofyear": "week",
    "weeks": "week",
    "quarters": "quarter",
    "hours": "hour",
    "minutes": "minute",
    "seconds": "second",
}

TRUNCATIONS = ("year", "quarter", "month", "week", "day", "hour", "minute")

_YEAR_LIMIT = 290_000  # DuckDB's DATE and TIMESTAMP both end beyond it; ±infinity has no year


def part_name(text: str) -> str | None:
    """The canonical name of a date part, or None."""
    name = text.lower()
    name = PART_ALIASES.get(name, name)
    return name if name in PARTS else None


def _temporal(args: Args, index: int) -> None:
    kind = args[index].type
    if not kind.is_temporal and kind.name != "NULL":
        raise TypeMismatch(f"needs a date or timestamp, not {kind}", index)


def _part_bind(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    _temporal(args, 0)
    return (args[0] if args[0].type.is_temporal else coerce(args[0], DATE),), BIGINT


def _part_values(name: str) -> Callable[[Call, tuple[Values, ...]], Values]:
    limits = PARTS[name]

    def values(node: Call, args: tuple[Values, ...]) -> Values:
        (a,) = args
        if limits is None:
            low = -_YEAR_LIMIT * 25 if a.low is None else a.low.year
            high = _YEAR_LIMIT * 25 if a.high is None else a.high.year
            return Values(low, high, not a.bounded)
        low, high = limits
        if a.bounded and name in ("month", "quarter") and a.low.year == a.high.year:
            low, high = a.low.month, a.high.month
            if name == "quarter":
                low, high = (low + 2) // 3, (high + 2) // 3
        return Values(low, high, not a.bounded)

    return values


def _inside(node: Call, index: int, values: Values) -> Call:
    """`node` with its moment in the years 1 to 9999, or NULL; itself if it always is."""
    if values.bounded:
        return node
    moment = node.args[index]
    args = list(node.args)
    args[index] = call("in_calendar", (moment,), moment.type, moment)
    return call(node.function, tuple(args), node.type, node)


def _part_total(node: Call, values: tuple[Values, ...]) -> Call:
    if node.function in ("week", "dayofyear", "dayofweek"):
        return _inside(node, 0, values[0])
    return node


def _trunc_total(node: Call, values: tuple[Values, ...]) -> Call:
    return _inside(node, 1, values[1])


def _unit(arg: object) -> str:
    if isinstance(arg, Literal) and isinstance(arg.value, str):
        name = PART_ALIASES.get(arg.value.lower(), arg.value.lower())
        if name in TRUNCATIONS:
            return name
    raise TypeMismatch(f"needs one of {', '.join(TRUNCATIONS)}", 0)


def _trunc_bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    _unit(args[0])
    _temporal(args, 1)
    return (args[0], coerce(args[1], TIMESTAMP)), TIMESTAMP


def truncate(unit: str, moment: datetime) -> datetime:
    """The start of the unit that holds `moment`; weeks start on Monday."""
    day = datetime(moment.year, moment.month, moment.day)
    if unit == "year":
        return day.replace(month=1, day=1)
    if unit == "quarter":
        return day.replace(month=3 * ((moment.month - 1) // 3) + 1, day=1)
    if unit == "month":
        return day.replace(day=1)
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "day":
        return day
    if unit == "hour":
        return day.replace(hour=moment.hour)
    return day.replace(hour=moment.hour, minute=moment.minute)


def add_months(moment: datetime, months: int) -> datetime:
    """DuckDB's rule: the same day of the month, or the last one where there is none such."""
    index = moment.year * 12 + moment.month - 1 + months
    year, month = divmod(index, 12)
    day = min(moment.day, calendar.monthrange(year, month + 1)[1])
    return moment.replace(year=year, month=month + 1, day=day)


_SHORTEST = {
    "year": timedelta(days=365),
    "quarter": timedelta(days=90),
    "month": timedelta(days=28),
    "week": timedelta(days=7),
    "day": timedelta(days=1),
    "hour": timedelta(hours=1),
    "minute": timedelta(minutes=1),
}


def _next_unit(unit: str, start: datetime) -> datetime:
    months = {"year": 12, "quarter": 3, "month": 1}
    if unit in months:
        return add_months(start, months[unit])
    return start + _SHORTEST[unit]


def _trunc_values(node: Call, values: tuple[Values, ...]) -> Values:
    a = values[1]
    if not a.bounded:
        return Values(nullable=False)
    unit = _unit(node.args[0])
    low, high = truncate(unit, a.low), truncate(unit, a.high)
    return Values(low, high, False, finite=_starts(unit, low, high))


def _starts(unit: str, low: datetime, high: datetime) -> tuple[datetime, ...] | None:
    """Every start of a unit from `low` to `high`; None where they are too many."""
    if (high - low) / _SHORTEST[unit] > FINITE_LIMIT:
        return None
    starts = [low]
    while starts[-1] < high:
        starts.append(_next_unit(unit, starts[-1]))
    return tuple(starts)


def _plus_bind(args: Args) -> tuple[Args, Type]:
    """moment, months, days, seconds: the last three are whole constants."""
    require(args, 4)
    _temporal(args, 0)
    integer_constant(args[1], 1, -12_000, 12_000)
    integer_constant(args[2], 2, -3_660_000, 3_660_000)
    integer_constant(args[3], 3, -(10**11), 10**11)
    return (coerce(args[0], TIMESTAMP), *args[1:]), TIMESTAMP


def shifted(moment: datetime, months: int, days: int, seconds: int) -> datetime:
    """`moment` plus an interval: months first, then days, then seconds, as DuckDB does."""
    return add_months(moment, months) + timedelta(days=days, seconds=seconds)


def _amounts(node: Call) -> tuple[int, int, int]:
    found = [a.value for a in node.args[1:] if isinstance(a, Literal) and isinstance(a.value, int)]
    return found[0], found[1], found[2]


def _plus_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: the ends of the range, shifted; where months are added to times of day, by whole days
    outward. Why: adding months maps days to days monotonically, and keeps the time of day. But it
    maps several days to the last of a short month, and among those the time alone decides:
    30 January 23:00 and 31 January 01:00 plus a month are 28 February 23:00 and 01:00.
    """
    a, amounts = values[0], _amounts(node)
    low, high = a.low, a.high
    if amounts[0] and not _midnights(node.args[0]):
        low = None if low is None else datetime(low.year, low.month, low.day)
        high = None if high is None else datetime(high.year, high.month, high.day, 23, 59, 59, _US)
    return Values(_moved(low, amounts), _moved(high, amounts), False)


_US = 999_999


def _midnights(moment: Expr) -> bool:
    """Whether it is a DATE made a TIMESTAMP, at midnight."""
    while isinstance(moment, Call) and moment.function in ("in_calendar", "clamp"):
        moment = moment.args[0]
    if isinstance(moment, Call) and moment.function == "date_trunc":
        return _unit(moment.args[0]) not in ("hour", "minute")
    return (
        isinstance(moment, Call)
        and moment.function in ("coerce", "cast", "try_cast")
        and moment.args[0].type == DATE
    )


def _moved(end: datetime | None, amounts: tuple[int, int, int]) -> datetime | None:
    try:
        return None if end is None else shifted(end, *amounts)
    except (ValueError, OverflowError):  # beyond Python's calendar, not the engine's
        return None


def _plus_total(node: Call, values: tuple[Values, ...]) -> Call:
    """From the years 1 to 9999 no constant interval leaves the engine's range; others: NULL."""
    return _inside(node, 0, values[0])


def _plus_sql(args: list[Sql], node: Call) -> Sql:
    result = args[0]
    for amount, unit in zip(_amounts(node), ("MONTH", "DAY", "SECOND"), strict=True):
        if amount:
            interval = exp.Interval(this=exp.Literal.string(str(amount)), unit=exp.Var(this=unit))
            result = op(exp.Add, result, interval)
    return result


def _days_bind(args: Args) -> tuple[Args, Type]:
    """DATE - DATE: whole days."""
    require(args, 2)
    for index, arg in enumerate(args):
        if arg.type.name not in ("DATE", "NULL"):
            raise TypeMismatch(f"needs a date, not {arg.type}", index)
    return tuple(coerce(a, DATE) for a in args), BIGINT


def _days_values(node: Call, values: tuple[Values, ...]) -> Values:
    a, b = values
    if not (a.bounded and b.bounded):
        return Values(-(2**33), 2**33, True)  # all of the engine's calendar
    return Values((a.low - b.high).days, (a.high - b.low).days, False)


def _days_total(node: Call, values: tuple[Values, ...]) -> Call:
    """Infinite dates have no difference: NULL unless both lie within the years 1 to 9999."""
    return _inside(_inside(node, 0, values[0]), 1, values[1])


def as_moment(value: date) -> datetime:
    """Midnight of a date."""
    return datetime(value.year, value.month, value.day)


FUNCTIONS = (
    *(
        Function(
            name,
            _part_bind,
            _part_values(name),
            plain(name),
            _part_total,
            names=(name, *(alias for alias, to in PART_ALIASES.items() if to == name)),
        )
        for name in PARTS
    ),
    Function(
        "date_trunc",
        _trunc_bind,
        _trunc_values,
        plain("date_trunc"),
        _trunc_total,
        names=("date_trunc",),
    ),
    Function("plus_interval", _plus_bind, _plus_values, _plus_sql, _plus_total),
    Function("days_between", _days_bind, _days_values, operator(exp.Sub), _days_total),
)
