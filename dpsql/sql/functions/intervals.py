"""Intervals of exact numbers, and what arithmetic makes of them.

Claim: the image of intervals under +, -, * and / is spanned by its corners. Why: each is monotone
in either operand while the other is held (Moore, Interval Analysis, 1966).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpsql.plan.values import Values, nearest
from dpsql.types import Number, Type

Interval = tuple[Number | None, Number | None]
Rule = Callable[[Values, Values], Interval]


def add(a: Values, b: Values) -> Interval:
    """a + b."""
    low = None if a.low is None or b.low is None else a.low + b.low
    high = None if a.high is None or b.high is None else a.high + b.high
    return low, high


def subtract(a: Values, b: Values) -> Interval:
    """a - b."""
    low = None if a.low is None or b.high is None else a.low - b.high
    high = None if a.high is None or b.low is None else a.high - b.low
    return low, high


def multiply(a: Values, b: Values) -> Interval:
    """a * b; an open end on either side leaves the product open."""
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return None, None
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(corners), max(corners)


def divide(a: Values, b: Values) -> Interval:
    """a / b; open unless b keeps away from 0."""
    if b.contains_zero() or a.low is None or a.high is None or b.low is None or b.high is None:
        return None, None
    corners = [Fraction(x) / y for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(corners), max(corners)


def ranged(kind: Type, interval: Interval, values: tuple[Values, ...]) -> Values:
    """The interval as what a call of that type can be.

    Claim: a NaN only out of a NaN or where an end is open. Why: IEEE 754 makes NaN of numbers only
    by inf - inf, 0 * inf, inf / inf and 0 / 0. An infinite operand has an open end and so has the
    result; so has a quotient whose divisor can be 0; and so has what overflows, beyond FLOAT_LIMIT.
    """
    if not kind.is_float:
        return Values(*interval, nullable=False)
    low, high = nearest(*interval)
    nan = any(v.nan for v in values) or low is None or high is None
    return Values(low, high, False, nan)
