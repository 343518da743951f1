"""SQRT, LN, EXP and other monotone functions, in DOUBLE. Outside their domain they are NULL:
sqrt(-1), ln(0), asin(2).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from dpsql.core.functions.spec import Function, call, inside, named, unchanged
from dpsql.core.functions.typing import ONE_DOUBLE
from dpsql.core.plan.expr import Call, Expr
from dpsql.core.plan.values import FLOAT_LIMIT, Values, next_down, next_up
from dpsql.types import DOUBLE, Number

SMALLEST = Fraction(1, 2**1074)
"""The least positive double."""

LARGEST = Fraction((2**53 - 1) * 2**971)
"""The greatest double."""

SUBNORMAL = "a subnormal operand takes 0.04 to 0.07 µs, any other 0.003 to 0.014 µs"
"""What every one of them was measured to take in DuckDB, by the operand."""

End = Number | None


def around(value: Number | None, sign: int) -> Number | None:
    """An end moved out by 2^-48 of itself and the least double, for a value that libm computed here
    and will compute there, each within a few units in the last place; None beyond FLOAT_LIMIT.
    """
    if value is None or abs(Fraction(value)) > FLOAT_LIMIT:
        return None
    exact = Fraction(value)
    return exact + sign * (abs(exact) / 2**48 + SMALLEST)


def monotone(
    function: Callable[[float], float],
    domain: tuple[End, End] = (None, None),
    image: tuple[End, End] = (None, None),
    *,
    falling: bool = False,
) -> Callable[[Call, tuple[Values, ...]], Values]:
    """The range of a monotone function on a domain with an image (ends of None: no end).

    Claim: [f(low), f(high)], widened as `around` says, within the image. Why: libm is off by a few
    units in the last place here and in the engine; float(end) is off by none, since a double below
    an end is not above the end's nearest double.
    """
    first, last = domain

    def end(x: Number | None, sign: int) -> Number | None:
        outside = x is None or (first is not None and x < first) or (last is not None and x > last)
        if x is None or outside or abs(Fraction(x)) > FLOAT_LIMIT:
            return None
        try:
            y = function(float(x))
        except (OverflowError, ValueError):
            return None
        return around(Fraction(y), sign) if math.isfinite(y) else None

    def values(node: Call, args: tuple[Values, ...]) -> Values:
        (a,) = args
        ends = (a.high, a.low) if falling else (a.low, a.high)
        low, high = end(ends[0], -1), end(ends[1], 1)
        if image[0] is not None:
            low = image[0] if low is None else max(low, image[0])
        if image[1] is not None:
            high = image[1] if high is None else min(high, image[1])
        return Values(low, high, False, a.nan or not _covers(domain, a))

    return values


def _covers(domain: tuple[End, End], a: Values) -> bool:
    return _above(domain[0], a) and _below(domain[1], a)


def _above(first: End, a: Values) -> bool:
    return first is None or (a.low is not None and a.low >= first)


def _below(last: End, a: Values) -> bool:
    return last is None or (a.high is not None and a.high <= last)


def within(first: End, last: End = None) -> Callable[[Call, tuple[Values, ...]], Expr]:
    """NULL for an argument outside [first, last]; and for NaN, where there is a last. An end that
    the argument keeps is not asked for.
    """

    def total(node: Call, values: tuple[Values, ...]) -> Expr:
        arg, a = node.args[0], values[0]
        above = None if first is None or _above(first, a) else next_down(first)
        below = None if last is None or (_below(last, a) and not a.nan) else next_up(last)
        if above is None and below is None:
            return node
        return call(node.function, (inside(arg, DOUBLE, above, below),), DOUBLE, node)

    return total


def _function(
    name: str, of: Callable[[float], float], first: End, image: tuple[End, End] = (None, None)
) -> Function:
    return named(
        name,
        ONE_DOUBLE,
        monotone(of, (first, None), image),
        within(first) if first is not None else unchanged,
        timing=SUBNORMAL,
    )


FUNCTIONS = (
    _function("sqrt", math.sqrt, 0, (0, None)),
    _function("cbrt", math.cbrt, None),
    _function("ln", math.log, SMALLEST),
    _function("log2", math.log2, SMALLEST),
    _function("log10", math.log10, SMALLEST),
    named(
        "exp",
        ONE_DOUBLE,
        monotone(math.exp, image=(0, None)),
        timing="a subnormal result takes 0.05 µs, any other 0.005 to 0.01 µs",
    ),
)
