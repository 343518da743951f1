"""Date parts, truncation, and a date plus a constant interval.

DuckDB's dates reach far beyond the year 9999 and include ±infinity; parts of an infinite date are
NULL, and arithmetic far out raises. So a part is never NULL only within known bounds, and addition
is guarded by constants well inside the engine's range.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import date, datetime, timedelta

from sqlglot import exp

from dpsql.plan.expr import Call, Case, Expr, Literal
from dpsql.plan.values import FINITE_LIMIT, Values
from dpsql.sql.functions.numbers import compare, null
from dpsql.sql.functions.spec import Args, Function, Sql, TypeMismatch, coerce, fn, op
from dpsql.sql.functions.typing import integer_constant, require
from dpsql.types import BIGINT, BOOLEAN, DATE, TIMESTAMP, Type

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


def _part_sql(name: str) -> Callable[[list[Sql], Call], Sql]:
    def build(args: list[Sql], node: Call) -> Sql:
        return fn(name, *args)

    return build


def _inside(moment: Expr, node: Call, values: Values) -> Call | Case:
    """`node` where its moment lies within the years 1 to 9999, else NULL; itself if it always does.

    `week` and `date_trunc` raise at the ends of the engine's calendar, and ±infinity has no parts.
    """
    if values.bounded:
        return node
    kind = moment.type
    first, last = _SAFE if kind == TIMESTAMP else (_SAFE[0].date(), _SAFE[1].date())
    tests = (
        compare("ge", moment, Literal(first, kind)),
        compare("le", moment, Literal(last, kind)),
    )
    return Case(((Call("and", tests, BOOLEAN), node),), null(node.type), node.type, node.span)


def _part_total(node: Call, values: tuple[Values, ...]) -> Call | Case:
    if node.function in ("week", "dayofyear", "dayofweek"):
        return _inside(node.args[0], node, values[0])
    return node


def _trunc_total(node: Call, values: tuple[Values, ...]) -> Call | Case:
    return _inside(node.args[1], node, values[1])


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


def _next_unit(unit: str, start: datetime) -> datetime:
    months = {"year": 12, "quarter": 3, "month": 1}
    if unit in months:
        return add_months(start, months[unit])
    hours = {"week": 168.0, "day": 24.0, "hour": 1.0, "minute": 1 / 60}
    return start + timedelta(hours=hours[unit])


def _trunc_values(node: Call, values: tuple[Values, ...]) -> Values:
    a = values[1]
    if not a.bounded:
        return Values(nullable=False)
    unit = _unit(node.args[0])
    try:
        low, high = truncate(unit, a.low), truncate(unit, a.high)
        starts: list[datetime] = []
        start = low
        while start <= high and len(starts) <= FINITE_LIMIT:
            starts.append(start)
            start = _next_unit(unit, start)
    except (ValueError, OverflowError):  # at the ends of Python's calendar
        return Values(nullable=False)
    finite = tuple(starts) if len(starts) <= FINITE_LIMIT else None
    return Values(low, high, False, finite=finite)


def _trunc_sql(args: list[Sql], node: Call) -> Sql:
    return fn("date_trunc", *args)


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
    a = values[0]
    ends: list[datetime | None] = []
    for end in (a.low, a.high):
        try:
            ends.append(None if end is None else shifted(end, *_amounts(node)))
        except (ValueError, OverflowError):
            ends.append(None)
    return Values(ends[0], ends[1], False)


_SAFE = (datetime(1, 1, 1), datetime(9999, 12, 31))


def _plus_total(node: Call, values: tuple[Values, ...]) -> Call | Case:
    """Within the years 1 to 9999 no constant interval leaves the engine's range; outside: NULL."""
    return _inside(node.args[0], node, values[0])


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
        return Values(-(2**33), 2**33, True)
    return Values((a.low - b.high).days, (a.high - b.low).days, False)


def _days_total(node: Call, values: tuple[Values, ...]) -> Call | Case:
    """Infinite dates have no difference: NULL unless both lie within the years 1 to 9999."""
    if all(v.bounded for v in values):
        return node
    tests = []
    for arg, value in zip(node.args, values, strict=True):
        if not value.bounded:
            tests.append(compare("ge", arg, Literal(_SAFE[0].date(), DATE)))
            tests.append(compare("le", arg, Literal(_SAFE[1].date(), DATE)))
    inside = Call("and", tuple(tests), BOOLEAN)
    return Case(((inside, node),), null(BIGINT), BIGINT, node.span)


def _minus_sql(args: list[Sql], node: Call) -> Sql:
    return op(exp.Sub, args[0], args[1])


def as_moment(value: date) -> datetime:
    """Midnight of a date."""
    return datetime(value.year, value.month, value.day)


FUNCTIONS = (
    *(
        Function(
            name,
            _part_bind,
            _part_values(name),
            _part_sql(name),
            _part_total,
            names=(name, *(alias for alias, to in PART_ALIASES.items() if to == name)),
        )
        for name in PARTS
    ),
    Function(
        "date_trunc", _trunc_bind, _trunc_values, _trunc_sql, _trunc_total, names=("date_trunc",)
    ),
    Function("plus_interval", _plus_bind, _plus_values, _plus_sql, _plus_total),
    Function("days_between", _days_bind, _days_values, _minus_sql, _days_total),
)
