"""Whose a row is, where several columns find it, on servers that compute."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.session.database import Database
from tests.policy.test_several_columns import POLICY, QUERIES, ROWS
from tests.support import on_spark
from tests.support.on_a_server import do


def check(db: Database) -> None:
    for sql, rows in QUERIES.items():
        assert db.run(sql, 1e6).rows == rows, sql
    wrong = {f.column for f in db.verify().findings if f.rows}
    assert wrong == {"stays.person", "results.stays_owner"}


@pytest.mark.parametrize("in_place", [False, True])
def test_on_postgres(in_place: bool, url: str, tmp_path: Path) -> None:
    do(url, ROWS)
    with dpsql.connect(url, POLICY, ledger=tmp_path / "ledger", in_place=in_place) as db:
        check(db)


def test_on_spark(sail: str, tmp_path: Path) -> None:
    with duckdb.connect() as made:
        made.execute(ROWS)
        session = on_spark.session(sail)
        for name in ("people", "stays", "results", "wards"):
            on_spark.lend(session, name, made.sql(f"FROM {name}").to_arrow_table())
    with dpsql.connect(session, POLICY, ledger=tmp_path / "ledger") as db:
        check(db)
    session.stop()
