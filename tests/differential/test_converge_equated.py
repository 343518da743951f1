"""Joins in which several columns equal one that names the unit: rows are DuckDB's, in any order of
the conditions, and neighbours are as far apart as is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import duckdb
import pytest

import dpsql
from dpsql import audit

POLICY = """
unit: people.id
budget: {eps: 1e9}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      age: {type: BIGINT, bounds: [0, 99], nullable: false}
  orders:
    access: private
    columns:
      payer: {type: BIGINT, references: people.id, max_rows: 6}
      receiver: {type: BIGINT}
      agent: {type: INTEGER}
  shops:
    access: public
    key: [id]
    columns: {id: {type: INTEGER}}
"""
DATA = """
    CREATE TABLE people AS SELECT i AS id, (i * 7) % 90 AS age FROM range(30) AS t(i);
    CREATE TABLE orders AS SELECT i % 30 AS payer, IF(i % 3 = 0, i % 30, i % 7) AS receiver,
        (IF(i % 4 = 0, i % 30, i % 5))::INTEGER AS agent FROM range(150) AS t(i);
    INSERT INTO orders VALUES (1, NULL, 1), (NULL, 2, 2), (3, 3, NULL);
    CREATE TABLE shops AS SELECT i::INTEGER AS id FROM range(12) AS t(i);
"""
ALIKE = ("o.payer = p.id", "o.receiver = p.id", "o.agent = o.receiver")
SHOPS = ("o.payer = s.id", "o.receiver = s.id", "o.agent = s.id")
QUERIES = [
    *(
        f"SELECT COUNT(*), SUM(p.age) FROM orders o JOIN people p ON {' AND '.join(terms)}"
        for terms in permutations(ALIKE)
    ),
    *(
        f"SELECT COUNT(*), COUNT(DISTINCT o.payer) FROM orders o JOIN shops s ON "
        f"{' AND '.join(terms)}"
        for terms in permutations(SHOPS)
    ),
    *(
        "SELECT COUNT(*), SUM(p.age) FROM orders o JOIN shops s ON o.payer = s.id AND "
        f"o.receiver = s.id JOIN people p ON p.id = {column}"
        for column in ("o.payer", "o.receiver", "s.id")
    ),
    "SELECT COUNT(*), COUNT(DISTINCT a.payer) FROM orders a JOIN orders b ON a.payer = b.receiver "
    "AND a.agent = b.receiver AND a.payer = b.payer",
]


@pytest.fixture(scope="module")
def data() -> Iterator[duckdb.DuckDBPyConnection]:
    made = duckdb.connect()
    made.execute(DATA)
    yield made
    made.close()


@pytest.mark.parametrize("text", QUERIES)
def test_what_equals_the_unit_names_it(data: duckdb.DuckDBPyConnection, text: str) -> None:
    with dpsql.connect(data, POLICY, version="1") as db:
        (found,) = db.run(text, 10**6).rows
        (wanted,) = data.execute(text).fetchall()
        assert [round(float(v)) for v in found] == [round(float(v)) for v in wanted]
        report = audit.check(db, text, units=3, worlds=0, samples=0)
        assert report.holds, str(report)
