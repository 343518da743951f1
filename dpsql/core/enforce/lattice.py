"""Put a row's value on a fixed public lattice before anything is summed.

Whole numbers and DECIMALs are on one already. A DOUBLE is rounded to a multiple of a power of two
that depends on the range alone, so that sums are exact integers, the same in every order of
addition; so is an exact number with more digits than are of any use (beyond 2^40 steps).

Claim: the lattice value of a number in [low, high] is a whole number in [floor(low/step),
ceil(high/step)]. Why: rounding is monotone and maps whole numbers to themselves.
Source of the need: Mironov (CCS 2012), Casacuberta et al. (CCS 2022): floating-point sums leak.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpsql.core.functions.spec import coerce
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.core.plan.values import Values
from dpsql.types import BIGINT, DOUBLE, Type, decimal

MAX_STEPS = 2**40
"""The largest lattice value of a row: far finer than any noise, far from any overflow."""

MAX_SCALE = 12

MOMENT_POINTS = 2**20
"""How fine a value is whose squares are added, a millionth of its range: they stay below 2^43, and
so does their noise.
"""

MOMENT_LIMIT = 2**250
"""The greatest value whose squares are added: a product of two variances is a DOUBLE."""


@dataclass(frozen=True, slots=True)
class OnLattice:
    """A row's value as a number of steps.

    Attributes:
        expr: an integer expression in steps, or a DECIMAL whose last digit is the step.
        step: the lattice's step, in the value's unit.
        low, high: the least and the greatest lattice value, in steps.
    """

    expr: Expr
    step: Fraction
    low: int
    high: int


def on_lattice(expr: Expr, values: Values) -> OnLattice:
    """The expression's lattice, from its type and its bounded range."""
    kind = expr.type
    if kind.is_integer and values.magnitude <= MAX_STEPS:
        return OnLattice(expr, Fraction(1), math.ceil(values.low), math.floor(values.high))
    if kind.is_decimal:
        found = _decimal(expr, kind, values)
        if found is not None:
            return found
    return _power_of_two(expr, values)


def on_grid(expr: Expr, values: Values, points: int) -> OnLattice:
    """The finest lattice of whole-number steps on which the range has about `points` points: for
    squares, products and order statistics, whose exact values must stay small.

    Args:
        expr: a number.
        values: its bounded range.
        points: how many steps the range may be wide, give or take one.
    """
    kind, width = expr.type, Fraction(values.high) - Fraction(values.low)
    if values.magnitude <= MAX_STEPS and width <= points and kind.is_integer:
        low, high = math.ceil(values.low), math.floor(values.high)
        return OnLattice(coerce(expr, BIGINT), Fraction(1), low, high)
    if kind.is_decimal:
        assert kind.scale is not None
        step = Fraction(1, 10**kind.scale)
        if width <= points * step and values.magnitude <= MAX_STEPS * step:
            return _stepped(expr, values, step)
    least = max(width / points, Fraction(values.magnitude) / MAX_STEPS, Fraction(1, MAX_STEPS))
    exponent = 0
    while Fraction(2) ** exponent < least:
        exponent += 1
    while Fraction(2) ** (exponent - 1) >= least:
        exponent -= 1
    return _stepped(expr, values, Fraction(2) ** exponent)


def around_middle(lattice: OnLattice) -> Expr:
    """U = 2X - (low + high), in half steps."""
    doubled = Call("mul", (Literal(2, BIGINT), lattice.expr), BIGINT)
    return Call("sub", (doubled, Literal(lattice.low + lattice.high, BIGINT)), BIGINT)


def _stepped(expr: Expr, values: Values, step: Fraction) -> OnLattice:
    steps = Call("steps", (coerce(expr, DOUBLE), Literal(step, DOUBLE)), BIGINT, expr.span)
    return OnLattice(steps, step, math.floor(values.low / step), math.ceil(values.high / step))


def _decimal(expr: Expr, kind: Type, values: Values) -> OnLattice | None:
    assert kind.scale is not None
    for scale in range(min(kind.scale, MAX_SCALE), -1, -1):
        step = Fraction(1, 10**scale)
        low, high = math.floor(values.low / step), math.ceil(values.high / step)
        if max(abs(low), abs(high)) <= MAX_STEPS:
            rounded = expr if scale == kind.scale else coerce(expr, decimal(18, scale))
            return OnLattice(rounded, step, low, high)
    return None


def _power_of_two(expr: Expr, values: Values) -> OnLattice:
    """The finest step 2^j with at most MAX_STEPS steps; dividing by it is exact in binary."""
    magnitude = Fraction(values.magnitude)
    exponent = -40
    while magnitude > Fraction(2) ** exponent * MAX_STEPS:
        exponent += 1
    return _stepped(expr, values, Fraction(2) ** exponent)
