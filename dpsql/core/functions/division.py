"""Integer division and remainder. By zero they are NULL; the one quotient that no type of the
operands holds, MIN // -1, is computed in a wider type, and in HUGEINT it is NULL.

    -7 // 2 = -3    -7 % 2 = -1    7 % -2 = 1    (toward zero, as in C)

A remainder may also be of DECIMALs. It is not offered of DOUBLEs: fmod takes 3 µs or more where the
operands are far apart and 0.005 µs where they are near. Nor is // of anything but whole numbers,
which DuckDB does not round.
"""

from __future__ import annotations

from fractions import Fraction
from math import trunc

from sqlglot import exp

from dpsql.core.functions.arithmetic import without_zero
from dpsql.core.functions.spec import Args, Function, TypeMismatch, call, coerce, inside, operator
from dpsql.core.functions.typing import common, need, really_whole, require, whole_numbers
from dpsql.core.plan.expr import Call, Expr
from dpsql.core.plan.values import Values
from dpsql.types import BIGINT, HUGEINT, INTEGER, Number, Type


def _bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    whole_numbers(args)
    _whole(args)
    kind = common(args, "division")
    return tuple(coerce(a, kind) for a in args), kind


def _remainder_bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    for index, arg in enumerate(args):
        need(args, index, arg.type.is_exact, "whole numbers or DECIMALs")
    _whole(args)
    kind = common(args, "division")
    if not kind.is_exact:
        raise TypeMismatch("no exact type holds both operands", 1)
    return tuple(coerce(a, kind) for a in args), kind


def _whole(args: Args) -> None:
    for index, arg in enumerate(args):
        if not really_whole(arg):
            message = "FLOOR and CEIL of a whole number are DOUBLEs: leave them out, or CAST"
            raise TypeMismatch(message, index)


def _quotient(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: |a // b| <= |a|, and it is not negative where neither is. Why: |b| >= 1. Where b has
    one sign and both are bounded it lies between the quotients of the ends. Why: a / b rises or
    falls in a for each b, and in b for each a, so that its extremes are at corners; and rounding
    toward zero changes no order.
    """
    a, b = values
    if not a.bounded:
        return Values(nullable=True)
    if b.bounded and (b.low > 0 or b.high < 0):
        ends = [trunc(Fraction(x) / Fraction(y)) for x in (a.low, a.high) for y in (b.low, b.high)]
        return Values(min(ends), max(ends), nullable=False)
    top = a.magnitude
    positive = a.low >= 0 and b.low is not None and b.low >= 0
    return Values(0 if positive else -top, top, b.contains_zero())


def _remainder(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: |a % b| < |b| by a last digit, |a % b| <= |a|, and it has the sign of a. Why:
    a = (a // b)·b + a % b with a quotient rounded toward zero.
    """
    a, b = values
    if not b.bounded:
        return Values(nullable=True)
    digit = Fraction(1, 10**node.type.scale) if node.type.scale else 1
    top: Number = max(b.magnitude - digit, 0)
    low = -top if a.low is None else max(-top, min(a.low, 0))
    high = top if a.high is None else min(top, max(a.high, 0))
    return Values(low, high, b.contains_zero())


_WIDER = {"TINYINT": INTEGER, "SMALLINT": INTEGER, "INTEGER": BIGINT, "BIGINT": HUGEINT}


def _total(node: Call, values: tuple[Values, ...]) -> Expr:
    """MIN // -1 and MIN % -1 raise: a wider type, where both can occur. No DECIMAL has a MIN."""
    kind = node.type
    dividend, divisor = node.args[0], without_zero(node.args[1], values[1])
    if kind.is_decimal:
        return call(node.function, (dividend, divisor), kind, node)
    limits = kind.limits()
    assert limits is not None
    least = values[0].low is None or values[0].low <= limits[0] < 0
    negative = values[1].low is None or (values[1].low <= -1 <= values[1].high)
    if least and negative:
        if kind.name in _WIDER:
            kind = _WIDER[kind.name]
        else:
            dividend = inside(dividend, kind, limits[0], None)
    return call(node.function, (coerce(dividend, kind), coerce(divisor, kind)), kind, node)


FUNCTIONS = (
    Function(
        "intdiv",
        _bind,
        _quotient,
        operator(exp.IntDiv),
        _total,
        timing="in HUGEINT by bits of the operands; other widths in one machine instruction",
    ),
    Function(
        "mod",
        _remainder_bind,
        _remainder,
        operator(exp.Mod),
        _total,
        timing="as intdiv; DECIMALs of more than 18 digits as HUGEINT, 0.02 to 0.1 µs",
    ),
)
