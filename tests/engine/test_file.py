"""A DuckDB file: catalog, sandbox, refusals, snapshots, errors, version."""

from __future__ import annotations

import logging
import os
import signal
import stat
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

from dpsql.errors import DpsqlError, EngineError, PolicyError
from dpsql.platform.engine import duckdb_open, ownerlog
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.policy.catalog import ForeignKey
from dpsql.types import Type

SECRET = "s3cr3t-value"
SHOP = f"""
CREATE TYPE mood AS ENUM ('sad', 'it''s ok');
CREATE TABLE Customer (
    id INTEGER PRIMARY KEY, name VARCHAR, m mood NOT NULL,
    age INTEGER CHECK (age BETWEEN 0 AND 120), score DOUBLE CHECK (score >= 0 AND score <= 5),
    born DATE CHECK (born >= DATE '1900-01-01' AND born <= '2020-12-31'),
    kind VARCHAR CHECK (kind IN ('a', 'b')), code INTEGER UNIQUE, alias INTEGER UNIQUE NOT NULL,
    price DECIMAL(5,2) CHECK (price >= 0), free DOUBLE CHECK (free >= 0));
CREATE TABLE orders (
    oid BIGINT, line INTEGER, cid INTEGER REFERENCES customer(id), t TIMESTAMP_S,
    UNIQUE (oid, line));
CREATE VIEW big AS SELECT * FROM orders;
CREATE TABLE cased (a VARCHAR COLLATE NOCASE);
CREATE TABLE made (a INTEGER, b INTEGER GENERATED ALWAYS AS (a + 1) VIRTUAL);
CREATE SCHEMA other; CREATE TABLE other.orders (x INTEGER); CREATE TABLE other.lonely (x INTEGER);
CREATE SCHEMA third; CREATE TABLE third.twice (x INTEGER); CREATE TABLE other.twice (x INTEGER);
CREATE MACRO harmless(a) AS a + 1;
INSERT INTO customer VALUES (1, '{SECRET}', 'sad', 3, 1, '2000-01-01', 'a', 1, 1, 1, 1);
"""


def build(path: Path, sql: str = SHOP) -> Path:
    with duckdb.connect(str(path)) as con:
        con.execute(sql)
    return path


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[DuckDBEngine]:
    engine = duckdb_open.open_file(build(tmp_path / "shop.duckdb"), Allowance(2, "1GB"))
    yield engine
    engine.close()


def test_catalog(shop: DuckDBEngine) -> None:
    customer = shop.catalog().table("customer")
    assert customer is not None and customer.name == "Customer"
    assert customer.keys == (("id",), ("alias",))
    columns = {c.name: c for c in customer.columns}
    assert columns["m"].type == Type("ENUM", values=("sad", "it's ok"))
    assert columns["m"].not_null and columns["id"].not_null and not columns["name"].not_null
    assert columns["age"].bounds == (0, 120)
    assert columns["score"].bounds == (0, 5)
    assert columns["born"].bounds == (date(1900, 1, 1), date(2020, 12, 31))
    assert columns["price"].bounds == (0, Fraction(99999, 100))
    assert columns["free"].bounds is None  # infinity and NaN pass
    assert columns["kind"].values == ("a", "b")
    orders = shop.catalog().table("ORDERS")
    assert orders is not None and orders.keys == ()
    assert orders.foreign_keys == (ForeignKey("cid", "Customer", "id"),) or (
        orders.foreign_keys == (ForeignKey("cid", "customer", "id"),)
    )
    assert orders.columns[3].type.is_opaque


