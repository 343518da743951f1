"""A connection that the owner has open."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine import duckdb_open


@pytest.fixture
def owner() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t AS SELECT range AS a FROM range(5)")
        yield con


def test_temporary_objects_do_not_shadow(owner: duckdb.DuckDBPyConnection) -> None:
    owner.execute("CREATE TEMP TABLE t AS SELECT 42 AS a; CREATE TEMP MACRO sum(x) AS 7")
    engine = duckdb_open.from_connection(owner)
    with engine.snapshot() as snapshot:
        assert snapshot.rows('SELECT sum("a") FROM memory.main.t') == [(10,)]
        with pytest.raises(EngineError):  # a name alone is nobody's
            snapshot.rows('SELECT sum("a") FROM t')
    assert engine.target("t") == ("memory", "main", "t")
    assert engine.version() is None and not engine.stable
    engine.close()
    assert owner.execute("SELECT a FROM t").fetchall() == [(42,)]  # still open, unchanged


def test_snapshot_is_consistent_and_read_only(owner: duckdb.DuckDBPyConnection) -> None:
    engine = duckdb_open.from_connection(owner)
    settings = "SELECT name, value FROM duckdb_settings() ORDER BY ALL"
    before = owner.execute(settings).fetchall()
    with engine.snapshot() as snapshot:
        assert snapshot.rows("SELECT count(*) FROM memory.main.t") == [(5,)]
        owner.execute("INSERT INTO t VALUES (9)")
        assert snapshot.rows("SELECT count(*) FROM memory.main.t") == [(5,)]
        with pytest.raises(EngineError):
            snapshot.rows("DELETE FROM memory.main.t")
    owner.execute("BEGIN; INSERT INTO t VALUES (10)")
    with engine.snapshot() as snapshot:
        assert snapshot.rows("SELECT count(*) FROM memory.main.t") == [(6,)]
    owner.execute("ROLLBACK")
    assert owner.execute(settings).fetchall() == before
    engine.close()


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE MACRO sum(x) AS 7",
        "SET default_collation = 'NOCASE'",
        "SET GLOBAL integer_division = true",
        "SET GLOBAL ieee_floating_point_ops = false",
    ],
)
def test_refuses_other_meanings(owner: duckdb.DuckDBPyConnection, sql: str) -> None:
    owner.execute(sql)
    with pytest.raises(PolicyError, match=r"shadow|settings"):
        duckdb_open.from_connection(owner)


MEANINGS = """
SELECT COUNT(*), SUM(a), AVG(a), MIN(a), MAX(a), median(a), list(a ORDER BY a) FROM memory.main.t
SELECT a + 1, a - 1, a * 2, a / 2, a // 2, a % 2, -a, a & 1, a | 1, a << 1 FROM memory.main.t
SELECT 'a' || 'b', 'ab' LIKE 'a%', 'ab' ILIKE 'A_', 'ab' ~ 'a.', 'ab' SIMILAR TO '.b'
SELECT CASE WHEN a BETWEEN 1 AND 2 THEN a END, a IN (1, 2), coalesce(a, 1) FROM memory.main.t
SELECT least(a, 2), greatest(a, 2), abs(a), round(a), floor(a), ln(a + 1) FROM memory.main.t
SELECT lower('A'), upper('a'), trim(' a '), length('a'), substring('abc', 2, 1)
SELECT date_trunc('month', DATE '2024-05-06'), CAST('3' AS BIGINT)
SELECT list_transform([1, 2], lambda x: x + 1), [1, 2][1], {'k': 1}.k, unnest([1]), list_value(1, 2)
SELECT row_number() OVER (ORDER BY a), sum(a) OVER (), arg_min(a, a) OVER () FROM memory.main.t
"""
"""Statements of names and operators that macros could take."""


def test_macros_of_every_name_are_not_called(owner: duckdb.DuckDBPyConnection) -> None:
    engine = duckdb_open.from_connection(owner)
    statements = MEANINGS.strip().splitlines()
    with engine.snapshot() as snapshot:
        before = [snapshot.rows(sql) for sql in statements]
    names = owner.execute(
        "SELECT DISTINCT function_name FROM duckdb_functions() "
        "WHERE function_type NOT IN ('table', 'pragma', 'table_macro')"
    ).fetchall()
    assert len(names) > 500
    for (name,) in names:
        overloads = ", ".join(f"({', '.join('xyzw'[:n])}) AS 777" for n in range(5))
        owner.execute(f'CREATE MACRO memory.main."{name}" {overloads}')
    with engine.snapshot() as snapshot:
        assert [snapshot.rows(sql) for sql in statements] == before
    with owner.cursor() as another:  # which is no snapshot
        assert another.execute("SELECT lower('A'), 1 + 1").fetchall() == [(777, 777)]


def test_closed_connection(owner: duckdb.DuckDBPyConnection) -> None:
    owner.close()
    with pytest.raises(PolicyError, match="closed"):
        duckdb_open.from_connection(owner)
