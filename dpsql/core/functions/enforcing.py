"""Made by rewriting, never by the analyst: bounds that are enforced, and the lattice.

    clamp(x, low, high)    the nearest number in [low, high]; NULL stays NULL, NaN becomes NULL
    inside(x, low, high)   x where low < x < high, else NULL; a bound of NULL is none
    in_calendar(d)         d within the years 1 to 9999, else NULL
    cut(s, n)              the first n characters of a text
    steps(x, step)         x in whole steps

Each takes the same time for every value (a cut, for a text that is longer, that of n characters),
and none repeats its first operand's text more than a clamp does; clamps and cuts are made around
columns alone.
"""

from __future__ import annotations

import math
import struct
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from sqlglot import exp

from dpsql.core.functions.spec import Args, Function, Sql, case_when, cast, fn, op
from dpsql.core.functions.typing import require
from dpsql.core.plan.expr import Call, Literal
from dpsql.core.plan.values import Values, next_down, next_up
from dpsql.types import BIGINT, DATE, TIMESTAMP, VARCHAR, Number, Type

CALENDAR: dict[str, tuple[date, date]] = {
    "DATE": (date(1, 1, 1), date(9999, 12, 31)),
    "TIMESTAMP": (datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)),
}
"""The first and the last moment of the years 1 to 9999."""


def _bind(args: Args) -> tuple[Args, Type]:
    require(args, (1, 3))
    return args, args[0].type


def bound(value: Any, kind: Type, sign: int) -> Literal:
    """A bound as a constant of the column's type: the nearest one not inside of it.

    The engine must read exactly the number from which ranges are inferred; a bound of 0.5 on whole
    numbers, or of 0.125 on a DECIMAL(5,2), would be rounded by it.
    """
    limits = kind.limits()
    if limits is not None:
        scale = 10 ** (kind.scale or 0)
        steps = math.ceil(value * scale) if sign > 0 else math.floor(value * scale)
        value = min(max(Fraction(steps, scale), limits[0]), limits[1])
        value = int(value) if kind.is_integer else value
    elif kind.is_float:
        value = floating(value, kind, sign)
    elif kind.name == "TIMESTAMP" and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    elif kind.name == "DATE" and isinstance(value, datetime):
        value = value.date()
    return Literal(value, kind)


def floating(value: Number, kind: Type, sign: int) -> Fraction:
    """The nearest number of a floating-point type that is not below (or not above) `value`."""
    near = Fraction(float(value))
    if kind.name == "FLOAT":
        near = Fraction(struct.unpack("f", struct.pack("f", near))[0])
    if (near - value) * sign >= 0:
        return near
    if kind.name != "FLOAT":
        return next_up(value) if sign > 0 else next_down(value)
    step = Fraction(2) ** max(math.frexp(near)[1] - 24, -149)
    return near + sign * step


# --- clamp ---


def _clamp_values(node: Call, values: tuple[Values, ...]) -> Values:
    """clamp is monotone, so it maps [a, b] onto [clamp(a), clamp(b)]; a NaN becomes NULL."""
    a, low, high = values
    bottom, top = low.low, high.high
    first = bottom if a.low is None else min(max(a.low, bottom), top)
    last = top if a.high is None else min(max(a.high, bottom), top)
    return Values(first, last, a.nullable or a.nan)


def _clamp_sql(args: list[Sql], node: Call) -> Sql:
    """CASE, not LEAST/GREATEST: those turn NULL into a bound. NaN (above all) becomes NULL.

    But for dates and timestamps: the engine evaluates functions of them at the ends of a column's
    statistics when it plans, which CASE lets through; week() of its first date then raises.
    """
    value, low, high = args
    if node.type.is_temporal:
        present = exp.Not(this=exp.Paren(this=exp.Is(this=value, expression=exp.Null())))
        kept = fn("least", fn("greatest", value, low), high)
        return case_when([(exp.Paren(this=present), kept)], exp.Null())
    branches = [
        (op(exp.LT, value, low), low),
        (op(exp.GT, value, high), high),
    ]
    if node.type.is_float:
        branches.insert(0, (fn("isnan", value), exp.Null()))
    return case_when(branches, value)


# --- inside ---


