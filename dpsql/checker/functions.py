"""The functions that the checker believes: that each is a function of its arguments alone, and, of
some, what they can be. Any other is refused.

`tests/checker/test_functions.py` compares every range with what DuckDB computes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from fractions import Fraction
from itertools import product
from math import floor, prod

from dpsql.checker.values import (
    ANY,
    MANY,
    TRUTH,
    Value,
    arithmetic,
    divided,
    hull,
    quotient,
    renamed,
    whole,
)

ZERO, ONE = Fraction(0), Fraction(1)

PURE = frozenset(
    """
    & << >> | ~ ^ xor || ~~ ~~* ~~~ !~~ !~~* acos acosh asin asinh atan atan2 atanh cbrt cos cosh
    cot degrees exp gcd lcm ln log log10 log2 pi power pow radians sin sinh sqrt tan tanh
    factorial even gamma lgamma bit_count bit_length ascii chr concat concat_ws contains suffix
    prefix starts_with ends_with ilike_escape like_escape left right length strlen len lower upper
    lpad rpad ltrim rtrim trim md5 sha256 regexp_extract regexp_full_match regexp_matches
    regexp_replace repeat replace reverse split_part strftime strpos instr position substring
    substr translate unicode ord age century date_diff datediff date_part date_sub date_trunc
    datesub datepart datetrunc day dayname dayofmonth dayofweek dayofyear weekday decade epoch
    epoch_ms epoch_us epoch_ns era hour isodow isoyear julian last_day make_date make_timestamp
    millennium microsecond millisecond minute month monthname quarter second time_bucket to_days
    to_hours to_microseconds to_milliseconds to_minutes to_months to_seconds to_weeks to_years
    week weekofyear year yearweek isfinite isinf isnan list_value list_apply list_sort hex
    array_to_string hash levenshtein damerau_levenshtein jaccard jaro_similarity hamming
    editdist3 mismatches signbit nextafter strip_accents bar format printf
    url_encode soundex to_base bin
    """.split()
)
"""Functions of which nothing more is known than that they are."""

STRICT = frozenset("+ - * / // % abs floor ceil ceiling round trunc sign".split())
"""NULL only if an argument is; and NULL, or not a number, where it is divided by 0."""


def _part(low: int, high: int, within: str = "") -> Callable[..., Value]:
    """A part of a date; NULL of an infinite one. In one year, or month, later dates have more."""

    def made(a: Value) -> Value:
        ends = Value(Fraction(low), Fraction(high), a.null or not a.bounded, "whole")
        if a.bounded and within and a.kind in ("date", "time"):
            first, last = (date.fromordinal(floor(e)) for e in (a.low, a.high) if e is not None)
            if within == "day" or within == "month" and first.year == last.year:
                name = "year" if within == "day" else within
                return ends.clipped(*(Fraction(getattr(d, name)) for d in (first, last)))
        return ends

    return made


def _minus(*args: Value) -> Value:
    return arithmetic("-", *args) if len(args) == 2 else _negative(args[0])


def _negative(a: Value) -> Value:
    low = None if a.high is None else -a.high
    high = None if a.low is None or a.kind == "float" and a.high is None else -a.low
    return Value(low, high, a.null, a.kind, renamed(a.among, "abs")) if a.kind else Value(null=a.null)


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


def _round(a: Value, *digits: Value) -> Value:
    return Value(null=a.null or bool(digits), kind=a.kind) if digits else whole(a)


def _sign(a: Value) -> Value:
    return Value(-ONE, ONE, a.null, "whole")


def _rest(a: Value, b: Value) -> Value:
    """a % b: below b, and not negative, where a is not."""
    kinds = {a.kind, b.kind}
    if kinds != {"whole"} or a.low is None or a.low < 0 or b.high is None or b.low is None:
        return Value(kind="whole" if kinds == {"whole"} else "")
    if b.low <= 0:
        return Value(ZERO, b.high, True, "whole")
    return Value(ZERO, b.high - 1, a.null or b.null, "whole")


def _least(*args: Value) -> Value:
    """The least of those that are not NULL."""
    found = hull(args)
    certain = [a.high for a in args if not a.null and a.high is not None]
    high = found.high if not certain else min([*certain, *([found.high] if found.high else [])])
    return Value(found.low, high, all(a.null for a in args), found.kind, found.among)


def _greatest(*args: Value) -> Value:
    found = hull(args)
    certain = [a.low for a in args if not a.null and a.low is not None]
    low = found.low if not certain else max([*certain, *([found.low] if found.low else [])])
    return Value(low, found.high, all(a.null for a in args), found.kind, found.among)


def _nullif(a: Value, b: Value) -> Value:
    return Value(a.low, a.high, True, a.kind, a.among)


def _truth(*args: Value) -> Value:
    return TRUTH


def _hash(*args: Value) -> Value:
    return Value(ZERO, Fraction(2**64 - 1), False, "whole")


RANGES: Mapping[str, Callable[..., Value]] = {
    "+": _plus,
    "-": _minus,
    "*": _times,
    "/": quotient,
    "//": divided,
    "%": _rest,
    "abs": _abs,
    "floor": whole,
    "ceil": whole,
    "ceiling": whole,
    "round": _round,
    "trunc": _round,
    "sign": _sign,
    "least": _least,
    "greatest": _greatest,
    "nullif": _nullif,
    "hash": _hash,
    "year": _part(-(2**31), 2**31, "day"),
    "month": _part(1, 12, "month"),
    "quarter": _part(1, 4),
    "day": _part(1, 31),
    "dayofweek": _part(0, 6),
    "isodow": _part(1, 7),
    "dayofyear": _part(1, 366),
    "week": _part(1, 53),
    "hour": _part(0, 23),
    "minute": _part(0, 59),
    **dict.fromkeys(("contains", "starts_with", "suffix", "prefix", "~~", "~~*", "~~~"), _truth),
    **dict.fromkeys(("isnan", "isinf", "isfinite", "regexp_matches"), _truth),
    **dict.fromkeys(("regexp_full_match", "like_escape", "ilike_escape"), _truth),
}


def called(name: str, args: list[Value]) -> Value | None:
    """What a function can be; None of one that is not known."""
    if name in RANGES:
        return RANGES[name](*args)
    if name in PURE:
        lists = [[*(a.among or ()), *([None] if a.null else [])] for a in args]
        if any(a.among is None for a in args) or prod(map(len, lists)) > MANY:
            return ANY
        return Value(among=frozenset((name, *of) for of in product(*lists)))
    return None
