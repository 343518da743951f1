"""The functions that the checker believes: that each is a function of its arguments alone, and, of
some, what they can be. Any other is refused.

`tests/checker/test_functions.py` compares every range with what DuckDB computes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod, trunc

from dpsql.checker.tree import words
from dpsql.checker.values import (
    ANY,
    MANY,
    NONE,
    TRUTH,
    Number,
    Value,
    arithmetic,
    divided,
    floated,
    hull,
    outward,
    quotient,
    renamed,
    scale,
    to_float,
    whole,
)

ZERO, ONE = Fraction(0), Fraction(1)

ORDERED = frozenset({"whole", "exact", "float", "date", "time"})

PURE = words(
    """
    & << >> | ~ ^ xor || ~~ ~~* ~~~ !~~ !~~* acos acosh asin asinh atan atan2 atanh cbrt cos
    cosh cot degrees exp gcd lcm ln log log10 log2 pi power pow radians sin sinh sqrt tan tanh
    factorial even gamma lgamma bit_count bit_length ascii chr concat concat_ws contains suffix
    prefix starts_with ends_with ilike_escape like_escape left right length strlen len lower
    upper lpad rpad ltrim rtrim trim md5 sha256 regexp_extract regexp_full_match regexp_matches
    regexp_replace repeat replace reverse split_part strftime strpos instr position substring
    substr translate unicode ord age century date_diff datediff date_part date_sub date_trunc
    datesub datepart datetrunc day dayname dayofmonth dayofweek dayofyear weekday decade epoch
    epoch_ms epoch_us epoch_ns era hour isodow isoyear julian last_day make_date make_timestamp
    millennium microsecond millisecond minute month monthname quarter second time_bucket to_days
    to_hours to_microseconds to_milliseconds to_minutes to_months to_seconds to_weeks to_years
    week weekofyear year yearweek isfinite isinf isnan list_value list_apply list_sort hex
    array_to_string hash levenshtein damerau_levenshtein jaccard jaro_similarity hamming
    editdist3 mismatches signbit nextafter strip_accents bar format printf url_encode soundex
    to_base bin
    """
)
"""Functions of which nothing more is known than that they are."""

STRICT = words(
    """
    + - * / // % abs floor ceil ceiling round trunc sign ~~ ~~* ~~~ contains starts_with prefix
    suffix upper lower substring
    """
)
"""NULL only if an argument is; and NULL, or not a number, where it is divided by 0."""


def _part(name: str) -> Callable[..., Value]:
    """A part of a time; NULL of an infinite one. Of one moment it is what Python says; in one year,
    or month, later dates have more.
    """
    low, high, of = PARTS[name]

    def made(a: Value) -> Value:
        ends = Value(Fraction(low), Fraction(high), a.null or not a.bounded, "whole")
        if a.low is None or a.high is None or a.kind not in ("date", "time"):
            return ends
        first, last = _moment(a.low), _moment(a.high)
        if first is None or last is None:
            return ends
        rises = -low == YEARS or (name == "month" and first.year == last.year)
        if not rises and a.low != a.high:
            return ends
        return ends.clipped(Fraction(of(first)), Fraction(of(last)))

    return made


def _moment(end: Fraction) -> datetime | None:
    if not 1 <= end < date.max.toordinal():
        return None
    start = datetime.fromordinal(floor(end))
    return start + timedelta(microseconds=int((end - floor(end)) * 86_400_000_000))


YEARS = 5_900_000
PARTS: Mapping[str, tuple[int, int, Callable[[datetime], int]]] = {
    "year": (-YEARS, YEARS, lambda d: d.year),
    "isoyear": (-YEARS, YEARS, lambda d: d.isocalendar()[0]),
    "decade": (-YEARS, YEARS, lambda d: d.year // 10),
    "quarter": (1, 4, lambda d: (d.month + 2) // 3),
    "month": (1, 12, lambda d: d.month),
    "day": (1, 31, lambda d: d.day),
    "dayofmonth": (1, 31, lambda d: d.day),
    "dayofweek": (0, 6, lambda d: d.isoweekday() % 7),
    "isodow": (1, 7, lambda d: d.isoweekday()),
    "dayofyear": (1, 366, lambda d: d.timetuple().tm_yday),
    "week": (1, 53, lambda d: d.isocalendar()[1]),
    "hour": (0, 23, lambda d: d.hour),
    "minute": (0, 59, lambda d: d.minute),
    "second": (0, 59, lambda d: d.second),
}


def _minus(*args: Value) -> Value:
    return arithmetic("-", *args) if len(args) == 2 else _negative(args[0])


def _negative(a: Value) -> Value:
    low = None if a.high is None else -a.high
    high = None if a.low is None or (a.kind == "float" and a.high is None) else -a.low
    return (
        Value(low, high, a.null, a.kind, renamed(a.among, "abs")) if a.kind else Value(null=a.null)
    )


def _plus(*args: Value) -> Value:
    return arithmetic("+", *args) if len(args) == 2 else args[0]


def _times(*args: Value) -> Value:
    return arithmetic("*", *args)


def _abs(a: Value) -> Value:
    if a.kind not in ("whole", "exact", "float"):
        return Value(null=a.null)
    if not a.bounded:
        return Value(ZERO, None, a.null, a.kind)
    assert a.low is not None and a.high is not None
    inside = a.low <= 0 <= a.high
    ends = abs(a.low), abs(a.high)
    return Value(ZERO if inside else min(ends), max(ends), a.null, a.kind, renamed(a.among, "abs"))


def _round(
    a: Value,
    digits: Value | None = None,
    down: Callable[[Fraction], int] = floor,
    up: Callable[[Fraction], int] = ceil,
) -> Value:
    """To so many digits."""
    if digits is None:
        return whole(a, down, up)
    if not a.bounded or digits.low is None or digits.low != digits.high:
        return Value(null=True, kind=a.kind)
    part = Fraction(10) ** int(digits.low)
    low, high = (Fraction(r) / part for r in (down(a.low * part), up(a.high * part)))  # type: ignore[operator]
    if a.kind == "float":
        return Value(to_float(low), to_float(high), a.null or digits.null, "float")
    return Value(low, high, a.null or digits.null, a.kind)


def _rising(
    function: Callable[[float], float], least_: Fraction | None = None
) -> Callable[..., Value]:
    """A function of floats that rises; none of what is below `least_`, at which it may be NULL."""

    def made(a: Value) -> Value:
        if not a.bounded or (least_ is not None and a.low is not None and a.low <= least_):
            return Value(kind="float")
        assert a.low is not None and a.high is not None
        low, high = outward(function(float(a.low)), function(float(a.high)))
        return Value(low, high, a.null, "float")

    return made


def _sqrt(a: Value) -> Value:
    """Of what is below 0 there is none, and an error."""
    if a.high is None:
        return Value(kind="float")
    inside = Value(max(a.low or ZERO, ZERO), max(a.high, ZERO), a.null, "float")
    found = _rising(math.sqrt)(inside)
    return found.clipped(ZERO, None)


def _power(a: Value, b: Value) -> Value:
    """a to powers: of what is not negative it rises or falls in each, all the way. Of others, to
    whole powers: to one, it does so on each side of 0; to several, it is no farther from 0 than the
    greatest power of the farthest, or 1.
    """
    unknown = Value(kind="float")
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return unknown
    wild = a.low < 0 and not (b.low.denominator == b.high.denominator == 1)
    wild |= a.low < 0 and b.low < b.high and b.kind != "whole"
    if (b.low < 0 and a.low <= 0) or wild:
        return unknown
    try:
        bases, far = {float(a.low), float(a.high)}, float(max(-a.low, a.high, ONE))
        bases |= {0.0} if a.low < 0 < a.high else set()
        bases |= {-far, far} if a.low < 0 and b.low < b.high else set()
        ends = [x ** float(y) for x in bases for y in (b.low, b.high)]
        ends += [-(far ** float(b.high))] if a.low < 0 and b.low < b.high else []
    except OverflowError:
        return unknown
    found = Value(*outward(min(ends), max(ends)), a.null or b.null, "float")
    return found.clipped(ZERO if min(ends) >= 0 else None, None)


def _gcd(a: Value, b: Value) -> Value:
    ends = [e for v in (a, b) for e in (v.low, v.high)]
    if any(e is None for e in ends):
        return Value(kind="whole")
    return Value(ZERO, max(abs(e) for e in ends if e is not None), a.null or b.null, "whole")


def _log(base: Value, a: Value) -> Value:
    """The logarithm to a constant base: it rises above 1, and falls below."""
    if base.low is None or base.low != base.high or base.low <= 0 or base.low == 1:
        return Value(kind="float")
    by = math.log(float(base.low))
    found = _rising(lambda x: math.log(x) / abs(by), ZERO)(a)
    return found if by > 0 else _negative(found)


def _even(x: Fraction) -> int:
    """The next even number, away from 0."""
    found = 2 * ceil(abs(x) / 2)
    return found if x >= 0 else -found


def _wave(a: Value) -> Value:
    return Value(-ONE, ONE, True, "float")


def _sign(a: Value) -> Value:
    low, high = ((e > 0) - (e < 0) if e is not None else d for e, d in ((a.low, -1), (a.high, 1)))
    return Value(Fraction(low), Fraction(high), a.null, "whole")


def _rest(a: Value, b: Value) -> Value:
    """a % b: of the sign of a, and nearer to 0 than b."""
    if not {a.kind, b.kind} <= {"whole", "exact"} or b.high is None or b.low is None:
        return Value()
    most = max(abs(b.low), abs(b.high))
    digits = [0 if v.kind == "whole" else scale(v.type) for v in (a, b)]
    if None not in digits:  # by a digit at least
        most -= Fraction(1, 10 ** max(d or 0 for d in digits))
    null = a.null or b.null or b.low <= 0 <= b.high
    low = ZERO if a.low is not None and a.low >= 0 else -most
    high = ZERO if a.high is not None and a.high <= 0 else most
    found = Value(low, high, null, "whole" if a.kind == b.kind == "whole" else "exact")
    return found.clipped(
        None if a.low is None else min(a.low, ZERO), None if a.high is None else max(a.high, ZERO)
    )


def _bits(a: Value, b: Value) -> Value:
    """Of whole numbers that are not negative: no more digits than the longer one has."""
    if a.kind != "whole" or b.kind != "whole" or not a.bounded or not b.bounded:
        return Value()
    assert a.low is not None and b.low is not None and a.high is not None and b.high is not None
    if min(a.low, b.low) < 0:
        return Value(null=a.null or b.null, kind="whole")
    most = 2 ** int(max(a.high, b.high)).bit_length() - 1
    return Value(ZERO, Fraction(most), a.null or b.null, "whole")


def _either(a: Value, b: Value) -> Value:
    """Each has all its digits in it."""
    found = _bits(a, b)
    return found.clipped(a.low, None).clipped(b.low, None) if found.bounded else found


def _both(a: Value, b: Value) -> Value:
    highs = [v.high for v in (a, b) if v.low is not None and v.low >= 0 and v.high is not None]
    if {a.kind, b.kind} != {"whole"} or not highs:
        return _bits(a, b)
    return Value(ZERO, min(highs), a.null or b.null, "whole")


def _ones(a: Value) -> Value:
    sizes = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "INT": 32, "BIGINT": 64}
    return Value(ZERO, Fraction(sizes.get(a.type, 128)), a.null, "whole")


def _shift(a: Value, b: Value, up: bool) -> Value:
    """a * 2^b, or an error; or a // 2^b, or 0 where b is no number of digits."""
    if a.kind != "whole" or a.low is None or a.low < 0 or a.high is None:
        return Value()
    first, last = (
        int(min(max(end if end is not None else usual, ZERO), Fraction(127)))
        for end, usual in ((b.low, ZERO), (b.high, Fraction(127)))
    )
    ends = (int(a.low) << first, int(a.high) << last) if up else (0, int(a.high) >> first)
    return Value(Fraction(ends[0]), Fraction(ends[1]), a.null or b.null, "whole")


