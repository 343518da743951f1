"""Numbers in Spark: arithmetic, rounding, extremes and bits.

Whole numbers of up to 64 bits have DuckDB's widths there, and an error where they overflow. A
HUGEINT is a DECIMAL(38, 0). DOUBLEs are IEEE's in both; where a zero is made, its sign is DuckDB's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpsql.platform.engine.far import plan_constants
from dpsql.platform.engine.far.operators import Call, Expr, Ref, Unsupported
from dpsql.platform.engine.far.spark_ranges import digits
from dpsql.platform.engine.far.spark_words import (
    WIDE,
    ZERO,
    cast,
    double,
    of,
    one_zero,
)
from dpsql.platform.engine.far.typed_arguments import (
    Printed,
    kinds,
    known,
    number,
)
from dpsql.types import DOUBLE, HUGEINT, INTEGER_BITS, Type, decimal

_MOST = 38
"""The digits of a DECIMAL."""

_KEPT = 6
"""So many digits after the point stay where a product or a sum has more than 38 digits."""

_DIVIDED = 32
"""A whole number of so many digits is divided as a DECIMAL without an error: Spark keeps 6 digits
of the quotient after the point, so 32 before it, and Sail multiplies the dividend by 10^4 first."""

_NEAR = double(str(1 - 2.0**-40))


def _plain(sign: str) -> Printed:
    """+, - and *: of whole numbers in their own width; of DECIMALs exactly."""

    def made(node: Call, args: Sequence[str]) -> str:
        types = [a.type for a in node.args]
        if len(args) == 1 and sign == "-" and types == [node.type]:
            return _negative(node.type, args[0])
        if node.type.is_decimal:
            digits = sum(k.precision or 99 for k in types) + 1
            if digits > _MOST and (node.type.scale or 0) > _KEPT:
                raise Unsupported(f"{sign} of DECIMALs of more than 37 digits together")
        elif not (node.type.is_integer or node.type == DOUBLE) or set(types) != {node.type}:
            raise Unsupported(f"{sign} of {' and '.join(str(k) for k in types)}")
        result = f"({args[0]} {sign} {args[1]})"
        exact = node.type.is_decimal or node.type.name in WIDE
        return cast(result, node.type) if exact else result

    return made


def _negative(kind: Type, value: str) -> str:
    """Of a DECIMAL by a difference: Spark's own minus, and its abs, keep 34 digits."""
    if not (kind.is_decimal or kind.name in WIDE):
        return f"(- {value})"
    if (kind.precision or 0) == _MOST and (kind.scale or 0) > _KEPT:
        raise Unsupported(f"- of {kind}")
    return cast(f"{of(kind, '0')} - {value}", kind)


def _absolute(node: Call, args: Sequence[str]) -> str:
    kind, (value,) = node.type, args
    if not (kind.is_decimal or kind.name in WIDE):
        return f"abs({value})"
    return f"CASE WHEN {value} < {of(kind, '0')} THEN {_negative(kind, value)} ELSE {value} END"


def _divided(node: Call, args: Sequence[str]) -> str:
    """Whole quotients, cut towards zero; NULL where the divisor is 0."""
    kind, a, b = node.type, args[0], _divisor(node, args)
    if not kind.is_integer or {x.type for x in node.args} != {kind}:
        raise Unsupported(f"// of {kind}")
    if kind.name not in WIDE:
        return cast(f"{a} DIV {b}", kind)
    return _whole(kind, a, b) if digits(node.args[0]) <= _DIVIDED else _long(node, a, b)


def divided_long(node: Call) -> bool:
    """Whether a quotient is written with its arguments many times."""
    return node.name == "//" and node.type.name in WIDE and digits(node.args[0]) > _DIVIDED


def _divisor(node: Call, args: Sequence[str]) -> str:
    """NULL for 0: a condition around the quotient is not enough, since Sail may compute a part of
    it that is there twice before it asks for the condition.
    """
    found = known(node.args[1])
    if found is not None and float(plan_constants.number(found)) != 0:
        return args[1]
    return f"nullif({args[1]}, {of(node.args[1].type, '0')})"


