"""An answer as a table of Arrow, by its SQL types, and so of pandas or polars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from dpsql.core.sqltypes import parse_type
from dpsql.types import Type

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from dpsql.report.result.answer import Answer

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


def to_arrow(answer: Answer, intervals: bool) -> pyarrow.Table:
    """See `Answer.to_arrow`. An empty table has its columns' types too.

    DECIMAL(p, s) is decimal128(p, s), DATE date32, TIMESTAMP timestamp in microseconds. HUGEINT,
    which is what SUM of integers gives, has no Arrow type: it is int64 where every value fits,
    else decimal256(39, 0). A list of quantiles is a list, a histogram a map to uint64.
    """
    with _needed("to_arrow", "pyarrow", "arrow"):
        import pyarrow
    names, types, rows = answer.columns, answer.types, answer.rows
    if intervals:
        names, types, rows = with_ends(answer)
    kinds = map(parse_type, types)
    arrays = [_array([r[i] for r in rows], kind, pyarrow) for i, kind in enumerate(kinds)]
    named = zip(_distinct(names), arrays, strict=True)
    fields = [pyarrow.field(name, array.type) for name, array in named]
    return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))


def schema(names: tuple[str, ...], types: tuple[str, ...]) -> tuple[pyarrow.Schema, bool]:
    """The schema of `to_arrow` before there are rows, and whether it is sure: of a HUGEINT it is
    int64, and of what only values tell a string.
    """
    import pyarrow

    kinds = [_arrow_type(parse_type(text), pyarrow) for text in types]
    usual = [
        pyarrow.int64() if "HUGEINT" in text and kind is None else kind or pyarrow.string()
        for text, kind in zip(types, kinds, strict=True)
    ]
    named = zip(_distinct(names), usual, strict=True)
    return pyarrow.schema([pyarrow.field(*one) for one in named]), None not in kinds


def with_ends(
    answer: Answer,
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[object, ...], ...]]:
    """The columns' names, their types and the rows, each number that may hold noise followed by the
    ends of its 95 % interval.
    """
    pairs = zip(answer.types, answer.noisy, strict=True)
    ends = [may and parse_type(kind).is_numeric for kind, may in pairs]

    def beside(parts: Iterable[tuple[object, ...]]) -> tuple[Any, ...]:
        pairs = zip(parts, ends, strict=True)
        return tuple(part for own, wanted in pairs for part in (own if wanted else own[:1]))

    rows = zip(answer.rows, answer.intervals, strict=True)
    return (
        beside((name, f"{name}_low", f"{name}_high") for name in answer.columns),
        beside((kind, "DOUBLE", "DOUBLE") for kind in answer.types),
        tuple(
            beside((value, *reach(value, width)) for value, width in zip(*row, strict=True))
            for row in rows
        ),
    )


def reach(value: Any, width: float | None) -> tuple[float | None, float | None]:
    """The ends of a number's interval, where it is known."""
    if width is None or not isinstance(value, int | float | Decimal):
        return None, None  # of moments, too: their half-widths are in seconds
    return float(value) - width, float(value) + width


def to_pandas(answer: Answer, intervals: bool) -> pandas.DataFrame:
    """See `Answer.to_pandas`."""
    with _needed("to_pandas", "pandas", "pandas"):
        import pandas
    with _needed("to_pandas", "pyarrow", "pandas"):
        made = to_arrow(answer, intervals)
    frame: pandas.DataFrame = made.to_pandas()
    for name, column in zip(made.column_names, made.columns, strict=True):
        kind = str(column.type)
        if column.null_count and kind.startswith(("int", "uint", "bool")):
            dtype = "boolean" if kind == "bool" else kind.replace("i", "I").replace("uI", "UI")
            frame[name] = pandas.array(column.to_pylist(), dtype=dtype)
        elif kind.startswith("list") and column.combine_chunks().values.null_count:
            frame[name] = pandas.Series(column.to_pylist(), dtype=object)
    return frame


def to_polars(answer: Answer, intervals: bool) -> polars.DataFrame:
    """See `Answer.to_polars`."""
    with _needed("to_polars", "polars", "polars"):
        import polars
    with _needed("to_polars", "pyarrow", "polars"):
        made = to_arrow(answer, intervals)
    frame = polars.from_arrow(made)
    assert isinstance(frame, polars.DataFrame)
    return frame


@contextmanager
def _needed(what: str, library: str, extra: str) -> Iterator[None]:
    """An ImportError that says which extra brings the library."""
    try:
        yield
    except ImportError as error:
        message = f'{what} needs {library}: pip install "dpsql[{extra}]"'
        raise ImportError(message, name=library) from error


def _distinct(names: tuple[str, ...]) -> list[str]:
    """Names without repetition: the second `n` is `n_2`, or the next that no column has."""
    result: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in result or (number > 1 and candidate in names):
            number += 1
            candidate = f"{name}_{number}"
        result.append(candidate)
    return result


def _array(values: list[Any], kind: Type, pa: Any) -> Any:
    if kind.name in ("HUGEINT", "UHUGEINT"):
        small = all(v is None or v in _INT64 for v in values)
        return pa.array(values, pa.int64() if small else pa.decimal256(39, 0))
    if kind.name == "UUID":
        values = [None if v is None else str(v) for v in values]
    if kind.name == "MAP":
        values = [list(v.items()) if isinstance(v, dict) else v for v in values]
    wanted = _arrow_type(kind, pa)
    if wanted is not None:
        return pa.array(values, wanted)
    # Lists of others, structs and the like, which only public tables have.
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        return pa.array([None if v is None else str(v) for v in values], pa.string())


def _arrow_type(kind: Type, pa: Any) -> Any:
    """The Arrow type; None where it is for the values to say."""
    if kind.name in _SIMPLE:
        return getattr(pa, _SIMPLE[kind.name])()
    if kind.is_decimal:
        return pa.decimal128(kind.precision, kind.scale)
    if kind.name in _MICROSECONDS:
        return getattr(pa, _MICROSECONDS[kind.name])("us")
    if kind.of is None:
        return None
    part = pa.decimal256(39, 0) if kind.of.name == "HUGEINT" else _arrow_type(kind.of, pa)
    if part is None or kind.of.name == "UUID":
        return None
    return pa.list_(part) if kind.name == "LIST" else pa.map_(part, pa.uint64())
