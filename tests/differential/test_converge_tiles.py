"""NTILE over rows of several people, and quantiles as windows over them, are DuckDB's, up to the
row at which a part ends: a quantile may be any value up to the next row's.
"""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

import dpsql
from dpsql.errors import Rejected

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
      height: {type: INTEGER, bounds: [0, 2000], nullable: false}
      weight: {type: INTEGER, bounds: [0, 2000]}
  orders:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 5}
      cost: {type: "DECIMAL(9,2)", bounds: [0, 100], nullable: false}
      day: {type: DATE, bounds: [2023-01-01, 2024-12-31], nullable: false}
  towns:
    access: public
    key: [name]
    columns:
      name: {type: VARCHAR}
"""
DATA = """
    CREATE TABLE people AS SELECT i AS id, ['a', 'b', 'c'][1 + i % 3] AS town,
        (i * 37 % 180 * 11)::INTEGER AS height,
        IF(i % 4 = 0, NULL, i * 41 % 180 * 10)::INTEGER AS weight FROM range(180) AS t(i);
    CREATE TABLE orders AS SELECT i % 180 AS person, (i * 53 % 540 * 0.15)::DECIMAL(9,2) AS cost,
        DATE '2023-01-02' + (i * 59 % 720)::INTEGER AS day FROM range(540) AS t(i);
    CREATE TABLE towns AS SELECT * FROM (VALUES ('a'), ('b'), ('c')) t(name);
"""
QUERIES = [
    "SELECT q, COUNT(*) FROM (SELECT NTILE(4) OVER (ORDER BY height) AS q FROM people) GROUP BY q",
    """SELECT q, COUNT(*) FROM (SELECT height, NTILE(10) OVER (ORDER BY height DESC) AS q
       FROM people) GROUP BY q""",
    """SELECT q, COUNT(*) FILTER (WHERE height < 700) FROM (SELECT height,
       NTILE(4) OVER (ORDER BY height DESC) AS q FROM people) GROUP BY q""",
    """SELECT q, COUNT(*) FROM (SELECT NTILE(5) OVER (ORDER BY day) AS q FROM
       (SELECT person, MAX(day) AS day FROM orders GROUP BY person)) GROUP BY q""",
    """SELECT q, COUNT(*) FROM (SELECT person, NTILE(3) OVER (ORDER BY SUM(cost) DESC) AS q
       FROM orders GROUP BY person) GROUP BY q""",
    """SELECT town, q, COUNT(*) FROM (SELECT town, NTILE(4) OVER (PARTITION BY name ORDER BY height)
       AS q FROM people JOIN towns ON town = name) GROUP BY town, q""",
    "SELECT COUNT(*) FROM (SELECT NTILE(9) OVER (ORDER BY height) AS q FROM people) WHERE q > 6",
    """SELECT q, COUNT(*) FROM (SELECT NTILE(3) OVER (ORDER BY weight) AS q FROM people
       WHERE weight IS NOT NULL) GROUP BY q""",
    """SELECT COUNT(*) FROM (SELECT height, QUANTILE_DISC(height, 0.25) OVER () AS q FROM people)
       WHERE height > q""",
    """SELECT COUNT(*) FROM (SELECT height, MEDIAN(height) OVER (PARTITION BY name) AS q
       FROM people JOIN towns ON town = name) WHERE height > q""",
]


@pytest.fixture(scope="module")
def data() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    made.execute(DATA)
    return made


@pytest.mark.parametrize("text", QUERIES)
@pytest.mark.one_in(2)
def test_tiles_and_quantiles(data: duckdb.DuckDBPyConnection, text: str) -> None:
    found, wanted = _answers(data, text), sorted(data.execute(text).fetchall())
    assert [row[:-1] for row in found] == [row[:-1] for row in wanted]
    assert all(abs(a[-1] - b[-1]) <= 1 for a, b in zip(found, wanted, strict=True))


@pytest.mark.parametrize(("order", "tile"), [("weight", 4), ("weight NULLS FIRST", 1)])
def test_nulls_are_beside_what_is_parted(
    data: duckdb.DuckDBPyConnection, order: str, tile: int
) -> None:
    """45 of 180 are NULL: the parts are of the 135 others."""
    tiles = f"SELECT weight, NTILE(4) OVER (ORDER BY {order}) AS q FROM people"
    found = _answers(data, f"SELECT q, COUNT(weight), COUNT(*) FROM ({tiles}) GROUP BY q")
    assert [q for q, _, _ in found] == [1, 2, 3, 4]
    assert all(32 <= known <= 35 for _, known, _ in found)
    assert [rows - known for _, known, rows in found] == [45 * (q == tile) for q in range(1, 5)]


def test_parts_alone(data: duckdb.DuckDBPyConnection) -> None:
    tiles = "SELECT NTILE(4) OVER (ORDER BY height) AS q FROM people"
    assert _answers(data, f"SELECT DISTINCT q FROM ({tiles})") == [(1,), (2,), (3,), (4,)]


@pytest.mark.parametrize(
    "call", ["NTILE(4) OVER (ORDER BY height, weight)", "NTILE(101) OVER (ORDER BY height)"]
)
def test_other_tiles_are_refused(data: duckdb.DuckDBPyConnection, call: str) -> None:
    with dpsql.connect(data, POLICY, version="1") as db, pytest.raises(Rejected, match="DP405"):
        db.run(f"SELECT q, COUNT(*) FROM (SELECT {call} AS q FROM people) GROUP BY q", 1)


def _answers(data: duckdb.DuckDBPyConnection, text: str) -> list[tuple[Any, ...]]:
    with dpsql.connect(data, POLICY, version="1") as db:
        return sorted(db.run(text, 10**6).rows)
