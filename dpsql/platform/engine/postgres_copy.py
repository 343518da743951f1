"""A conforming copy in a schema of a PostgreSQL server, with constraints that prove its claims.

Nothing that is proven rests on this: of the tables counts what the server enforces, as of any other
(`postgres_catalog`). That is all of what a copy proves but lengths of texts and bounds of floating
numbers that are not dyadic. `max_rows` is so by a number that each row gets among those that share
a value: the two are a key, and a check says how far the number goes (`policy.enforced.most_rows`).
The number is a row's place in the order of hashes of the rows' contents, among rows of one unit: so
what the copy has of a unit is told by the unit's own rows, as in `conform`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from dpsql.core.schema import Column, Schema, Table
from dpsql.core.sqltypes import parse_type
from dpsql.errors import PolicyError
from dpsql.platform.engine import sandbox
from dpsql.platform.engine.conform import order
from dpsql.platform.engine.far.operators import Unsupported
from dpsql.platform.engine.far.postgres_words import quoted
from dpsql.platform.engine.postgres_catalog import asked, connected
from dpsql.platform.engine.postgres_rows import declared, send, sent
from dpsql.platform.engine.sql_text import dotted, nearest, text
from dpsql.types import Scalar, Type

if TYPE_CHECKING:
    import psycopg

MARK = "Of a conforming copy, which dpsql prepare makes anew each time"
"""The comment of each table: whatever has none is somebody's, and never dropped."""

NTH = "dpsql_nth"
"""The number of a row among those that share what leads to their unit."""

_WIDE = {
    "UTINYINT": "SMALLINT",
    "USMALLINT": "INTEGER",
    "UINTEGER": "BIGINT",
    "UBIGINT": "DECIMAL(20, 0)",
    "HUGEINT": "DECIMAL(38, 0)",
    "ENUM": "VARCHAR",
}
"""Types that the server has not, and the ones that hold their values."""

_SETTINGS = (
    "SET statement_timeout = 0",
    "SET lock_timeout = '1min'",
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
    "SET LOCAL search_path = pg_catalog, pg_temp",
    "SET LOCAL client_encoding = 'UTF8'",
    "SET LOCAL datestyle = 'ISO, YMD'",
    "SET LOCAL standard_conforming_strings = on",
)

_REASONS = {
    "42501": "cannot be written by this user, who has to own the schema, or may make one",
    "55P03": "a table of the copy that was there is locked by others",
    "2BP01": "something else rests on the copy that was there, such as a view",
    "53": "the server is out of resources",
}
_NOT_WRITTEN = "the copy cannot be written"

_TABLES = """SELECT c.relname, c.relkind = 'r' AND obj_description(c.oid, 'pg_class') = %s
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = %s AND c.relkind NOT IN ('i', 'I')"""


def write(url: str, into: str, file: Path, schema: Schema, salt: str) -> None:
    """Put a copy into a schema of a server, in one transaction: others see the one that was there
    until all of it is.

    Args:
        url: of the server, for a user who may make the schema, or owns it.
        into: the name of the schema, in which nothing else is.
        file: the copy, a DuckDB file.
        schema: what is true of it.
        salt: of the hashes that put rows in order.

    Raises:
        PolicyError: the server has no type for a column, has another schema of that name, or
            cannot be asked.
        EngineError: the driver is not installed.
    """
    with (
        closing(duckdb.connect(str(file), read_only=True, config=sandbox.config())) as scratch,
        closing(connected(url)) as server,
    ):
        for setting in _SETTINGS:
            _do(server, setting)
        _do(server, "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", f"dpsql {into}")
        _emptied(server, into)
        public = [table for table in schema.tables.values() if not table.private]
        tables = [*order(schema), *public]
        for table in tables:
            _made(server, scratch, into, table, salt)
        for table in tables:  # those that rows refer to are filled first
            for constraint in _constraints(scratch, table, schema, into):
                _do(server, f"ALTER TABLE {_at(into, table)} {constraint}")
            _do(server, f"ANALYZE {_at(into, table)}")
        _do(server, "COMMIT")


def _emptied(server: psycopg.Connection[Any], into: str) -> None:
    """The schema, without what an earlier copy has left in it."""
    _do(server, f"CREATE SCHEMA IF NOT EXISTS {quoted(into)}")
    tables = _do(server, _TABLES, MARK, into)
    if not all(own for _, own in tables):
        raise PolicyError(f"the schema {into} has other tables in it; a copy needs one of its own")
    if gone := ", ".join(dotted((into, name)) for name, _ in tables):
        _do(server, f"DROP TABLE {gone}")


