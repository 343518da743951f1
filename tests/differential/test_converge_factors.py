"""Sums and means of a number times, or divided by, what is released and one value for a group; and
whole numbers beside conditions: the answers are DuckDB's.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pytest

import dpsql
from dpsql import audit
from tests.support.noiseless import NO_NOISE, noiseless

POLICY = """
unit: people.id
budget: {eps: 1e15, delta: 1e-4}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      town: {type: VARCHAR, values: [a, b, c], nullable: false}
      tall: {type: BOOLEAN}
  orders:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 9}
      n: {type: INTEGER, bounds: [0, 9]}
      price: {type: DOUBLE, bounds: [-2, 50]}
"""
DATA = """
    CREATE TABLE people AS SELECT i AS id, ['a', 'b', 'c'][1 + i % 3] AS town,
        nullif(i % 4, 3) = 1 AS tall FROM range(60) AS t(i);
    CREATE TABLE orders AS SELECT i % 60 AS person, (i % 7)::INTEGER AS n,
        (nullif(i % 11, 3) * 4.5 - 2)::DOUBLE AS price FROM range(400) AS t(i);
"""
TOTAL = "(SELECT SUM(price) AS total, COUNT(*) AS n, AVG(price) AS mean FROM orders) AS s"
TOWNS = (
    "orders o JOIN people p ON p.id = o.person JOIN (SELECT town, SUM(price) AS total, "
    "AVG(price) AS mean, COUNT(*) AS n FROM orders JOIN people ON id = person GROUP BY town) AS s "
    "ON s.town = p.town"
)
OF_TOWN = "FROM orders JOIN people ON id = person"
QUERIES = [
    "SELECT SUM(price / (SELECT COUNT(*) FROM orders)) AS a, COUNT(*) AS n FROM orders",
    f"SELECT SUM(o.n * s.n) AS a, SUM(s.total * o.n) AS b, AVG(o.n) AS c FROM orders o, {TOTAL}",
    f"SELECT AVG((price - mean) / (0.1 + total)) AS a FROM orders, {TOTAL}",
    f"SELECT SUM(v) AS a, SUM(v * v) AS b FROM (SELECT price / total AS v FROM orders, {TOTAL}) q",
    f"SELECT SUM(price / total / s.n) AS a, SUM(-price / total) AS b FROM orders, {TOTAL}",
    f"SELECT SUM(price / total) FILTER (o.n > 3) AS a FROM orders o, {TOTAL}",
    f"SELECT SUM(1.0 / s.n) AS a, SUM(price / NULLIF(s.n, s.n)) AS b FROM orders, {TOTAL}",
    "SELECT town, SUM(o.n / (SELECT SUM(n) FROM orders)) AS share FROM orders o "
    "JOIN people ON id = person GROUP BY town HAVING share > 0.1 ORDER BY town",
    f"SELECT p.town, SUM(price / total) AS a, AVG((price - mean) / s.n) AS b FROM {TOWNS} "
    "GROUP BY p.town",
    f"SELECT town, SUM(v) AS a, COUNT(v) AS b FROM (SELECT p.town, (price - mean) / (1 + s.n) AS v "
    f"FROM {TOWNS} WHERE o.n > 1) AS q GROUP BY town",
    f"SELECT SUM(price / s.total) AS a FROM {TOWNS} GROUP BY p.town",
    f"WITH m AS (SELECT town, AVG(price) AS mean {OF_TOWN} GROUP BY town), "
    f"s AS (SELECT town, SUM(ABS(price)) AS total {OF_TOWN} GROUP BY town) "
    "SELECT m.town, SUM((price - m.mean) / (0.1 + s.total)) AS a, AVG(price / s.total) AS b "
    f"{OF_TOWN} JOIN m ON people.town = m.town JOIN s ON people.town = s.town GROUP BY m.town",
    "SELECT COUNT_IF(n = TRUE) AS a, COUNT_IF(n > tall) AS b, COUNT_IF(tall IN (1, 2)) AS c, "
    "COUNT_IF(n BETWEEN FALSE AND TRUE) AS d, COUNT_IF(tall < 2) AS e, COUNT_IF(n <> tall) AS f "
    "FROM orders JOIN people ON id = person",
]


def _database() -> dpsql.Database:
    data = duckdb.connect()
    data.execute(DATA)
    return dpsql.connect(data, POLICY)


def _rows(rows: Sequence[tuple[object, ...]]) -> list[list[object]]:
    """The rows in an order; of no row a sum is 0 where it is NULL in DuckDB."""
    numbers = [[v if isinstance(v, str) else float(v or 0) for v in row] for row in rows]  # type: ignore[arg-type]
    return [
        [v if isinstance(v, str) else pytest.approx(v, rel=1e-4, abs=1e-9) for v in row]
        for row in sorted(numbers, key=str)
    ]


@pytest.mark.parametrize("text", QUERIES)
def test_answers_are_duckdbs(text: str) -> None:
    data = duckdb.connect()
    data.execute(DATA)
    with noiseless():
        mine = _database().run(text, eps=NO_NOISE).rows
    wanted = sorted(([*row] for row in data.execute(text).fetchall()), key=str)
    assert [[0 if v is None else v for v in row] for row in wanted] == _rows(mine)


@pytest.mark.parametrize("text", [QUERIES[0], QUERIES[2], QUERIES[8], QUERIES[9]])
def test_no_person_moves_more(text: str) -> None:
    report = audit.check(_database(), text, units=6, worlds=3, samples=0)
    assert report.holds, str(report)


def test_what_is_measured_is_the_sum_of_the_number_alone() -> None:
    text = "SELECT SUM(o.n / s.t) AS a FROM orders o, (SELECT SUM(n) AS t FROM orders) AS s"
    assert [release.l1 for release in _database().explain(text, eps=1).releases] == [81, 81]


def test_what_is_no_factor_stays_refused() -> None:
    for text in (
        f"SELECT SUM(price + total) AS a FROM orders, {TOTAL}",
        f"SELECT SUM(total / price) AS a FROM orders, {TOTAL}",
        f"SELECT SUM(DISTINCT o.n * s.n) AS a FROM orders o, {TOTAL}",
        f"SELECT SUM(price / s.total) AS a FROM {TOWNS}",
    ):
        with pytest.raises(dpsql.Rejected):
            _database().explain(text, eps=1)
