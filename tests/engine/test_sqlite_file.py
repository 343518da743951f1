"""A SQLite database as tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from dpsql.__main__ import main
from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine import duckdb_open
from dpsql.platform.engine.folder import Types
from dpsql.types import BIGINT, DATE, Type, decimal
from tests.engine.test_file import chain

SECRET = "s3cr3t"
MADE = """
CREATE TABLE "it's" (
    id INTEGER PRIMARY KEY, name VARCHAR(20), day DATE, price DECIMAL(6,2), x REAL, free, raw BLOB,
    flag BOOLEAN, odd GEOMETRY);
INSERT INTO "it's" VALUES (1, 'a', '2024-01-02', 1.5, 0.1, 'f', x'00ff', 1, 'p');
INSERT INTO "it's" VALUES (9007199254740993, NULL, NULL, NULL, 1e999, 7, NULL, 'false', NULL);
CREATE TABLE other (a INT); INSERT INTO other VALUES (1);
CREATE VIEW seen AS SELECT 1;
"""


def build(path: Path, sql: str = MADE) -> Path:
    with closing(sqlite3.connect(path)) as con:
        con.executescript(sql)
    return path


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    yield build(tmp_path / "visits.db")
    assert [p.name for p in tmp_path.iterdir()] == ["visits.db"]  # nothing is written beside it


def refused(path: Path, types: Types | None = None) -> str:
    with pytest.raises(PolicyError) as caught:
        duckdb_open.open_sqlite(path, types)
    assert SECRET not in chain(caught.value)
    return str(caught.value)


def test_tables(file: Path) -> None:
    with closing(duckdb_open.open_sqlite(file)) as engine:
        table = engine.catalog().table("it's")
        assert table is not None and table.keys == ()
        assert [str(c.type) for c in table.columns] == [
            *("BIGINT", "VARCHAR", "DATE", "DECIMAL(6,2)", "DOUBLE", "VARCHAR", "BLOB", "BOOLEAN"),
            "VARCHAR",
        ]
        with engine.snapshot() as snapshot:
            first, second = snapshot.rows("""SELECT * FROM visits.main."it's" ORDER BY 1""")
        day, price = date(2024, 1, 2), Decimal("1.50")
        assert first == (1, "a", day, price, 0.1, "f", b"\x00\xff", True, "p")
        assert second == (2**53 + 1, None, None, None, float("inf"), "7", None, False, None)
        assert engine.left_out == ("seen: a view, or no table of its own",)
        assert engine.version() is not None and engine.recipe is not None
        made = Path(engine.recipe.database or "")
        assert made.parent.stat().st_mode & 0o777 == 0o700
    assert not made.parent.exists()


def test_only_declared_tables_with_declared_types(file: Path) -> None:
    types: Types = {"OTHER": {"A": decimal(4, 1)}}
    with closing(duckdb_open.open_sqlite(file, types)) as engine:
        [table] = engine.catalog().tables
        assert (table.name, str(table.columns[0].type)) == ("other", "DECIMAL(4,1)")
        assert "it's: of no table" in engine.left_out


@pytest.mark.parametrize(
    ("kind", "values", "said"),
    [
        (BIGINT, f"1), ('{SECRET}'), (2.5), (NULL", "t: 2 rows do not fit column a of type BIGINT"),
        (DATE, "'2024-01-02'), (1704153600), (x'00'", "2 rows do not fit column a of type DATE"),
        (None, "'a'), (x'00ff'", "1 row does not fit column a of type VARCHAR"),
        (
            Type("ENUM", values=("a",)),
            "'a'), ('b'",
            "1 row does not fit column a of type ENUM(",
        ),
    ],
)
def test_values_of_another_type(tmp_path: Path, kind: Type | None, values: str, said: str) -> None:
    build(tmp_path / "x.db", f"CREATE TABLE t (a TEXT); INSERT INTO t VALUES ({values})")
    with closing(sqlite3.connect(tmp_path / "x.db")) as con:  # SQLite would make texts of numbers
        con.executescript("CREATE TABLE u (a); INSERT INTO u SELECT a FROM t; DROP TABLE t")
        con.executescript(f"CREATE TABLE t (a); INSERT INTO t VALUES ({values})")
    assert said in refused(tmp_path / "x.db", {"t": {"a": kind}})


def test_damaged(tmp_path: Path) -> None:
    insert = f"INSERT INTO t SELECT '{SECRET}' || value FROM n; DROP TABLE n"
    numbers = "CREATE TABLE n (value); " + "".join(f"INSERT INTO n VALUES ({i});" for i in range(9))
    path = build(tmp_path / "x.db", f"{numbers} CREATE TABLE t (a TEXT); {insert}")
    whole = path.read_bytes()
    for size in (30, 4096, len(whole) - 100):
        path.write_bytes(whole[:size])
        assert "cannot be read as a SQLite database" in refused(path)
    path.write_bytes(whole.replace(SECRET.encode(), b"\xff" * len(SECRET)))
    assert "cannot be read as a SQLite database" in refused(path)


def test_a_database_that_is_written_to(file: Path) -> None:
    writer = sqlite3.connect(file)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("INSERT INTO other VALUES (2)")
    writer.commit()
    assert "has changes in visits.db-wal that are not yet in it" in refused(file)
    writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with closing(duckdb_open.open_sqlite(file)) as engine:
        first = engine.version()
        with engine.snapshot() as snapshot:
            assert snapshot.rows("SELECT count(*) FROM visits.main.other") == [(2,)]
            writer.execute("INSERT INTO other VALUES (3)")
            writer.commit()
            assert snapshot.rows("SELECT count(*) FROM visits.main.other") == [(2,)]
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with pytest.raises(EngineError, match="changed"), engine.snapshot():
            pass
    writer.close()
    with closing(duckdb_open.open_sqlite(file)) as engine:
        assert engine.version() not in (None, first)


def test_names_that_shadow(tmp_path: Path) -> None:
    for name in ("temp.db", "memory.db", "main.db", "a?b#%41.db", "it's.db"):
        made = 'CREATE TABLE duckdb_tables (a INT); CREATE TABLE "sum" (a INT)'
        engine = duckdb_open.open_sqlite(build(tmp_path / name, made))
        with closing(engine), engine.snapshot() as snapshot:
            assert [t.name for t in engine.catalog().tables] == ["duckdb_tables", "sum"]
            target = ".".join(f'"{part}"' for part in engine.target("sum"))
            assert snapshot.rows(f"SELECT count(*) FROM {target}") == [(0,)]


def test_more_rows_than_are_copied_at_once(tmp_path: Path) -> None:
    many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)"
    path = build(tmp_path / "x.db", f"CREATE TABLE t AS {many} SELECT i FROM n")
    engine = duckdb_open.open_sqlite(path, {"t": {"i": BIGINT}})
    with closing(engine), engine.snapshot() as snapshot:
        assert snapshot.rows("SELECT count(*), sum(i)::BIGINT FROM x.main.t") == [
            (25000, 25000 * 25001 // 2)
        ]


def test_generated_columns_and_what_an_index_is_stored_in(tmp_path: Path) -> None:
    path = build(
        tmp_path / "x.db",
        "CREATE TABLE t (a INT, b INT GENERATED ALWAYS AS (a * 2), c INT AS (a + 1) STORED);"
        "INSERT INTO t VALUES (3); CREATE VIRTUAL TABLE found USING fts5(x);"
        "INSERT INTO found VALUES ('s3cr3t')",
    )
    with closing(duckdb_open.open_sqlite(path)) as engine:
        assert [table.name for table in engine.catalog().tables] == ["t"]
        with engine.snapshot() as snapshot:
            assert snapshot.rows("SELECT * FROM x.main.t") == [(3, 6, 4)]
        assert "found_data: a view, or no table of its own" in engine.left_out


def test_a_catalog_needs_no_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draft says that none was read; nor has it a type for what fits none."""
    monkeypatch.chdir(tmp_path)
    build(tmp_path / "x.db", "CREATE TABLE t (id INT); INSERT INTO t VALUES ('s3cr3t')")
    assert main(["init", "x.db", "--unit", "t.id", "-o", "-"]) == 0
    assert 'id: {type: "BIGINT"}' in capsys.readouterr().out
    assert main(["init", "x.db", "--unit", "t.id", "--read-data", "-o", "-"]) == 4
    assert "1 row does not fit column id of type BIGINT" in capsys.readouterr().err
