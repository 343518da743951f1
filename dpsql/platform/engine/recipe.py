"""How data is opened, so that another process can open the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from dpsql.errors import PolicyError
from dpsql.platform.engine import ownerlog, sandbox
from dpsql.platform.engine.fingerprint import stamped
from dpsql.platform.engine.guard import refused
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.engine.spill import Spill
from dpsql.platform.engine.sql_text import name as quoted
from dpsql.platform.engine.sql_text import text


@dataclass(frozen=True, slots=True)
class Recipe:
    """A DuckDB file; or statements that make tables of files in an empty database.

    Attributes:
        database: the path of the file; None for the empty database.
        files: the paths that queries may read.
        create: the statements.
        attached: other DuckDB files, each with the name of its database.
    """

    database: str | None
    files: tuple[str, ...] = ()
    create: tuple[str, ...] = ()
    attached: tuple[tuple[str, str], ...] = ()

    def connect(self, allowed: Allowance) -> duckdb.DuckDBPyConnection:
        """Open it: a file read-only and locked up; else nothing is made yet, and `finish` must
        follow.
        """
        config = sandbox.config(allowed)
        if self.database is None:
            return duckdb.connect(":memory:", config=config)
        # Else a file that was replaced while a connection of this process is open would be the old
        # one: DuckDB has one instance of a path, and refuses it to whoever configures it otherwise.
        files = [self.database, *(file for _, file in self.attached)]
        config["custom_user_agent"] = " ".join(map(stamped, files))
        connection = duckdb.connect(self.database, config={**config, "access_mode": "READ_ONLY"})
        try:
            for name, file in self.attached:
                _attach(connection, name, file)
            sandbox.lock(connection, allowed.spill)
        except BaseException:
            connection.close()
            raise
        return connection

    def finish(self, connection: duckdb.DuckDBPyConnection, spill: Spill | None) -> None:
        """Make the tables, and close the rest of the file system."""
        if self.database is None:
            allow(connection, self.files)
            for statement in self.create:
                connection.execute(statement)
            sandbox.lock(connection, spill)


def opened(recipe: Recipe, allowed: Allowance, shown: str) -> duckdb.DuckDBPyConnection:
    """A connection by a recipe of a file.

    Raises:
        PolicyError: there is none, and why, as far as DuckDB tells it.
    """

    def connected() -> duckdb.DuckDBPyConnection:
        try:
            return recipe.connect(allowed)
        except duckdb.Error as error:  # its text may show what is in the file
            ownerlog.record("open a file", error)
            why = next((why for words, why in _WHY.items() if words in str(error)), _OTHERWISE)
        raise PolicyError(f"cannot be opened: {why}", file=shown)

    return refused(connected, f"cannot be opened: {_OTHERWISE}", shown)


_WHY = {
    "Could not set lock": "another process has it open; close it there, or open a copy of the file",
    "different configuration": "another connection of this process has it open; pass that one",
    "encrypted database": "it is encrypted; attach it in Python with its key, and pass the "
    "connection",
    "version number": f"it is of another version than DuckDB {duckdb.__version__}",
    "Corrupt": "it ends too early, or is damaged",
    "read enough bytes": "it ends too early, or is damaged",
}
"""What is told by words of DuckDB's errors."""

_OTHERWISE = (
    "it is a DuckDB database that another process or another connection of this one holds (pass "
    "that connection instead), or is damaged, or of another version; the owner's log has the "
    "details"
)


def databases(connection: duckdb.DuckDBPyConnection) -> dict[str, str | None]:
    """The file of each open database, by its name; None of one in memory."""
    listed = 'SELECT "database_name", "path" FROM "system"."main"."duckdb_databases"()'
    return dict(connection.execute(listed).fetchall())


def _attach(connection: duckdb.DuckDBPyConnection, name: str, file: str) -> None:
    """Attach a file, unless another connection of this process to the same database has done so.

    Raises:
        PolicyError: another database is called so.
    """
    here = databases(connection)
    if here.get(name) != file:
        if name.lower() in {"main", *map(str.lower, here)}:
            message = f"a database {name} is there already: attach the file by another name"
            raise PolicyError(message, file=file)
        connection.execute(f"ATTACH {text(file)} AS {quoted(name)} (READ_ONLY)")


def allow(connection: duckdb.DuckDBPyConnection, files: Sequence[str]) -> None:
    """Let queries read these files; DuckDB compares paths as they are written in the query."""
    connection.execute("SET allowed_paths = ?", [list(files)])
