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

from collections.abc import Sequence
from decimal import Decimal

from dpsql.platform.engine.far import plan_constants
from dpsql.platform.engine.far.about import ABOUT
from dpsql.platform.engine.far.operators import (
    AggregateCall,
    Call,
    Constant,
    Unsupported,
    WindowCall,
)
from dpsql.platform.engine.far.server_sql import Language
from dpsql.platform.engine.far.spark_dates import DATES, added, is_finite
from dpsql.platform.engine.far.spark_numbers import (
    NUMBERS,
    after_point,
    cut,
    divided_long,
    is_finite_number,
)
from dpsql.platform.engine.far.spark_texts import TEXTS
from dpsql.platform.engine.far.spark_words import (
    WIDE,
    cast,
    constant,
    double,
    of,
    one_zero,
    quoted,
    type_of,
)
from dpsql.platform.engine.far.typed_arguments import (
    Printed,
    is_constant,
    number,
)
from dpsql.types import BIGINT, BOOLEAN, DOUBLE, HUGEINT, UBIGINT, VARCHAR, Type

__all__ = ["CALLS", "ENGINE", "SPARK", "quoted"]

ENGINE = "Spark"

_SMALL = 15
"""The digits of a DECIMAL that are exact in a DOUBLE, and so the quotient is rounded once."""


def call(node: Call, args: Sequence[str]) -> str:
    """A function's value."""
    found = CALLS.get(node.name)
    if found is None:
        raise Unsupported(node.name)
    return found(node, args)


AGGREGATES = ("count_star", "count", "sum", "min", "max", "bool_and", "bool_or")
WINDOWS = ("row_number", "rank", "dense_rank", "lag", "count", "sum", "min", "max")


def aggregate(node: AggregateCall, args: Sequence[str]) -> str:
    """An aggregate's value; 0.0 where it might be -0.0 as well."""
    if node.name not in AGGREGATES:
        raise Unsupported(node.name)
    if not args:
        return "COUNT(*)"
    value = _added_up(node, args)
    if node.name in ("min", "max") and node.type == DOUBLE:
        return _extreme(node.name, value)
    return f"{node.name.upper()}({'DISTINCT ' if node.distinct else ''}{value})"


def _extreme(name: str, value: str) -> str:
    """NaN is the greatest of all; Sail's MAX leaves it out."""
    numbers, none = f"CASE WHEN NOT isnan({value}) THEN {value} END", double("NaN")
    if name == "max":
        return f"CASE WHEN BOOL_OR(isnan({value})) THEN {none} ELSE MAX({numbers}) END"
    return f"CASE WHEN COUNT({value}) > 0 THEN COALESCE(MIN({numbers}), {none}) END"


def window(node: WindowCall, args: Sequence[str]) -> str:
    """What stands before OVER."""
    extreme = node.name in ("min", "max") and node.type == DOUBLE
    if node.name not in WINDOWS or extreme:
        raise Unsupported(f"{node.name} as a window")
    if node.name == "lag":
        return _before(node, args)
    nothing = "1" if node.name == "count" else ""
    return f"{node.name.upper()}({_added_up(node, args) if args else nothing})"


def _before(node: WindowCall, args: Sequence[str]) -> str:
    """The value so many rows before, or another constant where there is none."""
    _, places, instead = node.args
    size = number(places)
    if size is None or not 0 <= size < 1 << 31 or not is_constant(instead) or node.rows:
        raise Unsupported("lag by a number that is no constant, or with another default")
    return f"LAG({args[0]}, {size}, {args[2]})"


def _added_up(node: AggregateCall | WindowCall, args: Sequence[str]) -> str:
    """A sum is of whole numbers and DECIMALs, and as wide as DuckDB's."""
    if len(args) != 1:
        raise Unsupported(f"{node.name} of {len(args)} arguments")
    kind, (value,) = node.args[0].type, args
    if node.name != "sum":
        return one_zero(kind, value)
    if not (kind.is_exact and node.type.is_exact):
        raise Unsupported(f"sum of {kind}")
    return cast(value, node.type)


def _compared(sign: str) -> Printed:
    def made(node: Call, args: Sequence[str]) -> str:
        left, right = (one_zero(a.type, s) for a, s in zip(node.args, args, strict=True))
        return f"({left} {sign} {right})"

    return made


