"""Groups whose keys are among public rows, or computed of other keys: they are those of DuckDB, and
no others are listed.
"""

from __future__ import annotations

import duckdb
import pytest

import dpsql

POLICY = """
unit: people.id
budget: {eps: 1e9}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      level: {type: INTEGER, bounds: [0, 9]}
      score: {type: INTEGER, bounds: [0, 4], nullable: true}
      likes: {type: INTEGER, references: items.id, nullable: true}
      home: {type: INTEGER, references: towns.id}
  orders:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 9}
      item: {type: INTEGER, references: items.id}
      day: {type: DATE, bounds: [2024-01-01, 2024-03-31]}
  items:
    access: public
    key: [id]
    columns:
      id: {type: INTEGER}
      sort: {type: VARCHAR}
  offers:
    access: public
    columns:
      item: {type: BIGINT, nullable: true}
      day: {type: DATE}
  towns:
    access: public
    key: [id]
    columns:
      id: {type: BIGINT}
      best: {type: SMALLINT, nullable: true}
  days:
    access: public
    key: [day]
    columns:
      day: {type: DATE}
      free: {type: BOOLEAN}
"""
DATA = """
    CREATE TABLE people AS SELECT i AS id, (i % 10)::INTEGER AS level,
        CASE WHEN i % 7 > 0 THEN (i % 5)::INTEGER END AS score,
        CASE WHEN i % 11 > 0 THEN (i % 20)::INTEGER END AS likes, (i % 5)::INTEGER AS home
        FROM range(100) t(i);
    CREATE TABLE orders AS SELECT i % 100 AS person, (i % 20)::INTEGER AS item,
        DATE '2024-01-01' + (i % 91)::INTEGER AS day FROM range(900) t(i);
    CREATE TABLE items AS SELECT i::INTEGER AS id, ['book', 'pen', 'cup', 'hat'][1 + i % 4] AS sort
        FROM range(20) t(i);
    CREATE TABLE offers AS SELECT CASE WHEN i % 3 > 0 THEN i % 6 END AS item,
        DATE '2024-01-01' + (i % 4)::INTEGER AS day FROM range(60) t(i);
    CREATE TABLE towns AS SELECT i AS id, CASE WHEN i > 2 THEN i::SMALLINT END AS best
        FROM range(6) t(i);
    CREATE TABLE days AS SELECT DATE '2024-01-01' + i::INTEGER AS day, i % 6 > 4 AS free
        FROM range(91) t(i);
"""
QUERIES = [
    "SELECT item, COUNT(*) FROM orders WHERE item IN (SELECT id FROM items WHERE sort = 'pen') "
    "GROUP BY 1",
    "SELECT item, COUNT(*) FROM orders WHERE item IN (SELECT item FROM offers) GROUP BY 1",
    "SELECT item, COUNT(*) FROM orders WHERE item IN (SELECT item FROM offers) AND item > 2 "
    "GROUP BY 1",
    "SELECT item, COUNT(*), COUNT(DISTINCT person) FROM orders o WHERE EXISTS (SELECT 1 FROM items "
    "i WHERE i.id = o.item AND i.sort = 'pen') GROUP BY 1",
    "SELECT item, COUNT(*) FROM orders o SEMI JOIN items i ON i.id = o.item AND i.sort = 'pen' "
    "GROUP BY 1",
    "SELECT o.day, COUNT(*) FROM orders o WHERE o.day IN (SELECT day FROM days WHERE free) GROUP "
    "BY 1",
    "SELECT day, COUNT(*) FROM orders WHERE day = ANY (SELECT day FROM offers) GROUP BY 1",
    "SELECT o.item, o.day, COUNT(*) FROM orders o WHERE EXISTS (SELECT 1 FROM offers f WHERE "
    "f.item = o.item AND f.day = o.day) GROUP BY 1, 2",
    "SELECT i.sort, o.item, COUNT(*) FROM orders o JOIN items i ON i.id = o.item WHERE o.item IN "
    "(SELECT item FROM offers) GROUP BY 1, 2",
    "SELECT item, SUM(n) FROM (SELECT person, item, COUNT(*) AS n FROM orders GROUP BY 1, 2) "
    "WHERE item IN (SELECT item FROM offers WHERE item < 3) GROUP BY 1",
    "SELECT item, COUNT(*) FROM orders WHERE item NOT IN (SELECT id FROM items WHERE sort = 'pen') "
    "GROUP BY 1",
    "SELECT item, COUNT(*) FROM orders o ANTI JOIN items i ON i.id = o.item AND i.sort <> 'pen' "
    "GROUP BY 1",
    "SELECT item, COUNT(*) FROM orders WHERE item NOT IN (SELECT item FROM offers) GROUP BY 1",
    "SELECT item, COUNT(*) FROM orders WHERE item NOT IN (SELECT item FROM offers WHERE item > 0) "
    "GROUP BY 1",
    "SELECT likes, COUNT(*) FROM people WHERE likes NOT IN (SELECT id FROM items WHERE id < 15) "
    "GROUP BY 1",
    "SELECT likes, COUNT(*) FROM people p WHERE NOT EXISTS (SELECT 1 FROM items i WHERE "
    "i.id = p.likes AND i.id < 15) GROUP BY 1",
    "SELECT likes, COUNT(*) FROM people WHERE likes IN (SELECT id FROM items WHERE id < 5) "
    "OR level > 8 GROUP BY 1",
    "SELECT i.sort, COUNT(*) FROM orders o JOIN items i ON i.id = o.item WHERE o.item NOT IN "
    "(SELECT id FROM items WHERE sort IN ('pen', 'cup')) GROUP BY 1",
    "SELECT i.sort, COUNT(*) FROM orders o JOIN items i ON i.id = o.item WHERE NOT EXISTS "
    "(SELECT 1 FROM offers f WHERE f.item = o.item AND f.day = o.day) GROUP BY 1",
    "SELECT level, score, level + score AS sum, COUNT(*) FROM people WHERE score >= 0 GROUP BY ALL",
    "SELECT item, item % 4 AS rest, COUNT(*) FROM orders GROUP BY 1, 2",
    "SELECT level * 2 AS twice, level, COUNT(*) FROM people GROUP BY twice, level HAVING twice > 3",
    "SELECT day, MONTH(day) AS m, DAYOFWEEK(day) AS d, COUNT(*) FROM orders GROUP BY ALL",
    "SELECT item, sort, CONCAT(sort, item) AS both, COUNT(*) FROM orders o JOIN items i "
    "ON i.id = o.item GROUP BY ALL",
    "SELECT home, COALESCE(home, 3) AS c, c + 1 AS d, COUNT(*) FROM people GROUP BY ALL",
    "SELECT home, MAX(GREATEST(home, 3)) AS m, COUNT(*) FROM people GROUP BY 1",
    "WITH g AS (SELECT home AS k, COUNT(*) AS n FROM people GROUP BY 1) SELECT p.home, "
    "COALESCE(p.home, g.n::INTEGER) AS c, COUNT(*) FROM people p JOIN g ON g.k = p.home "
    "GROUP BY 1, 2",
    "SELECT level, ANY_VALUE(level) AS a, MAX(level + 1) AS b, AVG(level) AS c, COUNT(*) "
    "FROM people GROUP BY level",
    "SELECT ANY_VALUE(sort) AS a, FIRST(item) AS b, COUNT(*) FROM orders o JOIN items i "
    "ON i.id = o.item GROUP BY item, sort",
    "SELECT AVG(n) FROM (SELECT level, level // 2 AS half, COUNT(*) AS n FROM people GROUP BY ALL)",
]


