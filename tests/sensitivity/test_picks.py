"""The grids of order statistics and modes, how near the answers come, and what they cost."""

from __future__ import annotations

import math
import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import accumulate
from statistics import fmean

import duckdb
import pytest

import dpsql
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.account.amount import Cost
from dpsql.core.account.compose import basic
from dpsql.core.account.events import Event
from dpsql.core.calibrate.calibration import picker_event
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.noise.noisy_max import NoisyMax
from dpsql.core.noise.quantiles import JointQuantiles
from dpsql.core.plan.expr import Literal
from dpsql.core.plan.values import Values
from dpsql.core.release.measures import Argument
from dpsql.core.release.picks import POINTS, listed_grid, ordered_grid
from dpsql.core.release.statements import statements
from dpsql.execution.cells import read
from dpsql.execution.reading import engine_source
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.types import BIGINT, BOOLEAN, DATE, DOUBLE, INTEGER, TIMESTAMP, VARCHAR, Type, decimal
from tests.support.filled import fill

LEVELS = Type("ENUM", values=("small", "medium", "large"))
MOST = 2**63 - 2


def argument(kind: Type, values: Values, listed: tuple[object, ...] | None = None) -> Argument:
    """An argument of that type and range."""
    return Argument(Literal(None, kind), None, True, True, "x", values, listed=listed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "low", "high", "size"),
    [
        (INTEGER, -3, 12, 16),
        (INTEGER, 0, 2_000_000_000, 976_564),
        (BIGINT, -MOST, MOST, 2**20 + 1),
        (decimal(10, 2), Fraction(-1, 2), Fraction(5), 551),
        (DOUBLE, Fraction(0), Fraction(1), 2**20 + 1),
        (DOUBLE, Fraction(-(10**300)), Fraction(10**300), None),
        (DATE, date(1, 1, 1), date(9999, 12, 31), 3_652_059),
        (DATE, date(2024, 2, 28), date(2024, 3, 1), 3),
        (TIMESTAMP, datetime(2024, 1, 1), datetime(2024, 1, 2), 86_401),
        (TIMESTAMP, datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999_999), None),
    ],
)
def test_every_point_is_in_the_range_and_is_placed_where_it_stands(
    kind: Type, low: object, high: object, size: int | None
) -> None:
    grid = ordered_grid(argument(kind, Values(low, high)))
    assert size is None or grid.size == size
    drawn = random.Random(1)
    numbers = {0, 1, grid.size - 1, *(drawn.randrange(grid.size) for _ in range(200))}
    assert kind in (DATE, TIMESTAMP) or grid.size <= POINTS + 2
    found = [grid.value(n) for n in sorted(numbers)]
    assert found == sorted(found)
    assert low <= found[0] and found[-1] <= high  # type: ignore[operator]
    for number in numbers:
        assert grid.place(grid.first + number) == number


def test_values_beyond_the_ends_are_at_the_ends() -> None:
    numbers = ordered_grid(argument(INTEGER, Values(5, 9)))
    assert [numbers.place(v) for v in (-100, 4, 5, 9, 10, 2**62)] == [0, 0, 0, 4, 4, 4]
    days = ordered_grid(argument(DATE, Values(date(2024, 1, 1), date(2024, 1, 3))))
    assert [days.place(n) for n in (-800_000, 2, 3_000_000)] == [0, 2, 2]
    low = datetime(2024, 1, 1, 0, 0, 0, 500_000)
    moments = ordered_grid(argument(TIMESTAMP, Values(low, low + timedelta(seconds=2))))
    assert moments.size == 3
    assert moments.value(1) == datetime(2024, 1, 1, 0, 0, 1)
    assert [moments.place(n) for n in (-(2**62), 1, 2**62)] == [0, 1, 2]


def test_a_step_that_does_not_divide_the_range_stays_within_it() -> None:
    """2³⁰ steps of 2³³ reach beyond what a BIGINT holds."""
    grid = ordered_grid(argument(BIGINT, Values(-MOST, MOST)))
    assert (grid.value(0), grid.value(grid.size - 1)) == (-MOST, MOST)
    assert grid.ends is not None and (grid.origin + grid.size - 1) * grid.step > MOST  # type: ignore[operator]


@pytest.mark.parametrize(
    ("kind", "listed", "ordered"),
    [
        (LEVELS, ("medium", "large", "small"), ("small", "medium", "large")),
        (VARCHAR, ("b", "a", "Ä", "B"), ("B", "a", "b", "Ä")),
        (BOOLEAN, (True, False), (False, True)),
        (INTEGER, (1000, 10), (10, 1000)),
        (decimal(4, 2), (Fraction(7, 2), Fraction(1, 4)), (Fraction(1, 4), Fraction(7, 2))),
        (DATE, (date(2025, 1, 1), date(2024, 1, 1)), (date(2024, 1, 1), date(2025, 1, 1))),
    ],
)
def test_listed_values_are_the_points(
    kind: Type, listed: tuple[object, ...], ordered: tuple[object, ...]
) -> None:
    values = Values(min(listed), max(listed)) if kind in (INTEGER, DATE) else Values()  # type: ignore[type-var]
    for grid in (
        ordered_grid(argument(kind, values, listed)),
        listed_grid(argument(kind, values, ordered)),
    ):
        assert grid.options == ordered
        assert [grid.place(v) for v in ordered] == list(range(len(ordered)))
        assert [grid.value(n) for n in range(grid.size)] == list(ordered)
        assert grid.place("elsewhere") is None


