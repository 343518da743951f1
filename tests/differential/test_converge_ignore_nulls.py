"""IGNORE NULLS in windows over released and public rows is DuckDB's."""

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
      age: {type: INTEGER, bounds: [0, 19], nullable: false}
"""
DATA = """
    CREATE TABLE people AS SELECT i AS id, (i * i % 20)::INTEGER AS age FROM range(400) AS t(i);
"""
CALLS = [
    "LAST_VALUE(m IGNORE NULLS) OVER (ORDER BY age)",
    "FIRST_VALUE(m IGNORE NULLS) OVER (ORDER BY age DESC)",
    "LAG(m IGNORE NULLS) OVER (ORDER BY age)",
    "LEAD(m, 2, 7 IGNORE NULLS) OVER (ORDER BY age)",
    "NTH_VALUE(m, 3 IGNORE NULLS) OVER (ORDER BY age)",
    """LAST_VALUE(m IGNORE NULLS) OVER (ORDER BY age ROWS BETWEEN UNBOUNDED PRECEDING
       AND 1 PRECEDING)""",
    "LAG(m RESPECT NULLS) OVER (ORDER BY age)",
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.one_in(2)
def test_nulls_are_ignored(call: str) -> None:
    data = duckdb.connect()
    data.execute(DATA)
    groups = """SELECT age, CASE WHEN n > 20 THEN n END AS m FROM (SELECT a.age, COUNT(p.id) AS n
        FROM (SELECT x::INTEGER AS age FROM range(20) AS r(x)) a LEFT JOIN people p ON p.age = a.age
        GROUP BY 1)"""
    text = f"SELECT age, {call} AS v FROM ({groups})"
    wanted = sorted(data.execute(text).fetchall())
    other = sorted(data.execute(text.replace(" IGNORE NULLS", "")).fetchall())
    assert other != wanted or "RESPECT" in call, "it would show nothing"
    with dpsql.connect(data, POLICY, version="1") as db:
        assert sorted(db.run(text, 10**6).rows) == wanted
