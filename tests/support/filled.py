"""What is in a database, put there at once: `executemany` takes a millisecond for each row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb


def save(path: Path, sql: str) -> None:
    """A file with what statements make, which is made once: DuckDB takes 30 ms. All of them are the
    same data, which a test has under one ledger.
    """
    path.write_bytes(_saved(sql))


@cache
def _saved(sql: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "made.duckdb"
        with duckdb.connect(str(path)) as connection:
            connection.execute(sql)
        return path.read_bytes()


def fill(
    connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Sequence[object]]
) -> None:
    """Insert them; each value is made the type of its column, as it would be in VALUES."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    if columns:
        lists = ", ".join(["unnest(?)"] * len(columns))
        connection.execute(f"INSERT INTO {table} SELECT {lists}", columns)
