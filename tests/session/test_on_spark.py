"""Data on a server that speaks Spark Connect: what is asked of it, and who sees what."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from subprocess import PIPE
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.errors import EngineError, PolicyError, Rejected
from dpsql.platform.engine.far import spark as far_spark
from dpsql.platform.engine.far.engine import FarEngine
from dpsql.platform.engine.far.spark_language import CALLS
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.support import on_spark
from tests.support.effort import chosen
from tests.tpch.data import SCALE, TABLES, database, query

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

POLICY = """
unit: people.id
budget: {eps: 1e9, delta: 1e-6}
tables:
  people:
    access: private
    key: [id]
    columns: {id: {}, town: {references: towns.name}, age: {bounds: [0, 99]}}
  visits:
    access: private
    columns:
      person: {references: people.id, max_rows: 3}
      cost: {bounds: [0, 50]}
      day: {bounds: [2024-01-01, 2024-12-31]}
  towns: {access: public, key: [name], columns: {name: {}}}
"""
TPCH = Path(__file__).parents[1] / "tpch" / "policy.yaml"


@pytest.fixture
def session(sail: str) -> Iterator[SparkSession]:
    made = on_spark.session(sail)
    ids = list(range(100))
    towns = ["a", "b\\'", "c", None]
    on_spark.lend(
        made,
        "people",
        pa.table(
            {
                "id": pa.array(ids, pa.int64()),
                "town": [towns[i % 4] for i in ids],
                "age": pa.array([i % 120 for i in ids], pa.int32()),
            }
        ),
    )
    on_spark.lend(
        made,
        "visits",
        pa.table(
            {
                "person": pa.array([i % 100 for i in range(500)], pa.int64()),
                "cost": pa.array([i % 70 for i in range(500)], pa.int32()),
                "day": pa.array([19723 + i % 365 for i in range(500)], pa.date32()),
            }
        ),
    )
    on_spark.lend(made, "towns", pa.table({"name": ["a", "b\\'", "c"]}))
    yield made
    made.stop()


def ledger() -> MemoryLedger:
    return MemoryLedger(Cost(Fraction(10**16)))


def opened(session: Any, policy: Any = POLICY) -> dpsql.Database:
    return dpsql.connect(session, policy, ledger=ledger())


def exact(db: dpsql.Database, sql: str) -> list[Any]:
    """An answer with almost no noise."""
    return [tuple(round(v) if isinstance(v, float) else v for v in r) for r in db.run(sql, 1e6)]


def test_answers(session: SparkSession) -> None:
    with opened(session) as db:
        assert exact(db, "SELECT COUNT(*) FROM people") == [(100,)]
        by_town = "SELECT town, COUNT(*) FROM people WHERE town IS NOT NULL GROUP BY 1 ORDER BY 1"
        assert exact(db, by_town) == [("a", 25), ("b\\'", 25), ("c", 25)]
        joined = "SELECT COUNT(*), SUM(cost) FROM people p JOIN visits v ON v.person = p.id"
        [(count, _)] = exact(db, joined)
        assert count == 300  # three visits of each
        assert exact(db, "SELECT COUNT(*) FROM towns") == [(3,)]
        assert [*db.run("SELECT name FROM towns ORDER BY 1", 1)] == [("a",), ("b\\'",), ("c",)]
        above = "SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)"
        assert exact(db, above) == [(50,)]


def test_private_rows_are_not_here(session: SparkSession) -> None:
    with opened(session) as db:
        engine = db._engine
        assert isinstance(engine, FarEngine)
        for table, rows in (("people", 0), ("visits", 0), ("towns", 3)):
            [(found,)] = engine.cursor().execute(f"SELECT COUNT(*) FROM {table}").fetchall()
            assert found == rows


def test_what_the_server_has_not_is_refused_before_the_charge(session: SparkSession) -> None:
    kept = ledger()
    with dpsql.connect(session, POLICY, ledger=kept) as db:
        asked = "SELECT COUNT(*) FROM visits WHERE STRFTIME(day, '%Y') = '2024'"
        with pytest.raises(Rejected, match=r"DP106.*Spark has no strftime that is DuckDB's"):
            db.run(asked, 1)
        assert not db.budget.spent.exact.eps
        # What is made of released numbers, and of public rows, is DuckDB's own.
        assert len(db.run("SELECT LN(COUNT(*)) FROM people", 1).rows) == 1
        assert len(db.run("SELECT UPPER(name) FROM towns", 1).rows) == 3


@pytest.mark.parametrize(
    ("name", "value"),
    [("spark.sql.session.timeZone", "Europe/Berlin"), ("spark.sql.ansi.enabled", "false")],
)
def test_settings_that_change_meanings(session: SparkSession, name: str, value: str) -> None:
    with opened(session) as db:
        session.conf.set(name, value)
        with pytest.raises(EngineError, match="the session has another spark"):
            db.run("SELECT COUNT(*) FROM people", 1)
    with pytest.raises(PolicyError, match="the session has another spark"):
        opened(session)


def test_moments_are_those_of_utc(session: SparkSession) -> None:
    """A TIMESTAMP with a zone is the moment in UTC, whatever the machine's zone is."""
    moments = pa.array([1704067200 * 10**6 + 30 * 60 * 10**6 * i for i in range(4)])
    table = pa.table({"id": [1, 2, 3, 4], "at": moments.cast(pa.timestamp("us", tz="UTC"))})
    on_spark.lend(session, "calls", table)
    policy = """
unit: calls.id
budget: {eps: 1e9}
tables:
  calls:
    access: private
    columns: {id: {}, at: {bounds: [2024-01-01 00:00:00, 2024-01-02 00:00:00]}}
"""
    with opened(session, policy) as db:
        asked = "SELECT COUNT(*) FROM calls WHERE at < TIMESTAMP '2024-01-01 01:00:00'"
        assert exact(db, asked) == [(2,)]


