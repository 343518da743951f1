"""The empty database for post-processing."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from dpsql.errors import EngineError, Rejected
from dpsql.platform.engine import duckdb_open
from dpsql.platform.engine.scratch import ResultTable, Scratch


@pytest.fixture
def scratch() -> Iterator[Scratch]:
    with Scratch() as scratch:
        yield scratch


def test_exact_values(scratch: Scratch) -> None:
    columns = [
        ("d", "DECIMAL(38,10)"),
        ("h", "HUGEINT"),
        ("x", "DOUBLE"),
        ("day", "DATE"),
        ("at", "TIMESTAMP"),
        ("s", "VARCHAR"),
        ("b", "BOOLEAN"),
        ('e "q"', "ENUM('a', 'b')"),
    ]
    rows = [
        (
            Decimal("1234567890123456789012345678.0123456789"),
            -(2**127),
            0.1,
            datetime.date(1, 1, 1),
            datetime.datetime(2020, 1, 2, 3, 4, 5, 6),
            "a\0é'👨",
            True,
            "b",
        ),
        (None,) * 8,
        (Decimal("-0.0000000001"), 2**127 - 1, float("inf"), None, None, "", False, "a"),
    ]
    scratch.load("t", columns, rows)
    found = scratch.run("SELECT * FROM t")
    assert found.rows == rows
    assert found.columns == tuple(name for name, _ in columns)
    assert found.types == tuple(type_ for _, type_ in columns)


def test_order_and_size(scratch: Scratch) -> None:
    rows = [((i * 7919) % 100_003, Decimal(i).scaleb(-2)) for i in range(50_000)]
    scratch.load("t", [("a", "BIGINT"), ("b", "DECIMAL(15,2)")], rows)
    assert scratch.run("FROM t").rows == rows
    scratch.load("empty", [("a", "BIGINT")], [])
    assert scratch.run("SELECT sum(a) AS s FROM empty") == ResultTable(
        ("s",), ("HUGEINT",), [(None,)]
    )


@pytest.mark.parametrize("rows", [0, 1, 99, 100, 101])
def test_given_tables_are_as_if_they_were_loaded(scratch: Scratch, rows: int) -> None:
    columns = [
        *[("d", "DECIMAL(38,10)"), ("h", "HUGEINT"), ("x", "DOUBLE"), ("at", "TIMESTAMP")],
        *[('s "', "VARCHAR"), ("m", "MAP(VARCHAR, UBIGINT)"), ("i", "BIGINT")],
    ]
    made = [
        (Decimal(i).scaleb(-9), -(2**127) + i, i / 7, None, "é'\0", {"a": i}, (i * 37) % 101)
        for i in range(rows)
    ]
    other = ("other", [("n", "BIGINT")], [(rows,)])
    for sql in (
        "SELECT * FROM t",
        "SELECT * FROM t ORDER BY i DESC",
        "SELECT i, x FROM t UNION ALL SELECT n, 0 FROM other",
        "SELECT * FROM (WITH a AS (FROM t) FROM a, other)",
        "WITH a AS (FROM t) FROM a, other",
        "(SELECT * FROM t) LIMIT 3",
    ):
        found = scratch.run(sql, given=[("t", columns, made), other])
        with Scratch() as alone:
            alone.load("t", columns, made)
            alone.load(*other)
            assert found == alone.run(sql)
        scratch.clear()


def test_given_tables_are_there_for_one_query(scratch: Scratch) -> None:
    given = [("t", [("a", "TINYINT")], [(1,)])]
    sql = "SELECT * FROM t"
    assert scratch.run(sql, given=given).rows == scratch.run(sql, given=given).rows == [(1,)]
    with pytest.raises(EngineError) as caught:
        scratch.run(sql, given=[("t", [("a", "TINYINT")], [(1234,)])])
    assert "1234" not in str(caught.value) and caught.value.__context__ is None
    with pytest.raises(EngineError):
        scratch.run(sql)
    for rows, match in (([(1, 2)], "value"), ([(1,), (1, 2)], "zip")):
        with pytest.raises(ValueError, match=match):
            scratch.run(sql, given=[("t", [("a", "TINYINT")], rows)])


def test_bad_rows(scratch: Scratch) -> None:
    with pytest.raises(ValueError, match="value"):
        scratch.load("a", [("a", "BIGINT"), ("b", "BIGINT")], [(1,), (2,)])
    with pytest.raises(ValueError, match="zip"):
        scratch.load("b", [("a", "BIGINT"), ("b", "BIGINT")], [(1, 2), (2,)])
    with pytest.raises(ValueError, match="column"):
        scratch.load("c", [], [])
    with pytest.raises(EngineError) as caught:
        scratch.load("d", [("a", "TINYINT")], [(1234,)])
    assert "1234" not in str(caught.value) and caught.value.__context__ is None


def test_sandbox(scratch: Scratch, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a\n1\n")
    outer = [1]
    for sql in [
        f"FROM read_csv('{tmp_path}/x.csv')",
        f"COPY (SELECT 1) TO '{tmp_path}/y.csv'",
        f"ATTACH '{tmp_path}/y.duckdb'",
        "SET threads = 4",
        "INSTALL httpfs",
        "FROM outer",
        "FROM __dpsql_stream",
    ]:
        with pytest.raises(EngineError):
            scratch.run(sql)
    assert outer and len(list(tmp_path.iterdir())) == 1
    assert scratch.run("SELECT 1").rows == [(1,)]


TYPES = {
    "HUGEINT": "-170141183460469231731687303715884105728",
    "UBIGINT": "18446744073709551615",
    "DECIMAL(38,2)": "123456789012345678901234567890123456.78",
    "DATE": "infinity",
    "TIMESTAMP": "290308-12-22 (BC) 00:00:00",
    "TIMESTAMP_NS": "2020-01-01 00:00:00.000000001",
    "TIME WITH TIME ZONE": "12:00:00+01",
    "BIT": "101",
    "DOUBLE": "nan",
    "FLOAT": "0.1",
    "VARCHAR": "é",
    "ENUM('a', 'b')": "b",
    "UUID": "298e0536-6c7f-4b7f-a39f-0e491a01d18c",
    "BLOB": r"\xAA",
    "INTEGER[]": "[1, NULL, 2]",
    "INTERVAL": "3 months",
}


def test_copy(scratch: Scratch) -> None:
    columns = [(f"c {i}", type_) for i, type_ in enumerate(TYPES)]
    with duckdb.connect() as con:
        defs = ", ".join(f'"{c}" {t}' for c, t in columns)
        con.execute(f"CREATE TABLE t (unused INTEGER, {defs})")
        con.execute("INSERT INTO t SELECT NULL, " + ", ".join("?" * len(TYPES)), [*TYPES.values()])
        con.execute("INSERT INTO t (unused) SELECT NULL FROM range(3000)")
        engine = duckdb_open.from_connection(con)
        with engine.snapshot() as snapshot:
            scratch.copy("t", columns, snapshot, engine.target("t"))
        listed = ", ".join(f'CAST("{c}" AS VARCHAR), typeof("{c}")' for c, _ in columns)
        expected = con.execute(f"SELECT {listed} FROM t").fetchall()
        engine.close()
    assert scratch.run(f"SELECT {listed} FROM t").rows == expected


def test_copy_fails(scratch: Scratch) -> None:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t AS SELECT 1 AS a")
        engine = duckdb_open.from_connection(con)
        with engine.snapshot() as snapshot, pytest.raises(EngineError) as caught:
            scratch.copy("t", [("missing", "INTEGER")], snapshot, engine.target("t"))
        assert caught.value.__context__ is None
        engine.close()


def test_what_a_pivot_calls_is_known_when_it_has_values(scratch: Scratch) -> None:
    pivot = "PIVOT t ON zone USING SUM(name)"
    scratch.load("t", [("zone", "VARCHAR"), ("name", "VARCHAR")], [("north", "a")])
    with pytest.raises(Rejected, match=r"DP105: .* 'sum\(VARCHAR\)'") as caught:
        scratch.run(pivot, public=True)
    assert caught.value.__context__ is None
    with pytest.raises(EngineError) as opaque:
        scratch.run(pivot)
    assert "VARCHAR" not in str(opaque.value)
