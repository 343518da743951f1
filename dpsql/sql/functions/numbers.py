"""Arithmetic. Exact operands stay exact: integers and DECIMALs never overflow, because the range of
the result is known before the type is chosen; where no exact type is wide enough, DOUBLE is used.

Ranges: the image of intervals under a monotone or bilinear function is spanned by its corners
(Moore, Interval Analysis, 1966). Floating-point results are widened outward by one step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from sqlglot import exp

from dpsql.plan.expr import Call, Case, Expr, Literal
from dpsql.plan.values import FLOAT_LIMIT, Values, outward
from dpsql.sql.functions.spec import Args, Function, Sql, TypeMismatch, call, cast, coerce, fn, op
from dpsql.sql.functions.typing import (
    MAX_DIGITS,
    as_decimal,
    common,
    integer_constant,
    require,
    wider_integer,
)
from dpsql.types import BIGINT, BOOLEAN, DOUBLE, HUGEINT, INTEGER, Number, Type, decimal

Interval = tuple[Number | None, Number | None]


def numbers(args: Args) -> None:
    """Raise TypeMismatch unless every argument is a number (or NULL)."""
    for index, arg in enumerate(args):
        if not arg.type.is_numeric and arg.type.name != "NULL":
            raise TypeMismatch(f"needs a number, not {arg.type}", index)


# --- intervals -----------------------------------------------------------------------------------


def _add(a: Values, b: Values) -> Interval:
    low = None if a.low is None or b.low is None else a.low + b.low
    high = None if a.high is None or b.high is None else a.high + b.high
    return low, high


def _negate(a: Values) -> Values:
    return a.but(
        low=None if a.high is None else -a.high,
        high=None if a.low is None else -a.low,
        finite=None,
    )


def _subtract(a: Values, b: Values) -> Interval:
    return _add(a, _negate(b))


def _multiply(a: Values, b: Values) -> Interval:
    if not (a.low is not None and a.high is not None and b.low is not None and b.high is not None):
        return None, None
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(corners), max(corners)


def _divide(a: Values, b: Values) -> Interval:
    if b.contains_zero() or not a.bounded or not b.bounded:
        return None, None
    corners = [Fraction(x) / y for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(corners), max(corners)


def _ranged(kind: Type, interval: Interval, values: tuple[Values, ...]) -> Values:
    """The interval as what a call of that type can be; inf - inf and 0 * inf make NaN."""
    low, high = interval
    if kind.is_float:
        low, high = outward(low, high)
        nan = any(v.nan for v in values) or low is None or high is None
        return Values(low, high, False, nan)
    return Values(low, high, False)


Rule = Callable[[Values, Values], Interval]


def _binary_values(rule: Rule) -> Callable[[Call, tuple[Values, ...]], Values]:
    def values(node: Call, args: tuple[Values, ...]) -> Values:
        return _ranged(node.type, rule(args[0], args[1]), args)

    return values


# --- types that cannot overflow ------------------------------------------------------------------


def digits_of(values: Values, kind: Type) -> int:
    """How many decimal digits (of the type's scale) hold the interval."""
    scale = kind.scale or 0
    top = math.ceil(values.magnitude * 10**scale)
    return max(len(str(top)), scale + 1, 1)


def narrowest_integer(low: Number, high: Number, at_least: Type) -> Type | None:
    """The first of INTEGER, BIGINT, HUGEINT, no narrower than `at_least`, that holds [low, high]."""
    for kind in (INTEGER, BIGINT, HUGEINT):
        limits = kind.limits()
        assert limits is not None
        if limits[0] <= low and high <= limits[1] and wider_integer(kind, at_least) == kind:
            return kind
    return None


def product_digits(a: int, b: int) -> int:
    """The width of DuckDB's DECIMAL(a, ·) * DECIMAL(b, ·): a + b, but kept in 64 bits (18 digits)
    where both operands are, and never above 38. Beyond the width it raises.
    """
    if a + b > 18 and max(a, b) <= 18:
        return 18
    return min(a + b, MAX_DIGITS)


def sum_digits(a: int, b: int) -> int:
    """The width of DuckDB's DECIMAL(a, s) + DECIMAL(b, s), by the same rule."""
    width = max(a, b) + 1
    if width > 18 and max(a, b) <= 18:
        return 18
    return min(width, MAX_DIGITS)


def _exact_integers(node: Call, values: tuple[Values, ...], result: Values) -> Expr | None:
    kinds = [a.type for a in node.args]
    least = wider_integer(kinds[0], kinds[1])
    kind = narrowest_integer(result.low, result.high, least)
    if kind is None:
        return None
    return call(node.function, tuple(coerce(a, kind) for a in node.args), kind, node)


def _exact_decimals(node: Call, values: tuple[Values, ...], result: Values) -> Expr | None:
    operands = [as_decimal(a.type) for a in node.args]
    if operands[0] is None or operands[1] is None:
        return None
    scales = [t.scale or 0 for t in operands if t is not None]
    if node.function != "mul":
        scales = [max(scales)] * 2
    scale = sum(scales) if node.function == "mul" else scales[0]
    if scale > MAX_DIGITS:
        return None
    need = digits_of(result, decimal(MAX_DIGITS, scale))
    rule = product_digits if node.function == "mul" else sum_digits
    own = [(t.precision or 0) - (t.scale or 0) + s for t, s in zip(operands, scales, strict=True)]  # type: ignore[union-attr]
    least = [digits_of(v, decimal(MAX_DIGITS, s)) for v, s in zip(values, scales, strict=True)]
    # As they are; else as narrow as their ranges allow; else in 128 bits.
    for widths in (own, least, [max(least[0], 19), least[1]]):
        width = rule(widths[0], widths[1])
        if max(widths) <= MAX_DIGITS and need <= width and scale <= width:
            break
    else:
        return None
    args = tuple(
        coerce(a, decimal(w, s)) for a, w, s in zip(node.args, widths, scales, strict=True)
    )
    return call(node.function, args, decimal(width, scale), node)


def _total_arithmetic(rule: Rule) -> Callable[[Call, tuple[Values, ...]], Expr]:
    """Choose a type by the range of the result, so that no row can overflow it."""

    def total(node: Call, values: tuple[Values, ...]) -> Expr:
        kinds = [a.type for a in node.args]
        exact: Expr | None = None
        if all(k.is_exact for k in kinds) and all(v.bounded for v in values):
            low, high = rule(values[0], values[1])
            result = Values(low, high)
            if all(k.is_integer for k in kinds):
                exact = _exact_integers(node, values, result)
            else:
                exact = _exact_decimals(node, values, result)
        if exact is not None:
            return exact
        return call(node.function, tuple(coerce(a, DOUBLE) for a in node.args), DOUBLE, node)

    return total


def _arithmetic(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    numbers(args)
    return args, common(args, "arithmetic")


def _to_double(args: Args) -> tuple[Args, Type]:
    numbers(args)
    return tuple(coerce(a, DOUBLE) for a in args), DOUBLE


def _divide_bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    return _to_double(args)


def null(kind: Type) -> Literal:
    """NULL of a type."""
    return Literal(None, kind)


def compare(name: str, left: Expr, right: Expr) -> Call:
    """A comparison of two expressions of one type."""
    return Call(name, (left, right), BOOLEAN)


def zero(kind: Type) -> Literal:
    """0 as a constant of a numeric type."""
    return Literal(0, kind)


def _guard_zero(node: Call, values: tuple[Values, ...]) -> Expr:
    """x / 0, x // 0 and x % 0 are NULL."""
    if not values[1].contains_zero():
        return node
    divisor = node.args[1]
    branch = (compare("ne", divisor, zero(divisor.type)), node)
    return Case((branch,), null(node.type), node.type, node.span)


def _divide_values(node: Call, values: tuple[Values, ...]) -> Values:
    result = _ranged(DOUBLE, _divide(values[0], values[1]), values)
    return result.but(nullable=values[1].contains_zero())


# --- integer division ----------------------------------------------------------------------------


def _integers(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    for index, arg in enumerate(args):
        if not arg.type.is_integer:
            raise TypeMismatch(f"needs whole numbers, not {arg.type}", index)
    kind = common(args, "division")
    if kind.name == "BIGINT":
        kind = HUGEINT  # -2^63 // -1 is no BIGINT
    elif kind.name == "INTEGER":
        kind = BIGINT
    return tuple(coerce(a, kind) for a in args), kind


def _whole_quotient(node: Call, values: tuple[Values, ...]) -> Values:
    a, b = values
    top = None if not a.bounded else a.magnitude
    negative = not (a.low is not None and a.low >= 0 and b.low is not None and b.low >= 0)
    low = None if top is None else (-top if negative else 0)
    return Values(low, top, b.contains_zero())


def _remainder(node: Call, values: tuple[Values, ...]) -> Values:
    a, b = values
    if not b.bounded:
        return _whole_quotient(node, values)
    top = max(b.magnitude - 1, 0)
    low = 0 if a.low is not None and a.low >= 0 else -top
    return Values(low, top, b.contains_zero())


def _total_whole(node: Call, values: tuple[Values, ...]) -> Expr:
    if not values[0].bounded:
        raise AssertionError("integer types are bounded")
    return _guard_zero(node, values)


# --- functions of one number ---------------------------------------------------------------------


def _one_number(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    numbers(args)
    kind = args[0].type
    return args, DOUBLE if kind.name == "NULL" else kind


def _abs_values(node: Call, values: tuple[Values, ...]) -> Values:
    (a,) = values
    nan = a.nan
    if not a.contains_zero():
        ends = [abs(e) for e in (a.low, a.high) if e is not None]
        high = max(ends) if len(ends) == 2 else None
        return Values(min(ends), high, False, nan)
    high = None if a.low is None or a.high is None else a.magnitude
    return Values(0, high, False, nan)


def _total_abs(node: Call, values: tuple[Values, ...]) -> Expr:
    """The most negative integer has no absolute value in its own type."""
    kind, value = node.type, values[0]
    if kind.is_integer:
        wide = narrowest_integer(0, value.magnitude, wider_integer(kind, kind))
        kind = DOUBLE if wide is None else wide
    return call("abs", (coerce(node.args[0], kind),), kind, node)


def _whole_bind(args: Args) -> tuple[Args, Type]:
    args, kind = _one_number(args)
    if kind.is_decimal:
        assert kind.precision is not None
        return args, decimal(kind.precision, 0)
    return args, kind if kind.is_integer else DOUBLE


def _whole_values(name: str) -> Callable[[Call, tuple[Values, ...]], Values]:
    rounding: Callable[[Number], int] = math.floor if name == "floor" else math.ceil

    def values(node: Call, args: tuple[Values, ...]) -> Values:
        (a,) = args
        low = None if a.low is None else rounding(a.low)
        high = None if a.high is None else rounding(a.high)
        if node.type.is_float:
            # Near FLOAT_LIMIT a whole number may not be a double; doubles there are whole already.
            low, high = outward(low, high)
        return Values(low, high, False, a.nan)

    return values


def _whole_sql(name: str) -> Callable[[list[Sql], Call], Sql]:
    def build(args: list[Sql], node: Call) -> Sql:
        # DuckDB's floor(INTEGER) is a DOUBLE; a whole number is its own floor.
        return args[0] if node.type.is_integer else fn(name, args[0])

    return build


def _total_whole_number(node: Call, values: tuple[Values, ...]) -> Expr:
    """ceil(9.9) needs one digit more than its operand's whole part can lack: check the range."""
    kind, value = node.type, values[0]
    if kind.is_decimal:
        low, high = math.floor(value.low), math.ceil(value.high)
        limits = kind.limits()
        assert limits is not None
        if low < limits[0] or high > limits[1]:
            return call(node.function, (coerce(node.args[0], DOUBLE),), DOUBLE, node)
    return node


def _round_bind(args: Args) -> tuple[Args, Type]:
    require(args, (1, 2))
    numbers(args[:1])
    digits = integer_constant(args[1], 1, 0, 15) if len(args) == 2 else 0
    kind = args[0].type
    if kind.is_decimal:
        assert kind.scale is not None and kind.precision is not None
        if digits >= kind.scale:
            return args, kind
        return args, decimal(kind.precision, digits)
    return args, kind if kind.is_integer else DOUBLE


def _round_digits(node: Call) -> int:
    return integer_constant(node.args[1], 1, 0, 15) if len(node.args) == 2 else 0


def _round_values(node: Call, values: tuple[Values, ...]) -> Values:
    a = values[0]
    if node.type.is_integer:
        return a.but(nullable=False, finite=None)
    step = Fraction(1, 10 ** _round_digits(node))
    # Rounding moves a number by at most half a step, whichever way ties go.
    low = None if a.low is None else math.floor(a.low / step) * step
    high = None if a.high is None else math.ceil(a.high / step) * step
    if node.type.is_float:
        low, high = outward(low, high)
    return Values(low, high, False, a.nan)


def _round_sql(args: list[Sql], node: Call) -> Sql:
    if node.type.is_integer or (node.type == node.args[0].type and node.type.is_decimal):
        return args[0]
    return fn("round", *args)


def _total_round(node: Call, values: tuple[Values, ...]) -> Expr:
    kind = node.type
    if kind.is_decimal and kind != node.args[0].type:
        rounded = _round_values(node, values)
        limits = kind.limits()
        assert limits is not None
        if rounded.low < limits[0] or rounded.high > limits[1]:
            args = (coerce(node.args[0], DOUBLE), *node.args[1:])
            return call("round", args, DOUBLE, node)
    return node


def _monotone(
    name: str, function: Callable[[float], float], above: Number | None
) -> Callable[[Call, tuple[Values, ...]], Values]:
    """An increasing function, defined where its argument is > `above` (None: everywhere)."""

    def end(x: Number | None, direction: float) -> Number | None:
        if x is None or (above is not None and x <= above) or abs(x) > FLOAT_LIMIT:
            return None
        try:
            y = function(float(x))
        except (OverflowError, ValueError):
            return None
        if not math.isfinite(y) or abs(y) > float(FLOAT_LIMIT):
            return None
        # libm may be off by a unit in the last place, and so may float(x).
        margin = Fraction(y) * Fraction(1, 2**48)
        return Fraction(y) + (abs(margin) + Fraction(1, 2**900)) * (1 if direction > 0 else -1)

    def values(node: Call, args: tuple[Values, ...]) -> Values:
        (a,) = args
        low, high = end(a.low, -1.0), end(a.high, 1.0)
        if name in ("sqrt", "exp"):
            low = max(low, 0) if low is not None else 0
        defined = above is None or (a.low is not None and a.low > above)
        return Values(low, high, not defined, a.nan)

    return values


def _guard_domain(name: str) -> Callable[[Call, tuple[Values, ...]], Expr]:
    """Outside its domain the function is NULL: sqrt(-1), ln(0)."""
    test = "ge" if name == "sqrt" else "gt"

    def total(node: Call, values: tuple[Values, ...]) -> Expr:
        low = values[0].low
        if low is not None and (low > 0 or (name == "sqrt" and low >= 0)):
            return node
        branch = (compare(test, node.args[0], zero(DOUBLE)), node)
        return Case((branch,), null(DOUBLE), DOUBLE, node.span)

    return total


def _double_one(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    return _to_double(args)


def _sqrt(x: float) -> float:
    return math.sqrt(max(x, 0.0))


# --- extremes ------------------------------------------------------------------------------------


def _extreme_bind(args: Args) -> tuple[Args, Type]:
    require(args, (2, 64))
    kind = common(args, "LEAST/GREATEST")
    if not (kind.is_numeric or kind.is_temporal):
        raise TypeMismatch(f"needs numbers or dates, not {kind}", 0)
    return tuple(coerce(a, kind) for a in args), kind


def _extreme_values(least: bool) -> Callable[[Call, tuple[Values, ...]], Values]:
    """DuckDB's LEAST and GREATEST skip NULLs, so one bounded operand bounds the result only while
    it cannot be NULL. NaN sorts above every number.
    """

    def values(node: Call, args: tuple[Values, ...]) -> Values:
        sure = [a for a in args if not a.nullable]
        lows = [a.low for a in args]
        highs = [a.high for a in args]
        if least:
            low = None if any(x is None for x in lows) else min(lows)
            tops = [a.high for a in sure if a.high is not None and not a.nan]
            high = min(tops) if tops else (None if any(x is None for x in highs) else max(highs))
            nan = all(a.nan for a in args) if not tops else False
            nan = nan or (not tops and any(a.nan for a in args))
        else:
            bottoms = [a.low for a in sure if a.low is not None]
            low = max(bottoms) if bottoms else (None if any(x is None for x in lows) else min(lows))
            high = None if any(x is None for x in highs) else max(highs)
            nan = any(a.nan for a in args)
        return Values(low, high, not sure, nan)

    return values


def _function_sql(name: str) -> Callable[[list[Sql], Call], Sql]:
    def build(args: list[Sql], node: Call) -> Sql:
        return fn(name, *args)

    return build


def _operator(node: type[exp.Binary]) -> Callable[[list[Sql], Call], Sql]:
    def build(args: list[Sql], call_: Call) -> Sql:
        return op(node, args[0], args[1])

    return build


# --- clamp and lattice: made by rewriting, never by the analyst ----------------------------------


def _clamp_values(node: Call, values: tuple[Values, ...]) -> Values:
    """clamp is monotone, so it maps [a, b] onto [clamp(a), clamp(b)]; a NaN becomes NULL."""
    a, low, high = values
    bottom, top = low.low, high.high
    first = bottom if a.low is None else min(max(a.low, bottom), top)
    last = top if a.high is None else min(max(a.high, bottom), top)
    return Values(first, last, a.nullable or a.nan)


def _clamp_sql(args: list[Sql], node: Call) -> Sql:
    """CASE, not LEAST/GREATEST: those turn NULL into a bound. NaN (above all) becomes NULL."""
    value, low, high = args
    case = exp.Case()
    if node.type.is_float:
        case = case.when(fn("isnan", value.copy()), exp.Null())
    case = case.when(op(exp.LT, value.copy(), low), low.copy())
    case = case.when(op(exp.GT, value.copy(), high), high.copy())
    return exp.Paren(this=case.else_(value.copy()))


def _clamp_bind(args: Args) -> tuple[Args, Type]:
    require(args, 3)
    return args, args[0].type


def _steps_bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    return args, BIGINT


def _steps_values(node: Call, values: tuple[Values, ...]) -> Values:
    """round(x / step) for a step that is a power of two: the division is exact."""
    a, step = values
    low = None if a.low is None else math.floor(a.low / step.low)
    high = None if a.high is None else math.ceil(a.high / step.low)
    return Values(low, high, False)


def _steps_sql(args: list[Sql], node: Call) -> Sql:
    return cast(fn("round", op(exp.Div, args[0], args[1])), BIGINT)


FUNCTIONS = (
    Function("add", _arithmetic, _binary_values(_add), _operator(exp.Add), _total_arithmetic(_add)),
    Function(
        "sub",
        _arithmetic,
        _binary_values(_subtract),
        _operator(exp.Sub),
        _total_arithmetic(_subtract),
    ),
    Function(
        "mul",
        _arithmetic,
        _binary_values(_multiply),
        _operator(exp.Mul),
        _total_arithmetic(_multiply),
    ),
    Function("div", _divide_bind, _divide_values, _operator(exp.Div), _guard_zero),
    Function("intdiv", _integers, _whole_quotient, _operator(exp.IntDiv), _total_whole),
    Function("mod", _integers, _remainder, _operator(exp.Mod), _total_whole),
    Function("abs", _one_number, _abs_values, _function_sql("abs"), _total_abs, names=("abs",)),
    Function(
        "floor",
        _whole_bind,
        _whole_values("floor"),
        _whole_sql("floor"),
        _total_whole_number,
        names=("floor",),
    ),
    Function(
        "ceil",
        _whole_bind,
        _whole_values("ceil"),
        _whole_sql("ceil"),
        _total_whole_number,
        names=("ceil", "ceiling"),
    ),
    Function("round", _round_bind, _round_values, _round_sql, _total_round, names=("round",)),
    Function(
        "sqrt",
        _double_one,
        _monotone("sqrt", _sqrt, None),
        _function_sql("sqrt"),
        _guard_domain("sqrt"),
        names=("sqrt",),
    ),
    Function(
        "ln",
        _double_one,
        _monotone("ln", math.log, 0),
        _function_sql("ln"),
        _guard_domain("ln"),
        names=("ln",),
    ),
    Function(
        "exp",
        _double_one,
        _monotone("exp", math.exp, None),
        _function_sql("exp"),
        names=("exp",),
    ),
    Function(
        "least",
        _extreme_bind,
        _extreme_values(True),
        _function_sql("least"),
        strict=False,
        names=("least",),
    ),
    Function(
        "greatest",
        _extreme_bind,
        _extreme_values(False),
        _function_sql("greatest"),
        strict=False,
        names=("greatest",),
    ),
    Function("clamp", _clamp_bind, _clamp_values, _clamp_sql, strict=False),
    Function("steps", _steps_bind, _steps_values, _steps_sql),
)