def test_a_table_that_changes(session: SparkSession) -> None:
    """Rows may come and go; columns that are not what they were are refused."""
    with opened(session) as db:
        assert exact(db, "SELECT COUNT(*) FROM people") == [(100,)]
        session.sql("SELECT id, town, age FROM people WHERE id < 60").createOrReplaceTempView(
            "people2"
        )
        frame = session.createDataFrame([(1, "a", 3)], "id bigint, town string, age int")
        frame.createOrReplaceTempView("people")
        assert exact(db, "SELECT COUNT(*) AS other FROM people") == [(1,)]
        wider = session.createDataFrame([(1, "a", 3)], "id bigint, town string, age bigint")
        wider.createOrReplaceTempView("people")
        with pytest.raises(EngineError, match="the table people is not what it was"):
            db.run("SELECT COUNT(*) AS third FROM people", 1)


@pytest.mark.parametrize("named", ["w0", "m1", "q0", "p", "lake.people"])
@pytest.mark.one_in(2)
def test_no_name_of_ours_is_a_tables(session: SparkSession, named: str, tmp_path: Path) -> None:
    """What a statement names itself is told from every table."""
    plain = named.rpartition(".")[2]
    rows = pa.table({"c0": pa.array(range(60), pa.int64())})
    if "." in named:
        session.sql("CREATE DATABASE IF NOT EXISTS lake")
        session.sql("CREATE OR REPLACE TEMPORARY VIEW other AS SELECT id AS c0 FROM range(60)")
        stored = f"USING parquet LOCATION '{tmp_path}/lake'"
        session.sql(f"CREATE TABLE {named} {stored} AS SELECT * FROM other")
    else:
        on_spark.lend(session, plain, rows)
    policy = f"""
unit: {named}.c0
budget: {{eps: 1e9}}
tables:
  {named}: {{access: private, key: [c0], columns: {{c0: {{}}}}}}
  visits: {{access: private, columns: {{person: {{references: {named}.c0, max_rows: 3}}}}}}
"""
    with opened(session, policy) as db:
        found = exact(
            db,
            "WITH z AS MATERIALIZED (SELECT person FROM visits) SELECT COUNT(*) "
            f"FROM z JOIN z AS y ON z.person = y.person JOIN {named} AS u ON z.person = u.c0",
        )
        assert found == [(60 * 3 * 3,)]
    if "." in named:
        session.sql(f"DROP TABLE {named}")


