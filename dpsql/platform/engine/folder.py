"""A folder of Parquet and CSV files as tables.

`orders.parquet` and `orders.csv` (or `.tsv`) are the table `orders`, and so is a folder `orders`
with Parquet parts. Parquet is read in place; CSV is loaded once, with the declared types.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from dpsql.errors import PolicyError
from dpsql.platform.engine.guard import refused
from dpsql.platform.engine.sql_text import name as quoted
from dpsql.platform.engine.sql_text import text
from dpsql.types import VARCHAR, Type

Types = Mapping[str, Mapping[str, Type]]
"""Declared types: by table, by column; names in any case."""

PARQUET = (".parquet", ".pq")
CSV_SUFFIXES = {".csv": ",", ".tsv": "\t"}
"""And what is between fields, where nothing else is found."""

_PATTERN = re.compile(r"[*?\[\]{}]")


@dataclass(frozen=True, slots=True)
class FolderTable:
    """A table and its files (several only for Parquet), in the order of their names."""

    name: str
    files: tuple[Path, ...]

    @property
    def is_csv(self) -> bool:
        """Whether the table is loaded from CSV."""
        return self.files[0].suffix.lower() in CSV_SUFFIXES


def find(folder: Path, wanted: frozenset[str] | None) -> tuple[FolderTable, ...]:
    """The tables of `folder`, by name; only those `wanted` (lower-cased), if given.

    Raises:
        PolicyError: two files are the same table, or a name is a pattern to the engine.
    """
    found: dict[str, FolderTable] = {}
    for entry in sorted(folder.resolve().iterdir()):
        if entry.name.startswith("."):
            continue
        table = _table(entry)
        if table is None or (wanted is not None and table.name.lower() not in wanted):
            continue
        before = found.setdefault(table.name.lower(), table)
        if before is not table:
            raise PolicyError(
                f"two files or folders are the table {table.name}: "
                f"{_shown(before)} and {_shown(table)}",
                file=str(folder),
            )
        for file in table.files:
            refuse_pattern(file)
    return tuple(found.values())


def refuse_pattern(file: Path) -> None:
    """Raise PolicyError where the engine would read more files than this one."""
    if _PATTERN.search(str(file)):
        message = "the path has a character that the engine takes for a pattern (*, ?, [, {)"
        raise PolicyError(message, file=str(file))


def _table(entry: Path) -> FolderTable | None:
    if entry.is_dir():
        parts = tuple(sorted(p for p in entry.iterdir() if p.suffix.lower() in PARQUET))
        parts = tuple(p for p in parts if p.is_file() and not p.name.startswith("."))
        return FolderTable(entry.name, parts) if parts else None
    if entry.suffix.lower() in (*PARQUET, *CSV_SUFFIXES) and entry.stem and entry.is_file():
        return FolderTable(entry.stem, (entry,))
    return None


def _shown(table: FolderTable) -> str:
    return table.files[0].name if len(table.files) == 1 else f"{table.files[0].parent.name}/"


def create(connection: duckdb.DuckDBPyConnection, table: FolderTable, types: Types) -> str:
    """Make `table` exist in `connection`; returns the statement that makes it.

    Raises:
        PolicyError: its files cannot be read, or fields do not fit the declared types.
    """
    if table.is_csv:
        declared = next((c for t, c in types.items() if t.lower() == table.name.lower()), {})
        return _load_csv(connection, table, {c.lower(): t for c, t in declared.items()})
    return _view_parquet(connection, table)


def _view_parquet(connection: duckdb.DuckDBPyConnection, table: FolderTable) -> str:
    def described(file: Path) -> list[tuple[object, ...]]:
        return refused(
            lambda: connection.execute(f"DESCRIBE SELECT * FROM {_parquet([file])}").fetchall(),
            "cannot be read as Parquet; the owner's log has the details",
            str(file),
        )

    first = described(table.files[0])
    for other in table.files[1:]:
        # Another type would be cast to the first file's, and a cast may fail on one row.
        if described(other) != first:
            raise PolicyError(
                f"has other columns or types than {table.files[0].name}", file=str(other)
            )
    made = f"CREATE VIEW {quoted(table.name)} AS SELECT * FROM {_parquet(table.files)}"
    refused(
        lambda: connection.execute(made),
        "cannot be read as Parquet; the owner's log has the details",
        str(table.files[0]),
    )
    return made


def _parquet(files: Sequence[Path]) -> str:
    listed = ", ".join(text(str(file)) for file in files)
    # No columns out of folder names.
    return f"read_parquet([{listed}], hive_partitioning = false)"


def _load_csv(
    connection: duckdb.DuckDBPyConnection, table: FolderTable, types: Mapping[str, Type]
) -> str:
    file = table.files[0]
    header, delimiter = _header(file)
    columns = [(column, types.get(column.lower(), VARCHAR)) for column in header]
    named = ", ".join(f"{text(column)}: 'VARCHAR'" for column in header)
    # Nothing is guessed: DuckDB's sniffer may skip lines that do not fit.
    source = (
        f"read_csv({text(str(file))}, auto_detect = false, header = true, "
        f"delim = {text(delimiter)}, quote = '\"', escape = '\"', columns = {{{named}}})"
    )
    unreadable = (
        f'cannot be read as CSV (delimiter {delimiter!r}, quotes ", UTF-8, the same number of '
        "fields in each line); the owner's log has the details"
    )
    checks = [(c, t, _misfit(c, t)) for c, t in columns if t.name not in ("VARCHAR", "UNKNOWN")]
    if checks:
        counts = ", ".join(f"count(*) FILTER (WHERE {misfit})" for _, _, misfit in checks)
        [misfits] = refused(
            lambda: connection.execute(f"SELECT {counts} FROM {source}").fetchall(),
            unreadable,
            str(file),
        )
        problems = [
            f"{rows} rows do not fit column {column} of type {type_}"
            for (column, type_, _), rows in zip(checks, misfits, strict=True)
            if rows
        ]
        if problems:
            raise PolicyError("; ".join(problems), file=str(file))
    cast = ", ".join(f"{_cast(column, type_)} AS {quoted(column)}" for column, type_ in columns)
    made = f"CREATE TABLE {quoted(table.name)} AS SELECT {cast} FROM {source}"
    refused(lambda: connection.execute(made), unreadable, str(file))
    return made


def _cast(column: str, type_: Type) -> str:
    if type_.name in ("VARCHAR", "UNKNOWN"):
        return quoted(column)
    return f"TRY_CAST({quoted(column)} AS {type_})"


def _misfit(column: str, type_: Type) -> str:
    """SQL: whether a non-empty field is not a constant of the type."""
    fails = f"{_cast(column, type_)} IS NULL"
    if type_.is_integer:
        # The cast alone would round 1.7 and read 1e3, 0x10 and 1_000.
        fails = f"({fails} OR NOT regexp_full_match(trim({quoted(column)}), '[+-]?[0-9]+'))"
    return f"{quoted(column)} IS NOT NULL AND {fails}"


def _header(file: Path) -> tuple[list[str], str]:
    """The column names, and the delimiter: the first of comma, semicolon, tab, bar among them."""
    line: list[str] | None = None
    delimiter = ","
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            first = stream.readline()
            delimiter = next((d for d in ",;\t|" if d in first), ",")
            stream.seek(0)
            line = next(csv.reader(stream, delimiter=delimiter), None)
    except (OSError, UnicodeDecodeError, csv.Error):
        pass
    if not line or not all(line):
        raise PolicyError(
            "needs a first line with a name for each column, in UTF-8", file=str(file)
        )
    if len({column.lower() for column in line}) < len(line):
        raise PolicyError("has two columns of the same name", file=str(file))
    return line, delimiter
