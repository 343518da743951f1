"""What is made from groups is made from those that have rows: with less and less noise it is what
SQL says, and with much noise hardly any group is there by noise alone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import pytest

import dpsql
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.release.formulas import Exceeds
from tests.support.orders import orders
from tests.support.policies import load

POLICY = """
unit: customers.id
budget: {eps: 1000000000}
tables:
  customers:
    access: private
    key: [id]
    columns:
      id:      {type: BIGINT}
      segment: {type: VARCHAR, values: [public, home, office]}
      birth:   {type: BIGINT, bounds: [1000, 1999]}
  orders:
    access: private
    key: [id]
    columns:
      id:       {type: BIGINT}
      customer: {type: BIGINT, references: customers.id, max_rows: 5}
      amount:   {type: BIGINT, bounds: [-50, 50]}
      k:        {type: VARCHAR, values: [k0, k1, k2, k3, k4, k5, k6], nullable: false}
"""

GROUPS = "(SELECT k, COUNT(*) AS n, SUM(amount) AS s FROM orders GROUP BY k)"

CONVERGES = f"""
SELECT AVG(n), COUNT(*) FROM {GROUPS};
SELECT MIN(n), MAX(n), MEDIAN(n), SUM(n), MAX(s), MIN(s) FROM {GROUPS};
SELECT SUM(n * 2) / COUNT(*) FROM {GROUPS};
SELECT k, RANK() OVER (ORDER BY s) FROM {GROUPS};
SELECT k, n - LAG(n) OVER (ORDER BY k) FROM {GROUPS} WHERE k <> 'k2';
SELECT k, COUNT(*) OVER (), AVG(n) OVER () FROM {GROUPS};
SELECT b, SUM(n) OVER (ORDER BY b RANGE BETWEEN 3 PRECEDING AND 1 PRECEDING) FROM
    (SELECT birth AS b, COUNT(*) AS n FROM customers GROUP BY birth);
SELECT b, COUNT(*) OVER (ORDER BY b RANGE BETWEEN 7 PRECEDING AND 7 FOLLOWING) FROM
    (SELECT birth AS b, COUNT(*) AS n FROM customers GROUP BY birth);
SELECT n > 30, COUNT(*) FROM {GROUPS} GROUP BY 1;
SELECT COUNT(DISTINCT k), COUNT(k) FROM {GROUPS};
SELECT COUNT(*) FROM (SELECT DISTINCT k FROM orders);
SELECT COUNT(*) FROM (SELECT k FROM orders UNION SELECT segment FROM customers);
SELECT a.k, b.n FROM {GROUPS} a JOIN (SELECT k, COUNT(*) AS n FROM orders WHERE amount > 40
    GROUP BY k) b ON a.k = b.k;
SELECT a.k, b.n FROM {GROUPS} a LEFT JOIN (SELECT k, COUNT(*) AS n FROM orders WHERE k >
    'k2' GROUP BY k) b ON a.k = b.k WHERE a.k < 'k5';
SELECT COUNT(*) FROM {GROUPS} a FULL JOIN (SELECT k, COUNT(*) AS n FROM orders WHERE k >
    'k2' GROUP BY k) b ON a.k = b.k;
SELECT COUNT(*) FROM orders o JOIN {GROUPS} g ON o.k = g.k WHERE g.n > 10;
SELECT COUNT(*) FROM customers WHERE birth IN (SELECT 1000 + 7 * n FROM {GROUPS});
WITH w AS {GROUPS} SELECT COUNT(*), AVG(s) FROM w WHERE s > (SELECT AVG(s) FROM w);
WITH w AS {GROUPS} SELECT (SELECT COUNT(*) FROM w), (SELECT MAX(n) FROM w);
SELECT COUNT(*), AVG(m) FROM (SELECT k, segment, AVG(amount) AS m FROM orders o JOIN
    customers c ON o.customer = c.id GROUP BY k, segment);
SELECT AVG(n) FROM (SELECT segment, birth, COUNT(*) AS n FROM customers WHERE segment =
    'public' GROUP BY ALL);
SELECT segment, COUNT(*) AS years, MIN(n) FROM (SELECT segment, birth, COUNT(*) AS n FROM
    customers GROUP BY ALL) GROUP BY segment HAVING COUNT(*) > 5
