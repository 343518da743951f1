"""What Spark, and Sail, compute exactly as DuckDB does, and how it is written there.

Claim: each entry gives DuckDB's value for every argument for which DuckDB does not fail.
Why: of whole numbers, decimals, texts, dates and comparisons both follow one definition, with the
same widths; where they differ (division by zero, NULL, rounding to even, sums that would wrap,
signs of zeros) the entry says so. The property test asks both for the same values, at the ends of
each type: `tests/engine/test_languages.py`. What rests on a library of floating-point functions, on
the letters of a language or on the text of a number is not here.

HUGEINT is DECIMAL(38, 0): what dpsql computes in it stays below 10^38, as `OnLattice` and the
analysis of whole numbers say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpsql.platform.engine.far import constants
from dpsql.platform.engine.far.about import ABOUT
from dpsql.platform.engine.far.bound_plan import (
    AggregateCall,
    Call,
    Constant,
    Unsupported,
    WindowCall,
)
from dpsql.platform.engine.far.printing import Language
from dpsql.types import DOUBLE, Type

ENGINE = "Spark"

_TYPES = {
    "BOOLEAN": "BOOLEAN",
    "TINYINT": "TINYINT",
    "SMALLINT": "SMALLINT",
    "INTEGER": "INT",
    "BIGINT": "BIGINT",
    "UBIGINT": "DECIMAL(20, 0)",
    "HUGEINT": "DECIMAL(38, 0)",
    "DOUBLE": "DOUBLE",
    "VARCHAR": "STRING",
    "DATE": "DATE",
    "TIMESTAMP": "TIMESTAMP_NTZ",
    "NULL": "VOID",
}
_WIDE = ("HUGEINT", "UBIGINT")
"""Whole numbers that are decimals there."""

_MOST = 38
"""The digits of a DECIMAL."""

_KEPT = 6
"""So many digits after the point stay where a product or a sum has more than 38 digits."""

_SMALL = 15
"""The digits of a DECIMAL that are exact in a DOUBLE, and so the quotient is rounded once."""


def quoted(name: str) -> str:
    """An identifier."""
    return "`" + name.replace("`", "``") + "`"


def text(value: str) -> str:
    """A text: no character of it means anything."""
    inner = value.replace("\\", "\\\\").replace("'", "\\'")
    if "\x00" in value:
        raise Unsupported("a text with the character 0")
    return f"'{inner}'"


def type_of(kind: Type) -> str:
    """The type that holds each of its values."""
    if kind.is_decimal:
        return f"DECIMAL({kind.precision}, {kind.scale})"
    if kind.name == "LIST" and kind.of is not None:
        return f"ARRAY<{type_of(kind.of)}>"
    found = _TYPES.get(kind.name)
    if found is None:
        raise Unsupported(f"the type {kind.name}")
    return found


def constant(value: Constant) -> str:
    """A value, of its own type."""
    kind = value.type
    if value.value is None:
        return "NULL" if kind.name == "NULL" else f"CAST(NULL AS {type_of(kind)})"
    if kind.is_boolean:
        return "TRUE" if value.value else "FALSE"
    if kind.is_integer:
        return f"CAST('{constants.whole(value)}' AS {type_of(kind)})"
    if kind.is_decimal:
        return f"CAST('{constants.decimal(value):f}' AS {type_of(kind)})"
    if kind.name == "DOUBLE":
        return f"CAST('{constants.double(value)}' AS DOUBLE)"
    if kind.name == "VARCHAR":
        return text(str(value.value))
    if kind.name == "DATE":
        return f"DATE '{constants.day(value).isoformat()}'"
    if kind.name == "TIMESTAMP":
        return f"TIMESTAMP_NTZ '{constants.moment(value).isoformat(sep=' ')}'"
    raise Unsupported(f"a constant of the type {kind}")


def call(node: Call, args: Sequence[str]) -> str:
    """A function's value."""
    found = _CALLS.get(node.name)
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
            return f"COUNT({distinct}{_one_zero(node.args[0].type, args[0])})"
        if node.name == "sum" and node.type.is_exact:
            return f"SUM({distinct}CAST({args[0]} AS {type_of(node.type)}))"
        if node.name in ("min", "max") and not node.type.is_float:
            return f"{node.name.upper()}({args[0]})"
    raise Unsupported(node.name)