def test_a_text_is_no_variable(session: SparkSession) -> None:
    """Spark would put the value of ${env:HOME} there before it reads a statement."""
    session.conf.set("spark.sql.variable.substitute", "true")
    asked = "SELECT COUNT(*) FROM people WHERE town <> '${env:HOME}'"
    with opened(session) as db:
        sql = str(db.explain(asked, 1).sql)
        assert "${" not in sql and r"\u0024{env:HOME}" in sql
        assert exact(db, asked) == [(75,)]


def test_dates_that_spark_has_not_are_null(session: SparkSession) -> None:
    days = pa.array([19723, -2147483646, 2147483646, None], pa.date32())
    on_spark.lend(session, "calls", pa.table({"id": [1, 2, 3, 4], "day": days}))
    policy = """
unit: calls.id
budget: {eps: 1e9}
tables: {calls: {access: private, columns: {id: {}, day: {bounds: [2024-01-01, 2024-12-31]}}}}
"""
    with opened(session, policy) as db:
        found = exact(db, "SELECT YEAR(day) AS y, COUNT(*) FROM calls GROUP BY 1 ORDER BY 1")
        assert found[0] == (2024, 1)


def test_a_number_that_its_type_has_not_makes_nothing_fail(
    session: SparkSession, tmp_path: Path
) -> None:
    """Sail says INT of a file's UINT_32, BIGINT of its UINT_64: what is above that is NULL."""
    file = tmp_path / "calls.parquet"
    with duckdb.connect() as connection:
        columns = "CAST(if(i = 0, 255, 1) AS UTINYINT) a, CAST(if(i = 0, 65535, 1) AS USMALLINT) b"
        columns += ", CAST(if(i = 0, 4294967295, 1) AS UINTEGER) c"
        columns += ", CAST(if(i = 0, 18446744073709551615, 1) AS UBIGINT) d"
        connection.execute(f"COPY (SELECT i AS id, {columns} FROM range(99) r(i)) TO '{file}'")
    policy = f"""
unit: calls.id
budget: {{eps: 1e9, delta: 1e-6}}
tables:
  calls:
    access: private
    key: [id]
    files: {file}
    columns: {{id: {{}}, a: {{}}, b: {{}}, c: {{}}, d: {{}}}}
"""
    kept = MemoryLedger(Cost(Fraction(10**16), Fraction(1, 2)))
    with dpsql.connect(session, policy, ledger=kept) as db:
        for x in "abcd":
            assert exact(db, f"SELECT COUNT(*) FROM calls WHERE {x} = 1") == [(98,)]
            if x != "b":  # of which there are too many groups
                assert db.run(f"SELECT {x}, COUNT(*) FROM calls GROUP BY 1", 9, delta=1e-9).rows