def _made(
    server: psycopg.Connection[Any],
    scratch: duckdb.DuckDBPyConnection,
    into: str,
    table: Table,
    salt: str,
) -> None:
    """Make a table and fill it."""
    described = scratch.execute(f"DESCRIBE {quoted(table.path[2])}").fetchall()
    kinds = {str(row[0]): _held(parse_type(str(row[1]))) for row in described}
    source = quoted(table.path[2])
    if (most := _numbered(table)) is not None:
        if NTH in map(str.lower, kinds):
            raise PolicyError(f"a column of {table.name} is called {NTH}; give it another name")
        texts = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in kinds)
        ordered = f"PARTITION BY {quoted(table.owner or '')} ORDER BY hash({text(salt)}, {texts})"
        source = f"(SELECT *, row_number() OVER ({ordered}, {texts}) AS {NTH} FROM {source})"
        kinds[NTH] = Type("INTEGER" if most > 32_767 else "SMALLINT")
    columns = []
    for name, kind in kinds.items():
        try:
            columns.append(declared(name, kind))
        except Unsupported as lacking:
            raise PolicyError(f"{table.name}.{name}: the server has not {lacking}") from None
    _do(server, f"CREATE TABLE {_at(into, table)} ({', '.join(columns)})")
    _do(server, f"COMMENT ON TABLE {_at(into, table)} IS {text(MARK)}")
    rows = f"SELECT {', '.join(sent(n, k) for n, k in kinds.items())} FROM {source}"
    filled = partial(send, server, _at(into, table), scratch, rows)
    asked(filled, _REASONS, _NOT_WRITTEN)


def _constraints(
    scratch: duckdb.DuckDBPyConnection, table: Table, schema: Schema, into: str
) -> Iterator[str]:
    """What is true of a table, as the server enforces it."""
    for column in table.stored:
        if not column.nullable:
            yield f"ALTER {quoted(column.name)} SET NOT NULL"
        if check := _check(scratch, column):
            yield f"ADD CHECK ({check})"
    if table.key:
        yield f"ADD PRIMARY KEY ({', '.join(map(quoted, table.key))})"
    if (most := _numbered(table)) is not None:
        yield f"ADD CHECK ({NTH} BETWEEN 1 AND {most})"
        yield f"ALTER {NTH} SET NOT NULL"
        yield f"ADD UNIQUE ({quoted(table.owner or '')}, {NTH})"
    up = schema.next_owner(table) if table.private and table.lookup is None else None
    upper = None if up is None else schema.table(up.table)
    if up is not None and upper is not None and upper.key == (up.column,):
        at = f"{_at(into, upper)} ({quoted(up.column)})"
        yield f"ADD FOREIGN KEY ({quoted(table.owner or '')}) REFERENCES {at}"


def _check(scratch: duckdb.DuckDBPyConnection, column: Column) -> str:
    """SQL: what is proven of a column's values; empty for nothing.

    A constant has no type of its own: it is one of the column's.
    """
    name = quoted(column.name)
    if column.values is not None and column.values_proven:
        plain = [str(v) for v in column.values if isinstance(v, str) or column.type.is_integer]
        if len(plain) == len(column.values):
            return f"{name} IN ({', '.join(map(text, plain))})"
    if column.bounds is None or not column.bounds_proven:
        return ""
    low = _constant(scratch, column.type, column.bounds[0], low=True)
    high = _constant(scratch, column.type, column.bounds[1], low=False)
    return f"{name} BETWEEN {low} AND {high}"


def _constant(scratch: duckdb.DuckDBPyConnection, kind: Type, end: Scalar, *, low: bool) -> str:
    sql = f"SELECT CAST({nearest(kind, end, low=low)} AS VARCHAR)"
    [[value]] = scratch.execute(sql).fetchall()
    return text(str(value))


def _numbered(table: Table) -> int | None:
    """How many rows share what leads to their unit, where that has to be proven by a number."""
    column = None if table.owner is None else table.column(table.owner)
    if column is None or not table.private or table.lookup or table.key == (column.name,):
        return None
    return column.max_rows if column.max_rows_proven else None


def _held(kind: Type) -> Type:
    wide = _WIDE.get(kind.name)
    return kind if wide is None else parse_type(wide)


def _at(into: str, table: Table) -> str:
    return dotted((into, table.path[2]))


def _do(server: psycopg.Connection[Any], sql: str, *given: object) -> list[tuple[Any, ...]]:
    def done() -> list[tuple[Any, ...]]:
        cursor = server.execute(sql, given or None)
        return [] if cursor.description is None else cursor.fetchall()

    return asked(done, _REASONS, _NOT_WRITTEN)
