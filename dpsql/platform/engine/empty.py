"""The engine's tables without their rows: where statements are bound before anything is charged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TypeVar

import duckdb

from dpsql.core.sqltypes import parse_type
from dpsql.platform.engine import sandbox
from dpsql.platform.engine.sql_text import dotted, name
from dpsql.types import Type

T = TypeVar("T")

PLAN = 'SELECT "system"."main".json_serialize_plan($sql::VARCHAR)'
"""DuckDB's own plan of a statement, bound and not optimized."""

Columns = Sequence[tuple[str, Type]]
"""(name, type) of each column."""


class Unbound(Exception):  # noqa: N818  (an outcome, turned into a diagnostic)
    """The engine does not take a statement; `message` is a function of it and of the tables."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class Unsaid(Unbound):
    """Another engine's language has not what a statement takes."""


Takes = Callable[[str], str | None]
"""None where an engine can be asked for a statement, by DuckDB's plan of it; else what it lacks."""


class Empty:
    """A database with the same tables as another, of the same types, and no rows. Safe for threads.

    A statement is bound, as DuckDB binds it before it plans and runs it, and no further. Names and
    types come from the schema, so what this finds is a function of public things only.
    """

    def __init__(
        self, tables: Mapping[tuple[str, ...], Columns], takes: Takes | None = None
    ) -> None:
        """Args:
        tables: their columns, by their full names in the engine: database, schema, table.
        takes: what an engine says that is not DuckDB.
        """
        self._declared, self._takes = tables, takes
        self._lock = Lock()
        self._made: duckdb.DuckDBPyConnection | None = None

    @contextmanager
    def opened(self) -> Iterator[EmptyBinder]:
        """A binder; of one thread at a time."""
        with self._lock:
            if self._made is None:
                self._made = _attempt(lambda: _database(self._declared))
            binder = EmptyBinder(self._made, self._takes)
            try:
                yield binder
            finally:
                binder.clear()

    def close(self) -> None:
        """Forget it; it is made again when it is needed."""
        with self._lock:
            if self._made is not None:
                self._made.close()
                self._made = None


class EmptyBinder:
    """Binds statements, also over tables that post-processing will have; made by `Empty`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, takes: Takes | None) -> None:
        self._connection, self._takes = connection, takes
        self._tables: list[str] = []

    def table(self, table: str, columns: Columns) -> None:
        """A table of the scratch database, which hides one of the engine's that has its name; the
        statements for the engine name theirs in full.

        Raises:
            Unbound: the table cannot be.
        """
        self._run(f"CREATE TEMP TABLE {name(table)} ({_listed(columns)})")
        self._tables.append(table)

    def types(self, sql: str, parameters: Iterable[str] = ()) -> tuple[Type, ...]:
        """The types of a statement's columns, once it is bound.

        Args:
            sql: one SELECT.
            parameters: the names of its parameters, each of which stands for a list.

        Raises:
            Unbound: the engine does not take it.
            Unsaid: it is another engine, whose language has not what it takes.
        """
        none: dict[str, list[object]] = {parameter: [] for parameter in parameters}
        found = self._run(f"DESCRIBE {sql}", none)
        if self._takes is not None:
            [(plan,)] = self._run(PLAN, {"sql": sql})
            if (missing := self._takes(str(plan))) is not None:
                raise Unsaid(missing)
        return tuple(_type(str(row[1])) for row in found)

    def clear(self) -> None:
        """Drop the scratch tables."""
        for table in self._tables:
            self._connection.execute(f"DROP TABLE {name(table)}")
        self._tables = []

    def _run(
        self, sql: str, parameters: Mapping[str, object] | None = None
    ) -> list[tuple[object, ...]]:
        given = dict(parameters) if parameters else None
        return _attempt(lambda: self._connection.execute(sql, given).fetchall())


def _attempt(work: Callable[[], T]) -> T:
    try:
        return work()
    except duckdb.Error as error:
        problem = str(error).partition("\n")[0][:300]
    raise Unbound(problem)  # here: it has no context


def _type(text: str) -> Type:
    try:
        return parse_type(text)
    except ValueError:
        return Type(text)


def _database(tables: Mapping[tuple[str, ...], Columns]) -> duckdb.DuckDBPyConnection:
    config = sandbox.config(sandbox.Allowance(threads=1))
    config["error_on_division_by_zero"] = "false"  # as in the scratch database
    connection = duckdb.connect(":memory:", config=config)
    sandbox.lock(connection)
    for target, columns in tables.items():
        if len(target) == 3:
            if target[0] != "memory":
                with suppress(duckdb.Error):  # there is one of this name
                    connection.execute(f"ATTACH ':memory:' AS {name(target[0])}")
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {dotted(target[:2])}")
        connection.execute(f"CREATE TABLE {dotted(target)} ({_listed(columns, connection)})")
    return connection


def _listed(columns: Columns, connection: duckdb.DuckDBPyConnection | None = None) -> str:
    return ", ".join(f"{name(c)} {_known(t, connection)}" for c, t in columns)


def _known(kind: Type, connection: duckdb.DuckDBPyConnection | None) -> str:
    """The type; in place of one that only the owner's database has (a type of an extension or of
    its own) BLOB: such a column is opaque, and can be counted and no more.
    """
    if connection is not None and kind.is_opaque:
        try:
            connection.execute(f"SELECT CAST(NULL AS {kind})")
        except duckdb.Error:
            return "BLOB"
    return str(kind)