def test_a_failure_is_one_error_and_the_next_query_works(
    session: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(session) as db:
        run = far_spark.Spark.run

        def broken(self: far_spark.Spark, sql: str) -> Any:
            raise ValueError("the private value 4711")

        monkeypatch.setattr(far_spark.Spark, "run", broken)
        with pytest.raises(EngineError) as caught:
            db.run("SELECT COUNT(*) FROM people", 1)
        assert "4711" not in repr(caught.value) + str(caught.value.__context__)
        assert caught.value.__cause__ is None
        assert db.budget.spent.exact.eps == 1  # the charge stays
        monkeypatch.setattr(far_spark.Spark, "run", run)
        assert exact(db, "SELECT COUNT(*) FROM visits WHERE cost > 100") == [(0,)]


def test_a_server_that_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One error that tells nothing, and the charge stays; opened again, all works."""
    if os.environ.get("DPSQL_SPARK"):
        pytest.skip("the server is not ours to kill")
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT i AS id FROM range(4711) r(i)) TO '{tmp_path}/t.parquet'")
    os.utime(tmp_path / "t.parquet", (0, 0))  # so that keys are not looked at before each query
    policy = "unit: t.id\nbudget: {eps: 1e9}\ntables:\n  t: {access: private, key: [id], "
    policy += f"files: {tmp_path}/t.parquet, columns: {{id: {{}}}}}}\n"
    kept, asked, run = ledger(), "SELECT COUNT(*) FROM t", far_spark.Spark.run
    command = [sys.executable, "-c", on_spark.SAIL]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as server:
        assert server.stdin is not None and server.stdout is not None
        url = f"sc://localhost:{int(server.stdout.readline())}"
        with dpsql.connect(url, policy, ledger=kept) as db:

            def killed(self: far_spark.Spark, sql: str) -> Any:
                server.kill()
                server.wait()
                return run(self, sql)

            monkeypatch.setattr(far_spark.Spark, "run", killed)
            with pytest.raises(EngineError, match="could not run the query") as caught:
                db.run(asked, 1)
            assert caught.value.__cause__ is None and caught.value.__context__ is None
            assert db.budget.spent.exact.eps == 1
            monkeypatch.undo()
            with pytest.raises(EngineError):
                db.run("SELECT COUNT(*) AS other FROM t", 1)
            assert db.budget.spent.exact.eps == 1  # the server is asked before the charge
    with on_spark.sail() as url, dpsql.connect(url, policy, ledger=kept) as db:
        assert exact(db, "SELECT COUNT(*) AS third FROM t") == [(4711,)]


def _no_function(patch: pytest.MonkeyPatch, session: SparkSession) -> None:
    patch.setitem(CALLS, "abs", lambda node, args: f"magnitude({args[0]})")


def _no_table(patch: pytest.MonkeyPatch, session: SparkSession) -> None:
    session.catalog.dropTempView("visits")


def _no_column(patch: pytest.MonkeyPatch, session: SparkSession) -> None:
    session.sql("SELECT 1L AS person, 2 AS price").createOrReplaceTempView("visits")


@pytest.mark.parametrize("change", [_no_function, _no_table, _no_column])
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.one_in(2)
def test_what_the_server_does_not_take_costs_nothing(
    late: bool,
    change: Callable[[pytest.MonkeyPatch, SparkSession], None],
    session: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where tables change when they were looked at already."""
    asked = "SELECT COUNT(*) FROM visits WHERE ABS(cost) > 3"
    sent: list[str] = []
    run = far_spark.Spark.run

    def noted(self: far_spark.Spark, sql: str) -> Any:
        sent.append(sql)
        return run(self, sql)

    with opened(session) as db:
        if late:
            monkeypatch.setattr(FarEngine, "_check", lambda self: None)
        monkeypatch.setattr(far_spark.Spark, "run", noted)
        change(monkeypatch, session)
        with pytest.raises(EngineError) as caught:
            db.run(asked, 1)
        assert caught.value.__context__ is None and caught.value.__cause__ is None
        assert not db.budget.spent.exact.eps and not sent
        if late:
            assert "does not take what this query becomes" in str(caught.value)
            assert exact(db, "SELECT COUNT(*) FROM people") == [(100,)]


def test_each_statement_is_bound_before_the_charge(
    session: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of all releases and of a batch; an answer that is given again binds none."""
    order: list[str] = []
    bind, run = far_spark.Spark.bind, far_spark.Spark.run

    def binds(self: far_spark.Spark, sql: str) -> None:
        order.append("bind")
        bind(self, sql)

    def runs(self: far_spark.Spark, sql: str) -> Any:
        order.append("run")
        return run(self, sql)

    asked = (
        "SELECT COUNT(*), COUNT(DISTINCT cost), MEDIAN(cost) FROM visits",
        "SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)",
    )
    with opened(session) as db:
        monkeypatch.setattr(far_spark.Spark, "bind", binds)
        monkeypatch.setattr(far_spark.Spark, "run", runs)
        for sql in asked:
            order.clear()
            db.run(sql, 1)
            many = order.count("bind")
            assert many > 1 and order[:many] == ["bind"] * many
            assert set(order[many:]) == {"run"} and len(order) >= 2 * many


def test_pyspark_writes_no_error_of_its_own(
    session: SparkSession, capfd: pytest.CaptureFixture[str]
) -> None:
    """It does where the server is Apache Spark, with the server's words."""
    from pyspark.logger import PySparkLogger

    with opened(session):
        for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
            PySparkLogger.getLogger(name).exception("the private value 4711", errorClass="CAST")
    assert "4711" not in "".join(capfd.readouterr())


def test_a_deadline(session: SparkSession) -> None:
    policy = POLICY + "limits: {seconds: 1}\n"
    many = session.range(3_000_000).selectExpr("id % 100 AS person", "1 AS cost")
    many.selectExpr(
        "person", "cast(1 as int) cost", "date '2024-02-02' day"
    ).createOrReplaceTempView("visits")
    slow = threading.Event()
    run = far_spark.Spark.run

    def slowly(self: far_spark.Spark, sql: str) -> Any:
        if "visits" in sql and slow.is_set():
            time.sleep(2)
        return run(self, sql)

    with pytest.MonkeyPatch.context() as patched, opened(session, policy) as db:
        patched.setattr(far_spark.Spark, "run", slowly)
        slow.set()
        start = time.monotonic()
        with pytest.raises(EngineError) as late:
            db.run("SELECT SUM(cost) FROM visits", 1)
        assert time.monotonic() - start < 30
        # Whether it had ended, or was stopped, is not told.
        told = str(late.value)
        patched.setattr(
            far_spark.Spark, "run", lambda self, sql: run(self, "SELECT raise_error('')")
        )
        with pytest.raises(EngineError) as stopped:
            db.run("SELECT SUM(cost) FROM visits", 1)
        assert str(stopped.value) == told


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="data on a server have their ledger where you say"):
        dpsql.connect("sc://localhost:1", POLICY)
    with pytest.raises(PolicyError, match="no Spark server is there") as caught:
        dpsql.connect("sc://user:s3cret@localhost:1", POLICY, ledger=tmp_path / "ledger")
    assert "s3cret" not in str(caught.value) and caught.value.__context__ is None


def test_tables_are_found_by_the_names_of_the_policy(session: SparkSession) -> None:
    with pytest.raises(PolicyError, match="no table visitz"):
        opened(session, POLICY.replace("visits:", "visitz:"))


def test_the_command_line(sail: str, tmp_path: Path) -> None:
    """Parquet files as tables; a session of its own, whose warnings are nobody's."""
    with duckdb.connect() as connection:
        rows = "SELECT i AS id, (i % 90)::INTEGER AS age FROM range(200) AS r(i)"
        connection.execute(f"COPY ({rows}) TO '{tmp_path}/crowd.parquet'")
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "unit: crowd.id\nbudget: {eps: 1e9}\ntables:\n  crowd:\n    access: private\n"
        f"    key: [id]\n    files: {tmp_path}/crowd.parquet\n"
        "    columns: {id: {}, age: {bounds: [0, 99]}}\n"
    )
    flags = ["--policy", str(policy), "--ledger", str(tmp_path / "ledger"), "--format", "csv"]
    asked = "SELECT COUNT(*) AS n FROM crowd"
    command = [sys.executable, "-m", "dpsql", "run", sail, asked, "--eps", "1e5", *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["n", "200"]), done.stderr
    assert "Warning" not in done.stderr