def window(node: WindowCall, args: Sequence[str]) -> str:
    """What stands before OVER."""
    if node.name in ("row_number", "rank", "dense_rank") and not args:
        return f"{node.name}()"
    if node.name == "sum" and node.type.is_exact:
        return f"SUM(CAST({args[0]} AS {type_of(node.type)}))"
    if node.name in ("min", "max", "count") and len(args) == 1 and not node.type.is_float:
        return f"{node.name.upper()}({args[0]})"
    raise Unsupported(f"{node.name} as a window")


def _one_zero(kind: Type, value: str) -> str:
    """0.0 and -0.0 are one value."""
    return f"({value} + CAST('0' AS DOUBLE))" if kind == DOUBLE else value


def _plain(sign: str) -> Callable[[Call, Sequence[str]], str]:
    """+, - and *: of whole numbers in their own width; of DECIMALs exactly."""

    def made(node: Call, args: Sequence[str]) -> str:
        kinds = [a.type for a in node.args]
        if len(args) == 1 and sign == "-" and node.type.is_numeric:
            return f"(- {args[0]})"
        if node.type.is_decimal:
            digits = sum(k.precision or 99 for k in kinds) + 1
            if digits > _MOST and (node.type.scale or 0) > _KEPT:
                raise Unsupported(f"{sign} of DECIMALs of more than 37 digits together")
        elif not (node.type.is_integer or node.type == DOUBLE) or set(kinds) != {node.type}:
            raise Unsupported(f"{sign} of {' and '.join(str(k) for k in kinds)}")
        result = f"({args[0]} {sign} {args[1]})"
        exact = node.type.is_decimal or node.type.name in _WIDE
        return f"CAST({result} AS {type_of(node.type)})" if exact else result

    return made


def _compared(sign: str) -> Callable[[Call, Sequence[str]], str]:
    def made(node: Call, args: Sequence[str]) -> str:
        left, right = (_one_zero(a.type, s) for a, s in zip(node.args, args, strict=True))
        return f"({left} {sign} {right})"

    return made


def _cast(node: Call, args: Sequence[str]) -> str:
    (inner,), kind = node.args, node.type
    source = inner.type
    if isinstance(inner, Constant) and source.name == "VARCHAR" and inner.value is not None:
        return constant(inner if kind == source else constants.folded(str(inner.value), kind))
    if source == kind:
        return args[0]
    if source.name == "DOUBLE" and kind.is_integer and kind.name not in _WIDE:
        return f"CAST(bround({args[0]}) AS {type_of(kind)})"
    digits = source.precision or 0
    fits = (
        source.name == "NULL"
        or (source.is_integer and (kind.is_exact or kind == DOUBLE))
        or (source.is_decimal and (kind.is_exact or (kind == DOUBLE and digits <= _SMALL)))
        or (source.is_boolean and kind.is_integer and kind.name not in _WIDE)
        or (source.is_integer and kind.name == "VARCHAR")
        or (source.is_temporal and kind.is_temporal)
        or (source.name == kind.name == "LIST" and bool(kind.of and kind.of.is_integer))
    )
    if not fits:
        raise Unsupported(f"a {source} as {kind}")
    return f"CAST({args[0]} AS {type_of(kind)})"


def _divided(node: Call, args: Sequence[str]) -> str:
    """Whole quotients, cut towards zero; NULL where the divisor is 0."""
    kind, (a, b) = node.type, args
    if not kind.is_integer or {x.type for x in node.args} != {kind}:
        raise Unsupported(f"// of {kind}")
    if kind.name in _WIDE:  # exact before it is divided, so nothing is rounded
        whole = f"CAST(({a} - ({a} % {b})) / {b} AS {type_of(kind)})"
    else:
        whole = f"CAST({a} DIV {b} AS {type_of(kind)})"
    return f"CASE WHEN {b} <> {_zero(kind)} THEN {whole} END"


