"""Dates and timestamps in Spark: of the one calendar without gaps, in days and microseconds,
without a zone.

What is read is of the years 1 to 9999, and what is added is at most 100 years, so that a statement
that can be read leaves no engine's years: Sail's end at 262,000.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpsql.platform.engine.far.operators import Call, Constant, Expr, Unsupported
from dpsql.platform.engine.far.spark_ranges import within
from dpsql.platform.engine.far.spark_words import (
    cast,
)
from dpsql.platform.engine.far.typed_arguments import (
    Printed,
    kinds,
    known,
    word,
)
from dpsql.types import DATE, INTEGER, TIMESTAMP

_DAYS = 36_525
_SECOND = 1_000_000
_MOST = {"months": 1_200, "days": _DAYS, "micros": _DAYS * 86_400 * _SECOND}

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def added(node: Call, args: Sequence[str]) -> str:
    """A date and days, or a date or a timestamp and an interval; days between dates."""
    if [a.type for a in node.args] == [DATE, DATE] and node.name == "-":
        return f"CAST(datediff({args[0]}, {args[1]}) AS BIGINT)"
    pairs = list(zip(node.args, args, strict=True))
    if node.args[-1].type.is_temporal:  # days + date
        pairs.reverse()
    (start, value), (more, days) = pairs
    sign = -1 if node.name == "-" else 1
    if start.type == DATE == node.type and more.type == INTEGER:
        low, high = within(more)
        if low < -_DAYS or high > _DAYS:
            raise Unsupported("a number of days that may be more than 100 years")
        return f"{'date_sub' if sign < 0 else 'date_add'}({value}, {days})"
    if start.type.is_temporal and node.type == TIMESTAMP and more.type.name == "INTERVAL":
        return _moved(cast(value, TIMESTAMP), more, sign)
    raise Unsupported(f"{node.name} of {kinds(node)}")


def _moved(value: str, more: Expr, sign: int) -> str:
    """Months first, which may end on the month's last day, then days, then the rest."""
    found = known(more)
    if not isinstance(found, Constant) or any(abs(found.value[k]) > m for k, m in _MOST.items()):
        raise Unsupported("an interval that is no constant, or is longer than 100 years")
    months, days, micros = (sign * found.value[k] for k in _MOST)
    if months:
        value = f"({value} + INTERVAL '{months}' MONTH)"
    if days:
        value = f"({value} + INTERVAL '{days}' DAY)"
    if micros:
        whole, rest = divmod(abs(micros), _SECOND)
        minus = "-" if micros < 0 else ""
        value = f"({value} + INTERVAL '{minus}{whole}.{rest:06d}' SECOND)"
    return value


def _part(made: Callable[[str], str]) -> Printed:
    """A part of the day on which it is."""
    return lambda node, args: f"CAST({made(_day(node.args[0], args[0]))} AS BIGINT)"


def _day(node: Expr, value: str) -> str:
    if not node.type.is_temporal:
        raise Unsupported(f"a day of {node.type}")
    return value if node.type == DATE else cast(value, DATE)


def _clock(name: str) -> Printed:
    def made(node: Call, args: Sequence[str]) -> str:
        if not node.args[0].type.is_temporal:
            raise Unsupported(f"{name} of {kinds(node)}")
        return f"CAST({name}({cast(args[0], TIMESTAMP)}) AS BIGINT)"

    return made


def _weekday(day: str) -> str:
    """0 for Monday; `weekday` of Sail has another Sunday."""
    return f"((dayofweek({day}) + 5) % 7)"


def _monday(day: str) -> str:
    return f"date_sub({day}, {_weekday(day)})"


def _first(day: str) -> str:
    """Of its month."""
    return f"date_sub({day}, day({day}) - 1)"


def _iso_year(day: str) -> str:
    """The year of the week's Thursday."""
    return f"year(date_add({_monday(day)}, 3))"


def _named(names: Sequence[str], made: Callable[[str], str]) -> Printed:
    def found(node: Call, args: Sequence[str]) -> str:
        place = made(_day(node.args[0], args[0]))
        branches = " ".join(f"WHEN {i} THEN '{name}'" for i, name in enumerate(names))
        return f"CASE {place} {branches} END"

    return found


