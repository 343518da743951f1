"""One clip for the count and the sum of an average: how far a unit moves both, for every clip; what
is made of them where units are cut; what is chosen and drawn; and when it is done.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product

import duckdb
import pytest

import dpsql
from dpsql.compile import Compiled, ReleasedQuery, compile_query
from dpsql.core.account.amount import Cost
from dpsql.core.account.events import ExponentialEvent
from dpsql.core.calibrate.options import Options
from dpsql.core.enforce.clipped import PARTS, Grid
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.clip import COUNTS, FINE, ClipChoice
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.release import queries
from dpsql.core.release.measures import Kind, Measure
from dpsql.execution import noise as drawing
from dpsql.execution.cells import Clips
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.platform.policy import Policy
from dpsql.report.explanation.explanation import explanation
from tests.support.brute import check_neighbours
from tests.support.draws import Known, answers, known
from tests.support.edits import edit
from tests.support.filled import fill
from tests.support.policies import load

EPS = Fraction(2)


def compiled(sql: str, policy: str = "unbounded", eps: Fraction = EPS) -> Compiled:
    return compile_query(sql, load(policy).schema, eps, options=Options(clipping="adaptive"))


def ends(query: object) -> list[Measure]:
    """The measures that share a clip."""
    assert isinstance(query, ReleasedQuery)
    measures = [m for point in query.releases for m in point.measures if m.adaptive]
    families = [m.family for m in measures]
    return [m for m in measures if families.count(m.family) > 1]


# --- how far a unit moves both, for every clip ---------------------------------------------------

MOST = 3
"""Rows of a unit."""


def opened(data: duckdb.DuckDBPyConnection, columns: str, neighbours: str) -> dpsql.Database:
    text = f"""
unit: u.id
neighbours: {neighbours}
budget: {{eps: 10}}
tables:
  u:
    access: private
    key: [id]
    columns:
      id: {{type: INTEGER}}
  t:
    access: private
    columns:
      id: {{type: INTEGER, references: u.id}}
      {columns}
