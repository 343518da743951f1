"""What is made of groups of private keys is made of their rows: the answers are DuckDB's, also
where no group has the rows to be shown.
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
      seg: {type: VARCHAR, values: [a, b]}
      age: {type: INTEGER, bounds: [0, 99]}
  orders:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 9}
      code: {type: VARCHAR}
      cost: {type: DOUBLE, bounds: [0, 50], nullable: true}
  towns:
    access: public
    key: [name]
    columns:
      name: {type: VARCHAR}
"""
DATA = """
    CREATE TABLE people AS SELECT i AS id, 'e' || i AS email, ['a', 'b'][1 + i % 2] AS seg,
        (i * 7 % 90)::INTEGER AS age FROM range(300) t(i);
    CREATE TABLE orders AS SELECT i % 100 AS person, 'c' || (i % 250) AS code,
        CASE WHEN i % 250 % 3 > 0 THEN i % 50 + 0.5::DOUBLE END AS cost FROM range(500) t(i);
    CREATE TABLE towns AS SELECT 'e' || i AS name FROM range(10) t(i);
"""
TWICE = [
    "SELECT (SELECT COUNT(*) FROM t) AS a, (SELECT AVG(n) FROM t WHERE code < 'c2') AS b",
    "SELECT 1 AS what, COUNT(*) AS v FROM t UNION ALL SELECT 2, SUM(n) FROM t",
    "SELECT COUNT(*) FROM t WHERE code > 'c1' HAVING COUNT(*) > (SELECT AVG(n) FROM t)",
    "SELECT a.c - b.c FROM (SELECT COUNT(*) AS c FROM t) a, (SELECT SUM(n) AS c FROM t) b",
    ", u AS (SELECT code AS c, n AS m FROM t) SELECT (SELECT COUNT(*) FROM u) AS a, (SELECT "
    "AVG(m) FROM u) AS b, (SELECT SUM(n) FROM t) AS c",
    ", u AS (SELECT COUNT(*) AS c, SUM(n) AS s FROM t) SELECT c, s, (SELECT SUM(s) FROM u) FROM u",
]
"""A WITH query that is read more than once."""

