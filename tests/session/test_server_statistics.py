"""What a server reads of one row is what the row has, whatever files say of all their rows."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpsql
from dpsql.errors import EngineError, PolicyError, Rejected
from dpsql.platform.engine.far import spark_statistics
from dpsql.platform.engine.far.spark import Spark, _value
from tests.support import on_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

APACHE = bool(os.environ.get("DPSQL_SPARK"))
NAN = math.nan

POLICY = """
unit: people.id
budget: {{eps: 1e9, delta: 1e-6}}
tables:
  people: {{access: private, {people}key: [id], columns: {{id: {{nullable: false}}}}}}
  visits:
    access: private
    {visits}
    columns: {{person: {{references: people.id, max_rows: 3}}, x: {x}, d: {{bounds: [0, 9]}}}}
"""
BOUNDED = "{bounds: [0, 1000]}"


def visits(first: float, digits: int = 15) -> pa.Table:
    """300 visits, of which every second one has NaN, and one the given number."""
    numbers = [first, *(NAN if i % 2 else 50.0 for i in range(1, 300))]
    d = pa.array([1] * 300, pa.decimal128(digits, 2))
    return pa.table({"person": [i % 100 for i in range(300)], "x": numbers, "d": d})


@pytest.fixture
def session(sail: str) -> Iterator[SparkSession]:
    made = on_spark.session(sail)
    yield made
    made.stop()


def written(folder: Path, rows: pa.Table) -> str:
    """The tables as Parquet files, an hour old; their policy."""
    for name, table in (("people", pa.table({"id": range(100)})), ("visits", rows)):
        pq.write_table(table, folder / f"{name}.parquet")
        os.utime(folder / f"{name}.parquet", (time.time() - 3600,) * 2)
    return POLICY.format(
        people=f"files: {folder}/people.parquet, ",
        visits=f"files: {folder}/visits.parquet",
        x=BOUNDED if APACHE else "{}",
    )


def lent(session: SparkSession, rows: pa.Table) -> str:
    """The tables as rows in memory; their policy."""
    on_spark.lend(session, "people", pa.table({"id": range(100)}))
    on_spark.lend(session, "visits", rows)
    return POLICY.format(people="", visits="", x=BOUNDED).replace("    \n", "")


def answer(db: dpsql.Database, sql: str) -> int:
    [[found]] = db.run(sql, 1e6, fresh=True).rows
    return round(found)


MOVED = [
    ("SELECT COUNT(*) FROM visits WHERE x > 100", 1),
    ("SELECT COUNT(*) FROM visits WHERE isnan(x)", 0),
    ("SELECT COUNT(*) FROM visits WHERE x = 'NaN'::DOUBLE OR x > 1000", 0),
    ("SELECT SUM(x) FROM visits", 100),
]


@pytest.mark.parametrize("place", ["files", "memory"] if APACHE else ["memory"])
def test_one_number_moves_no_other_row(place: str, session: SparkSession, tmp_path: Path) -> None:
    found: list[list[int]] = []
    for first in (50.0, 150.0):
        folder = tmp_path / str(first)
        folder.mkdir()
        rows = visits(first)
        policy = written(folder, rows) if place == "files" else lent(session, rows)
        with dpsql.connect(session, policy, ledger=folder / "ledger") as db:
            found.append([answer(db, sql) for sql, _ in MOVED])
    assert found[0][:2] == [150, 150]
    assert [b - a for a, b in zip(*found, strict=True)] == [moved for _, moved in MOVED]


@pytest.mark.skipif(APACHE, reason="it reads columns as they are, through a call")
def test_what_sail_would_read_by_statistics_is_refused(
    session: SparkSession, tmp_path: Path
) -> None:
    policy = written(tmp_path, visits(50.0))
    with dpsql.connect(session, policy, ledger=tmp_path / "ledger") as db:
        for sql, _ in MOVED:
            with pytest.raises(Rejected):
                db.run(sql, 1)
        assert answer(db, "SELECT COUNT(x) FROM visits") == 300
        assert answer(db, "SELECT SUM(d) FROM visits") == 300
    bounded = policy.replace("x: {}", f"x: {BOUNDED}")
    with pytest.raises(PolicyError, match="of which NULLs alone are known has no bounds"):
        dpsql.connect(session, bounded, ledger=tmp_path / "ledger")
    long = written(tmp_path, visits(50.0, digits=16))
    with pytest.raises(PolicyError, match=r"visits\.columns\.d\.bounds: a column of which NULLs"):
        dpsql.connect(session, long, ledger=tmp_path / "ledger")


COMPUTING = {
    "person, CASE WHEN x > 100 THEN 999 ELSE 1 END AS x": "",
    "person, x > 100 AS x": "",
    "person, TRY_CAST(x AS DECIMAL(15, 2)) AS x": "",
    "person, TRY_CAST(x AS INT) AS x": "",
    "person, length(CAST(x AS STRING)) AS x": "",
    **({} if APACHE else {"person, CAST(x AS FLOAT) AS x": ""}),  # as stored views of Spark's do
    "person, x + 1 AS x": "",
    "person, d AS x": "WHERE x > 100",
    "person, 1 AS x": "WHERE person IN (SELECT person FROM of_file WHERE x > 100)",
    "person, (SELECT CAST(max(x) AS INT) FROM of_file) AS x": "",
}


@pytest.mark.parametrize("computed", COMPUTING)
def test_what_a_view_computes_of_such_numbers_is_refused(
    computed: str, session: SparkSession, tmp_path: Path
) -> None:
    """149 rows that are 50 beside a 150 would be 300 without it, and as a DECIMAL, too."""
    policy = written(tmp_path, visits(50.0))
    plain = "".join(line for line in policy.splitlines(True) if str(tmp_path) not in line)
    plain = plain.replace(
        "tables:\n", "tables:\n  people: {access: private, key: [id], columns: {}}\n"
    )
    plain = plain.replace(", d: {bounds: [0, 9]}", "")
    for name in ("people", "visits"):
        rows = session.read.parquet(str(tmp_path / f"{name}.parquet"))
        rows.createOrReplaceTempView("people" if name == "people" else "of_file")
    named = "SELECT person, x, d FROM of_file"
    for rows, wrong in (
        (f"SELECT {computed} FROM of_file {COMPUTING[computed]}", True),
        (named, False),
        (f"{named} UNION ALL {named}", False),
    ):
        session.sql(rows).createOrReplaceTempView("visits")
        if wrong:
            with pytest.raises(PolicyError, match="visits is a view that computes, or leaves out"):
                dpsql.connect(session, plain, ledger=tmp_path / "ledger")
        else:
            dpsql.connect(session, plain, ledger=tmp_path / "ledger").close()
    with dpsql.connect(session, plain, ledger=tmp_path / "ledger") as db:
        session.sql(f"SELECT {computed} FROM of_file").createOrReplaceTempView("visits")
        with pytest.raises((PolicyError, EngineError)):  # or its columns have other types
            db.run("SELECT COUNT(*) FROM visits", 1)
        assert db.budget.spent.exact.eps == 0


def test_what_a_view_computes_of_rows_in_memory(session: SparkSession, tmp_path: Path) -> None:
    policy = lent(session, visits(150.0))
    session.table("visits").createOrReplaceTempView("here")
    computed = "SELECT person, CASE WHEN x > 100 THEN 999 ELSE 1 END AS x, d FROM here"
    session.sql(f"{computed} WHERE person >= 0").createOrReplaceTempView("visits")
    with dpsql.connect(session, policy, ledger=tmp_path / "ledger") as db:
        assert answer(db, "SELECT COUNT(*) FROM visits WHERE x = 999") == 151


@pytest.mark.parametrize(
    ("kind", "unsure"),
    [
        *(("FLOAT", True), ("DOUBLE", True), ("DECIMAL(16, 2)", True), ("DECIMAL(38, 0)", True)),
        *(("DECIMAL(15, 2)", False), ("BIGINT", False), ("VARCHAR", False), ("DATE", False)),
    ],
)
def test_types_that_statistics_do_not_hold(kind: str, unsure: bool) -> None:
    assert spark_statistics.unsure(kind) == unsure


def test_spark_reads_such_a_column_through_a_call() -> None:
    """Of which `make test-engines` shows what it is for."""
    assert [_value("x", kind, False) for kind in ("FLOAT", "DOUBLE", "DECIMAL(15, 2)")] == [
        *("nanvl(`x`, CAST('NaN' AS FLOAT))", "nanvl(`x`, CAST('NaN' AS DOUBLE))", "`x`")
    ]


def test_where_rows_are_in_memory(session: SparkSession, tmp_path: Path) -> None:
    """By the server's own plan; whatever else it says, or does not say, they may be of a file."""
    assert spark_statistics.apache(session) == APACHE
    pq.write_table(visits(1.0), tmp_path / "t.parquet")
    session.read.parquet(str(tmp_path / "t.parquet")).createOrReplaceTempView("of_file")
    on_spark.lend(session, "here", visits(1.0))
    on_spark.lend(session, "nothing", visits(1.0).slice(0, 0))  # how many rows decides nothing
    for name, sql in {
        "twice": "SELECT * FROM here UNION ALL SELECT * FROM here",
        "mixed": "SELECT * FROM here UNION ALL SELECT * FROM of_file",
        "counted": "SELECT id AS x FROM range(5)",
    }.items():
        session.sql(sql).createOrReplaceTempView(name)
    here, others = ("here", "nothing", "twice"), ("of_file", "mixed", "counted")
    read = {name: spark_statistics.in_memory(session, name) for name in (*here, *others)}
    assert read == {**dict.fromkeys(here, not APACHE), **dict.fromkeys(others, False)}
    taken = {n: spark_statistics.taken(session, n, by_apache=APACHE) for n in (*here, *others)}
    assert taken == dict.fromkeys((*here, *others), True)
    columns = Spark(session).columns("of_file")
    assert columns is not None
    unsure = Spark(session).unsure("of_file", columns)
    assert unsure == (frozenset() if APACHE else {"x"})
    assert not Spark(session).unsure("here", columns)
