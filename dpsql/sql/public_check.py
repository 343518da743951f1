"""Does the engine accept a query over public tables? Asked of an empty database of their shape, so
that a misspelt column is a diagnostic before anything is read, and free.
"""

from __future__ import annotations

import duckdb

from dpsql.errors import Diagnostic, Rejected
from dpsql.policy.schema import Table
from dpsql.sql.emit import identifier
from dpsql.sql.evaluate import calculator


def check_public(sql: str, tables: tuple[Table, ...]) -> None:
    """Bind the query against empty tables.

    Raises:
        Rejected: DP104 with the engine's own words, which depend on the query and the schema alone.
    """
    problem: str | None = None
    with calculator() as connection:
        try:
            connection.execute("BEGIN")
            for table in tables:
                columns = ", ".join(f"{identifier(c.name).sql()} {c.type}" for c in table.columns)
                connection.execute(f"CREATE TABLE {identifier(table.name).sql()} ({columns})")
            connection.execute(f"EXPLAIN {sql}")
        except duckdb.Error as error:
            problem = str(error).partition("\n")[0][:300]
        finally:
            connection.execute("ROLLBACK")
    if problem is not None:
        raise Rejected(Diagnostic("DP104", problem))
