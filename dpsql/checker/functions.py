"""The functions that the checker believes: that each is a function of its arguments alone, and, of
some, what they can be, mostly by the rule of `values.corners`. Any other is refused.

`tests/checker/test_functions.py` compares every range with what DuckDB computes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod, trunc
from operator import mul
from typing import Any

from dpsql.checker.time_functions import OF_MOMENTS, SPANS, moved
from dpsql.checker.tree import words
from dpsql.checker.values import (
    ANY,
    MANY,
    NONE,
    NUMBERS,
    ONE,
    TICK,
    TRUTH,
    ULPS,
    UNSIGNED,
    ZERO,
    Value,
    common,
    corners,
    digits,
    floated,
    hull,
    never,
    outward,
    rounded,
    told,
)

PURE = words(
    """
    ^ !~~ !~~* acosh asinh atanh cosh cot tan gamma lgamma bit_length chr ends_with to_base bin
    md5 sha256 century weekday epoch_ms epoch_us epoch_ns era julian make_date make_time
    make_timestamp millennium microsecond millisecond to_hours to_microseconds
    to_milliseconds to_minutes to_weeks to_years weekofyear yearweek list_value list_apply list_sort
    list_extract hex array_to_string levenshtein damerau_levenshtein jaccard jaro_similarity hamming
    editdist3 mismatches signbit nextafter strip_accents bar format printf url_encode soundex
    """
)
"""Functions of which nothing more is known than that they are; beside those of `RANGES`."""

STRICT = words(
    """
    + - * / // % abs floor ceil ceiling round trunc sign ~~ ~~* ~~~ contains starts_with prefix
    suffix upper lower substring
    """
)
"""NULL only if an argument is; and NULL, or not a number, where it is divided by 0."""


def _null(*args: Value) -> bool:
    return any(a.null for a in args)


def _zero(*_: object) -> Fraction:
    return ZERO


def _arithmetic(function: Callable[..., Any]) -> Callable[..., Value]:
    """+, -, *: exact of exact numbers, which fail where they overflow; else rounded."""

    def made(*args: Value) -> Value:
        kind, short = common({a.kind for a in args}), any(a.type == "REAL" for a in args)
        if function is _minus and len(args) == 2 and kind == "date":
            kind = "whole"
        if len(args) == 2 and args[0].kind in ("date", "time") and args[1].kind in SPANS:
            return moved(*args, sign=int(function(ZERO, ONE)))
        if [a.kind for a in args] == ["date", "whole"]:
            return corners((function,), args, "date")
        if kind not in NUMBERS:
            return Value(null=_null(*args))
        if kind == "float":
            found = corners((function,), [floated(a, short=short) for a in args], kind)
            low, high = rounded(found.low, found.high, short=short)
            return replace(found, low=low, high=high, type="REAL" if short else "")
        sizes = [digits(a.type) or (0, 99 * (a.kind != "whole")) for a in args]
        after = (sum if function is mul else max)(size[1] for size in sizes)
        known = kind == "exact" and after < 39
        found = corners((function,), args, kind)
        return replace(found, type=f"DECIMAL(38,{after})" if known else "")

    return made


def _minus(*ends: Any) -> Any:
    return ends[0] - ends[1] if len(ends) == 2 else -ends[0]


def _quotient(x: Fraction, y: Fraction) -> Any:
    """x / y in floats; nothing is known where y may be 0."""
    return Fraction(float(Fraction(float(x)) / Fraction(float(y)))) if y else math.nan


def _divide(a: Value, b: Value) -> Value:
    short = "REAL" in (a.type, b.type)
    return Value(kind="float") if short else corners((_quotient,), (a, b), "float", (ZERO,))


def _whole_divide(a: Value, b: Value) -> Value:
    """Of whole numbers, rounded towards 0; by 0 it is NULL."""
    if not a.kind == b.kind == "whole":
        return Value()
    return corners((lambda x, y: trunc(x / y) if y else None,), (a, b), "whole", (-ONE, ZERO, ONE))


def _rounds(*ways: Callable[[Fraction], int], floats: str = "") -> Callable[..., Value]:
    """To so many digits, in any of these ways; numbers of these kinds are made floats before."""

    def made(a: Value, to: Value = Value(ZERO, ZERO, False)) -> Value:  # noqa: B008
        a = floated(a, short=False) if a.kind in floats.split() else a
        if to.low is None or to.low != to.high:
            return Value(kind=a.kind)
        part = Fraction(10) ** int(to.low)
        return corners([lambda x, w=w: w(x * part) / part for w in ways], (a,), a.kind)

    return made


def _size_of(a: Value) -> Value:
    found = corners((abs,), (a,), a.kind, (ZERO,)) if a.kind in NUMBERS else Value()
    return replace(found, type=a.type) if a.kind == "exact" else found


def _round(a: Value, to: Value = Value(ZERO, ZERO, False)) -> Value:  # noqa: B008
    """To the nearest, a half away from 0; of floats, to digits up or down."""
    ways = (lambda x: trunc(2 * x) - trunc(x),) if to.high == ZERO else (floor, ceil)
    return _rounds(*ways)(a, to)


def _library(
    function: Callable[..., float], *turns: Fraction, positive: bool = False
) -> Callable[..., Value]:
    """A function of floats, as a library has it: right but for a few units in the last place, and
    never on the wrong side of 0 where it is `positive`.
    """

    def made(*args: Value) -> Value:
        found = corners((lambda *at: function(*map(float, at)),), args, "float", turns, ULPS)
        return found.clipped(ZERO, None) if positive else found

    return made


def _power(a: Value, b: Value) -> Value:
    """a to powers: monotone in each on either side of 0; of what is negative to one whole power."""
    one_whole = b.low == b.high and b.low is not None and b.low.denominator == 1
    if a.low is None or b.low is None or (a.low < 0 and not one_whole):
        return Value(kind="float")
    positive = a.low >= 0 or (one_whole and b.low % 2 == 0)
    return _library(math.pow, ZERO, positive=positive)(a, b)


def _within(low: Any, high: Any, kind: str, null: bool = False) -> Callable[..., Value]:
    """A function of which no more is known than these ends."""
    return lambda *args: Value(Fraction(low), Fraction(high), null or _null(*args), kind)


def _angle(low: float, high: float) -> Callable[..., Value]:
    """The same of floats: not a number where one is infinite, or none itself."""
    known = _within(*outward(low, high), "float")
    return lambda *args: (
        known(*args)
        if all(a.bounded or a.kind in ("whole", "exact") for a in args)
        else Value(null=_null(*args), kind="float")
    )


def _rest(a: Value, b: Value) -> Value:
    """a % b: of the sign of a, and nearer to 0 than b, by a digit at least; nothing is said of it,
    which may be a float, where the digits of both may be none of a DECIMAL.
    """
    kinds, many = {a.kind, b.kind}, (39, 0)
    if not kinds <= {"whole", "exact"} or b.high is None or b.low is None:
        return Value()
    sizes = [digits(v.type) or many for v in (a, b)]
    if kinds != {"whole"} and sum(map(max, *sizes)) > 38:
        return Value()  # of no kind: a float is compared with rounded numbers, a DECIMAL is not
    after = max(after for _, after in sizes)
    kind = "" if kinds == {"whole"} else f"DECIMAL({sum(map(max, *sizes))},{after})"
    most = max(abs(b.low), abs(b.high)) - Fraction(1, 10**after)
    null = _null(a, b) or b.low <= 0 <= b.high
    low, high = (None if e is None else pick(e, ZERO) for e, pick in ((a.low, min), (a.high, max)))
    return Value(-most, most, null, common(kinds), None, kind).clipped(low, high)


def _naturals(*ways: Callable[..., Any]) -> Callable[..., Value]:
    """A function of whole numbers; nothing is known of it where one is negative."""

    def made(a: Value, *more: Value) -> Value:
        if any(v.kind != "whole" or v.low is None or v.low < 0 for v in (a, *more)):
            return Value()
        return corners(ways, (a, *more), "whole")

    return made


def _digits(x: Fraction, y: Fraction) -> int:
    """All ones, as many as the longer number has digits."""
    return (1 << max(int(max(e, -e - 1)).bit_length() for e in (x, y))) - 1


def _held(a: Value, b: Value, least: Callable[..., Any] = _zero) -> Value:
    """What as many digits hold: from the least that two natural numbers make, or with a sign."""
    found = _naturals(least, _digits)(a, b)
    if found.bounded or {a.kind, b.kind} != {"whole"}:
        return found
    return corners((_digits, lambda x, y: ~_digits(x, y)), (a, b), "whole")


def _both(a: Value, b: Value) -> Value:
    highs = [v.high for v in (a, b) if v.low is not None and v.low >= 0 and v.high is not None]
    whole = {a.kind, b.kind} == {"whole"} and highs
    return Value(ZERO, min(highs), _null(a, b), "whole") if whole else _held(a, b)


def _ones(a: Value) -> Value:
    bits = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64}.get(a.type, 128)
    digits = _naturals(lambda x: int(x).bit_length())(a)
    return Value(min(digits.low or ZERO, ONE), digits.high or Fraction(bits), a.null, "whole")


def _shift(a: Value, b: Value, way: Callable[..., Any]) -> Value:
    """By a number of digits; by no such number it is an error, or 0."""
    usual = Value(ZERO, Fraction(127), b.null, "whole")
    low, high = (None if e is None else min(max(e, ZERO), Fraction(127)) for e in (b.low, b.high))
    sure = b.bounded and (low, high) == (b.low, b.high)
    return _naturals(way, *[_zero] * (not sure))(a, usual.clipped(low, high))


def _size(code: str, most: int = 1) -> Callable[..., Value]:
    """How many numbers of a code a text has, at most so many for a character."""

    def made(a: Value, *_: Value) -> Value:
        listed = [len(v.encode(code)) for v in a.among or () if isinstance(v, str)]
        width = len("a".encode(code))
        if listed and len(listed) == a.count and a.kind == "text":
            low, high = (Fraction(pick(listed), width) for pick in (min, max))
            return Value(low, high, a.null, "whole")
        low = ZERO if a.kind != "text" or a.low is None else a.low
        high = Fraction(2**40) if a.kind != "text" or a.high is None else most * a.high
        return Value(low, high, a.null, "whole")

    return made


def _cut(a: Value, start: Value, length: Value | None = None) -> Value:
    """A part of a text is no longer than it, nor than was asked for."""
    high = None if length is None or length.low is None or length.low < 0 else length.high
    null = _null(a, start, *([length] if length else []))
    high = high if length is None or length.kind == "whole" else None
    return Value(ZERO, a.high, null, "text").clipped(None, high) if a.kind == "text" else Value()


def _extreme(pick: Callable[[Sequence[Fraction]], Fraction]) -> Callable[..., Value]:
    """The least or greatest of those that are not NULL: no farther out than one that never is."""

    def made(*args: Value) -> Value:
        found = hull(args).but(all(a.null for a in args))
        if found.kind not in {*NUMBERS, "date", "time"}:
            return found
        if found.kind == "float":
            args = tuple(floated(a, short=found.type == "REAL") for a in args)
        name = "high" if pick is min else "low"
        ends = [end for a in args if not a.null and (end := getattr(a, name)) is not None]
        own: Fraction | None = getattr(found, name)
        best = pick([*ends, *([] if own is None else [own])]) if ends else own
        return replace(found, high=best) if pick is min else replace(found, low=best)

    return made


def _after(end: Fraction, kind: str, way: int) -> Fraction:
    beyond = math.nextafter(float(end), way * math.inf)
    return Fraction(beyond) if kind == "float" else end + way * STEPS[kind]


STEPS = {"date": ONE, "whole": ONE, "time": TICK, "float": ZERO}
"""How far the next value is, at least; of floats, it depends."""


def _nullif(a: Value, b: Value) -> Value:
    """a but for one value, which may be an end; all of it where that may be NULL."""
    low, high = a.low, a.high
    if a.kind == b.kind in STEPS and b.low == b.high and not b.null:
        low = _after(low, a.kind, 1) if low is not None and low == b.low else low
        high = _after(high, a.kind, -1) if high is not None and high == b.low else high
    if low is not None and high is not None and low > high:
        return replace(a, null=True, among=NONE)
    return Value(low, high, True, a.kind, a.among, a.type)


TRUTHS = words(
    """
    contains starts_with suffix prefix ~~ ~~* ~~~ isinf isfinite regexp_matches
    regexp_full_match like_escape ilike_escape
    """
)
TEXTS = words(
    """
    || left right upper lower lpad rpad ltrim rtrim trim regexp_extract repeat replace reverse
    split_part translate concat concat_ws regexp_replace
    """
)
"""Texts; where their length matters, its range is in the SQL."""

LOGARITHMS: Mapping[int, Callable[..., Value]] = {
    1: _library(math.log10),
    2: _library(lambda base, x: math.log(x) / math.log(base), ONE),  # to a base on one side of 1
}

RISING = words("log10 log2 exp atan asin sinh tanh cbrt degrees radians")

RANGES: Mapping[str, Callable[..., Value]] = {
    "+": _arithmetic(lambda *ends: sum(ends)),
    "-": _arithmetic(_minus),
    "*": _arithmetic(mul),
    "/": _divide,
    "//": _whole_divide,
    "%": _rest,
    "abs": _size_of,
    "floor": _rounds(floor, floats="whole"),
    **dict.fromkeys(("ceil", "ceiling"), _rounds(ceil, floats="whole")),
    "round": _round,
    "trunc": _rounds(trunc),
    "even": _rounds(lambda x: 2 * (ceil(x / 2) if x >= 0 else floor(x / 2)), floats="whole exact"),
    "sign": lambda a: corners((lambda x: (x > 0) - (x < 0),), (a,), "whole").clipped(-ONE, ONE),
    "sqrt": _library(math.sqrt, positive=True),
    **dict.fromkeys(("power", "pow"), _power),
    "log": lambda *args: LOGARITHMS[len(args)](*args),
    "ln": _library(math.log),
    **{name: _library(getattr(math, name)) for name in RISING},
    "pi": _within(math.pi, math.pi, "float"),
    "atan2": lambda y, x: _angle(-(most := math.pi / (1 + ((x.low or 0) > 0))), most)(y, x),
    "acos": _library(math.acos, positive=True),
    **dict.fromkeys(("sin", "cos"), _angle(-1, 1)),
    "ascii": _within(0, 1114111, "whole"),  # of an empty text 0, and -1 of the other two
    **dict.fromkeys(("unicode", "ord"), _within(-1, 1114111, "whole")),
    "hash": lambda *_: _within(0, 2**64 - 1, "whole")(),
    "least": _extreme(min),
    "greatest": _extreme(max),
    "nullif": _nullif,
    **OF_MOMENTS,
    "&": _both,
    "|": lambda a, b: _held(a, b, lambda x, y: int(max(x, y))),
    "xor": _held,
    "~": lambda a: (
        corners((lambda x: -x - 1,), (a,), "whole")
        if a.kind == "whole" and not a.unsigned
        else Value()
    ),
    "<<": lambda a, b: _shift(a, b, lambda x, y: int(x) << int(y)),
    ">>": lambda a, b: _shift(a, b, lambda x, y: int(x) >> int(y)),
    "bit_count": _ones,
    "factorial": _naturals(lambda x: math.factorial(int(x) if x <= 33 else -1)),
    "gcd": lambda a, b: corners((lambda x, y: max(abs(x), abs(y)), _zero), (a, b), "whole"),
    "lcm": lambda a, b: corners((lambda x, y: abs(x * y), _zero), (a, b), "whole"),
    **dict.fromkeys(("length", "len", "array_length"), _size("utf-32-le")),
    "strlen": _size("utf-8", 4),
    **dict.fromkeys(  # 0 for nowhere, and 1 for an empty one in an empty one
        ("strpos", "instr", "position"),
        lambda a, b: Value(ZERO, max(_size("utf-32-le")(a).high or ONE, ONE), _null(a, b), "whole"),
    ),
    **dict.fromkeys(("substring", "substr"), _cut),
    **dict.fromkeys(TEXTS, lambda *args: Value(null=_null(*args), kind="text")),
    **dict.fromkeys(TRUTHS, lambda *args: TRUTH.but(null=_null(*args))),
    "isnan": lambda a: TRUTH.clipped(None, a.high and ZERO).but(null=a.null),  # it is beyond
}


OF_NUMBERS = words(
    """
    / floor ceil ceiling round trunc even sign sqrt power pow log log10 log2 ln exp atan asin sinh
    tanh cbrt degrees radians atan2 acos sin cos gcd lcm << >> isnan bit_count
    """
)
"""A text that stands there is read as a number; its interval is that of its length."""

LENIENT = words("least greatest nullif hash concat concat_ws regexp_replace")
"""Those of which a range is known that may be a value where an argument is NULL."""


def called(name: str, args: list[Value]) -> Value | None:
    """What a function can be; None of one that is not known."""
    strict = name in STRICT or (name in RANGES and name not in LENIENT)
    if name in OF_NUMBERS and not all(a.kind in NUMBERS or a.count == 0 for a in args):
        found = ANY
    elif name in RANGES:
        found = RANGES[name](*args)
        if found.kind == "float" and any(a.type == "REAL" for a in args):
            found = replace(found, type="REAL")
    elif name in PURE:
        found = ANY
    else:
        return None
    if found.kind == "whole" and not found.type and any(a.unsigned for a in args):
        found = replace(found, type=UNSIGNED)
    if strict and any(a.count == 0 for a in args):
        return never(found).but(null=True)
    every = [] if found.among is not None else [told(a) for a in args]
    if not every or None in every:
        return found
    nothing = [[None] if a.null and not strict else [] for a in args]
    lists = [[*(of or ()), *more] for of, more in zip(every, nothing, strict=True)]
    if prod(map(len, lists)) > MANY:
        return found
    return replace(found, among=frozenset((name, *of) for of in product(*lists)))
