"""Trigonometric and hyperbolic functions, in DOUBLE. Outside their domain they are NULL, and so is
what has no limit: sin of an infinity, cot(0).

The ends of a range are libm's values, moved out by more than it errs (`transcendental.around`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from dpsql.core.functions.arithmetic import one_zero, without_zero
from dpsql.core.functions.spec import Function, call, named, shown, unchanged
from dpsql.core.functions.transcendental import (
    LARGEST,
    SUBNORMAL,
    around,
    monotone,
    within,
)
from dpsql.core.functions.typing import ONE_DOUBLE, TWO_DOUBLES
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.core.plan.values import Values, next_down, next_up, outward
from dpsql.types import DOUBLE, Number

_PI = Fraction(math.pi)
_UNIT = outward(-1, 1)
_HALF_TURN = outward(-_PI, _PI)
_QUARTERS = outward(-_PI / 2, _PI / 2)

_Ends = tuple[Number | None, Number | None]

REDUCTION = "beyond 2^20 or so the argument is reduced in many digits: 0.04 µs instead of 0.006 µs"


def _wave(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: within [-1, 1], and four units in the last place. Why: so is the exact value."""
    (a,) = values
    return Values(*_UNIT, False, a.nan or not a.bounded)


def _between_poles(
    function: Callable[[float], float], first: Fraction, last: Fraction, *, falling: bool = False
) -> Callable[[Call, tuple[Values, ...]], Values]:
    """Monotone between two poles, and anything elsewhere. No double is a multiple of π / 2, so that
    a range strictly between the doubles next to the poles holds none.
    """

    def values(node: Call, args: tuple[Values, ...]) -> Values:
        (a,) = args
        nan = a.nan or not a.bounded
        if a.low is None or a.high is None or not (first < a.low and a.high < last):
            return Values(None, None, False, nan)
        ends = (a.high, a.low) if falling else (a.low, a.high)
        low, high = (
            around(Fraction(function(float(x))), sign)
            for x, sign in zip(ends, (-1, 1), strict=True)
        )
        return Values(low, high, False, nan)

    return values


def _cot(x: float) -> float:
    return 1 / math.tan(x)


_FINITE = within(next_up(-LARGEST), next_down(LARGEST))
"""NULL for what no number of turns is: the infinities (and the two greatest doubles), NaN."""

_TAN = _between_poles(math.tan, next_up(-_PI / 2), next_down(_PI / 2))


def _cot_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Falling from 0 to π and from -π to 0; at 0 itself NULL."""
    (a,) = values
    if a.low is not None and a.low > 0:
        # A subnormal has no reciprocal: away from 0 by more than that.
        found = _between_poles(_cot, Fraction(1, 2**1000), next_down(_PI), falling=True)
    else:
        found = _between_poles(_cot, next_up(-_PI), Fraction(-1, 2**1000), falling=True)
    return found(node, values)


def _cot_total(node: Call, values: tuple[Values, ...]) -> Expr:
    finite = _FINITE(node, values)
    assert isinstance(finite, Call)
    return call("cot", (without_zero(finite.args[0], values[0]),), DOUBLE, node)


def _cosh_values(node: Call, values: tuple[Values, ...]) -> Values:
    """cosh falls up to 0, where it is 1, and rises after it."""
    (a,) = values
    rising = monotone(math.cosh, image=(1, None))
    low = 0 if a.contains_zero() else min(abs(e) for e in (a.low, a.high) if e is not None)
    high = None if a.low is None or a.high is None else a.magnitude
    found = rising(node, (Values(low, high, False, a.nan),))
    return found.but(low=max(1, found.low))


def _atan2_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: [-π, π]; and [-π/2, π/2] to the right of 0. It is defined for infinities too. The sign
    of y says nothing where x is negative: atan2(-0.0, -1) is -π.
    """
    y, x = values
    ends = _QUARTERS if x.low is not None and x.low > 0 else _HALF_TURN
    return Values(*ends, False, y.nan or x.nan)


def _atan2_total(node: Call, values: tuple[Values, ...]) -> Expr:
    args = tuple(one_zero(a, v) for a, v in zip(node.args, values, strict=True))
    return call("atan2", args, DOUBLE, node)


def _one(
    name: str,
    values: Callable[[Call, tuple[Values, ...]], Values],
    total: Callable[[Call, tuple[Values, ...]], Expr] = unchanged,
    timing: str = SUBNORMAL,
) -> Function:
    return named(name, ONE_DOUBLE, values, total, timing=timing)


def _of_large(node: Call, values: tuple[Values, ...]) -> Expr:
    """Of an argument that has ends, which may be the greatest doubles: there the value is that of
    the infinities, to the last digit, and who reads the SQL sees that it is no NaN.
    """
    (a,) = values
    if a.nan or a.bounded:
        return node
    ends = (Literal(-LARGEST, DOUBLE), Literal(LARGEST, DOUBLE))
    return call(node.function, (Call("clamp", (node.args[0], *ends), DOUBLE),), DOUBLE, node)


_HALF_UP = outward(0, _PI)[1]

FUNCTIONS = (
    _one("sin", _wave, _FINITE, REDUCTION),
    _one("cos", _wave, _FINITE, REDUCTION),
    shown(_one("tan", _TAN, _FINITE, REDUCTION)),
    shown(_one("cot", _cot_values, _cot_total, REDUCTION)),
    _one("asin", monotone(math.asin, (-1, 1), _QUARTERS), within(-1, 1)),
    _one("acos", monotone(math.acos, (-1, 1), (0, _HALF_UP), falling=True), within(-1, 1)),
    _one("atan", monotone(math.atan, image=_QUARTERS), _of_large),
    named("atan2", TWO_DOUBLES, _atan2_values, _atan2_total, timing=SUBNORMAL),
    _one("sinh", monotone(math.sinh)),
    shown(_one("cosh", _cosh_values)),
    _one("tanh", monotone(math.tanh, image=_UNIT), _of_large),
    shown(_one("asinh", monotone(math.asinh))),
    shown(_one("acosh", monotone(math.acosh, (1, None), (0, None)), within(1))),
    shown(
        _one(
            "atanh",
            monotone(math.atanh, (next_up(-1), next_down(1))),
            within(next_up(-1), next_down(1)),
        )
    ),
    _one("degrees", monotone(math.degrees)),
    _one("radians", monotone(math.radians)),
)