"""
    ledger = MemoryLedger(Cost(Fraction(10**9), Fraction(1)))
    return dpsql.connect(data, Policy.parse(text), ledger=ledger)


Unit = tuple[tuple[int, int | None], ...]
"""Its rows: a group of two, and a value."""


def every_unit(low: int, high: int) -> list[Unit]:
    rows = [(g, x) for g in range(2) for x in (None, *range(low, high + 1))]
    return [u for size in range(1, MOST + 1) for u in combinations_with_replacement(rows, size)]


@lru_cache(maxsize=8)
def vectors(low: int, high: int, scale: int) -> tuple[list[Unit], Grid, list[list[list[int]]]]:
    """All units, the thresholds, and by threshold and unit what it adds to A and B in its two
    groups: the engine's own numbers, of one table in which each unit has groups of its own.
    """
    units = every_unit(low, high)
    data = duckdb.connect()
    data.execute("CREATE TABLE u (id INTEGER); CREATE TABLE t (id INTEGER, g INTEGER, x INTEGER)")
    fill(data, "u", [(i,) for i in range(len(units))])
    rows = [
        (i, 2 * i + g, None if x is None else x * scale)
        for i, unit in enumerate(units)
        for g, x in unit
    ]
    fill(data, "t", rows)
    groups = list(range(2 * len(units)))
    columns = f"g: {{type: INTEGER, values: {groups}, nullable: false}}"
    columns += f"\n      x: {{type: INTEGER, bounds: [{low * scale}, {high * scale}]}}"
    with opened(data, columns, "add_remove") as db:
        found = known(db, "SELECT g, AVG(x) FROM t GROUP BY g", EPS)
    assert len(ends(found.query)) == 2
    grid = found.exact.clips[0].grid
    assert isinstance(grid, Grid)
    moved = []
    for number in range(len(grid.thresholds)):
        a, b = (found.exact.clips[m].at(number) for m in range(2))
        moved.append(
            [[c.get((2 * i + g,), 0) for c in (a, b) for g in range(2)] for i in range(len(units))]
        )
    return units, grid, moved


RANGES = [(0, 2, 1), (-2, 1, 1), (4, 6, 1), (0, 2, 5000), (-1, 0, 7)]


@pytest.mark.parametrize(("low", "high", "scale"), RANGES)
def test_the_bound_is_what_units_reach(low: int, high: int, scale: int) -> None:
    """All units of up to 3 rows in 2 groups, for every threshold: w·τ, and no less."""
    units, grid, moved = vectors(low, high, scale)
    width = (high - low) * scale
    assert grid.width == width
    for number, clip in enumerate(grid.thresholds):
        most, parts = grid.most(number), grid.parts(number)
        assert most == clip * width * parts
        found = [sum(map(abs, vector)) for vector in moved[number]]
        assert max(found) <= most
        if clip <= MOST:
            assert max(found) == most
        for unit, total, (a0, a1, b0, b1) in zip(units, found, moved[number], strict=True):
            rows = sum(x is not None for _, x in unit)
            assert min(a0, a1) >= 0 >= max(b0, b1)
            if rows < clip:  # it is as it is
                assert total == rows * width * parts
                assert a0 + a1 == parts * sum(x - low for _, x in unit if x is not None) * scale


@pytest.mark.parametrize(("low", "high", "scale"), RANGES)
def test_two_units_for_each_other(low: int, high: int, scale: int) -> None:
    """Under `replace`: of every pair of units, by twice as much; which is reached."""
    _, grid, moved = vectors(low, high, scale)
    for number in (0, 1, 5):
        some = [list(v) for v in dict.fromkeys(map(tuple, moved[number]))]
        pairs = (
            (sum(abs(x - y) for x, y in zip(u, v, strict=True))) for u, v in product(some, some)
        )
        assert max(pairs) == 2 * grid.most(number)


@pytest.mark.parametrize(("low", "high", "scale"), RANGES)
def test_a_unit_that_is_cut_keeps_its_average(low: int, high: int, scale: int) -> None:
    """And how much of it is in each group, but for what is rounded."""
    units, grid, moved = vectors(low, high, scale)
    width = (high - low) * scale
    for number, clip in enumerate(grid.thresholds[:8]):
        parts = grid.parts(number)
        for unit, (a0, a1, b0, b1) in zip(units, moved[number], strict=True):
            rows = [(g, (x - low) * scale) for g, x in unit if x is not None]
            kept = min(Fraction(clip, max(1, len(rows))), 1)
            for g, a, b in ((0, a0, b0), (1, a1, b1)):
                own = [x for group, x in rows if group == g]
                assert abs(Fraction(a - b, width * parts) - kept * len(own)) < clip * 2**-9
                assert abs(Fraction(a, parts) - kept * sum(own)) <= clip * Fraction(1, parts)


@pytest.mark.parametrize(
    ("function", "old", "new"),
    [
        (queries._value, "bound.magnitude)", "bound.magnitude - 1)"),
        (queries._value, "((rows, 1),), own", "own[0][1], own"),
        (Grid.clipped, "clip * heavy", "(clip + 1) * heavy"),
    ],
    ids=["width", "size", "clip"],
)
def test_mutants(
    function: Callable[..., object], old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A width that is one step less, a clip of one of both sums, a clip that is one more."""
    if function is Grid.clipped:
        old, new = "light * parts + " + old, "light * parts + " + new
    edit("", function, old, new)(monkeypatch)
    monkeypatch.setitem(globals(), "vectors", vectors.__wrapped__)
    with pytest.raises(AssertionError):
        test_the_bound_is_what_units_reach(0, 2, 1)


@pytest.mark.parametrize(
    ("sql", "policy"),
    [
        ("SELECT AVG(amount), COUNT(*) FROM orders", "unbounded"),
        (
            "SELECT amount > 100 AS large, AVG(amount), SUM(amount) FROM orders GROUP BY large",
            "unbounded",
        ),
        ("SELECT AVG(length), COUNT(*) FROM calls", "keys_replace"),
        ("SELECT AVG(o.units), COUNT(*) FROM orders o JOIN lines l ON l.order_id = o.id", "shop"),
    ],
)
def test_neighbours(sql: str, policy: str) -> None:
    """On drawn databases, also such as break what is declared."""
    found = compiled(sql, policy)
    assert len(ends(found.query)) >= 2
    check_neighbours(found, policy, 4)


# --- what is made of them ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    """300 units with 0 to 12 rows each; y is the greater the more rows there are."""
    data = duckdb.connect()
    data.execute(
        "CREATE TABLE u AS SELECT i::INTEGER AS id FROM range(300) r(i);"
        "CREATE TABLE t AS SELECT (i % 300)::INTEGER AS id, (i % 2)::INTEGER AS g, "
        "(CASE WHEN i % 7 = 0 THEN NULL ELSE 3 + i * 13 % 40 END)::INTEGER AS x, "
        "(i % 300 % 13)::INTEGER AS y, (i % 17) / 3 AS z "
        "FROM range(3600) r(i) WHERE i // 300 < i % 300 % 13"
    )
    columns = """g: {type: INTEGER, values: [0, 1], nullable: false}
      x: {type: INTEGER, bounds: [3, 42]}
      y: {type: INTEGER, bounds: [0, 20], nullable: false}
      z: {type: DOUBLE, bounds: [0, 6], nullable: false}
      i: {type: INTEGER}"""
    data.execute("ALTER TABLE t ADD COLUMN i INTEGER DEFAULT 5")
    with opened(data, columns, "add_remove") as made:
        made.plain = data  # type: ignore[attr-defined]
        yield made