@pytest.mark.parametrize("number", chosen(range(1, 23), 4, 18, 22))
def test_tpch(number: int, tpch: tuple[dpsql.Database, dpsql.Database]) -> None:
    """The same verdict as on DuckDB, and at this ε nearly the same numbers."""
    near, far = tpch
    found = []
    for db in (near, far):
        try:
            found.append(db.run(query(number), 1e6).rows)
        except Rejected as rejected:
            found.append(str(rejected))
    assert isinstance(found[0], str) == isinstance(found[1], str)
    if isinstance(found[0], str):
        assert found[0] == found[1]
        return
    assert len(found[0]) == len(found[1])
    for mine, other in zip(sorted(found[0], key=str), sorted(found[1], key=str), strict=True):
        for a, b in zip(mine, other, strict=True):
            if isinstance(a, str) or a is None:
                assert a == b
            elif not isinstance(a, int) or number not in (8, 17):  # quotients of noise
                assert float(b) == pytest.approx(float(a), rel=1e-2, abs=2000)


@pytest.fixture(scope="module")
def tpch(sail: str) -> Iterator[tuple[dpsql.Database, dpsql.Database]]:
    session = on_spark.session(sail)
    with duckdb.connect(str(database(SCALE)), read_only=True) as connection:
        for table in TABLES:
            on_spark.lend(session, table, connection.sql(f"FROM {table}").to_arrow_table())
    with (
        dpsql.connect(database(SCALE), TPCH, ledger=ledger(), workers=0) as near,
        dpsql.connect(session, TPCH, ledger=ledger()) as far,
    ):
        yield near, far
    session.stop()
