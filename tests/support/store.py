"""Many small databases side by side in one DuckDB: every table has a column that tells which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import duckdb
from sqlglot import exp

from dpsql.core.emit.plans import Keeping, Source, column, identifier
from dpsql.core.emit.plans import table as sql_table
from dpsql.core.release.statements import Statements
from dpsql.core.schema import Schema, Table
from tests.support.databases import Database

_WORLD = "of_world"

ANY = 918_273_645
"""Stands in a statement for the number of the database that it reads."""


class Store:
    """A connection with the tables of one schema; `rows` makes it a `Snapshot`.

    Attributes:
        told: as what engine it is asked; None for one that is neither `Rereading` nor `Keeping`.
    """

    told: Callable[[Source], Source] | None = Keeping

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._filled: set[str] = set()
        self.connection = duckdb.connect(":memory:", config={"threads": "1"})
        for table in schema.tables.values():
            columns = ", ".join(f'"{c.name}" {c.type}' for c in table.columns)
            self.connection.execute(f'CREATE TABLE "{table.name}" ({_WORLD} INTEGER, {columns})')

    def fill(self, worlds: Sequence[Database]) -> None:
        """Replace all contents."""
        self.connection.execute("BEGIN")
        for low, table in self.schema.tables.items():
            if low in self._filled:
                self.connection.execute(f'DELETE FROM "{table.name}"')
                self._filled.remove(low)
            rows = [(n, *row) for n, world in enumerate(worlds) for row in world[low]]
            if not rows:
                continue
            self._filled.add(low)
            kinds = ["INTEGER", *(str(c.type) for c in table.columns)]
            lists = ", ".join(f"unnest(${i}::VARCHAR[])::{kind}" for i, kind in enumerate(kinds, 1))
            cells = [
                [None if v is None else str(v) for v in part] for part in zip(*rows, strict=True)
            ]
            self.connection.execute(f'INSERT INTO "{table.name}" SELECT {lists}', cells)
        self.connection.execute("COMMIT")

    def rows(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        kept: Sequence[str] = (),
    ) -> list[tuple[object, ...]]:
        """The rows of a query, with values for its named parameters."""
        done = self.connection.execute(sql, dict(parameters) if parameters else None)
        found: list[tuple[object, ...]] = done.fetchall()
        return found

    @property
    def any(self) -> Source:
        """How the tables of any database are written; see `in_world`."""
        return source(ANY) if self.told is None else self.told(source(ANY))


@lru_cache(maxsize=64)
def source(world: int) -> Source:
    """How the tables of one database are written after FROM."""

    def within(table: Table) -> exp.Expr:
        inner = exp.Select().from_(sql_table("main", table.name, alias="w"))
        inner = inner.select(*(column("w", c.name) for c in table.columns))
        condition = exp.EQ(
            this=exp.Column(this=identifier(_WORLD), table=identifier("w")),
            expression=exp.Literal.number(world),
        )
        return inner.where(condition).subquery()

    return within


def in_world(text: Statements, world: int) -> Statements:
    """Statements that were printed for `ANY`, for one of the databases."""

    def put(statement: str) -> str:
        return statement.replace(str(ANY), str(world))

    return Statements(
        None if text.cells is None else put(text.cells),
        None if text.clipping is None else put(text.clipping),
        tuple(map(put, text.pairs)),
        tuple(map(put, text.picks)),
    )
