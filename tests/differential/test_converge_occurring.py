"""Rows that private ones decide about: which values occur is released, and the answers are
DuckDB's.
"""

from __future__ import annotations

import duckdb
import pytest

import dpsql

POLICY = """
unit: people.id
budget: {eps: 1e9, delta: 0.01}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      email: {type: VARCHAR}
      seg: {type: VARCHAR, values: [a, b, c]}
      born: {type: INTEGER, bounds: [1950, 1999]}
  orders:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 9}
      product: {type: INTEGER, references: products.id, nullable: true}
      cost: {type: INTEGER, bounds: [0, 99]}
  products:
    access: public
    key: [id]
    columns:
      id: {type: INTEGER}
      kind: {type: VARCHAR}
      price: {type: INTEGER}
"""
DATA = """
    CREATE TABLE people AS SELECT i AS id, 'e' || i AS email, ['a', 'b'][1 + i % 2] AS seg,
        (1950 + i * 7 % 50)::INTEGER AS born FROM range(300) t(i);
    CREATE TABLE orders AS SELECT i % 100 AS person,
        CASE WHEN i % 7 > 0 THEN (i % 7)::INTEGER END AS product, (i * 3 % 80)::INTEGER AS cost
        FROM range(500) t(i);
    CREATE TABLE products AS SELECT i::INTEGER AS id, ['toy', 'tool'][1 + i % 2] AS kind,
        (i * 10)::INTEGER AS price FROM range(12) t(i);
"""
ORDERED = "SELECT DISTINCT product FROM orders o WHERE o.product = p.id"
QUERIES = [
    f"SELECT id FROM products p WHERE EXISTS ({ORDERED})",
    f"SELECT id, price FROM products p WHERE NOT EXISTS ({ORDERED})",
    f"SELECT id FROM products p WHERE NOT EXISTS ({ORDERED} AND o.cost > 78)",
    f"SELECT id, EXISTS ({ORDERED} AND o.cost < 2) AS cheap FROM products p",
    f"SELECT kind, COUNT(*) FROM products p WHERE EXISTS ({ORDERED}) GROUP BY kind",
    f"SELECT COUNT(*) FROM products p WHERE EXISTS ({ORDERED}) OR p.kind = 'toy'",
    "SELECT id FROM products WHERE id IN (SELECT DISTINCT product FROM orders WHERE cost = 3)",
    "SELECT id FROM products WHERE id NOT IN (SELECT DISTINCT product FROM orders WHERE cost = 3 "
    "AND product IS NOT NULL)",
    "SELECT id FROM products WHERE price > ALL (SELECT DISTINCT cost FROM orders WHERE "
    "product = 2)",
    "SELECT id FROM products EXCEPT SELECT DISTINCT product FROM orders",
    "SELECT COUNT(*) FROM orders WHERE product IN (SELECT id FROM products p WHERE EXISTS "
    f"({ORDERED} AND o.cost = 3))",
    "SELECT seg FROM people INTERSECT SELECT seg FROM people WHERE born > 1990",
    "SELECT seg FROM people EXCEPT SELECT seg FROM people WHERE born = 1951",
    "SELECT seg, born FROM people INTERSECT SELECT seg, cost + 1940 FROM people p JOIN orders o ON "
    "o.person = p.id WHERE cost BETWEEN 10 AND 59",
    "SELECT seg FROM (SELECT seg, COUNT(*) AS n FROM people GROUP BY seg) a WHERE n > 10 AND "
    "EXISTS (SELECT 1 FROM people p WHERE p.seg = a.seg AND p.born < 1955)",
    "SELECT COUNT(*) FROM (SELECT born FROM people INTERSECT SELECT born FROM people WHERE "
    "seg = 'a' INTERSECT SELECT cost + 1950 FROM orders INTERSECT SELECT price + 1950 FROM "
    "products)",
]


@pytest.mark.parametrize("sql", QUERIES)
def test_the_answer_is_duckdbs(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    with dpsql.connect(connection, policy=POLICY) as db:
        answer = db.run(sql, eps=10**6)
    assert sorted(answer.rows) == sorted(connection.execute(sql).fetchall())


SEGMENTS = "SELECT DISTINCT seg FROM people"


@pytest.mark.parametrize(
    ("sql", "help"),
    [
        ("SELECT id FROM products WHERE EXISTS (SELECT 1 FROM orders)", "count them"),
        (f"SELECT seg FROM ({SEGMENTS}) WHERE EXISTS (SELECT 1 FROM orders)", "count them"),
        (
            f"SELECT seg FROM ({SEGMENTS}) s WHERE LENGTH(seg) IN (SELECT person FROM orders)",
            "unit",
        ),
        (f"{SEGMENTS} INTERSECT SELECT email FROM people", "with a delta"),
        ("SELECT id FROM products WHERE id IN (SELECT product FROM orders)", "DISTINCT product"),
        ("SELECT id FROM products EXCEPT SELECT product FROM orders", "SELECT DISTINCT product"),
        (
            f"SELECT id FROM products p WHERE EXISTS ({ORDERED.replace('DISTINCT product', '1')})",
            "SELECT DISTINCT product",
        ),
    ],
)
def test_what_is_refused_says_what_to_write(
    connection: duckdb.DuckDBPyConnection, sql: str, help: str
) -> None:
    """Whether there is any row, which units there are, which public rows private ones choose."""
    with dpsql.connect(connection, policy=POLICY) as db:
        spent = db.budget.spent.eps
        with pytest.raises(dpsql.Rejected, match=help):
            db.run(sql, eps=1, delta=0)
        assert db.budget.spent.eps == spent


def test_private_values_are_those_of_many_units(connection: duckdb.DuckDBPyConnection) -> None:
    sql = f"SELECT COUNT(*) FROM ({SEGMENTS} INTERSECT SELECT email FROM people)"
    with dpsql.connect(connection, policy=POLICY) as db:
        assert db.run(sql, eps=10**6, delta=1e-6).rows == ((0,),)
