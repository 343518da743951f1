"""What PostgreSQL 14 and later compute exactly as DuckDB does, and how it is written there.

Claim: each entry gives DuckDB's value for every argument for which DuckDB does not fail, and fails
for none of these. Why: whole numbers, decimals, texts as bytes, dates and comparisons follow one
definition; where the two differ the entry says so. The property test asks both for the same
values, at the ends of each type: `tests/engine/test_postgres_language.py`. What rests on a library
of floating-point functions, on the letters of a language or on the text of a number is not here.

HUGEINT and UBIGINT are numeric, which is exact and has no end. Texts are compared, sorted and
grouped by their bytes: each is of the collation "C" from where it is read or made.
Source: PostgreSQL 14 to 18, chapters "Data Types" and "Functions and Operators", and float.c.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dpsql.platform.engine.far import plan_constants, postgres_doubles
from dpsql.platform.engine.far.about import ABOUT
from dpsql.platform.engine.far.operators import (
    AggregateCall,
    Call,
    Constant,
    Expr,
    Ref,
    Unsupported,
    WindowCall,
)
from dpsql.platform.engine.far.postgres_dates import DATES, text_of
from dpsql.platform.engine.far.postgres_words import (
    BYTES,
    WIDE,
    cast,
    constant,
    quoted,
    repeated,
    type_of,
    typed,
)
from dpsql.platform.engine.far.server_sql import Language
from dpsql.platform.engine.far.typed_arguments import Printed, number
from dpsql.types import DOUBLE, Type

ENGINE = "PostgreSQL"

_SMALL = 15
"""The digits of a DECIMAL that are exact in a DOUBLE, and so the quotient is rounded once."""

_MOST = 2**31 - 1
"""Places and lengths are INTEGER there."""

_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,15})?")
"""A number that a FLOAT is near to."""

_FAR = re.compile(r"(\d{4,5})(-\d\d-\d\d)( \(BC\))?( \d\d:\d\d:\d\d(\.\d{1,6})?)?")
"""A day or a moment as DuckDB writes it, also of other ages."""


def call(node: Call, args: Sequence[str]) -> str:
    """A function's value."""
    found = CALLS.get(node.name)
    if found is None:
        raise Unsupported(node.name)
    return found(node, args)


def aggregate(node: AggregateCall, args: Sequence[str]) -> str:
    """An aggregate's value."""
    distinct = "DISTINCT " if node.distinct else ""
    if node.name == "count_star":
        return "COUNT(*)"
    if len(args) == 1:
        if node.name == "count":
            return f"COUNT({distinct}{args[0]})"
        if node.name == "sum" and node.type.is_exact:
            return f"SUM({distinct}{_summand(node.args[0].type, args[0])})"
        if node.name in _BOTH and not node.distinct:
            return f"{node.name}({args[0]})"
        if node.name in _EXTREMES and not node.type.is_float:
            name = _EXTREMES[node.name] if node.type.is_boolean else node.name
            return f"{name}({args[0]})"
    raise Unsupported(node.name)


def window(node: WindowCall, args: Sequence[str]) -> str:
    """What stands before OVER."""
    if node.name in ("row_number", "rank", "dense_rank") and not args:
        return f"{node.name}()"
    if node.name == "first_value" and len(args) == 1:
        return f"first_value({args[0]})"
    if node.name == "sum" and node.type.is_exact:
        return f"SUM({_summand(node.args[0].type, args[0])})"
    if node.name == "count" and len(args) == 1:
        return f"COUNT({args[0]})"
    ordered = not (node.type.is_float or node.type.is_boolean)
    if node.name in ("min", "max") and len(args) == 1 and ordered:
        return f"{node.name}({args[0]})"
    raise Unsupported(f"{node.name} as a window")


_BOTH = ("bool_and", "bool_or")
_EXTREMES = {"min": "bool_and", "max": "bool_or"}


def _summand(kind: Type, value: str) -> str:
    """A sum of BIGINTs is numeric there, and one of smaller ones a BIGINT, which has an end."""
    if kind.is_boolean:
        value = f"CAST({value} AS INTEGER)"
    return value if kind.is_decimal or kind.name in WIDE else f"CAST({value} AS BIGINT)"