@pytest.mark.parametrize(
    "items",
    [
        "COUNT(x), SUM(x), AVG(x)",
        "AVG(x)",
        "AVG(z), COUNT(*)",
        "COUNT(*), COUNT(x), AVG(x)",
        "COUNT(*), AVG(y), SUM(y)",
        "COUNT(*), AVG(y), AVG(x), AVG(10 - y), SUM(x), AVG(z), SUM(z)",
        "COUNT(*), AVG(y), VAR_POP(3 * y + 1), AVG(z)",
        "AVG(x) FILTER (WHERE y > 5), AVG(y), SUM(x) FILTER (WHERE y > 5)",
        "2 * COUNT(*) - 1, AVG(y) / 2, SUM(x) / COUNT(x), AVG(x)",
        "AVG(i), AVG(y), COUNT(*)",
    ],
)
@pytest.mark.parametrize("grouped", [False, True])
def test_without_noise_it_is_the_answer(db: dpsql.Database, items: str, grouped: bool) -> None:
    sql = f"SELECT {items} FROM t"
    sql = f"SELECT g, {items} FROM t GROUP BY g ORDER BY g" if grouped else sql
    found = known(db, sql, EPS)
    assert len(ends(found.query)) >= 2
    made = answers(db, found.query, found.exact, noise=False)
    plain = db.plain.execute(sql).fetchall()  # type: ignore[attr-defined]
    for ours, theirs in zip(made.rows, plain, strict=True):
        assert [float(v) for v in ours] == pytest.approx([float(v) for v in theirs], rel=1e-7)  # type: ignore[arg-type]


def at_clip(found: Known, number: int, monkeypatch: pytest.MonkeyPatch) -> dict[int, Fraction]:
    """The outputs at a clip of all, without noise, by their place."""
    from dpsql.core.release.decode import value

    monkeypatch.setattr(AdaptiveLaplace, "choose", lambda self, counts, units: (number, True))
    monkeypatch.setattr(DiscreteLaplace, "draw", lambda self, n: [0] * n)
    (row,) = drawing.add_noise(found.query, 0, found.exact).noisy
    outputs = found.query.releases[0].outputs
    return {n: value(o.formula, row) for n, o in enumerate(outputs)}  # type: ignore[misc]