def _whole(kind: Type, a: str, b: str) -> str:
    """What is divided is a multiple, so nothing is rounded."""
    return cast(f"({a} - ({a} % {b})) / {b}", kind)


def _long(node: Call, a: str, b: str) -> str:
    """A quotient of a number that may have 38 digits.

    Claim: it is a / b, cut towards zero. Why: the first part is the quotient of the nearest
    DOUBLEs, less 2^-40 of it, which is more than was rounded, cut to a whole number (a half less,
    then rounded). So it is no further from zero than a / b, and nearer by less than 2^-39 of it and
    1. The rest, a - first * b, has the sign of `a`, or is 0, and is below 2^-39 |a| + |b|. The
    quotient is the first part and that of the rest: which is below 10^32 where |b| is below 10^31,
    and else 0, 1 or -1, since 2^-39 |a| is below |b|.
    """
    ratio = f"({cast(a, DOUBLE)} / {cast(b, DOUBLE)})"
    first = cast(f"{ratio} * {_NEAR} - signum({ratio}) * {double('0.5')}", HUGEINT)
    rest = cast(f"{a} - {cast(f'{first} * {b}', HUGEINT)}", HUGEINT)
    second = _whole(node.type, rest, b)
    if digits(node.args[1]) >= _DIVIDED:
        zero, minus = of(HUGEINT, "0"), cast(f"{of(HUGEINT, '0')} - {b}", HUGEINT)
        one = f"({b} > {zero} AND {rest} >= {b}) OR ({b} < {zero} AND {rest} <= {b})"
        less = f"({b} > {zero} AND {rest} <= {minus}) OR ({b} < {zero} AND {rest} >= {minus})"
        whole = f"CASE WHEN {one} THEN 1 WHEN {less} THEN -1 ELSE 0 END"
        near = f"{b} BETWEEN {_power(_DIVIDED - 1, '-')} AND {_power(_DIVIDED - 1)}"
        second = f"CASE WHEN {near} THEN {second} ELSE {cast(whole, node.type)} END"
    small = f"{a} BETWEEN {_power(_DIVIDED, '-')} AND {_power(_DIVIDED)}"
    parts = cast(f"{first} + {second}", node.type)
    return f"CASE WHEN {small} THEN {_whole(node.type, a, b)} ELSE {parts} END"


def _power(digits: int, minus: str = "") -> str:
    """The greatest whole number of so many digits, or the least."""
    return of(HUGEINT, f"{minus}{10**digits - 1}")


def _rest(node: Call, args: Sequence[str]) -> str:
    """Sail takes the rest of a DECIMAL by 1, where it is never NULL, for 0: so it is the rest from
    the whole part, and no other divisor may turn out to be 1.
    """
    kind, divisor = node.type, node.args[1]
    if not kind.is_exact or {x.type for x in node.args} != {kind}:
        raise Unsupported(f"% of {kind}")
    if kind.is_decimal:
        found = known(divisor)
        if found is not None and abs(plan_constants.number(found)) == 1:
            return cast(after_point(kind, args[0]), kind)
        if found is None and not _has_column(divisor):
            raise Unsupported("% of a DECIMAL by what is computed from constants")
    return cast(f"{args[0]} % {_divisor(node, args)}", kind)


def _has_column(node: Expr) -> bool:
    return isinstance(node, Ref) or (
        isinstance(node, Call) and any(_has_column(a) for a in node.args)
    )


def cut(value: str) -> str:
    """The whole part of a DECIMAL, towards zero, as a HUGEINT."""
    below, above = (cast(f"{name}({value})", HUGEINT) for name in ("floor", "ceil"))
    return f"(CASE WHEN {value} < 0 THEN {above} ELSE {below} END)"


