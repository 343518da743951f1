"""STRFTIME with a constant format, DAYNAME and MONTHNAME.

Total within the years 1 to 9999; outside, NULL. Only the specifiers below: %z and %Z are of time
zones, and DuckDB's %n writes beyond the text that it makes.

Their texts are listed where they are few, so that they can be group keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import lru_cache

from dpsql.core.functions.moments import (
    ends,
    guards,
    midnight,
    plain_moment,
    starts,
    truncate,
)
from dpsql.core.functions.spec import Args, TypeMismatch, named
from dpsql.core.functions.typing import require, signature
from dpsql.core.plan.expr import Call, Literal
from dpsql.core.plan.values import Values
from dpsql.types import DATE, VARCHAR, Type

MAX_FORMAT = 256
MAX_TEXTS = 20_000

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)


def _week(moment: datetime, first: int) -> str:
    """The week of the year from its first Sunday (6) or Monday (0) on; 0 before."""
    since = (moment.weekday() - first) % 7
    return f"{(moment.timetuple().tm_yday + 6 - since) // 7:02}"


def _twelve(moment: datetime) -> int:
    return moment.hour % 12 or 12


Writer = Callable[[datetime], str]

SPECIFIERS: dict[str, tuple[str, Writer]] = {
    "%": ("", lambda m: "%"),
    "Y": ("year", lambda m: f"{m.year:04}"),
    "y": ("year", lambda m: f"{m.year % 100:02}"),
    "-y": ("year", lambda m: str(m.year % 100)),
    "G": ("day in year", lambda m: f"{m.isocalendar()[0]:04}"),
    "m": ("month", lambda m: f"{m.month:02}"),
    "-m": ("month", lambda m: str(m.month)),
    "B": ("month", lambda m: _MONTHS[m.month - 1]),
    "b": ("month", lambda m: _MONTHS[m.month - 1][:3]),
    "h": ("month", lambda m: _MONTHS[m.month - 1][:3]),
    "d": ("day", lambda m: f"{m.day:02}"),
    "-d": ("day", lambda m: str(m.day)),
    "j": ("day", lambda m: f"{m.timetuple().tm_yday:03}"),
    "-j": ("day", lambda m: str(m.timetuple().tm_yday)),
    "A": ("day", lambda m: _DAYS[m.weekday()]),
    "a": ("day", lambda m: _DAYS[m.weekday()][:3]),
    "u": ("day", lambda m: str(m.isoweekday())),
    "w": ("day", lambda m: str(m.isoweekday() % 7)),
    "V": ("day", lambda m: f"{m.isocalendar()[1]:02}"),
    "U": ("day", lambda m: _week(m, 6)),
    "W": ("day", lambda m: _week(m, 0)),
    "x": ("day in year", lambda m: m.date().isoformat()),
    "H": ("hour", lambda m: f"{m.hour:02}"),
    "-H": ("hour", lambda m: str(m.hour)),
    "I": ("hour", lambda m: f"{_twelve(m):02}"),
    "-I": ("hour", lambda m: str(_twelve(m))),
    "p": ("hour", lambda m: "AM" if m.hour < 12 else "PM"),
    "M": ("minute", lambda m: f"{m.minute:02}"),
    "-M": ("minute", lambda m: str(m.minute)),
    "S": ("second", lambda m: f"{m.second:02}"),
    "-S": ("second", lambda m: str(m.second)),
    "X": ("second", lambda m: m.time().isoformat("seconds")),
    "T": ("second", lambda m: m.time().isoformat("seconds")),
    "g": ("millisecond", lambda m: f"{m.microsecond // 1000:03}"),
    "f": ("microsecond", lambda m: f"{m.microsecond:06}"),
}
"""Each specifier: the unit within which its text does not change, and the text."""

_TIMES = ("microsecond", "millisecond", "second", "minute", "hour")
_PIECE = re.compile(r"%(-?.)|([^%]+)", re.DOTALL)


@lru_cache(maxsize=256)
def pieces(text: str) -> tuple[str | tuple[str, Writer], ...]:
    """A format's parts: plain text, and specifiers.

    Raises:
        TypeMismatch: it is empty, too long, or has an unknown specifier.
    """
    if not 0 < len(text) <= MAX_FORMAT:
        raise TypeMismatch(f"needs a format of 1 to {MAX_FORMAT} characters", 1)
    found: list[str | tuple[str, Writer]] = []
    place = 0
    while place < len(text):
        match = _PIECE.match(text, place)
        name = None if match is None else match[1]
        if match is None or (name is not None and name not in SPECIFIERS):
            raise TypeMismatch(f"the format specifier {text[place : place + 3]} is not known", 1)
        found.append(match[2] if name is None else SPECIFIERS[name])
        place = match.end()
    return tuple(found)


def unit_written(text: str) -> str:
    """The unit within which what a format writes does not change."""
    units = {p[0].partition(" ")[0] for p in pieces(text) if not isinstance(p, str)}
    return next((u for u in (*_TIMES, "day", "month") if u in units), "year")


def written(text: str, moment: datetime) -> str:
    """STRFTIME in Python, as in DuckDB."""
    return "".join(p if isinstance(p, str) else p[1](moment) for p in pieces(text))


@lru_cache(maxsize=256)
def texts(
    text: str, low: datetime, high: datetime, bounded: bool, kind: Type
) -> tuple[str, ...] | None:
    """Every text that moments from `low` to `high` are written as; None where they may be many.

    A format without a year writes the same 28 years as any: all pairs of a year's calendar and the
    length of the year before occur in them, and nothing else of the year matters.
    """
    units = {p[0] for p in pieces(text) if not isinstance(p, str)} - {""}
    days: tuple[datetime, ...] | None = (midnight(low),)
    dated = {u.partition(" ")[0] for u in units} - set(_TIMES)
    if dated:
        unit = next(u for u in ("day", "month", "year") if u in dated)
        first = truncate(unit, low)
        days = starts(unit, first, high, MAX_TEXTS) if bounded and first is not None else None
        if days is None and units.isdisjoint(("year", "day in year")):
            days = starts(unit, datetime(2001, 1, 1), datetime(2028, 12, 31), MAX_TEXTS)
    clock = next((u for u in _TIMES if u in units), None) if kind != DATE else None
    if days is None or clock in ("microsecond", "millisecond"):
        return None
    steps = 1 if clock is None else _PER_DAY[clock]
    if len(days) * steps > MAX_TEXTS:
        return None
    step = timedelta(days=1) / steps
    found = {written(text, day + n * step) for day in days for n in range(steps)}
    return tuple(sorted(found))


_PER_DAY = {"hour": 24, "minute": 1_440, "second": 86_400}


_WIDTHS = {"Y": 4, "y": 2, "m": 2, "d": 2, "j": 3, "H": 2, "M": 2, "S": 2}
"""How many digits a part of a moment is written with, in the years 1000 to 9999."""

_ONLY_DIGITS = re.compile(rf"(?:%[{''.join(_WIDTHS)}]|\d)+", re.ASCII)


def _listed(text: str, a: Values, kind: Type) -> Values:
    low, high = ends(a, kind)
    digits: int | None = None
    if a.bounded and low.year >= 1000 and _ONLY_DIGITS.fullmatch(text):
        digits = sum(_WIDTHS.get(part, 1) for part in text.replace("%", ""))
    found = texts(text, low, high, a.bounded, kind)
    return Values(nullable=not a.bounded, finite=found, digits=digits)


# --- the functions ---


def _format(args: Args) -> str:
    arg = args[1]
    if not isinstance(arg, Literal) or not isinstance(arg.value, str):
        raise TypeMismatch("needs a constant format", 1)
    pieces(arg.value)
    return arg.value


def _bind(args: Args) -> tuple[Args, Type]:
    """DuckDB takes the format first, too."""
    require(args, 2)
    if args[0].type == VARCHAR and args[1].type.is_temporal:
        args = (args[1], args[0])
    moment = plain_moment(args, 0)
    _format(args)
    return (moment, args[1]), VARCHAR


def _values(node: Call, values: tuple[Values, ...]) -> Values:
    return _listed(_format(node.args), values[0], node.args[0].type)


def _name_values(text: str) -> Callable[[Call, tuple[Values, ...]], Values]:
    def values(node: Call, args: tuple[Values, ...]) -> Values:
        return _listed(text, args[0], node.args[0].type)

    return values


_NAME = signature(plain_moment, gives=VARCHAR)

FUNCTIONS = (
    named(
        "strftime",
        _bind,
        _values,
        guards(0),
        timing="0.04 to 0.07 µs within the years 1 to 9999, else 0.01 µs, as for NULL",
    ),
    named("dayname", _NAME, _name_values("%A"), guards(0)),
    named("monthname", _NAME, _name_values("%B"), guards(0)),
)
