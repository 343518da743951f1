"""Functions whose value hangs on how wide a number is have DuckDB's own width."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpsql

POLICY = """
unit: person
budget: {eps: 1e9}
tables:
  t:
    access: private
    owner: person
    columns:
      person: {type: INTEGER, max_rows: 2, nullable: false}
      s: {type: SMALLINT, bounds: [-100, 100]}
      i: {type: TINYINT, bounds: [-10, 10]}
      k: {type: INTEGER, bounds: [0, 100]}
      u: {type: UTINYINT, bounds: [0, 199]}
"""
DATA = """
    CREATE TABLE t AS SELECT (r // 2)::INTEGER AS person, (r % 201 - 100)::SMALLINT AS s,
        (r % 21 - 10)::TINYINT AS i, (r % 101)::INTEGER AS k, (r % 200)::UTINYINT AS u
    FROM range(402) AS r(r);
"""
ROWS = """(SELECT *, s + 1 AS w, -i AS v, MIN(s) OVER (PARTITION BY person) AS m FROM t) AS t"""
NUMBERS = [
    *("s", "-s", "s + 1", "COALESCE(s, 0)", "-7::SMALLINT", "-7", "s * i", "s + k", "s + 1000"),
    *("i + 1000", "i + s", "CASE WHEN k > 3 THEN s ELSE -5 END", "CAST(s - 1 AS INTEGER)", "w"),
    *("v", "m", "s // 2", "s % 5", "GREATEST(s, -3)", "NULLIF(s, 3)", "LEAST(s, i)", "s & i"),
]


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[duckdb.DuckDBPyConnection, dpsql.Database]]:
    data = duckdb.connect()
    data.execute(DATA)
    with dpsql.connect(data, POLICY, version="1") as db:
        yield data, db


Both = tuple[duckdb.DuckDBPyConnection, dpsql.Database]


@pytest.mark.parametrize("number", NUMBERS)
def test_bits_of_negative_numbers(both: Both, number: str) -> None:
    data, db = both
    text = f"SELECT SUM(BIT_COUNT({number})) AS s FROM {ROWS}"
    ((found,),) = db.run(text, 10**6).rows
    assert round(found) == data.execute(text).fetchall()[0][0]


@pytest.mark.parametrize("call", ["BIT_COUNT(s - u)", "(s - u) >> 18", "BIT_COUNT(SIGN(s))"])
def test_what_is_not_sure_is_rejected(both: Both, call: str) -> None:
    with pytest.raises(dpsql.Rejected, match="hangs on how many bits"):
        both[1].explain(f"SELECT SUM({call}) AS s FROM t")


def test_what_is_not_negative_needs_no_width(both: Both) -> None:
    data, db = both
    text = "SELECT SUM(BIT_COUNT((s - u) & 7)) AS a, SUM(BIT_COUNT(ABS(s - u))) AS b FROM t"
    (found,) = db.run(text, 10**6).rows
    assert [*map(round, found)] == [*data.execute(text).fetchall()[0]]
