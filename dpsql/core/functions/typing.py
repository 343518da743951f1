"""Common types: to what two operands are brought before they are compared or combined."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpsql.core.functions.spec import Args, TypeMismatch, call, coerce
from dpsql.core.plan.expr import Call, Case, Expr, Literal, children
from dpsql.types import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    HUGEINT,
    INTEGER,
    INTEGER_BITS,
    TIMESTAMP,
    UNSIGNED_BITS,
    VARCHAR,
    Type,
    decimal,
)

MAX_DIGITS = 38


def really_whole(expr: Expr) -> bool:
    """Whether an operand of a whole type is one in DuckDB too, where FLOOR and CEIL of a whole
    number are DOUBLEs: the same number, but `7 // FLOOR(i)` divides, and its text has a point.
    """
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Call):
            if node.function in ("floor", "ceil") and node.type.is_integer:
                return False
            if node.function in ("cast", "try_cast") or not node.type.is_numeric:
                continue
        stack.extend(children(node))
    return True


def integer_digits(kind: Type) -> int:
    """Decimal digits that hold every value of an integer type."""
    limits = kind.limits()
    assert limits is not None
    return max(len(str(abs(limits[0]))), len(str(limits[1])))


def wider_integer(a: Type, b: Type) -> Type:
    """The smallest signed type that holds both integer types."""
    need = max(
        INTEGER_BITS[t.name] if t.name in INTEGER_BITS else UNSIGNED_BITS[t.name] + 1
        for t in (a, b)
    )
    if need <= INTEGER_BITS["INTEGER"]:
        return INTEGER
    return BIGINT if need <= INTEGER_BITS["BIGINT"] else HUGEINT


def as_decimal(kind: Type) -> Type | None:
    """The DECIMAL that holds every value of an exact type; None where 38 digits are too few."""
    if kind.is_decimal:
        return kind
    digits = integer_digits(kind)
    return decimal(digits, 0) if digits <= MAX_DIGITS else None


def common_numeric(a: Type, b: Type) -> Type:
    """A numeric type that holds every value of both without loss; DOUBLE where there is none."""
    if a == b:
        return a
    if a.is_float or b.is_float:
        return DOUBLE
    if a.is_integer and b.is_integer:
        return wider_integer(a, b)
    left, right = as_decimal(a), as_decimal(b)
    if left is None or right is None:
        return DOUBLE
    assert left.scale is not None and right.scale is not None
    assert left.precision is not None and right.precision is not None
    scale = max(left.scale, right.scale)
    digits = max(left.precision - left.scale, right.precision - right.scale) + scale
    return decimal(digits, scale) if digits <= MAX_DIGITS else DOUBLE


def common(args: tuple[Expr, ...], what: str) -> Type:
    """The type to which all of `args` are brought for `what` (a comparison, CASE, COALESCE).

    Raises:
        TypeMismatch: the first argument that does not go with those before it.
    """
    result: Type | None = None
    for index, arg in enumerate(args):
        kind = arg.type
        if kind.name == "NULL":
            continue
        if kind.name == "ENUM":
            kind = VARCHAR
        if result is None or result == kind:
            result = kind
        elif result.is_numeric and kind.is_numeric:
            result = common_numeric(result, kind)
        elif result.is_temporal and kind.is_temporal:
            result = TIMESTAMP
        else:
            raise TypeMismatch(f"{what} of {result} and {kind}", index)
    return result if result is not None else INTEGER


def literal_type(value: int | Fraction) -> Type:
    """The type that DuckDB gives a plain integer literal; for a fraction the DECIMAL it needs."""
    if isinstance(value, int):
        if value == -(1 << 31):
            return BIGINT  # minus the BIGINT 2147483648; of -(1 << 63) and -(1 << 127) it is not so
        for kind in (INTEGER, BIGINT, HUGEINT):
            limits = kind.limits()
            assert limits is not None
            if limits[0] <= value <= limits[1]:
                return kind
        raise TypeMismatch("the number is too large")
    scale = 0
    while (value * 10**scale).denominator != 1:
        scale += 1
        if scale > MAX_DIGITS:
            raise TypeMismatch("the number has too many digits")
    digits = max(len(str(abs((value * 10**scale).numerator))), scale + 1)
    if digits > MAX_DIGITS:
        raise TypeMismatch("the number has too many digits")
    return decimal(digits, scale)


def sum_type(kind: Type) -> Type:
    """The type of SUM, as in DuckDB."""
    if kind.is_integer:
        return HUGEINT
    if kind.is_decimal:
        assert kind.scale is not None
        return decimal(38, kind.scale)
    return DOUBLE


def require(args: tuple[Expr, ...], count: int | tuple[int, int]) -> None:
    """Raise TypeMismatch unless there are `count` arguments (or from … to …)."""
    low, high = (count, count) if isinstance(count, int) else count
    if not low <= len(args) <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise TypeMismatch(f"takes {wanted} argument{'s' if high != 1 else ''}, not {len(args)}")


def integer_constant(arg: Expr, index: int, low: int, high: int) -> int:
    """The value of an argument that must be a whole-number literal in [low, high]."""
    ok = isinstance(arg, Literal) and isinstance(arg.value, int) and not isinstance(arg.value, bool)
    value = arg.value if ok and isinstance(arg, Literal) else None
    if not isinstance(value, int) or not low <= value <= high:
        raise TypeMismatch(f"argument {index + 1} must be a constant from {low} to {high}", index)
    return value


def need(args: Args, index: int, fits: bool, what: str) -> None:
    """Raise TypeMismatch unless the argument's type fits, or it is NULL; `what` would fit."""
    kind = args[index].type
    if not fits and kind.name != "NULL":
        raise TypeMismatch(f"needs {what}, not {kind}", index)


