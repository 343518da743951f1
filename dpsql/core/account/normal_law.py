"""Decimal arithmetic for Gaussian noise: enough digits that rounding is never the question.

The tail of the normal distribution, Q(x) = P(N > x), is its density φ(x) times Mills' ratio. From
x = 3 on that ratio is Laplace's continued fraction 1/(x + 1/(x + 2/(x + 3/(x + …)))): all of its
terms are positive, so that neighbouring convergents lie on both sides of it. Below, the series
Q(x) = ½ − φ(x)·Σ x^(2n+1)/(2n+1)!! has terms of one sign and loses at most three digits to the
difference.

Source: Abramowitz and Stegun, "Handbook of mathematical functions", 26.2.11 and 26.2.14.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

CONTEXT = Context(prec=60, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
"""60 digits, and no traps: exp may go to 0. Each operation is right to half a unit in the 60th."""

ROOT_TWO_PI = Decimal("2.50662827463100050241576528481104525300698674060993831662993")

_SWITCH = 3
_ENOUGH = 1200
"""n steps at x ≥ 3 leave a part of about exp(−2x√n): n = 1200/x² gives 28 digits."""


def fraction(value: Fraction) -> Decimal:
    """`value` to the digits of the current context."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def down(value: Decimal) -> Fraction:
    """20 digits of `value`, not above it: exact numbers that stay short."""
    return Fraction(Context(20, ROUND_FLOOR, MIN_EMIN, MAX_EMAX, traps=[]).plus(value))


def up(value: Decimal) -> Fraction:
    """20 digits of `value`, not below it."""
    return Fraction(Context(20, ROUND_CEILING, MIN_EMIN, MAX_EMAX, traps=[]).plus(value))


def density(x: Decimal) -> Decimal:
    """φ(x), in the current context."""
    return (-x * x / 2).exp() / ROOT_TWO_PI


def tail(x: Decimal) -> Decimal:
    """Q(x) = P(N > x) of a standard normal N, to 28 digits where the context has 60."""
    if x < 0:
        return 1 - tail(-x)
    if x < _SWITCH:
        term = total = x
        n = 1
        while term > total * Decimal("1e-45"):
            n += 2
            term *= x * x / n
            total += term
        return Decimal("0.5") - density(x) * total
    below = x
    for k in range(16 + int(_ENOUGH / (x * x)), 0, -1):
        below = x + k / below
    return density(x) / below
