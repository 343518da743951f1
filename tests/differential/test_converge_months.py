"""Windows of a RANGE of months over released groups have the groups that DuckDB's have, also at
the ends of months that are of several lengths.
"""

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
      day: {type: DATE, bounds: [2023-11-01, 2024-04-30], nullable: false}
      seen: {type: TIMESTAMP, bounds: [2023-01-01 00:00:00, 2024-12-31 23:59:59]}
"""
DATA = """
    CREATE TABLE people AS SELECT i AS id, DATE '2023-11-01' + (i * 13 % 182)::INTEGER AS day,
        TIMESTAMP '2023-01-31' + INTERVAL (i * 29 % 16500) HOUR AS seen FROM range(900) AS t(i);
"""
FRAMES = [
    "INTERVAL 1 MONTH PRECEDING AND CURRENT ROW",
    "INTERVAL 3 MONTH PRECEDING AND INTERVAL 1 MONTH PRECEDING",
    "CURRENT ROW AND INTERVAL '1' YEAR FOLLOWING",
    "UNBOUNDED PRECEDING AND INTERVAL 1 QUARTER FOLLOWING",
]
KEYS = ["day", "date_trunc('month', seen)", "date_trunc('day', seen)::DATE"]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("order", ["k", "k DESC"])
@pytest.mark.one_in(3)
def test_ranges_of_months(key: str, frame: str, order: str) -> None:
    groups = f"SELECT {key} AS k, COUNT(*) AS n FROM people GROUP BY 1"
    text = f"SELECT k, n, SUM(n) OVER (ORDER BY {order} RANGE BETWEEN {frame}) FROM ({groups})"
    data = duckdb.connect()
    data.execute(DATA)
    wanted = [row for row in data.execute(text).fetchall() if row[0] is not None]
    with dpsql.connect(data, POLICY, version="1") as db:
        found = [row for row in db.run(text, 10**6).rows if row[0] is not None and row[1]]
    assert sorted(found) == sorted(wanted)
