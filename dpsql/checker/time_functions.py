"""What functions of days and moments can be: their parts, and how many lie between two."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import partial
from math import floor
from typing import Any

from dpsql.checker.tree import words
from dpsql.checker.values import ANY, MANY, NONE, ONE, TICK, Value, corners, one


def _moment(end: Fraction) -> datetime:
    """The moment of a number of days.

    Raises:
        ValueError, OverflowError: it is none of Python's years.
    """
    start = datetime.fromordinal(floor(end))
    return start + timedelta(microseconds=int((end - floor(end)) * 86_400_000_000))


RISING = words("year isoyear decade")
PARTS: Mapping[str, tuple[int, int, Callable[[datetime], int]]] = {
    "year": (-5_900_000, 5_900_000, lambda d: d.year),
    "isoyear": (-5_900_000, 5_900_000, lambda d: d.isocalendar()[0]),
    "decade": (-5_900_000, 5_900_000, lambda d: d.year // 10),
    "quarter": (1, 4, lambda d: (d.month + 2) // 3),
    "month": (1, 12, lambda d: d.month),
    **dict.fromkeys(("day", "dayofmonth"), (1, 31, lambda d: d.day)),
    "dayofweek": (0, 6, lambda d: d.isoweekday() % 7),
    "isodow": (1, 7, lambda d: d.isoweekday()),
    "dayofyear": (1, 366, lambda d: d.timetuple().tm_yday),
    "week": (1, 53, lambda d: d.isocalendar()[1]),
    "hour": (0, 23, lambda d: d.hour),
    "minute": (0, 59, lambda d: d.minute),
    "second": (0, 59, lambda d: d.second),
}


def _part(name: str) -> Callable[..., Value]:
    """A part of a time, NULL of an infinite one; later in one month or year it is more. An interval
    has as many days, or hours, as it likes.
    """
    low, high, of = PARTS[name]

    def made(a: Value) -> Value:
        if a.kind not in ("date", "time") and a.type != "TIME":
            return Value()
        # A TIME may be 24:00:00. What is infinite, as no TIME is, has no parts.
        most = Fraction(high + (name + a.type == "hourTIME"))
        ends = Value(Fraction(low), most, a.null or (a.type != "TIME" and not a.bounded), "whole")
        year = corners((lambda x: _moment(x).year,), (a,), "whole")
        first, last = int(a.low or 0), int(a.high or 0)
        if a.kind == "date" and year.bounded and last - first <= 366:  # a time has hours, too
            days = map(Fraction, range(first, last + 1))
            every = frozenset(Fraction(of(_moment(day))) for day in days)
            return Value(min(every), max(every), a.null, "whole", every)
        rises = name in RISING or (name == "month" and year.low == year.high)
        if not year.bounded or not (rises or a.low == a.high):
            return ends
        found = corners((lambda x: of(_moment(x)),), (a,), "whole")
        return ends.clipped(found.low, found.high)

    return made


SPLIT = {"day": 1, "hour": 24, "minute": 1440, "second": 86_400, "millisecond": 86_400_000}
SPLIT |= {"microsecond": 86_400_000_000}
EPOCH = date(1970, 1, 1).toordinal()

MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200, "millennium": 12000}
BEGUN: Mapping[str, Callable[[Fraction], int]] = {
    **{name: partial(lambda n, x: floor(x * n), n) for name, n in SPLIT.items()},
    "week": lambda x: (floor(x) - 1) // 7,
    "isoyear": lambda x: _moment(x).isocalendar()[0],
    **{
        name: partial(lambda n, x: (12 * (at := _moment(x)).year + at.month - 1) // n, n)
        for name, n in MONTHS.items()
    },
}
"""The numbers of the months, or hours, in which moments are; they never fall."""


def _named(part: Value) -> str:
    return str(next(iter(part.among or ("",)))) if part.count == 1 else ""


def _difference(part: Value, a: Value, b: Value, *offs: int) -> Value:
    """How many days, months, years begin between two dates; or so many more or less. Of weeks, how
    many lie between their days.
    """
    name = _named(part)
    if name not in BEGUN or not {a.kind, b.kind} <= {"date", "time"}:
        return Value(kind="whole")
    n, size = BEGUN["day" if name == "week" else name], Fraction(7 if name == "week" else 1)
    ways = [lambda x, y, o=o: int((n(y) - n(x) + o) / size) for o in offs or (0,)]
    return corners(ways, (a, b), "whole")


def _passed(part: Value, a: Value, b: Value) -> Value:
    """How many have passed, toward 0: more up to what is later, fewer from it. So do the months
    from one day to another; from one moment, they are what begins, or one less.
    """
    name, kinds = _named(part), {a.kind, b.kind}
    if name not in {*SPLIT, *MONTHS, "week"} or not kinds <= {"date", "time"}:
        return Value(kind="whole")
    size = Fraction(7) if name == "week" else Fraction(1, SPLIT.get(name, 1))
    if name not in MONTHS:
        return corners((lambda x, y: int((y - x) / size),), (a, b), "whole")
    lacks = (_lacks,) if kinds == {"date"} else (lambda *_: 0, lambda *_: 1)
    ways = [lambda x, y, lack=lack: _months(x, y, lack, MONTHS[name]) for lack in lacks]
    return corners(ways, (a, b), "whole")


def _months(x: Fraction, y: Fraction, lack: Callable[[Fraction, Fraction], int], size: int) -> int:
    if x > y:
        return -_months(y, x, lack, size)
    begun = BEGUN["month"](y) - BEGUN["month"](x)
    return (begun - (begun and lack(x, y))) // size


def _lacks(x: Fraction, y: Fraction) -> bool:
    """Whether y's day comes before x's in the month, and is not the last: then a month that began
    on x's is not over. One from the 31st is over on the last day of a shorter one.
    """
    return _moment(x).day > _moment(y).day and _moment(y).month == _moment(y + 1).month


def _age(a: Value, b: Value) -> Value:
    """The years between: one less, perhaps, than there are between their numbers."""
    found = _difference(Value(among=one("year")), b, a, -1, 0)
    high = found.high + (found.high < 0) if found.high is not None else None
    return replace(found, kind="age", high=high)


def _begun(
    a: Value, number: Callable[[Fraction], int], start: Callable[[int], Any], kind: str
) -> Value:
    """The start of that month, or bucket, in which a moment is: that of one between the ends. Their
    numbers never fall, nor do starts of what is later.
    """
    found = corners((lambda x: start(number(x)),), (a,), kind)
    if a.kind not in ("date", "time") or a.low is None or a.high is None or not found.bounded:
        return Value()
    numbers = range(number(a.low), number(a.high) + 1)
    return found.of(frozenset(Fraction(start(n)) for n in numbers) if len(numbers) < MANY else None)


def _truncated(part: Value, a: Value) -> Value:
    name = _named(part)
    return _begun(a, BEGUN[name], STARTS[name], "time") if name in STARTS else Value()


def _bucket(width: Value, a: Value) -> Value:
    """The buckets of months are counted from 2000, others from its first Monday."""
    size, monday = width.low, date(2000, 1, 3).toordinal()
    if not size or size < 0 or size != width.high or width.kind not in SPANS:
        return Value()
    if size % (ONE if a.kind == "date" else TICK):
        return Value()  # it is rounded
    if width.kind == "days":
        return _begun(a, lambda x: floor((x - monday) / size), lambda n: monday + n * size, a.kind)
    first, month = 12 * 2000, BEGUN["month"]
    start = lambda n: STARTS["month"](first + n * int(size))  # noqa: E731
    return _begun(a, lambda x: (month(x) - first) // int(size), start, a.kind)


SPANS = frozenset({"days", "months"})


def moved(a: Value, span: Value, sign: int) -> Value:
    """The moment so many days or months later, or before it; a month that is too short ends on its
    last day. Nothing is known of spans that are rounded.
    """
    if any(end is None or end % TICK for end in (span.low, span.high)):
        return Value(null=a.null or span.null, kind="time")
    if span.kind == "days":
        return corners((lambda x, by: x + sign * by,), (a, span), "time")
    return corners((lambda x, by: _later(x, sign * int(by)),), (a, span), "time")


def _later(x: Fraction, months: int) -> Fraction:
    month = BEGUN["month"](x) + months
    last = min(STARTS["month"](month) + _moment(x).day, STARTS["month"](month + 1)) - 1
    return Fraction(last) + x % 1


def _span(kind: str, size: Fraction) -> Callable[..., Value]:
    """An interval of so many days, or months, but that it is rounded to microseconds."""
    kinds = ("whole", "float")[: 1 + (size < 1)]
    return lambda a: corners((lambda x: x * size,), (a,), kind) if a.kind in kinds else ANY


STARTS: Mapping[str, Callable[[int], Any]] = {
    **{name: partial(lambda per, n: Fraction(n, per), per) for name, per in SPLIT.items()},
    "week": lambda n: 7 * n + 1,
    **{
        name: partial(lambda per, n: date(n * per // 12, n * per % 12 + 1, 1).toordinal(), per)
        for name, per in MONTHS.items()
    },
}
"""Where the month, or the hour, of a number begins."""


def _formatted(a: Value, form: Value) -> Value:
    """The texts that Python writes of the days; of two years, where none and no week is named."""
    text = _named(form).replace("%h", "%b")
    named = {*re.findall("%-?(.)", text)} if a.kind in ("date", "time") else set()
    first, last = (0 if end is None else floor(end) for end in (a.low, a.high))
    if last - first > MANY and (named <= {*"mbBdj"} or named <= {*"aAuw"}):
        first, last = 730_120, 730_850
    sure = NONE < named <= {*"YymbBdjaAuwVUWG"} and 365_000 < first <= last < 3_652_000
    sure &= text.isprintable() and date(2001, 5, 1).strftime("%A%a%B%b") == "TuesdayTueMayMay"
    days = map(date.fromordinal, range(first, last + 1 if sure and last - first <= MANY else first))
    texts = frozenset(day.strftime(text) for day in days) or None
    return Value(None, None, a.null or not sure, "text", texts)


def _date_part(part: Value, a: Value) -> Value:
    name = _named(part)
    if a.kind == "age" and name == "year":
        return replace(a, kind="whole")
    return OF_MOMENTS[name](a) if name in {"epoch", *PARTS} and a.kind != "age" else Value()


def _epoch(a: Value) -> Value:
    """Seconds since 1970: of microseconds that are a float before they are divided. NULL of an
    infinite one.
    """
    found = corners((lambda x: float(86_400_000_000 * (x - EPOCH)) / 10**6,), (a,), "float")
    return found.but(a.null or not a.bounded) if a.kind in ("date", "time") else Value(kind="float")


OF_MOMENTS: Mapping[str, Callable[..., Value]] = {
    "epoch": _epoch,
    **dict.fromkeys(("date_trunc", "datetrunc"), _truncated),
    "last_day": lambda a: _begun(a, BEGUN["month"], lambda n: STARTS["month"](n + 1) - 1, "date"),
    "time_bucket": lambda *args: _bucket(*args) if len(args) == 2 else ANY,
    "to_months": _span("months", ONE),
    "to_days": _span("days", ONE),
    "to_seconds": _span("days", Fraction(1, 86_400)),
    **dict.fromkeys(("date_part", "datepart"), _date_part),
    "strftime": _formatted,
    "monthname": lambda a: _formatted(a, Value(among=one("%B"))),
    "dayname": lambda a: _formatted(a, Value(among=one("%A"))),
    **dict.fromkeys(("date_diff", "datediff"), _difference),
    **dict.fromkeys(("date_sub", "datesub"), _passed),
    "age": _age,
    **{name: _part(name) for name in PARTS},
}