def _rest(node: Call, args: Sequence[str]) -> str:
    kind, (a, b) = node.type, args
    if not kind.is_integer or {x.type for x in node.args} != {kind}:
        raise Unsupported(f"% of {kind}")
    return f"CASE WHEN {b} <> {_zero(kind)} THEN CAST({a} % {b} AS {type_of(kind)}) END"


def _quotient(node: Call, args: Sequence[str]) -> str:
    """Of DOUBLEs; x / 0 is an infinity with the sign of both, and 0 / 0 is NaN."""
    a, b = args
    if node.type != DOUBLE or {x.type for x in node.args} != {DOUBLE}:
        raise Unsupported(f"/ of {node.type}")
    zero = _zero(DOUBLE)
    same = f"(({a} > {zero}) = (NOT (CAST({b} AS STRING) LIKE '-%')))"
    ends = f"CASE WHEN {same} THEN {_double('Infinity')} ELSE {_double('-Infinity')} END"
    none = f"{a} = {zero} OR isnan({a})"
    by_zero = f"CASE WHEN {a} IS NULL THEN NULL WHEN {none} THEN {_double('NaN')} ELSE {ends} END"
    return f"CASE WHEN {b} = {zero} OR {b} = - {zero} THEN {by_zero} ELSE {a} / {b} END"


def _zero(kind: Type) -> str:
    return f"CAST('0' AS {type_of(kind)})"


def _double(value: str) -> str:
    return f"CAST('{value}' AS DOUBLE)"


def _hash(node: Call, args: Sequence[str]) -> str:
    """Another function of the same arguments: any will do, of 0 to 2^64 - 1."""
    values = ", ".join(_one_zero(a.type, s) for a, s in zip(node.args, args, strict=True))
    return f"CAST(CAST(xxhash64({values}) AS DECIMAL(20, 0)) + {_double_63} AS DECIMAL(20, 0))"


_double_63 = f"CAST('{2**63}' AS DECIMAL(20, 0))"


def _least(name: str) -> Callable[[Call, Sequence[str]], str]:
    def made(node: Call, args: Sequence[str]) -> str:
        if node.type.is_float:
            raise Unsupported(f"{name} of DOUBLEs")
        return f"{name}({', '.join(args)})" if len(args) > 1 else args[0]

    return made


def _is_nan(node: Call, args: Sequence[str]) -> str:
    return f"CASE WHEN {args[0]} IS NOT NULL THEN isnan({args[0]}) END"


def _of_double(made: Callable[[str], str]) -> Callable[[Call, Sequence[str]], str]:
    def found(node: Call, args: Sequence[str]) -> str:
        if len(args) != 1 or node.args[0].type != DOUBLE:
            raise Unsupported(f"{node.name} of {', '.join(str(a.type) for a in node.args)}")
        return made(args[0])

    return found


def _whole_part(name: str) -> Callable[[str], str]:
    """Spark gives a BIGINT; from 2^53 on a DOUBLE has no fraction."""
    most = _double("9007199254740992")
    return lambda x: f"CASE WHEN abs({x}) < {most} THEN CAST({name}({x}) AS DOUBLE) ELSE {x} END"


def _absolute(node: Call, args: Sequence[str]) -> str:
    return f"abs({args[0]})"


def _substring(node: Call, args: Sequence[str]) -> str:
    """From a place that is at least 1, so many characters."""
    places = [_number(a) for a in node.args[1:]]
    if any(n is None for n in places) or places[0] is None or places[0] < 1:
        raise Unsupported("substring from a place that is no constant, or is below 1")
    if len(places) == 2 and (places[1] or 0) < 0:
        raise Unsupported("substring of a negative length")
    return f"substring({', '.join([args[0], *map(str, places)])})"