def _plain(sign: str, doubles: Callable[[str, str], str]) -> Printed:
    """+, - and *: of whole numbers in their own width; of DECIMALs exactly."""

    def made(node: Call, args: Sequence[str]) -> str:
        kinds = [a.type for a in node.args]
        names = tuple(k.name for k in kinds)
        if len(args) == 1 and sign == "-" and node.type.is_numeric:
            return f"(- {args[0]})"
        if names == ("DOUBLE", "DOUBLE"):
            return repeated(doubles)(node, args)
        days = (sign == "+" and names in _SHIFTS) or (sign == "-" and names == ("DATE", "DATE"))
        if days:
            return f"CAST({args[0]} {sign} {args[1]} AS {type_of(node.type)})"
        whole = node.type.is_integer and set(kinds) == {node.type}
        if not whole and not (node.type.is_decimal and all(k.is_decimal for k in kinds)):
            raise Unsupported(f"{sign} of {' and '.join(str(k) for k in kinds)}")
        return f"({args[0]} {sign} {args[1]})"

    return made


_SHIFTS = (("DATE", "INTEGER"), ("TIMESTAMP", "INTERVAL"))


def _compared(sign: str) -> Printed:
    def made(node: Call, args: Sequence[str]) -> str:
        left, right = args
        if sign == "IS NOT DISTINCT FROM" and _joins(node.args):
            # Arrays take NULLs for equal, as this does, and can be hashed, which this cannot.
            return f"(ARRAY[{left}] = ARRAY[{right}])"
        return f"({left} {sign} {right})"

    return made


def _joins(args: Sequence[Expr]) -> bool:
    """Whether it compares a join's two sides."""
    left, right = (set(_sides(a)) for a in args)
    return left == {False} and right == {True}


def _sides(expr: Expr) -> Sequence[bool]:
    if isinstance(expr, Ref):
        return [expr.right]
    return [s for a in expr.args for s in _sides(a)] if isinstance(expr, Call) else []


def _cast(node: Call, args: Sequence[str]) -> str:
    (inner,), kind, [value] = node.args, node.type, args
    source = inner.type
    if isinstance(inner, Constant) and source.name == "VARCHAR" and inner.value is not None:
        return _folded(inner, kind)
    if source == kind:
        return value
    if source.name == "NULL":
        return cast("NULL", kind)
    if source == DOUBLE and kind.is_integer:
        return _to_whole(node, value)
    if kind == DOUBLE and (source.is_decimal or source.name == "HUGEINT"):
        return _to_double(node, args)
    if source.is_boolean and (kind.is_exact or kind == DOUBLE):
        return cast(f"CAST({value} AS INTEGER)", kind)
    if source.is_integer and kind.is_boolean:
        return f"({value} <> 0)"
    fits = (
        (source.is_integer and (kind.is_exact or kind == DOUBLE))
        or (source.is_decimal and kind.is_exact)
        or ((source.is_exact or source.is_boolean) and kind.name == "VARCHAR")
        or (source.name in ("DATE", "TIMESTAMP") and kind.name == "VARCHAR")
        or (source.name == "FLOAT" and kind == DOUBLE)
        or {source.name, kind.name} == {"DATE", "TIMESTAMP"}
    )
    if not fits:
        raise Unsupported(f"a {source} as {kind}")
    if source.is_decimal and kind.name in WIDE:
        return f"round({value})"
    if kind.name == "VARCHAR" and source.name in ("DATE", "TIMESTAMP"):
        return repeated(text_of)(node, args)
    if kind.name == "VARCHAR" and source.is_decimal:
        value = cast(value, source)  # with all its digits after the point
    return cast(value, kind)


def _folded(inner: Constant, kind: Type) -> str:
    if kind.name == "VARCHAR":
        return constant(inner)
    if kind.name == "FLOAT" and _NUMBER.fullmatch(str(inner.value)):
        return cast(f"'{inner.value}'", kind)
    far = _FAR.fullmatch(str(inner.value)) if kind.is_temporal else None
    if far is None:
        return constant(plan_constants.folded(str(inner.value), kind))
    year, day, before, time, _ = far.groups()
    if not (1 <= int(year) <= 9999 or (int(year) == 10000 and not before)):
        raise Unsupported("a day of such a year")
    return cast(f"'{year}{day}{time or ''}{' BC' * bool(before)}'", kind)


