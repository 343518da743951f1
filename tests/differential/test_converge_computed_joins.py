"""Joins with public tables by what is computed of private columns, and groups of what is computed
of foreign keys: the rows are DuckDB's.
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
      town: {type: VARCHAR, references: towns.name}
      age: {type: BIGINT, bounds: [0, 99], nullable: false}
  orders:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 9}
      at: {type: TIMESTAMP, bounds: [2024-01-01 00:00:00, 2024-01-31 23:59:59]}
      cost: {type: BIGINT, bounds: [0, 50], nullable: false}
  towns:
    access: public
    key: [name]
    columns:
      name: {type: VARCHAR}
      land: {type: VARCHAR}
  days:
    access: public
    key: [day]
    columns:
      day: {type: DATE}
      kind: {type: VARCHAR}
  bands:
    access: public
    key: [low]
    columns:
      low: {type: INTEGER}
      name: {type: VARCHAR}
"""
DATA = """
    CREATE TABLE people AS SELECT i AS id, ['a', 'b', 'c', NULL, 'd'][1 + i % 5] AS town,
        (i * 7) % 90 AS age FROM range(60) AS t(i);
    CREATE TABLE orders AS SELECT i % 60 AS person,
        TIMESTAMP '2024-01-01' + INTERVAL (i * 11 % 700) HOUR AS at, i % 50 AS cost
        FROM range(400) AS t(i);
    INSERT INTO orders VALUES (1, NULL, 5), (2, NULL, 7);
    CREATE TABLE towns (name VARCHAR, land VARCHAR);
    INSERT INTO towns VALUES ('a', 'north'), ('b', 'south'), ('c', 'south'), ('d', NULL),
        ('none', 'nowhere');
    CREATE TABLE days AS SELECT DATE '2024-01-03' + i::INTEGER AS day,
        IF(i % 7 < 5, 'work', 'week-end') AS kind FROM range(25) AS t(i);
    CREATE TABLE bands (low INTEGER, name VARCHAR);
    INSERT INTO bands VALUES (0, 'young'), (20, 'grown'), (40, 'grown'), (60, 'old'), (80, 'old');
"""
QUERIES = [
    "SELECT d.kind, COUNT(*) FROM orders o JOIN days d ON d.day = o.at::DATE GROUP BY 1",
    "SELECT d.day, COUNT(*) FROM orders o JOIN days d ON CAST(o.at AS DATE) = d.day GROUP BY 1",
    "SELECT d.kind, SUM(o.cost) FROM orders o, days d WHERE d.day = o.at::DATE GROUP BY 1",
    "SELECT d.kind, COUNT(*) FROM orders o LEFT JOIN days d ON d.day = o.at::DATE GROUP BY 1",
    """SELECT d.day, COUNT(o.person) FROM days d LEFT JOIN orders o ON d.day = o.at::DATE
       GROUP BY 1""",
    """SELECT o.at::DATE AS day, d.kind, COUNT(*) FROM orders o JOIN days d ON d.day = o.at::DATE
       GROUP BY 1, 2""",
    """SELECT d.kind, t.land, COUNT(*) FROM days d, people p, orders o, towns t
       WHERE p.id = o.person AND d.day = o.at::DATE AND t.name = COALESCE(p.town, 'none')
       GROUP BY 1, 2""",
    """SELECT d.kind, COUNT(DISTINCT o.person) FROM (SELECT *, orders.at::DATE AS d FROM orders) o
       JOIN days d ON d.day = o.d GROUP BY 1""",
    """SELECT t.land, COUNT(*) FROM people p JOIN towns t ON t.name = COALESCE(p.town, 'none')
       GROUP BY 1""",
    """SELECT t.land, SUM(o.cost) FROM orders o JOIN people p ON p.id = o.person
       JOIN towns t ON t.name = COALESCE(p.town, 'none') GROUP BY 1""",
    """SELECT b.name, COUNT(*), AVG(p.age) FROM people p JOIN bands b ON b.low = p.age // 20 * 20
       GROUP BY 1""",
    """SELECT b.name, COUNT(*) FROM (SELECT person, SUM(cost) AS s FROM orders GROUP BY person) u
       JOIN bands b ON b.low = LEAST(u.s // 100, 4) * 20 GROUP BY 1""",
    "SELECT COUNT(*) FROM orders o WHERE EXISTS (SELECT 1 FROM days d WHERE d.day = o.at::DATE)",
    "SELECT COUNT(*) FROM orders o WHERE o.at::DATE NOT IN (SELECT day FROM days)",
    """SELECT b.name, COUNT(*) FROM people p JOIN bands b ON b.low = 20 * (p.age // 20)
       AND p.age > 10 WHERE b.low < 80 GROUP BY b.name""",
    """WITH t AS (SELECT COUNT(*) AS n, AVG(cost) AS m FROM orders) SELECT d.kind,
       SUM(o.cost) - ANY_VALUE(t.m) AS s, COUNT(*) * 100.0 / MAX(t.n) AS share
       FROM orders o JOIN days d ON d.day = o.at::DATE CROSS JOIN t GROUP BY d.kind""",
    """SELECT d.kind, COUNT(*) FROM orders o JOIN days d ON d.day = date_trunc('day', o.at)
       GROUP BY 1""",
    """SELECT d.day, COUNT(o.person) FROM days d LEFT JOIN orders o
       ON date_trunc('day', o.at) = d.day::TIMESTAMP GROUP BY 1""",
    "SELECT COUNT(*) FROM orders o JOIN days d ON d.day = date_trunc('week', o.at)",
    "SELECT COUNT(*) FROM orders o WHERE date_trunc('day', o.at) > o.at::DATE - 1",
    "SELECT COALESCE(town, '?') AS k, COUNT(*) FROM people GROUP BY 1",
    "SELECT COALESCE(town, 'a') AS k, SUM(age) FROM people GROUP BY 1",
    "SELECT UPPER(town) AS k, COUNT(*) FROM people WHERE town IS NOT NULL GROUP BY 1",
    "SELECT IF(town = 'a', 'first', town) AS k, COUNT(*) FROM people WHERE town > '' GROUP BY 1",
    "SELECT UPPER(IFNULL(town, 'z')) AS k, age // 50 AS a, COUNT(*) FROM people GROUP BY ALL",
    """SELECT COALESCE(p.town, 'none') AS k, COUNT(*) FROM orders o LEFT JOIN people p
       ON p.id = o.person GROUP BY 1""",
    """SELECT COALESCE(town, '?') AS k, age > 40 AS a, COUNT(*) FROM people
       GROUP BY ROLLUP (k, a)""",
    "SELECT UPPER(town) AS k, town, COUNT(*) FROM people WHERE town IS NOT NULL GROUP BY 1, 2",
    """SELECT t.land || COALESCE(p.town, '?') AS k, COUNT(*) FROM people p
       JOIN towns t ON t.name = p.town WHERE t.land IS NOT NULL GROUP BY 1""",
]


@pytest.fixture(scope="module")
def data() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    made.execute(DATA)
    return made


@pytest.mark.parametrize("text", QUERIES)
@pytest.mark.one_in(3)
def test_joined_by_what_is_computed(data: duckdb.DuckDBPyConnection, text: str) -> None:
    with dpsql.connect(data, POLICY, version="1") as db:
        rows = db.run(text, 10**6).rows
    found = sorted((tuple(map(_rounded, row)) for row in rows), key=repr)
    wanted = sorted((tuple(map(_rounded, row)) for row in data.execute(text).fetchall()), key=repr)
    assert [row for row in found if row[-1]] == wanted


def _rounded(value: object) -> object:
    return round(value, 2) if isinstance(value, float | int) else value
