"""A second, empty DuckDB for post-processing: it has only what was released or is public."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import duckdb

from dpsql.core.sqltypes import parse_type
from dpsql.errors import Diagnostic, LimitExceeded, Rejected
from dpsql.platform.engine import sandbox
from dpsql.platform.engine.deadline import stopped
from dpsql.platform.engine.guard import guarded, quietly
from dpsql.platform.engine.protocol import Columns, Given, ResultTable, Snapshot
from dpsql.platform.engine.sandbox import USUAL, Allowance
from dpsql.platform.engine.sql_text import dotted, name
from dpsql.types import Type

_CHUNK = 10_000  # faster than all rows at once, and in bounded memory
FEW = 100
"""Rows that are given to a statement as a WITH query: to make tables of them takes longer."""


class Scratch:
    """An in-memory DuckDB without access to anything else; for one thread."""

    def __init__(self, allowed: Allowance = USUAL) -> None:
        # One thread: rows keep the order in which they were loaded.
        config = sandbox.config(replace(allowed, threads=1))
        config["preserve_insertion_order"] = "true"
        # x // 0 is NULL, here as everywhere in dpsql: an answer must not fail on one value.
        config["error_on_division_by_zero"] = "false"
        self._tables: list[str] = []
        self._types = False

        def opened() -> duckdb.DuckDBPyConnection:
            connection = duckdb.connect(":memory:", config=config)
            sandbox.lock(connection, allowed.spill)
            return connection

        self._connection = guarded(opened, "scratch")

    def load(self, table: str, columns: Columns, rows: Sequence[Sequence[object]]) -> None:
        """See `Workspace`."""
        self._create(table, columns)
        lists = ", ".join(_unnested(i, type_) for i, (_, type_) in enumerate(columns, 1))
        insert = f"INSERT INTO {name(table)} SELECT {lists}"
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            values = _by_columns(columns, chunk)

            def work(values: list[list[object]] = values) -> object:
                return self._connection.execute(insert, values)

            guarded(work, "load", self._connection.interrupt)

    def copy(self, table: str, columns: Columns, snapshot: Snapshot, source: Sequence[str]) -> None:
        """See `Workspace`; streamed without going through Python."""
        self._create(table, columns)
        taken = ", ".join(
            name(c) if _travels(parse_type(t)) else f"CAST({name(c)} AS VARCHAR) AS {name(c)}"
            for c, t in columns
        )
        stream = snapshot.arrow(f"SELECT {taken} FROM {dotted(source)}")

        def work() -> None:
            self._connection.register(_STREAM, stream)
            try:
                self._connection.execute(f"INSERT INTO {name(table)} SELECT * FROM {_STREAM}")
            finally:
                self._connection.unregister(_STREAM)

        guarded(work, "copy", self._connection.interrupt)

    def run(
        self,
        sql: str,
        most: int | None = None,
        *,
        public: bool = False,
        given: Sequence[Given] = (),
    ) -> ResultTable:
        """See `Workspace`."""
        text, values = sql, None
        if few(given, sql):
            text, values = _with(sql, given)
        else:
            for one in given:
                self.load(*one)

        def work() -> ResultTable:
            try:
                result = self._connection.execute(text, values)
            except duckdb.BinderException as error:  # only public rows say what a PIVOT calls
                if not public:
                    raise
                raise Rejected(Diagnostic("DP105", str(error).partition("\n")[0][:300])) from None
            described = result.description or []
            rows: list[tuple[object, ...]] = []
            # Part by part, as they are made: too many rows never exist all at once.
            while part := result.fetchmany(_CHUNK):
                rows += part
                if most is not None and len(rows) > most:
                    raise too_many(most)
            return ResultTable(
                columns=tuple(str(d[0]) for d in described),
                types=tuple(str(d[1]) for d in described),
                rows=rows,
            )

        try:
            return guarded(work, "post-processing", self._connection.interrupt, public=public)
        finally:
            self._types |= public  # a PIVOT without its values leaves a type with them

    def clear(self) -> None:
        """Drop every table, so that the next query finds an empty database.

        Raises:
            EngineError: it cannot be emptied; close it.
        """
        for table in self._tables:
            guarded(lambda t=table: self._connection.execute(f"DROP TABLE {name(t)}"), "clear")  # type: ignore[misc]
        self._tables = []
        if self._types:
            guarded(self._drop_types, "clear")
        self._types = False

    def interrupt(self) -> None:
        """Stop the query that runs now; may be called from any thread."""
        quietly(self._connection.interrupt, "interrupt")

    def close(self) -> None:
        """Forget everything."""
        quietly(self._connection.close, "close")

    def __enter__(self) -> Scratch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _drop_types(self) -> None:
        left = self._connection.execute("SELECT type_name FROM duckdb_types() WHERE NOT internal")
        for (type_,) in left.fetchall():
            self._connection.execute(f"DROP TYPE {name(type_)}")

    def _create(self, table: str, columns: Columns) -> None:
        if not columns:
            raise ValueError("a table needs a column")
        listed = ", ".join(f"{name(column)} {type_}" for column, type_ in columns)
        guarded(lambda: self._connection.execute(f"CREATE TABLE {name(table)} ({listed})"), "load")
        self._tables.append(table)


def too_many(most: int) -> LimitExceeded:
    """The error of an answer that has more rows than it may have."""
    return LimitExceeded(
        f"the answer has more than the {most:,} rows of limits.public_rows; "
        "add a LIMIT, group the rows, or join on keys",
        "public_rows",
    )


def few(given: Sequence[Given], sql: str) -> bool:
    """Whether there are given tables, of few rows, and a statement without a WITH of its own."""
    rows = sum(len(found) for _, _, found in given)
    return bool(given) and rows <= FEW and sql.startswith("SELECT")


def _with(sql: str, given: Sequence[Given]) -> tuple[str, list[list[object]]]:
    """A statement with tables of its own, whose rows keep their order; and its parameters."""
    made: list[str] = []
    values: list[list[object]] = []
    for table, columns, rows in given:
        places = enumerate(columns, len(values) + 1)
        listed = ", ".join(f"{_unnested(i, type_)} AS {name(c)}" for i, (c, type_) in places)
        made.append(f"{name(table)} AS MATERIALIZED (SELECT {listed})")
        values += _by_columns(columns, rows)
    return f"WITH {', '.join(made)} {sql}", values


def _by_columns(columns: Columns, rows: Sequence[Sequence[object]]) -> list[list[object]]:
    """The values of each column, as a parameter.

    Raises:
        ValueError: a row has not one value for each column; unnest would fill up with NULL.
    """
    values = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
    if len(values) != len(columns):
        raise ValueError("each row needs one value for each column")
    maps = (parse_type(type_).name == "MAP" for _, type_ in columns)
    return [_entries(v) if m else v for v, m in zip(values, maps, strict=True)]


def _unnested(position: int, type_: str) -> str:
    """The rows of a parameter that is a list of a column's values."""
    kind = parse_type(type_)
    if kind.name != "MAP":
        return f"unnest(${position}::{type_}[])"
    # A dict would arrive as a struct, with the keys of all rows.
    return f"map_from_entries(unnest(${position}::STRUCT(k {kind.of}, v UBIGINT)[][]))"


