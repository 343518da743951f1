"""Moments: at exact sums they are the engine's own, at any noisy ones they are where they can lie,
and their derivatives are those of the formula.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpsql
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.calibrate import choosing
from dpsql.core.release.decode import Noisy, value, weights
from dpsql.core.release.formulas import Moments
from dpsql.core.release.release import Release
from dpsql.core.release.second_moments import evaluate
from dpsql.core.release.statements import statements
from dpsql.execution.cells import read
from dpsql.execution.reading import engine_source, public_groups
from tests.support.effort import tries
from tests.support.filled import fill

POLICY = """
unit: people.id
budget: {eps: 10}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      sex: {type: VARCHAR, values: [F, M], nullable: false}
      x: {type: INTEGER, bounds: [-7, 1000]}
      y: {type: "DECIMAL(8,2)", bounds: [-50, 120]}
      z: {type: INTEGER, bounds: [0, 9], nullable: false}
"""
SPREADS = ("VAR_POP", "VAR_SAMP", "STDDEV_POP", "STDDEV_SAMP")
PAIRS = (
    *("COVAR_POP", "COVAR_SAMP", "CORR", "REGR_SXX", "REGR_SYY", "REGR_SXY"),
    *("REGR_SLOPE", "REGR_INTERCEPT", "REGR_R2"),
)
COUNTED = ("REGR_COUNT", "REGR_AVGX", "REGR_AVGY")
CALLS = (
    *(f"{f}({c})" for f in SPREADS for c in "xyz"),
    *(f"{f}({a}, {b})" for f in PAIRS for a, b in ("xy", "yx", "xz", "zy")),
)


@pytest.fixture(scope="module")
def database() -> Iterator[dpsql.Database]:
    made = duckdb.connect(":memory:")
    made.execute("CREATE TABLE people (id INTEGER, sex VARCHAR, x INTEGER, y DECIMAL(8,2), z INT)")
    drawn = random.Random(5)
    rows = []
    for i in range(400):
        x = drawn.randint(-7, 1000)
        y = (12 * x + drawn.randint(-4000, 4000)) % 17_000 / 100 - 50
        nulls = drawn.randint(0, 9)  # in one row of ten x is NULL, in another y, in a third both
        known = None if nulls in (0, 2) else x, None if nulls in (1, 2) else round(y, 2)
        rows.append((i, drawn.choice("FM"), *known, drawn.randint(0, 9)))
    fill(made, "people", rows)
    with dpsql.connect(made, POLICY) as opened:
        yield opened
    made.close()


def exact(database: dpsql.Database, sql: str) -> tuple[Release, list[tuple[object, list[int]]]]:
    """The release, and the exact measures of each group."""
    query = compile_query(sql, database.schema, Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    (release,) = query.releases
    source = engine_source(database._engine)
    with database._engine.snapshot() as snapshot:
        groups = public_groups(release, snapshot, source)
        found = read(release, groups, snapshot, statements(release, source))
    numbers = [[v[i] for v in found.values] for i in range(len(found.groups))]
    return release, list(zip(found.groups, numbers, strict=True))


def formula(
    database: dpsql.Database, call: str, *, apart: bool = False
) -> tuple[Moments, list[int]]:
    """The formula of a call, and the exact measures; each moment by itself if `apart`."""
    with pytest.MonkeyPatch.context() as patch:
        if apart:
            patch.setattr(choosing, "_tried", lambda pairs: ())
        release, ((_, measures),) = exact(database, f"SELECT {call} AS v FROM people")
    made = release.outputs[0].formula
    assert isinstance(made, Moments)
    return made, measures


@pytest.mark.parametrize("call", CALLS[:: tries(2, 1)])
@pytest.mark.one_in(3)
def test_at_exact_sums_they_are_the_engines_own(database: dpsql.Database, call: str) -> None:
    for keys in ("", "sex"):
        names = f"{keys}, " if keys else ""
        grouping = f" GROUP BY {keys}" if keys else ""
        sql = f"SELECT {names}{call} AS v FROM people{grouping}"
        release, rows = exact(database, sql)
        with database._engine.snapshot() as snapshot:
            theirs = {
                row[:-1]: row[-1]
                for row in snapshot.rows(sql.replace(" people", " memory.main.people"))
            }
        assert len(rows) == (2 if keys else 1)
        for group, measures in rows:
            mine = value(release.outputs[0].formula, Noisy(list(measures)))
            assert mine == pytest.approx(theirs[group], rel=near(release))  # type: ignore[index]


def near(release: Release) -> float:
    """How near the answer is: weights of two squared variables are rounded to 2^-24 of a row."""
    return 1e-6 if len(release.measures) == 9 else 1e-9


@pytest.mark.parametrize(
    "call", [f"{f}({a}, {b})" for f in COUNTED for a, b in ("xy", "yx", "xz", "zy", "zx", "zz")]
)
def test_counts_and_averages_of_pairs(database: dpsql.Database, call: str) -> None:
    for keys, grouping in (("", ""), ("sex, ", " GROUP BY sex")):
        sql = f"SELECT {keys}{call} AS v FROM people{grouping}"
        release, rows = exact(database, sql)
        with database._engine.snapshot() as snapshot:
            theirs = {
                row[:-1]: row[-1]
                for row in snapshot.rows(sql.replace(" people", " memory.main.people"))
            }
        for group, measures in rows:
            mine = value(release.outputs[0].formula, Noisy(list(measures)))
            assert mine == pytest.approx(theirs[group], rel=1e-12)  # type: ignore[arg-type, index]


@pytest.mark.parametrize("call", [c for c in CALLS if "z" not in c or "," not in c])
def test_derivatives_are_finite_differences(database: dpsql.Database, call: str) -> None:
    made, measures = formula(database, call)
    slopes = weights(made, Noisy(list(measures)))
    assert slopes is not None and len(slopes) >= 3
    for measure, slope in slopes.items():
        step = Fraction(max(1, abs(measures[measure])), 10**5)
        ends = []
        for sign in (-1, 1):
            moved: list[int | Fraction] = list(measures)
            moved[measure] += sign * step
            found = evaluate(made, moved)
            assert found is not None
            ends.append(found.value)
        difference = (ends[1] - ends[0]) / float(2 * step)
        assert slope == pytest.approx(difference, rel=1e-4, abs=1e-9 * abs(ends[0]))


@settings(max_examples=tries(50, 150), deadline=None, derandomize=True)
@given(data=st.data(), call=st.sampled_from([c for c in CALLS if "z" not in c]))
def test_whatever_the_noise_they_are_where_they_can_lie(
    database: dpsql.Database, data: st.DataObject, call: str
) -> None:
    made, measures = formula(database, call)
    far = st.integers(-(10**12), 10**12)
    noisy = [m + data.draw(st.one_of(st.just(0), st.integers(-500, 500), far)) for m in measures]
    found = evaluate(made, list(noisy))
    name, _ = call.split("(")
    h = {a: float(axis.half) for a, axis in zip("yx", (made.y, made.x), strict=True) if axis}
    n = max(1, sum(t.weight * noisy[t.measure] for t in made.count))
    if name.endswith("SAMP") and n < 2:
        assert found is None
        return
    if found is None:
        assert name in ("CORR", "REGR_R2", "REGR_SLOPE", "REGR_INTERCEPT")
        return
    bessel = n / (n - 1) if name.endswith("SAMP") else 1.0
    most = {
        "VAR": h["y"] ** 2 * bessel,
        "STDDEV": h["y"] * math.sqrt(bessel),
        "COVAR": h["y"] * h.get("x", 0) * bessel,
        "CORR": 1.0,
        "REGR": {
            "REGR_R2": 1.0,
            "REGR_SXX": h["y"] ** 2 * n,
            "REGR_SYY": h["y"] ** 2 * n,
            "REGR_SXY": h["y"] * h.get("x", 0) * n,
        }.get(name, math.inf),
    }[name.split("_")[0]]
    assert abs(found.value) <= most * (1 + 1e-12)
    if name.startswith(("VAR", "STDDEV")) or name in ("REGR_R2", "REGR_SXX", "REGR_SYY"):
        assert found.value >= 0


def test_a_sample_of_fewer_than_two_is_null(database: dpsql.Database) -> None:
    for call in ("VAR_SAMP(x)", "STDDEV_SAMP(x)", "COVAR_SAMP(x, y)"):
        made, measures = formula(database, call)
        for count, answered in ((2, True), (1, False), (0, False), (-3, False)):
            for term, n in zip(made.count, (count, 0, 0, 0), strict=False):
                measures[term.measure] = int(n / term.weight)
            assert (evaluate(made, list(measures)) is not None) == answered


def test_a_ratio_where_nothing_varies_is_null(database: dpsql.Database) -> None:
    """u is 0 in all n rows: the sum of u² - h²/2 is -n·h²/2."""
    for call, axes in (
        ("CORR(x, y)", "xy"),
        ("REGR_R2(x, y)", "xy"),
        ("REGR_SLOPE(x, y)", "x"),
        ("REGR_INTERCEPT(x, y)", "x"),
    ):
        made, measures = formula(database, call, apart=True)
        assert made.x is not None
        assert evaluate(made, list(measures)) is not None
        for name in axes:
            axis = made.x if name == "x" else made.y
            (count,), (total,), (square,) = made.count, axis.total, axis.square
            flat: list[int | Fraction] = list(measures)
            flat[total.measure] = 0
            flat[square.measure] = -measures[count.measure] * axis.half**2 / 2 / square.weight
            assert evaluate(made, flat) is None
            flat[square.measure] += 1
            assert evaluate(made, flat) is not None


@pytest.mark.parametrize(
    ("calls", "measured"),
    [
        ("VAR_POP(x), VAR_SAMP(x), STDDEV(x), AVG(x), COUNT(x)", 3),
        # Nine weights of two variables say what six moments do.
        ("CORR(x, y), CORR(y, x), REGR_SLOPE(x, y), COVAR_POP(y, x)", 9),
        ("CORR(x, x), COVAR_POP(x, x), VAR_POP(x), COUNT(x)", 3),
        # z is never NULL: Σu, Σu² and the count of x are those of the pairs.
        ("VAR_POP(x), CORR(x, z), AVG(x)", 9),
        # x is in other rows than the pairs are: 3 for VAR, 9 for CORR.
        ("VAR_POP(x), CORR(x, y)", 12),
        # The number of pairs is said by a sum of one of them at both ends, and counted of one.
        ("REGR_COUNT(x, y), REGR_COUNT(y, x), REGR_COUNT(z, x)", 2),
        ("REGR_AVGX(x, y), REGR_AVGY(x, y), REGR_COUNT(y, x)", 3),
        ("REGR_AVGX(x, y), REGR_SYY(x, y), REGR_COUNT(y, x), CORR(x, y), REGR_SXY(y, x)", 9),
        ("REGR_COUNT(x, z), REGR_AVGY(x, z), COUNT(x), AVG(x)", 2),
    ],
)
def test_what_is_the_same_is_measured_once(
    database: dpsql.Database, calls: str, measured: int
) -> None:
    release, _ = exact(database, f"SELECT {calls} FROM people")
    assert len(release.measures) == measured