def _to_whole(node: Call, value: str) -> str:
    """Rounded to the nearest, and from between two to the even one, in both."""
    if node.type.name not in WIDE:
        return cast(value, node.type)
    return repeated(postgres_doubles.to_numeric)(node, [value])


def _to_double(node: Call, args: Sequence[str]) -> str:
    [inner] = node.args
    if inner.type.name == "HUGEINT":
        return repeated(postgres_doubles.of_hugeint)(node, args)
    digits, scale = inner.type.precision or 99, inner.type.scale or 0
    if digits <= _SMALL:
        return cast(args[0], DOUBLE)
    if digits > 18:
        raise Unsupported(f"a {inner.type} as DOUBLE")
    return repeated(lambda x: postgres_doubles.of_decimal(x, scale))(node, args)


def _divided(node: Call, args: Sequence[str]) -> str:
    """Whole quotients, cut towards zero; NULL where the divisor is 0."""
    kind, (a, b) = node.type, args
    if not kind.is_integer or {x.type for x in node.args} != {kind}:
        raise Unsupported(f"// of {kind}")
    if kind.name in WIDE:
        return f"div({a}, NULLIF({b}, {_zero(kind)}))"
    return f"({a} / NULLIF({b}, {_zero(kind)}))"


def _rest(node: Call, args: Sequence[str]) -> str:
    kind, (a, b) = node.type, args
    exact = kind.is_integer or kind.is_decimal
    if not exact or {x.type for x in node.args} != {kind}:
        raise Unsupported(f"% of {kind}")
    return f"({a} % NULLIF({b}, {_zero(kind)}))"


def _zero(kind: Type) -> str:
    return cast("'0'", kind)


def _hash(node: Call, args: Sequence[str]) -> str:
    """Another function of the same arguments: any will do, of 0 to 2^64 - 1, that is the same for
    values that are equal; so of texts that are the same for these.
    """
    texts = ", ".join(_image(a.type, s) for a, s in zip(node.args, args, strict=True))
    return f"(hash_array_extended(ARRAY[{texts}], 0) + {_double_63})"


_double_63 = f"CAST('{2**63}' AS NUMERIC)"


def _image(kind: Type, value: str) -> str:
    """A text that is the same where values are equal; NULL for NULL, which an array tells apart."""
    if kind.is_float:  # 0.0 and -0.0 are
        value = f"({value} + {_zero(DOUBLE)})"
    if kind.is_decimal or kind.name in WIDE:  # 1.0 and 1.00 are
        value = f"trim_scale({value})"
    return f"CAST({value} AS TEXT){BYTES}"


def _is_nan(node: Call, args: Sequence[str]) -> str:
    return f"({args[0]} = 'NaN')"


def _of_double(made: Callable[[str], str]) -> Printed:
    return typed(repeated(made), "DOUBLE")


def _about(x: str) -> str:
    """ln fails of 0 and below, and a cast of what it gives of infinities."""
    zero, two = _zero(DOUBLE), cast("'2'", DOUBLE)
    usual = f"{x} > {zero} AND {postgres_doubles.is_finite(x)}"
    return f"CASE WHEN {usual} THEN ln({x}) / ln({two}) WHEN {x} IS NOT NULL THEN {zero} END"


def _is_finite(node: Call, args: Sequence[str]) -> str:
    if node.args[0].type.is_temporal:
        return f"isfinite({args[0]})"
    return _of_double(postgres_doubles.is_finite)(node, args)


def _named(name: str) -> Printed:
    """A function of that name, whose value has the type that DuckDB's has."""

    def made(node: Call, args: Sequence[str]) -> str:
        return f"CAST({name}({', '.join(args)}) AS {type_of(node.type)})"

    return made


def _absolute(node: Call, args: Sequence[str]) -> str:
    return f"abs({args[0]})"


def _most(name: str) -> Printed:
    """NULLs are left out in both; of 0.0 and -0.0 both take the first."""
    return lambda node, args: f"{name}({', '.join(args)})"