def test_targets(shop: DuckDBEngine) -> None:
    assert shop.target("CUSTOMER") == ("shop", "main", "Customer")
    assert shop.target("orders") == ("shop", "main", "orders")
    assert shop.target("lonely") == ("shop", "other", "lonely")
    for name, reason in {
        "big": "view",
        "cased": "COLLATE",
        "made": "generated",
        "twice": "could mean shop.other.twice or shop.third.twice",
        "nothing": "no table",
    }.items():
        with pytest.raises(PolicyError, match=reason):
            shop.target(name)
    assert {path[2] for path in shop.catalog().unusable} == {"big", "cased", "made"}
    assert shop.target("third.Twice") == ("shop", "third", "twice")
    assert shop.target("shop.other.orders") == shop.target("other.orders")
    assert shop.target("shop.orders") == shop.target("orders")
    with shop.snapshot() as snapshot:
        assert snapshot.rows('SELECT count(*) FROM "shop"."main"."Customer"') == [(1,)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('{f}')",
        "SELECT * FROM read_text('{f}')",
        "SELECT * FROM '{f}'",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM outer_variable",
        "COPY (SELECT 1) TO '{f}.out'",
        "COPY (SELECT 1) TO '/dev/stdout'",
        "ATTACH '{f}.duckdb' AS x",
        "ATTACH ':memory:' AS x",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET threads = 1",
        "SET enable_external_access = true",
        "PRAGMA threads = 1",
        "RESET memory_limit",
        "CREATE TABLE x (a INTEGER)",
        "INSERT INTO orders (oid) VALUES (1)",
        "DELETE FROM customer",
        "EXPORT DATABASE '{f}.d'",
        "CREATE TEMP TABLE x (a INTEGER)",
        "CREATE TEMP MACRO sum(a) AS 1",
        "SET VARIABLE a = 1",
        "PREPARE p AS SELECT 1",
        "EXPLAIN ANALYZE SELECT 1",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE customer",
        "COMMIT",
        "",
    ],
)
def test_sandbox(shop: DuckDBEngine, tmp_path: Path, sql: str) -> None:
    outer_variable = [1]  # what a replacement scan would find
    file = tmp_path / "secret.csv"
    file.write_text("a\n1\n")
    with shop.snapshot() as snapshot, pytest.raises(EngineError):
        snapshot.rows(sql.format(f=file))
    assert outer_variable and sorted(p.name for p in tmp_path.iterdir()) == [
        "secret.csv",
        "shop.duckdb",
    ]


def test_driver_is_locked(shop: DuckDBEngine, tmp_path: Path) -> None:
    """The same without dpsql's own check of the statement: what DuckDB itself refuses."""
    raw = shop._connection
    for sql in [
        f"SELECT * FROM read_text('{tmp_path}/shop.duckdb')",
        f"COPY (SELECT 1) TO '{tmp_path}/x.csv'",
        f"ATTACH '{tmp_path}/y.duckdb'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET threads = 1",
        "SET enable_external_access = true",
        "SET python_enable_replacements = true",
        "CREATE TABLE x (a INTEGER)",
        "SELECT * FROM tmp_path",
    ]:
        with pytest.raises(duckdb.Error):
            raw.execute(sql)
    settings = dict(raw.execute("SELECT name, value FROM duckdb_settings()").fetchall())
    assert settings["temp_file_encryption"] == "true"
    assert settings["autoload_known_extensions"] == "false"
    assert settings["threads"] == "2"


@pytest.mark.parametrize(
    "macro",
    [
        "sum(a) AS 42",
        "LEAST(a, b) AS 7",
        '"+"(a, b) AS 7',
        '"~~"(a, b) AS true',
        "date_part(a, b) AS 5",
        "duckdb_functions() AS TABLE SELECT 'x' AS function_name, true AS internal",
        "read_parquet(a) AS TABLE SELECT 1",
    ],
)
def test_refuses_shadowing_macros(tmp_path: Path, macro: str) -> None:
    path = build(tmp_path / "m.duckdb", f"CREATE TABLE t (a INTEGER); CREATE MACRO {macro}")
    with pytest.raises(PolicyError, match="shadow"):
        duckdb_open.open_file(path)
    duckdb.connect(str(path)).close()  # nothing is left open


def chain(error: BaseException) -> str:
    """All that an analyst can get out of an exception."""
    parts = ["".join(traceback.format_exception(error)), repr(error.__dict__)]
    frame = error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename != __file__:
            parts.append(repr(dict(frame.tb_frame.f_locals)))
        frame = frame.tb_next
    assert error.__cause__ is None
    assert error.__context__ is None
    return "\n".join(parts)


