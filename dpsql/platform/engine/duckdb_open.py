"""Opens data in DuckDB: a file, a folder of Parquet, CSV and JSON files, frames, a copy of what a
server has, or a connection of the owner's."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import duckdb

from dpsql.errors import PolicyError
from dpsql.platform.engine import file_kinds, postgres_data, python_frames, sandbox, sqlite_file
from dpsql.platform.engine import folder as folders
from dpsql.platform.engine.duckdb_catalog import (
    DuckDBCatalog,
    read,
)
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.file_tables import Parts, create
from dpsql.platform.engine.fingerprint import Files
from dpsql.platform.engine.guard import quietly, refused
from dpsql.platform.engine.python_frames import framed
from dpsql.platform.engine.recipe import Recipe, allow, opened
from dpsql.platform.engine.sandbox import USUAL, Allowance
from dpsql.platform.engine.snapshot import NO_FILES
from dpsql.platform.engine.spill import TempDirectory


def open_file(
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
        return DuckDBEngine(
            connection,
            _look(connection, attached=frozenset(others)),
            files=files,
            watched=False,
            version=version,
            stable=True,
            recipe=recipe,
        )

    return _or_close(connection, finish, str(path))


def open_folder(
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
        return DuckDBEngine(
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


def open_sqlite(
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

    return _copied(
        lambda made: sqlite_file.copy(file, made, types, allowed, str(path), rows=rows),
        *(allowed, file.stem, str(path), unchanged, files),
    )


def open_postgres(
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
    return _copied(
        lambda made: postgres_data.copy(url, made, types, allowed, rows=lambda _: rows)[1],
        *(allowed, "server", None, lambda: None, NO_FILES),
    )


def open_copied(
    copy: Callable[[Path], tuple[str, ...]], allowed: Allowance = USUAL
) -> DuckDBEngine:
    """A DuckDB file that is made of a server's rows, and is gone when the engine is closed.

    Args:
        copy: makes the file; what it gives back was left out, each with the reason.
        allowed: what the engine may use.

    Raises:
        PolicyError: it cannot be made.
    """
    return _copied(copy, allowed, "server", None, lambda: None, NO_FILES)


def _copied(
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
        return DuckDBEngine(
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


def open_frames(
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
        return DuckDBEngine(
            connection,
            _tables(connection, views=True),
            attach=python_frames.attach(used),
            left_out=tuple(f"{f.table}: of no table" for f in every if f not in used),
        )

    return _or_close(connection, finish, None)


def from_connection(connection: duckdb.DuckDBPyConnection) -> DuckDBEngine:
    """A connection that the owner has open. It is not changed, and its data may.

    Queries run on connections of their own to the same database, which see its committed
    tables, and neither the owner's temporary objects nor its open transaction.

    Raises:
        PolicyError: a macro shadows a built-in function, or settings change meanings.
    """
    own = refused(connection.cursor, "the connection is closed")

    def finish() -> DuckDBEngine:
        sandbox.check_settings(own)
        return DuckDBEngine(own, _look(own))

    return _or_close(own, finish, None)


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
