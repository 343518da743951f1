"""What an expression can be: an interval or a finite set, NULL or not, NaN or not.

Intervals are over exact numbers (or dates) and always round outward, so that membership is a
proof. For a floating-point expression an end of None also admits the infinity on that side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from dpsql.types import Number, Scalar, Type

FINITE_LIMIT = 100_000
"""The longest list of possible values that is kept."""


@dataclass(frozen=True, slots=True)
class Values:
    """The possible values of an expression.

    Attributes:
        low, high: inclusive ends; None where there is none. Meaningless for booleans and strings.
            An end that is no value of the type is allowed: it is a bound all the same.
        nullable: whether NULL can occur.
        nan: whether a floating-point NaN can occur.
        finite: every possible non-NULL value, in a public order, where that is known.
        length: a string has at most so many characters; None where nothing bounds them.
        made: a moment or a string that a function makes, of which the SQL does not show the range.
        digits: a string is one to so many of the digits 0 to 9; None where it may be another.
        said: the ends were declared, even where they are the limits of the type.
    """

    low: Any = None
    high: Any = None
    nullable: bool = True
    nan: bool = False
    finite: tuple[Scalar, ...] | None = None
    length: int | None = None
    made: bool = field(default=False, compare=False)
    digits: int | None = field(default=None, compare=False)
    said: bool = field(default=False, compare=False)

    @property
    def longest(self) -> int | None:
        """The most characters of a string; None where nothing bounds them."""
        if self.finite is None:
            return self.length
        return max((len(v) for v in self.finite if isinstance(v, str)), default=0)

    @property
    def most_digits(self) -> int | None:
        """`digits`, also of a list of strings."""
        if self.finite is None:
            return self.digits
        texts = [v for v in self.finite if isinstance(v, str) and v.isascii() and v.isdigit()]
        return max(map(len, texts)) if texts and len(texts) == len(self.finite) else None

    @property
    def bounded(self) -> bool:
        """Both ends are known and NaN cannot occur."""
        return self.low is not None and self.high is not None and not self.nan

    @property
    def magnitude(self) -> Number:
        """max(|low|, |high|) of a bounded numeric interval."""
        result: Number = max(abs(self.low), abs(self.high))
        return result

    def within(self, other: Values) -> bool:
        """Whether the interval lies in the other's."""
        low_in = other.low is None or (self.low is not None and self.low >= other.low)
        high_in = other.high is None or (self.high is not None and self.high <= other.high)
        return low_in and high_in and (other.nan or not self.nan)

    def contains_zero(self) -> bool:
        """Whether 0 can occur."""
        return (self.low is None or self.low <= 0) and (self.high is None or self.high >= 0)

    def other_than(self, value: Scalar | None, kind: Type) -> Values:
        """What is left of them where they are not `value`. Claim: of whole numbers in [k, h] that
        are not k all are in [k + 1, h], for k < h. Why: none lies between.
        """
        found, low, high = self, self.low, self.high
        if self.finite is not None:
            found = found.but(finite=tuple(v for v in self.finite if v != value))
        if kind.is_integer and self.bounded and low < high:
            found = found.but(low=low + (low == value), high=high - (high == value))
        return found

    def but(self, **changes: Any) -> Values:
        """A copy with changes; the very same where they change nothing."""
        same = all(getattr(self, name) is new for name, new in changes.items())
        return self if same else replace(self, **changes)


def of_type(kind: Type, *, nullable: bool = True) -> Values:
    """Everything a type can hold."""
    limits = kind.limits()
    if limits is not None:
        return Values(limits[0], limits[1], nullable)
    if kind.is_boolean:
        return Values(nullable=nullable, finite=(False, True))
    if kind.name == "ENUM" and kind.values is not None:
        return Values(nullable=nullable, finite=kind.values)
    return Values(nullable=nullable, nan=kind.is_float)


def of_constant(value: Scalar | None) -> Values:
    """Exactly one value."""
    if value is None:
        return Values(nullable=True, finite=())
    ordered = not isinstance(value, bool | str)
    end = value if ordered else None
    return Values(end, end, nullable=False, finite=(value,))