def test_errors_are_opaque(shop: DuckDBEngine, capfd: pytest.CaptureFixture[str]) -> None:
    seen: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = seen.append  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)  # as an analyst may
    sql = 'SELECT CAST("name" AS INTEGER) FROM "shop"."main"."Customer"'
    with shop.snapshot() as snapshot:
        with pytest.raises(EngineError) as caught:
            snapshot.rows(sql)
        assert SECRET not in chain(caught.value)
        with pytest.raises(EngineError):  # the transaction is over
            snapshot.rows("SELECT 1")
    with shop.snapshot() as snapshot:
        with pytest.raises(EngineError) as caught:
            snapshot.arrow(f"SELECT '{SECRET}' + nothing")
        assert "nothing" not in str(caught.value)
        assert caught.value.__cause__ is caught.value.__context__ is None
    with pytest.raises(EngineError) as caught, shop.snapshot() as snapshot:
        snapshot.rows(sql)
    assert SECRET not in chain(caught.value)
    with shop.snapshot() as snapshot:
        assert snapshot.rows("SELECT 1") == [(1,)]
    logging.getLogger().removeHandler(handler)
    out = capfd.readouterr()
    assert out.out == out.err == "" and not seen


def test_owner_log(shop: DuckDBEngine, tmp_path: Path) -> None:
    path = tmp_path / "owner.log"
    path.write_text("")
    path.chmod(0o644)
    handler = ownerlog.to_file(path)
    try:
        with suppress(EngineError), shop.snapshot() as snapshot:
            snapshot.rows('SELECT CAST("name" AS INTEGER) FROM "shop"."main"."Customer"')
    finally:
        logging.getLogger("dpsql.owner").removeHandler(handler)
        handler.close()
    assert SECRET in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not logging.getLogger("dpsql.owner").propagate


def test_snapshot_ends_after_foreign_error(shop: DuckDBEngine) -> None:
    with pytest.raises(ZeroDivisionError), shop.snapshot():
        raise ZeroDivisionError
    with shop.snapshot() as snapshot:
        assert snapshot.rows("SELECT 1") == [(1,)]


LONG = "SELECT count(*) FROM range(100000000) a, range(100000) b WHERE hash(a.range, b.range) = 1"


def test_interrupt(shop: DuckDBEngine) -> None:
    timer = threading.Timer(0.5, shop.interrupt)
    timer.start()
    start = time.monotonic()
    with pytest.raises(EngineError, match="interrupted") as caught, shop.snapshot() as snapshot:
        snapshot.rows(LONG)
    assert time.monotonic() - start < 20
    chain(caught.value)
    with shop.snapshot() as snapshot:
        assert snapshot.rows("SELECT 1") == [(1,)]
    timer.join()


@pytest.fixture
def heeding_ctrl_c() -> Iterator[None]:
    """A shell starts background jobs with SIGINT ignored, and Python then leaves it so."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeding_ctrl_c")
def test_ctrl_c(shop: DuckDBEngine) -> None:
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught, shop.snapshot() as snapshot:
        snapshot.rows(LONG)
    assert caught.value.__cause__ is None and caught.value.__context__ is None
    with shop.snapshot() as snapshot:
        assert snapshot.rows("SELECT 1") == [(1,)]
    timer.join()


def test_whoever_is_ended_waits_for_what_runs(shop: DuckDBEngine) -> None:
    """Else the process would end in the middle of DuckDB's work, and leave what it was writing."""

    def end(*_: object) -> None:
        raise SystemExit(143)

    before = signal.signal(signal.SIGTERM, end)
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGTERM))
    timer.start()
    try:
        with pytest.raises(SystemExit) as caught, shop.snapshot() as snapshot:
            snapshot.rows(LONG)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert caught.value.code == 143
    assert caught.value.__cause__ is None and caught.value.__context__ is None
    assert "dpsql-query" not in {thread.name for thread in threading.enumerate()}
    timer.join()


