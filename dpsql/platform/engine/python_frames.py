"""Frames that the owner has in Python as tables: of pandas, polars and Arrow.

Arrow's memory, and so that of polars, is read where it is, again by each query. Nobody changes it
but who breaks its rules, and what rests on the data is checked again in each snapshot. Frames of
pandas can be changed, so they are copied once. Their texts and objects are texts here, and have the
types that the policy declares: nothing is found in values, nor in the categories of a column.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import duckdb

from dpsql.errors import InvalidArgument, PolicyError
from dpsql.platform.engine.file_tables import declared, narrowed, selected
from dpsql.platform.engine.folder import Types
from dpsql.platform.engine.guard import refused
from dpsql.platform.engine.protocol import Stream
from dpsql.platform.engine.sql_text import name as quoted
from dpsql.platform.engine.texts import cast, misfit
from dpsql.types import VARCHAR, Type

T = TypeVar("T")

_PREFIX, _ALONE = "dpsql_frame_", "dpsql_column"


_MADE = {
    "LazyFrame": "collect() makes one of it",
    "Series": "to_frame() makes one of it",
    "RecordBatch": "pyarrow.Table.from_batches([…]) makes one of it",
    "RecordBatchReader": "read_all() makes one of it",
}
"""How what is no frame becomes one, by the names of types."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What an owner passes as a table.

    Attributes:
        table: its name.
        held: the frame; one that is read in place cannot be changed.
        library: pandas, polars or pyarrow.
    """

    table: str
    held: Any = field(repr=False)
    library: str

    @property
    def copied(self) -> bool:
        """Whether it is copied when it is opened."""
        return self.library == "pandas"

    @property
    def columns(self) -> tuple[object, ...]:
        """The names."""
        return tuple(self.held.column_names if self.library == "pyarrow" else self.held.columns)

    def alone(self, column: str) -> Frame:
        """One column of it."""
        one = self.held[[column]] if self.copied else self.held.select([column])
        return Frame(self.table, one, self.library)


def framed(given: Mapping[str, object]) -> tuple[Frame, ...]:
    """The frames of a mapping; no library is imported for it.

    Raises:
        InvalidArgument: something in it is no frame, or a name is none.
    """
    made: list[Frame] = []
    for table, frame in given.items():
        if not isinstance(table, str) or not table:
            raise InvalidArgument(f"the name of a table is a text, not {table!r:.60}")
        if table.lower() in {other.table.lower() for other in made}:
            raise InvalidArgument(f"two frames are the table {table}: names have no case")
        library = _library(frame)
        if library is None:
            kind = type(frame)
            fix = f"; {_MADE[kind.__name__]}" if kind.__name__ in _MADE else ""
            raise InvalidArgument(
                f"{table} is of the type {kind.__module__}.{kind.__qualname__}; "
                f"expected a DataFrame of pandas or polars, or a Table of pyarrow{fix}"
            )
        held: Any = frame
        made.append(Frame(table, held.clone() if library == "polars" else held, library))
    return tuple(made)


def _library(frame: object) -> str | None:
    for library, kind in (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "Table")):
        known = sys.modules.get(library)
        if known is not None and isinstance(frame, getattr(known, kind, ())):
            return library
    return None


def _check_names(frame: Frame) -> None:
    names = frame.columns
    if not names:
        raise PolicyError(f"the frame {frame.table} has no columns")
    for column, kind in zip(names, getattr(frame.held, "dtypes", ()), strict=False):
        if frame.library == "polars" and str(kind) == "Object":  # else they would be addresses
            raise PolicyError(_unread(frame, str(column)))
    for place, column in enumerate(names):
        if not isinstance(column, str) or not column:
            raise PolicyError(
                f"the frame {frame.table}: the name of column {place + 1} is no text; rename it"
            )
    low = [str(column).lower() for column in names]
    for column, name in zip(names, low, strict=True):
        if low.count(name) > 1:
            raise PolicyError(f"the frame {frame.table} has two columns {column}; rename one")
    if frame.copied:
        for index in frame.held.index.names:
            if index is not None:
                raise PolicyError(
                    f"the frame {frame.table} has the index {index}, which is no column: "
                    "reset_index() makes it one, reset_index(drop=True) drops it"
                )


def attach(frames: Sequence[Frame]) -> Callable[[duckdb.DuckDBPyConnection], None]:
    """What lets a new connection see the memory that views read."""
    named = [(alias, Stream(f.held)) for alias, f in _aliases(frames) if not f.copied]

    def attached(connection: duckdb.DuckDBPyConnection) -> None:
        for alias, stream in named:
            connection.register(alias, stream)

    return attached


def create(
    connection: duckdb.DuckDBPyConnection, frames: Sequence[Frame], types: Types | None
) -> None:
    """Make tables of copied frames, and views of the others.

    Raises:
        PolicyError: a column cannot be one of a table, or does not fit its declared type.
    """
    connection.execute("SET pandas_analyze_sample = 0")  # objects are texts, whatever they are
    for alias, frame in _aliases(frames):
        _check_names(frame)
        kinds = declared(types or {}, frame.table)
        registered = partial(_register, connection, alias, frame)
        _attempt(connection, frame, registered)
        _made(connection, frame, alias, kinds)
        if frame.copied:
            connection.unregister(alias)


def lend(connection: duckdb.DuckDBPyConnection, tables: Mapping[str, Any]) -> None:
    """Views of relations of another database, by their names."""
    for number, (table, relation) in enumerate(tables.items()):
        connection.register(f"{_PREFIX}{number}", Stream(relation))
        source = f"temp.main.{_PREFIX}{number}"
        connection.execute(f"CREATE VIEW {quoted(table)} AS FROM {source}")


def _aliases(frames: Sequence[Frame]) -> Iterator[tuple[str, Frame]]:
    return ((f"{_PREFIX}{number}", frame) for number, frame in enumerate(frames))


def _made(
    connection: duckdb.DuckDBPyConnection,
    frame: Frame,
    alias: str,
    types: Mapping[str, Type | None],
) -> None:
    source, what = f"temp.main.{alias}", "TABLE" if frame.copied else "VIEW"
    rows = _done(connection, frame, f"DESCRIBE FROM {source}")
    columns = [(str(row[0]), str(row[1])) for row in rows]
    _check_memory(frame, columns)
    texts, wanted, wrong = dict[str, str](), dict[str, Type](), dict[str, str]()
    for column, kind in columns:
        own, said = quoted(column), types.get(column.lower())
        # An ENUM's labels are those of the frame's categories, which are values of rows.
        is_text = frame.copied and (kind == "VARCHAR" or kind.startswith("ENUM("))
        if is_text or kind == '"NULL"':
            texts[column], wanted[column] = str(VARCHAR), said or VARCHAR
            wrong[column] = misfit(own, wanted[column])
        elif frame.copied and said is not None:  # pandas makes floats of whole numbers with a NULL
            wanted[column] = said
            back = f"TRY_CAST({cast(own, said)} AS {narrowed(kind)})"
            wrong[column] = f"{own} IS NOT NULL AND {back} IS DISTINCT FROM {own}"
    read = f"SELECT {selected(columns, texts)} FROM {source}"
    for column, test in wrong.items():
        if _done(connection, frame, f"SELECT count(*) FROM ({read}) WHERE {test}") != [(0,)]:
            raise PolicyError(
                f"{frame.table}.{column} has values that do not fit the type {wanted[column]}"
            )
    typed = ", ".join(
        f"{cast(quoted(column), wanted.get(column, VARCHAR))} AS {quoted(column)}"
        for column, _ in columns
    )
    _done(connection, frame, f"CREATE {what} {quoted(frame.table)} AS SELECT {typed} FROM ({read})")
    for column, _ in columns:
        if not frame.copied:
            # In another unit than DuckDB's a moment may be too far away, and a query fail.
            found = connection.sql(f"SELECT max(hash({quoted(column)})) FROM {quoted(frame.table)}")
            refused(found.fetchall, _unread(frame, column))


def _check_memory(frame: Frame, columns: Sequence[tuple[str, str]]) -> None:
    """Refuse texts that are not UTF-8 and decimals that are longer than their type: nobody looked
    when they were made, and DuckDB reads what is not there."""
    for column, kind in columns:
        if frame.library == "polars":
            wrong = partial(_check_decimals, frame.held, column)
            if kind.startswith("DECIMAL("):
                refused(wrong, _unread(frame, column))
        else:
            held = frame.held[column]
            if frame.copied and type(held.dtype).__name__ != "ArrowDtype":
                continue
            arrow = held.array.__arrow_array__() if frame.copied else held
            refused(partial(arrow.validate, full=True), _unread(frame, column))


def _check_decimals(frame: Any, column: str) -> None:
    series = frame.get_column(column)
    most = 10 ** ((series.dtype.precision or 38) - series.dtype.scale)
    if any(end is not None and abs(end) >= most for end in (series.min(), series.max())):
        raise ValueError("a decimal is longer than its type")


def _done(
    connection: duckdb.DuckDBPyConnection, frame: Frame, sql: str
) -> list[tuple[object, ...]]:
    return _attempt(connection, frame, lambda: connection.execute(sql).fetchall())


def _attempt(connection: duckdb.DuckDBPyConnection, frame: Frame, work: Callable[[], T]) -> T:
    """The result of `work`; where it fails, the first column that cannot be read is named."""
    with suppress(PolicyError):
        return refused(work, "read a frame")
    for column in map(str, frame.columns):
        sql = f"SELECT max(hash({quoted(column)})) FROM temp.main.{_ALONE}"

        def read(column: str = column, sql: str = sql) -> None:
            _register(connection, _ALONE, frame.alone(column))
            connection.execute(sql)

        refused(read, _unread(frame, column))
    raise PolicyError(f"the frame {frame.table} cannot be read; the owner's log has the details")


def _register(connection: duckdb.DuckDBPyConnection, alias: str, frame: Frame) -> None:
    connection.register(alias, frame.held if frame.copied else Stream(frame.held))


def _unread(frame: Frame, column: str) -> str:
    return (
        f"{frame.table}.{column} cannot be read as a column of a table: convert or drop it; the "
        "owner's log has the details"
    )
