"""VAR and STDDEV of DISTINCT values, with hardly any noise, are the engine's own: also of values as
far below the middle of their range as above it, whose squares are equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from unittest.mock import patch

import duckdb
import pytest

import dpsql
from tests.support.filled import fill

POLICY = """
unit: people.id
budget: {eps: 1000000000}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER, nullable: false}
      side: {type: VARCHAR, values: [a, b, c], nullable: false}
      whole: {type: INTEGER, bounds: [-4, 6], nullable: true}
      cents: {type: "DECIMAL(6,2)", bounds: [100, 150], nullable: false}
      wide: {type: "DECIMAL(12,3)", bounds: [-90000, 90000], nullable: false}
      double: {type: DOUBLE, bounds: [-2, 2], nullable: false}
"""
ROWS = [
    (1, "a", -4, "100.00", "-90000", -2.0),
    (2, "a", 6, "150.00", "90000", 2.0),
    (3, "a", 6, "150.00", "12345.678", 1.5),
    (4, "a", 1, "125.00", "-12345.678", -1.5),
    (5, "a", None, "124.99", "12345.678", 0.0),
    (6, "a", -4, "125.01", "0", -0.0),
    (7, "b", 3, "101.25", "7", 0.5),
]


@pytest.fixture(scope="module")
def engine() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect(":memory:")
    made.execute(
        "CREATE TABLE people (id INTEGER PRIMARY KEY, side VARCHAR, whole INTEGER, "
        "cents DECIMAL(6,2), wide DECIMAL(12,3), double DOUBLE)"
    )
    fill(made, "people", ROWS)
    return made


@pytest.fixture(scope="module")
def database(engine: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with patch("dpsql.core.account.amount.MAX_EPS", Fraction(10**12)):
        yield dpsql.connect(engine, dpsql.Policy.parse(POLICY))


@pytest.mark.parametrize("column", ["whole", "cents", "wide", "double", "-whole", "whole % 2"])
@pytest.mark.parametrize("function", ["VAR_SAMP", "VAR_POP", "STDDEV", "STDDEV_POP"])
def test_it_is_the_engines(
    database: dpsql.Database, engine: duckdb.DuckDBPyConnection, function: str, column: str
) -> None:
    text = f"SELECT {function}(DISTINCT {column}) AS v FROM people"
    ((exact,),) = engine.execute(text).fetchall()
    ((found,),) = database.run(text, eps=10**6).rows
    assert found == pytest.approx(exact, rel=1e-4)


def test_beside_others_in_groups(
    database: dpsql.Database, engine: duckdb.DuckDBPyConnection
) -> None:
    text = """SELECT side, COUNT(DISTINCT whole) AS n, AVG(DISTINCT whole) AS a,
        VAR_POP(DISTINCT whole) AS v, VAR_POP(whole) AS w, VAR_SAMP(DISTINCT whole) AS s
        FROM people WHERE side <> 'c' GROUP BY side ORDER BY side"""
    exact = engine.execute(text).fetchall()
    for one, other in zip(database.run(text, eps=10**6).rows, exact, strict=True):
        assert [v is None for v in one] == [v is None for v in other]
        assert one[0] == other[0]
        for mine, its in zip(one[1:], other[1:], strict=True):
            assert mine is None or mine == pytest.approx(its, abs=1e-3)


def test_of_no_value(database: dpsql.Database) -> None:
    text = "SELECT VAR_SAMP(DISTINCT whole) AS s FROM people WHERE side = 'c'"
    assert database.run(text, eps=10**6).rows == ((None,),)


def test_a_sum_of_squares_moves_by_the_largest_one(database: dpsql.Database) -> None:
    """2(X - A)² - w² of a whole number in [-4, 6] is 100 at both ends, in half steps: 50."""
    text = "SELECT VAR_POP(DISTINCT whole) AS v FROM people"
    (found,) = (r for r in database.explain(text).releases if "least" in r.name)
    assert (found.l0, found.l1, found.linf) == (1, 50, 50)