def after_point(kind: Type, value: str) -> str:
    """The rest of a DECIMAL: what is subtracted has no more digits than it, so that none is lost.

    Raises:
        Unsupported: the difference would have more than 38.
    """
    precision, scale = kind.precision or 0, kind.scale or 0
    if precision + 1 + (precision == scale) > _MOST and scale > _KEPT:
        raise Unsupported(f"what is after the point of a {kind}")
    whole = cast(cut(value), decimal(max(precision - scale, 1), 0))
    return cast(f"{value} - {whole}", decimal(max(scale, 1), scale))


def _quotient(node: Call, args: Sequence[str]) -> str:
    """Of DOUBLEs; x / 0 is x times an infinity of the zero's sign, and so NaN where x is 0."""
    a, b = args
    if node.type != DOUBLE or {x.type for x in node.args} != {DOUBLE}:
        raise Unsupported(f"/ of {node.type}")
    divisor = _divisor(node, args)
    if divisor == b:
        return f"({a} / {b})"
    minus = f"CAST({b} AS STRING) LIKE '-%'"
    end = f"CASE WHEN {minus} THEN {double('-Infinity')} ELSE {double('Infinity')} END"
    return f"CASE WHEN {one_zero(DOUBLE, b)} = {ZERO} THEN {a} * {end} ELSE {a} / {divisor} END"


def _extreme(name: str, sign: str) -> Printed:
    """NULLs are left out. Of 0.0 and -0.0, which are equal, it is the first."""

    def made(node: Call, args: Sequence[str]) -> str:
        if len(args) == 1:
            return args[0]
        if not node.type.is_float:
            return f"{name}({', '.join(args)})"
        if len(args) > 2:
            raise Unsupported(f"{name} of more than two DOUBLEs")
        a, b = args
        later = f"{one_zero(DOUBLE, b)} {sign} {one_zero(DOUBLE, a)}"
        return f"CASE WHEN {a} IS NULL OR {later} THEN {b} ELSE {a} END"

    return made


def _of_double(made: Callable[[str], str]) -> Printed:
    def found(node: Call, args: Sequence[str]) -> str:
        if len(args) != 1 or node.args[0].type != DOUBLE:
            raise Unsupported(f"{node.name} of {kinds(node)}")
        return made(args[0])

    return found


def _whole_part(name: str) -> Callable[[str], str]:
    """Spark gives a BIGINT, or has one zero; from 2^53 on a DOUBLE has no fraction."""

    def made(x: str) -> str:
        large = f"NOT (abs({x}) < {double('9007199254740992')})"
        part = f"CAST({name}({x}) AS DOUBLE)"
        signed = f"WHEN {part} = {ZERO} THEN {x} * {ZERO}"
        return f"CASE WHEN {large} THEN {x} {signed} ELSE {part} END"

    return made


_round, _floor, _ceil = (_whole_part(name) for name in ("round", "floor", "ceil"))


def _cut(x: str) -> str:
    return f"CASE WHEN {x} < {ZERO} THEN {_ceil(x)} ELSE {_floor(x)} END"


def _rounded(node: Call, args: Sequence[str]) -> str:
    """Halves away from zero; of a DOUBLE to so many digits as DuckDB has it, by two roundings."""
    kind = node.args[0].type
    digits = number(node.args[1]) if len(args) == 2 else 0
    if digits is None or abs(digits) > 15 or not (kind.is_decimal or kind == DOUBLE):
        raise Unsupported(f"round of {kinds(node)}")
    if kind.is_decimal:
        return _decimal_rounded(node, args[0], digits)
    if len(args) == 1:
        return _round(args[0])
    unit, x = double(str(10 ** abs(digits))), args[0]
    by, back = ("*", "/") if digits >= 0 else ("/", "*")
    found = f"({_round(f'({x} {by} {unit})')} {back} {unit})"
    none, beyond = (f"NOT (abs({y}) < {double('Infinity')})" for y in (x, found))
    instead = x if digits >= 0 else ZERO
    return f"CASE WHEN {none} THEN {x} WHEN {beyond} THEN {instead} ELSE {found} END"