def test_a_range_that_is_all_listed_is_no_list() -> None:
    grid = ordered_grid(argument(INTEGER, Values(1, 3), (1, 2, 3)))
    assert (grid.options, grid.size, grid.value(2)) == (None, 3, 3)


POLICY = """
unit: people.id
neighbours: {neighbours}
budget: {{eps: 100000}}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {{type: INTEGER}}
      age: {{type: INTEGER, bounds: [0, 120]}}
      pay: {{type: DOUBLE, bounds: [0, 100000]}}
      team: {{type: VARCHAR, values: [red, green, blue]}}
"""
ROWS, DRAWS = 3000, 300


def _ledger() -> MemoryLedger:
    """One of its own: with other neighbours the same data would go on with the same account."""
    return MemoryLedger(Cost(Fraction(100_000)))


@pytest.fixture(scope="module")
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    made = duckdb.connect(":memory:")
    made.execute("CREATE TABLE people (id INTEGER, age INTEGER, pay DOUBLE, team VARCHAR)")
    drawn = random.Random(3)
    rows = [
        (i, drawn.randint(20, 64), drawn.lognormvariate(9, 0.4), drawn.choice(("red", "blue")))
        for i in range(ROWS)
    ]
    fill(made, "people", rows)
    yield made
    made.close()


def _near(
    picker: JointQuantiles, points: list[tuple[int, int]], asked: Fraction, off: int
) -> float:
    """The exact probability that the answer at a target's rank is within so many rows of it: a cell
    is drawn in proportion to exp(-rate·e), where its ranks are e from the target's, at least.
    """
    (rate,) = {float(picker.choice_rate(target)) for target in picker.targets}
    near, every, below, free = 0.0, 0.0, 0, 0
    for cell, count in (*points, (picker.size, 0)):
        for weight, reached in ((cell - free, below), (cell < picker.size, below + count)):
            error = max(below - asked, asked - reached, 0)
            part = weight * math.exp(-rate * error)
            every += part
            near += part * (error <= off)
        below, free = below + count, cell + 1
    return near / every


def _asked(picker: JointQuantiles, rows: int) -> list[float]:
    return [float(target.share * rows + target.shift) for target in picker.targets]


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("shares", [(0, 1), (Fraction(1, 2),), (Fraction(1, 4), Fraction(3, 4))])
@pytest.mark.one_in(2)
def test_what_is_spread_evenly_is_as_near_as_is_said(
    shares: tuple[Fraction | int, ...], rows: int
) -> None:
    """Neither farther off than `rank_error` says, nor nearer by a row. Of rows that are drawn, with
    gaps by chance, the same holds on average: in some there is more in the gaps that are far off.
    """
    size, asked_of = 40 * ROWS, list(map(Fraction, shares))
    picker = JointQuantiles.calibrate(rows, Fraction(1), size, asked_of)
    even = [(40 * n + 20, 1) for n in range(ROWS)]
    drawn = random.Random(4)
    chance = [[(n, 1) for n in sorted(drawn.sample(range(size), ROWS))] for _ in range(100)]
    for asked, off in zip(_asked(picker, ROWS), picker.rank_error(0.95), strict=True):
        assert _near(picker, even, asked, off - 1) < 0.95 <= _near(picker, even, asked, off)
        assert fmean(_near(picker, points, asked, off) for points in chance) >= 0.95


@pytest.mark.deep
@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
def test_extremes_are_as_near_as_is_said(
    engine: duckdb.DuckDBPyConnection, neighbours: str
) -> None:
    """The rank of each answer is within `rank_error` of what was asked for as often as the gaps
    between these rows say, to four standard deviations: beyond them once in thousands of runs.
    """
    sql = "SELECT MIN(pay) AS lo, MAX(pay) AS hi FROM people"
    with dpsql.connect(engine, POLICY.format(neighbours=neighbours), ledger=_ledger()) as database:
        query = compile_query(sql, database.schema, Fraction(1)).query
        assert isinstance(query, ReleasedQuery)
        (release,), (picker,) = query.releases, query.planned[0].pickers
        assert isinstance(picker, JointQuantiles)
        source = engine_source(database._engine)
        with database._engine.snapshot() as snapshot:
            exact = read(release, [()], snapshot, statements(release, source))
    points = sorted(exact.points[0][0].items())
    assert sum(n for _, n in points) == ROWS
    cells, below = [p for p, _ in points], [0, *accumulate(n for _, n in points)]
    errors, asked = picker.rank_error(0.95), _asked(picker, ROWS)
    assert 0 < asked[0] <= ROWS / 10 and ROWS * 9 / 10 <= asked[1] < ROWS
    within: list[int] = [0, 0]
    for _ in range(DRAWS):
        for place, cell in enumerate(picker.draw(cells, [n for _, n in points])):
            under, reached = below[bisect_left(cells, cell)], below[bisect_right(cells, cell)]
            off = max(under - asked[place], asked[place] - reached, 0)
            within[place] += off <= errors[place]
    for found, target, error in zip(within, asked, errors, strict=True):
        near = _near(picker, points, target, error)
        assert 0.9 < near < 0.98
        assert abs(found - near * DRAWS) <= 4 * math.sqrt(DRAWS * near * (1 - near))
    assert max(errors) < ROWS / 20  # and it says something


