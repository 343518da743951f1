"""Data on a server that computes: private rows stay there, and only exact cells come here.

A DuckDB database in this process has the same tables: the public ones with their rows, which were
copied when it was opened, the private ones without. DuckDB reads, binds and explains there; what a
statement reads of private rows is bound there too, and run on the server, in its language, beside
the very public rows that were copied (see `opening`). So all that is known of public tables is
known of the rows that the server joins.

Claim: the cells are those that DuckDB would have computed of the server's rows. Why: `bound_plan`
reads all of a statement, `printing` says the same, and the language has what is shown to be equal.
Whether a statement can be said at all is asked before anything is charged (`takes`), and is a
function of the statement; what cannot, is rejected by its name. Whether the server takes what is
said is asked of the server, before the charge as well (`bind`): a function that it has not, and a
table or a column that is gone, cost nothing.
"""

from __future__ import annotations

import hashlib
import math
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from pathlib import PurePath

import duckdb

from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine import duckdb_open, ownerlog
from dpsql.platform.engine.deadline import Deadline, stopped
from dpsql.platform.engine.duckdb_catalog import read as read_catalog
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.empty import PLAN
from dpsql.platform.engine.far.bound_plan import mentioned, read
from dpsql.platform.engine.far.lent_rows import digest
from dpsql.platform.engine.far.operators import Operator, Unsupported, types
from dpsql.platform.engine.far.server_protocol import Column, Server
from dpsql.platform.engine.far.server_sql import Given, printed
from dpsql.platform.engine.fingerprint import CHANGED
from dpsql.platform.engine.guard import FAILED, guarded, quietly
from dpsql.platform.engine.kept import Kept
from dpsql.platform.engine.protocol import ArrowStream, Snapshot
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.engine.snapshot import DuckDBSnapshot
from dpsql.platform.engine.spill import TempDirectory
from dpsql.platform.engine.sql_text import dotted
from dpsql.platform.engine.sql_text import name as quoted
from dpsql.platform.engine.whole_rows import Row, joined, parts

Path = tuple[str, ...]

UNTAKEN = (
    "the server does not take what this query becomes, and nothing was charged; the owner's log "
    "has the details"
)

MOST_KEPT = 1_000_000
"""Rows of a query that are lent: they come here and go back, and are sent to each worker."""

RECENT = 1.0
"""Seconds in which tables that stood need not be looked at again before a statement: about as long
as one takes, in which a change costs a charge as well."""

_PLANS = 64

BUSY = "another query has the connection to the server"


