"""Half-widths of debiased answers: the coins are in them, and they hold as often as they claim.

The draws are of the counts that the engine would give and of the noise, from a fixed seed. All of
them are rows of one released table, from which the query's own post-processing makes its answers
and their half-widths.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate

import duckdb
import pytest

import dpsql
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.release.decode import Noisy
from dpsql.core.schema import Randomized
from dpsql.execution.noise import NoisyRelease
from dpsql.execution.processing import post_process
from dpsql.platform.engine.scratch import Scratch

DRAWS = 10_000
ERROR = 4 * math.sqrt(0.95 * 0.05 / DRAWS)
NORMAL = 1.959963984540054

POLICY = """
unit: UNIT.id
budget: {eps: 10000}
tables:
  units: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  people:
    access: ACCESS
    key: [id]
    columns:
      id: {type: INTEGER}
      boss: {type: INTEGER}
      sex: {type: VARCHAR, values: [F, M], nullable: false}
      a: {type: BOOLEAN, nullable: false, randomized: {truth: TRUTH, yes: YES}}
      b: {type: BOOLEAN, nullable: true, randomized: {truth: 0.5, yes: 0.5}}
"""
FAIR = Randomized(Fraction(1, 2), Fraction(1, 2))
SKEWED = Randomized(Fraction(1, 4), Fraction(1, 8))


def connection() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    made.execute("CREATE TABLE units AS SELECT 1::INTEGER AS id")
    made.execute(
        "CREATE TABLE people AS SELECT i::INTEGER AS id, 1::INTEGER AS boss, "
        "['F', 'M'][1 + i % 2] AS sex, i % 10 < 3 AS a, "
        "CASE WHEN i % 4 > 0 THEN i % 3 = 0 END AS b FROM range(1200) AS r(i)"
    )
    return made


def policy(coins: Randomized = FAIR, access: str = "private") -> dpsql.Policy:
    text = POLICY.replace("TRUTH", str(float(coins.truth))).replace("YES", str(float(coins.yes)))
    unit = "people" if access == "private" else "units"
    if access == "private":
        lines = [line for line in text.splitlines() if not line.startswith("  units")]
        text = "\n".join(lines)
    return dpsql.Policy.parse(text.replace("UNIT", unit).replace("ACCESS", access))


def sampler(rng: random.Random, n: int, p: Fraction) -> Callable[[], int]:
    """Draws of a binomial variable, by its distribution function."""
    masses = [math.comb(n, k) * float(p) ** k * float(1 - p) ** (n - k) for k in range(n + 1)]
    sums = list(accumulate(masses))
    return lambda: min(bisect_left(sums, rng.random()), n)


def laplace(rng: random.Random, scale: float) -> int:
    """A draw of discrete Laplace noise: the difference of two geometric variables."""
    rate = -1 / scale
    one, other = (math.floor(math.log(1 - rng.random()) / rate) for _ in range(2))
    return one - other


@pytest.mark.deep
@pytest.mark.parametrize("eps", [Fraction(1, 20), Fraction(1)])
@pytest.mark.parametrize("coins", [FAIR, SKEWED])
@pytest.mark.parametrize(
    ("sql", "truth"),
    [
        ("SELECT COUNT(*) FROM people WHERE a", lambda yes, no: yes),
        ("SELECT COUNT(*) FROM people WHERE NOT a", lambda yes, no: no),
        ("SELECT 100.0 * COUNT(*) FILTER (WHERE a) / 400 - 7 FROM people", lambda y, n: y / 4 - 7),
        ("SELECT AVG(CAST(a AS INTEGER)) FROM people", lambda yes, no: yes / (yes + no)),
        ("SELECT COUNT_IF(a) - COUNT_IF(NOT a) FROM people", lambda yes, no: yes - no),
    ],
)
def test_coverage(
    sql: str, truth: Callable[[int, int], float], coins: Randomized, eps: Fraction
) -> None:
    """4 standard errors are 0.9 points, so that 94 or 96 % would be seen, and so would intervals of
    the coins alone, or of the noise alone.
    """
    schema = dpsql.connect(connection(), policy(coins)).schema
    query = compile_query(sql, schema, eps).query
    assert isinstance(query, ReleasedQuery)
    noises, (release,) = query.planned[0].noise, query.releases
    assert release.labels[0] == "count(CASE WHEN a THEN 1 ELSE CAST(NULL AS INT) END)"
    assert len(noises) == 2
    yes, no = 300, 900
    rng = random.Random(f"{sql} {coins} {eps}")
    of_yes = sampler(rng, yes, coins.reports_yes(True))
    of_no = sampler(rng, no, coins.reports_yes(False))
    rows: list[Noisy] = []
    for _ in range(DRAWS):
        said = of_yes() + of_no()
        reports = said, yes + no - said
        rows.append(
            Noisy([n + laplace(rng, z.scale) for n, z in zip(reports, noises, strict=True)])
        )
    released = NoisyRelease([()] * DRAWS, rows, tuple((z, Fraction(1)) for z in noises))
    with Scratch() as scratch:
        answer = post_process(query, [released], scratch)
    wanted, inside = truth(yes, no), 0
    for (value,), (width,) in zip(answer.rows, answer.intervals, strict=True):
        assert isinstance(value, int | float)
        assert width is not None
        inside += abs(value - wanted) <= width
    assert abs(inside / DRAWS - 0.95) <= ERROR


def run(sql: str, access: str = "public", eps: float = 1) -> tuple[float | None, ...]:
    """The half-widths of the first row."""
    return dpsql.connect(connection(), policy(access=access)).run(sql, eps).intervals[0]


def test_by_hand() -> None:
    """The fair coins: a report is TRUE with p = 3/4 or 1/4, whose p·(1 - p) is 3/16 both times. So
    P' has the variance 3/(16·n), and P = 2·P' - 1/2 the variance 3/(4·n). A count is n·P.
    """
    n = 1200
    (width,) = run("SELECT AVG(CAST(a AS INTEGER)) FROM people")
    assert width == pytest.approx(NORMAL * math.sqrt(3 / (4 * n)), rel=1e-12)
    (width,) = run("SELECT COUNT(*) FROM people WHERE a")
    assert width == pytest.approx(NORMAL * math.sqrt(3 * n / 4), rel=1e-12)
    (width,) = run("SELECT COUNT(*) FROM people WHERE a AND sex = 'F'")
    assert width == pytest.approx(NORMAL * math.sqrt(3 * n / 2 / 4), rel=1e-12)


def test_the_noise_comes_on_top() -> None:
    """At so small an ε the noise is all that is seen; at so large a one, the coins."""
    sql = "SELECT COUNT(*) FROM people WHERE a"
    coins = NORMAL * math.sqrt(3 * 1200 / 4)
    assert run(sql, "private", 1000) == (pytest.approx(coins, rel=0.02),)
    (wide,) = run(sql, "private", 0.001)
    # 3/2·X - 1/2·Y for two Laplace variables of scale 1,000 (who says yes does not say no, so that
    # both counts have all of ε): more than the wider one alone.
    assert wide is not None
    assert 1.5 * 1000 * math.log(20) < wide < 1.1 * 1.5 * 1000 * math.log(20)


def test_groups_by_the_answer() -> None:
    db = dpsql.connect(connection(), policy(access="public"))
    answer = db.run("SELECT sex, a, COUNT(*) AS n FROM people GROUP BY sex, a ORDER BY n", 1)
    width = NORMAL * math.sqrt(3 * 600 / 4)
    assert len(answer.rows) == 4
    assert answer.intervals == tuple([(None, None, pytest.approx(width, rel=1e-12))] * 4)


def test_coins_of_two_columns_are_independent() -> None:
    one, other, both = run(
        "SELECT COUNT_IF(a), COUNT_IF(b), COUNT_IF(a) + COUNT_IF(b) AS n FROM people"
    )
    assert one is not None
    assert other is not None
    assert both == pytest.approx(math.hypot(one, other), rel=1e-12)
    assert other == pytest.approx(NORMAL * math.sqrt(3 * 900 / 4), rel=1e-12)


def test_overlapping_rows_have_the_same_coins() -> None:
    half = "COUNT_IF(a AND id < 600)"
    one, twice = run(f"SELECT COUNT_IF(a), {half} + {half} AS n FROM people")
    half = "COUNT_IF(a AND id < 900)"
    part, both = run(f"SELECT {half}, COUNT_IF(a) + {half} AS n FROM people")
    assert one is not None
    assert part is not None
    assert twice == pytest.approx(2 * NORMAL * math.sqrt(3 * 600 / 4), rel=1e-12)
    assert both is not None
    assert both >= one + part * (1 - 1e-12)


def test_what_no_coin_moves_is_exact() -> None:
    assert run("SELECT COUNT(b), COUNT(*) FROM people") == (0.0, None)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT AVG(id) FROM people WHERE a",
        "SELECT COUNT(*) FROM people WHERE a AND b",
        "SELECT COUNT(*) FROM people p, people q WHERE p.boss = q.boss AND q.a AND p.id < 9",
        "SELECT COUNT(*) FROM people p JOIN people q ON p.id = q.boss WHERE p.a",
        "SELECT ABS(x.n - y.n) FROM (SELECT COUNT(*) AS n FROM people WHERE a) x, "
        "(SELECT COUNT(*) AS n FROM people WHERE NOT a) y",
        "WITH t AS (SELECT COUNT(*) AS n FROM people WHERE a) SELECT x.n - y.n FROM t x, t y",
    ],
)
def test_no_interval_where_the_variance_is_not_known(sql: str) -> None:
    assert run(sql) == (None,)


def test_a_row_that_meets_one_other_row_is_one_row() -> None:
    (width,) = run("SELECT COUNT(*) FROM people p JOIN people q ON p.boss = q.id WHERE p.a")
    assert width == pytest.approx(NORMAL * math.sqrt(3 * 1200 / 4), rel=1e-12)
