"""What somebody can do to a ledger who may write its database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

from dpsql.platform.ledger.lines import digest


def rows(where: str, statement: str) -> list[tuple[Any, ...]]:
    """What a query finds."""
    if not where.startswith("postgresql:"):
        with closing(sqlite3.connect(where)) as connection:
            return list(connection.execute(statement))
    import psycopg

    with psycopg.connect(where, options="-c search_path=dpsql") as server:
        return server.execute(statement.encode()).fetchall()


def change(where: str, *statements: str) -> None:
    """Run statements without the triggers that forbid them."""
    if not where.startswith("postgresql:"):
        with closing(sqlite3.connect(where, isolation_level=None)) as connection:
            triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
            found = connection.execute(triggers).fetchall()
            for name, _ in found:
                connection.execute(f"DROP TRIGGER {name}")
            for statement in statements:
                connection.execute(statement)
            for _, sql in found:
                connection.execute(sql)
        return
    import psycopg

    options = "-c search_path=dpsql -c session_replication_role=replica"
    with psycopg.connect(where, options=options, autocommit=True) as server:
        for statement in statements:
            server.execute(statement.encode())


def forge(where: str) -> None:
    """Make all hashes of the lines anew, so that they are right."""
    before: str | None = None
    for row in rows(where, "SELECT * FROM charge ORDER BY number"):
        values = list(row[1:-1])
        values[-1] = values[-1] if before is None else before
        before = digest(values)
        change(
            where,
            f"UPDATE charge SET before = '{values[-1]}', hash = '{before}' WHERE number = {row[1]}",
        )
