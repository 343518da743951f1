"""PostgreSQL: one connection, of which each snapshot is a transaction.

Claim: the statements of a snapshot see one state of the private rows, in which all is true that the
catalog was taken for when it was opened. Why: the transaction is REPEATABLE READ and READ ONLY;
the tables are held to its end, and the catalog is read again in it. What a role, a database or a
session was given changes no cell: each setting that could is set in the transaction (`SETTINGS`).
Public rows are the ones that were copied: they are lent in temporary tables of the connection.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import starmap
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import duckdb

from dpsql.core.sqltypes import parse_type
from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine import file_kinds, postgres_data, postgres_rows
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.far.engine import FarEngine, Path
from dpsql.platform.engine.far.postgres_language import POSTGRES
from dpsql.platform.engine.far.postgres_words import quoted
from dpsql.platform.engine.far.server_protocol import Column
from dpsql.platform.engine.far.server_sql import Language
from dpsql.platform.engine.folder import Types
from dpsql.platform.engine.guard import quietly, refused
from dpsql.platform.engine.postgres_catalog import (
    RewrittenError,
    Table,
    Told,
    asked,
    begin,
    connected,
    found,
    hold,
    told,
)
from dpsql.platform.engine.recipe import Recipe
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.engine.spill import TempDirectory
from dpsql.platform.engine.sql_text import dotted

if TYPE_CHECKING:
    import psycopg

CHANGED = "tables of the server are not what they were: open it again"
TEMPORARY = (
    "public tables are lent to the server, where this user may make no temporary table: GRANT "
    "TEMPORARY ON DATABASE … TO …, or leave out in_place"
)
UNNAMED = (
    "nothing tells one state of a PostgreSQL database from another: constraints that the server "
    "enforces are proof, and so is a copy by dpsql prepare"
)
_DATE, _TIMESTAMP, _BYTEA = 1082, 1114, 17
"""The types of which DuckDB writes values in another way."""

_OLDEST = 140000
_BOUND = "dpsql_bound"


class Postgres:
    """A connection; see `Server`."""

    def __init__(self, url: str, database: str, types: Types | None) -> None:
        """Args:
        url: of the server.
        database: what its tables are in, here.
        types: the declared tables and columns; None for all.
        """
        self._url, self._database, self._types = url, database, types or {}
        self._wanted = None if types is None else {name.lower() for name in types}
        self._held: Sequence[Table] = ()
        self._known: Sequence[Table] = ()
        self._said: Told | None = None  # of which the known tables are made
        self._lent: dict[str, Any] = {}
        self._depth = 0
        self._stopping = threading.Lock()
        self._running = False
        self._connection: psycopg.Connection[Any] | None = None

    def expect(self, tables: Sequence[Table], held: Collection[str]) -> None:
        """What the catalog has to say in each snapshot, and the tables that are read in it."""
        self._known = tuple(tables)
        self._held = [table for table in tables if table.shown in held]

    @property
    def language(self) -> Language:
        """PostgreSQL's SQL."""
        return POSTGRES

    def begin(self, deadline: Deadline | None) -> None:
        """See `Server`.

        Raises:
            EngineError: the server cannot be asked.
        """
        if self._depth == 0:
            self._begun(deadline)
        self._depth += 1

    def _begun(self, deadline: Deadline | None) -> None:
        for again in (True, False):
            try:
                self._start(deadline)
                return
            except PolicyError as error:
                lost = self._connection is None or self._connection.closed
                lost = lost or isinstance(error, RewrittenError)
                problem = str(error)
            self._drop()  # what was open is not any more
            if not (again and lost):
                raise EngineError(problem)

    def _start(self, deadline: Deadline | None) -> None:
        server = self._open()
        limits = []
        if deadline is not None:
            most = max(1, round(deadline.left * 1000))
            limits = [f"SET LOCAL statement_timeout = {most}"]
            limits.append(f"SET LOCAL lock_timeout = {min(most, 60_000)}")
        begin(server, *limits)
        hold(server, self._held)

    def end(self) -> None:
        """See `Server`."""
        self._depth -= 1
        if self._depth == 0 and self._connection is not None:
            self._connection.execute("ROLLBACK")

    def settled(self) -> str | None:
        """See `Server`."""
        server = self._open()
        if server.info.server_version < _OLDEST:
            return "the server is older than PostgreSQL 14"
        if server.info.parameter_status("server_encoding") != "UTF8":
            return "the database has another encoding than UTF8"
        said = told(server, self._wanted, in_place=True)
        if said != self._said:
            now, _ = found(said, self._database, self._types, in_place=True)
            if tuple(now) != self._known:
                return CHANGED
            self._said = said
        return None

    def tables(self) -> Sequence[str]:
        """See `Server`."""
        return [table.shown for table in self._known]

    def hold(self, tables: Sequence[str]) -> str | None:
        """See `Server`: a table has no state that could be named.

        Why: a transaction sees one state, which ends with it, and nothing that the server tells in
        another one is the same only for the same rows. Identifiers of transactions and snapshots go
        on where nothing changed, and are counted anew in a restored copy; a table's file
        (relfilenode) stays the same while rows change, counters (n_tup_upd) come late, are lost in
        a crash and can be set back, and what a place in the log (LSN) held may be lost and another
        thing written there. A name that an owner gives is a promise, and no proof.
        """
        return None

    @property
    def unnamed(self) -> str:
        """See `Server`."""
        return UNNAMED

    def held(self) -> bool:
        """See `Server`."""
        return True

    def columns(self, table: str) -> Sequence[Column] | None:
        """See `Server`."""
        return next((columns(t) for t in self._known if t.shown == table), None)

    def watched(self, table: str) -> bool:
        """See `Server`: nothing is held."""
        return False

    def unsure(self, table: str, columns: Sequence[Column]) -> frozenset[str]:
        """See `Server`: statistics choose a plan, and decide no condition."""
        return frozenset()

    def source(self, table: str, columns: Sequence[Column]) -> str:
        """See `Server`."""
        known = next(t for t in self._known if t.shown == table)
        items = ", ".join(f"{c.value} AS {quoted(c.name)}" for c in known.columns)
        return f"(SELECT {items} FROM {known.source}) AS t"

    def publish(self, name: str, rows: Any) -> str:
        """See `Server`; it is lent again to each new connection."""
        asked(partial(_lend, self._open(), name, rows))
        self._lent[name] = rows
        return f"pg_temp.{quoted(name)} AS t"

    def bind(self, sql: str) -> None:
        """See `Server`. Not EXPLAIN: that plans, which looks at statistics and at the ends of
        indexes, and takes the longer the more there is. PREPARE looks names up, and plans nothing
        before EXECUTE.
        """
        server = self._open()
        server.execute(f"PREPARE {_BOUND} AS {sql}")
        server.execute(f"DEALLOCATE {_BOUND}")

    def run(self, sql: str) -> Any:
        """See `Server`; each value is a text, or bytes. No cursor of the server's: with one it
        plans no parallel work, and what comes is a cell for each group.

        Raises:
            EngineError: no snapshot has begun.
        """
        import pyarrow

        if self._depth == 0:
            raise EngineError("a server is asked in a snapshot alone")
        self._running = True
        try:
            cursor = self._open().execute(sql)
        finally:
            with self._stopping:  # what is stopped is this statement, and not the next
                self._running = False
        result, described = cursor.pgresult, cursor.description
        assert result is not None and described is not None
        count = range(result.ntuples)
        arrays = []
        for place, column in enumerate(described):
            texts = [result.get_value(row, place) for row in count]
            if column.type_code in (_DATE, _TIMESTAMP):
                texts = [None if t is None else _early(t) for t in texts]
            if column.type_code == _BYTEA:
                texts = [None if t is None else bytes.fromhex(t[2:].decode()) for t in texts]
            array = pyarrow.array(texts, pyarrow.binary())
            arrays.append(array if column.type_code == _BYTEA else array.cast(pyarrow.string()))
        return pyarrow.table(arrays, names=[column.name for column in described])

    def interrupt(self) -> None:
        """See `Server`."""
        with self._stopping:
            if self._running and self._connection is not None:
                self._connection.cancel_safe(timeout=5)

    def close(self) -> None:
        """See `Server`."""
        self._drop()

    def _open(self) -> psycopg.Connection[Any]:
        if self._connection is None:
            made = connected(self._url)
            try:
                for name, rows in self._lent.items():
                    asked(partial(_lend, made, name, rows))
            except BaseException:
                made.close()
                raise
            self._connection = made
        return self._connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            quietly(connection.close, "close")


