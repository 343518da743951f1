"""Integer division and remainder. By zero they are NULL; the one quotient that no type of the
operands holds, MIN // -1, is computed in a wider type, and in HUGEINT it is NULL.

    -7 // 2 = -3    -7 % 2 = -1    7 % -2 = 1    (toward zero, as in C)
"""

from __future__ import annotations

from sqlglot import exp

from dpsql.plan.expr import Call, Expr, Literal
from dpsql.plan.values import Values
from dpsql.sql.functions.arithmetic import without_zero
from dpsql.sql.functions.spec import Args, Function, TypeMismatch, call, coerce, operator
from dpsql.sql.functions.typing import common, require
from dpsql.types import BIGINT, HUGEINT, INTEGER, Type


def _bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    for index, arg in enumerate(args):
        if not arg.type.is_integer and arg.type.name != "NULL":
            raise TypeMismatch(f"needs whole numbers, not {arg.type}", index)
    kind = common(args, "division")
    return tuple(coerce(a, kind) for a in args), kind


def _quotient(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: |a // b| <= |a|, and it is not negative where neither is. Why: |b| >= 1."""
    a, b = values
    if not a.bounded:
        return Values(nullable=True)
    top = a.magnitude
    positive = a.low >= 0 and b.low is not None and b.low >= 0
    return Values(0 if positive else -top, top, b.contains_zero())


def _remainder(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: |a % b| < |b|, |a % b| <= |a|, and it has the sign of a. Why: a = (a // b)·b + a % b
    with a quotient rounded toward zero.
    """
    a, b = values
    if not (a.bounded and b.bounded):
        return Values(nullable=True)
    top = max(b.magnitude - 1, 0)
    low = max(-top, min(a.low, 0))
    return Values(low, min(top, max(a.high, 0)), b.contains_zero())


_WIDER = {"TINYINT": INTEGER, "SMALLINT": INTEGER, "INTEGER": BIGINT, "BIGINT": HUGEINT}


def _total(node: Call, values: tuple[Values, ...]) -> Expr:
    """MIN // -1 and MIN % -1 raise: a wider type, where both can occur."""
    kind = node.type
    dividend, divisor = node.args[0], without_zero(node.args[1], values[1])
    limits = kind.limits()
    assert limits is not None
    least = values[0].low is None or values[0].low <= limits[0] < 0
    negative = values[1].low is None or (values[1].low <= -1 <= values[1].high)
    if least and negative:
        if kind.name in _WIDER:
            kind = _WIDER[kind.name]
        else:
            bounds = (Literal(limits[0], kind), Literal(None, kind))
            dividend = call("inside", (dividend, *bounds), kind, dividend)
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
    Function("mod", _bind, _remainder, operator(exp.Mod), _total, timing="as intdiv"),
)
