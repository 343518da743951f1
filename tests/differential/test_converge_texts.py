"""LEAST and GREATEST of texts, and patterns that are put together of constants, are DuckDB's."""

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
      id: {type: INTEGER}
      name: {type: VARCHAR, max_length: 12}
      place: {type: VARCHAR, values: [north, south, "Öst"]}
"""
DATA = """
    CREATE TABLE people AS SELECT i::INTEGER AS id,
        CASE WHEN i % 7 > 0 THEN ['abe', 'Zoe', 'öde', '', 'north', 'x' || i][i % 6 + 1] END
            AS name,
        CASE WHEN i % 5 > 0 THEN ['north', 'south', 'Öst'][i % 3 + 1] END AS place
    FROM range(300) AS r(i);
"""
QUERIES = [
    "SELECT SUM(LENGTH(GREATEST(name, place))) AS n FROM people",
    "SELECT COUNT(LEAST(name, place, NULL)) AS n FROM people",
    "SELECT COUNT(*) AS n FROM people WHERE GREATEST(name, 'b') = name",
    "SELECT COUNT(*) AS n FROM people WHERE name LIKE 'x' || '1' || '%'",
    "SELECT COUNT(*) AS n FROM people WHERE regexp_matches(name, CONCAT('^[a-z]', '+$'))",
    "SELECT GREATEST(place, 'nose') AS k, COUNT(*) AS n FROM people GROUP BY k",
]


@pytest.mark.parametrize("text", QUERIES)
def test_it_is_duckdbs(text: str) -> None:
    data = duckdb.connect()
    data.execute(DATA)
    with dpsql.connect(data, POLICY, version="1") as db:
        rows = db.run(text, 10**6).rows
    found = {row[:-1]: round(row[-1]) for row in rows if round(row[-1])}
    assert found == {row[:-1]: row[-1] for row in data.execute(text).fetchall()}
