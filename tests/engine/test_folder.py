"""A folder of Parquet and CSV files."""

from __future__ import annotations

import datetime
import os
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine import duckdb_open
from dpsql.types import BIGINT, BOOLEAN, DATE, DOUBLE, INTEGER, Type, decimal


def parquet(path: Path, select: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with duckdb.connect() as con:
        quoted = str(path).replace("'", "''")
        con.execute(f"COPY ({select}) TO '{quoted}' (FORMAT parquet)")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    shop = tmp_path / "it's a shop"
    shop.mkdir()
    parquet(shop / "orders.parquet", "SELECT range AS id, range % 3 AS cid FROM range(10)")
    parquet(shop / "line" / "0.parquet", "SELECT 1::INTEGER AS a")
    parquet(shop / "line" / "1.parquet", "SELECT 2::INTEGER AS a")
    (shop / "city.csv").write_text('id,"na,me",day,p\n1,"a ""b""",2020-01-02,1.50\n2,,,\n', "utf-8")
    (shop / "note.txt").write_text("no table")
    (shop / ".hidden.csv").write_text("a\n1\n")
    return shop


CITY = {
    "city": {"ID": INTEGER, "day": DATE, "p": decimal(5, 2)},
    "orders": {},
    "line": {},
}


def test_tables(shop: Path) -> None:
    engine = duckdb_open.open_folder(shop, CITY)
    try:
        assert [t.name for t in engine.catalog().tables] == ["city", "line", "orders"]
        city = engine.catalog().table("city")
        assert city is not None
        assert [str(c.type) for c in city.columns] == ["INTEGER", "VARCHAR", "DATE", "DECIMAL(5,2)"]
        assert not any(c.not_null for t in engine.catalog().tables for c in t.columns)
        with engine.snapshot() as snapshot:
            assert snapshot.rows('SELECT * FROM "memory"."main"."city"') == [
                (1, 'a "b"', datetime.date(2020, 1, 2), Decimal("1.50")),
                (2, None, None, None),
            ]
            assert snapshot.rows('SELECT sum(a) FROM "memory"."main"."line"') == [(3,)]
            assert snapshot.rows('SELECT sum(id) FROM "memory"."main"."orders"') == [(45,)]
        assert engine.target("ORDERS") == ("memory", "main", "orders")
    finally:
        engine.close()


def test_only_declared_tables(shop: Path) -> None:
    (shop / "broken.csv").write_bytes(b"a,b\n\xff\xfe,1\n")
    engine = duckdb_open.open_folder(shop, {"ORDERS": {}})
    assert [t.name for t in engine.catalog().tables] == ["orders"]
    engine.close()
    with pytest.raises(PolicyError, match=r"broken\.csv"):
        duckdb_open.open_folder(shop)


def test_sandbox(shop: Path, tmp_path: Path) -> None:
    parquet(tmp_path / "secret.parquet", "SELECT 1 AS secret")
    engine = duckdb_open.open_folder(shop, CITY)
    folder = str(shop.resolve()).replace("'", "''")
    raw = engine._connection
    for sql in [
        f"SELECT * FROM read_parquet('{tmp_path}/secret.parquet')",
        f"SELECT * FROM read_parquet('{folder}/../secret.parquet')",
        f"SELECT * FROM read_parquet('{folder}/*.parquet')",
        f"SELECT * FROM read_csv('{folder}/city.csv')",
        f"COPY (SELECT 1 AS a) TO '{folder}/new.parquet'",
        f"COPY (SELECT 1 AS a) TO '{folder}/orders.parquet'",
        f"ATTACH '{tmp_path}/x.duckdb'",
        "INSTALL httpfs",
        "SET allowed_paths = ['/etc/passwd']",
        "SET enable_external_access = true",
        "SELECT * FROM shop",
    ]:
        with pytest.raises(duckdb.Error):
            raw.execute(sql)
    with engine.snapshot() as snapshot, pytest.raises(EngineError):
        snapshot.rows("CREATE TABLE x (a INTEGER)")
    # A cursor's own transaction keeps even DDL out.
    cursor = raw.cursor()
    cursor.execute("BEGIN TRANSACTION READ ONLY")
    with pytest.raises(duckdb.Error):
        cursor.execute("CREATE TABLE x (a INTEGER)")
    cursor.close()
    engine.close()


def test_misfits(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        "i;b;d;x;e\n1;2;2020-01-01;nan;a\n1.7;s3cret;2020-13-01;1e3;A\n99999999999;3;;;\n1e3;;;;\n"
    )
    types = {"i": INTEGER, "b": BIGINT, "d": DATE, "x": DOUBLE, "e": Type("ENUM", values=("a",))}
    with pytest.raises(PolicyError) as caught:
        duckdb_open.open_folder(tmp_path, {"t": types})
    text = str(caught.value)
    assert "s3cret" not in text and "1.7" not in text and "t.csv" in text
    assert "3 rows do not fit column i of type INTEGER" in text
    assert "1 row does not fit column b of type BIGINT" in text
    assert "1 row does not fit column d of type DATE" in text
    assert "1 row does not fit column e of type ENUM" in text
    assert "column x" not in text
    assert caught.value.__cause__ is None and caught.value.__context__ is None


@pytest.mark.parametrize(
    "content",
    [b"", b"a,\n1,2\n", b"a,A\n1,2\n", b"a,b\n1\n", b"a,b\n1,2,3\n", b"a,b\n\xff,1\n", b'a\n"x'],
)
def test_bad_csv(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(PolicyError, match=r"t\.csv"):
        duckdb_open.open_folder(tmp_path)


def test_odd_csv(tmp_path: Path) -> None:
    (tmp_path / "bom.csv").write_bytes('\ufeffa,b\r\n1,"x\r\ny"\r\n'.encode())
    (tmp_path / "tab.tsv").write_text("a\tb\n1\ttrue\n")
    (tmp_path / "one.csv").write_text("a\nNULL\n\n")
    engine = duckdb_open.open_folder(
        tmp_path, {"bom": {}, "one": {}, "tab": {"a": INTEGER, "b": BOOLEAN}}
    )
    with engine.snapshot() as snapshot:
        assert snapshot.rows("SELECT * FROM bom") == [("1", "x\r\ny")]
        assert snapshot.rows("SELECT * FROM tab") == [(1, True)]
        assert snapshot.rows("SELECT * FROM one") == [("NULL",), (None,)]
    engine.close()


def test_ambiguous(tmp_path: Path) -> None:
    (tmp_path / "T.csv").write_text("a\n1\n")
    parquet(tmp_path / "t" / "0.parquet", "SELECT 1 AS a")
    with pytest.raises(PolicyError, match="two files"):
        duckdb_open.open_folder(tmp_path)


def test_parts_of_other_types(tmp_path: Path) -> None:
    parquet(tmp_path / "t" / "0.parquet", "SELECT 1::INTEGER AS a")
    parquet(tmp_path / "t" / "1.parquet", "SELECT 9999999999::BIGINT AS a")
    with pytest.raises(PolicyError, match="other columns or types"):
        duckdb_open.open_folder(tmp_path)


def test_patterns_and_missing(tmp_path: Path) -> None:
    parquet(tmp_path / "t[1].parquet", "SELECT 1 AS a")
    with pytest.raises(PolicyError, match="pattern"):
        duckdb_open.open_folder(tmp_path)
    with pytest.raises(PolicyError, match="no such folder"):
        duckdb_open.open_folder(tmp_path / "none")
    (tmp_path / "t[1].parquet").unlink()
    (tmp_path / "t.parquet").write_bytes(b"PAR1 secret PAR1")
    with pytest.raises(PolicyError, match="Parquet") as caught:
        duckdb_open.open_folder(tmp_path)
    assert "secret" not in str(caught.value)


def test_change_is_noticed(shop: Path) -> None:
    engine = duckdb_open.open_folder(shop, CITY)
    file = shop / "orders.parquet"
    before = file.stat()
    with pytest.raises(EngineError, match="changed"), engine.snapshot() as snapshot:  # noqa: PT012
        assert snapshot.rows("SELECT 1") == [(1,)]
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
        with pytest.raises(EngineError, match="changed"):
            snapshot.rows("SELECT sum(id) FROM orders")
    with pytest.raises(EngineError, match="changed"), engine.snapshot():
        pass
    with pytest.raises(EngineError, match="changed"):
        engine.version()
    file.unlink()
    with pytest.raises(EngineError, match="changed"), engine.snapshot():
        pass
    engine.close()


def test_a_file_rewritten_in_place_with_its_old_times_is_noticed(shop: Path) -> None:
    engine = duckdb_open.open_folder(shop, CITY)
    file = shop / "orders.parquet"
    before, content = file.stat(), file.read_bytes()
    with file.open("r+b") as stream:
        stream.write(content)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = file.stat()
    assert (after.st_size, after.st_mtime_ns, after.st_ino) == (
        *(before.st_size, before.st_mtime_ns, before.st_ino),
    )
    with pytest.raises(EngineError, match="changed"), engine.snapshot():
        pass
    engine.close()


def test_version(shop: Path) -> None:
    def version() -> str | None:
        engine = duckdb_open.open_folder(shop, CITY)
        try:
            return engine.version()
        finally:
            engine.close()

    first = version()
    assert first is not None and first == version()
    (shop / "note.txt").write_text("still no table")
    assert version() == first
    (shop / "line" / "1.parquet").rename(shop / "line" / "2.parquet")
    renamed = version()
    assert renamed != first
    with (shop / "city.csv").open("a") as file:
        file.write("3,,,\n")
    assert version() not in (first, renamed)


def test_a_file_under_two_names_is_of_one_table(tmp_path: Path) -> None:
    """A hard link is the same file: private by one name, it would be public by the other."""
    (tmp_path / "t.csv").write_text("a\n1\n", encoding="utf-8")
    os.link(tmp_path / "t.csv", tmp_path / "pub.csv")
    with pytest.raises(PolicyError, match="is of two tables"):
        duckdb_open.open_folder(tmp_path)