def _left(node: Call, args: Sequence[str]) -> str:
    size = _number(node.args[1])
    if size is None or size < 0:
        raise Unsupported("left with a number that is no constant, or is negative")
    return f"substring({args[0]}, 1, {size})"


def _number(node: object) -> int | None:
    while isinstance(node, Call) and node.name == "cast":
        node = node.args[0]
    known = isinstance(node, Constant) and node.type.is_integer and node.value is not None
    return constants.whole(node) if known and isinstance(node, Constant) else None


def _like(node: Call, args: Sequence[str]) -> str:
    pattern = node.args[1]
    while isinstance(pattern, Call) and pattern.name == "cast":
        pattern = pattern.args[0]
    if not isinstance(pattern, Constant) or "\\" in str(pattern.value):
        raise Unsupported("LIKE with a pattern that is no constant, or has a backslash")
    return f"({args[0]} LIKE {args[1]})"


def _text(name: str) -> Callable[[Call, Sequence[str]], str]:
    return lambda node, args: f"CAST({name}({args[0]}) AS BIGINT)"


def _element(node: Call, args: Sequence[str]) -> str:
    """Of a list, from 1 on; NULL where there is none."""
    values, place = args
    found = f"get({values}, CAST({place} - 1 AS INT))"
    return f"CASE WHEN {place} >= {_zero(node.args[1].type)} THEN {found} END"


def _list(node: Call, args: Sequence[str]) -> str:
    return f"array({', '.join(args)})"


def _about_log2(node: Call, args: Sequence[str]) -> str:
    return f"(ln({args[0]}) / ln({_double('2')}))"


def _part_of_date(name: str) -> Callable[[Call, Sequence[str]], str]:
    return lambda node, args: f"CAST({name}({args[0]}) AS BIGINT)"


def _days(node: Call, args: Sequence[str]) -> str:
    part = node.args[0]
    while isinstance(part, Call) and part.name == "cast":
        part = part.args[0]
    kinds = {a.type.name for a in node.args[1:]}
    if not isinstance(part, Constant) or part.value != "day" or kinds != {"DATE"}:
        raise Unsupported("date_diff of anything but days between DATEs")
    return f"CAST(datediff({args[2]}, {args[1]}) AS BIGINT)"


_CALLS: dict[str, Callable[[Call, Sequence[str]], str]] = {
    "cast": _cast,
    "=": _compared("="),
    "!=": _compared("<>"),
    "<": _compared("<"),
    "<=": _compared("<="),
    ">": _compared(">"),
    ">=": _compared(">="),
    "IS NOT DISTINCT FROM": _compared("<=>"),
    "IS DISTINCT FROM": lambda node, args: f"(NOT {_compared('<=>')(node, args)})",
    "+": _plain("+"),
    "-": _plain("-"),
    "*": _plain("*"),
    "//": _divided,
    "%": _rest,
    "/": _quotient,
    "hash": _hash,
    "greatest": _least("greatest"),
    "least": _least("least"),
    "isnan": _is_nan,
    "round": _of_double(lambda x: f"round({x})"),
    "ceil": _of_double(_whole_part("ceil")),
    "floor": _of_double(_whole_part("floor")),
    "sqrt": _of_double(lambda x: f"sqrt({x})"),
    "abs": _absolute,
    "strlen": _text("octet_length"),
    "length": _text("char_length"),
    "substring": _substring,
    "left": _left,
    "||": lambda node, args: f"concat({', '.join(args)})",
    "~~": _like,
    "!~~": lambda node, args: f"(NOT {_like(node, args)})",
    "year": _part_of_date("year"),
    "month": _part_of_date("month"),
    "day": _part_of_date("day"),
    "quarter": _part_of_date("quarter"),
    "date_diff": _days,
    "list_value": _list,
    "array_extract": _element,
    ABOUT: _about_log2,
}

SPARK = Language(ENGINE, quoted, type_of, constant, call, aggregate, window)
