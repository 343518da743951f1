"""What of public tables a server that speaks Spark Connect is lent, and in which messages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.errors import PolicyError
from dpsql.platform.engine.far import spark as far_spark
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.support import on_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

POLICY = """
unit: people.id
budget: {eps: 1e9}
tables:
  people: {access: private, key: [id], columns: {id: {}, town: {references: towns.name}}}
  towns: {access: public, key: [name], columns: {name: {}}}
"""
JOINED = "SELECT COUNT(*) FROM people JOIN towns ON town = name"


@pytest.fixture
def session(sail: str) -> Iterator[SparkSession]:
    """A hundred people, a quarter of them in the town a."""
    made = on_spark.session(sail)
    towns = ["abcd"[i % 4] + "x" * (i % 4) for i in range(100)]
    people = pa.table({"id": pa.array(range(100), pa.int64()), "town": towns})
    on_spark.lend(made, "people", people)
    yield made
    made.stop()


def counted(session: SparkSession, policy: str) -> int:
    """How many people are in a town that there is, with hardly any noise."""
    ledger = MemoryLedger(Cost(Fraction(10**16)))
    with dpsql.connect(session, policy, ledger=ledger) as db:
        return round(db.run(JOINED, 1e6).rows[0][0])


@pytest.mark.parametrize(
    ("rows", "message"), [(1000, 4_000), pytest.param(1_200_000, None, marks=pytest.mark.deep)]
)
def test_public_rows_are_lent_in_messages_that_a_server_takes(
    session: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rows: int,
    message: int | None,
) -> None:
    """Of all of them together, Spark Connect takes no more than 128 MiB. Sail's driver hands them
    to a worker in one message, and so many parts at most: that is seen when the data are opened.
    """
    if message is not None:
        monkeypatch.setattr(far_spark, "MESSAGE", message)
    names, about = ["a", *(f"b{i}" for i in range(rows - 1))], ["x" * 120] * rows
    towns = pa.table({"name": names, "about": about})
    pq.write_table(towns, tmp_path / "towns.parquet")
    session.read.parquet(str(tmp_path / "towns.parquet")).createOrReplaceTempView("towns")
    sent, lend = list[int](), session.createDataFrame

    def lent(rows: pa.Table, schema: object) -> Any:
        sent.append(rows.nbytes)
        return lend(rows, schema)

    monkeypatch.setattr(session, "createDataFrame", lent)
    policy = POLICY.replace("columns: {name: {}}}", "columns: {name: {}, about: {}}}")
    if os.environ.get("SAIL_MODE") == "local-cluster":
        with pytest.raises(PolicyError, match="tables cannot be read"):
            dpsql.connect(session, policy, ledger=MemoryLedger(Cost(Fraction(1))))
    else:
        assert counted(session, policy) == 25
    assert len(sent) > 1
    assert max(sent) <= far_spark.MESSAGE


def test_no_column_is_lent_that_the_policy_does_not_name(
    session: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    towns = pa.table({"about": ["x", "y"], "Name": ["a", "b"], "more": [1.5, 2.5]})
    on_spark.lend(session, "towns", towns)
    lent, lend = list[list[str]](), session.createDataFrame

    def seen(rows: pa.Table, schema: object) -> Any:
        lent.append(rows.column_names)
        return lend(rows, schema)

    monkeypatch.setattr(session, "createDataFrame", seen)
    assert counted(session, POLICY) == 25
    assert lent == [["Name"]]
