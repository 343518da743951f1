"""Opening a server's tables: the private ones are made here without rows, the public ones copied.

Claim: the public rows that a statement of the server's reads are those that were copied here. Why:
where a server can name one state of private tables and a public one, and tells of each change of
it (`Server.watched`), that one is copied by the very text by which statements read it, and a state
that has passed comes again only where somebody undoes what was done (`spark_states` says what is
not covered), so what `FarEngine` asks after each statement, whether they are in it still, holds of
the copying too, which came before. All others are lent to it as they were copied, so that nobody
else can change them, and so are columns that are read otherwise under another filter (`unsure`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from secrets import token_hex

import duckdb

from dpsql.errors import PolicyError
from dpsql.platform.engine import sandbox
from dpsql.platform.engine.far.engine import FarEngine, Path, columns_read, typed
from dpsql.platform.engine.far.server_protocol import Column, Server
from dpsql.platform.engine.far.server_sql import PART
from dpsql.platform.engine.guard import refused
from dpsql.platform.engine.recipe import Recipe
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.engine.sql_text import dotted
from dpsql.platform.engine.sql_text import name as quoted

Read = Mapping[str, Collection[str] | None]
"""Of tables, the columns that are read of a public one, in lower case; None for a private one."""


def open_server(server: Server, access: Read | None, allowed: Allowance) -> FarEngine:
    """The tables of a server.

    Args:
        server: it is closed with the engine, and where opening fails.
        access: what a policy lists; None for all that the server has, without rows.
        allowed: what DuckDB may use here.

    Raises:
        PolicyError: the server cannot be read, or has settings that change meanings.
    """
    try:
        wrong = refused(server.settled, "the server cannot be asked; the owner's log has why")
        if wrong is not None:
            raise PolicyError(wrong)
        connection = refused(lambda: Recipe(None).connect(allowed), "DuckDB could not be started")
        try:
            made = refused(
                lambda: _opened(connection, server, access),
                "the tables cannot be read; the owner's log has the details",
            )
            sandbox.lock(connection, allowed.spill)
            private, public, state, left_out = made
            return FarEngine(connection, server, private, public, left_out, state=state)
        except BaseException:
            connection.close()
            raise
    except BaseException:
        server.close()
        raise


def _opened(
    connection: duckdb.DuckDBPyConnection, server: Server, access: Read | None
) -> tuple[dict[Path, tuple[str, Sequence[Column]]], dict[Path, str], str | None, tuple[str, ...]]:
    private: dict[Path, tuple[str, Sequence[Column]]] = {}
    public: dict[Path, str] = {}
    prefix = f"dpsql_{token_hex(8)}_"  # nobody else's, in a session that others may use
    watched, state, left_out = list[str](), None, list[str]()
    every_table = access is None
    if access is None:
        access = dict.fromkeys(server.tables())
    else:
        there = [table for table, listed in access.items() if listed is None]
        watched = [table for table in access if table not in there and server.watched(table)]
        every = server.hold([*there, *watched]) if watched else None
        watched = watched if every is not None else []
        state = every or server.hold(there)
    for table, listed in access.items():
        try:
            columns = columns_read(server, table) if listed is None else server.columns(table)
        except PolicyError as problem:
            if not every_table:
                raise
            left_out.append(str(problem))
            continue
        if columns is None:
            continue  # which the policy's own check says
        if listed is not None:
            columns = [c for c in columns if c[0].lower() in listed] or columns[:1]
        path = _path(connection, table)
        made = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns)
        connection.execute(f"CREATE TABLE {dotted(path)} ({made})")
        if listed is None:
            private[path] = (table, columns)
            continue
        names = ", ".join(server.language.name(name) for name, _ in columns)
        source = server.source(table, columns)
        rows = server.run(f"SELECT {names} FROM {source}")
        connection.register("dpsql_rows", rows)
        connection.execute(f"INSERT INTO {dotted(path)} SELECT {typed(columns)} FROM dpsql_rows")
        connection.unregister("dpsql_rows")
        lent = table not in watched or server.unsure(table, columns)
        public[path] = server.publish(f"{prefix}{len(public)}", rows) if lent else source
    return private, public, state, tuple(left_out)


def _path(connection: duckdb.DuckDBPyConnection, table: str) -> Path:
    """Where a table is here, by the name that the policy has for it."""
    names = table.split(".")
    if len(names) > 3:
        raise PolicyError(f"{table} has more parts than a catalog, a schema and a name")
    if names[-1].lower().startswith(PART):
        raise PolicyError(f"{table}: names that begin with {PART} are those of parts of statements")
    database, schema, name = [*("memory", "main")[: 3 - len(names)], *names]
    if database.lower() != "memory":
        connection.execute(f"ATTACH IF NOT EXISTS ':memory:' AS {quoted(database)}")
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {dotted((database, schema))}")
    return (database, schema, name)