def following(value: Any, kind: Type, sign: int) -> Any:
    """The next value of the type above (or below) one of its values; of a FLOAT, the next
    double.
    """
    if kind.is_float:
        return next_up(value) if sign > 0 else next_down(value)
    return value + sign * Fraction(1, 10 ** (kind.scale or 0)) if kind.is_decimal else value + sign


def _inside_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: [low, high] within the open interval. Why: what is not in it is NULL; NaN is above
    every number, hence not below an upper bound.
    """
    a, above, below = values
    low, high, nan = a.low, a.high, a.nan
    first = last = None
    if above.low is not None and above.finite != ():
        first = following(above.low, node.type, 1)
        low = first if low is None else max(low, first)
    if below.high is not None and below.finite != ():
        last = following(below.high, node.type, -1)
        high, nan = last if high is None else min(high, last), False
    if low is not None and high is not None and low > high:  # nothing is inside: always NULL
        low = high = last if last is not None else first
    return Values(low, high, True, nan)


def _between(value: Sql, low: Sql | None, high: Sql | None) -> Sql:
    """`value` strictly between, else NULL. Beyond a bound it is moved to it and then made NULL; and
    so is NULL, which LEAST and GREATEST skip.
    """
    if low is not None:
        value = fn("greatest", value, low)
    if high is not None:
        value = fn("least", value, high)
    for bound in (low, high):
        if bound is not None:
            value = fn("nullif", value, bound)
    return value


def _inside_sql(args: list[Sql], node: Call) -> Sql:
    absent = [getattr(a, "value", a) is None for a in node.args]
    low, high = (None if absent[i] else args[i] for i in (1, 2))
    return _between(args[0], low, high)


def _calendar_values(node: Call, values: tuple[Values, ...]) -> Values:
    (a,) = values
    first, last = CALENDAR[node.type.name]
    low, high = first if a.low is None else a.low, last if a.high is None else a.high
    return Values(low, high, a.nullable or not a.bounded, finite=a.finite)


def _calendar_sql(args: list[Sql], node: Call) -> Sql:
    first = cast(exp.Literal.string("0001-12-31 (BC)"), DATE)
    after = cast(exp.Literal.string("10000-01-01"), DATE)
    if node.type == TIMESTAMP:
        # Exclusive: the last microsecond before the year 1, and the first of the year 10000.
        first = cast(exp.Literal.string("0001-12-31 (BC) 23:59:59.999999"), TIMESTAMP)
        after = cast(exp.Literal.string("10000-01-01 00:00:00"), TIMESTAMP)
    return _between(args[0], first, after)


# --- cut ---


def _cut_bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    return args, VARCHAR


def _cut_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: a text of at most n characters; of a known one, its first n. Its length is told by
    `string_length`.
    """
    text, most = values
    if text.finite is None:
        return Values(nullable=False)
    first = (v[: most.high] for v in text.finite if isinstance(v, str))
    return Values(nullable=False, finite=tuple(dict.fromkeys(first)))


def _cut_sql(args: list[Sql], node: Call) -> Sql:
    """STRLEN, in bytes, is stored beside a text: most need no more than that."""
    value, most = args
    short = exp.Paren(this=exp.LTE(this=fn("strlen", value), expression=most))
    start = exp.Literal.number(1)
    return case_when([(short, value)], fn("substring", value, start, most))


# --- steps ---


def _steps_bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    return args, BIGINT


def _steps_values(node: Call, values: tuple[Values, ...]) -> Values:
    """round(x / step). For a step that is a power of two the division is exact, and rounding to
    whole numbers does not pass the ones at or around the ends. For another step, where x / step is
    below 2^40, the quotient is off by less than 2^-10: it does not reach a further whole number.
    """
    a, step = values
    low = None if a.low is None else math.floor(a.low / step.low)
    high = None if a.high is None else math.ceil(a.high / step.low)
    return Values(low, high, False)


def _steps_sql(args: list[Sql], node: Call) -> Sql:
    return cast(fn("round", op(exp.Div, args[0], args[1])), BIGINT)


FUNCTIONS = (
    Function("clamp", _bind, _clamp_values, _clamp_sql, strict=False),
    Function("inside", _bind, _inside_values, _inside_sql, strict=False),
    Function("in_calendar", _bind, _calendar_values, _calendar_sql, strict=False),
    Function("cut", _cut_bind, _cut_values, _cut_sql),
    Function("steps", _steps_bind, _steps_values, _steps_sql),
)
