"""Claims about data on a server that speaks Spark Connect are checked once for a state that it
names, and a state that has passed proves nothing.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest

import dpsql
from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine.far import engine as far_engine
from dpsql.platform.engine.far import spark as far_spark
from dpsql.platform.engine.far.spark import Spark
from dpsql.platform.engine.far.spark_states import location, stored
from tests.support import on_spark
from tests.support.effort import chosen

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PEOPLE = "SELECT i AS id, (i % 90)::INTEGER AS age FROM range(100) AS r(i)"
VISITS = "SELECT i % 100 AS person, (i % 50)::INTEGER AS cost FROM range(300) AS r(i)"
COUNT = "SELECT COUNT(*) AS n FROM visits"
KEY = "GROUP BY"
"""In what is asked to learn whether a key is one."""

POLICY = """
unit: people.id
budget: {{eps: 1e9, delta: 1e-6}}
tables:
  people:
    access: private
    key: [id]
    {people}
    columns: {{id: {{nullable: false}}, age: {{bounds: [0, 99]}}}}
  visits:
    access: private
    {visits}
    columns:
      person: {{references: people.id, max_rows: 3}}
      cost: {{bounds: [0, 30], nullable: false}}
      town: {{references: towns.name}}
  towns: {{access: public, key: [name], columns: {{name: {{}}}}}}
"""


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each query is long after the one before."""
    monkeypatch.setattr(far_engine, "RECENT", 0)


@pytest.fixture
def session(sail: str) -> Iterator[SparkSession]:
    made = on_spark.session(sail)
    on_spark.lend(made, "towns", pa.table({"name": ["a", "b"]}))
    yield made
    made.stop()


class Lake:
    """People and visits, as files or as tables of Delta's or Iceberg's."""

    def __init__(self, session: SparkSession, folder: Path, kind: str) -> None:
        needs(session, kind)
        self.session, self.folder, self.kind = session, folder, kind
        self.ledger = folder / "ledger"
        self.policy = POLICY.format(
            **{
                t: f"files: {folder}/{t}" if kind == "parquet" else "row_note: x"
                for t in ("people", "visits")
            }
        ).replace("    row_note: x\n", "")
        self.write("people", PEOPLE)
        self.write("visits", f"SELECT *, 'a' AS town FROM ({VISITS})")

    def write(self, table: str, rows: str, *, old: bool = True) -> None:
        """Replace a table's rows."""
        where = self.folder / table
        with duckdb.connect() as connection:
            if self.kind == "parquet":
                where.mkdir(exist_ok=True)
                connection.execute(f"COPY ({rows}) TO '{where}/part.parquet'")
                if old:
                    age(where / "part.parquet")
                return
            found = connection.sql(rows).to_arrow_table()
        name = f"{self.folder.name}_{table}".replace("-", "_")
        on_spark.lend(self.session, name, found)
        self.session.sql(f"DROP TABLE IF EXISTS {table}")
        shutil.rmtree(where, ignore_errors=True)
        made = f"CREATE TABLE {table} USING {self.kind} LOCATION '{where}'"
        self.session.sql(f"{made} AS SELECT * FROM {name}").toArrow()

    def open(self) -> dpsql.Database:
        return dpsql.connect(self.session, self.policy, ledger=self.ledger)

    def verify(self) -> Any:
        return dpsql.verify(self.session, self.policy, ledger=self.ledger)

    def done(self) -> None:
        for table in ("people", "visits"):
            self.session.sql(f"DROP TABLE IF EXISTS {table}")


def needs(session: SparkSession, kind: str) -> None:
    """Skip where the server was started without a format: Sail has all."""
    if os.environ.get("DPSQL_SPARK") and kind != "parquet":
        try:
            session.read.format(kind).load("/nowhere").schema  # noqa: B018
        except Exception as error:
            if "DATA_SOURCE_NOT_FOUND" in str(error):
                pytest.skip(f"the server has no {kind}")