def whole_numbers(args: Args) -> None:
    """Raise TypeMismatch unless every argument is a whole number (or NULL)."""
    for index, arg in enumerate(args):
        need(args, index, arg.type.is_integer, "whole numbers")


Take = Callable[[Args, int], Expr]
"""One argument, checked and cast; raises TypeMismatch if it does not fit."""


def signature(
    *takes: Take, gives: Type, least: int | None = None
) -> Callable[[Args], tuple[Args, Type]]:
    """How a function takes its arguments, each by itself.

    Args:
        takes: of each argument.
        gives: the type of the result.
        least: how many there must be; None for all.
    """
    count = len(takes) if least is None else (least, len(takes))

    def bind(args: Args) -> tuple[Args, Type]:
        require(args, count)
        return tuple(take(args, i) for i, take in enumerate(takes[: len(args)])), gives

    return bind


def string(args: Args, index: int) -> Expr:
    """A text."""
    need(args, index, args[index].type.is_string, "a string")
    return coerce(args[index], VARCHAR)


def as_text(args: Args, index: int) -> Expr:
    """A text, or that of a whole number, which is the same in every dialect, or of a DOUBLE."""
    arg = args[index]
    if arg.type.is_integer and really_whole(arg):
        return call("cast", (arg,), VARCHAR, arg)
    if arg.type == DOUBLE and really_double(arg):
        return double_text(arg)
    known = no_text(arg)
    if known is not None:
        raise TypeMismatch(known[0], index, known[1])
    if not arg.type.is_string and convertible_to_text(arg.type):
        raise TypeMismatch(f"needs a string, not {arg.type}", index, "write CAST(x AS VARCHAR)")
    return string(args, index)


def convertible_to_text(kind: Type) -> bool:
    """Whether CAST makes a text of it, which is not the same in every dialect."""
    return kind.is_decimal or kind.is_boolean or kind.is_temporal


