"""The tables of files in DuckDB: Parquet is read in place, texts are loaded once.

Claim: which type a column has is told by the policy, by a Parquet file's own schema, or it is
VARCHAR; never by values. Why: bounds and lists follow from types, so one that is found in the data
would be another one without a unit.

Claim: what is read of a row of Parquet is what it has, whatever other rows have. Why: DuckDB skips
rows, and folds conditions, by the least and the largest number of a row group, and many writers
leave NaN out of these: a NaN would be above 100 only beside a number that is. With `can_have_nan`
these two bound no NaN; but MAX is then NaN, by them alone, so that columns with floating-point
numbers are read by TRY, of which nothing is derived. Source: DuckDB 2.0, "Parquet: can_have_nan".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import duckdb

from dpsql.errors import PolicyError
from dpsql.platform.engine import texts
from dpsql.platform.engine.folder import DataFile, FolderTable, Types
from dpsql.platform.engine.guard import refused
from dpsql.platform.engine.sql_text import name as quoted
from dpsql.platform.engine.sql_text import text
from dpsql.types import VARCHAR, Type

_UNREADABLE = "cannot be read as Parquet; the owner's log has the details"
_NARROWER = {
    "TIMESTAMP_NS": "TIMESTAMP",
    "TIMESTAMP_MS": "TIMESTAMP",
    "TIMESTAMP_S": "TIMESTAMP",
    "TIMESTAMPTZ_NS": "TIMESTAMPTZ",
}
"""Moments in other units: what is not read of them is less than a microsecond."""


def create(
    connection: duckdb.DuckDBPyConnection, table: FolderTable, types: Types
) -> tuple[str, ...]:
    """Make `table` exist in `connection`; returns the statements that make it.

    Raises:
        PolicyError: its files cannot be read, or values do not fit the declared types.
    """
    columns = declared(types, table.name)
    check_partition(connection, table, columns)
    if table.kind == "parquet":
        return (_view(connection, table, columns),)
    named = next((list(c) for t, c in types.items() if t.lower() == table.name.lower()), None)
    return tuple(_loaded(connection, table, named, columns))


@dataclass(frozen=True, slots=True)
class Parts:
    """The tables of a folder, of which some files can be read alone.

    Attributes:
        tables: by their names in lower case.
        types: as declared.
    """

    tables: Mapping[str, FolderTable]
    types: Types

    @property
    def in_place(self) -> frozenset[str]:
        """The tables of Parquet files."""
        return frozenset(low for low, table in self.tables.items() if table.kind == "parquet")

    def view(
        self, connection: duckdb.DuckDBPyConnection, low: str, files: Collection[str], called: str
    ) -> None:
        """Make a view of some Parquet files of a table, by their names, in a connection."""
        table = self.tables[low]
        some = tuple(file for file in table.files if file.name in files)
        types = next((t for n, t in self.types.items() if n.lower() == low), {})
        create(connection, replace(table, name=called, files=some), {called: types})


def declared(types: Types, table: str) -> dict[str, Type | None]:
    """The types of a table's columns, by their names in lower case."""
    found = (columns for name, columns in types.items() if name.lower() == table.lower())
    return {column.lower(): kind for column, kind in next(found, {}).items()}


def check_partition(
    connection: duckdb.DuckDBPyConnection, table: FolderTable, types: Mapping[str, Type | None]
) -> None:
    """Refuse values of folders that do not fit their declared types."""
    for file in table.files:
        for key, value in file.partition:
            kind = types.get(key.lower()) or VARCHAR
            if value is not None and not texts.fits(connection, value, kind):
                message = f"a folder around it that names {key} does not fit the type {kind}"
                raise PolicyError(message, file=file.shown)


def selected(columns: Sequence[tuple[str, str]], casts: Mapping[str, str] | None = None) -> str:
    """What a view has of columns: all, moments in microseconds, numbers as they are.

    Args:
        columns: (name, DuckDB type).
        casts: SQL types that some have instead, by name.
    """
    every = []
    for column, kind in columns:
        to, own = (casts or {}).get(column, narrowed(kind)), quoted(column)
        read = f"TRY({own})" if _floats(kind) else own
        read = read if to == kind else f"CAST({read} AS {to})"
        every.append(own if read == own else f"{read} AS {own}")
    return ", ".join(every)


