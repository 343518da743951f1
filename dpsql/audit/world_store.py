"""Generated databases side by side in a DuckDB of the audit's own: a column tells which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import duckdb
from sqlglot import exp

from dpsql.audit.databases import Tables
from dpsql.audit.worlds import Rows, Side
from dpsql.core.emit.plans import Source, column
from dpsql.core.emit.plans import table as sql_table
from dpsql.core.schema import Schema, Table
from dpsql.platform.engine import sandbox
from dpsql.platform.engine.guard import guarded, quietly
from dpsql.platform.engine.protocol import ArrowStream
from dpsql.platform.engine.sql_text import name
from dpsql.types import TIME

_WORLD = "world of the audit"
"""A name that no column of the owner's is likely to have."""


class WorldStore:
    """The tables of one schema, each with the rows of many databases; a `Snapshot`."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        config = sandbox.config(sandbox.Allowance(threads=1))
        self._connection = guarded(lambda: duckdb.connect(":memory:", config=config), "audit")
        for table in schema.tables.values():
            listed = ", ".join(f"{name(c.name)} {kind_of(table, c.name)}" for c in table.columns)
            made = f"CREATE TABLE {name(table.name)} ({name(_WORLD)} INTEGER, {listed})"
            guarded(lambda sql=made: self._connection.execute(sql), "audit")  # type: ignore[misc]

    def fill(self, worlds: Sequence[Tables]) -> Side:
        """Replace all contents by these databases.

        Raises:
            EngineError: a value is none of its column's.
        """
        guarded(lambda: self._fill(worlds), "audit", self._connection.interrupt)
        relation = f"(SELECT CAST(unnest(range({len(worlds)})) AS INTEGER) AS id)"
        return Side(
            self,
            relation,
            len(worlds),
            {},
            _source(lambda: column("worlds", "id")),
            lambda world: _source(lambda: exp.Literal.number(world)),
        )

    def _fill(self, worlds: Sequence[Tables]) -> None:
        self._connection.execute("BEGIN")
        for low, table in self._schema.tables.items():
            self._connection.execute(f"DELETE FROM {name(table.name)}")
            rows = [(str(n), *row) for n, world in enumerate(worlds) for row in world.get(low, ())]
            if not rows:
                continue
            kinds = ["INTEGER", *(kind_of(table, c.name) for c in table.columns)]
            lists = ", ".join(f"unnest(${i}::VARCHAR[])::{kind}" for i, kind in enumerate(kinds, 1))
            cells = [list(part) for part in zip(*rows, strict=True)]
            self._connection.execute(f"INSERT INTO {name(table.name)} SELECT {lists}", cells)
        self._connection.execute("COMMIT")

    def rows(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        kept: Sequence[str] = (),
    ) -> Rows:
        """The rows of a query, with values for its named parameters.

        Raises:
            EngineError: it failed.
        """

        def work() -> Rows:
            done = self._connection.execute(sql, dict(parameters) if parameters else None)
            found: Rows = done.fetchall()
            return found

        return guarded(work, "audit", self._connection.interrupt)

    def bind(self, sql: str) -> None:
        """Not needed here."""
        raise NotImplementedError

    def arrow(self, sql: str) -> ArrowStream:
        """Not needed here."""
        raise NotImplementedError

    def close(self) -> None:
        """Forget everything."""
        quietly(self._connection.close, "close")

    def __enter__(self) -> WorldStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def kind_of(table: Table, column_name: str) -> str:
    """The type of a column here; texts stand for what can be counted and nothing else."""
    found = table.column(column_name)
    assert found is not None
    known = not found.type.is_opaque or found.type == TIME or found.type.name == "LIST"
    return str(found.type) if known else "VARCHAR"


def _source(world: Callable[[], exp.Expr]) -> Source:
    def within(table: Table) -> exp.Expr:
        inner = exp.Select().from_(sql_table("main", table.name, alias="w"))
        inner = inner.select(*(column("w", c.name) for c in table.columns))
        return inner.where(exp.EQ(this=column("w", _WORLD), expression=world())).subquery()

    return within