def _cast(node: Call, args: Sequence[str]) -> str:
    (inner,), kind, (value,) = node.args, node.type, args
    source = inner.type
    if isinstance(inner, Constant) and source.name == "VARCHAR" and inner.value is not None:
        return constant(inner if kind == source else plan_constants.folded(str(inner.value), kind))
    if source == kind:
        return value
    narrow = kind.is_integer and kind.name not in WIDE
    if source == DOUBLE and narrow:  # halves to even
        return cast(f"bround({value})", kind)
    if source.is_decimal and narrow:  # halves away from zero: of a DECIMAL to another one
        return cast(cast(value, HUGEINT), kind)
    if source.is_decimal and kind == DOUBLE:
        return _decimal_as_double(source, value)
    if source.is_integer and kind == BOOLEAN:
        return f"({value} <> {of(source, '0')})"
    if source == BOOLEAN and kind.is_numeric and kind.precision != (kind.scale or 0):
        return f"CASE WHEN {value} THEN {of(kind, '1')} WHEN NOT {value} THEN {of(kind, '0')} END"
    fits = (
        source.name == "NULL"
        or (source.is_integer and (kind.is_exact or kind == DOUBLE))
        or (source.is_decimal and kind.is_exact)
        or (source.is_integer and kind == VARCHAR)
        or (source == BOOLEAN and kind == VARCHAR)
        or (source.is_temporal and kind.is_temporal)
        or (source.name == kind.name == "LIST" and bool(kind.of and kind.of.is_integer))
    )
    if not fits:
        raise Unsupported(f"a {source} as {kind}")
    return cast(value, kind)


def _tried(node: Call, args: Sequence[str]) -> str:
    """A cast that cannot fail, or of a constant, or of a whole number to a narrower one."""
    (inner,), kind = node.args, node.type
    source = inner.type
    plain = _cast(Call("cast", node.args, kind), args)
    if isinstance(inner, Constant) or source == kind or (source.is_temporal and kind.is_temporal):
        return plain
    if not (source.is_integer and (kind.is_integer or kind in (DOUBLE, VARCHAR))):
        raise Unsupported(f"try_cast of a {source} to {kind}")
    own, limits = source.limits(), kind.limits()
    if own is None or limits is None or (limits[0] <= own[0] and own[1] <= limits[1]):
        return plain
    ends = [of(source, str(end)) for end in (max(own[0], limits[0]), min(own[1], limits[1]))]
    return f"CASE WHEN {args[0]} BETWEEN {ends[0]} AND {ends[1]} THEN {plain} END"


def _decimal_as_double(source: Type, value: str) -> str:
    """Rounded once where all digits are exact in a DOUBLE. Else, as DuckDB does it, what is before
    the point and what is after it are rounded apart, and then their sum.
    """
    scale = source.scale or 0
    if (source.precision or 0) <= _SMALL or not scale:
        return cast(value, DOUBLE)
    if scale > _SMALL:
        raise Unsupported(f"a {source} as DOUBLE")
    most = Decimal(2**53).scaleb(-scale)
    kind = Type("DECIMAL", 38, scale)
    exact = f"{value} BETWEEN {of(kind, f'-{most}')} AND {of(kind, str(most))}"
    apart = f"{cast(cut(value), DOUBLE)} + {cast(after_point(source, value), DOUBLE)}"
    return f"CASE WHEN {exact} THEN {cast(value, DOUBLE)} ELSE {apart} END"


def _hash(node: Call, args: Sequence[str]) -> str:
    """Another function of the same arguments: any will do, of 0 to 2^64 - 1."""
    values = ", ".join(one_zero(a.type, s) for a, s in zip(node.args, args, strict=True))
    return cast(f"{cast(f'xxhash64({values})', UBIGINT)} + {of(UBIGINT, str(2**63))}", UBIGINT)


def _element(node: Call, args: Sequence[str]) -> str:
    """Of a list, from 1 on, or from its end, from -1 on; NULL where there is none."""
    values, place = args
    zero, most = of(node.args[1].type, "0"), of(BIGINT, str(2**31 - 1))
    near = f"least(greatest({place}, - {most}), {most})"  # so that no place is none of theirs
    back = f"{near} + size({values})"
    first = (
        f"WHEN {place} > {zero} THEN {near} - 1 WHEN {place} < {zero} AND {back} >= 0 THEN {back}"
    )
    return f"get({values}, CAST(CASE {first} END AS INT))"


def _by_type(of_times: Printed, of_numbers: Printed) -> Printed:
    def made(node: Call, args: Sequence[str]) -> str:
        times = any(a.type.is_temporal for a in node.args)
        return (of_times if times else of_numbers)(node, args)

    return made


CALLS: dict[str, Printed] = {
    **NUMBERS,
    **TEXTS,
    **DATES,
    "cast": _cast,
    "try_cast": _tried,
    "=": _compared("="),
    "!=": _compared("<>"),
    "<": _compared("<"),
    "<=": _compared("<="),
    ">": _compared(">"),
    ">=": _compared(">="),
    "IS NOT DISTINCT FROM": _compared("<=>"),
    "IS DISTINCT FROM": lambda node, args: f"(NOT {_compared('<=>')(node, args)})",
    "+": _by_type(added, NUMBERS["+"]),
    "-": _by_type(added, NUMBERS["-"]),
    "isfinite": _by_type(is_finite, is_finite_number),
    "hash": _hash,
    "list_value": lambda node, args: f"array({', '.join(args)})",
    "array_extract": _element,
    ABOUT: lambda node, args: f"(ln({args[0]}) / ln({double('2')}))",
}

SPARK = Language(
    ENGINE, quoted, type_of, constant, call, aggregate, window, one_zero, True, divided_long
)
