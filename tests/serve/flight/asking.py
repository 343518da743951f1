"""A query, and what is said of its ε."""

from __future__ import annotations

from dpsql.serve.flight import flight_sql as m

COUNT = "SELECT COUNT(*) AS n FROM orders"


def at(eps: str, sql: str = COUNT) -> m.CommandStatementQuery:
    return m.CommandStatementQuery(f"/* eps: {eps} */ {sql}")
