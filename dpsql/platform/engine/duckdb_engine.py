"""DuckDB: a file, a folder of Parquet, CSV and JSON files, or a connection that the owner has."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb

from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine import file_kinds, postgres_data, python_frames, sandbox, sqlite_file
from dpsql.platform.engine import folder as folders
from dpsql.platform.engine.deadline import Deadline, stopped
from dpsql.platform.engine.duckdb_catalog import (
    DEFINITIONS,
    VIEWS,
    DuckDBCatalog,
    definitions,
    read,
)
from dpsql.platform.engine.file_tables import Parts, create
from dpsql.platform.engine.fingerprint import Files
from dpsql.platform.engine.guard import guarded, quietly, refused
from dpsql.platform.engine.protocol import Snapshot
from dpsql.platform.engine.python_frames import framed
from dpsql.platform.engine.recipe import Recipe, allow, opened
from dpsql.platform.engine.sandbox import USUAL, Allowance
from dpsql.platform.engine.snapshot import NO_FILES, DuckDBSnapshot, begin, end
from dpsql.platform.engine.spill import TempDirectory
from dpsql.platform.engine.sql_text import dotted
from dpsql.platform.policy.catalog import Catalog
from dpsql.platform.policy.merge import not_found


class DuckDBEngine:
    """Data in DuckDB; made by `open_file`, `open_folder`, `open_frames` or `from_connection`.

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
            what = file_kinds.seen(Path(one), str(one))
            if what.kind != "duckdb":
                message = f"cannot be opened as a DuckDB database: it {what.what}; {what.fix}"
                raise PolicyError(message, file=str(one))
        # The file whatever it is called: renamed, it is the same data.
        files = Files.of({"database": file, **{f"attached {n}": f for n, f in others.items()}})
        logs = [Path(f"{one}.wal") for one in (file, *others.values())]
        logged = any(log.exists() for log in logs)
        recipe = Recipe(str(file), attached=tuple((n, str(f)) for n, f in others.items()))
        connection = opened(recipe, allowed, str(path))

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
        globs: folders.Globs | None = None,
    ) -> DuckDBEngine:
        """A folder of Parquet, CSV and JSON files (see `dpsql.platform.engine.folder`), or one such
        file, sandboxed.

        Args:
            path: the folder, or the file: then the only table, and named like it.
            types: the declared tables and columns, with their types for texts; tables that are not
                in it are not opened. None: all files, and what they hold as VARCHAR.
            allowed: what it may use.
            globs: the files of tables, where they are declared.

        Raises:
            PolicyError: a file cannot be read, or fields of a text do not fit their type.
        """

        def looked() -> tuple[folders.Found, dict[str, Files]]:
            root = Path(path)
            if root.is_dir():
                wanted = None if types is None else frozenset(name.lower() for name in types)
                found = folders.find(root, wanted, globs)
            elif root.is_file():
                found = folders.Found((folders.alone(root),))
            else:
                raise PolicyError("there is no such folder or file", file=str(path))
            return found, {
                table.name.lower(): Files.of({file.name: file.path for file in table.files})
                for table in found.tables
            }

        found, sources = file_kinds.readable(looked, str(path))
        # The table's name, too: the same files as other tables are other data.
        every = {f"{low}: {n}": p for low, files in sources.items() for n, p, _ in files.stamps}
        files = Files.of(every)
        connection = _empty(allowed)

        def finish() -> DuckDBEngine:
            parquet = tuple(str(f.path) for t in found.tables for f in t.files if f.is_parquet)
            allow(connection, parquet)
            made = tuple(s for t in found.tables for s in create(connection, t, types or {}))
            sandbox.lock(connection, allowed.spill)
            if not files.unchanged():
                raise PolicyError("the files changed while they were opened", file=str(path))
            return cls(
                connection,
                _tables(connection, views=True),
                files=files,
                version=files.digest,
                stable=True,
                recipe=Recipe(None, parquet, made),
                sources=sources,
                left_out=found.left_out,
                parts=Parts({t.name.lower(): t for t in found.tables}, types or {}),
            )

        return _or_close(connection, finish, str(path))

    @classmethod
    def open_sqlite(
        cls,
        path: str | os.PathLike[str],
        types: folders.Types | None = None,
        allowed: Allowance = USUAL,
        *,
        rows: bool = True,
    ) -> DuckDBEngine:
        """A SQLite database, copied (see `dpsql.platform.engine.sqlite_file`), sandboxed.

        Args:
            path: the file.
            types: as for `open_folder`; the database's own where none are declared.
            allowed: what it may use.
            rows: whether they are wanted, and not the catalog alone.

        Raises:
            PolicyError: it cannot be read, or values do not fit their types.
        """
        file = Path(path).resolve()
        files = file_kinds.readable(lambda: Files.of({"database": file}), str(path))

        def unchanged() -> None:
            sqlite_file.check_at_rest(file, str(path))
            if not files.unchanged():
                raise PolicyError("the file changed while it was opened", file=str(path))

        return cls._copied(
            lambda made: sqlite_file.copy(file, made, types, allowed, str(path), rows=rows),
            *(allowed, file.stem, str(path), unchanged, files),
        )

    @classmethod
    def open_postgres(
        cls,
        url: str,
        types: folders.Types | None = None,
        allowed: Allowance = USUAL,
        *,
        rows: bool = True,
    ) -> DuckDBEngine:
        """A PostgreSQL database, copied (see `dpsql.platform.engine.postgres_data`), sandboxed.

        Args:
            url: its URL.
            types: the declared tables and columns; None for all tables.
            allowed: what it may use.
            rows: whether they are wanted, and not the catalog alone.

        Raises:
            PolicyError: it cannot be read, or values do not fit their types.
            EngineError: the driver is not installed.
        """
        return cls._copied(
            lambda made: postgres_data.copy(url, made, types, allowed, rows=lambda _: rows)[1],
            *(allowed, "server", None, lambda: None, NO_FILES),
        )

    @classmethod
    def open_copied(
        cls, copy: Callable[[Path], tuple[str, ...]], allowed: Allowance = USUAL
    ) -> DuckDBEngine:
        """A DuckDB file that is made of a server's rows, and is gone when the engine is closed.

        Args:
            copy: makes the file; what it gives back was left out, each with the reason.
            allowed: what the engine may use.

        Raises:
            PolicyError: it cannot be made.
        """
        return cls._copied(copy, allowed, "server", None, lambda: None, NO_FILES)

    @classmethod
    def _copied(
        cls,
        copy: Callable[[Path], tuple[str, ...]],
        allowed: Allowance,
        name: str,
        shown: str | None,
        unchanged: Callable[[], None],
        files: Files,
    ) -> DuckDBEngine:
        """A DuckDB file that is made of other data, and is gone when the engine is closed."""
        parent = None if allowed.spill is None else allowed.spill.directory.parent
        directory = file_kinds.readable(lambda: TempDirectory(parent), "the temporary directory")
        made = directory.path / f"{name}.duckdb"
        try:
            left_out = refused(
                lambda: copy(made), "cannot be copied; the owner's log has the details", shown
            )
        except BaseException:
            directory.close()
            raise
        recipe, failed = Recipe(str(made)), "the copy of it cannot be opened"
        connection = refused(lambda: recipe.connect(allowed), failed, shown)

        def finish() -> DuckDBEngine:
            unchanged()
            return cls(
                connection,
                _look(connection),
                files=files,
                version=files.digest if files is not NO_FILES else lambda: None,
                stable=True,
                recipe=recipe,
                left_out=left_out,
                keep=directory,
            )

        return _or_close(connection, finish, shown)

    @classmethod
    def open_frames(
        cls,
        given: Mapping[str, object],
        types: folders.Types | None = None,
        allowed: Allowance = USUAL,
    ) -> DuckDBEngine:
        """Frames in memory as tables, sandboxed; see `dpsql.platform.engine.python_frames`.

        Args:
            given: frames of pandas and polars, and tables of Arrow, by the names of the tables.
            types: as for `open_folder`; for what pandas has as text.
            allowed: what the engine may use.

        Raises:
            InvalidArgument: something given is no frame.
            PolicyError: a column cannot be read, or does not fit its declared type.
        """
        every = framed(given)
        wanted = frozenset(map(str.lower, given if types is None else types))
        used = tuple(frame for frame in every if frame.table.lower() in wanted)
        connection = _empty(allowed)

        def finish() -> DuckDBEngine:
            python_frames.create(connection, used, types)
            sandbox.lock(connection, allowed.spill)
            return cls(
                connection,
                _tables(connection, views=True),
                attach=python_frames.attach(used),
                left_out=tuple(f"{f.table}: of no table" for f in every if f not in used),
            )

        return _or_close(connection, finish, None)

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
            return cls(own, _look(own))

        return _or_close(own, finish, None)

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
                yield DuckDBSnapshot(cursor, self._files, deadline)
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
        quietly(self._connection.close, "close")
        if self._keep is not None:
            self._keep.close()


def _empty(allowed: Allowance) -> duckdb.DuckDBPyConnection:
    """A database in memory, with nothing in it."""
    problem = "DuckDB could not be started; the owner's log has the details"
    return refused(lambda: Recipe(None).connect(allowed), problem)


def _look(
    connection: duckdb.DuckDBPyConnection, *, attached: frozenset[str] | None = None
) -> DuckDBCatalog:
    """What is in a database of others, in which there may be macros."""
    sandbox.check_macros(connection)
    return _tables(connection, attached=attached)


def _tables(
    connection: duckdb.DuckDBPyConnection,
    *,
    views: bool = False,
    attached: frozenset[str] | None = None,
) -> DuckDBCatalog:
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
