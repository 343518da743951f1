"""What a server moves between its tasks, by its own count: one cell for each unit and group that a
task has, and rows of tables only to be joined.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import dpsql
from benchmarks.overhead import QUERIES
from benchmarks.shuffled import lake
from tests.support.effort import chosen
from tests.support.exchanges import Exchange, Operator, exchanges, ran, reads
from tests.support.exchanges import asked as asked_for

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

UNIT_IN_THE_TABLE = "priority"
"""Of a table that has its unit in a column, so that no join is needed to find it."""

ASKED = chosen(QUERIES, "Q1", "Q12", UNIT_IN_THE_TABLE)

ROUNDED = 1.001
"""Sail tells four digits."""


Plans = dict[tuple[str, str], Operator]


@pytest.fixture(scope="module")
def asked(sail: str) -> Iterator[tuple[SparkSession, Plans]]:
    """A session, and the plans of the queries: plain, while nothing is verified, and then."""
    if os.environ.get("DPSQL_SPARK"):
        pytest.skip("what is read is Sail's plan")
    found: Plans = {}
    with lake(sail, "0.01") as (session, policy, ledger):
        found |= {("plain", name): ran(session, QUERIES[name]) for name in ASKED}
        for way in ("enforced", "verified"):
            if way == "verified":
                dpsql.verify(session, policy, ledger=ledger)
            with dpsql.connect(session, policy, ledger=ledger) as db:
                for name in ASKED:
                    found[way, name] = ran(session, asked_for(db, QUERIES[name])[-1])
        yield session, found


def moved(plan: Operator) -> list[Exchange]:
    found = list(exchanges(plan))
    assert all(e.rows <= e.most * ROUNDED for e in found if e.kind == "groups")
    return found


@pytest.mark.parametrize("name", ASKED)
def test_cells_are_moved(name: str, asked: tuple[SparkSession, Plans]) -> None:
    """Each table is read once, by what is enforced, too."""
    found = moved(asked[1]["enforced", name])
    assert set(reads(asked[1]["enforced", name]).values()) == {1}
    cells = [e.rows for e in found if e.kind == "groups"]
    assert cells and all(e.rows <= max(cells) for e in found if e.kind == "results")
    if name == UNIT_IN_THE_TABLE:
        assert not [e for e in found if e.kind == "rows"]


@pytest.mark.parametrize("name", ASKED)
def test_what_is_proven_moves_no_unit(name: str, asked: tuple[SparkSession, Plans]) -> None:
    """One pass over each table, and no more groups than the plain query has."""
    plan = asked[1]["verified", name]
    most = max((e.most for e in exchanges(asked[1]["plain", name])), default=1)
    assert set(reads(plan).values()) == {1}
    assert all(e.rows <= most for e in moved(plan) if e.kind == "groups")


def test_rows_that_are_moved_are_seen(asked: tuple[SparkSession, Plans]) -> None:
    """What this would look like if a statement sent a unit's rows, and not its cells."""
    numbered = "SELECT row_number() OVER (PARTITION BY o_custkey ORDER BY o_orderkey) FROM orders"
    [found] = moved(ran(asked[0], numbered))
    assert (found.kind, found.rows) == ("rows", 15_000)