QUERIES = [
    "SELECT seg, COUNT(*), COUNT(t.name) FROM (SELECT DISTINCT seg, email FROM people) d JOIN "
    "towns t ON t.name = d.email GROUP BY seg",
    "SELECT t.name, COUNT(*) FROM (SELECT DISTINCT code FROM orders) d JOIN towns t ON t.name "
    "< d.code GROUP BY 1 HAVING COUNT(*) > 0 ORDER BY 1",
    "SELECT AVG(n), SUM(n) FROM (SELECT code, COUNT(*) AS n FROM orders GROUP BY code) d, "
    "(SELECT COUNT(*) AS m FROM towns) b WHERE m > 3",
    "SELECT COUNT(*) FROM (SELECT DISTINCT email FROM people) a, towns b WHERE a.email > 'e8' "
    "AND b.name < 'e2'",
    "SELECT COUNT(*) FROM (SELECT DISTINCT seg FROM people) a, towns b",
    "SELECT AVG(s), SUM(s), COUNT(s), COUNT(*) FROM (SELECT code, SUM(cost) AS s, "
    "MAX(cost) AS m FROM orders GROUP BY code)",
    "SELECT seg, AVG(n) FROM (SELECT seg, code, COUNT(*) AS n FROM people p JOIN orders o ON "
    "o.person = p.id GROUP BY seg, code) GROUP BY seg ORDER BY seg",
    "SELECT AVG(n) FROM (SELECT seg, COUNT(*) AS n FROM people GROUP BY seg)",
    "SELECT SUM(n) FILTER (WHERE code < 'c5'), COUNT(n) FILTER (WHERE code < 'c5'), AVG(n) "
    "FILTER (WHERE code < 'c5') FROM (SELECT code, COUNT(*) AS n FROM orders GROUP BY code)",
    "SELECT COUNT(*) FROM (SELECT DISTINCT email FROM people)",
    "SELECT COUNT(email) FROM (SELECT DISTINCT email FROM people)",
    "SELECT COUNT(DISTINCT email) FROM (SELECT DISTINCT email FROM people)",
    "SELECT COUNT(DISTINCT email) FROM people",
    "SELECT COUNT(*) FILTER (WHERE email > 'e5') FROM (SELECT DISTINCT email FROM people)",
    "SELECT COUNT(*) AS n FROM (SELECT DISTINCT email FROM people) HAVING COUNT(*) > 5",
    "SELECT COUNT(*), COUNT(email) FROM (SELECT DISTINCT email, seg FROM people)",
    "SELECT COUNT(*) FROM (SELECT DISTINCT email FROM people) a, (SELECT COUNT(*) AS m FROM "
    "towns) b",
    "WITH d AS (SELECT DISTINCT email FROM people) SELECT COUNT(*) FROM d WHERE email > 'e5'",
    "SELECT COUNT(*) FROM (SELECT DISTINCT email FROM people) WHERE email LIKE 'e1%'",
    "SELECT COUNT(*) FROM (SELECT email FROM people UNION SELECT code FROM orders)",
    "SELECT SUM(n) FROM (SELECT email, COUNT(*) AS n FROM people GROUP BY email)",
    "SELECT AVG(n), COUNT(*) FROM (SELECT email, COUNT(*) AS n FROM people GROUP BY email)",
    "SELECT COUNT(*) FROM (SELECT code, COUNT(*) AS n FROM orders GROUP BY code)",
    "SELECT seg, COUNT(*) FROM (SELECT DISTINCT seg, email FROM people) GROUP BY seg",
    "SELECT seg, COUNT(email) FROM (SELECT DISTINCT seg, email FROM people) GROUP BY seg",
    "SELECT COUNT(*) FROM (SELECT DISTINCT email FROM people) d JOIN towns t ON t.name = d.email",
    "SELECT COUNT(*) FROM (SELECT code FROM orders INTERSECT SELECT email FROM people)",
    "SELECT COUNT(*) * 2 + 1 AS x FROM (SELECT DISTINCT email FROM people)",
    "SELECT (SELECT COUNT(*) FROM (SELECT DISTINCT email FROM people)) AS x, (SELECT COUNT(*) "
    "FROM people) AS y",
    "SELECT COUNT(*) FROM (SELECT DISTINCT UPPER(email) AS e FROM people)",
    "SELECT COUNT(e) FROM (SELECT DISTINCT SUBSTR(email, 1, 2) AS e FROM people)",
    *(f"WITH t AS (SELECT code, COUNT(*) AS n FROM orders GROUP BY code) {sql}" for sql in TWICE),
]


@pytest.mark.parametrize("sql", QUERIES)
@pytest.mark.one_in(3)
def test_the_answer_is_duckdbs(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    with dpsql.connect(connection, policy=POLICY) as db:
        answer = db.run(sql, eps=10**6, delta=1e-6)
    wanted = connection.execute(sql).fetchall()
    assert sorted(map(_round, answer.rows)) == sorted(map(_round, wanted))
    assert "units, counted with noise" not in str(answer)


def _round(row: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(v if isinstance(v, str) else f"{float(str(v)):.2f}" for v in row)


def test_keys_that_are_listed_are_summed_of_their_groups(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """Of two groups the sum of both counts is as good as one, and theirs is what is asked."""
    sql = "SELECT AVG(n) FROM (SELECT seg, COUNT(*) AS n FROM people GROUP BY seg)"
    with dpsql.connect(connection, policy=POLICY) as db:
        assert "2 groups" in str(db.explain(sql, eps=1))


def test_the_greatest_count_is_of_groups_that_are_shown(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    sql = "SELECT MAX(n), COUNT(*) FROM (SELECT email, COUNT(*) AS n FROM people GROUP BY email)"
    with dpsql.connect(connection, policy=POLICY) as db:
        answer = db.run(sql, eps=1, delta=1e-6)
    assert answer.rows == ((None, 0),)
    assert "left out" in str(answer)