def test_averages_of_cut_units_are_right(
    db: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every clip: the average of rows, in which those of a unit with n > τ of them count τ/n
    each. So it is for each of several averages that have the count in common.
    """
    found = known(db, "SELECT COUNT(*), AVG(y), AVG(z), SUM(y) FROM t", EPS)
    grid = found.exact.clips[0].grid
    seen = set()
    for number, clip in enumerate(grid.thresholds[:20]):
        count, y, z, total = at_clip(found, number, monkeypatch).values()
        cut = (
            "SELECT SUM(p), SUM(p * y) / SUM(p), SUM(p * z) / SUM(p), SUM(p * y) FROM (SELECT *, "
            f"LEAST(1.0::DOUBLE, {clip} / COUNT(*) OVER (PARTITION BY id)) AS p FROM t)"
        )
        (row,) = db.plain.execute(cut).fetchall()  # type: ignore[attr-defined]
        assert [float(v) for v in (count, y, z, total)] == pytest.approx(row, rel=2e-3)
        seen.add(round(float(count)))
    assert len(seen) > 8


@pytest.mark.parametrize("most", [4095, 5000])
def test_units_with_a_row_in_each_of_many_groups(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they keep of each is little, and not rounded away: 200 units in 130 groups each."""
    data = duckdb.connect()
    data.execute(
        "CREATE TABLE u AS SELECT i::INTEGER AS id FROM range(200) r(i);"
        "CREATE TABLE t AS SELECT i::INTEGER AS id, g::INTEGER AS g, 40 AS x "
        "FROM range(200) r(i), range(130) s(g)"
    )
    columns = f"g: {{type: INTEGER, values: {list(range(130))}, nullable: false}}"
    columns += f"\n      x: {{type: INTEGER, bounds: [0, {most}]}}"
    with opened(data, columns, "add_remove") as db:
        found = known(db, "SELECT g, AVG(x) FROM t GROUP BY g", EPS)
    low, high = found.exact.clips[0], found.exact.clips[1]
    assert isinstance(low.grid, Grid)
    number = low.grid.thresholds.index(64)
    parts = low.grid.parts(number)
    for group in range(130):
        a, b = low.at(number)[(group,)], high.at(number)[(group,)]
        count = Fraction(a - b, most * parts)
        assert float(count) == pytest.approx(200 * 64 / 130, rel=1e-3)
        assert float(Fraction(a, parts) / count) == pytest.approx(40, rel=1e-3)


def test_sixty_units_of_twenty_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the clip is, the average is that of the rows: 40,000 in [0, 500000]."""
    data = duckdb.connect()
    data.execute(
        "CREATE TABLE u AS SELECT i::INTEGER AS id FROM range(60) r(i);"
        "CREATE TABLE t AS SELECT (i % 60)::INTEGER AS id, 40000 AS x FROM range(1200) r(i)"
    )
    with opened(data, "x: {type: INTEGER, bounds: [0, 500000]}", "add_remove") as db:
        found = known(db, "SELECT AVG(x) FROM t", Fraction(1))
    for number in range(len(found.exact.clips[0].grid.thresholds)):
        assert abs(at_clip(found, number, monkeypatch)[0] - 40_000) <= 1


# --- what is chosen and drawn --------------------------------------------------------------------


def test_both_have_one_clip_and_one_noise(db: dpsql.Database) -> None:
    """The choice is made once, with all ε, from the units with more rows than each threshold."""
    made = compile_query("SELECT AVG(x), COUNT(x) FROM t", db.schema, EPS)
    assert [type(e) for e in made.events].count(ExponentialEvent) == 1
    assert sum(e.cost.eps for e in made.events) <= EPS
    found = known(db, "SELECT AVG(x), COUNT(x) FROM t", EPS)
    (first, second) = found.query.planned[0].noise
    assert first is second and isinstance(first, AdaptiveLaplace)
    assert first.rest == EPS * Fraction(2, 3) and first.clip.eps == EPS / 4
    expected = ClipChoice.calibrate(
        EPS / 4, EPS / 12, first.rest, 1, [t for t, _ in first.thresholds], COUNTS
    )
    assert first.clip == expected
    a, b = found.exact.clips[0], found.exact.clips[1]
    assert isinstance(a, Clips) and isinstance(b, Clips)
    assert a.evidence(9) == b.evidence(9)
    rows = db.plain.execute("SELECT COUNT(x) FROM t GROUP BY id").fetchall()  # type: ignore[attr-defined]
    sizes = [n for (n,) in rows]
    assert a.units is b.units and sum(a.units) == sum(n > 0 for n in sizes)
    for number, clip in enumerate(a.grid.thresholds[:20]):
        # A unit may be taken for one at the next threshold, and then counts as it is.
        (*_, above), next_one = a.above(number + 1), a.grid.thresholds[number + 1]
        assert sum(n > next_one for n in sizes) <= above
        assert sum(n > clip for n in sizes) <= above
    for _ in range(20):
        drawn = drawing.add_noise(found.query, 0, found.exact)
        (x, part), (y, other) = drawn.noises
        assert x == y and part == other
        assert isinstance(x, DiscreteLaplace)
        clips = [t for t, parts in first.thresholds if 39 * t * parts / first.rest <= x.scale]
        assert clips and part in (1, Fraction(1, PARTS))


def test_the_noise_of_both_hides_the_width(db: dpsql.Database) -> None:
    """Of a clip of τ rows it is w·τ steps in ε' for both together, and twice that under replace."""
    for units, policy in ((1, "unbounded"), (2, "keys_replace")):
        sql = "SELECT AVG(amount) FROM orders" if units == 1 else "SELECT AVG(length) FROM calls"
        query = compiled(sql, policy).query
        assert isinstance(query, ReleasedQuery)
        noise, measure = query.planned[0].noise[0], query.releases[0].measures[0]
        assert isinstance(noise, AdaptiveLaplace)
        assert noise.units == units == measure.sensitivity.l1
        for number, (clip, parts) in enumerate(noise.thresholds):
            moved = units * clip * parts * measure.contribution.magnitude
            scale = Fraction(noise.noise(number).scale)
            assert noise.rest * (1 - Fraction(1, 2**30)) <= moved / scale <= noise.rest


@pytest.mark.parametrize("units", [1, 2])
def test_no_more_than_fits_is_a_clip(units: int) -> None:
    grid = Grid(2**24, 2**30)
    steps = [(t, grid.parts(i)) for i, t in enumerate(grid.thresholds)]
    for eps in (Fraction(2), Fraction(1), Fraction(1, 10**4)):
        found = AdaptiveLaplace.calibrate(eps, units, steps, COUNTS, grid.width)
        fit = [t for t in steps if units * t[0] * 2**30 <= 2**55 * eps * Fraction(2, 3)]
        assert list(found.thresholds) == fit
        assert len(found.clip.priors) == len(fit)
        for number in (0, len(found.thresholds) - 1):
            assert found.noise(number).scale <= 2.0**55


def test_the_law_of_the_choice(db: dpsql.Database) -> None:
    """Every clip is drawn as often as the score of the units above it says."""
    found = known(db, "SELECT AVG(y) FROM t WHERE y > 5", EPS)
    noise, clips = found.query.planned[0].noise[0], found.exact.clips[0]
    assert isinstance(noise, AdaptiveLaplace)
    noise = AdaptiveLaplace.calibrate(EPS, 1, noise.thresholds[:16], COUNTS, noise.width)
    assert isinstance(noise.clip, ClipChoice)
    counts, units = clips.evidence(16)
    logs = [float(noise.clip.eps) * s / FINE for s in noise.clip.scores(counts)]
    weights = [math.exp(x - max(logs)) for x in logs]
    draws = 1_000
    drawn = [noise.choose(counts, units)[0] for _ in range(draws)]
    for number, weight in enumerate(weights):
        chance = weight / sum(weights)
        off = 6 * math.sqrt(draws * chance * (1 - chance)) + 6
        assert abs(drawn.count(number) - draws * chance) <= off


# --- when it is done -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "paired", "measures"),
    [
        ("AVG(x)", 2, 2),
        ("COUNT(*), AVG(y), AVG(z)", 4, 4),  # each its own count, and COUNT(*) is one of them
        ("COUNT(*), AVG(x)", 2, 3),  # x may be NULL
        ("COUNT(*), AVG(y), VAR_POP(z)", 2, 5),  # a count that moments use stays
        ("SUM(x)", 0, 1),
        ("SUM(x), COUNT(x)", 0, 2),  # nobody divides
        ("AVG(x), VAR_POP(x)", 0, 3),
        ("AVG(i)", 0, 2),  # only the limits of its type are known
        ("AVG(i), COUNT(*)", 0, 3),
        ("AVG(LEAST(GREATEST(i, 0), 9))", 2, 2),
    ],
)
def test_averages_of_bounded_values_alone(
    db: dpsql.Database, items: str, paired: int, measures: int
) -> None:
    query = compile_query(f"SELECT {items} FROM t", db.schema, EPS).query
    assert isinstance(query, ReleasedQuery)
    assert (len(ends(query)), len(query.releases[0].measures)) == (paired, measures)


