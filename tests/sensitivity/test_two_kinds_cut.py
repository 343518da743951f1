"""Rows of two kinds of unit: which of them the engine is asked for, where low thresholds are never
chosen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import duckdb
import pytest
import yaml

import dpsql
from dpsql.accounting.amount import Cost
from dpsql.accounting.memory_ledger import MemoryLedger
from dpsql.execution import cells
from dpsql.execution.reading import engine_source, public_groups
from dpsql.execution.truncated import Truncated
from dpsql.mechanism.clip import FINE
from dpsql.rewrite.truncation import Truncation
from dpsql.statements import statements
from tests.support.draws import known

POLICY = yaml.safe_load("""
units: [buyers.id, sellers.id]
budget: {eps: 1000}
tables:
  buyers: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  sellers: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  sales:
    access: private
    columns:
      buyer: {type: INTEGER, references: buyers.id, max_rows: 5000}
      seller: {type: INTEGER, references: sellers.id}
      kind: {type: VARCHAR, values: [a, b], nullable: false}
      amount: {type: INTEGER, bounds: [-4, 9]}
""")

QUERIES = (
    "SELECT COUNT(*) FROM sales",
    "SELECT kind, COUNT(amount) FROM sales GROUP BY kind",
    "SELECT kind, SUM(amount) FROM sales GROUP BY kind",
)


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    picked = random.Random(1)
    rows = [
        (
            min(299, int(picked.paretovariate(0.7))),
            min(199, int(picked.paretovariate(0.6))),
            picked.choice("aab"),
            picked.choice([-4, 1, 2, 9, None]),
        )
        for _ in range(6_000)
    ]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE buyers AS SELECT UNNEST(RANGE(300))::INTEGER AS id")
        connection.execute("CREATE TABLE sellers AS SELECT UNNEST(RANGE(200))::INTEGER AS id")
        connection.execute("CREATE TABLE sales (buyer INT, seller INT, kind TEXT, amount INT)")
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?, ?)", rows)
        ledger = MemoryLedger(Cost(Fraction(1000), Fraction(0)))
        with dpsql.connect(connection, POLICY, ledger=ledger) as made:
            yield made


def _measured(
    db: dpsql.Database, sql: str, neglected: tuple[int, int] | None
) -> tuple[Truncated, int]:
    """The measure, and how many rows with two heavy units there are."""
    (release,) = known(db, sql, Fraction(1)).query.releases
    assert isinstance(release.clipping, Truncation)
    values = tuple(replace(value, neglected=neglected) for value in release.clipping.values)
    release = replace(release, clipping=replace(release.clipping, values=values))
    source = engine_source(db._engine)
    with db._engine.snapshot() as snapshot:
        groups = public_groups(release, snapshot, source)
        exact = cells.read(release, groups, snapshot, statements(release, source))
    found = exact.clips[len(exact.clips) - 1]
    assert isinstance(found, Truncated)
    return found, sum(len(rows) for u in found.groups.values() for rows in u.shared.values())


@pytest.mark.parametrize("sql", QUERIES)
def test_what_is_not_asked_for_is_not_needed(db: dpsql.Database, sql: str) -> None:
    whole, every = _measured(db, sql, None)
    count = len(whole.grid.thresholds)
    asked = [every]
    for most in (20, 8, 3, 1):
        cut, rows = _measured(db, sql, (most, count))
        expected = whole.doubling(most * FINE, count)
        assert cut.doubling(most * FINE, count) == expected
        kept = [place for place in range(count - 1) if expected[place] < most * FINE]
        for place in (*kept, count - 1):
            assert cut.at(place) == whole.at(place)
        asked.append(rows)
    assert asked == sorted(asked, reverse=True)
    assert asked[-1] < asked[0] / 2


def test_the_last_threshold_is_always_known(db: dpsql.Database) -> None:
    whole, _ = _measured(db, QUERIES[0], None)
    for count in (2, 5, 9):
        cut, _ = _measured(db, QUERIES[0], (0, count))
        assert cut.at(count - 1) == whole.at(count - 1)


def test_what_is_never_chosen_is_told_by_the_noise(db: dpsql.Database) -> None:
    for eps in (Fraction(1, 4), Fraction(1), Fraction(4)):
        query = known(db, QUERIES[0], eps).query
        (release,), ((noise,),) = query.releases, query.noise
        assert isinstance(release.clipping, Truncation)
        (value,) = release.clipping.values
        assert value.neglected is not None
        most, count = value.neglected
        assert (most - 1) * FINE < noise.most <= most * FINE  # type: ignore[union-attr]
        assert count == len(value.grid.thresholds)
