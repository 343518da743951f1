"""Data that are open in DuckDB."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

import duckdb

from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine import python_frames, sandbox
from dpsql.platform.engine.deadline import Deadline, stopped
from dpsql.platform.engine.duckdb_catalog import (
    DEFINITIONS,
    VIEWS,
    DuckDBCatalog,
    definitions,
)
from dpsql.platform.engine.file_tables import Parts
from dpsql.platform.engine.fingerprint import Files
from dpsql.platform.engine.guard import guarded, quietly
from dpsql.platform.engine.kept import Kept
from dpsql.platform.engine.protocol import Snapshot
from dpsql.platform.engine.recipe import Recipe
from dpsql.platform.engine.snapshot import NO_FILES, DuckDBSnapshot, begin, end
from dpsql.platform.engine.spill import TempDirectory
from dpsql.platform.engine.sql_text import dotted
from dpsql.platform.policy.catalog import Catalog
from dpsql.platform.policy.merge import not_found


class DuckDBEngine:
    """Data in DuckDB; made by `duckdb_open`.

    Attributes:
        sources: the files of each table, by its name in lower case; of a folder.
        left_out: the files of a folder that are no table's, each with the reason.
        parts: reads some files of a table alone; of a folder.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        found: DuckDBCatalog,
        *,
        files: Files = NO_FILES,
        watched: bool = True,
        version: Callable[[], str | None] = lambda: None,
        stable: bool = False,
        recipe: Recipe | None = None,
        sources: Mapping[str, Files] | None = None,
        left_out: tuple[str, ...] = (),
        attach: Callable[[duckdb.DuckDBPyConnection], None] | None = None,
        keep: TempDirectory | None = None,
        parts: Parts | None = None,
    ) -> None:
        self._connection = connection
        self._found = found
        self._files = files if watched else NO_FILES
        self._opened = files
        self._recipe = recipe
        self.sources, self.left_out, self.parts = sources or {}, left_out, parts
        self._version, self._attach, self._keep = version, attach, keep
        self._stable = stable
        self._kept = Kept(self._files.check)
        self._lock = threading.Lock()
        self._active: set[duckdb.DuckDBPyConnection] = set()
        self._closed = False

    @property
    def recipe(self) -> Recipe | None:
        """How another process opens the same data; None where none can."""
        return self._recipe

    @property
    def texts(self) -> frozenset[str]:
        """The tables whose files are texts, in lower case."""
        if self.parts is None:
            return frozenset()
        return frozenset(self.parts.tables) - self.parts.in_place

    @property
    def files(self) -> Files:
        """The files that must be unchanged in each snapshot."""
        return self._files

    @property
    def opened(self) -> Files:
        """The files that were opened, as they were."""
        return self._opened

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Another connection to what is open."""
        cursor = self._connection.cursor()
        if self._attach is not None:
            self._attach(cursor)
        return cursor

    @property
    def in_memory(self) -> bool:
        """Whether the data are frames of this process."""
        return self._attach is not None

    def lend(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Give another connection views of the tables, where they are frames."""
        if not self.in_memory:
            return
        names = [table.name for table in self._found.catalog.tables]
        source = {n: self.cursor().sql(f"FROM {dotted(self.target(n))}") for n in names}
        python_frames.lend(connection, source)

    @property
    def takes(self) -> Callable[[str], str | None] | None:
        """See `Engine`."""
        return None

    @property
    def rereads(self) -> bool:
        """See `Engine`."""
        return False

    @property
    def keeps(self) -> bool:
        """See `Engine`."""
        return self._stable

    @property
    def stable(self) -> bool:
        """See `Engine`."""
        return self._stable

    def stays(self, target: Sequence[str]) -> bool:
        """See `Engine`."""
        return self._stable

    def catalog(self) -> Catalog:
        """The tables and what DuckDB enforces, as they were when the engine was opened."""
        return self._found.catalog

    def target(self, table: str) -> tuple[str, ...]:
        """See `Engine`: database, schema and table."""
        meant = [*self._found.catalog.meant(table)]
        if len(meant) != 1 or meant[0] in self._found.catalog.unusable:
            raise PolicyError(not_found(self._found.catalog, table))
        return meant[0]

    def spoken(self, sql: str) -> str:
        """See `Engine`: it is written in DuckDB's."""
        return sql

    def changed(
        self, snapshot: Snapshot, of: Collection[tuple[str, ...]]
    ) -> frozenset[tuple[str, ...]]:
        """See `Engine`.

        Raises:
            EngineError: the engine failed.
        """
        if self._stable:
            return frozenset()
        now = definitions(snapshot.rows(DEFINITIONS))
        if any(path in self._found.catalog.views for path in of):
            now |= definitions(snapshot.rows(VIEWS))
        before = self._found.definitions
        return frozenset(path for path in of if now.get(tuple(path)) != before.get(tuple(path)))

    @contextmanager
    def snapshot(self, deadline: Deadline | None = None) -> Iterator[DuckDBSnapshot]:
        """A read-only transaction on a connection of its own.

        Args:
            deadline: when its queries are stopped.

        Raises:
            EngineError: the files changed since they were opened, or the engine is closed.
            PolicyError: the owner's connection has settings now that change meanings.
        """
        self._files.check()
        with self._lock:
            if self._closed:
                raise EngineError("the database is closed")
            cursor = guarded(self.cursor, "open a cursor")
            self._active.add(cursor)
        try:
            if not self._stable:  # nor are its macros, nor its settings, which a cursor takes over
                guarded(lambda: sandbox.builtins_only(cursor), "names")
            guarded(lambda: begin(cursor), "begin")
            if not self._stable:
                guarded(lambda: sandbox.check_settings(cursor), "settings")
            with stopped(deadline, cursor.interrupt):
                yield DuckDBSnapshot(cursor, self._files, deadline, self._kept)
            self._files.check()  # for streams, which were read meanwhile
        finally:
            with self._lock:
                self._active.discard(cursor)
            quietly(lambda: end(cursor), "end a snapshot")
            quietly(cursor.close, "close a cursor")

    def interrupt(self) -> None:
        """See `Engine`."""
        with self._lock:
            for cursor in self._active:
                quietly(cursor.interrupt, "interrupt")

    @property
    def unversioned(self) -> str | None:
        """See `Engine`."""
        return None

    def version(self) -> str | None:
        """A digest of the files' contents, read now; None where there are none, or a log beside.

        Raises:
            EngineError: the files changed since they were opened.
        """
        return self._version()

    def close(self) -> None:
        """Close; queries that run are interrupted. The owner's own connection stays open."""
        self.interrupt()
        with self._lock:
            self._closed = True
        quietly(lambda: self._kept.drop(self._connection), "drop what was kept")
        quietly(self._connection.close, "close")
        if self._keep is not None:
            self._keep.close()
