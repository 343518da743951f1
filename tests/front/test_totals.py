"""Aggregates OVER partitions of several units' rows are SQL's with less and less noise, and what a
released row fixes is no key of its own."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

import dpsql
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.plan.nodes import Aggregate, nodes
from dpsql.core.release.release import Release
from dpsql.errors import Rejected
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
      segment: {type: VARCHAR, values: [public, home, office], nullable: false}
  orders:
    access: private
    key: [id]
    columns:
      id:       {type: BIGINT}
      customer: {type: BIGINT, references: customers.id, max_rows: 5}
      amount:   {type: BIGINT, bounds: [-50, 50], nullable: false}
      k:        {type: VARCHAR, values: [k0, k1, k2, k3, k4, k5, k6], nullable: false}
      maybe:    {type: BIGINT, bounds: [0, 3], nullable: true}
"""

CONVERGES = """
SELECT COUNT(*) FROM (SELECT amount, AVG(amount) OVER (PARTITION BY k) AS a FROM orders)
    WHERE amount > a;
SELECT COUNT(*), SUM(LEAST(GREATEST(n - amount, 0), 500)) FROM (SELECT COUNT(*) OVER () AS n, amount
    FROM orders WHERE amount > 20);
SELECT k, AVG(LEAST(GREATEST(amount - a, -50), 50)) FROM (SELECT k, amount, AVG(amount) OVER () AS a
    FROM orders) GROUP BY k;
SELECT SUM(LEAST(GREATEST(n, 0), 500)) FROM (SELECT k, COUNT(maybe) OVER (PARTITION BY k,
    amount > 0) AS n FROM orders);
SELECT k, a, COUNT(*) FROM (SELECT k, AVG(amount) OVER (PARTITION BY k) AS a FROM orders)
    GROUP BY k, a;
SELECT a, COUNT(*) FROM (SELECT AVG(amount) OVER () AS a FROM orders) GROUP BY a;
SELECT k, a - 1, COUNT(*) FROM (SELECT k, SUM(amount) OVER () AS a FROM orders) GROUP BY k, a - 1;
SELECT DISTINCT k, SUM(amount) OVER (PARTITION BY k) FROM orders;
WITH g AS (SELECT k, COUNT(*) AS n FROM orders GROUP BY k)
    SELECT o.k, g.n, COUNT(*) FROM orders o JOIN g ON g.k = o.k GROUP BY o.k, g.n;
WITH g AS (SELECT k, COUNT(*) AS n FROM orders GROUP BY k HAVING COUNT(*) > 50)
    SELECT o.k, g.n, SUM(o.amount) FROM orders o JOIN g ON g.k = o.k GROUP BY o.k, g.n;
SELECT k, x, n FROM (SELECT k, amount // 25 AS x, n, COUNT(*) FROM (SELECT k, amount,
    COUNT(*) OVER (PARTITION BY k) AS n FROM orders) GROUP BY ALL) WHERE x = 0;
SELECT SUM(LEAST(GREATEST(n, 0), 500)) FROM (SELECT customer, k, n FROM (SELECT customer, k,
    COUNT(*) OVER (PARTITION BY k) AS n FROM orders) GROUP BY customer, k, n)
""".strip().split(";\n")


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    with orders(POLICY) as found:
        yield found


