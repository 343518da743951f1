"""TPC-H at scale 0.01 with customers and suppliers both private."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pytest
import yaml

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.core.noise.clip import FINE
from dpsql.execution.heavy_units import Truncated
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.support.draws import known
from tests.tpch.data import TABLES, database, query

POLICY = Path(__file__).with_name("policy.yaml")
TIED = "c_custkey = o_custkey AND l_orderkey = o_orderkey AND l_suppkey = s_suppkey"
ALL = "customer, orders, lineitem, supplier"
QUERIES = {
    5: f"SELECT COUNT(*) FROM {ALL}, nation WHERE {TIED} AND c_nationkey = s_nationkey "
    "AND s_nationkey = n_nationkey",
    7: f"SELECT SUM(l_extendedprice * (1 - l_discount)) FROM {ALL} WHERE {TIED} "
    "AND s_nationkey <> c_nationkey AND l_shipdate BETWEEN DATE '1995-01-01' AND "
    "DATE '1996-12-31'",
    8: f"SELECT COUNT(*) FROM part, {ALL} WHERE {TIED} AND p_partkey = l_partkey "
    "AND o_orderdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31'",
    21: f"SELECT COUNT(*) FROM {ALL}, nation WHERE {TIED} AND s_nationkey = n_nationkey",
}
"""As R2T has them: without groups, and the last without its subqueries."""

ONE_KIND = {11: "supplier.s_suppkey", 13: "customer.c_custkey", 22: "customer.c_custkey"}
TWO_KINDS = (5, 6, 7, 8, 12, 14, 19)
REJECTED = {1: "DP407", 3: "DP404", 4: "DP407", 9: "DP501", 10: "DP404", 17: "DP407", 21: "DP407"}
"""Of the standard's texts: an average, groups of one unit, EXISTS, lines beside offers of a unit of
which nothing bounds the number, and an aggregate of aggregates.
"""


def policy() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(POLICY.read_text(encoding="utf-8"))
    del found["unit"]
    found["units"] = ["customer.c_custkey", "supplier.s_suppkey"]
    found["budget"] = {"eps": 10**9}
    for name in ("supplier", "partsupp"):
        found["tables"][name]["access"] = "private"
    return found


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        made.execute(f"ATTACH '{database('0.01')}' AS file (READ_ONLY)")
        for table in TABLES:
            made.execute(f"CREATE TABLE {table} AS FROM file.{table}")
        made.execute("DETACH file")
        yield made


@pytest.fixture(scope="module")
def db(connection: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    ledger = MemoryLedger(Cost(Fraction(10**13), Fraction(0)))
    with dpsql.connect(connection, policy(), ledger=ledger) as made:
        yield made


@pytest.mark.parametrize("number", QUERIES)
def test_without_noise_it_is_the_sum(
    number: int, db: dpsql.Database, connection: duckdb.DuckDBPyConnection
) -> None:
    ((true,),) = connection.execute(QUERIES[number]).fetchall()
    with patch("dpsql.core.account.amount.MAX_EPS", Fraction(10**12)):
        ((told,),) = db.run(QUERIES[number], 10**11).rows
    assert told == pytest.approx(float(true), rel=1e-7)


@pytest.mark.parametrize("number", [5, pytest.param(21, marks=pytest.mark.deep)])
def test_neighbours(number: int, db: dpsql.Database, connection: duckdb.DuckDBPyConnection) -> None:
    def measured() -> Truncated:
        found = known(db, QUERIES[number], Fraction(1)).exact.clips[0]
        assert isinstance(found, Truncated)
        return found

    whole, most = measured(), 150 * FINE
    counts = whole.doubling(most, 20)
    heaviest = "SELECT {0} FROM lineitem JOIN orders ON l_orderkey = o_orderkey GROUP BY 1 "
    heaviest += "ORDER BY COUNT(*) DESC LIMIT 1"
    removed = {
        "o_custkey": ["DELETE FROM lineitem WHERE l_orderkey IN (SELECT o_orderkey FROM orders "
                      "WHERE o_custkey = {0})", "DELETE FROM orders WHERE o_custkey = {0}",
                      "DELETE FROM customer WHERE c_custkey = {0}"],
        "l_suppkey": ["DELETE FROM lineitem WHERE l_suppkey = {0}",
                      "DELETE FROM partsupp WHERE ps_suppkey = {0}",
                      "DELETE FROM supplier WHERE s_suppkey = {0}"],
    }  # fmt: skip
    tables = ("lineitem", "orders", "customer", "partsupp", "supplier")
    for column, deletes in removed.items():
        ((unit,),) = connection.execute(heaviest.format(column)).fetchall()
        for table in tables:
            connection.execute(f"CREATE TEMP TABLE kept_{table} AS FROM {table}")
        for delete in deletes:
            connection.execute(delete.format(unit))
        less = measured()
        for place, clip in enumerate(whole.grid.thresholds[:20]):
            fallen = whole.at(place)[()] - less.at(place)[()]
            assert 0 <= fallen <= clip
        steps = [x - y for x, y in zip(counts, less.doubling(most, 20), strict=True)]
        assert min(steps) >= -FINE and max(steps) <= 2 * FINE
        for table in tables:
            connection.execute(f"DELETE FROM {table}")
            connection.execute(f"INSERT INTO {table} FROM kept_{table}")
            connection.execute(f"DROP TABLE kept_{table}")


def test_queries_of_one_kind_are_as_if_it_were_the_only_one(db: dpsql.Database) -> None:
    alone = yaml.safe_load(POLICY.read_text(encoding="utf-8"))
    del alone["tables"]["supplier"], alone["tables"]["partsupp"]
    del alone["tables"]["lineitem"]["columns"]["l_suppkey"]["references"]
    alone["budget"] = {"eps": 10**9}
    for number in (13, 22):
        sql = query(number)
        mine, theirs = db.explain(sql, 1), dpsql.session.costs.explain(sql, 1, alone)
        assert mine.unit == theirs.unit == "customer.c_custkey"
        assert str(mine.sql).replace('"memory".', "") == theirs.sql
        assert [r.to_dict() for r in mine.releases] == [r.to_dict() for r in theirs.releases]


def test_verdicts_of_the_standards_texts(db: dpsql.Database) -> None:
    for number, unit in ONE_KIND.items():
        assert db.explain(query(number), 1).unit == unit
    for number in TWO_KINDS:
        assert db.explain(query(number), 1).unit == "customer.c_custkey, supplier.s_suppkey"
    for number, code in REJECTED.items():
        with pytest.raises(dpsql.Rejected) as caught:
            db.explain(query(number), 1)
        assert caught.value.code == code
