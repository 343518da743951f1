"""TIME_BUCKET from an origin or an offset, and HISTOGRAM with a series: as DuckDB has them."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpsql

POLICY = """
unit: t.id
budget: {eps: 1e9}
tables:
  t:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      d: {type: DATE, bounds: [1999-11-20, 2000-05-10], nullable: true}
      m: {type: TIMESTAMP, bounds: [1999-11-20 00:00:00, 2000-05-10 23:59:59], nullable: true}
      x: {type: BIGINT, bounds: [-20, 60]}
"""
ROWS = """
    CREATE TABLE t AS SELECT i AS id, DATE '1999-11-20' + (i % 173)::INTEGER AS d,
        TIMESTAMP '1999-11-20' + INTERVAL (i * 97 % 4150) HOUR + INTERVAL (i) SECOND AS m,
        i % 81 - 20 AS x FROM range(500) AS r(i);
    INSERT INTO t VALUES (1000, NULL, NULL, NULL)
"""
BUCKETS = [
    "INTERVAL 7 DAY, d, DATE '2000-01-01'",
    "INTERVAL 7 DAY, d, DATE '1985-06-12'",
    "INTERVAL 10 DAY, d, DATE '2031-06-12'",
    "INTERVAL 10 DAY, m, TIMESTAMP '2031-06-12 05:30:00'",
    "INTERVAL 7 DAY, m, DATE '2000-01-01'",
    "INTERVAL 3 MONTH, d, DATE '2000-02-01'",
    "INTERVAL 3 MONTH, d, DATE '1975-12-01'",
    "INTERVAL 2 MONTH, m, TIMESTAMP '2010-04-01'",
    "INTERVAL 5 MONTH, m, INTERVAL 2 MONTH",
    "INTERVAL 1 DAY, m, INTERVAL 6 HOUR",
    "INTERVAL 1 DAY, m, INTERVAL '-6 hours'",
    "INTERVAL 3 DAY, m, INTERVAL '2 days 6 hours'",
    "INTERVAL 3 DAY, d, INTERVAL 2 DAY",
    "INTERVAL 1 YEAR, d, DATE '2000-04-01'",
    "INTERVAL 7 DAY, d, TIMESTAMP '2000-01-01 05:00:00'",
    "INTERVAL 3 MONTH, d, TIMESTAMP '2000-02-01'",
    "INTERVAL 1 DAY, d, INTERVAL 6 HOUR",
]
ENDS = ["range(0, 61, 10)", "generate_series(-20, 60, 20)", "range(61)", "range(60, -21, -15)"]


@pytest.fixture(scope="module")
def data() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    made.execute(ROWS)
    return made


@pytest.fixture(scope="module")
def db(data: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with dpsql.connect(data, POLICY, version="1") as found:
        yield found


@pytest.mark.parametrize("bucket", BUCKETS)
def test_buckets(db: dpsql.Database, data: duckdb.DuckDBPyConnection, bucket: str) -> None:
    text = f"SELECT TIME_BUCKET({bucket}) AS b, COUNT(*) AS n FROM t GROUP BY b"
    found = {key: round(n) for key, n in db.run(text, 10**6).rows if round(n)}
    wanted = dict(data.execute(text).fetchall())
    assert found == wanted
    assert set(map(type, found)) == set(map(type, wanted))  # 2000-01-01 equals its midnight


@pytest.mark.parametrize("ends", ENDS)
def test_bins(db: dpsql.Database, data: duckdb.DuckDBPyConnection, ends: str) -> None:
    text = f"SELECT HISTOGRAM(x, {ends}) AS h FROM t"
    [[found]], [[wanted]] = db.run(text, 10**6).rows, data.execute(text).fetchall()
    assert {key: round(n) for key, n in found.items() if round(n)} == {
        key: n for key, n in wanted.items() if n
    }
