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

from dpsql.platform.engine.far import constants, postgres_doubles
from dpsql.platform.engine.far.plan import (
    AggregateCall,
    Call,
    Constant,
    Expr,
    Ref,
    Unsupported,
    WindowCall,
)
from dpsql.platform.engine.far.printing import Language
from dpsql.types import DOUBLE, Type

ENGINE = "PostgreSQL"

_TYPES = {
    "BOOLEAN": "BOOLEAN",
    "TINYINT": "SMALLINT",
    "SMALLINT": "SMALLINT",
    "INTEGER": "INTEGER",
    "BIGINT": "BIGINT",
    "UBIGINT": "NUMERIC",
    "HUGEINT": "NUMERIC",
    "FLOAT": "REAL",
    "DOUBLE": "DOUBLE PRECISION",
    "VARCHAR": "TEXT",
    "BLOB": "BYTEA",
    "DATE": "DATE",
    "TIMESTAMP": "TIMESTAMP",
    "INTERVAL": "INTERVAL",
    "NULL": "TEXT",
}
_WIDE = ("HUGEINT", "UBIGINT")
"""Whole numbers that are numeric there."""

_SMALL = 15
"""The digits of a DECIMAL that are exact in a DOUBLE, and so the quotient is rounded once."""

_MOST = 2**31 - 1
"""Places and lengths are INTEGER there."""

BYTES = ' COLLATE "C"'
"""Texts in the order of their bytes, and equal where these are."""

_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,15})?")
"""A number that a FLOAT is near to."""

_FAR = re.compile(r"(\d{4,5})(-\d\d-\d\d)( \(BC\))?( \d\d:\d\d:\d\d(\.\d{1,6})?)?")
"""A day or a moment as DuckDB writes it, also of other ages."""


def quoted(name: str) -> str:
    """An identifier."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A text, whatever `standard_conforming_strings` is."""
    if "\x00" in value:
        raise Unsupported("a text with the character 0")
    inner = value.replace("\\", "\\\\").replace("'", "''")
    return f"{'E' if chr(92) in value else ''}'{inner}'"


def type_of(kind: Type) -> str:
    """The type that holds each of its values."""
    if kind.is_decimal:
        return f"NUMERIC({kind.precision}, {kind.scale})"
    found = _TYPES.get(kind.name)
    if found is None:
        raise Unsupported(f"the type {kind.name}")
    return found


def cast(value: str, kind: Type) -> str:
    """A value as of another type; a text by its bytes."""
    return f"CAST({value} AS {type_of(kind)}){BYTES * (kind.name in ('VARCHAR', 'NULL'))}"


def constant(value: Constant) -> str:
    """A value, of its own type."""
    kind = value.type
    if value.value is None:
        return cast("NULL", kind)
    if kind.is_boolean:
        return "TRUE" if value.value else "FALSE"
    if kind.is_integer:
        return cast(f"'{constants.whole(value)}'", kind)
    if kind.is_decimal:
        return cast(f"'{constants.decimal(value):f}'", kind)
    if kind.name == "DOUBLE":
        return cast(f"'{constants.double(value)}'", kind)
    if kind.name == "VARCHAR":
        return cast(text(str(value.value)), kind)
    if kind.name == "DATE":
        return cast(f"'{constants.day(value).isoformat()}'", kind)
    if kind.name == "TIMESTAMP":
        return cast(f"'{constants.moment(value).isoformat(sep=' ')}'", kind)
    if kind.name == "INTERVAL":
        parts = value.value
        days = f"{parts['months']} months {parts['days']} days"
        return f"INTERVAL '{days} {parts['micros']} microseconds'"
    raise Unsupported(f"a constant of the type {kind}")


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
    return value if kind.is_decimal or kind.name in _WIDE else f"CAST({value} AS BIGINT)"


Made = Callable[[Call, Sequence[str]], str]