def age(path: Path, seconds: float = 3600) -> None:
    """Set a file's time back."""
    then = time.time() - seconds
    os.utime(path, (then, then))


TABLES = ["delta", "iceberg"]
"""The formats that have states of their own."""


@pytest.fixture(params=chosen(["parquet", *TABLES], "parquet", "iceberg"))
def lake(session: SparkSession, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Lake]:
    made = Lake(session, tmp_path, request.param)
    yield made
    made.done()


@pytest.fixture(params=chosen(["parquet", *TABLES], "iceberg"))
def recorded(
    session: SparkSession, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Lake]:
    """For what comes of a record, of whatever it is."""
    made = Lake(session, tmp_path, request.param)
    yield made
    made.done()


@pytest.fixture(params=chosen(TABLES, "delta"))
def tables(session: SparkSession, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Lake]:
    made = Lake(session, tmp_path, request.param)
    yield made
    made.done()


@pytest.fixture
def files(session: SparkSession, tmp_path: Path) -> Lake:
    return Lake(session, tmp_path, "parquet")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the server is asked, from here on."""
    found: list[str] = []
    run = Spark.run

    def noted(self: Spark, sql: str) -> Any:
        found.append(sql)
        return run(self, sql)

    monkeypatch.setattr(Spark, "run", noted)
    return found


def exact(db: dpsql.Database, sql: str = COUNT, eps: float = 1e6) -> int:
    [[found]] = db.run(sql, eps, fresh=True).rows
    return round(found)


def test_keys_are_checked_once(lake: Lake, asked: list[str]) -> None:
    with lake.open() as db:
        assert any(KEY in sql for sql in asked)
        asked.clear()
        assert exact(db, "SELECT COUNT(*) FROM people") == 100
        assert len(asked) == 1 and KEY not in asked[0]


def test_what_holds_is_recorded_claim_by_claim(recorded: Lake) -> None:
    report = recorded.verify()
    assert report.unrecorded is None
    false = {(f.kind, f.column, f.rows) for f in report.false}
    assert false == {("bounds", "visits.cost", 19 * 6)}
    with recorded.open() as db:
        assert db.verified
        people, visits = db.schema.tables["people"], db.schema.tables["visits"]
        [age] = [c for c in people.columns if c.name == "age"]
        known = {c.name: c for c in visits.columns}
        assert age.bounds_proven and known["person"].max_rows_proven and visits.owner_proven
        assert not known["cost"].bounds_proven and not known["cost"].nullable
        assert exact(db, "SELECT SUM(cost) FROM visits") == sum(min(i % 50, 30) for i in range(300))
        assert db.verify().unrecorded is None
    # What is proven costs queries nothing.
    assert "GROUP BY" not in sent(recorded, "SELECT COUNT(*) FROM visits")


def sent(lake: Lake, sql: str) -> str:
    with lake.open() as db:
        return str(db.explain(sql, 1).sql)


def broken(lake: Lake) -> None:
    """Four visits of one person, of which one is nobody's."""
    lake.write("visits", f"SELECT *, 'a' AS town FROM ({VISITS} UNION ALL SELECT 7, 3)")


def test_a_record_is_of_one_state(lake: Lake) -> None:
    assert lake.verify().unrecorded is None
    broken(lake)
    with lake.open() as db:
        assert not db.verified
        assert not db.schema.tables["visits"].owner_proven
        assert "GROUP BY" in sent(lake, "SELECT COUNT(*) FROM visits")
        assert exact(db) == 300  # one of the four is cut


def test_a_record_is_of_one_state_of_public_rows(recorded: Lake, session: SparkSession) -> None:
    assert recorded.verify().unrecorded is None
    on_spark.lend(session, "towns", pa.table({"name": ["a", "c"]}))
    with recorded.open() as db:
        assert not db.verified


