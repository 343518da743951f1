"""Half-widths that claim 95 % hold in about 95 % of draws, for sums, averages and ratios."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.support.unwatched import unwatched

POLICY = """
unit: people.pid
budget: {eps: 10}
tables:
  people:
    access: private
    key: [pid]
    columns:
      pid: {type: INTEGER}
      grp: {type: VARCHAR, values: [a, b, c]}
      x: {type: INTEGER, bounds: [0, 100], nullable: false}
      y: {type: DOUBLE, bounds: [-1, 2]}
"""

RUNS = 400


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people AS SELECT i::INTEGER AS pid, ['a', 'b', 'c'][1 + i % 3] AS grp, "
        "(i * 7 % 101)::INTEGER AS x, (i * 13 % 300) / 100 - 1 AS y FROM range(3000) t(i)"
    )
    ledger = MemoryLedger(Cost(Fraction(10**9)))
    with dpsql.connect(connection, dpsql.Policy.parse(POLICY), ledger=ledger) as opened:
        opened.plain = connection  # type: ignore[attr-defined]
        yield opened


EXPRESSIONS = (
    "COUNT(*)",
    "SUM(x)",
    "AVG(x)",
    "SUM(y)",
    "AVG(y)",
    "100 * SUM(x) / COUNT(*)",
    "COUNT(*) * 2 - 7",
    "SUM(CASE WHEN x < 50 THEN 1 ELSE 0 END) / SUM(x)",
    "ROUND(AVG(x), 3)",
    "SQRT(COUNT(*))",
)


@pytest.mark.deep
def test_coverage(db: dpsql.Database) -> None:
    """Binomial with p = 0.95, n = 1,200: 5 standard deviations (two-sided error below 10^-6) are
    3.1 points. An interval of 90 % or of 99 % would be caught: 0.90 and 0.99 lie outside. All are
    columns of one answer: they share their noise, and each has to hold by itself.
    """
    query = f"SELECT grp, {', '.join(EXPRESSIONS)} FROM people GROUP BY grp"
    plain = db.plain.execute(query).fetchall()  # type: ignore[attr-defined]
    truth = {row[0]: row[1:] for row in plain}
    inside = dict.fromkeys(EXPRESSIONS, 0)
    for _ in range(RUNS):
        # Noise so wide that its steps hardly matter: 95.6 % of COUNT.
        with unwatched():
            answer = db.run(query, 1, fresh=True)
        for row, widths in zip(answer.rows, answer.intervals, strict=True):
            assert widths[0] is None
            columns = zip(EXPRESSIONS, row[1:], truth[row[0]], widths[1:], strict=True)
            for expression, value, true, width in columns:
                assert width is not None
                inside[expression] += abs(float(value) - float(true)) <= width * (1 + 1e-12)
    total = RUNS * len(truth)
    for expression, hits in inside.items():
        assert abs(hits / total - 0.95) < 5 * math.sqrt(0.95 * 0.05 / total), expression


def test_keys_and_constants_have_no_width(db: dpsql.Database) -> None:
    answer = db.run("SELECT grp, 7 AS c, COUNT(*) AS n FROM people GROUP BY grp", 1)
    for row in answer.intervals:
        assert row[0] is None and row[1] is None and row[2] is not None


def test_width_follows_its_row_through_order_filter_and_limit(db: dpsql.Database) -> None:
    query = (
        "SELECT AVG(x) AS m, grp FROM people WHERE grp <> 'b' GROUP BY grp "
        "HAVING COUNT(*) > 0 ORDER BY grp DESC LIMIT 1"
    )
    answer = db.run(query, 5)
    assert [row[1] for row in answer.rows] == ["c"]
    ((width, none),) = answer.intervals
    assert none is None and width is not None and 0 < width < 5


def test_an_average_is_never_further_off_than_its_range(db: dpsql.Database) -> None:
    answer = db.run("SELECT AVG(x) AS m FROM people WHERE x > 1000", 1)
    ((value,),), ((width,),) = answer.rows, answer.intervals
    assert 0 <= value <= 100 and width is not None and width <= 100
