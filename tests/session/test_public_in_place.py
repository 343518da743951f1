"""Public Parquet files on Apache Spark are read there; of other public tables, and on other
servers, the copy is lent to it. What is asked of Spark alone is tried on Sail, too.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpsql.errors import EngineError
from dpsql.platform.engine.far import engine as far_engine
from dpsql.platform.engine.far.spark import Spark
from tests.session.test_states import VISITS, Lake, age, exact
from tests.support import on_spark
from tests.support.effort import chosen

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LARGE = "SELECT COUNT(*) FROM visits AS v JOIN towns AS t ON t.name = v.town WHERE t.size >= 3"
ONE, OTHER = "('a', 5), ('b', 2)", "('a', 2), ('b', 5)"
"""Which town is large: of 300 visits it has 198, or 102."""


class Towns(Lake):
    """Towns of two sizes beside people and visits, in the same kind of table."""

    def __init__(self, session: SparkSession, folder: Path, kind: str) -> None:
        super().__init__(session, folder, kind)
        files = f"files: {folder}/towns, " if kind == "parquet" else ""
        self.policy = self.policy.replace(
            "towns: {access: public, key: [name], columns: {name: {}}}",
            f"towns: {{access: public, {files}key: [name], columns: {{name: {{}}, size: {{}}}}}}",
        )
        town = "CASE WHEN cost % 3 = 0 THEN 'b' ELSE 'a' END AS town"
        self.write("visits", f"SELECT *, {town} FROM ({VISITS})")
        self.sizes(ONE)

    def sizes(self, rows: str, *, old: bool = True) -> None:
        """Replace the towns."""
        self.write("towns", f"SELECT * FROM (VALUES {rows}) AS t(name, size)", old=old)

    def done(self) -> None:
        super().done()
        self.session.sql("DROP TABLE IF EXISTS towns")


@pytest.fixture
def session(sail: str) -> Iterator[SparkSession]:
    made = on_spark.session(sail)
    yield made
    made.stop()


@pytest.fixture(params=chosen(["parquet", "delta", "iceberg"], "parquet", "delta"))
def towns(session: SparkSession, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Towns]:
    made = Towns(session, tmp_path, request.param)
    yield made
    made.done()


@pytest.fixture
def files(session: SparkSession, tmp_path: Path) -> Towns:
    return Towns(session, tmp_path, "parquet")


@pytest.fixture
def as_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a server's public files read where they are, whichever server it is."""
    monkeypatch.setattr(Spark, "watched", lambda self, table: table in self._files)


@pytest.fixture
def lent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of each time that the server is lent towns the number of rows."""
    found: list[int] = []
    publish = Spark.publish

    def noted(self: Spark, name: str, rows: Any) -> str:
        if "size" in rows.column_names:
            found.append(rows.num_rows)
        return publish(self, name, rows)

    monkeypatch.setattr(Spark, "publish", noted)
    return found


@pytest.mark.usefixtures("as_spark")
def test_files_are_not_lent(towns: Towns, lent: list[int]) -> None:
    """Of a table's commit no file but the one that names it is looked at."""
    assert towns.verify().unrecorded is None
    with towns.open() as db:
        assert db.verified and exact(db, LARGE) == 198
    assert lent == ([] if towns.kind == "parquet" else [2, 2])


def test_who_reads_them_where_they_are(files: Towns, lent: list[int]) -> None:
    with files.open() as db:
        assert exact(db, LARGE) == 198
    assert lent == ([] if os.environ.get("DPSQL_SPARK") else [2])


@pytest.mark.usefixtures("as_spark")
def test_what_is_written_later(towns: Towns, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that change are not read; what was lent is what was copied."""
    monkeypatch.setattr(far_engine, "RECENT", 0)
    with towns.open() as db:
        assert exact(db, LARGE) == 198
        spent = db.budget.spent.exact.eps
        if towns.kind == "parquet":
            towns.sizes(OTHER)
            with pytest.raises(EngineError, match="has changed since it was opened"):
                exact(db, LARGE)
            assert db.budget.spent.exact.eps == spent
        else:
            towns.session.sql("INSERT INTO towns VALUES ('b', 5)").toArrow()  # a key no more
            assert exact(db, LARGE) == 198
    if towns.kind == "parquet":
        with towns.open() as db:
            assert exact(db, LARGE) == 102


@pytest.mark.usefixtures("as_spark")
def test_a_change_in_the_middle_of_a_query(files: Towns, monkeypatch: pytest.MonkeyPatch) -> None:
    """The towns that were joined may not be those that were copied."""
    assert files.verify().unrecorded is None
    run = Spark.run

    def changed(self: Spark, sql: str) -> Any:
        files.sizes(OTHER)
        return run(self, sql)

    with files.open() as db:
        monkeypatch.setattr(Spark, "run", changed)
        with pytest.raises(EngineError):
            exact(db, LARGE, eps=1)
        assert db.budget.spent.exact.eps == 1


@pytest.mark.usefixtures("as_spark")
def test_a_change_while_they_are_copied(files: Towns, monkeypatch: pytest.MonkeyPatch) -> None:
    """After they were looked at: what is copied is of a state that is none of those held."""
    run, once = Spark.run, iter([True])

    def changed(self: Spark, sql: str) -> Any:
        if "size" in sql and next(once, False):
            files.sizes(OTHER)
        return run(self, sql)

    monkeypatch.setattr(Spark, "run", changed)
    with pytest.raises(EngineError, match="has changed since it was opened"):
        files.open()
    with files.open() as db:
        assert exact(db, LARGE) == 102


@pytest.mark.usefixtures("as_spark")
def test_towns_without_a_state_are_lent(files: Towns, lent: list[int]) -> None:
    """And those with one are read in it: what is verified of them is proven."""
    files.sizes(ONE, old=False)
    assert files.verify().unrecorded is None
    with files.open() as db:
        assert db.verified and exact(db, LARGE) == 198
        files.sizes(OTHER)
        assert exact(db, LARGE) == 198
    assert lent == [2, 2]


def test_rows_of_a_session_are_lent(session: SparkSession, tmp_path: Path, lent: list[int]) -> None:
    towns = Towns(session, tmp_path, "delta")
    session.sql("DROP TABLE towns")
    on_spark.lend(session, "towns", pa.table({"name": ["a", "b", "c"], "size": [5, 2, 1]}))
    try:
        with towns.open() as db:
            assert exact(db, LARGE) == 198
    finally:
        towns.done()
    assert lent == [3]


@pytest.mark.usefixtures("as_spark")
def test_no_number_is_one_under_each_filter(files: Towns, lent: list[int]) -> None:
    """Sail reads the one other value of a file where its statistics have no NaN; not so where other
    folders are read beside it, as when all is copied.
    """
    (files.folder / "towns" / "part.parquet").unlink()
    for k, names, numbers in (("1", ["a", "b"], [50.0, math.nan]), ("2", ["c", "d"], [7.0, 8.0])):
        file = files.folder / "towns" / f"k={k}" / "part.parquet"
        file.parent.mkdir()
        pq.write_table(pa.table({"name": names, "size": numbers}), file)
        age(file)
    files.policy = files.policy.replace("size: {}", "size: {}, k: {}")
    with files.open() as db:
        joined = "SELECT COUNT(*) FROM visits AS v JOIN towns AS t ON t.name = v.town WHERE"
        assert exact(db, f"{joined} isnan(t.size)") == 102
        assert exact(db, f"{joined} isnan(t.size) AND CAST(t.k AS VARCHAR) = '1'") == 102
    assert lent == ([] if os.environ.get("DPSQL_SPARK") else [4])  # it reads each as it is
