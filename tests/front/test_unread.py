"""What nothing reads is not measured, what something reads is, and the answer is DuckDB's."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

import dpsql
from dpsql.compile import ReleasedQuery, compile_query
from tests.front.test_totals import POLICY
from tests.support.orders import orders
from tests.support.policies import load

MADE = "SELECT maybe k, COUNT(*) n, SUM(amount) s, AVG(amount) m FROM orders GROUP BY maybe"

READ = {
    # Its columns are the query's, or another's condition, key, order or argument.
    f"SELECT n, s FROM ({MADE})": {"n", "s"},
    f"SELECT n FROM ({MADE}) WHERE s > 100": {"n", "s"},
    f"SELECT n FROM ({MADE}) ORDER BY s, k": {"n", "s"},
    f"SELECT SUM(n) FROM ({MADE})": {"n"},
    f"SELECT s > 100 AS b, SUM(n) FROM ({MADE}) GROUP BY b ORDER BY b": {"n", "s"},
    f"SELECT k, n, RANK() OVER (ORDER BY s) FROM ({MADE})": {"n", "s"},
    f"SELECT k, n FROM (SELECT k, n, RANK() OVER (ORDER BY s) FROM ({MADE}))": {"n"},
    f"WITH x AS ({MADE}) SELECT a.n, b.s FROM x a JOIN x b ON a.k = b.k": {"n", "s"},
    f"WITH x AS ({MADE}) SELECT a.n FROM x a JOIN x b ON a.k = b.k AND b.s > 0": {"n", "s"},
    f"WITH x AS ({MADE}), y AS (SELECT k, n, s / n AS q FROM x) SELECT k, n FROM y": {"n"},
    f"WITH x AS ({MADE}), y AS (SELECT k, n, s / n AS q FROM x) SELECT k, q FROM y": {"n", "s"},
    f"SELECT n FROM ({MADE}) UNION ALL SELECT n FROM ({MADE}) ORDER BY 1": {"n"},
    # A count of groups, as a set's.
    f"SELECT COUNT(*) FROM (SELECT s, m FROM ({MADE}))": {"n"},
}


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    with orders(POLICY) as found:
        yield found


@pytest.mark.parametrize("sql", READ)
def test_the_answer_is_the_same(db: dpsql.Database, sql: str) -> None:
    expected = db.plain.execute(sql).fetchall()  # type: ignore[attr-defined]
    answer = [tuple(r) for r in db.run(sql, eps=10**6).rows]
    assert sorted(answer, key=repr) == sorted(expected, key=repr)


@pytest.mark.parametrize("sql", READ)
def test_what_is_read_is_measured(db: dpsql.Database, sql: str) -> None:
    query = compile_query(sql, db.schema, Fraction(1))
    assert isinstance(query.query, ReleasedQuery)
    calls = {c.function for r in query.query.releases for _, c in r.aggregate.calls}
    named = {"n": "count", "s": "sum", "m": "avg"}
    assert calls == {named[name] for name in READ[sql]}


UNREAD = [
    "SELECT COUNT(*) AS n FROM customers WHERE vip",
    "SELECT n FROM (SELECT COUNT(*) AS n, SUM(balance) AS s FROM customers WHERE vip)",
    "WITH x AS (SELECT COUNT(*) AS n, MAX(balance) AS s FROM customers WHERE vip) SELECT n FROM x",
    "SELECT n FROM (SELECT COUNT(*) AS n, MEDIAN(balance) * 2 AS s FROM customers WHERE vip)",
    "SELECT (SELECT n FROM (SELECT COUNT(*) AS n, SUM(balance) AS s FROM customers WHERE vip)) n",
]


@pytest.mark.parametrize("sql", UNREAD)
def test_the_price_is_of_what_is_read(sql: str) -> None:
    schema = load("shop").schema
    query = compile_query(sql, schema, Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    assert len([m for release in query.releases for m in release.measures]) == 1
