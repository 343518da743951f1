"""How data is opened, so that another process can open the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from dpsql.platform.engine import sandbox
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.engine.spill import Spill


@dataclass(frozen=True, slots=True)
class Recipe:
    """A DuckDB file; or statements that make tables of files in an empty database.

    Attributes:
        database: the path of the file; None for the empty database.
        files: the paths that queries may read.
        create: the statements.
    """

    database: str | None
    files: tuple[str, ...] = ()
    create: tuple[str, ...] = ()

    def connect(self, allowed: Allowance) -> duckdb.DuckDBPyConnection:
        """Open it: a file read-only and locked up; else nothing is made yet, and `finish` must
        follow.
        """
        config = sandbox.config(allowed)
        if self.database is None:
            return duckdb.connect(":memory:", config=config)
        connection = duckdb.connect(self.database, config={**config, "access_mode": "READ_ONLY"})
        sandbox.lock(connection, allowed.spill)
        return connection

    def finish(self, connection: duckdb.DuckDBPyConnection, spill: Spill | None) -> None:
        """Make the tables, and close the rest of the file system."""
        if self.database is None:
            allow(connection, self.files)
            for statement in self.create:
                connection.execute(statement)
            sandbox.lock(connection, spill)


def allow(connection: duckdb.DuckDBPyConnection, files: Sequence[str]) -> None:
    """Let queries read these files; DuckDB compares paths as they are written in the query."""
    connection.execute("SET allowed_paths = ?", [list(files)])
