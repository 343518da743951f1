"""A read-only transaction: one SELECT at a time, and nothing else, on a connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import duckdb

from dpsql.errors import EngineError
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.fingerprint import Files
from dpsql.platform.engine.guard import guarded
from dpsql.platform.engine.protocol import ArrowStream, Stream
from dpsql.platform.engine.whole_rows import Row, joined, parts

NO_FILES = Files(())


_parsed: dict[str, duckdb.Statement] = {}
"""What begins and ends a transaction, parsed once a process: a statement is of no connection."""


def begin(cursor: duckdb.DuckDBPyConnection) -> None:
    """Begin a read-only transaction."""
    _execute(cursor, "BEGIN TRANSACTION READ ONLY")


def end(cursor: duckdb.DuckDBPyConnection) -> None:
    """End it; also after a failed query, which leaves it aborted."""
    _execute(cursor, "ROLLBACK")


def _execute(cursor: duckdb.DuckDBPyConnection, sql: str) -> None:
    if sql not in _parsed:
        (_parsed[sql],) = cursor.extract_statements(sql)
    cursor.execute(_parsed[sql])


def one_select(
    cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Mapping[str, object] | None = None
) -> duckdb.DuckDBPyConnection:
    """The result of `sql`, to be fetched.

    Raises:
        EngineError: it is not one SELECT.
    """
    statement = _checked(cursor, sql)
    return cursor.execute(statement, dict(parameters) if parameters else None)


def _streamed(cursor: duckdb.DuckDBPyConnection, sql: str) -> ArrowStream:
    """The same as an Arrow stream; read it once."""
    _checked(cursor, sql)
    return Stream(cursor.sql(sql))


def _checked(cursor: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Statement:
    statements = cursor.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise EngineError("dpsql sends its engine one SELECT at a time")
    return statements[0]


class Keeper(Protocol):
    """See `kept.Kept`."""

    def read(self, cursor: duckdb.DuckDBPyConnection, sql: str, kept: Sequence[str]) -> str:
        """The statement, which reads tables instead of what is to be kept."""


class DuckDBSnapshot:
    """A read-only transaction of one cursor."""

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        files: Files = NO_FILES,
        deadline: Deadline | None = None,
        kept: Keeper | None = None,
    ) -> None:
        self._cursor = cursor
        self._files = files
        self._kept = kept
        self.deadline = deadline

    def rows(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        kept: Sequence[str] = (),
    ) -> Sequence[Row]:
        """See `Snapshot`; fails also where the files changed meanwhile."""

        def work() -> Sequence[Row]:
            text = sql if self._kept is None else self._kept.read(self._cursor, sql, kept)
            return joined(parts(one_select(self._cursor, text, parameters)))

        rows = guarded(work, interrupt=self._cursor.interrupt)
        # Unchanged before and after: what was read is what was opened.
        self._files.check()
        return rows

    def bind(self, sql: str) -> None:
        """See `Snapshot`: DuckDB has bound it on tables of the same columns (`Empty`)."""

    def arrow(self, sql: str) -> ArrowStream:
        """The rows of one SELECT as an Arrow stream; read it once, before the snapshot ends."""

        return guarded(lambda: _streamed(self._cursor, sql))
