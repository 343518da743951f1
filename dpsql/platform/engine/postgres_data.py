"""A PostgreSQL database as tables: copied once, in one snapshot of it, into a DuckDB file.

Claim: queries see one state of the server's data, and what the catalog says is enforced is true of
it. Why: all is read in one read-only transaction at REPEATABLE READ. Keys, references, NOT NULL and
simple checks are constraints of the copy as well, so DuckDB tests each of them on every row while
it is made; whatever the server has left unchecked, nothing here rests on it.
Source: PostgreSQL 14 to 18, chapters "Transaction Isolation" and "System Catalogs".

Values travel as texts, each in its one standard form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import duckdb

from dpsql.errors import PolicyError
from dpsql.platform.engine import sandbox
from dpsql.platform.engine.folder import Types
from dpsql.platform.engine.guard import refused
from dpsql.platform.engine.postgres_catalog import (
    Column,
    Table,
    asked,
    begin,
    connected,
    found,
    hold,
    told,
)
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.engine.sql_text import dotted
from dpsql.platform.engine.sql_text import name as quoted
from dpsql.platform.engine.sql_text import text as literal
from dpsql.platform.engine.texts import cast, misfit, unfit

if TYPE_CHECKING:
    import psycopg


def database(url: str) -> str:
    """The name of the database, or of the service that names it."""
    return urlsplit(url).path.strip("/") or "postgres"


def copy(
    url: str,
    into: Path,
    types: Types | None,
    allowed: Allowance,
    *,
    rows: Callable[[Table], bool] = lambda table: True,
    in_place: bool = False,
) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    """Copy its tables, those in `types` if that is given.

    Args:
        url: such as postgresql://user@host/database.
        into: the DuckDB file that is made.
        types: the declared tables and columns; the type of a number without a precision is there.
        allowed: what DuckDB may use.
        rows: whether those of a table are wanted; else it is empty.
        in_place: whether other rows are asked for where they are; see `found`.

    Returns:
        The tables, and what is left out, each with the reason.

    Raises:
        PolicyError: it cannot be reached or read, or values do not fit their types.
        EngineError: the driver is not installed.
    """
    wanted = None if types is None else {name.lower() for name in types}
    with (
        closing(connected(url)) as server,
        closing(duckdb.connect(str(into), config=sandbox.config(allowed))) as new,
    ):
        sandbox.no_bar(new)
        begin(server)
        said = told(server, wanted, in_place=in_place)
        made, left_out = found(said, into.stem, types or {}, in_place=in_place)
        for schema in sorted({table.path[1] for table in made} - {"main"}):
            new.execute(f"CREATE SCHEMA {dotted((into.stem, schema))}")
        known = {table.oid: table for table in made}
        hold(server, [table for table in made if in_place or rows(table)])
        for table in _ordered(known):
            message = f"{table.shown} cannot be made in DuckDB; the owner's log has the details"
            refused(partial(_make, new, table, known, rows), message)
            if rows(table):
                _fill(server, new, table, into.with_suffix(".csv"))
    return tuple(made), left_out


_LINE = 16_000_000
"""The bytes that a row may have."""


def _ordered(tables: Mapping[int, Table]) -> Iterator[Table]:
    """Each after those that it refers to; in a circle, as they come."""
    done: set[int] = set()
    while len(done) < len(tables):
        left = [table for oid, table in tables.items() if oid not in done]
        free = [t for t in left if all(o not in tables or o in done for _, o, _ in t.references)]
        for table in free or left[:1]:
            done.add(table.oid)
            yield table


def _make(
    new: duckdb.DuckDBPyConnection,
    table: Table,
    known: Mapping[int, Table],
    rows: Callable[[Table], bool],
) -> None:
    parts = [f"{quoted(c.name)} {c.type}{' NOT NULL' * c.not_null}" for c in table.columns]
    for number, key in enumerate(table.keys):
        parts.append(f"{'UNIQUE' if number else 'PRIMARY KEY'} ({', '.join(map(quoted, key))})")
    if table.keys and not _is_primary(table):
        parts = [part.replace("PRIMARY KEY", "UNIQUE") for part in parts]
    parts += [f"CHECK ({check})" for check in table.checks]
    own = {c.name: c for c in table.columns}
    for column, oid, other in table.references:
        to = known.get(oid)
        made = to is not None and new.execute(_EXISTS, list(to.path[1:])).fetchall() != []
        # DuckDB has no references between schemas.
        if to is None or not made or (other,) not in to.keys or to.path[1] != table.path[1]:
            continue
        if rows(table) and not rows(to):
            continue  # what it refers to is elsewhere
        if _is_same(own[column], next(c for c in to.columns if c.name == other)):
            at = f"{dotted(to.path)} ({quoted(other)})"
            parts.append(f"FOREIGN KEY ({quoted(column)}) REFERENCES {at}")
    new.execute(f"CREATE TABLE {dotted(table.path)} ({', '.join(parts)})")
    told = {f"COLUMN {dotted(table.path)}.{quoted(c.name)}": c.comment for c in table.columns}
    told[f"TABLE {dotted(table.path)}"] = table.comment
    for of, comment in told.items():
        if comment:
            new.execute(f"COMMENT ON {of} IS {literal(comment)}")


def _is_same(one: Column, other: Column) -> bool:
    """Whether what is equal there is equal here: a text refers to a char(n) but for blanks at its
    end, and a moment without a zone to one with a zone in that of a session.
    """
    alike = one.own == other.own or {one.own, other.own} == {"text", "varchar"}
    return alike and one.type == other.type


_EXISTS = "SELECT 1 FROM duckdb_tables() WHERE schema_name = ? AND table_name = ?"


def _is_primary(table: Table) -> bool:
    full = {c.name for c in table.columns if c.not_null}
    return full.issuperset(table.keys[0])


def _fill(
    server: psycopg.Connection[Any], new: duckdb.DuckDBPyConnection, table: Table, file: Path
) -> None:
    """Copy the rows, by a file between the two."""
    items = ", ".join(column.sent for column in table.columns)
    sql = f"COPY (SELECT {items} FROM {table.source}) TO STDOUT (FORMAT csv, FORCE_QUOTE *)"

    def send() -> None:
        with file.open("wb") as stream, server.cursor().copy(sql) as rows:
            for part in rows:
                stream.write(part)

    shown = table.shown
    try:
        file.touch(mode=0o600)
        asked(send)
        names = [f"c{place}" for place in range(len(table.columns))]
        listed = ", ".join(f"{name}: 'VARCHAR'" for name in names)
        read = (
            f"read_csv({literal(str(file))}, auto_detect = false, header = false, delim = ',', "
            f"quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false, "
            f"max_line_size = {_LINE}, parallel = false, new_line = '\\n', "
            f"columns = {{{listed}}})"
        )
        each = list(zip(names, table.columns, strict=True))
        counts = ", ".join(f"count(*) FILTER (WHERE {misfit(n, c.type)})" for n, c in each)
        long = (
            f"{shown}: its rows cannot be read, as where one has more than {_LINE:,} bytes; the "
            "owner's log has the details"
        )
        [wrong] = refused(lambda: new.execute(f"SELECT {counts} FROM {read}").fetchall(), long)
        problems = [
            f"{unfit(count)} column {column.name} of type {column.type}"
            for column, count in zip(table.columns, wrong, strict=True)
            if count
        ]
        if problems:
            raise PolicyError(f"{shown}: {'; '.join(problems)}")
        cells = ", ".join(cast(n, c.type) for n, c in each)
        insert = f"INSERT INTO {dotted(table.path)} SELECT {cells} FROM {read}"
        message = f"{shown}: its rows are not what its constraints say; the owner's log has more"
        refused(lambda: new.execute(insert), message)
    finally:
        file.unlink(missing_ok=True)