def _entries(values: list[object]) -> list[object]:
    """Dicts as lists of their entries."""
    return [
        [{"k": k, "v": v} for k, v in value.items()] if isinstance(value, dict) else value
        for value in values
    ]


_STREAM = "__dpsql_stream"


def _travels(type_: Type) -> bool:
    """Whether Arrow carries the type exactly; BIT and TIME WITH TIME ZONE, for two, it does not."""
    if type_.name == "HUGEINT":
        return False  # 39 digits do not fit Arrow's decimal
    return type_.is_numeric or type_.is_boolean or type_.is_string or type_.is_temporal


# --- Scratch databases, kept for the next query: opening one takes longer than using it ---


class ScratchPool:
    """Empty scratch databases; each is used by one query at a time. Safe for threads.

    Args:
        allowed: what each may use; one thread, in a directory of its own.
    """

    def __init__(self, allowed: Allowance = USUAL) -> None:
        spill = None if allowed.spill is None else allowed.spill.apart()
        self._allowed = replace(allowed, spill=spill)
        self._idle: list[Scratch] = []

    @contextmanager
    def take(self, snapshot: Snapshot | None = None) -> Iterator[Scratch]:
        """An empty scratch database. After a query that went well it is emptied and kept; after
        one that did not it is closed, so that nothing of it can remain.

        Args:
            snapshot: that the query reads; its deadline, if it has one, is that of the scratch
                database, too.
        """
        try:
            scratch = self._idle.pop()  # atomic: two threads never get the same one
        except IndexError:
            scratch = Scratch(self._allowed)
        try:
            with stopped(getattr(snapshot, "deadline", None), scratch.interrupt):
                yield scratch
            scratch.clear()
        except BaseException:
            scratch.close()
            raise
        self._idle.append(scratch)

    def close(self) -> None:
        """Close those that are idle."""
        while self._idle:
            self._idle.pop().close()