def test_declared_rows_bound_the_clip() -> None:
    query = compiled("SELECT AVG(units) FROM orders", "shop").query
    assert isinstance(query, ReleasedQuery)
    clipping, (point,) = query.releases[0].clipping, query.releases
    assert clipping is not None
    (value,) = clipping.values
    assert point.setting.rows is not None
    assert value.grid.top == max(2, point.setting.rows)
    assert all(m.kind is Kind.CENTRED for m in point.measures)


def test_what_is_said() -> None:
    found = explanation(compiled("SELECT AVG(amount) AS m FROM orders"), tuple)
    assert [r.name for r in found.releases] == ["sum(amount)", "sum(amount - 500)"]
    assert all(r.shared and r.clipping == "adaptive" for r in found.releases)
    text = str(found)
    assert "a row adds 500 to the sums around both ends together" in text
    assert "a unit counts with as many of its rows as the data says" in text
    assert found.releases[0].eps == found.releases[1].eps == pytest.approx(2)


@pytest.mark.parametrize(
    ("sql", "policy"),
    [
        ("SELECT COUNT(*) FROM people", "people_rows"),
        ("SELECT job, AVG(pay) FROM people GROUP BY job", "keys_rows"),
    ],
)
def test_where_a_row_is_the_unit_there_is_nothing_to_be_clipped(sql: str, policy: str) -> None:
    schema, delta = load(policy).schema, Fraction(1, 10**6)
    compile_query(sql, schema, EPS, options=Options(delta))
    with pytest.raises(dpsql.Rejected, match="no sums of a unit to be clipped"):
        compile_query(sql, schema, EPS, options=Options(delta, clipping="adaptive"))
