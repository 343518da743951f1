"""Parts of a date: YEAR(d), EXTRACT(… FROM d), DATE_PART('…', d), EPOCH(d).

A part of an infinite date is NULL in DuckDB, and so it is never NULL only within known bounds. What
can raise far out (week, isoyear, yearweek), what overflows there, and what the year before the year
1 is counted differently for (decade, century, …) is NULL outside the years 1 to 9999.

Claim: a part of a moment in [low, high] lies between those of the ends, where it only grows: always
for those that count from the start of the calendar, else within one period (months within a year).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import datetime
from fractions import Fraction

from dpsql.core.functions.moments import (
    canonical,
    ends,
    guards,
    plain_moment,
    starts,
    ticks,
    truncate,
)
from dpsql.core.functions.spec import Args, named, shown
from dpsql.core.functions.times import moment_of
from dpsql.core.functions.typing import signature
from dpsql.core.plan.expr import Call, Expr
from dpsql.core.plan.values import Values, nearest, outward
from dpsql.types import BIGINT, DATE, DOUBLE, TIME, Number, Type

_YEAR_LIMIT = 290_000 * 25  # DuckDB's DATE and TIMESTAMP both end before; ±infinity has no year
_EPOCH = ticks(datetime(1970, 1, 1))
_DAY_OF_JULIAN = 1721426  # of the first midnight of the year 1: DuckDB counts from midnight


def _day(moment: datetime) -> Hashable:
    return moment.toordinal()


def _minute(moment: datetime) -> Hashable:
    return ticks(moment) // 60_000_000


def _year(moment: datetime) -> Hashable:
    return moment.year


Part = Callable[[datetime], Number]

RECURRING: dict[str, tuple[int, int, Part, Callable[[datetime], Hashable]]] = {
    "quarter": (1, 4, lambda m: (m.month + 2) // 3, _year),
    "month": (1, 12, lambda m: m.month, _year),
    "week": (1, 53, lambda m: m.isocalendar()[1], lambda m: m.isocalendar()[0]),
    "day": (1, 31, lambda m: m.day, lambda m: (m.year, m.month)),
    "dayofweek": (0, 6, lambda m: m.isoweekday() % 7, lambda m: m.toordinal() // 7),
    "isodow": (1, 7, lambda m: m.isoweekday(), lambda m: (m.toordinal() - 1) // 7),
    "dayofyear": (1, 366, lambda m: m.timetuple().tm_yday, _year),
    "hour": (0, 23, lambda m: m.hour, _day),
    "minute": (0, 59, lambda m: m.minute, lambda m: (m.toordinal(), m.hour)),
    "second": (0, 59, lambda m: m.second, _minute),
    "millisecond": (0, 59_999, lambda m: m.second * 1000 + m.microsecond // 1000, _minute),
    "microsecond": (0, 59_999_999, lambda m: m.second * 10**6 + m.microsecond, _minute),
}
"""Each part that recurs: its range by definition, its value, and the period in which it grows."""

GROWING: dict[str, Part] = {
    "year": lambda m: m.year,
    "decade": lambda m: m.year // 10,
    "century": lambda m: (m.year - 1) // 100 + 1,
    "millennium": lambda m: (m.year - 1) // 1000 + 1,
    "era": lambda m: 1,
    "isoyear": lambda m: m.isocalendar()[0],
    "yearweek": lambda m: m.isocalendar()[0] * 100 + m.isocalendar()[1],
    "epoch": lambda m: Fraction(ticks(m) - _EPOCH, 10**6),
    "julian": lambda m: _DAY_OF_JULIAN + Fraction(ticks(m), 86_400_000_000),
}
"""Each part that only grows from the year 1 on."""

PARTS = (*GROWING, *RECURRING)

_UNGUARDED = ("year", "quarter", "month", "day", "isodow", "hour", "minute", "second")
"""Parts that DuckDB computes everywhere in its calendar."""

_SPELLED = {
    "day": ("dayofmonth",),
    "week": ("weekofyear",),
    "dayofweek": ("weekday",),
}
"""What else they are called as functions."""


def part_name(text: str) -> str | None:
    """The canonical name of a date part, or None."""
    name = canonical(text)
    return name if name in PARTS else None


def _bind(name: str) -> Callable[[Args], tuple[Args, Type]]:
    gives = DOUBLE if name in ("epoch", "julian") else BIGINT
    return signature(_with_times if name in _OF_DAY else plain_moment, gives=gives)


def _with_times(args: Args, index: int) -> Expr:
    """A date, a timestamp, or a time of day: that of a moment has the moment's parts."""
    if args[index].type != TIME:
        return plain_moment(args, index)
    return moment_of(args[index])