def _substring(node: Call, args: Sequence[str]) -> str:
    """From a place that is at least 1, so many characters."""
    places = [number(a) for a in node.args[1:]]
    if any(n is None or not 0 <= n <= _MOST for n in places) or places[0] == 0:
        raise Unsupported("substring from a place or of a length that is no constant from 1 on")
    return f"substr({', '.join([args[0], *map(str, places)])})"


def _end(name: str) -> Printed:
    def made(node: Call, args: Sequence[str]) -> str:
        size = number(node.args[1])
        if size is None or not 0 <= size <= _MOST:
            raise Unsupported(f"{name} with a number that is no constant, or is negative")
        return f'"{name}"({args[0]}, {size})'

    return made


def _like(node: Call, args: Sequence[str]) -> str:
    return f"({args[0]} LIKE {args[1]} ESCAPE '')"


def _whole_part(name: str, doubles: Callable[[str], str]) -> Printed:
    """Of a DECIMAL, of which whole numbers are left, or of a DOUBLE."""

    def made(node: Call, args: Sequence[str]) -> str:
        if len(node.args) == 1 and node.args[0].type.is_decimal:
            return f"{name}({args[0]})"
        return _of_double(doubles)(node, args)

    return made


CALLS: dict[str, Printed] = {
    "cast": _cast,
    "=": _compared("="),
    "!=": _compared("<>"),
    "<": _compared("<"),
    "<=": _compared("<="),
    ">": _compared(">"),
    ">=": _compared(">="),
    "IS NOT DISTINCT FROM": _compared("IS NOT DISTINCT FROM"),
    "IS DISTINCT FROM": _compared("IS DISTINCT FROM"),
    "+": _plain("+", postgres_doubles.sum_of),
    "-": _plain("-", postgres_doubles.difference),
    "*": _plain("*", postgres_doubles.product),
    "//": _divided,
    "%": _rest,
    "/": typed(repeated(postgres_doubles.quotient), "DOUBLE", "DOUBLE"),
    "hash": _hash,
    ABOUT: _of_double(_about),
    "unicode": typed(
        repeated(lambda x: f"CASE WHEN {x} = '' THEN -1 ELSE ascii({x}) END"), "VARCHAR"
    ),
    "greatest": _most("greatest"),
    "least": _most("least"),
    "isnan": _is_nan,
    "isinf": _of_double(postgres_doubles.is_infinite),
    "isfinite": _is_finite,
    "round": _whole_part("round", postgres_doubles.rounded),
    "ceil": _whole_part("ceil", lambda x: f"ceil({x})"),
    "floor": _whole_part("floor", lambda x: f"floor({x})"),
    "trunc": _whole_part("trunc", lambda x: f"trunc({x})"),
    "sign": _of_double(postgres_doubles.sign),
    "sqrt": _of_double(postgres_doubles.root),
    "abs": _absolute,
    "strlen": _named("octet_length"),
    "bit_length": typed(lambda node, args: f"CAST(bit_length({args[0]}) AS BIGINT)", "VARCHAR"),
    "length": typed(_named("char_length"), "VARCHAR"),
    "substring": _substring,
    "left": _end("left"),
    "right": _end("right"),
    "||": typed(lambda node, args: f"({args[0]} || {args[1]})", "VARCHAR", "VARCHAR"),
    "contains": typed(
        lambda node, args: f"(strpos({args[0]}, {args[1]}) > 0)", "VARCHAR", "VARCHAR"
    ),
    "starts_with": _named("starts_with"),
    "prefix": _named("starts_with"),
    "~~": _like,
    "!~~": lambda node, args: f"(NOT {_like(node, args)})",
    "strpos": typed(_named("strpos"), "VARCHAR", "VARCHAR"),
    "replace": typed(_named("replace"), "VARCHAR", "VARCHAR", "VARCHAR"),
    "suffix": typed(
        lambda node, args: f'("right"({args[0]}, char_length({args[1]})) = {args[1]})',
        *("VARCHAR", "VARCHAR"),
    ),
    **DATES,
}


def key(kind: Type, value: str) -> str:
    """As it is: of doubles both zeros are one value to it, and NaN is one, and the greatest."""
    return value


POSTGRES = Language(ENGINE, quoted, type_of, constant, call, aggregate, window, key)