def rows(answer: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """In one order, rounded; without keys of which there is no order, and which are listed."""
    made = [tuple(round(float(v), 3) if not isinstance(v, str) else v for v in r) for r in answer]
    return sorted((r for r in made if r[0] not in ("k2", "k3", "k5", "k6")), key=str)


@pytest.mark.parametrize("sql", CONVERGES)
@pytest.mark.one_in(3)
def test_with_less_noise_it_is_what_sql_says(db: dpsql.Database, sql: str) -> None:
    expected = db.plain.execute(sql).fetchall()  # type: ignore[attr-defined]
    found = [tuple(r) for r in db.run(sql, eps=10**6).rows if None not in r]
    assert rows(found) == rows(expected)


def releases(sql: str) -> tuple[Release, ...]:
    """What a query of the shop releases."""
    query = compile_query(sql, load("shop").schema, Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    return query.releases


def test_a_partition_is_released_once_for_all_its_totals() -> None:
    sql = """SELECT COUNT(*) FROM (SELECT age, AVG(age) OVER (PARTITION BY segment) AS a, COUNT(*)
        OVER (PARTITION BY segment) AS n FROM customers) WHERE age > a AND n > 3"""
    assert [r.domain.size for r in releases(sql)] == [3, 1]


def test_a_released_row_is_found_by_another_one() -> None:
    sql = """WITH f AS (SELECT segment AS k, MAX(age) AS a FROM customers GROUP BY segment),
        g AS (SELECT age AS m, COUNT(*) AS n FROM customers GROUP BY age)
        SELECT o.segment, f.a, g.n, COUNT(*) FROM customers o, g, f
        WHERE g.m = f.a AND f.k = o.segment GROUP BY o.segment, g.n, f.a"""
    assert [r.domain.size for r in releases(sql)] == [82, 3, 3]


@pytest.mark.parametrize(
    ("condition", "refused"), [("n > 3", True), ("n - amount > 3", False), ("amount > 3", False)]
)
@pytest.mark.parametrize("partition", ["", "PARTITION BY 1", "PARTITION BY customer"])
def test_a_condition_on_a_total_alone_is_refused(
    condition: str, refused: bool, partition: str
) -> None:
    sql = f"""SELECT COUNT(*) FROM (SELECT units AS amount, COUNT(*) OVER ({partition}) AS n
        FROM (SELECT 1 AS customer, units FROM orders) ORDER BY 1) WHERE {condition}"""
    if refused:
        with pytest.raises(dpsql.Rejected, match="DP405: this asks of a total alone"):
            releases(sql)
    else:
        assert releases(sql)


def test_a_total_of_one_units_rows_is_not_released() -> None:
    sql = """SELECT COUNT(*) FROM (SELECT COUNT(*) OVER (PARTITION BY customer) AS n FROM orders)
        WHERE n > 1"""
    assert len(releases(sql)) == 1


@pytest.mark.parametrize(
    ("keys", "size"), [("segment, a", 3), ("a, segment", 3), ("a", 83), ("vip, a", 2 * 83)]
)
def test_what_a_released_row_fixes_is_no_key(keys: str, size: int) -> None:
    """The 82 values that a greatest age can be, and none, are listed where nothing fixes it."""
    sql = f"""SELECT {keys}, COUNT(*) FROM (SELECT segment, vip, MAX(age) OVER (PARTITION BY
        segment) AS a FROM customers) GROUP BY {keys}"""
    assert releases(sql)[-1].domain.size == size


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) FROM (SELECT MAX(units) OVER (PARTITION BY status) AS m FROM orders) "
        "WHERE m > 3",
        "SELECT COUNT(*) FROM (SELECT MAX(units) OVER (ORDER BY units) AS m FROM orders) "
        "WHERE m > 3",
        "SELECT COUNT(*) FROM (SELECT MAX(units) OVER (ROWS UNBOUNDED PRECEDING) AS m "
        "FROM orders) WHERE m > 3",
        "SELECT COUNT(*) FROM (SELECT FIRST_VALUE(units) OVER () AS m FROM orders) WHERE m > 3",
    ],
)
def test_what_is_no_total_of_all_rows_of_a_partition_is_refused(sql: str) -> None:
    """NULL is a partition that no join on equal keys would find."""
    with pytest.raises(Rejected, match="a window over rows of several units"):
        releases(sql)


def public_keys(subquery: str) -> int:
    """By how many keys a subquery over public tables is grouped where private rows meet it."""
    sql = f"SELECT COUNT(*) FROM customers c JOIN ({subquery}) d ON c.region = d.id"
    (release,) = releases(sql)
    found = [n for n in nodes(release.aggregate.input) if isinstance(n, Aggregate)]
    return len(found[0].keys)


@pytest.mark.parametrize(
    ("subquery", "keys"),
    [
        ("SELECT DISTINCT id, name, zone FROM regions", 1),
        ("SELECT DISTINCT zone, id FROM regions", 1),
        ("SELECT DISTINCT a.id, b.name FROM regions a JOIN regions b ON a.id = b.id", 1),
        ("SELECT DISTINCT a.id, b.name FROM regions a LEFT JOIN regions b ON a.id = b.id", 1),
        ("SELECT a.id, b.id AS other FROM regions a JOIN regions b ON a.id = b.id GROUP BY ALL", 1),
        ("SELECT DISTINCT id, name || zone AS t FROM regions", 1),
    ],
)
def test_public_keys_that_others_determine_are_no_keys(subquery: str, keys: int) -> None:
    assert public_keys(subquery) == keys


@pytest.mark.parametrize(
    "subquery",
    [
        "SELECT DISTINCT a.id, b.name FROM regions a JOIN regions b ON a.zone = b.zone",
        "SELECT DISTINCT a.id, b.id AS other FROM regions a JOIN regions b ON a.id < b.id",
        "SELECT DISTINCT a.id, b.name FROM regions a LEFT JOIN regions b ON a.zone = b.zone",
        "SELECT DISTINCT id, both_names FROM (SELECT a.id, b.name || a.name AS both_names FROM "
        "regions a JOIN regions b ON a.id <> b.id)",
    ],
)
def test_public_keys_that_others_do_not_determine_stay(subquery: str) -> None:
    with pytest.raises(Rejected, match="could meet any number of rows"):
        public_keys(subquery)