def columns(table: Table) -> Sequence[Column]:
    """Those of a table, with their types as DuckDB names them."""
    return [(c.name, str(c.type)) for c in table.columns]


def open_in_place(
    url: str, types: Types | None, access: Mapping[str, bool] | None, allowed: Allowance
) -> FarEngine:
    """A PostgreSQL database of which the private rows stay there.

    Args:
        url: such as postgresql://user@host/database.
        types: the declared tables and columns.
        access: the tables that a policy lists, each with whether it is private; None for all that
            the server has, all private.
        allowed: what DuckDB may use here.

    Raises:
        PolicyError: it cannot be read.
        EngineError: the driver is not installed.
    """
    private = {name.lower() for name, is_private in (access or {}).items() if is_private}
    public = {name.lower() for name, is_private in (access or {}).items() if not is_private}

    def is_public(table: Table) -> bool:
        return table.is_named(public) and not table.is_named(private)

    parent = None if allowed.spill is None else allowed.spill.directory.parent
    directory = file_kinds.readable(lambda: TempDirectory(parent), "the temporary directory")
    server = Postgres(url, "server", types)
    try:
        made = directory.path / "server.duckdb"
        tables, left_out = refused(
            lambda: postgres_data.copy(url, made, types, allowed, rows=is_public, in_place=True),
            "cannot be opened; the owner's log has the details",
        )
        far: dict[Path, tuple[str, Sequence[Column]]] = {
            table.path: (table.shown, columns(table)) for table in tables if not is_public(table)
        }
        server.expect(tables, {shown for shown, _ in far.values()})
        message = "the copy of public tables cannot be opened"
        connection = refused(lambda: Recipe(str(made)).connect(allowed), message)
        try:
            near: list[Path] = [table.path for table in tables if is_public(table)]
            lent = {path: _published(server, connection, path, n) for n, path in enumerate(near)}
            return FarEngine(connection, server, far, lent, left_out, directory)
        except BaseException:
            connection.close()
            raise
    except BaseException:
        server.close()
        directory.close()
        raise


