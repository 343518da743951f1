"""Customers and their orders, under the policy of a test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

import dpsql


@contextmanager
def orders(policy: str) -> Iterator[dpsql.Database]:
    """The database; what DuckDB itself says is asked of its `plain`."""
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE customers AS SELECT i AS id, CASE WHEN i % 7 = 0 THEN 'public' ELSE 'home' "
        "END AS segment, 1000 + i * 37 % 80 AS birth FROM range(100) t(i)"
    )
    connection.execute(
        "CREATE TABLE orders AS SELECT i AS id, i * 13 % 97 AS customer, i * 7 % 50 AS amount, "
        "'k' || (i * i % 5) AS k, NULLIF(i % 5, 4) AS maybe FROM range(200) t(i)"
    )
    with dpsql.connect(connection, policy=policy) as found:
        found.plain = connection  # type: ignore[attr-defined]
        yield found
