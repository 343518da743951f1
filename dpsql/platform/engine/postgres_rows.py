"""DuckDB's rows in a table of PostgreSQL's: values travel as texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb

from dpsql.platform.engine.far.postgres_words import BYTES, quoted, type_of
from dpsql.types import Type

if TYPE_CHECKING:
    import psycopg

_BEFORE = r"""regexp_replace({text}, '^(\S+) \(BC\)(.*)$', '\1\2 BC')"""


def declared(column: str, kind: Type) -> str:
    """SQL of a column that holds each value of a type, texts in the order of their bytes."""
    type_ = "BYTEA" if kind.name == "BLOB" else type_of(kind)
    return f"{quoted(column)} {type_}{BYTES * (kind.name == 'VARCHAR')}"


def sent(column: str, kind: Type) -> str:
    """SQL of DuckDB's: a value as PostgreSQL reads it."""
    text = f"CAST({quoted(column)} AS VARCHAR)"
    if kind.is_temporal:
        return _BEFORE.format(text=text)
    return f"'\\x' || hex({quoted(column)})" if kind.name == "BLOB" else text


def send(
    server: psycopg.Connection[Any], table: str, scratch: duckdb.DuckDBPyConnection, rows: str
) -> None:
    """Append rows to a table.

    Args:
        table: SQL of its name.
        scratch: where the rows are.
        rows: a query whose columns are texts.
    """
    given = scratch.execute(rows)
    with server.cursor().copy(f"COPY {table} FROM STDIN") as copying:
        while part := given.fetchmany(10_000):
            for row in part:
                copying.write_row(row)