def test_all_of_a_query_costs_what_was_asked(engine: duckdb.DuckDBPyConnection) -> None:
    """Picks and counts share ε: together it is charged, and their events add up to no more."""
    sql = "SELECT MEDIAN(age) AS m, MODE(team) AS t, COUNT(*) AS n FROM people"
    for neighbours in ("add_remove", "replace"):
        with dpsql.connect(
            engine, POLICY.format(neighbours=neighbours), ledger=_ledger()
        ) as database:
            for eps in (Fraction(1, 7), Fraction(3)):
                before = database.budget.spent.exact.eps
                database.run(sql, eps=eps)
                assert database.budget.spent.exact.eps - before == eps
                compiled = compile_query(sql, database.schema, eps)
                query = compiled.query
                assert isinstance(query, ReleasedQuery)
                (planned,) = query.planned
                release, noises, pickers = planned.release, planned.noise, planned.pickers
                assert [type(p) for p in pickers] == [JointQuantiles, NoisyMax]
                events: list[Event] = [
                    noise.event(measure.sensitivity.l1)
                    for measure, noise in zip(release.measures, noises, strict=True)
                    if isinstance(noise, DiscreteLaplace)
                ]
                assert len(events) == len(release.measures) == 1
                events += [picker_event(a, b) for a, b in zip(release.picks, pickers, strict=True)]
                spent = basic(events)
                assert spent.delta == 0 and compiled.cost.eps == eps
                assert eps * Fraction(99, 100) < spent.eps <= eps


def test_points_of_a_grid_are_read_as_they_are(engine: duckdb.DuckDBPyConnection) -> None:
    """With hardly any noise the median is the engine's, to a step."""
    with dpsql.connect(engine, POLICY.format(neighbours="add_remove")) as database:
        ((found,),) = database.run("SELECT MEDIAN(pay) AS m FROM people", eps=1000).rows
        ((exact,),) = engine.execute("SELECT MEDIAN(pay) FROM people").fetchall()
    assert isinstance(found, float) and math.isclose(found, exact, abs_tol=20)


MANY = 50_000


@pytest.mark.parametrize(
    ("kind", "point", "low", "high", "apart"),
    [
        (
            "TIMESTAMP",
            "TIMESTAMP '2020-01-01 00:00:00.5' + to_seconds(i * 61)",
            *("2020-01-01", "2021-01-01", timedelta(seconds=61)),
        ),
        ("DATE", "DATE '1900-06-01' + i::INTEGER", "1900-01-01", "2100-01-01", timedelta(days=1)),
        ("BIGINT", "10 * i", "0", "1000000", 10),
    ],
)
def test_many_points_are_read_as_they_are(
    kind: str, point: str, low: str, high: str, apart: timedelta | int
) -> None:
    """With hardly any noise quantiles of many rows are the engine's, of one group and of two."""
    made = duckdb.connect(":memory:")
    made.execute(
        f"CREATE TABLE people AS SELECT i AS id, {point} AS x, i % 2 AS half "
        f"FROM range({MANY}) t(i)"
    )
    policy = f"""
unit: people.id
budget: {{eps: 100000}}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {{type: BIGINT}}
      x: {{type: {kind}, bounds: [{low}, {high}], nullable: false}}
      half: {{type: BIGINT, values: [0, 1]}}
"""
    quantiles = "QUANTILE_DISC(x, 0.1), QUANTILE_DISC(x, 0.5), QUANTILE_DISC(x, 0.9)"
    for text in (
        f"SELECT {quantiles} FROM people",
        f"SELECT {quantiles} FROM people GROUP BY half ORDER BY half",
    ):
        with dpsql.connect(made, policy) as database:
            found = database.run(text, eps=5000).rows
        exact = made.execute(text).fetchall()
        for row, truth in zip(found, exact, strict=True):
            for a, b in zip(row, truth, strict=True):
                assert abs(a - b) <= 10 * apart  # type: ignore[operator]
    made.close()