def _decimal_rounded(node: Call, value: str, digits: int) -> str:
    """A DECIMAL that has fewer digits after the point is rounded so; tens are made ones first."""
    if digits >= 0:
        return cast(value, node.type)
    precision = node.args[0].type.precision or 0
    if precision - digits > _MOST or precision + digits < (node.args[0].type.scale or 0):
        raise Unsupported(f"round of {kinds(node)} to so many digits")
    tenth = of(decimal(-digits, -digits), f"{10.0**digits:.{-digits}f}")
    ten = of(decimal(1 - digits, 0), str(10**-digits))
    units = f"CAST({value} * {tenth} AS DECIMAL({precision}, 0))"
    return cast(f"{units} * {ten}", node.type)


def _decimal_or_double(
    of_decimal: Callable[[str], str], of_double: Callable[[str], str]
) -> Printed:
    def made(node: Call, args: Sequence[str]) -> str:
        if len(args) == 1 and node.args[0].type.is_decimal:
            return cast(of_decimal(args[0]), node.type)
        return _of_double(of_double)(node, args)

    return made


def _sign(node: Call, args: Sequence[str]) -> str:
    x, kind = args[0], node.args[0].type
    none = f"WHEN isnan({x}) THEN 0 " if kind == DOUBLE else ""
    zero = of(kind, "0")
    value = f"CASE WHEN {x} IS NULL THEN NULL {none}WHEN {x} > {zero} THEN 1 WHEN {x} < {zero} "
    return cast(f"{value} THEN -1 ELSE 0 END", node.type)


def _bits(sign: str) -> Printed:
    def made(node: Call, args: Sequence[str]) -> str:
        if node.type.name in WIDE or {a.type for a in node.args} != {node.type}:
            raise Unsupported(f"{node.name} of {kinds(node)}")
        return cast(f"{args[0]} {sign} {args[1]}", node.type)

    return made


def _xor(node: Call, args: Sequence[str]) -> str:
    """Sail takes x ^ x for 0 where x is NULL, too."""
    both, either = _bits("&")(node, args), _bits("|")(node, args)
    return cast(f"{either} - {both}", node.type)


def _shifted(name: str) -> Printed:
    """By a constant, of what is wide enough for it."""

    def made(node: Call, args: Sequence[str]) -> str:
        by = number(node.args[1])
        bits = INTEGER_BITS.get(node.type.name, 0)
        if node.type.name not in ("INTEGER", "BIGINT") or by is None or not 0 <= by < bits - 1:
            raise Unsupported(f"{node.name} of {kinds(node)}, or by no constant")
        return f"{name}({args[0]}, {by})"

    return made


is_finite_number = _of_double(lambda x: f"(abs({x}) < {double('Infinity')})")

NUMBERS: dict[str, Printed] = {
    "+": _plain("+"),
    "-": _plain("-"),
    "*": _plain("*"),
    "//": _divided,
    "%": _rest,
    "/": _quotient,
    "greatest": _extreme("greatest", ">"),
    "least": _extreme("least", "<"),
    "abs": _absolute,
    "sign": _sign,
    "round": _rounded,
    "ceil": _decimal_or_double(lambda x: f"ceil({x})", _ceil),
    "floor": _decimal_or_double(lambda x: f"floor({x})", _floor),
    "trunc": _decimal_or_double(cut, _cut),
    "sqrt": _of_double(lambda x: f"sqrt({x})"),
    "isnan": _of_double(lambda x: f"CASE WHEN {x} IS NOT NULL THEN isnan({x}) END"),
    "isinf": _of_double(lambda x: f"(abs({x}) = {double('Infinity')})"),
    "&": _bits("&"),
    "|": _bits("|"),
    "xor": _xor,
    "<<": _shifted("shiftleft"),
    ">>": _shifted("shiftright"),
}
