"""Frames by RANGE, and ranks, of rows of one unit that ORDER BY leaves equal."""

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
      person: {type: INTEGER, max_rows: 6, nullable: false}
      d: {type: INTEGER, bounds: [0, 5]}
      x: {type: INTEGER, bounds: [0, 100]}
"""
DATA = """
    CREATE TABLE t AS SELECT (i // 6)::INTEGER AS person,
        (CASE WHEN i % 7 > 0 THEN hash(i) % 3 END)::INTEGER AS d,
        (CASE WHEN i % 5 > 0 THEN hash(i + 1000) % 100 END)::INTEGER AS x
    FROM range(240) AS r(i) WHERE hash(i + 2000) % 4 > 0;
"""
ENDS = [
    (a, b)
    for a in ("UNBOUNDED PRECEDING", "CURRENT ROW")
    for b in ("CURRENT ROW", "UNBOUNDED FOLLOWING")
]
FRAMES = ["", *(f"RANGE BETWEEN {a} AND {b}" for a, b in ENDS)]


Both = tuple[duckdb.DuckDBPyConnection, dpsql.Database]


@pytest.fixture(scope="module")
def both() -> Iterator[Both]:
    data = duckdb.connect()
    data.execute(DATA)
    with dpsql.connect(data, POLICY, version="1") as db:
        yield data, db


def same(both: Both, mine: str, theirs: str) -> None:
    """One window as dpsql has it beside another as the engine has it."""
    text = (
        "SELECT COUNT(w) AS n, SUM(LEAST(GREATEST(w, 0), 100)) AS s FROM (SELECT {} AS w FROM t) u"
    )
    data, db = both
    found = db.run(text.format(mine), 10**6).rows
    wanted = data.execute(text.format(theirs)).fetchall()
    assert [round(float(v), 2) for v in found[0]] == [round(float(v), 2) for v in wanted[0]], mine


@pytest.mark.parametrize("order", ["d", "d DESC NULLS LAST", "d % 2", ""])
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("name", ["FIRST_VALUE", "LAST_VALUE"])
@pytest.mark.one_in(3)
def test_the_ends_of_peers(both: Both, name: str, frame: str, order: str) -> None:
    """Of equal rows that with the least columns is the first, which is an answer that DuckDB's
    own, with no order among them, may have.
    """
    by = f"ORDER BY {order}" if order else ""
    told = f"x ORDER BY {order}, d, x" if order else "x ORDER BY x"
    over = f"OVER (PARTITION BY person {by} {frame})"
    same(both, f"{name}(x) {over}", f"{name}({told}) {over}")


@pytest.mark.parametrize("name", ["RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST"])
def test_a_frame_of_rows_parts_no_ranks(both: Both, name: str) -> None:
    call = (
        f"{name}() OVER (PARTITION BY person ORDER BY d ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"
    )
    same(both, call, call)


@pytest.mark.parametrize("name", ["SUM(x)", "COUNT(*)", "MIN(x)", "MAX(x)"])
@pytest.mark.parametrize("frame", FRAMES)
def test_aggregates_of_peers(both: Both, name: str, frame: str) -> None:
    call = f"{name} OVER (PARTITION BY person ORDER BY d {frame})"
    same(both, call, call)
