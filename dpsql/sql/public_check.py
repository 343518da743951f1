"""Does the engine accept a query over public tables? Asked of an empty database of their shape, so
that a misspelt column is a diagnostic before anything is read, and free.
"""

from __future__ import annotations

import duckdb

from dpsql.errors import Diagnostic, Rejected
from dpsql.policy.schema import Table
from dpsql.sql.emit import identifier
from dpsql.sql.evaluate import calculator

_made: dict[str, str] = {}
"""The empty tables that the calculator holds, each by its definition. A query names declared public
tables alone, so what other queries left does not matter.
"""


def check_public(sql: str, tables: tuple[Table, ...]) -> None:
    """Bind the query against empty tables.

    Raises:
        Rejected: DP104 with the engine's own words, which depend on the query and the schema alone.
    """
    problem: str | None = None
    with calculator() as connection:
        try:
            for table in tables:
                _make(connection, table)
            connection.execute(f"EXPLAIN {sql}")
        except duckdb.Error as error:
            problem = str(error).partition("\n")[0][:300]
    if problem is not None:
        raise Rejected(Diagnostic("DP104", problem))


def _make(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    columns = ", ".join(f"{identifier(c.name).sql()} {c.type}" for c in table.columns)
    definition = f"{identifier(table.name).sql()} ({columns})"
    if _made.get(table.name.lower()) != definition:
        connection.execute(f"CREATE OR REPLACE TABLE {definition}")
        _made[table.name.lower()] = definition