_TRUNCATED: dict[str | None, Callable[[str], str]] = {
    "year": lambda day: f"date_sub({day}, dayofyear({day}) - 1)",
    "quarter": lambda day: f"add_months({_first(day)}, - ((month({day}) - 1) % 3))",
    "month": _first,
    "week": _monday,
    "day": lambda day: day,
}
"""By the day itself: Sail's `trunc` makes nanoseconds of it, which end in 1677 and 2262."""

_CLOCK = {"hour": 24, "minute": 60, "second": 60}
"""The parts of a day, and how many of each are in the one before."""


def _truncated(node: Call, args: Sequence[str]) -> str:
    unit, (_, inner) = word(node.args[0]), node.args
    if node.type != TIMESTAMP or not inner.type.is_temporal:
        raise Unsupported(f"date_trunc of {kinds(node)}")
    day = _day(inner, args[1])
    if unit in _TRUNCATED:
        return cast(_TRUNCATED[unit](day), TIMESTAMP)
    if unit in _CLOCK and inner.type == DATE:
        return cast(day, TIMESTAMP)
    if unit in _CLOCK:
        return cast(f"date_trunc('{unit.upper()}', {args[1]})", TIMESTAMP)
    raise Unsupported(f"date_trunc to a {unit}")


def _between(node: Call, args: Sequence[str]) -> str:
    """So many ends of a unit are between, or whole weeks; negative from a later day."""
    unit, pairs = word(node.args[0]) or "", list(zip(node.args[1:], args[1:], strict=True))
    if not all(a.type.is_temporal for a, _ in pairs):
        raise Unsupported(f"date_diff of {kinds(node)}")
    first, last = (_day(a, value) for a, value in pairs)
    if unit in _COUNTED:
        count = _COUNTED[unit]
        return f"CAST({count(last)} - {count(first)} AS BIGINT)"
    days = f"CAST(datediff({last}, {first}) AS BIGINT)"
    if unit == "week":
        return f"CAST({days} DIV 7 AS BIGINT)"
    if unit == "day":
        return days
    if unit not in _CLOCK:
        raise Unsupported(f"date_diff of a {unit}")
    a, b = (cast(value, TIMESTAMP) for _, value in pairs)
    found = days
    for name, size in _CLOCK.items():
        found = f"({found} * {size} + ({name}({b}) - {name}({a})))"
        if name == unit:
            break
    return found


_COUNTED: dict[str, Callable[[str], str]] = {
    "year": lambda day: f"year({day})",
    "quarter": lambda day: f"(year({day}) * 4 + quarter({day}))",
    "month": lambda day: f"(year({day}) * 12 + month({day}))",
}


def is_finite(node: Call, args: Sequence[str]) -> str:
    """What is read is no infinity."""
    return f"CASE WHEN {args[0]} IS NOT NULL THEN TRUE END"


DATES: dict[str, Printed] = {
    "year": _part(lambda day: f"year({day})"),
    "quarter": _part(lambda day: f"quarter({day})"),
    "month": _part(lambda day: f"month({day})"),
    "week": _part(lambda day: f"weekofyear({day})"),
    "isoyear": _part(_iso_year),
    "yearweek": _part(lambda day: f"({_iso_year(day)} * 100 + weekofyear({day}))"),
    "day": _part(lambda day: f"day({day})"),
    "dayofyear": _part(lambda day: f"dayofyear({day})"),
    "dayofweek": _part(lambda day: f"(dayofweek({day}) - 1)"),
    "isodow": _part(lambda day: f"({_weekday(day)} + 1)"),
    "hour": _clock("hour"),
    "minute": _clock("minute"),
    "second": _clock("second"),
    "monthname": _named(_MONTHS, lambda day: f"(month({day}) - 1)"),
    "dayname": _named(_WEEKDAYS, _weekday),
    "last_day": lambda node, args: f"last_day({_day(node.args[0], args[0])})",
    "date_trunc": _truncated,
    "date_diff": _between,
}
