"""Half-widths that claim 95 % hold in 95 % of draws: of every kind of aggregate and noise.

The exact cells are read once, the noise is drawn thousands of times; see `tests.support.draws`.
Tolerances are five standard deviations of a binomial: a right interval fails once in a million.
Noise has no seed. `benchmarks/coverage.py` is the same with 10,000 draws of more queries.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.core.calibrate import choosing
from dpsql.core.calibrate.options import DEFAULT, Options
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.support.draws import answers, expected, known, repeated

LARGE, SMALL = 4000, 20
POLICY = f"""
unit: people.pid
budget: {{eps: 10}}
tables:
  people:
    access: private
    key: [pid]
    columns:
      pid: {{type: INTEGER}}
      g: {{type: INTEGER, values: [{SMALL}, {LARGE}], nullable: false}}
      k: {{type: INTEGER, nullable: false}}
      x: {{type: INTEGER, bounds: [0, 100], nullable: false}}
      y: {{type: DOUBLE, bounds: [-1, 2], nullable: false}}
      z: {{type: INTEGER, bounds: [0, 100], nullable: false}}
"""
GAUSSIAN = Options(Fraction(1, 10**6), "gaussian")
DRAWS = 1000
"""Of what has a width of its own in each draw, which takes a millisecond; of others four times."""


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people AS SELECT (row_number() OVER ())::INTEGER AS pid, g::INTEGER AS g, "
        "(i // 2)::INTEGER AS k, (i * 37 % 101)::INTEGER AS x, "
        "(i * 37 % 101 + i * 53 % 101) / 100 AS y, "
        "(CASE WHEN i % 10 = 7 THEN 0 ELSE 90 + i % 11 END)::INTEGER AS z FROM ("
        f"SELECT {LARGE} AS g, i FROM range({LARGE}) AS r(i) UNION ALL "
        f"SELECT {SMALL} AS g, i FROM range({SMALL}) AS r(i))"
    )
    ledger = MemoryLedger(Cost(Fraction(10**9)))
    with dpsql.connect(connection, dpsql.Policy.parse(POLICY), ledger=ledger) as opened:
        yield opened


def coverage(
    db: dpsql.Database, expression: str, group: int, draws: int, options: Options = DEFAULT
) -> tuple[float, float]:
    """How many of the group's answers that are not NULL are within their half-widths, and how many
    are claimed to be.
    """
    found = known(db, f"SELECT g, {expression} AS v FROM people GROUP BY g", Fraction(1), options)
    place = [found.exact.groups.index((group,))]
    ((_, true),) = answers(db, found.query, repeated(found.exact, 1, place), noise=False).rows
    made = answers(db, found.query, repeated(found.exact, draws, place))
    assert len(made.rows) == draws
    inside = total = 0
    for (_, value), (_, width) in zip(made.rows, made.intervals, strict=True):
        assert (value is None) == (width is None)
        if width is not None:
            total += 1
            inside += abs(float(value) - float(true)) <= width * (1 + 1e-9)  # type: ignore[arg-type]
    assert total == draws if group == LARGE else total > draws / 2
    return inside / total, expected(found.query)[1]


def tolerance(chance: float, draws: float) -> float:
    return 5 * math.sqrt(chance * (1 - chance) / draws)


@pytest.mark.parametrize("options", [DEFAULT, GAUSSIAN], ids=["laplace", "gaussian"])
@pytest.mark.parametrize("expression", ["COUNT(*)", "SUM(x)", "SUM(y)", "COUNT(DISTINCT k)"])
@pytest.mark.one_in(2)
def test_counts_and_sums(db: dpsql.Database, expression: str, options: Options) -> None:
    draws = 4 * DRAWS
    inside, claimed = coverage(db, expression, LARGE, draws, options)
    assert abs(inside - claimed) < tolerance(claimed, draws)


def test_what_coarse_noise_covers_is_known_exactly(db: dpsql.Database) -> None:
    """±3 of noise of scale 1: ±2 would be 92.7 %. 95 % itself is outside of the tolerance."""
    draws = 4 * DRAWS
    noise = DiscreteLaplace(1.0)
    exactly = 1 - 2 * math.exp(-4) / (1 + math.exp(-1))
    assert noise.interval(0.95) == 3 and 1 - noise.tail(3) == pytest.approx(exactly)
    inside, claimed = coverage(db, "COUNT(*)", LARGE, draws)
    assert claimed == pytest.approx(exactly) and claimed - 0.95 > tolerance(claimed, draws)
    assert abs(inside - claimed) < tolerance(claimed, draws)


@pytest.mark.deep
@pytest.mark.parametrize("options", [DEFAULT, GAUSSIAN], ids=["laplace", "gaussian"])
@pytest.mark.parametrize(
    "expression",
    [
        "AVG(x)",
        "SUM(y) / SUM(x)",
        "VAR_POP(y)",
        "STDDEV(x)",
        "COVAR_SAMP(y, x)",
        "CORR(y, x)",
        "REGR_SLOPE(y, x)",
    ],
)
def test_what_is_made_of_several(db: dpsql.Database, expression: str, options: Options) -> None:
    inside, claimed = coverage(db, expression, LARGE, DRAWS, options)
    assert claimed == 0.95 and abs(inside - 0.95) < tolerance(0.95, DRAWS)


@pytest.mark.deep
@pytest.mark.parametrize("options", [DEFAULT, GAUSSIAN], ids=["laplace", "gaussian"])
@pytest.mark.parametrize(
    "expression",
    [
        "AVG(z)",
        "SUM(z) / COUNT(*)",
        "VAR_POP(z)",
        "STDDEV_POP(x)",
        "STDDEV(z)",
        "STDDEV(x) * 3",
        "COVAR_POP(y, x)",
    ],
)
def test_few_rows(db: dpsql.Database, expression: str, options: Options) -> None:
    """The noise is as large as the numbers, and tangents are no help. z is near its upper bound."""
    inside, _ = coverage(db, expression, SMALL, DRAWS, options)
    assert inside > 0.95 - tolerance(0.95, DRAWS / 2)


def test_every_part_of_a_variance_gets_its_share(db: dpsql.Database) -> None:
    """Where moments are measured apart."""
    for function in ("VAR_POP", "VAR_SAMP", "STDDEV"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(choosing, "_tried", lambda joints: ())
            query = known(db, f"SELECT {function}(x) AS v FROM people", Fraction(1)).query
        (release,) = query.releases
        spent = [
            measure.sensitivity.l1 / noise.scale  # type: ignore[union-attr]
            for measure, noise in zip(release.measures, query.planned[0].noise, strict=True)
        ]
        assert min(spent) > max(spent) / 4.1 and sum(spent) == pytest.approx(1)
