"""SQRT, LN and EXP, in DOUBLE. Outside their domain they are NULL: sqrt(-1), ln(0), ln(-1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from dpsql.plan.expr import Call, Expr, Literal
from dpsql.plan.values import FLOAT_LIMIT, Values
from dpsql.sql.functions.arithmetic import doubles
from dpsql.sql.functions.spec import Args, Function, call, plain
from dpsql.sql.functions.typing import require
from dpsql.types import DOUBLE, Number, Type

SMALLEST = Fraction(1, 2**1074)
"""The least positive double."""


def _bind(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    return doubles(args)


def _increasing(
    function: Callable[[float], float], first: Number | None, floor: Number | None
) -> Callable[[Call, tuple[Values, ...]], Values]:
    """The range of an increasing function that is defined from `first` on and never below `floor`.

    Claim: [f(low), f(high)], widened by 2^-48 of itself. Why: libm is off by a few units in the
    last place here and in the engine; float(end) is off by none, since a double below an end is not
    above the end's nearest double.
    """

    def end(x: Number | None, sign: int) -> Number | None:
        if x is None or (first is not None and x < first) or abs(Fraction(x)) > FLOAT_LIMIT:
            return None
        try:
            y = Fraction(function(float(x)))
        except (OverflowError, ValueError):
            return None
        if abs(y) > FLOAT_LIMIT:
            return None
        return y + sign * (abs(y) / 2**48 + SMALLEST)

    def values(node: Call, args: tuple[Values, ...]) -> Values:
        (a,) = args
        low, high = end(a.low, -1), end(a.high, 1)
        if floor is not None:
            low = floor if low is None else max(low, floor)
        defined = first is None or (a.low is not None and a.low >= first)
        return Values(low, high, False, a.nan or not defined)

    return values


def _from(first: Number) -> Callable[[Call, tuple[Values, ...]], Expr]:
    """NULL for an argument below `first`."""

    def total(node: Call, values: tuple[Values, ...]) -> Expr:
        low, arg = values[0].low, node.args[0]
        if low is not None and low >= first:
            return node
        bounds = (Literal(first - SMALLEST, DOUBLE), Literal(None, DOUBLE))
        return call(node.function, (call("inside", (arg, *bounds), DOUBLE, arg),), DOUBLE, node)

    return total


FUNCTIONS = (
    Function(
        "sqrt",
        _bind,
        _increasing(math.sqrt, 0, 0),
        plain("sqrt"),
        _from(0),
        names=("sqrt",),
    ),
    Function(
        "ln",
        _bind,
        _increasing(math.log, SMALLEST, None),
        plain("ln"),
        _from(SMALLEST),
        names=("ln",),
    ),
    Function("exp", _bind, _increasing(math.exp, None, 0), plain("exp"), names=("exp",)),
)