class FarEngine(DuckDBEngine):
    """A server's tables; made by `opening.open_server`."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        server: Server,
        found: Mapping[Path, tuple[str, Sequence[Column]]],
        public: Mapping[Path, str],
        left_out: tuple[str, ...] = (),
        keep: TempDirectory | None = None,
        state: str | None = None,
    ) -> None:
        """Args:
        connection: to the database with the same tables.
        server: it is closed with this engine.
        found: of the private tables, the policy's name and the columns, by their paths here.
        public: of the public ones, what stands after FROM on the server for the same rows.
        left_out: what of the server is not there, each with the reason.
        keep: where the database is, if in a file of ours.
        state: of the private tables, and of public ones that are read where they are, as the
            server named it and holds them in.
        """
        [(database, schema)] = connection.execute(
            'SELECT "system"."main"."current_database"(), "system"."main"."current_schema"()'
        ).fetchall()
        catalog = read_catalog(connection, (str(database), str(schema)))
        super().__init__(
            connection, catalog, stable=state is not None, left_out=left_out, keep=keep
        )
        self._server, self._state, self._stood = server, state, -math.inf
        self._private = {_low(path): entry for path, entry in found.items()}
        self._public = {_low(path): entry for path, entry in public.items()}
        self._kept, self._again = Kept(self._check_state, self._lend), dict[Path, str]()
        self._plans: dict[str, tuple[Operator, str] | None] = {}
        self._scratch = duckdb.connect(":memory:", config={"threads": 1})
        self._turn, self._stopping = threading.RLock(), threading.Lock()
        self._turns: set[object] = set()

    @property
    def takes(self) -> Callable[[str], str | None]:
        """See `Engine`."""
        return self._lacks

    @property
    def rereads(self) -> bool:
        """See `Engine`."""
        return self._server.language.rereads

    def _lacks(self, plan: str) -> str | None:
        if not self._reads_private(plan):
            return None
        try:
            self.said(read(plan), {})
        except Unsupported as missing:
            return f"{self._server.language.engine} has no {missing.what} that is DuckDB's"
        return None

    def said(self, plan: Operator, given: Given) -> str:
        """A statement in the server's language.

        Raises:
            Unsupported: it cannot be said.
        """
        return printed(plan, self._server.language, self._source, given)

    def _source(self, path: Path) -> str:
        known = self._public.get(_low(path)) or self._again.get(path)
        if known is not None:
            return known
        table, columns = self._private[_low(path)]
        return self._server.source(table, columns)

    def _reads_private(self, plan: str) -> bool:
        """Whether a plan is of the server's rows.

        Raises:
            EngineError: it reads a table of which that is not known, and which has no rows here.
        """
        paths = {_low(path) for path in mentioned(plan)}
        private = self._private.keys() | self._again.keys()
        if any(path[0] != "temp" for path in paths - private - self._public.keys()):
            raise EngineError("a statement reads a table that is none of the server's")
        return not paths.isdisjoint(private)

    @contextmanager
    def snapshot(self, deadline: Deadline | None = None) -> Iterator[FarSnapshot]:
        """See `Engine`. Statements of one query are run one after the other on the server, each of
        its data as they are then.

        Raises:
            EngineError: tables of the server, or its settings, are not what they were; or others
                have it until the deadline.
        """
        with self._alone(deadline) as stop, super().snapshot(deadline) as near:
            guarded(lambda: self._server.begin(deadline), "begin")
            try:
                guarded(self._check, "snapshot")
                with stopped(deadline, stop):
                    yield FarSnapshot(near, self)
            finally:
                quietly(self._server.end, "end a snapshot")

    @contextmanager
    def _alone(self, deadline: Deadline | None) -> Iterator[Callable[[], None]]:
        """A turn, since a server's session does one thing at a time; and what stops that one, and
        never what has come after it.
        """
        turn = object()

        def stop() -> None:
            with self._stopping:
                if turn in self._turns:
                    self._server.interrupt()

        if not self._turn.acquire(timeout=-1 if deadline is None else deadline.left):
            raise EngineError(BUSY)
        try:
            self._turns.add(turn)
            yield stop
        finally:
            with self._stopping:
                self._turns.discard(turn)
            self._turn.release()

    def _check(self) -> None:
        """Whether statements mean what they should, and are of the state.

        Claim: no cells are of another state, though it is not looked at here after a look that is
        recent. Why: cells are told after the look that follows them (`rows`). This one saves a
        charge where that would fail; and whatever fails, the next statement has this one.
        """
        recent = time.monotonic() - self._stood < RECENT
        self._stood = -math.inf
        with ThreadPoolExecutor(1) as beside:  # a server is asked both at once
            stands = None if recent else beside.submit(self._check_state)
            wrong = self._server.settled()
            if wrong is not None:
                raise EngineError(wrong)
            if stands is not None:
                stands.result()
        for table, columns in self._private.values():
            if self._state is None and columns_read(self._server, table) != columns:
                raise EngineError(f"the table {table} is not what it was: open it again")

    def _check_state(self) -> None:
        if self._state is None:
            return
        at, self._stood = time.monotonic(), -math.inf
        if not self._server.held():
            raise EngineError(CHANGED)
        self._stood = at

    def rows(
        self,
        cursor: duckdb.DuckDBPyConnection,
        sql: str,
        given: Given,
        deadline: Deadline | None = None,
        kept: Sequence[str] = (),
    ) -> Sequence[Row] | None:
        """The server's rows of a statement; None where it reads nothing private."""
        known = self._known(cursor, self._kept.read(cursor, sql, kept))
        if known is None:
            return None
        plan, said = known
        arrow = self._server.run(self.said(plan, given) if given else said)
        self._check_state()
        if deadline is not None and deadline.passed:  # in the words of one that was stopped
            raise EngineError(FAILED)
        kinds = enumerate(types(plan))
        items = ", ".join(f"CAST(c{i} AS {kind}) AS c{i}" for i, kind in kinds)
        reading = self._scratch.cursor()  # one that failed in the middle takes nothing more
        try:
            with stopped(deadline, reading.interrupt):
                reading.register("cells", arrow)
                return joined(parts(reading.execute(f"SELECT {items} FROM cells")))
        finally:
            quietly(reading.close, "close")

    def _known(self, cursor: duckdb.DuckDBPyConnection, sql: str) -> tuple[Operator, str] | None:
        """A statement's plan, and what is said for it where nothing is given, by the tables as they
        are here; None where it reads nothing private.
        """
        if sql not in self._plans:
            [(found,)] = cursor.execute(PLAN, {"sql": sql}).fetchall()
            plan = read(str(found)) if self._reads_private(str(found)) else None
            if len(self._plans) >= _PLANS:
                del self._plans[next(iter(self._plans))]
            self._plans[sql] = None if plan is None else (plan, self.said(plan, {}))
        return self._plans[sql]

    def _lend(self, cursor: duckdb.DuckDBPyConnection, query: str, path: Path) -> bool:
        """Have the server read a query's rows as those of a table that it was lent; see `Kept`."""
        known = self._known(cursor, query)
        assert known is not None  # it is of a private table
        rows = self._server.run(f"SELECT * FROM ({known[1]}) AS t LIMIT {MOST_KEPT + 1}")
        self._check_state()
        if rows.num_rows > MOST_KEPT:
            return False
        names = [name for name, *_ in cursor.execute(f"DESCRIBE {dotted(path)}").fetchall()]
        self._again[path] = self._server.publish(path[-1], rows.rename_columns(names))
        return True

    def bind(self, cursor: duckdb.DuckDBPyConnection, sql: str) -> None:
        """See `Snapshot`. Lists of released numbers, which are not there yet, are empty: of other
        ones the same names are looked up.

        Raises:
            EngineError: the server does not take it.
        """
        known = self._known(cursor, sql)
        if known is None:
            return
        problem: Exception | None = None
        try:
            self._server.bind(known[1])
        except Exception as error:
            problem = error
        if problem is not None:  # here: it has no context
            ownerlog.record("bind", problem)
            self._check_state()
            raise EngineError(UNTAKEN)

    def spoken(self, sql: str) -> str:
        """See `Engine`: of what is read here, DuckDB's. Lists of released numbers are empty."""
        cursor = self.cursor()
        try:
            [(plan,)] = cursor.execute(PLAN, {"sql": sql}).fetchall()
        finally:
            cursor.close()
        return self.said(read(plan), {}) if self._reads_private(str(plan)) else sql

    def copied(self, allowed: Allowance) -> DuckDBEngine:
        """The same tables with all their rows in a DuckDB file here, which goes with that engine.

        Args:
            allowed: what DuckDB may use here. One table at a time is in memory.

        Raises:
            PolicyError: the rows cannot be read, or are in several catalogs.
        """
        home = self.catalog().home[0].lower()
        if any(path[0] != home for path in {**self._private, **self._public}):
            raise PolicyError("a copy is made of tables of one catalog: name them schema.table")

        def copy(file: PurePath) -> tuple[str, ...]:
            with self.snapshot() as snapshot, duckdb.connect(str(file)) as made:
                for path in self._public:
                    made.register("dpsql_rows", snapshot.arrow(f"FROM {dotted(path)}"))
                    _kept(made, path, "SELECT * FROM dpsql_rows")
                for path, (table, columns) in self._private.items():
                    made.register("dpsql_rows", self._server.run(self._whole(table, columns)))
                    _kept(made, path, f"SELECT {typed(columns)} FROM dpsql_rows")
                self._check_state()
            return self.left_out

        return duckdb_open.open_copied(copy, allowed)

    def _whole(self, table: str, columns: Sequence[Column]) -> str:
        names = ", ".join(self._server.language.name(name) for name, _ in columns)
        return f"SELECT {names} FROM {self._server.source(table, columns)}"

    @property
    def unversioned(self) -> str | None:
        """See `Engine`."""
        return None if self._state is not None else self._server.unnamed

    def version(self) -> str | None:
        """See `Engine`.

        Claim: the same only for the same data. Why: it is made of the state in which the server
        holds the private rows, of the types in which it reads them (by a setting, a folder's name
        is 1 or '01'), and of the public rows themselves, which are those that were copied.
        """
        return None if self._state is None else f"{self._state}-{self._read_as}-{self._copied}"

    @cached_property
    def _read_as(self) -> str:
        return hashlib.blake2b(repr(sorted(self._private.items())).encode()).hexdigest()[:32]

    @cached_property
    def _copied(self) -> str:
        cursor = self.cursor()
        try:
            return digest(cursor, sorted(self._public))
        finally:
            cursor.close()

    def interrupt(self) -> None:
        """See `Engine`."""
        self._server.interrupt()
        super().interrupt()

    def stays(self, target: Sequence[str]) -> bool:
        """See `Engine`."""
        return _low(tuple(target)) in self._public or super().stays(target)

    def changed(self, snapshot: Snapshot, of: Collection[Path]) -> frozenset[Path]:
        """See `Engine`: a snapshot of tables that are not what they were is refused."""
        return frozenset()

    def close(self) -> None:
        """See `Engine`."""
        try:
            super().close()
        finally:
            quietly(self._scratch.close, "close")
            self._server.close()


