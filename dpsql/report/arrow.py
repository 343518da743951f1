"""Rows as an Arrow table, by their SQL types. Needs pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dpsql.core.sqltypes import parse_type
from dpsql.types import Type

if TYPE_CHECKING:
    import pyarrow

_SIMPLE = {
    "BOOLEAN": "bool_",
    "TINYINT": "int8",
    "SMALLINT": "int16",
    "INTEGER": "int32",
    "BIGINT": "int64",
    "UTINYINT": "uint8",
    "USMALLINT": "uint16",
    "UINTEGER": "uint32",
    "UBIGINT": "uint64",
    "FLOAT": "float32",
    "DOUBLE": "float64",
    "DATE": "date32",
    "VARCHAR": "string",
    "ENUM": "string",
    "UUID": "string",
    "BLOB": "binary",
    "NULL": "null",
    '"NULL"': "null",
}
_MICROSECONDS = {"TIMESTAMP": "timestamp", "TIME": "time64", "INTERVAL": "duration"}
_INT64 = range(-(1 << 63), 1 << 63)


def table(
    names: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]
) -> pyarrow.Table:
    """An Arrow table of `rows`; an empty one has its columns' types too.

    DECIMAL(p, s) is decimal128(p, s), DATE date32, TIMESTAMP timestamp in microseconds. HUGEINT,
    which is what SUM of integers gives, has no Arrow type: it is int64 where every value fits,
    else decimal256(39, 0). A list of quantiles is a list, a histogram a map to uint64.
    """
    import pyarrow

    arrays = [
        _array([row[i] for row in rows], parse_type(text), pyarrow) for i, text in enumerate(types)
    ]
    fields = [pyarrow.field(name, array.type) for name, array in zip(names, arrays, strict=True)]
    return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))


def _array(values: list[Any], kind: Type, pa: Any) -> Any:
    if kind.name in ("HUGEINT", "UHUGEINT"):
        small = all(v is None or v in _INT64 for v in values)
        return pa.array(values, pa.int64() if small else pa.decimal256(39, 0))
    if kind.name == "UUID":
        values = [None if v is None else str(v) for v in values]
    if kind.name == "MAP":
        values = [list(v.items()) if isinstance(v, dict) else v for v in values]
    wanted = _type(kind, pa)
    if wanted is not None:
        return pa.array(values, wanted)
    # Lists of others, structs and the like, which only public tables have.
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        return pa.array([None if v is None else str(v) for v in values], pa.string())


def _type(kind: Type, pa: Any) -> Any:
    """The Arrow type; None where it is for the values to say."""
    if kind.name in _SIMPLE:
        return getattr(pa, _SIMPLE[kind.name])()
    if kind.is_decimal:
        return pa.decimal128(kind.precision, kind.scale)
    if kind.name in _MICROSECONDS:
        return getattr(pa, _MICROSECONDS[kind.name])("us")
    if kind.of is None:
        return None
    part = pa.decimal256(39, 0) if kind.of.name == "HUGEINT" else _type(kind.of, pa)
    if part is None or kind.of.name == "UUID":
        return None
    return pa.list_(part) if kind.name == "LIST" else pa.map_(part, pa.uint64())
