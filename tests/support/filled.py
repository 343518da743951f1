"""Rows put into a table at once: `executemany` takes a millisecond each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import duckdb


def fill(
    connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Sequence[object]]
) -> None:
    """Insert them; each value is made the type of its column, as it would be in VALUES."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    if columns:
        lists = ", ".join(["unnest(?)"] * len(columns))
        connection.execute(f"INSERT INTO {table} SELECT {lists}", columns)
