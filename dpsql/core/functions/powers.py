"""POWER (^, **) and logarithms to any base, in DOUBLE.

NULL where there is no real result: a negative base with an exponent that is not a whole number, 0
to the power of a negative constant, the logarithm of what is not positive.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpsql.core.functions.arithmetic import one_zero, without_zero
from dpsql.core.functions.spec import Args, Function, TypeMismatch, call, inside, plain
from dpsql.core.functions.transcendental import SMALLEST, SUBNORMAL, around
from dpsql.core.functions.typing import TWO_DOUBLES
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.core.plan.values import FLOAT_LIMIT, Values
from dpsql.types import DOUBLE, Number, Type

_MOST_EXACT = 64
"""Up to this exponent the ends are computed exactly, and rounded once."""


def constant(expr: Expr) -> Fraction | None:
    """The number that an operand is, if it is one always."""
    if isinstance(expr, Literal) and isinstance(expr.value, int | Fraction):
        return Fraction(expr.value)
    return None


def _is_whole(expr: Expr) -> bool:
    """Whether an operand in DOUBLE is a whole number always (or an infinity, or NaN).

    So are sums, differences and products of such: below 2^53 they are exact, and every double above
    is whole.
    """
    number = constant(expr)
    if number is not None:
        return number.denominator == 1
    while isinstance(expr, Call) and expr.function == "coerce":
        (expr,) = expr.args
    if isinstance(expr, Call) and expr.function in ("add", "sub", "mul"):
        return all(_is_whole(arg) for arg in expr.args)
    return expr.type.is_integer


def _power(x: Number, y: Number) -> Number | None:
    """x^y for x >= 0; None where it is too large, or nothing."""
    n = Fraction(y)
    if n.denominator == 1 and abs(n) <= _MOST_EXACT and (x != 0 or n >= 0):
        exact = Fraction(x) ** int(n)
        return Fraction(float(exact)) if exact <= FLOAT_LIMIT else None
    try:
        found = math.pow(x, y)
    except (OverflowError, ValueError, ZeroDivisionError):
        return None
    return Fraction(found) if math.isfinite(found) else None


def _of_magnitude(low: Number, high: Number, y: Values) -> tuple[Number, Number] | None:
    """The range of x^y for x in [low, high], both not negative.

    Claim: it is spanned by the corners. Why: x^y is monotone in x for each y, and in y for each x;
    where 0^0 = 1 breaks it, 1 lies between 0^y and high^0. None where 0 meets a negative exponent.
    """
    if y.low is None or y.high is None or (low == 0 and y.low < 0):
        return None
    corners = [_power(a, b) for a in (low, high) for b in (y.low, y.high)]
    found = [c for c in corners if c is not None]
    return (min(found), max(found)) if len(found) == len(corners) else None


def _values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: as for magnitudes; of a negative base the sign is that of the parity of a constant
    exponent. Why: x^n = (-1)^n |x|^n for a whole n, and no other power of it is a number.

    NaN^0 and 1^NaN are 1, which lies in every range that they are in.
    """
    x, y = values
    exponent, whole = constant(node.args[1]), _is_whole(node.args[1])
    negative = x.low is None or x.low < 0
    nan = x.nan or y.nan or (negative and not whole)
    anything = Values(None, None, False, nan)
    if x.low is None or x.high is None:
        return anything
    least: Number = 0 if x.contains_zero() else min(abs(x.low), abs(x.high))
    found = _of_magnitude(least, x.magnitude, y)
    if found is None:
        return anything
    low, high = found
    if negative:
        parity = None if exponent is None or not whole else int(exponent) % 2
        if parity == 1 and x.high < 0:
            low, high = -high, -low
        elif parity == 1 and exponent is not None:
            top = _power(max(x.high, 0), exponent)
            bottom = _power(-x.low, exponent)
            if top is None or bottom is None:
                return anything
            low, high = -bottom, top
        elif exponent is None:
            return anything
        elif parity is None:
            low = -high
    bottom, above = around(low, -1), around(high, 1)
    if low >= 0 and bottom is not None:
        bottom = max(bottom, 0)
    return Values(bottom, above, False, nan)


def _total(node: Call, values: tuple[Values, ...]) -> Expr:
    base, exponent = node.args
    x, y = values
    if not _is_whole(exponent) and (x.low is None or x.low < 0):
        base, x = inside(base, DOUBLE, -SMALLEST, None), Values(0, None)
    number = constant(exponent)
    if number is not None and number < 0:
        base = without_zero(base, x)
    elif number is None and (y.low is None or y.low < 0):
        base = one_zero(base, x)  # 1/0.0 and 1/-0.0 are two infinities
    return call("pow", (base, exponent), DOUBLE, node)


def _log_bind(args: Args) -> tuple[Args, Type]:
    found = TWO_DOUBLES(args)
    base = constant(args[0])
    if base is None or base <= 0 or base == 1:
        raise TypeMismatch("the base must be a positive constant other than 1", 0)
    return found


def _log_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: the ends' logarithms, in either order. Why: log_b(x) is monotone in x. DuckDB computes
    log10(x) / log10(b): three errors of a few units in the last place.
    """
    base = constant(node.args[0])
    assert base is not None
    x = values[1]
    scale, falling = math.log10(base), base < 1
    ends: list[Number | None] = []
    for end in (x.high, x.low) if falling else (x.low, x.high):
        usable = end is not None and SMALLEST <= end <= FLOAT_LIMIT
        ends.append(Fraction(math.log10(end) / scale) if usable and end is not None else None)
    outside = x.low is None or x.low < SMALLEST
    return Values(around(ends[0], -1), around(ends[1], 1), False, x.nan or outside)


def _log_total(node: Call, values: tuple[Values, ...]) -> Expr:
    base, arg = node.args
    low = values[1].low
    if low is not None and low >= SMALLEST:
        return node
    return call("log", (base, inside(arg, DOUBLE, 0, None)), DOUBLE, node)


FUNCTIONS = (
    Function(
        "pow",
        TWO_DOUBLES,
        _values,
        plain("power"),
        _total,
        names=("pow", "power"),
        timing=SUBNORMAL,
    ),
    Function("log", _log_bind, _log_values, plain("log"), _log_total, timing=SUBNORMAL),
)