def _published(
    server: Postgres, connection: duckdb.DuckDBPyConnection, path: Path, number: int
) -> str:
    rows = connection.sql(f"FROM {dotted(path)}").to_arrow_table()
    # A name that is nobody else's, in a session that a pool may give to others.
    return server.publish(f"dpsql_{token_hex(8)}_{number}", rows)


def _lend(server: psycopg.Connection[Any], name: str, rows: Any) -> None:
    """Make a temporary table of Arrow's rows."""
    with duckdb.connect(":memory:") as scratch:
        scratch.register("given", rows)
        described = scratch.execute("DESCRIBE FROM given").fetchall()
        kinds = {str(row[0]): parse_type(str(row[1])) for row in described}
        begin(server, write=True)  # a role may have a search_path, and be one that reads alone
        declared = ", ".join(starmap(postgres_rows.declared, kinds.items()))
        _made(server, f"CREATE TEMPORARY TABLE {quoted(name)} ({declared})")
        sent = ", ".join(starmap(postgres_rows.sent, kinds.items()))
        postgres_rows.send(server, f"pg_temp.{quoted(name)}", scratch, f"SELECT {sent} FROM given")
        server.execute(f"ANALYZE pg_temp.{quoted(name)}")
        server.execute("COMMIT")


def _made(server: psycopg.Connection[Any], sql: str) -> None:
    import psycopg

    try:
        server.execute(sql)
        return
    except psycopg.errors.InsufficientPrivilege:
        pass
    raise PolicyError(TEMPORARY)


_LAST = 294_247
"""The last year of which DuckDB has moments, though not all."""


def _early(text: bytes) -> bytes:
    """A day or a moment before our era, as DuckDB writes it; one that it has not is infinite."""
    if not text.endswith(b" BC"):
        year = text.partition(b"-")[0]
        late = len(year) == 6 and int(year) >= _LAST and b":" in text
        return b"infinity" if late else text
    day, _, rest = text[: -len(b" BC")].partition(b" ")
    return day + b" (BC)" + (b" " + rest if rest else b"")