def _factorial(a: Value) -> Value:
    if not a.bounded or a.low is None or a.high is None or a.low < 0 or a.high > 33:
        return Value(kind="whole")
    return Value(ONE, Fraction(math.factorial(int(a.high))), a.null, "whole")


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


def _place(a: Value, _: Value) -> Value:
    """Where a text begins in another; 0 for nowhere."""
    return Value(ZERO, _size("utf-32-le")(a).high, True, "whole")


def _cut(a: Value, start: Value, length: Value | None = None) -> Value:
    """A part of a text is no longer than it, nor than was asked for."""
    high = None if length is None or length.low is None or length.low < 0 else length.high
    null = a.null or start.null or (length is not None and length.null)
    return Value(ZERO, a.high, null, "text").clipped(None, high) if a.kind == "text" else Value()


def _joined(*args: Value) -> Value:
    """Texts one after the other."""
    if any(a.kind != "text" or a.high is None for a in args):
        return Value()
    return _text(sum((a.high or ZERO for a in args), ZERO), *args)


def _text(high: Number, *args: Value) -> Value:
    """At most so many characters of a text; NULL where an argument is."""
    known = high is not None and args[0].kind == "text"
    return Value(ZERO, high, any(a.null for a in args), "text") if known else Value()


def _replaced(a: Value, old: Value, new: Value) -> Value:
    """For each disjoint place of the old text the new one, and the rest; all of it for none."""
    if a.high is None or old.low is None or old.low != old.high or new.high is None:
        return Value()
    size, longer = (old.low, new.high) if new.high > old.low > 0 else (ONE, ONE)
    return _text(a.high // size * longer + a.high % size, a, old, new)


def _day(end: Fraction | None) -> date | None:
    return (
        None if end is None or not 1 <= end < date.max.toordinal() else date.fromordinal(floor(end))
    )


UNITS = {"day": 1, "hour": 24, "minute": 1440, "second": 86_400, "millisecond": 86_400_000}
UNITS |= {"microsecond": 86_400_000_000}
STEPS: Mapping[str, Callable[[date], int]] = {
    "week": lambda d: (d.toordinal() - 1) // 7,
    "month": lambda d: 12 * d.year + d.month,
    "quarter": lambda d: 4 * d.year + (d.month - 1) // 3,
    "year": lambda d: d.year,
}


def _begun(part: Value, *ends: Number) -> list[int] | None:
    """The numbers of the months, or hours, in which moments are; None where they are not known."""
    name, days = str(next(iter(part.among or ("",)))), [_day(e) for e in ends]
    if part.count != 1 or None in days or name not in {**UNITS, **STEPS}:
        return None
    if name in UNITS:
        return [floor(e * UNITS[name]) for e in ends if e is not None]
    return [STEPS[name](d) for d in days if d is not None]


def _difference(part: Value, a: Value, b: Value) -> Value:
    """How many days, months, years begin between two dates."""
    found = _begun(part, a.low, a.high, b.low, b.high)
    if found is None:
        return Value(kind="whole")
    first, last, low, high = found
    off = part.among == frozenset({"week"})  # weeks before 1970 are numbered from the other end
    ends = Fraction(low - last - off), Fraction(high - first + off)
    return Value(*ends, a.null or b.null, "whole")


def _truncated(part: Value, a: Value) -> Value:
    """The beginning of a month, of a year: one for each that there is between the ends."""
    found, days = _begun(part, a.low, a.high), [_day(a.low), _day(a.high)]
    if found is None:
        return Value(null=True)
    name, (first, last) = str(next(iter(part.among or ()))), found
    among = frozenset((name, n) for n in range(first, last + 1)) if last - first < MANY else None
    if name not in STARTS:
        return Value(null=a.null, among=among)
    low, high = (Fraction(STARTS[name](d).toordinal()) for d in days if d is not None)
    return Value(low, high, a.null, "time", among)


STARTS: Mapping[str, Callable[[date], date]] = {
    "day": lambda d: d,
    "month": lambda d: d.replace(day=1),
    "quarter": lambda d: d.replace(month=d.month - (d.month - 1) % 3, day=1),
    "year": lambda d: d.replace(month=1, day=1),
}


def _passed(part: Value, a: Value, b: Value) -> Value:
    """How many have passed: no more than begin."""
    found = _difference(part, a, b)
    if found.low is None or found.high is None:
        return found
    return Value(min(found.low, ZERO), max(found.high, ZERO), found.null, "whole")


def _age(a: Value, b: Value) -> Value:
    """The years between: one less, perhaps, than there are between their numbers."""
    found = _difference(Value(among=frozenset({"year"})), b, a)
    if found.low is None or found.high is None:
        return Value(kind="age")
    return Value(found.low - 1, found.high + (found.high < 0), found.null, "age")


def _date_part(part: Value, a: Value) -> Value:
    if a.kind == "age" and part.among == frozenset({"year"}):
        return Value(a.low, a.high, a.null, "whole")
    name = str(next(iter(part.among or ("",)))) if part.count == 1 else ""
    return RANGES[name](a) if name == "epoch" or name in PARTS else Value()


def _epoch(a: Value) -> Value:
    """Seconds since 1970."""
    if a.kind not in ("date", "time") or a.low is None or a.high is None:
        return Value(kind="float")
    low, high = ((e - EPOCH) * 86_400 for e in (a.low, a.high))
    return Value(to_float(low), to_float(high), a.null, "float")


EPOCH = date(1970, 1, 1).toordinal()


def _extreme(pick: Callable[[Sequence[Fraction]], Fraction]) -> Callable[..., Value]:
    """The least, or the greatest, of those that are not NULL: no farther out than one that never
    is.
    """

    def made(*args: Value) -> Value:
        found = hull(args).but(all(a.null for a in args))
        if found.kind not in ORDERED:
            return found
        if found.kind == "float":
            args = tuple(floated(a, short=found.type == "REAL") for a in args)
        name = "high" if pick is min else "low"
        ends = [end for a in args if not a.null and (end := getattr(a, name)) is not None]
        own: Fraction | None = getattr(found, name)
        best = pick([*ends, *([] if own is None else [own])]) if ends else own
        return replace(found, high=best) if pick is min else replace(found, low=best)

    return made


def _nullif(a: Value, b: Value) -> Value:
    """a but for one value, which may be an end."""
    low, high = a.low, a.high
    if a.kind == b.kind and a.kind in ("date", "whole") and b.low is not None and b.low == b.high:
        low = low + 1 if low == b.low and low is not None else low
        high = high - 1 if high == b.low and high is not None else high
    if a.kind == b.kind == "float" and low is not None and low == b.low == b.high:
        low = Fraction(math.nextafter(float(low), math.inf))
    if low is not None and high is not None and low > high:
        return replace(a, null=True, among=NONE)
    return Value(low, high, True, a.kind, a.among, a.type)


def _truth(*args: Value) -> Value:
    return TRUTH


RANGES: Mapping[str, Callable[..., Value]] = {
    "+": _plus,
    "-": _minus,
    "*": _times,
    "/": quotient,
    "//": divided,
    "%": _rest,
    "abs": _abs,
    "floor": lambda a: whole(a, floor, floor),
    **dict.fromkeys(("ceil", "ceiling"), lambda a: whole(a, ceil, ceil)),
    "round": _round,
    "trunc": lambda a, digits=None: _round(a, digits, trunc, trunc),
    "sign": _sign,
    "sqrt": _sqrt,
    **dict.fromkeys(("power", "pow"), _power),
    "ln": _rising(math.log, ZERO),
    "log": lambda *args: _log(*args) if len(args) == 2 else _rising(math.log10, ZERO)(*args),
    **{f: _rising(getattr(math, f)) for f in words("atan sinh tanh cbrt degrees radians exp")},
    **{f: _rising(getattr(math, f), ZERO) for f in ("log10", "log2")},
    "asin": _rising(lambda x: math.asin(min(max(x, -1.0), 1.0))),
    "atan2": lambda a, b: Value(*outward(-math.pi, math.pi), a.null or b.null, "float"),
    "acos": lambda a: Value(*outward(0.0, math.pi), True, "float"),
    "pi": lambda: Value(Fraction(math.pi), Fraction(math.pi), False, "float"),
    "even": lambda a: whole(a, _even, _even),
    **dict.fromkeys(("sin", "cos"), _wave),
    "least": _extreme(min),
    "greatest": _extreme(max),
    "nullif": _nullif,
    "hash": lambda *_: Value(ZERO, Fraction(2**64 - 1), False, "whole"),
    "epoch": _epoch,
    **dict.fromkeys(("date_trunc", "datetrunc"), _truncated),
    **dict.fromkeys(("date_part", "datepart"), _date_part),
    **dict.fromkeys(("date_diff", "datediff"), _difference),
    **dict.fromkeys(("date_sub", "datesub"), _passed),
    "age": _age,
    "&": _both,
    "|": _either,
    "xor": _bits,
    "~": lambda a: (
        Value(-a.high - 1, -a.low - 1, a.null, "whole")
        if a.bounded and a.kind == "whole"
        else Value()
    ),
    "<<": lambda a, b: _shift(a, b, True),
    ">>": lambda a, b: _shift(a, b, False),
    "bit_count": _ones,
    "factorial": _factorial,
    "gcd": _gcd,
    "lcm": lambda a, b: hull([Value(ZERO, ZERO, False, "whole"), _abs(_times(a, b))]),
    **dict.fromkeys(("length", "len"), _size("utf-32-le")),
    "strlen": _size("utf-8", 4),
    **dict.fromkeys(("strpos", "instr", "position"), _place),
    **dict.fromkeys(("substring", "substr"), _cut),
    **dict.fromkeys(("left", "right"), lambda a, count: _cut(a, count, count)),
    **dict.fromkeys(
        ("ascii", "unicode", "ord"), lambda a: Value(-ONE, Fraction(1114111), a.null, "whole")
    ),
    **{name: _part(name) for name in PARTS},
    **dict.fromkeys(("||", "concat"), _joined),
    "concat_ws": lambda between, *args: _joined(*args, *[between] * (len(args) - 1)),
    "replace": _replaced,
    "repeat": lambda a, n: _text(a.high and n.high and a.high * max(n.high, ZERO), a, n),
    **dict.fromkeys(("lpad", "rpad"), lambda a, n, _: _text(n.high and max(n.high, ZERO), a, n, _)),
    **dict.fromkeys(words("contains starts_with suffix prefix ~~ ~~* ~~~ isnan isinf"), _truth),
    **dict.fromkeys(words("isfinite regexp_matches regexp_full_match"), _truth),
    **dict.fromkeys(("like_escape", "ilike_escape"), _truth),
}


LENIENT = words("least greatest nullif hash concat concat_ws")
"""Those of which a range is known that may be a value where an argument is NULL."""

SHORTER = words("upper lower reverse trim ltrim rtrim translate split_part regexp_extract")
"""No more characters than the first argument."""


def called(name: str, args: list[Value]) -> Value | None:
    """What a function can be; None of one that is not known."""
    strict = name in STRICT or (name in RANGES and name not in LENIENT)
    if strict and any(a.count == 0 for a in args):
        return Value(ZERO, ZERO, True, "whole", NONE)
    if name in RANGES:
        found = RANGES[name](*args)
        if found.kind == "float" and any(a.type == "REAL" for a in args):
            found = replace(found, type="REAL")
    elif name in PURE:
        short = name in SHORTER and args[0].kind == "text"
        found = Value(ZERO, args[0].high, any(a.null for a in args), "text") if short else ANY
    else:
        return None
    lists = [[*(a.among or ()), *([None] if a.null else [])] for a in args]
    zeros = any(a.kind == "float" and a.holds_zero for a in args)  # 0 and -0 are listed as one
    if found.among is not None or any(a.among is None for a in args) or not args or zeros:
        return found
    if prod(map(len, lists)) > MANY:
        return found
    return replace(found, among=frozenset((name, *of) for of in product(*lists)))