def _repeated(made: Callable[..., str]) -> Made:
    """An entry that has its arguments in it more than once: those that are no columns and no
    constants are computed once, in a subquery that stays one (OFFSET 0).
    """

    def found(node: Call, args: Sequence[str]) -> str:
        if all(isinstance(a, Ref | Constant) for a in node.args):
            return made(*args)
        names = "abcdefgh"[: len(args)]
        listed = ", ".join(f"{value} AS {name}" for name, value in zip(names, args, strict=True))
        return f"(SELECT {made(*(f'x.{n}' for n in names))} FROM (SELECT {listed} OFFSET 0) AS x)"

    return found


def _typed(made: Made, *kinds: str) -> Made:
    """An entry for arguments of these types alone."""

    def found(node: Call, args: Sequence[str]) -> str:
        if tuple(a.type.name for a in node.args) != kinds:
            raise Unsupported(f"{node.name} of {', '.join(str(a.type) for a in node.args)}")
        return made(node, args)

    return found


def _plain(sign: str, doubles: Callable[[str, str], str]) -> Made:
    """+, - and *: of whole numbers in their own width; of DECIMALs exactly."""

    def made(node: Call, args: Sequence[str]) -> str:
        kinds = [a.type for a in node.args]
        names = tuple(k.name for k in kinds)
        if len(args) == 1 and sign == "-" and node.type.is_numeric:
            return f"(- {args[0]})"
        if names == ("DOUBLE", "DOUBLE"):
            return _repeated(doubles)(node, args)
        days = (sign == "+" and names in _SHIFTS) or (sign == "-" and names == ("DATE", "DATE"))
        if days:
            return f"CAST({args[0]} {sign} {args[1]} AS {type_of(node.type)})"
        whole = node.type.is_integer and set(kinds) == {node.type}
        if not whole and not (node.type.is_decimal and all(k.is_decimal for k in kinds)):
            raise Unsupported(f"{sign} of {' and '.join(str(k) for k in kinds)}")
        return f"({args[0]} {sign} {args[1]})"

    return made


_SHIFTS = (("DATE", "INTEGER"), ("TIMESTAMP", "INTERVAL"))


def _compared(sign: str) -> Made:
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
        or ((source.is_integer or source.is_decimal) and kind.name == "VARCHAR")
        or (source.name == "FLOAT" and kind == DOUBLE)
        or {source.name, kind.name} == {"DATE", "TIMESTAMP"}
    )
    if not fits:
        raise Unsupported(f"a {source} as {kind}")
    if source.is_decimal and kind.name in _WIDE:
        return f"round({value})"
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
        return constant(constants.folded(str(inner.value), kind))
    year, day, before, time, _ = far.groups()
    if not (1 <= int(year) <= 9999 or (int(year) == 10000 and not before)):
        raise Unsupported("a day of such a year")
    return cast(f"'{year}{day}{time or ''}{' BC' * bool(before)}'", kind)


def _to_whole(node: Call, value: str) -> str:
    """Rounded to the nearest, and from between two to the even one, in both."""
    if node.type.name not in _WIDE:
        return cast(value, node.type)
    return _repeated(postgres_doubles.to_numeric)(node, [value])


def _to_double(node: Call, args: Sequence[str]) -> str:
    [inner] = node.args
    if inner.type.name == "HUGEINT":
        return _repeated(postgres_doubles.of_hugeint)(node, args)
    digits, scale = inner.type.precision or 99, inner.type.scale or 0
    if digits <= _SMALL:
        return cast(args[0], DOUBLE)
    if digits > 18:
        raise Unsupported(f"a {inner.type} as DOUBLE")
    return _repeated(lambda x: postgres_doubles.of_decimal(x, scale))(node, args)


def _divided(node: Call, args: Sequence[str]) -> str:
    """Whole quotients, cut towards zero; NULL where the divisor is 0."""
    kind, (a, b) = node.type, args
    if not kind.is_integer or {x.type for x in node.args} != {kind}:
        raise Unsupported(f"// of {kind}")
    if kind.name in _WIDE:
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
    if kind.is_decimal or kind.name in _WIDE:  # 1.0 and 1.00 are
        value = f"trim_scale({value})"
    return f"CAST({value} AS TEXT){BYTES}"


