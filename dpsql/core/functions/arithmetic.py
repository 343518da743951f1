"""+ - * and /. Exact operands stay exact: the range of the result is known before its type is
chosen, so no row can overflow it; where no exact type is wide enough, DOUBLE is used.

Intervals of exact numbers, and what arithmetic makes of them.

Claim: the image of intervals under +, -, * and / is spanned by its corners. Why: each is monotone
in either operand while the other is held (Moore, Interval Analysis, 1966).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from dpsql.core.functions.spec import Args, Function, call, coerce, operator
from dpsql.core.functions.typing import (
    MAX_DIGITS,
    TWO_DOUBLES,
    as_decimal,
    common,
    need,
    require,
    wider_integer,
)
from dpsql.core.plan.expr import Call, Case, Expr, Literal
from dpsql.core.plan.values import Values, nearest
from dpsql.core.plan.values import union as either
from dpsql.types import BIGINT, BOOLEAN, DOUBLE, HUGEINT, INTEGER, Number, Type, decimal

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


def numbers(args: Args) -> None:
    """Raise TypeMismatch unless every argument is a number (or NULL)."""
    for index, arg in enumerate(args):
        need(args, index, arg.type.is_numeric, "a number")


def plain_number(arg: Expr) -> Expr:
    """The argument in a type to compute in: a FLOAT is widened to DOUBLE, NULL is one."""
    return coerce(arg, DOUBLE) if arg.type.name in ("FLOAT", "NULL") else arg


def without_zero(divisor: Expr, values: Values) -> Expr:
    """The divisor with NULL for 0: x / 0, x // 0 and x % 0 are NULL. Of a whole number 0 is left
    out before it is made a DOUBLE, as that tells how near to 0 it comes.
    """
    if not values.contains_zero() or _is_guarded(divisor):
        return divisor
    if isinstance(divisor, Call) and divisor.function == "coerce" and _is_whole(divisor):
        return replace(divisor, args=(without_zero(divisor.args[0], values),))
    return call("nullif", (divisor, Literal(0, divisor.type)), divisor.type, divisor)


def _is_whole(number: Expr) -> bool:
    """Whether it is a whole number, if as a DOUBLE."""
    while isinstance(number, Call) and number.function == "coerce":
        number = number.args[0]
    return number.type.is_integer


def one_zero(number: Expr, values: Values) -> Expr:
    """A DOUBLE with 0.0 for -0.0. They are equal, so MIN, DISTINCT and GROUP BY keep either of
    them, as the order of rows has it: no function may tell them apart, so that what is computed is
    a function of the values.
    """
    zero = Literal(0, DOUBLE)
    if isinstance(number, Case):
        ((condition, value), *others) = number.branches
        if (
            not others
            and value == zero
            and condition == call("eq", (number.default, zero), BOOLEAN)
        ):
            return number  # done before
    if not values.contains_zero():
        return number
    same = call("eq", (number, zero), BOOLEAN)
    return Case(((same, zero),), number, DOUBLE, number.span)


def _is_guarded(divisor: Expr) -> bool:
    while isinstance(divisor, Call) and divisor.function == "coerce":
        divisor = divisor.args[0]
    if not isinstance(divisor, Call) or divisor.function != "nullif":
        return False
    other = divisor.args[1]
    return isinstance(other, Literal) and other.value == 0


def digits_of(values: Values, kind: Type) -> int:
    """How many decimal digits (of the type's scale) hold the interval."""
    scale = kind.scale or 0
    top = math.ceil(values.magnitude * 10**scale)
    return max(len(str(top)), scale + 1, 1)


def narrowest_integer(low: Number, high: Number, at_least: Type) -> Type | None:
    """The first of INTEGER, BIGINT, HUGEINT, no narrower than `at_least`, that holds [low, high].

    -2^127 is left out: the engine's own products raise there.
    """
    for kind in (INTEGER, BIGINT, HUGEINT):
        limits = kind.limits()
        assert limits is not None
        inside = limits[0] <= low and high <= limits[1] and (kind != HUGEINT or low > limits[0])
        if inside and wider_integer(kind, at_least) == kind:
            return kind
    return None


def product_digits(a: int, b: int, scale: int) -> int:
    """The width of DuckDB's DECIMAL(a, ·) * DECIMAL(b, ·) with so many decimal places: a + b, but
    kept in 64 bits (18 digits) where both operands are and the places leave a digit, and never
    above 38. Beyond the width it raises.
    """
    if a + b > 18 and max(a, b) <= 18 and scale < 18:
        return 18
    return min(a + b, MAX_DIGITS)


def sum_digits(a: int, b: int, scale: int) -> int:
    """The width of DuckDB's DECIMAL(a, scale) + DECIMAL(b, scale)."""
    return min(max(a, b) + 1, MAX_DIGITS)


def _exact_integers(node: Call, result: Values) -> Expr | None:
    kinds = [a.type for a in node.args]
    least = wider_integer(kinds[0], kinds[1])
    kind = narrowest_integer(result.low, result.high, least)
    if kind is None:
        return None
    return call(node.function, tuple(coerce(a, kind) for a in node.args), kind, node)


def _exact_decimals(node: Call, values: tuple[Values, ...], result: Values) -> Expr | None:
    operands = [as_decimal(a.type) for a in node.args]
    left, right = operands
    if left is None or right is None:
        return None
    scales = [left.scale or 0, right.scale or 0]
    if node.function != "mul":
        scales = [max(scales)] * 2
    scale = sum(scales) if node.function == "mul" else scales[0]
    if scale > MAX_DIGITS:
        return None
    need = digits_of(result, decimal(MAX_DIGITS, scale))
    rule = product_digits if node.function == "mul" else sum_digits
    own = [
        (t.precision or 0) - (t.scale or 0) + s for t, s in zip((left, right), scales, strict=True)
    ]
    least = [digits_of(v, decimal(MAX_DIGITS, s)) for v, s in zip(values, scales, strict=True)]
    # As they are; else as narrow as their ranges allow; else in 128 bits.
    for widths in (own, least, [max(least[0], 19), least[1]]):
        width = rule(widths[0], widths[1], scale)
        if max(widths) <= MAX_DIGITS and need <= width and scale <= width:
            break
    else:
        return None
    args = tuple(
        coerce(a, decimal(w, s)) for a, w, s in zip(node.args, widths, scales, strict=True)
    )
    return call(node.function, args, decimal(width, scale), node)


def _total(rule: Rule) -> Callable[[Call, tuple[Values, ...]], Expr]:
    """Choose a type by the range of the result, so that no row can overflow it."""

    def total(node: Call, values: tuple[Values, ...]) -> Expr:
        kinds = [a.type for a in node.args]
        exact: Expr | None = None
        if all(k.is_exact for k in kinds) and all(v.bounded for v in values):
            result = Values(*rule(values[0], values[1]))
            if all(k.is_integer for k in kinds):
                exact = _exact_integers(node, result)
            else:
                exact = _exact_decimals(node, values, result)
        if exact is not None:
            return exact
        return call(node.function, tuple(coerce(a, DOUBLE) for a in node.args), DOUBLE, node)

    return total


def _bind(product: bool) -> Callable[[Args], tuple[Args, Type]]:
    def bind(args: Args) -> tuple[Args, Type]:
        require(args, 2)
        numbers(args)
        kind = common(args, "arithmetic")
        args = tuple(coerce(a, kind) if a.type.name in ("NULL", "FLOAT") else a for a in args)
        if kind.name == "FLOAT":
            return tuple(coerce(a, DOUBLE) for a in args), DOUBLE
        return args, _decimal_type(args, product) if kind.is_decimal else kind

    return bind


def _decimal_type(args: Args, product: bool) -> Type:
    """DuckDB's own type: what is put beside the result (in a CASE, a comparison) is brought to a
    type that holds both, so one of fewer places would cut digits off.
    """
    left, right = (as_decimal(a.type) for a in args)
    if left is None or right is None or left.precision is None or right.precision is None:
        return DOUBLE
    scales = [left.scale or 0, right.scale or 0]
    if product:
        scale = sum(scales)
        width = product_digits(left.precision, right.precision, scale)
    else:
        scale = max(scales)
        widths = [left.precision - scales[0] + scale, right.precision - scales[1] + scale]
        width = sum_digits(widths[0], widths[1], scale)
    return decimal(width, scale) if scale <= width else DOUBLE


def _values(rule: Rule) -> Callable[[Call, tuple[Values, ...]], Values]:
    def values(node: Call, args: tuple[Values, ...]) -> Values:
        return ranged(node.type, rule(args[0], args[1]), args)

    return values


def _arithmetic(name: str, rule: Rule, node: type[exp.Binary]) -> Function:
    return Function(name, _bind(name == "mul"), _values(rule), operator(node), _total(rule))


def _sides(divisor: Expr, values: Values) -> list[Values]:
    """What the divisor can be, but 0 where it is a whole number; in two ranges where that can be on
    both sides of 0, and not beyond what DOUBLEs hold exactly, as noisy numbers can be.
    """
    if not _is_whole(divisor):
        return [values]
    by = values.other_than(0, INTEGER)
    if not by.bounded or not by.low < 0 < by.high or by.magnitude > 2**53:
        return [by]
    return [by.but(high=-1), by.but(low=1)]


def _divide_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: of a whole divisor 0 does not count, so that |a / b| <= |a|. Why: the quotient is NULL
    then, for which `_divide_total` sees.
    """
    dividend, divisor = values
    sides = _sides(node.args[1], divisor)
    ends = [ranged(DOUBLE, divide(dividend, by), values) for by in sides]
    return either(ends).but(nullable=divisor.contains_zero())


def _divide_total(node: Call, values: tuple[Values, ...]) -> Expr:
    """By a whole number on both sides of 0, b, it is a · SIGN(b) / GREATEST(ABS(b), 1).

    Claim: the same, and every operation has a range. Why: b is NULL for 0, and else its size is 1
    or more; a sign is moved without an error.
    """
    dividend, divisor = node.args[0], without_zero(node.args[1], values[1])
    if values[0].bounded and len(_sides(node.args[1], values[1])) > 1:
        sign = coerce(call("sign", (divisor,), Type("TINYINT"), divisor), DOUBLE)
        size = call("abs", (divisor,), DOUBLE, divisor)
        dividend = call("mul", (dividend, sign), DOUBLE, node)
        divisor = call("greatest", (size, Literal(Fraction(1), DOUBLE)), DOUBLE, divisor)
    return call("div", (dividend, divisor), DOUBLE, node)


FUNCTIONS = (
    _arithmetic("add", add, exp.Add),
    _arithmetic("sub", subtract, exp.Sub),
    _arithmetic("mul", multiply, exp.Mul),
    Function("div", TWO_DOUBLES, _divide_values, operator(exp.Div), _divide_total),
)