def of_options(options: Sequence[Scalar | None], kind: Type) -> Values:
    """One of some constants of a type, None among them for NULL."""
    present = tuple(v for v in options if v is not None)
    made = of_type(kind, nullable=None in options).but(nan=False, finite=present)
    if present and not (kind.is_boolean or kind.is_string):
        key = comparable if len(set(map(type, present))) > 1 else None  # of one kind as they are
        made = made.but(low=min(present, key=key), high=max(present, key=key))
    return made


def union(parts: list[Values]) -> Values:
    """What any of the parts can be. A part with no value at all (NULL) adds only nullability; where
    all are such, there is none, and the range is that of them all.
    """
    nullable = any(p.nullable for p in parts)
    real = [p for p in parts if p.finite != ()] or parts
    if not real:
        return Values(nullable=nullable, finite=())
    lengths = [p.longest for p in real]
    length = None if None in lengths else max(n for n in lengths if n is not None)
    low = None if any(p.low is None for p in real) else min(p.low for p in real)
    high = None if any(p.high is None for p in real) else max(p.high for p in real)
    finite: tuple[Scalar, ...] | None = None
    if all(p.finite is not None for p in real):
        finite = tuple(dict.fromkeys(v for p in real for v in (p.finite or ())))
        finite = finite if len(finite) <= FINITE_LIMIT else None
    made, digits = any(p.made for p in real), [p.most_digits for p in real]
    most = None if None in digits else max(n for n in digits if n is not None)
    return Values(low, high, nullable, any(p.nan for p in real), finite, length, made, most)


FLOAT_LIMIT = Fraction(2**1000)
"""Floating-point intervals beyond this are treated as unbounded, far from overflow at 2^1024."""


def next_up(value: Number) -> Fraction:
    """The double after the one nearest to `value`: more than `value`, as an exact fraction."""
    return Fraction(math.nextafter(float(value), math.inf))


def next_down(value: Number) -> Fraction:
    """The double before the one nearest to `value`: less than `value`, as an exact fraction."""
    return Fraction(math.nextafter(float(value), -math.inf))


def nearest(low: Number | None, high: Number | None) -> tuple[Number | None, Number | None]:
    """The interval that holds the correctly rounded double of every number in [low, high].

    Claim: [RN(low), RN(high)]. Why: rounding to nearest is monotone. It is the rule for what IEEE
    754 requires to be correctly rounded: + - * / sqrt, and a whole number as a double.
    """
    return _double(low), _double(high)


def outward(low: Number | None, high: Number | None) -> tuple[Number | None, Number | None]:
    """As `nearest`, with room for an engine that errs by 2^-50 of the value (four units in the last
    place) in a conversion of many digits or a function of its own.
    """
    bottom, top = _double(low), _double(high)
    # 0 stays: what errs in proportion keeps the sign.
    bottom = bottom if not bottom else next_down(bottom - abs(bottom) / 2**50)
    top = top if not top else next_up(top + abs(top) / 2**50)
    return bottom, top


def _double(value: Number | None) -> Fraction | None:
    return None if value is None or abs(Fraction(value)) > FLOAT_LIMIT else Fraction(float(value))


def enumerate_interval(values: Values, kind: Type) -> tuple[Scalar, ...] | None:
    """Every value of the interval, ascending, for whole numbers and dates; None where too many."""
    if values.finite is not None:
        return values.finite
    found = _numbered(values, kind)
    if found is None or kind.is_integer:
        return found if found is None else tuple(found)
    return tuple(map(date.fromordinal, found))


def interval_size(values: Values, kind: Type) -> int | None:
    """How many `enumerate_interval` has."""
    found = values.finite if values.finite is not None else _numbered(values, kind)
    return None if found is None else len(found)


def _numbered(values: Values, kind: Type) -> range | None:
    """The whole numbers of an interval, or those of its days; None where too many."""
    if not values.bounded:
        return None
    if kind.is_integer:
        low, high = math.ceil(values.low), math.floor(values.high)
    elif kind.name == "DATE" and isinstance(values.low, date) and isinstance(values.high, date):
        low, high = values.low.toordinal(), values.high.toordinal()
    else:
        return None
    return range(low, high + 1) if high - low < FINITE_LIMIT else None


def comparable(value: Scalar) -> Any:
    """A key that orders dates among timestamps and numbers among numbers."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    return value