def test_threads(shop: DuckDBEngine) -> None:
    wrong: list[object] = []

    def work(k: int) -> None:
        for i in range(50):
            with suppress(EngineError), shop.snapshot() as snapshot:
                if i % 5 == 0:
                    snapshot.rows("SELECT CAST('x' AS INTEGER)")
                if snapshot.rows(f"SELECT {k} + {i}") != [(k + i,)]:
                    wrong.append((k, i))

    threads = [threading.Thread(target=work, args=(1000 * k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and not shop._active


def test_version(tmp_path: Path) -> None:
    path = build(tmp_path / "v.duckdb")
    with_wal = tmp_path / "v.duckdb.wal"
    engine = duckdb_open.open_file(path)
    first = engine.version()
    assert first is not None and first == engine.version()
    with_wal.touch()
    assert engine.version() is None
    with_wal.unlink()
    engine.close()
    with duckdb.connect(str(path)) as con:
        con.execute("INSERT INTO other.lonely VALUES (1)")
    engine = duckdb_open.open_file(path)
    assert engine.version() not in (first, None)
    replaced = tmp_path / "w.duckdb"
    replaced.write_bytes(path.read_bytes())
    replaced.replace(path)
    with pytest.raises(EngineError, match="changed"):
        engine.version()
    engine.close()


def another_file(folder: Path) -> Path:
    path = folder / "other.duckdb"
    return path if path.exists() else build(path, "CREATE TABLE t (a INTEGER)")


def test_cannot_open(tmp_path: Path) -> None:
    junk = tmp_path / "junk.duckdb"
    junk.write_bytes(b"secret junk " * 1000)
    with pytest.raises(PolicyError, match="cannot be opened") as caught:
        duckdb_open.open_file(junk)
    chain(caught.value)
    with pytest.raises(PolicyError, match="no such"):
        duckdb_open.open_file(tmp_path / "missing.duckdb")
    path = build(tmp_path / "x.duckdb", "CREATE TABLE t (a INTEGER)")
    with duckdb.connect(str(path)), pytest.raises(PolicyError, match="another connection of this"):
        duckdb_open.open_file(path)
    holder = f"import duckdb; c = duckdb.connect({str(path)!r}); print(1, flush=True); input()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", holder], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None and process.stdout.readline() == b"1\n"
        with pytest.raises(PolicyError, match="another process has it open"):
            duckdb_open.open_file(path)
        process.communicate(b"\n")
    with pytest.raises(PolicyError, match="is no file"):
        duckdb_open.open_file(tmp_path)
    for other in ("X", "main", "temp"):
        with pytest.raises(PolicyError, match=f"a database {other} is there already") as caught:
            duckdb_open.open_file(path, attached={other: another_file(tmp_path)})
        chain(caught.value)
    with duckdb.connect() as con:
        con.execute("SET force_mbedtls_unsafe = 'true'")
        con.execute(f"ATTACH '{tmp_path / 'e.duckdb'}' AS e (ENCRYPTION_KEY 'k')")
        con.execute("CREATE TABLE e.t AS SELECT 1 AS a")
    with pytest.raises(PolicyError, match="is encrypted"):
        duckdb_open.open_file(tmp_path / "e.duckdb")
    with pytest.raises(PolicyError):
        duckdb_open.open_file(path, Allowance(memory_limit="nonsense"))


def test_closed(tmp_path: Path) -> None:
    engine = duckdb_open.open_file(build(tmp_path / "x.duckdb"))
    engine.close()
    engine.close()
    with pytest.raises(DpsqlError, match="closed"), engine.snapshot():
        pass


@pytest.mark.parametrize("which", ["x.duckdb", "w.duckdb"])
def test_a_file_that_was_replaced_is_not_the_one_that_is_still_open(
    tmp_path: Path, which: str
) -> None:
    """DuckDB has one instance of a path in a process: that of the old file, while it is open."""
    for name in ("x.duckdb", "w.duckdb"):
        build(tmp_path / name, "CREATE TABLE t(i INTEGER)")

    def opened() -> DuckDBEngine:
        others = {"w": tmp_path / "w.duckdb"}
        return duckdb_open.open_file(tmp_path / "x.duckdb", Allowance(), others)

    first, same = opened(), opened()
    same.close()
    os.replace(build(tmp_path / "new", "CREATE TABLE t(j INTEGER)"), tmp_path / which)
    with pytest.raises(PolicyError, match="another connection"):
        opened()
    first.close()
    opened().close()


def test_columns_that_differ_in_case_alone_are_refused(tmp_path: Path) -> None:
    """The engine folds the case of ASCII alone: what is enforced of one must not count for both."""
    sql = 'CREATE TABLE t(id BIGINT PRIMARY KEY, "é" INTEGER CHECK ("é" < 5), "É" INTEGER)'
    engine = duckdb_open.open_file(build(tmp_path / "x.duckdb", sql), Allowance())
    assert engine.catalog().table("t") is None
    assert "differ in case alone" in next(iter(engine.catalog().unusable.values()))
    engine.close()