@pytest.mark.parametrize("sql", QUERIES)
@pytest.mark.one_in(3)
def test_the_groups_are_duckdbs(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    with dpsql.connect(connection, policy=POLICY) as db:
        mine = sorted(map(_plain, db.run(sql, eps=10**6).rows))
    assert [row for row in mine if row[-1] != "0"] == sorted(
        map(_plain, connection.execute(sql).fetchall())
    )


def _plain(row: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(f"{v:.2f}" if isinstance(v, float) else str(v) for v in row)


def test_values_that_are_there_twice_add_nothing(connection: duckdb.DuckDBPyConnection) -> None:
    """A row meets one of the values, however often it is there: it counts once."""
    sql = (
        "SELECT item, COUNT(*) AS n FROM orders WHERE item IN (SELECT item FROM offers) GROUP BY 1"
    )
    with dpsql.connect(connection, policy=POLICY) as db:
        assert "sensitivity L0 9, L1 9," in str(db.explain(sql, eps=1))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT item, COUNT(*) FROM orders WHERE item IN (SELECT best FROM towns) "
        "GROUP BY ROLLUP (item)",
        "SELECT best, COUNT(*) FROM orders o JOIN (SELECT DISTINCT best FROM towns) t "
        "ON t.best = o.item GROUP BY 1",
    ],
)
def test_null_is_none_of_the_values_that_a_key_is_among(
    connection: duckdb.DuckDBPyConnection, sql: str
) -> None:
    with dpsql.connect(connection, policy=POLICY) as db:
        mine = sorted(map(_plain, db.run(sql, eps=10**6).rows))
    assert mine == sorted(map(_plain, connection.execute(sql).fetchall()))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id, COUNT(*) FROM people WHERE id IN (SELECT id FROM items) GROUP BY 1",
        "SELECT person, COUNT(*) FROM orders WHERE person IN (SELECT id FROM items) GROUP BY 1",
    ],
)
def test_a_public_list_of_units_makes_no_groups_of_them(
    connection: duckdb.DuckDBPyConnection, sql: str
) -> None:
    with (
        dpsql.connect(connection, policy=POLICY) as db,
        pytest.raises(dpsql.Rejected, match="DP404"),
    ):
        db.explain(sql, eps=1)
