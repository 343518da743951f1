"""Facts that are none: constraints of other things, of other times, and groups that come twice."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpsql
from dpsql import audit
from dpsql.errors import PolicyError, Rejected

ALONE = """
unit: u.id
budget: {eps: 1000}
tables:
  u: {access: private}
"""

MOMENTS = """
unit: u.id
budget: {eps: 1000}
tables:
  u:
    access: private
    columns:
      t: {values: ['2020-01-01 00:00:00', '2020-01-01 12:00:00', '2020-01-02 00:00:00']}
"""

NOON = "t IN (TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 12:00:00')"


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(":memory:") as connection:
        yield connection


def test_a_constraint_on_a_field_is_none_on_the_column_of_its_name(
    con: duckdb.DuckDBPyConnection,
) -> None:
    con.execute(
        "CREATE TABLE u (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, s STRUCT(x INTEGER, "
        "y INTEGER), CHECK (s.x >= 0 AND s.x <= 10), CHECK (s.y IN (1, 2)))"
    )
    con.execute("INSERT INTO u SELECT i, 1000 * i, i, {'x': 1, 'y': 1} FROM range(5) t(i)")
    with dpsql.connect(con, dpsql.Policy.parse(ALONE)) as db:
        for sql in ("SELECT SUM(x) FROM u", "SELECT y, COUNT(*) FROM u GROUP BY y"):
            with pytest.raises(Rejected):
                db.explain(sql)


@pytest.mark.parametrize(
    "change",
    [
        "CREATE OR REPLACE TABLE u AS SELECT id, x * 1000 AS x FROM u",
        "DROP TABLE u; CREATE VIEW u AS SELECT 1 AS id, 1000 AS x FROM range(50)",
        "ALTER TABLE u ALTER x DROP NOT NULL",
        "DROP TABLE u",
    ],
)
def test_constraints_that_are_gone_prove_nothing(
    con: duckdb.DuckDBPyConnection, change: str
) -> None:
    con.execute("CREATE TABLE u (id INTEGER PRIMARY KEY, x INTEGER NOT NULL CHECK (x <= 9))")
    con.execute("INSERT INTO u SELECT i, i FROM range(5) t(i)")
    with dpsql.connect(con, dpsql.Policy.parse(ALONE)) as db:
        con.execute("CREATE TABLE other (a INTEGER)")
        con.execute("INSERT INTO u VALUES (7, 7)")
        db.run("SELECT COUNT(*) FROM u", eps=1)
        con.execute(change)
        with pytest.raises(PolicyError, match="not defined as it was"):
            db.run("SELECT COUNT(*) FROM u", eps=1)
        assert db.budget.spent.eps == 1


@pytest.mark.parametrize("change", ["SET", "SET GLOBAL"])
def test_settings_that_come_later_do_not_make_texts_equal(
    con: duckdb.DuckDBPyConnection, change: str
) -> None:
    con.execute("CREATE TABLE u (id INTEGER PRIMARY KEY, s VARCHAR CHECK (s IN ('a', 'A', 'b')))")
    con.execute("INSERT INTO u VALUES (0, 'A'), (1, 'a'), (2, 'a')")
    with dpsql.connect(con, dpsql.Policy.parse(ALONE)) as db:
        con.execute(f"{change} default_collation = 'nocase'")
        with pytest.raises(PolicyError, match="default_collation"):
            db.run("SELECT s, COUNT(*) FROM u GROUP BY s", eps=1)
        assert db.budget.spent.eps == 0


@pytest.mark.parametrize("where", [f"WHERE {NOON}", f"WHERE {NOON} OR t IS NULL", ""])
def test_each_group_is_released_once(con: duckdb.DuckDBPyConnection, where: str) -> None:
    con.execute("CREATE TABLE u (id INTEGER PRIMARY KEY, t TIMESTAMP, d DATE)")
    con.execute("INSERT INTO u VALUES (1, '2020-01-01', '2021-01-01'), (2, '2020-01-02', NULL)")
    with dpsql.connect(con, dpsql.Policy.parse(MOMENTS)) as db:
        for key in ("NULLIF(CAST(t AS DATE), d)", "CAST(t AS DATE)", "DATE_TRUNC('day', t)"):
            sql = f"SELECT {key} AS k, COUNT(*) FROM u {where} GROUP BY k"
            assert all(o.within for o in audit.sensitivity(db, sql)), sql
            keys = [row[0] for row in db.run(sql, eps=1).rows]
            assert len(keys) == len(set(keys)), sql
