"""What stands in one row of a unit: DuckDB's answer, where one row is the first."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpsql

SCRIPT = """
CREATE TABLE calls AS SELECT
    (i % 50)::INTEGER AS person,
    CASE WHEN i % 7 > 0 THEN (i * 37 % 200)::INTEGER END AS place,
    CASE WHEN i % 5 > 0 THEN (i * 11 % 9)::INTEGER END AS code,
    i AS number
FROM range(200) AS r(i)
"""
POLICY = """
unit: calls.person
budget: {eps: 1e12}
tables:
  calls:
    access: private
    columns:
      person: {type: INTEGER, max_rows: 4}
      place: {type: INTEGER, bounds: [0, 200]}
      code: {type: INTEGER, bounds: [0, 8], nullable: true}
      number: {type: BIGINT, bounds: [0, 200]}
"""
VALUES = [
    "ARG_MAX(code, place)",
    "ARG_MIN(code, place)",
    "MAX_BY(code, number)",
    "ARG_MAX(code, place) FILTER (WHERE number > 60)",
    "FIRST(code ORDER BY number)",
    "FIRST(code ORDER BY place DESC NULLS LAST, number)",
    "LAST(code ORDER BY number)",
    "LAST(code ORDER BY place NULLS FIRST, number DESC)",
    "ANY_VALUE(person % 9)",
    "ARG_MAX(code, number) + ARG_MIN(code, number)",
]


@pytest.fixture(scope="module")
def data() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        made.execute(SCRIPT)
        yield made


@pytest.fixture(scope="module")
def db(data: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with dpsql.connect(data.cursor(), dpsql.Policy.parse(POLICY), version="1") as opened:
        yield opened


@pytest.mark.parametrize("value", VALUES)
def test_it_is_duckdbs(data: duckdb.DuckDBPyConnection, db: dpsql.Database, value: str) -> None:
    rows = f"SELECT person, {value} AS v FROM calls GROUP BY person"
    query = f"SELECT COUNT(v) AS n, SUM(v) AS total, SUM(v * v) AS squares FROM ({rows})"
    assert db.run(query, 10**6).rows == tuple(data.execute(query).fetchall())
    groups = f"SELECT v, COUNT(*) AS n FROM ({rows}) GROUP BY v HAVING COUNT(*) > 0 ORDER BY v"
    assert db.run(groups, 10**6).rows == tuple(data.execute(groups).fetchall())


def test_of_equal_ones_it_is_the_least(data: duckdb.DuckDBPyConnection, db: dpsql.Database) -> None:
    rows = "SELECT person, ARG_MAX(number, number // 1000) AS v FROM calls GROUP BY person"
    least = "SELECT person, MIN(number) AS v FROM calls GROUP BY person"
    (found,) = db.run(f"SELECT SUM(v) FROM ({rows})", 10**6).rows
    assert found == data.execute(f"SELECT SUM(v) FROM ({least})").fetchone()