def _is_nan(node: Call, args: Sequence[str]) -> str:
    return f"({args[0]} = 'NaN')"


def _of_double(made: Callable[[str], str]) -> Made:
    return _typed(_repeated(made), "DOUBLE")


def _is_finite(node: Call, args: Sequence[str]) -> str:
    if node.args[0].type.is_temporal:
        return f"isfinite({args[0]})"
    return _of_double(postgres_doubles.is_finite)(node, args)


def _named(name: str) -> Made:
    """A function of that name, whose value has the type that DuckDB's has."""

    def made(node: Call, args: Sequence[str]) -> str:
        return f"CAST({name}({', '.join(args)}) AS {type_of(node.type)})"

    return made


def _absolute(node: Call, args: Sequence[str]) -> str:
    return f"abs({args[0]})"


def _most(name: str) -> Made:
    """NULLs are left out in both; of 0.0 and -0.0 both take the first."""
    return lambda node, args: f"{name}({', '.join(args)})"


def _substring(node: Call, args: Sequence[str]) -> str:
    """From a place that is at least 1, so many characters."""
    places = [_number(a) for a in node.args[1:]]
    if any(n is None or not 0 <= n <= _MOST for n in places) or places[0] == 0:
        raise Unsupported("substring from a place or of a length that is no constant from 1 on")
    return f"substr({', '.join([args[0], *map(str, places)])})"


def _end(name: str) -> Made:
    def made(node: Call, args: Sequence[str]) -> str:
        size = _number(node.args[1])
        if size is None or not 0 <= size <= _MOST:
            raise Unsupported(f"{name} with a number that is no constant, or is negative")
        return f'"{name}"({args[0]}, {size})'

    return made


def _constant(node: object) -> Constant | None:
    while isinstance(node, Call) and node.name == "cast":
        node = node.args[0]
    return node if isinstance(node, Constant) else None


def _number(node: object) -> int | None:
    found = _constant(node)
    known = found is not None and found.type.is_integer and found.value is not None
    return constants.whole(found) if known and found is not None else None


def _like(node: Call, args: Sequence[str]) -> str:
    return f"({args[0]} LIKE {args[1]} ESCAPE '')"


def _extracted(part: str, x: str) -> str:
    """The year before 1 is 0."""
    found = f"extract({part} FROM {x})"
    if part in ("year", "isoyear"):
        found = f"({found} + CASE WHEN {found} < 0 THEN 1 ELSE 0 END)"
    return found


def _part_of_date(of: Callable[[str], str]) -> Made:
    """NULL of an infinite day."""

    def made(node: Call, args: Sequence[str]) -> str:
        [kind] = {a.type.name for a in node.args}
        if kind not in ("DATE", "TIMESTAMP"):
            raise Unsupported(f"{node.name} of {kind}")
        return _repeated(found)(node, args)

    def found(x: str) -> str:
        return f"CASE WHEN isfinite({x}) THEN CAST(floor({of(x)}) AS BIGINT) END"

    return made


def _part(name: str) -> Made:
    return _part_of_date(lambda x: _extracted(name, x))


def _months(x: str) -> str:
    return f"({_extracted('year', x)} * 12 + {_extracted('month', x)})"


_SINCE: dict[str, Callable[[str], str]] = {
    "year": lambda x: _extracted("year", x),
    "quarter": lambda x: f"div({_months(x)} - 1, 3)",  # towards zero, as DuckDB does it
    "month": lambda x: _months(x),
    "day": lambda x: f"(CAST({x} AS DATE) - CAST('1970-01-01' AS DATE))",
    "hour": lambda x: f"floor(extract(epoch FROM {x}) / 3600)",
    "minute": lambda x: f"floor(extract(epoch FROM {x}) / 60)",
    "second": lambda x: f"floor(extract(epoch FROM {x}))",
}
"""How many of them have begun, from a fixed one on."""


def _year_and_week(x: str) -> str:
    year, week = _extracted("isoyear", x), _extracted("week", x)
    return f"{year} * 100 + CASE WHEN {year} > 0 THEN {week} ELSE - {week} END"


