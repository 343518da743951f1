"""DuckDB: a file, a folder of Parquet and CSV files, or a connection that the owner has open."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb

from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine import folder as folders
from dpsql.platform.engine import sandbox
from dpsql.platform.engine.deadline import Deadline, stopped
from dpsql.platform.engine.duckdb_catalog import (
    DEFINITIONS,
    VIEWS,
    DuckDBCatalog,
    definitions,
    read,
)
from dpsql.platform.engine.fingerprint import Files
from dpsql.platform.engine.guard import guarded, quietly, refused
from dpsql.platform.engine.protocol import Snapshot
from dpsql.platform.engine.recipe import Recipe, allow
from dpsql.platform.engine.sandbox import USUAL, Allowance
from dpsql.platform.engine.snapshot import NO_FILES, DuckDBSnapshot
from dpsql.platform.policy.catalog import Catalog
from dpsql.platform.policy.merge import not_found


class DuckDBEngine:
    """Data in DuckDB; made by `open_file`, `open_folder` or `from_connection`."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        found: DuckDBCatalog,
        *,
        files: Files,
        watched: bool,
        version: Callable[[], str | None],
        stable: bool,
        recipe: Recipe | None = None,
    ) -> None:
        self._connection = connection
        self._found = found
        self._files = files if watched else NO_FILES
        self._opened = files
        self._recipe = recipe
        self._version = version
        self._stable = stable
        self._lock = threading.Lock()
        self._active: set[duckdb.DuckDBPyConnection] = set()
        self._closed = False

    @classmethod
    def open_file(
        cls,
        path: str | os.PathLike[str],
        allowed: Allowance = USUAL,
        attached: Mapping[str, Path] | None = None,
    ) -> DuckDBEngine:
        """A DuckDB database file, read-only and sandboxed.

        Args:
            path: the file; its tables are looked up in its default schema first.
            allowed: what it may use.
            attached: other such files, by the names of their databases.

        Raises:
            PolicyError: it cannot be opened, or its macros shadow built-in functions.
        """
        file = Path(path).resolve()
        others = {name: other.resolve() for name, other in (attached or {}).items()}
        for one in (path, *(attached or {}).values()):  # as they were named
            if not Path(one).is_file():
                raise PolicyError("there is no such database file", file=str(one))
        # The file whatever it is called: renamed, it is the same data.
        files = Files.of({"database": file, **{f"attached {n}": f for n, f in others.items()}})
        logs = [Path(f"{one}.wal") for one in (file, *others.values())]
        logged = any(log.exists() for log in logs)
        recipe = Recipe(str(file), attached=tuple((n, str(f)) for n, f in others.items()))
        connection = refused(
            lambda: recipe.connect(allowed),
            "cannot be opened as a DuckDB database: it is none, or another process or another "
            "connection of this one holds it (pass that connection instead); the owner's log has "
            "the details",
            str(path),
        )

        def version() -> str | None:
            # A write-ahead log beside the file is data that the file's digest would not cover;
            # also one that was read when the file was opened, and is gone.
            return None if logged or any(log.exists() for log in logs) else files.digest()

        def finish() -> DuckDBEngine:
            if not files.unchanged():
                raise PolicyError("the file changed while it was opened", file=str(path))
            # Not watched: DuckDB holds these files open and locked.
            return cls(
                connection,
                _look(connection, attached=frozenset(others)),
                files=files,
                watched=False,
                version=version,
                stable=True,
                recipe=recipe,
            )

        return _or_close(connection, finish, str(path))

    @classmethod
    def open_folder(
        cls,
        path: str | os.PathLike[str],
        types: folders.Types | None = None,
        allowed: Allowance = USUAL,
    ) -> DuckDBEngine:
        """A folder of Parquet and CSV files (see `dpsql.platform.engine.folder`), sandboxed.

        Args:
            path: the folder.
            types: the declared tables and the types of their columns, for CSV; tables that are not
                in it are not opened. None: all files, CSV columns as VARCHAR.
            allowed: what it may use.

        Raises:
            PolicyError: a file cannot be read, or fields of a CSV file do not fit their type.
        """
        root = Path(path)
        if not root.is_dir():
            raise PolicyError("there is no such folder", file=str(path))
        wanted = None if types is None else frozenset(name.lower() for name in types)
        tables = folders.find(root, wanted)
        paths = {
            file.relative_to(root.resolve()).as_posix(): file.resolve()
            for table in tables
            for file in table.files
        }
        files = Files.of(paths)
        connection = refused(
            lambda: Recipe(None).connect(allowed),
            "DuckDB could not be started; the owner's log has the details",
        )

        def finish() -> DuckDBEngine:
            parquet = tuple(str(f) for table in tables if not table.is_csv for f in table.files)
            allow(connection, parquet)
            made = tuple(folders.create(connection, table, types or {}) for table in tables)
            sandbox.lock(connection, allowed.spill)
            if not files.unchanged():
                raise PolicyError("the files changed while they were opened", file=str(path))
            return cls(
                connection,
                _look(connection, views=True),
                files=files,
                watched=True,
                version=files.digest,
                stable=True,
                recipe=Recipe(None, parquet, made),
            )

        return _or_close(connection, finish, str(path))

    @classmethod
    def from_connection(cls, connection: duckdb.DuckDBPyConnection) -> DuckDBEngine:
        """A connection that the owner has open. It is not changed, and its data may.

        Queries run on connections of their own to the same database, which see its committed
        tables, and neither the owner's temporary objects nor its open transaction.

        Raises:
            PolicyError: a macro shadows a built-in function, or settings change meanings.
        """
        own = refused(connection.cursor, "the connection is closed")

        def finish() -> DuckDBEngine:
            sandbox.check_settings(own)
            return cls(
                own,
                _look(own),
                files=NO_FILES,
                watched=False,
                version=lambda: None,
                stable=False,
            )

        return _or_close(own, finish, None)

    @property
    def recipe(self) -> Recipe | None:
        """How another process opens the same data; None where none can."""
        return self._recipe

    @property
    def files(self) -> Files:
        """The files that must be unchanged in each snapshot."""
        return self._files

    @property
    def opened(self) -> Files:
        """The files that were opened, as they were."""
        return self._opened

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Another connection to what is open, for the owner's own work."""
        return self._connection.cursor()

    @property
    def stable(self) -> bool:
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
            cursor = guarded(self._connection.cursor, "open a cursor")
            self._active.add(cursor)
        try:
            if not self._stable:  # nor are its macros, nor its settings, which a cursor takes over
                guarded(lambda: sandbox.builtins_only(cursor), "names")
            guarded(lambda: cursor.execute("BEGIN TRANSACTION READ ONLY"), "begin")
            if not self._stable:
                guarded(lambda: sandbox.check_settings(cursor), "settings")
            with stopped(deadline, cursor.interrupt):
                yield DuckDBSnapshot(cursor, self._files, deadline)
            self._files.check()  # for streams, which were read meanwhile
        finally:
            with self._lock:
                self._active.discard(cursor)
            # Also after a failed query, which leaves the transaction aborted.
            quietly(lambda: cursor.execute("ROLLBACK"), "end a snapshot")
            quietly(cursor.close, "close a cursor")

    def interrupt(self) -> None:
        """See `Engine`."""
        with self._lock:
            for cursor in self._active:
                quietly(cursor.interrupt, "interrupt")

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
        quietly(self._connection.close, "close")


def _look(
    connection: duckdb.DuckDBPyConnection,
    *,
    views: bool = False,
    attached: frozenset[str] | None = None,
) -> DuckDBCatalog:
    sandbox.check_macros(connection)
    [(database, schema)] = connection.execute(
        'SELECT "system"."main"."current_database"(), "system"."main"."current_schema"()'
    ).fetchall()
    return read(connection, (str(database), str(schema)), views=views, attached=attached)


def _or_close(
    connection: duckdb.DuckDBPyConnection, finish: Callable[[], DuckDBEngine], file: str | None
) -> DuckDBEngine:
    engine: DuckDBEngine | None = None
    try:
        engine = refused(finish, "cannot be opened; the owner's log has the details", file)
    finally:
        if engine is None:
            quietly(connection.close, "close")
    return engine