def no_text(value: Expr) -> tuple[str, str] | None:
    """Why a number has no text here, though others of its kind have one, and what to write instead;
    None where there is no such reason.
    """
    if value.type.is_float and not (value.type == DOUBLE and really_double(value)):
        help = "write CAST(TRY_CAST(x AS DECIMAL(18, 4)) AS VARCHAR), with the digits that you want"
        return "the text of a FLOAT, which has fewer digits than the DOUBLE it is here", help
    if value.type.is_integer and not really_whole(value):
        help = "leave FLOOR out, or write CAST(x AS BIGINT) around it"
        return "the text of FLOOR or CEIL of a whole number, which is a DOUBLE", help
    return None


def really_double(expr: Expr) -> bool:
    """Whether a DOUBLE is one in DuckDB too, and not the FLOAT that is computed in DOUBLE here: the
    text of that has fewer digits.
    """
    stack = [expr]
    while stack:
        node = stack.pop()
        single = isinstance(node, Call) and node.function in ("single", "try_single")
        if single or node.type.name == "FLOAT":
            return False
        stack.extend(children(node))
    return True


DOUBLE_TEXT = 24


def double_text(value: Expr) -> Expr:
    """The text of a DOUBLE, in which 0.0 and -0.0 are one, and every NaN is nan.

    Claim: equal DOUBLEs have one text, of at most DOUBLE_TEXT characters. Why: -0.0 + 0.0 is 0.0
    (IEEE 754), and NaN, of which DuckDB shows the sign, has a branch of its own. Only those are
    equal and not the same. DuckDB writes the shortest digits that are read back as the number, 17
    at most: with two signs, a point, an e and three digits of the exponent 24. LEFT enforces it.
    """
    zero = Literal(Fraction(0), DOUBLE)
    sum_ = call("add", (value, zero), DOUBLE, value)
    return _one_text(value, call("cast", (sum_,), VARCHAR, value))


def six_digits(value: Expr) -> Expr:
    """FORMAT('{:g}', x), which writes six digits at most, and is the same claim for that reason;
    the function adds the 0.0 itself.
    """
    return _one_text(value, call("six_digits", (value,), VARCHAR, value))


def _one_text(value: Expr, text: Expr) -> Expr:
    most = Literal(DOUBLE_TEXT, INTEGER)
    short = call("left", (text, most), VARCHAR, value)
    test = call("isnan", (value,), BOOLEAN, value)
    return Case(((test, Literal("nan", VARCHAR)),), short, VARCHAR, value.span)


def as_double(args: Args, index: int) -> Expr:
    """A number, as a DOUBLE."""
    need(args, index, args[index].type.is_numeric, "a number")
    return coerce(args[index], DOUBLE)


def constant_string(what: str, longest: int) -> Take:
    """A constant text of at most so many characters; `what` it is, for people."""

    def take(args: Args, index: int) -> Expr:
        text(args[index], index, what, longest)
        return args[index]

    return take


def constant(low: int, high: int) -> Take:
    """A whole-number literal in [low, high]."""

    def take(args: Args, index: int) -> Expr:
        integer_constant(args[index], index, low, high)
        return args[index]

    return take


def whole(kind: Type) -> Take:
    """A whole number, as that type."""

    def take(args: Args, index: int) -> Expr:
        need(args, index, args[index].type.is_integer, "whole numbers")
        return coerce(args[index], kind)

    return take


def text(arg: Expr, index: int, what: str, longest: int) -> str:
    """The value of an argument that must be a constant string."""
    if not (isinstance(arg, Literal) and isinstance(arg.value, str)):
        raise TypeMismatch(f"needs a constant {what}", index)
    if len(arg.value) > longest:
        raise TypeMismatch(f"a {what} of more than {longest} characters", index)
    return arg.value


ONE_DOUBLE = signature(as_double, gives=DOUBLE)
TWO_DOUBLES = signature(as_double, as_double, gives=DOUBLE)
"""How most functions of DOUBLEs take their arguments."""
