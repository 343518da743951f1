"""Conversions of an operand to a smaller type, which a function takes: they fail on no row."""

from __future__ import annotations

from unittest.mock import patch

import duckdb
import pytest

import dpsql
from dpsql.core.account import amount

POLICY = """
unit: u.id
budget: {eps: 1000000}
tables:
  u:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      b: {type: BIGINT}
      i: {type: INTEGER}
      d: {type: DATE}
      t: {type: TIMESTAMP}
"""
ENDS = (-(2**63), -(2**31), -1, 0, 1, 2**31 - 1, 2**63 - 1)
MOMENTS = (
    "0001-12-31 (BC) 00:00:00",
    "2020-03-01 00:00:00",
    "9999-12-31 23:59:59",
    "294247-01-10 00:00:00",
)


@pytest.fixture(scope="module")
def data() -> duckdb.DuckDBPyConnection:
    """Rows at the ends of all types."""
    made = duckdb.connect()
    made.execute("CREATE TABLE u (id BIGINT PRIMARY KEY, b BIGINT, i INTEGER, d DATE, t TIMESTAMP)")
    rows = [
        (n, b, max(-(2**31), min(b, 2**31 - 1)), moment, moment)
        for n, (b, moment) in enumerate((b, m) for b in ENDS for m in MOMENTS)
    ]
    made.executemany("INSERT INTO u VALUES (?, ?, ?, ?::TIMESTAMP::DATE, ?::TIMESTAMP)", rows)
    made.execute("INSERT INTO u VALUES (1000, 0, 0, DATE '5881580-07-10', NULL)")
    return made


@pytest.mark.parametrize(
    "expression",
    [
        *("d + INTERVAL (b) DAY", "d - INTERVAL (b) DAY", "t - INTERVAL (b) DAY"),
        *("d - TRY_CAST(b AS INTEGER)", "d + (i + i)", "d + (i * i)", "d + abs(i)", "d + (-i)"),
        *("t + to_days(i - 1)", "t + (i - 1) * INTERVAL 2 DAY", "t + i * INTERVAL 3 DAY"),
        *("d + i", "d - i", "d + 3660000", "t + to_days(3660000)", "make_date(b + b, 1, 1)"),
        *("make_date(i - 1, i + i, 1)", "substring(t::VARCHAR, 1, 4)", "round(b * b)"),
        *("make_date(b, b, b)", "bit_count(b - 1)"),
    ],
)
@pytest.mark.one_in(3)
def test_no_row_fails(data: duckdb.DuckDBPyConnection, expression: str) -> None:
    """One unit's row must not decide whether a query fails that is charged."""
    sql = f"SELECT COUNT(*) FROM u WHERE {expression} IS NULL OR {expression} IS NOT NULL"
    with (
        patch.object(amount, "MAX_EPS", 10**12),
        dpsql.connect(data, POLICY, workers=0) as database,
    ):
        found = database.run(sql, eps=1000, fresh=True)
        assert found.rows == ((len(ENDS) * len(MOMENTS) + 1,),)