""".strip().split(";\n")
"""Of the keys k5 and k6 there is no order, of the segment office no customer, and of most years."""

LISTED = f"""
SELECT k, n, s FROM {GROUPS};
SELECT k, n * 100.0 / SUM(n) OVER () FROM {GROUPS};
SELECT k, SUM(n) OVER (ORDER BY k) FROM {GROUPS};
SELECT k, SUM(n) OVER (ORDER BY LENGTH(k) RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM {GROUPS};
SELECT SUM(n), SUM(s) / SUM(n) FROM {GROUPS};
SELECT SUM(CASE WHEN k < 'k3' THEN n ELSE 0 END), SUM(n) FILTER (WHERE k > 'k2') FROM
    {GROUPS};
SELECT k > 'k2', SUM(n) FROM {GROUPS} GROUP BY 1;
SELECT MAX(CASE WHEN k = 'k1' THEN n END), MAX(CASE WHEN k = 'k6' THEN s END) FROM {GROUPS};
FROM (SELECT k, amount FROM orders) PIVOT (SUM(amount) FOR k IN ('k1', 'k6'))
""".strip().split(";\n")
"""What groups that add 0 make no worse: all are taken, and no ε is spent on telling them apart."""


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    with orders(POLICY) as found:
        yield found


def rows(answer: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return sorted(
        (tuple(round(v, 6) if isinstance(v, float) else v for v in row) for row in answer), key=str
    )


@pytest.mark.parametrize("sql", CONVERGES)
@pytest.mark.one_in(3)
def test_with_less_noise_it_is_what_sql_says(db: dpsql.Database, sql: str) -> None:
    expected = rows(db.plain.execute(sql).fetchall())  # type: ignore[attr-defined]
    assert rows(list(db.run(sql, eps=10**6).rows)) == expected


def presences(sql: str) -> int:
    """How many releases tell whether groups have rows."""
    query = compile_query(sql, load("shop").schema, Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    formulas = [o.formula for r in query.releases for o in r.outputs]
    return sum(isinstance(f, Exceeds) and f.among for f in formulas)


SHOP = "(SELECT status AS k, COUNT(*) AS n, SUM(amount) AS s FROM orders GROUP BY status)"


@pytest.mark.parametrize("sql", [sql.replace(GROUPS, SHOP) for sql in LISTED[:-1]])
def test_what_no_empty_group_changes_takes_them_all(sql: str) -> None:
    assert presences(sql) == 0


def test_a_pivot_takes_them_all() -> None:
    pivot = "FROM (SELECT status, amount FROM orders) PIVOT (SUM(amount) FOR status IN ('open'))"
    assert presences(pivot) == 0


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT AVG(n) FROM {SHOP}",
        f"SELECT SUM(1) FROM {SHOP}",
        f"SELECT SUM(n + 1) FROM {SHOP}",
        f"SELECT SUM(n) FILTER (WHERE n < 5) FROM {SHOP}",
        f"SELECT SUM(DISTINCT n) FROM {SHOP}",
        f"SELECT n, SUM(n) FROM {SHOP} GROUP BY n",
        f"SELECT MAX(CASE WHEN k <> 'open' THEN n END) FROM {SHOP}",
        f"SELECT k, SUM(n) OVER (ORDER BY k ROWS 1 PRECEDING) FROM {SHOP}",
        "SELECT k, SUM(n) OVER (ORDER BY LENGTH(k) RANGE BETWEEN 2 PRECEDING AND 1 PRECEDING) FROM "
        + SHOP,
        f"SELECT DISTINCT n FROM {SHOP}",
    ],
)
def test_what_an_empty_group_changes_does_without(sql: str) -> None:
    assert presences(sql) == 1


def test_a_count_that_is_asked_for_is_measured_once() -> None:
    query = compile_query(
        f"SELECT AVG(n), SUM(s) FROM {SHOP}", load("shop").schema, Fraction(1)
    ).query
    assert isinstance(query, ReleasedQuery)
    assert [len(r.measures) for r in query.releases] == [2]  # the sum, and the one count


def test_of_all_groups_hardly_one_is_there_by_noise(db: dpsql.Database) -> None:
    """Of 920 years without customers; at 95 % each, 23 would be."""
    sql = "SELECT COUNT(*), AVG(n) FROM (SELECT birth, COUNT(*) AS n FROM customers GROUP BY birth)"
    sql = sql.replace("customers", "(SELECT * FROM customers WHERE birth >= 1080)")
    runs = 60
    there = [int(db.run(sql, eps=1, fresh=True).rows[0][0]) for _ in range(runs)]
    assert 0 < sum(there) <= runs + 4 * math.sqrt(runs)
