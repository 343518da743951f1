"""ABS, FLOOR, CEIL and ROUND. All are defined everywhere; only their types need care."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from dpsql.plan.expr import Call, Expr
from dpsql.plan.values import Values, nearest, outward
from dpsql.sql.functions.arithmetic import narrowest_integer, numbers, plain_number
from dpsql.sql.functions.spec import Args, Function, Sql, call, coerce, fn, plain
from dpsql.sql.functions.typing import integer_constant, require
from dpsql.types import DOUBLE, Number, Type, decimal


def _one_number(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    numbers(args)
    arg = plain_number(args[0])
    return (arg,), arg.type


def _abs_values(node: Call, values: tuple[Values, ...]) -> Values:
    """|x| falls up to 0 and rises after it, so its extremes are at the ends or at 0."""
    (a,) = values
    high = None if a.low is None or a.high is None else a.magnitude
    if a.contains_zero():
        return Values(0, high, False, a.nan)
    low = min(abs(e) for e in (a.low, a.high) if e is not None)
    return Values(low, high, False, a.nan)


def _abs_total(node: Call, values: tuple[Values, ...]) -> Expr:
    """The most negative integer has no absolute value in its own type."""
    kind, value = node.type, values[0]
    if kind.is_integer:
        wide = narrowest_integer(0, value.magnitude, kind) if value.bounded else None
        kind = DOUBLE if wide is None else wide
    return call("abs", (coerce(node.args[0], kind),), kind, node)


def _whole_bind(args: Args) -> tuple[Args, Type]:
    args, kind = _one_number(args)
    if kind.is_decimal:
        assert kind.precision is not None
        return args, decimal(kind.precision, 0)
    return args, kind


def _whole_values(name: str) -> Callable[[Call, tuple[Values, ...]], Values]:
    rounding: Callable[[Number], int] = math.floor if name == "floor" else math.ceil

    def values(node: Call, args: tuple[Values, ...]) -> Values:
        """FLOOR and CEIL are monotone, and exact for doubles too: a double beyond 2^52 is whole."""
        (a,) = args
        low = None if a.low is None else rounding(a.low)
        high = None if a.high is None else rounding(a.high)
        return Values(low, high, False, a.nan)

    return values


def _whole_sql(name: str) -> Callable[[list[Sql], Call], Sql]:
    def build(args: list[Sql], node: Call) -> Sql:
        # DuckDB's floor(INTEGER) is a DOUBLE; a whole number is its own floor.
        return args[0] if node.type.is_integer else fn(name, args[0])

    return build


def _in_type(node: Call, rounded: Values) -> Expr:
    """A DECIMAL result that its own type holds, by its range; else computed in DOUBLE."""
    limits = node.type.limits()
    if not node.type.is_decimal or limits is None:
        return node
    if rounded.bounded and limits[0] <= rounded.low and rounded.high <= limits[1]:
        return node
    return call(node.function, (coerce(node.args[0], DOUBLE), *node.args[1:]), DOUBLE, node)


def _whole_total(node: Call, values: tuple[Values, ...]) -> Expr:
    return _in_type(node, _whole_values(node.function)(node, values))


def _round_bind(args: Args) -> tuple[Args, Type]:
    require(args, (1, 2))
    numbers(args[:1])
    digits = integer_constant(args[1], 1, 0, 15) if len(args) == 2 else 0
    args = (plain_number(args[0]), *args[1:])
    kind = args[0].type
    if kind.is_decimal:
        assert kind.scale is not None and kind.precision is not None
        return args, kind if digits >= kind.scale else decimal(kind.precision, digits)
    return args, kind


def _digits(node: Call) -> int:
    return integer_constant(node.args[1], 1, 0, 15) if len(node.args) == 2 else 0


def _round_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: a multiple of the step next to x, below or above, whichever way ties go. Why for a
    DOUBLE: the engine computes round(x·10^n) / 10^n; while x·10^n stays within 2^53 the whole
    numbers around it are doubles, so rounding the product does not pass them, and the quotient is
    correctly rounded. Beyond, both roundings move x by 2^-52 of it at most.
    """
    a = values[0]
    if node.type.is_integer or (node.type.is_decimal and node.type == node.args[0].type):
        return a.but(nullable=False)
    digits = _digits(node)
    step = Fraction(1, 10**digits)
    low = None if a.low is None else math.floor(a.low / step) * step
    high = None if a.high is None else math.ceil(a.high / step) * step
    if node.type.is_float:
        ends = [abs(e) for e in (low, high) if e is not None]
        exact = digits == 0 or all(e / step <= 2**53 for e in ends)
        low, high = nearest(low, high) if exact else outward(low, high)
    return Values(low, high, False, a.nan)


def _round_sql(args: list[Sql], node: Call) -> Sql:
    if node.type.is_integer or (node.type == node.args[0].type and node.type.is_decimal):
        return args[0]
    return fn("round", *args)


def _round_total(node: Call, values: tuple[Values, ...]) -> Expr:
    if node.type == node.args[0].type:
        return node
    return _in_type(node, _round_values(node, values))


def _whole(name: str, *others: str) -> Function:
    return Function(
        name,
        _whole_bind,
        _whole_values(name),
        _whole_sql(name),
        _whole_total,
        names=(name, *others),
    )


FUNCTIONS = (
    Function("abs", _one_number, _abs_values, plain("abs"), _abs_total, names=("abs",)),
    _whole("floor"),
    _whole("ceil", "ceiling"),
    Function("round", _round_bind, _round_values, _round_sql, _round_total, names=("round",)),
)