def test_a_record_is_of_what_is_read_in_one_type(
    recorded: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys that are no texts may be one where the texts are two: '1' and '01'."""
    assert recorded.verify().unrecorded is None
    monkeypatch.setitem(far_spark._KINDS, "integer", "BIGINT")
    with recorded.open() as db:
        assert not db.verified


@pytest.mark.usefixtures("later")
def test_data_that_change_while_they_are_open(files: Lake) -> None:
    assert files.verify().unrecorded is None
    with files.open() as db:
        assert exact(db) == 300
        spent = db.budget.spent.exact.eps
        broken(files)
        with pytest.raises(EngineError, match="has changed since it was opened"):
            exact(db)
        assert db.budget.spent.exact.eps == spent
    with files.open() as db:
        assert not db.verified and exact(db) == 300


@pytest.mark.parametrize("gone", [False, True])
def test_data_that_change_right_after_a_query(
    gone: bool, files: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are not looked at again before one that follows at once: that one is charged, and has no
    answer. Whatever it fails of, it is the only one.
    """
    assert files.verify().unrecorded is None
    monkeypatch.setattr(far_engine, "RECENT", 3600)
    with files.open() as db:
        assert exact(db) == 300
        spent = db.budget.spent.exact.eps
        if gone:
            shutil.rmtree(files.folder / "visits")
        else:
            broken(files)
        with pytest.raises(EngineError):
            exact(db, eps=1)
        once = db.budget.spent.exact.eps
        assert once == spent + 1
        for _ in range(2):
            with pytest.raises(EngineError):
                exact(db, eps=1)
            assert db.budget.spent.exact.eps == once


def test_data_are_looked_at_once_a_query_and_no_less(
    files: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each statement, and before one that does not follow at once."""
    looks: list[bool] = []
    held = Spark.held

    def counted(self: Spark) -> bool:
        looks.append(held(self))
        return looks[-1]

    assert files.verify().unrecorded is None
    with files.open() as db:
        monkeypatch.setattr(Spark, "held", counted)
        for recent, expected in ((0.0, 2), (3600.0, 1), (3600.0, 1), (0.0, 2)):
            monkeypatch.setattr(far_engine, "RECENT", recent)
            assert exact(db) == 300
            assert looks == [True] * expected
            looks.clear()


@pytest.mark.parametrize("change", ["more", "less", "rewritten"])
def test_a_change_in_the_middle_of_a_query(
    change: str, files: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows were read in no state that is known: no answer, though it is paid for."""
    assert files.verify().unrecorded is None
    run = Spark.run
    where = files.folder / "visits" / "part.parquet"

    def changed(self: Spark, sql: str) -> Any:
        found = run(self, sql)
        if change == "more":
            shutil.copy(where, where.with_name("more.parquet"))
        elif change == "less":
            where.rename(files.folder / "elsewhere")
        else:
            age(where, 1800)
        return found

    with files.open() as db:
        monkeypatch.setattr(Spark, "run", changed)
        if change == "more" and os.environ.get("DPSQL_SPARK"):
            for _ in range(2):  # Apache Spark lists the files of a view once, and reads no other
                assert exact(db) == 300
            return
        with pytest.raises(EngineError):
            exact(db, eps=1)
        assert db.budget.spent.exact.eps == 1


def test_files_that_are_young_have_no_state(files: Lake, asked: list[str]) -> None:
    """They could be written again within what storage takes for the same moment."""
    files.write("people", PEOPLE, old=False)
    report = files.verify()
    assert report.unrecorded is not None and "at least a minute old" in report.unrecorded
    with files.open() as db:
        asked.clear()
        assert exact(db) == 300
        assert any(KEY in sql for sql in asked)


def test_a_file_that_is_read_in_parts(files: Lake) -> None:
    """Sail names it once for each of them."""
    many = "SELECT i AS id, 1 AS age, md5(i::VARCHAR) AS note FROM range(100_000) AS r(i)"
    files.write("people", many)
    assert files.verify().unrecorded is None


def test_rows_of_another_table_are_other_rows(files: Lake, session: SparkSession) -> None:
    """The same files as other tables."""
    names = []
    for order in (("people", "visits"), ("visits", "people")):
        paths = {
            t: [f"{files.folder}/{at}"] for t, at in zip(order, ("people", "visits"), strict=True)
        }
        names.append(Spark(session, paths).hold(order))
    assert None not in names and names[0] != names[1]


def test_a_table_is_read_at_its_commit(tables: Lake, session: SparkSession) -> None:
    """What is written later is not seen, and proves nothing for who opens it then."""
    assert tables.verify().unrecorded is None
    with tables.open() as db:
        session.sql("INSERT INTO visits VALUES (7, 3, 'a'), (NULL, 3, 'a')").toArrow()
        assert db.verified and exact(db) == 300
        with tables.open() as later:
            assert not later.verified and exact(later) == 300


@pytest.mark.usefixtures("later")
def test_a_table_that_is_made_again(tables: Lake) -> None:
    """Commits of Delta's have the numbers of before."""
    assert tables.verify().unrecorded is None
    with tables.open() as db:
        broken(tables)
        with pytest.raises(EngineError):
            exact(db)
        assert not db.budget.spent.exact.eps
    with tables.open() as db:
        assert not db.verified


@pytest.mark.usefixtures("later")
def test_a_commit_that_is_gone(tables: Lake) -> None:
    """Old commits are thrown away now and then: nothing is charged for one."""
    with tables.open() as db:
        for file in (tables.folder / "visits").rglob("*"):
            if file.match("_delta_log/*.json") or file.match("metadata/snap-*"):
                file.unlink()
        with pytest.raises(EngineError):
            exact(db)
        assert not db.budget.spent.exact.eps


DETAILS = [("", ""), ("# Detailed Table Information", ""), ("Type", "EXTERNAL")]
DETAILS += [("Provider", "delta"), ("Location", "/lake/t/")]


@pytest.mark.parametrize(
    ("rows", "where"),
    [
        ([("id", "bigint"), *DETAILS], "/lake/t"),
        ([("id", "bigint"), ("# Row Filter", ""), *DETAILS], None),
        ([("Provider", "delta"), ("Location", "/lake/t"), ("Type", "EXTERNAL")], None),
        ([*DETAILS[:2], ("Type", "VIEW"), *DETAILS[3:]], None),
        ([*DETAILS[:3], ("Provider", "parquet"), DETAILS[4]], None),
    ],
)
def test_where_a_table_is(rows: list[tuple[str, str]], where: str | None) -> None:
    """Columns may have any name, and a table with a filter is not what its files are."""
    assert location(stored(rows), "delta") == where
    assert location(stored(rows), "iceberg") is None


def test_what_has_no_state(session: SparkSession, tmp_path: Path, asked: list[str]) -> None:
    """Rows that a session was lent, and views, can be replaced unseen: enforced in each query."""
    lake = Lake(session, tmp_path, "parquet")
    plain = "\n".join(line for line in lake.policy.splitlines() if "files:" not in line)
    for table in ("people", "visits"):
        frame = session.read.parquet(str(tmp_path / table))
        frame.createOrReplaceTempView(table)
    report = dpsql.verify(session, plain, ledger=lake.ledger)
    assert report.unrecorded is not None and "cannot be named" in report.unrecorded
    named = {"ledger": lake.ledger, "version": "2026-11"}  # which is a promise, and no proof
    with dpsql.connect(session, plain, **named) as db:  # type: ignore[arg-type]
        assert not db.verified
        asked.clear()
        exact(db)
        assert any(KEY in sql for sql in asked)


def test_where_there_is_no_place_for_a_record(files: Lake, session: SparkSession) -> None:
    report = dpsql.verify(session, files.policy)
    assert report.unrecorded is not None and "name the file of the ledger" in report.unrecorded


def test_a_key_that_is_none(recorded: Lake) -> None:
    assert recorded.verify().unrecorded is None
    recorded.write("people", f"{PEOPLE} UNION ALL SELECT 7, 3")
    report = recorded.verify()
    assert [f.kind for f in report.false if f.role == "fact"] == ["key"]
    with pytest.raises(PolicyError, match="is no key"):
        recorded.open()