def _recurring(name: str) -> Callable[[Call, tuple[Values, ...]], Values]:
    least, most, part, period = RECURRING[name]

    def values(node: Call, args: tuple[Values, ...]) -> Values:
        (a,) = args
        if node.args[0].type == TIME:
            return Values(least, most + (name == "hour"), False)  # 24:00:00 is a time, too
        if not a.bounded:
            return Values(least, most, True)
        low, high = ends(a, node.args[0].type)
        if period(low) == period(high):
            return Values(part(low), part(high), False)
        if node.args[0].type == DATE and name in _OF_DAY:
            return Values(0, 0, False)
        return Values(least, most, False)

    return values


_OF_DAY = ("hour", "minute", "second", "millisecond", "microsecond")


def _growing(name: str) -> Callable[[Call, tuple[Values, ...]], Values]:
    part = GROWING[name]

    def values(node: Call, args: tuple[Values, ...]) -> Values:
        (a,), kind = args, node.args[0].type
        low, high = ends(a, kind)
        bottom, top = part(low), part(high)
        if name == "year" and not a.bounded:
            bottom = -_YEAR_LIMIT if a.low is None else bottom
            top = _YEAR_LIMIT if a.high is None else top
        if node.type.is_float:
            # Up to 2^53 microseconds are an exact double; beyond, the engine rounds twice.
            exact = name == "epoch" and all(abs(ticks(e) - _EPOCH) <= 2**53 for e in (low, high))
            first, last = nearest(bottom, top) if exact else outward(bottom, top)
            return Values(first, last, not a.bounded)
        finite = None
        if name == "yearweek" and a.bounded:
            monday = truncate("week", low)
            weeks = None if monday is None else starts("week", monday, high)
            finite = None if weeks is None else tuple(part(w) for w in weeks)
        return Values(bottom, top, not a.bounded, finite=finite)

    return values


# --- whole milliseconds and microseconds since 1970 ---


def _epoch_values(scale: int) -> Callable[[Call, tuple[Values, ...]], Values]:
    """DuckDB rounds milliseconds half away from zero: at most to the next whole one outward."""

    def values(node: Call, args: tuple[Values, ...]) -> Values:
        low, high = (ticks(end) - _EPOCH for end in ends(args[0], node.args[0].type))
        return Values(low // scale, -(-high // scale), not args[0].bounded)

    return values


def _guarded(node: Call, values: tuple[Values, ...]) -> Call:
    """A moment within the calendar; of a time of day each part can be taken."""
    return node if node.args[0].type == TIME else guards(0)(node, values)


_SHOWN = ("century", "millennium", "era", "yearweek", "julian", "millisecond", "microsecond")

_ALL = (
    *(
        named(
            name,
            _bind(name),
            _recurring(name) if name in RECURRING else _growing(name),
            guards() if name in _UNGUARDED else _guarded,
            also=_SPELLED.get(name, ()),
        )
        for name in PARTS
    ),
    *(
        named(name, _bind(name), _epoch_values(scale), guards(0))
        for name, scale in (("epoch_ms", 1000), ("epoch_us", 1))
    ),
)

FUNCTIONS = tuple(shown(f) if f.name in (*_SHOWN, "epoch_ms", "epoch_us") else f for f in _ALL)
