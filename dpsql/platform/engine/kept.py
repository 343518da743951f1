"""What a query of stored tables alone has found, kept in memory as long as the data stay.

A statement holds such a query as one of its WITH queries, `name AS MATERIALIZED (query)`, and reads
a table instead, which the query filled when it was first asked. Claim: the answer is the same. Why:
the table has that query's rows, of the same data, which cannot change while the engine is open
(`Engine.stable`), which is looked at once more before anything is kept; and the place in the
statement is certain, as the text stands there once. Of a server the rows are lent to it again
(`FarEngine`), if they are not too many; the table here has none.

It is made where the charge was made already, and its time is that of a first query.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from uuid import uuid4

import duckdb

from dpsql.platform.engine.snapshot import begin, end

Lend = Callable[[duckdb.DuckDBPyConnection, str, tuple[str, str, str]], bool]


class Kept:
    """The tables of one engine, in a database in memory that is attached to it when it is needed.

    There are few: of each query one, and those depend on the policy alone.

    Args:
        check: fails where the data are others than those that were opened.
        lend: has a query's rows read from the table of that path; whether it has.
    """

    def __init__(self, check: Callable[[], None], lend: Lend | None = None) -> None:
        self._check, self._lend = check, lend
        self._lock = Lock()
        self._database = ""
        self._tables: dict[str, str] = {}

    def read(self, cursor: duckdb.DuckDBPyConnection, sql: str, kept: Sequence[str]) -> str:
        """The statement, which reads tables instead of what is to be kept.

        Args:
            cursor: within a read-only transaction, which begins anew where a table is made.
            sql: one SELECT.
            kept: queries in it.
        """
        for query in kept:
            inside = f"({query})"
            if sql.count(inside) == 1:
                table = self._tables.get(query)
                table = self._made(cursor, query) if table is None else table
                sql = sql.replace(inside, f"(SELECT * FROM {table})" if table else inside)
        return sql

    def drop(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Forget all; of a database that other connections hold open, too."""
        with self._lock:
            if self._database:
                connection.execute(f"DETACH {self._database}")
            self._database, self._tables = "", {}

    def _made(self, cursor: duckdb.DuckDBPyConnection, query: str) -> str:
        end(cursor)
        with self._lock:
            if not self._database:
                name = f"dpsql_kept_{uuid4().hex}"
                cursor.execute(f"ATTACH ':memory:' AS {name} (READ_WRITE)")
                self._database = name
        path = (self._database, "main", f"kept_{uuid4().hex}")
        table = ".".join(path)
        try:
            cursor.execute(f"CREATE TABLE {table} AS {query}")
        finally:
            begin(cursor)
        self._check()  # or what other files had would be read when these are back
        if self._lend is not None and not self._lend(cursor, query, path):
            table = ""
        # Where two threads have made it at once, one of both is read from now on.
        return self._tables.setdefault(query, table)