class FarSnapshot(DuckDBSnapshot):
    """What is public is read here, and the rest there."""

    def __init__(self, near: DuckDBSnapshot, engine: FarEngine) -> None:
        super().__init__(near._cursor, deadline=near.deadline)
        self._engine = engine

    def rows(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        kept: Sequence[str] = (),
    ) -> Sequence[Row]:
        """See `Snapshot`."""
        given = {n: v for n, v in (parameters or {}).items() if isinstance(v, list)}

        def work() -> Sequence[Row] | None:
            missing = ""
            try:
                return self._engine.rows(self._cursor, sql, given, self.deadline, kept)
            except Unsupported as unsupported:
                missing = unsupported.what
            raise EngineError(f"the server has no {missing} that is DuckDB's")

        far = guarded(work, interrupt=self._engine.interrupt)
        return super().rows(sql, parameters) if far is None else far

    def bind(self, sql: str) -> None:
        """See `Snapshot`."""
        guarded(
            lambda: self._engine.bind(self._cursor, sql), "bind", interrupt=self._engine.interrupt
        )

    def arrow(self, sql: str) -> ArrowStream:
        """See `Snapshot`; of public rows alone, since private ones are not here."""
        return super().arrow(sql)


def columns_read(server: Server, table: str) -> Sequence[Column] | None:
    """The columns of a private table; of those that are unsure, NULLs alone are known."""
    columns = server.columns(table)
    unsure = server.unsure(table, columns or ())
    return columns and [(name, "BLOB" if name in unsure else kind) for name, kind in columns]


def typed(columns: Sequence[Column]) -> str:
    """What is selected of an Arrow table to have columns in their types."""
    return ", ".join(f"CAST({quoted(name)} AS {kind}) AS {quoted(name)}" for name, kind in columns)


def _kept(made: duckdb.DuckDBPyConnection, path: Path, rows: str) -> None:
    """Make a table of a file, where its schema and name lead to it."""
    schema, table = path[-2:]
    made.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted(schema)}")
    made.execute(f"CREATE TABLE {quoted(schema)}.{quoted(table)} AS {rows}")
    made.unregister("dpsql_rows")


def _low(path: Path) -> Path:
    """A path as DuckDB tells it from others: names have no case."""
    return tuple(part.lower() for part in path)
