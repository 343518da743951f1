"""Does the engine accept a query over public tables? Asked of an empty database of their shape, so
that a misspelt column is a diagnostic before anything is read, and free.
"""

from __future__ import annotations

import duckdb

from dpsql.core.emit.plans import identifier
from dpsql.core.functions.calculator import calculator
from dpsql.core.schema import Schema, Table
from dpsql.errors import Diagnostic, Rejected

_made: list[tuple[Schema, set[str]]] = []
"""The schema of the last query, and those of its tables that the calculator holds. The tables of
another schema are dropped: what the engine says of a name must be about this one's.
"""


def check_public(sql: str, tables: tuple[Table, ...], schema: Schema) -> None:
    """Bind the query against empty tables.

    Args:
        sql: the query.
        tables: those that it names.
        schema: of which they are.

    Raises:
        Rejected: DP104 with the engine's own words, which depend on the query and the schema alone.
    """
    problem: str | None = None
    with calculator() as connection:
        try:
            held = _held(connection, schema)
            for table in tables:
                _make(connection, table, held)
            connection.execute(f"EXPLAIN {sql}")
        except duckdb.Error as error:
            problem = str(error).partition("\n")[0][:300]
    if problem is not None:
        raise Rejected(Diagnostic("DP104", problem))


def _held(connection: duckdb.DuckDBPyConnection, schema: Schema) -> set[str]:
    """The names of the tables that are there, all of this schema."""
    if not _made or _made[0][0] is not schema:
        for name in _made[0][1] if _made else ():
            connection.execute(f"DROP TABLE IF EXISTS {identifier(name).sql()}")
        _made[:] = [(schema, set())]
    return _made[0][1]


def _make(connection: duckdb.DuckDBPyConnection, table: Table, held: set[str]) -> None:
    if table.name in held:
        return
    columns = ", ".join(f"{identifier(c.name).sql()} {c.type}" for c in table.columns)
    connection.execute(f"CREATE TABLE {identifier(table.name).sql()} ({columns})")
    held.add(table.name)
