"""Rows that noise selects have the half-widths of all groups at once; others have their own."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.execution.accuracy import SELDOM
from dpsql.platform.ledger.memory_ledger import MemoryLedger

POLICY = """
unit: people.pid
budget: {eps: 10, delta: 1e-4}
tables:
  people:
    access: private
    key: [pid]
    columns:
      pid: {type: INTEGER}
      grp: {type: VARCHAR, values: [a, b, c, d], nullable: false}
      name: {type: INTEGER, nullable: false}
      x: {type: INTEGER, bounds: [0, 100], nullable: false}
"""
NOISE = DiscreteLaplace(1.0)


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people AS SELECT i::INTEGER AS pid, ['a', 'b', 'c', 'd'][1 + i % 4] AS grp, "
        "(CASE WHEN i < 3900 THEN 0 ELSE i // 14 END)::INTEGER AS name, "
        "(i * 7 % 101)::INTEGER AS x FROM range(4000) t(i)"
    )
    ledger = MemoryLedger(Cost(Fraction(10**9), Fraction(1)))
    with dpsql.connect(connection, dpsql.Policy.parse(POLICY), ledger=ledger) as opened:
        yield opened


COUNTS = "SELECT grp, COUNT(*) AS n FROM people GROUP BY grp"
SQL = [
    (COUNTS, 1),
    (f"{COUNTS} ORDER BY n DESC", 1),
    (f"{COUNTS} ORDER BY grp LIMIT 2", SELDOM),
    (f"{COUNTS} HAVING grp <> 'a'", 1),
    (f"{COUNTS} ORDER BY n DESC LIMIT 4", 1),
    (f"{COUNTS} ORDER BY n DESC LIMIT 1", 4),
    (f"{COUNTS} ORDER BY COUNT(*) + 1 LIMIT 2 OFFSET 1", SELDOM),
    (f"SELECT n, grp FROM ({COUNTS}) ORDER BY n LIMIT 3", SELDOM),
    (f"{COUNTS} HAVING COUNT(*) > 10", SELDOM),
    (f"SELECT * FROM ({COUNTS}) WHERE n > 10", SELDOM),
    ("SELECT COUNT(*) AS n FROM people HAVING COUNT(*) > 10", SELDOM),
]


@pytest.mark.parametrize(("sql", "rivals"), SQL)
def test_the_confidence_is_that_of_all_groups_at_once(
    db: dpsql.Database, sql: str, rivals: int
) -> None:
    found = db.run(sql, 1, fresh=True)
    for confidence in (0.5, 0.95, 0.99):
        wide = float(NOISE.interval(confidence ** (1 / rivals)))
        assert set(found.interval("n", confidence)) == {wide}
    assert found.interval("n") == tuple(line[found.columns.index("n")] for line in found.intervals)


def test_a_private_group_near_its_threshold_is_wider(db: dpsql.Database) -> None:
    """0 has 3,900 people, the others 14: about the threshold."""
    plain, wide = NOISE.interval(0.95), NOISE.interval(1 - 0.05 / SELDOM)
    assert plain < wide
    seen = set()
    for _ in range(60):  # a group is not shown in less than half of the answers
        found = db.run("SELECT name, COUNT(*) AS n FROM people GROUP BY name", 1, 1e-6, fresh=True)
        (release,) = found.explanation.releases
        assert release.threshold is not None
        for n, width in zip(found["n"], found.interval("n"), strict=True):
            near = n - release.threshold <= plain
            assert width == (wide if near else plain)
            seen.add(near)
    assert seen == {True, False}


def test_other_numbers_of_a_private_group_are_not(db: dpsql.Database) -> None:
    found = db.run(
        "SELECT name, SUM(x) AS s FROM people GROUP BY name", Fraction(1, 2), 1e-6, fresh=True
    )
    assert len(set(found.interval("s"))) == 1


def test_sums_of_counts_have_the_exact_law(db: dpsql.Database) -> None:
    """Three noises of one scale, on whole numbers: convolved here by hand."""
    parts = " + ".join(f"COUNT(*) FILTER (WHERE x >= {n})" for n in (10, 20, 30))
    found = db.run(f"SELECT {parts} AS n FROM people", 3, fresh=True)
    scales = [r.scale for r in found.explanation.releases]
    assert len(scales) == 3 and None not in scales
    law = {0: 1.0}
    for scale in scales:
        alpha = math.exp(-1 / scale)  # type: ignore[operator]
        mass = {z: (1 - alpha) / (1 + alpha) * alpha ** abs(z) for z in range(-60, 61)}
        law = {
            s: math.fsum(law[s - z] * mass[z] for z in mass if s - z in law)
            for s in range(min(law) - 60, max(law) + 61)
        }
    for confidence in (0.5, 0.9, 0.95, 0.99):
        t = 0
        while math.fsum(law[s] for s in range(-t, t + 1)) < confidence:
            t += 1
        assert found.interval("n", confidence) == (float(t),)
