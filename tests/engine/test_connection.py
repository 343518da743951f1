"""A connection that the owner has open."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine.duckdb_engine import DuckDBEngine


@pytest.fixture
def owner() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t AS SELECT range AS a FROM range(5)")
        yield con


def test_temporary_objects_do_not_shadow(owner: duckdb.DuckDBPyConnection) -> None:
    owner.execute("CREATE TEMP TABLE t AS SELECT 42 AS a; CREATE TEMP MACRO sum(x) AS 7")
    engine = DuckDBEngine.from_connection(owner)
    with engine.snapshot() as snapshot:
        assert snapshot.rows('SELECT sum("a") FROM t') == [(10,)]
    assert engine.target("t") == ("memory", "main", "t")
    assert engine.version() is None and not engine.stable
    engine.close()
    assert owner.execute("SELECT a FROM t").fetchall() == [(42,)]  # still open, unchanged


def test_snapshot_is_consistent_and_read_only(owner: duckdb.DuckDBPyConnection) -> None:
    engine = DuckDBEngine.from_connection(owner)
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
        DuckDBEngine.from_connection(owner)


def test_closed_connection(owner: duckdb.DuckDBPyConnection) -> None:
    owner.close()
    with pytest.raises(PolicyError, match="closed"):
        DuckDBEngine.from_connection(owner)