def _floats(kind: str) -> bool:
    """Whether a value of a type has floating-point numbers, or they are a list's or a field's."""
    return "FLOAT" in kind or "DOUBLE" in kind


def narrowed(kind: str) -> str:
    """The type as which a column of a type is read."""
    return _NARROWER.get(kind, kind)


def _view(
    connection: duckdb.DuckDBPyConnection, table: FolderTable, types: Mapping[str, Type | None]
) -> str:
    def described(file: DataFile) -> list[tuple[str, str]]:
        sql = f"DESCRIBE SELECT * FROM {_parquet([file])}"
        found = refused(lambda: connection.execute(sql).fetchall(), _UNREADABLE, file.shown)
        return [(str(row[0]), str(row[1])) for row in found]

    first = table.files[0]
    columns = described(first)
    for other in table.files[1:]:
        # Another type would be cast to the first file's, and a cast may fail on one row.
        if described(other) != columns:
            raise PolicyError(f"has other columns or types than {first.shown}", file=other.shown)
    if table.partition:
        _check_folders(table, [column for column, _ in columns])
        for file in table.files:
            _check_path(file)
    kinds = {key: types.get(key.lower()) or VARCHAR for key in table.partition}
    every = [selected(columns), *map(quoted, kinds)]
    source = _parquet(table.files, kinds)
    made = f"CREATE VIEW {quoted(table.name)} AS SELECT {', '.join(every)} FROM {source}"
    refused(lambda: connection.execute(made), _UNREADABLE, first.shown)
    return made


def _parquet(files: Sequence[DataFile], partition: Mapping[str, Type] | None = None) -> str:
    listed = ", ".join(text(str(file.path)) for file in files)
    hive = "hive_partitioning = false"
    if partition:
        kinds = ", ".join(f"{text(key)}: {text(str(kind))}" for key, kind in partition.items())
        hive = f"hive_partitioning = true, hive_types_autocast = false, hive_types = {{{kinds}}}"
    return f"read_parquet([{listed}], can_have_nan = true, {hive})"


def _check_folders(table: FolderTable, columns: Sequence[str]) -> None:
    """Refuse folders that name a column of the file too: who is right?"""
    both = {key.lower() for key in table.partition} & {column.lower() for column in columns}
    if both:
        raise PolicyError(
            f"{min(both)} is a column of the file and of a folder around it; leave one out",
            file=table.files[0].shown,
        )


def _check_path(file: DataFile) -> None:
    """DuckDB finds a partition in the path alone: refuse one that says more, or another thing."""
    pairs = [part.partition("=") for part in file.path.parts[:-1]]
    if [key for key, equals, _ in pairs if equals] != [key for key, _ in file.partition]:
        raise PolicyError(
            "a folder above the data is named key=value, or a link leads out of one",
            file=file.shown,
        )


def _loaded(
    connection: duckdb.DuckDBPyConnection,
    table: FolderTable,
    declared: Sequence[str] | None,
    types: Mapping[str, Type | None],
) -> Iterator[str]:
    own = {key.lower() for key in table.partition}
    names = None if declared is None else [c for c in declared if c.lower() not in own]
    begin, columns = f"CREATE TABLE {quoted(table.name)} AS", tuple[str, ...]()
    unknown: frozenset[str] | None = None
    for file in table.files:
        source = texts.opened(connection, file, names)
        _check_folders(table, source.columns)
        if columns and source.columns != columns:
            raise PolicyError(f"has other columns than {table.files[0].shown}", file=file.shown)
        columns = source.columns
        kinds = [(column, types.get(column.lower()) or VARCHAR) for column in columns]
        texts.check(connection, source, kinds)
        here = texts.unknown(connection, source)
        unknown = here if unknown is None else unknown & here
        items = [f"{texts.cast(quoted(c), kind)} AS {quoted(c)}" for c, kind in kinds]
        for key, value in file.partition:
            constant, kind = "NULL" if value is None else text(value), types.get(key.lower())
            items.append(f"CAST({constant} AS {kind or VARCHAR}) AS {quoted(key)}")
        yield texts.made(connection, source, f"{begin} SELECT {', '.join(items)} FROM {source.sql}")
        begin = f"INSERT INTO {quoted(table.name)}"
    if unknown:  # it may be spelled otherwise
        raise PolicyError(
            f"no record has the key {min(unknown)}; upper and lower case differ in JSON",
            file=table.files[0].shown,
        )