def _between(node: Call, args: Sequence[str]) -> str:
    """How many of a part of time begin between two; NULL where one of these is infinite."""
    part = _constant(node.args[0])
    kinds = {a.type.name for a in node.args[1:]}
    since = _SINCE.get(str(part.value)) if part is not None else None
    if since is None or kinds not in ({"DATE"}, {"TIMESTAMP"}):
        raise Unsupported("date_diff of such a part")

    def found(a: str, b: str) -> str:
        both = f"isfinite({a}) AND isfinite({b})"
        return f"CASE WHEN {both} THEN CAST({since(b)} - {since(a)} AS BIGINT) END"

    return _repeated(found)(Call(node.name, node.args[1:], node.type), args[1:])


def _try_cast(node: Call, args: Sequence[str]) -> str:
    """A day as a moment, where there is such a moment in DuckDB."""
    if (node.args[0].type.name, node.type.name) != ("DATE", "TIMESTAMP"):
        raise Unsupported(f"a {node.args[0].type} as {node.type} if it can be")
    last = "CAST('294247-01-10' AS DATE)"

    def found(x: str) -> str:
        return f"CASE WHEN {x} <= {last} OR NOT isfinite({x}) THEN CAST({x} AS TIMESTAMP) END"

    return _repeated(found)(node, args)


def _whole_part(name: str, doubles: Callable[[str], str]) -> Made:
    """Of a DECIMAL, of which whole numbers are left, or of a DOUBLE."""

    def made(node: Call, args: Sequence[str]) -> str:
        if len(node.args) == 1 and node.args[0].type.is_decimal:
            return f"{name}({args[0]})"
        return _of_double(doubles)(node, args)

    return made


def _cut(node: Call, args: Sequence[str]) -> str:
    part = _constant(node.args[0])
    if part is None or part.value not in _PARTS or node.args[1].type.name != "TIMESTAMP":
        raise Unsupported("date_trunc to such a part")
    return f"date_trunc('{part.value}', {args[1]})"


_PARTS = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")

CALLS: dict[str, Made] = {
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
    "/": _typed(_repeated(postgres_doubles.quotient), "DOUBLE", "DOUBLE"),
    "hash": _hash,
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
    "length": _typed(_named("char_length"), "VARCHAR"),
    "substring": _substring,
    "left": _end("left"),
    "right": _end("right"),
    "||": _typed(lambda node, args: f"({args[0]} || {args[1]})", "VARCHAR", "VARCHAR"),
    "contains": _typed(
        lambda node, args: f"(strpos({args[0]}, {args[1]}) > 0)", "VARCHAR", "VARCHAR"
    ),
    "starts_with": _named("starts_with"),
    "prefix": _named("starts_with"),
    "~~": _like,
    "!~~": lambda node, args: f"(NOT {_like(node, args)})",
    "strpos": _typed(_named("strpos"), "VARCHAR", "VARCHAR"),
    "replace": _typed(_named("replace"), "VARCHAR", "VARCHAR", "VARCHAR"),
    "suffix": _typed(
        lambda node, args: f'("right"({args[0]}, char_length({args[1]})) = {args[1]})',
        *("VARCHAR", "VARCHAR"),
    ),
    "year": _part("year"),
    "month": _part("month"),
    "day": _part("day"),
    "quarter": _part("quarter"),
    "week": _part("week"),
    "isoyear": _part("isoyear"),
    "isodow": _part("isodow"),
    "dayofweek": _part("dow"),
    "dayofyear": _part("doy"),
    "hour": _part("hour"),
    "minute": _part("minute"),
    "second": _part("second"),
    "yearweek": _part_of_date(_year_and_week),
    "date_diff": _between,
    "try_cast": _try_cast,
    "date_trunc": _cut,
    "to_days": _typed(lambda node, args: f"make_interval(days => {args[0]})", "INTEGER"),
}


def key(kind: Type, value: str) -> str:
    """As it is: of doubles both zeros are one value to it, and NaN is one, and the greatest."""
    return value


POSTGRES = Language(ENGINE, quoted, type_of, constant, call, aggregate, window, key)
