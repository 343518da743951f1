"""Weights that add up to one: how far a unit moves them, that they say the moments, what is made of
them, and when they are taken.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

import duckdb
import pytest
from sqlglot import exp

import dpsql
from dpsql.compile import Compiled, ReleasedQuery, compile_query
from dpsql.core.account.amount import Cost
from dpsql.core.calibrate import choosing
from dpsql.core.calibrate.importance import typical
from dpsql.core.calibrate.options import Options
from dpsql.core.emit.plans import scalar
from dpsql.core.emit.printing import printed
from dpsql.core.enforce.lattice import OnLattice
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.plan.expr import Column, Ref
from dpsql.core.release.decode import value
from dpsql.core.release.measures import Kind, Measure
from dpsql.core.release.partition import FINEST, Weights, one, two
from dpsql.execution.bent import PRIMES
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.platform.policy import Policy
from dpsql.report.explanation.explanation import explanation
from dpsql.types import BIGINT
from tests.support.brute import check_neighbours
from tests.support.draws import answers, known
from tests.support.filled import fill
from tests.support.policies import load

X, Y = Column(1, "x", BIGINT), Column(2, "y", BIGINT)


def compiled(sql: str, policy: str = "shop", options: Options | None = None) -> Compiled:
    return compile_query(sql, load(policy).schema, Fraction(1), options=options or Options())


def parts(found: ReleasedQuery) -> list[Measure]:
    return [m for point in found.releases for m in point.measures if m.kind is Kind.PART]


# --- they add up to one, and say the moments -----------------------------------------------------


def lattice(column: Column, low: int, high: int) -> OnLattice:
    return OnLattice(Ref(column), Fraction(1), low, high)


def at(weights: Weights, xs: list[int], ys: list[int]) -> list[list[int]]:
    """The weights, as DuckDB computes them."""
    ends = ", ".join(printed(scalar(end, NAMES)) for end in weights.ends)
    rows = duckdb.execute(
        f"SELECT {ends} FROM (SELECT unnest(?::BIGINT[]) AS x, unnest(?::BIGINT[]) AS y)", [xs, ys]
    ).fetchall()
    return [[b - a for a, b in zip((0, *row), (*row, weights.whole), strict=True)] for row in rows]


NAMES: dict[int, exp.Expr] = {c.id: exp.column(c.name) for c in (X, Y)}


RANGES = [(0, 1), (-3, 4), (5, 9), (-1000, 24), (0, 2**20)]


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize(("low", "high"), RANGES)
def test_the_weights_of_one_variable(low: int, high: int, squared: bool) -> None:
    weights = one(lattice(X, low, high), squared=squared)
    step = max(1, (high - low) // 97)
    xs = sorted({*range(low, high + 1, step), high})
    for x, found in zip(xs, at(weights, xs, xs), strict=True):
        assert min(found) >= 0 and sum(found) == weights.whole
        for (power, _), says in weights.powers.items():
            made = sum(p * f for p, f in zip(says, found, strict=True)) / weights.whole
            assert made == (2 * x - low - high) ** power


@pytest.mark.parametrize("squares", list(product([False, True], repeat=2)))
@pytest.mark.parametrize(
    "ranges",
    [(RANGES[1], RANGES[2]), (RANGES[3], RANGES[4]), ((0, 1_000_008), (-8, 720_000))],
)
def test_the_weights_of_two_variables(
    ranges: tuple[tuple[int, int], tuple[int, int]], squares: tuple[bool, bool]
) -> None:
    """Exact where they are not rounded; else within a step of 2^-23 of each weight."""
    (low, high), (least, most) = ranges
    ours = one(lattice(Y, low, high), squared=squares[0])
    theirs = one(lattice(X, least, most), squared=squares[1])
    weights = two(ours, theirs)
    exact = weights.whole == ours.whole * theirs.whole
    assert exact or FINEST // 4 < weights.whole <= FINEST * 1.001
    assert len(weights.ends) + 1 == len(weights.places) == len(weights.usual)
    pairs = [
        (low + (high - low) * i // 16, least + (most - least) * j // 16)  # weights are 0 at eighths
        for i, j in product(range(17), repeat=2)
    ]
    of = at(weights, [x for _, x in pairs], [y for y, _ in pairs])
    for (y, x), found in zip(pairs, of, strict=True):
        assert min(found) >= 0 and sum(found) == weights.whole
        for (i, j), says in weights.powers.items():
            made = sum(p * f for p, f in zip(says, found, strict=True)) / weights.whole
            true = (2 * y - low - high) ** i * (2 * x - least - most) ** j
            if exact:
                assert made == true
            else:
                size = (high - low) ** i * (most - least) ** j
                assert abs(float(made - true)) < 2**-19 * size


def test_a_pair_without_one_of_both_has_no_weight() -> None:
    """Not even an end that is all of one variable: they are sums of the same rows."""
    weights = two(one(lattice(Y, 0, 9), squared=True), one(lattice(X, 0, 2**20), squared=True))
    for x, y in (("NULL", "1"), ("1", "NULL")):
        ends = ", ".join(printed(scalar(end, NAMES)) for end in weights.ends)
        (row,) = duckdb.execute(
            f"SELECT {ends} FROM (SELECT {x}::BIGINT AS x, {y}::BIGINT AS y)"
        ).fetchall()
        assert set(row) == {None}


# --- how far a unit moves them -------------------------------------------------------------------


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
@pytest.mark.parametrize("call", ["VAR_POP(x)", "COVAR_POP(x, y)", "CORR(y, x)"])
def test_the_bound_is_what_units_reach(neighbours: str, call: str) -> None:
    """All units of up to two rows in two groups, with values at whole numbers or none, and units
    with more rows, which are cut down to two.
    """
    rows = [(g, x, y) for g in range(2) for x in (None, 2, 3, 4) for y in (0, 2, None)]
    units = [*combinations_with_replacement(rows, 1), *combinations_with_replacement(rows, 2)]
    drawn = random.Random(4)
    units += [tuple(drawn.choices(rows, k=drawn.randint(3, 9))) for _ in range(60)]
    listed = [(i, i, *row) for i, unit in enumerate(units) for row in unit]
    data = duckdb.connect()
    data.execute("CREATE TABLE u AS SELECT unnest(range(?))::INTEGER AS id", [len(units)])
    data.execute("CREATE TABLE t (id INT, who INT, g INT, x INT, y INT)")
    fill(data, "t", listed)
    policy = _policy(neighbours, list(range(len(units))))
    ledger = MemoryLedger(Cost(Fraction(10**9), Fraction(1)))
    with dpsql.connect(data, policy, ledger=ledger) as db:
        found = known(db, f"SELECT who, g, {call} FROM t GROUP BY who, g", Fraction(1))
    ours = parts(found.query)
    assert len(ours) == len(found.query.releases[0].measures) >= 3
    bound, whole = ours[0].sensitivity, ours[0].contribution.high
    assert all(m.sensitivity == bound and m.family == 0 for m in ours)
    of: dict[object, list[int]] = {}
    for place, (who, _) in enumerate(found.exact.groups):
        of.setdefault(who, []).extend(values[place] for values in found.exact.values)
    vectors = list(dict.fromkeys(map(tuple, of.values())))
    assert all(min(v) >= 0 and sum(v) % whole == 0 for v in vectors)
    nobody = (0,) * len(vectors[0])
    others = vectors[::7] if neighbours == "replace" else [nobody]
    moved = [[a - b for a, b in zip(v, w, strict=True)] for v in vectors for w in others]
    assert max(sum(map(abs, m)) for m in moved) <= bound.l1
    assert max(sum(a * a for a in m) for m in moved) <= bound.l2_squared
    assert max(abs(a) for m in moved for a in m) <= bound.linf
    assert max(map(sum, vectors)) == 2 * whole
    assert bound.l1 == (4 if neighbours == "replace" else 2) * whole


def _policy(neighbours: str, values: list[int]) -> Policy:
    return Policy.parse(f"""
unit: u.id
neighbours: {neighbours}
budget: {{eps: 10, delta: 1e-3}}
tables:
  u:
    access: private
    key: [id]
    columns:
      id: {{type: INTEGER}}
  t:
    access: private
    columns:
      id: {{type: INTEGER, references: u.id, max_rows: 2}}
      who: {{type: INTEGER, values: {values}, nullable: false}}
      g: {{type: INTEGER, values: [0, 1], nullable: false}}
      x: {{type: INTEGER, bounds: [2, 4]}}
      y: {{type: INTEGER, bounds: [0, 2]}}
""")


TAKEN = (
    "SELECT VAR_POP(amount), COUNT(amount) FROM orders",
    "SELECT status, STDDEV(units), COUNT(*) FROM orders GROUP BY status",
    "SELECT VAR_POP(amount) FILTER (WHERE paid), COUNT(*) FROM orders",
    "SELECT VAR_POP(units), VAR_POP(10 * units), AVG(10 * units) FROM orders",
    "SELECT CORR(amount, weight), REGR_SLOPE(amount, weight) FROM orders",
    "SELECT status, REGR_SLOPE(weight, units), AVG(units) FROM orders GROUP BY status",
    "SELECT STDDEV(o.units) FROM orders o JOIN lines l ON l.order_id = o.id",
)


@pytest.mark.parametrize("policy", ["shop", pytest.param("shop verified", marks=pytest.mark.deep)])
@pytest.mark.parametrize("sql", TAKEN)
@pytest.mark.one_in(2)
def test_neighbours(sql: str, policy: str) -> None:
    """On drawn databases, also such as break what is declared: units are cut down then."""
    found = compiled(sql, policy)
    assert isinstance(found.query, ReleasedQuery)
    assert len(parts(found.query)) >= 3
    check_neighbours(found, policy, 3)


# --- what is made of them ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    data = duckdb.connect()
    data.execute(
        "CREATE TABLE u AS SELECT i::INTEGER AS id FROM range(300) r(i);"
        "CREATE TABLE t AS SELECT (i // 2)::INTEGER AS id, (i % 3)::INTEGER AS who, "
        "(i % 2)::INTEGER AS g, (CASE WHEN i % 7 = 0 THEN NULL ELSE 2 + i * 13 % 3 END)::INTEGER "
        "AS x, (CASE WHEN i % 11 = 0 THEN NULL ELSE (i + i // 3) % 3 END)::INTEGER AS y "
        "FROM range(600) r(i);"
    )
    ledger = MemoryLedger(Cost(Fraction(10**9), Fraction(1)))
    with dpsql.connect(data, _policy("add_remove", [0, 1, 2]), ledger=ledger) as opened:
        opened.plain = data  # type: ignore[attr-defined]
        yield opened


@pytest.mark.parametrize(
    "items",
    [
        "VAR_POP(x), COUNT(x), AVG(x), SUM(x)",
        "STDDEV_SAMP(x), COUNT(*), AVG(y)",
        "VAR_POP(y), VAR_POP(x) FILTER (WHERE y > 0), AVG(x)",
        "COVAR_SAMP(x, y), COVAR_POP(y, x)",
        "REGR_SLOPE(y, x), REGR_INTERCEPT(y, x)",
        "CORR(y, x), REGR_R2(y, x), REGR_SLOPE(x, y)",
        "VAR_POP(g), CORR(g, who), AVG(who)",
        "VAR_POP(g), VAR_POP(who), VAR_POP(g + who)",
    ],
)
def test_without_noise_it_is_the_answer(db: dpsql.Database, items: str) -> None:
    sql = f"SELECT {items} FROM t"
    found = known(db, sql, Fraction(1))
    assert len(parts(found.query)) >= 3
    made = answers(db, found.query, found.exact, noise=False)
    (plain,) = db.plain.execute(sql).fetchall()  # type: ignore[attr-defined]
    for ours, theirs in zip(made.rows[0], plain, strict=True):
        assert float(ours) == pytest.approx(float(theirs), rel=1e-9)  # type: ignore[arg-type]


def test_all_have_one_noise(db: dpsql.Database) -> None:
    """Of scale 2·W/ε: all of ε, for two rows a unit."""
    found = known(db, "SELECT COUNT(x), VAR_POP(x), AVG(x) FROM t", Fraction(1, 2)).query
    whole = parts(found)[0].contribution.high
    assert whole == 50 * 2**2
    assert found.planned[0].noise == (DiscreteLaplace(4.0 * whole),) * 3


def test_at_typical_values_they_say_what_the_moments_are(db: dpsql.Database) -> None:
    """Where measurements are compared, moments are the same in both ways."""
    for items in ("VAR_POP(x), AVG(x), COUNT(x)", "CORR(y, x), AVG(g)", "COVAR_POP(y, x)"):
        sql = f"SELECT {items} FROM t"
        (ours,) = known(db, sql, Fraction(1)).query.releases
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(choosing, "_tried", lambda pairs: ())
            (apart,) = known(db, sql, Fraction(1)).query.releases
        assert not any(m.kind is Kind.PART for m in apart.measures)
        for mine, theirs in zip(ours.outputs, apart.outputs, strict=True):
            values = [value(o.formula, typical(r)) for o, r in ((mine, ours), (theirs, apart))]
            assert float(values[0]) == pytest.approx(float(values[1]), rel=0.02)  # type: ignore[arg-type]
        weights = [m for m in ours.measures if m.kind is Kind.PART]
        usual = [m.usual for m in weights if m.usual is not None]
        assert sum(usual) == pytest.approx(weights[0].contribution.high, rel=0.02)


def test_a_half_width_has_a_coordinate_for_each() -> None:
    assert len(PRIMES) >= 9


# --- when they are taken -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "policy"),
    [
        # How many rows there are is public.
        ("SELECT VAR_POP(days) FROM stays", "replace"),
        # No squares and no products, nor NULLs among all rows.
        ("SELECT AVG(units), COUNT(*) FROM orders", "shop"),
        # One value.
        ("SELECT VAR_POP(LEAST(GREATEST(units, 4), 4)) FROM orders", "shop"),
    ],
)
def test_not_of_others(sql: str, policy: str) -> None:
    found = compiled(sql, policy).query
    assert isinstance(found, ReleasedQuery)
    assert not parts(found)


@pytest.mark.parametrize("call", ["VAR_POP(pay)", "COVAR_POP(pay / 100, pay)"])
def test_numbers_of_units_are_counted(call: str) -> None:
    """Thresholds of private groups rest on them, and one unit moves them by one."""
    sql = f"SELECT job, {call} AS v FROM people GROUP BY job"
    found = compiled(sql, "keys", Options(delta=Fraction(1, 100))).query
    assert isinstance(found, ReleasedQuery)
    (point,) = found.releases
    assert point.units is not None and point.measures[point.units].kind is Kind.ROWS
    assert not parts(found)


def test_long_expressions_are_not_repeated_in_nine_weights() -> None:
    """Their variances have three each. Of many functions the first ones have theirs."""
    cases = " ".join(f"WHEN units = {n} THEN {n}" for n in range(100))
    long = f"CORR(CASE {cases} END, weight)"
    both = f"{long}, VAR_POP(weight)"
    many = ", ".join(f"CORR(amount + {n}, weight) AS c{n}" for n in range(5))
    for items, expected in ((long, 6), (both, 9), (many, 4 * 9)):
        found = compiled(f"SELECT {items} FROM orders", "shop").query
        assert isinstance(found, ReleasedQuery)
        assert len(parts(found)) == expected


def test_weights_decide() -> None:
    sql = "SELECT COUNT(*) AS n, VAR_POP(units) AS v FROM orders"
    found = compiled(sql, options=Options(weights=(("n", Fraction(1000)),))).query
    assert isinstance(found, ReleasedQuery)
    assert not parts(found)


def test_what_is_said() -> None:
    sql = "SELECT STDDEV(amount) AS s, COUNT(amount) AS n FROM orders"
    found = explanation(compiled(sql), tuple)
    names = [f"rows with amount near {place}" for place in (0, 250, 500)]
    assert [r.name for r in found.releases] == names
    assert all(float(str(r.l1)) == 3 for r in found.releases)
    (count,) = found.computed
    assert count.measurements == tuple(names)
    assert "a row adds 1 to all 3 weights together" in str(found)


def test_values_next_to_each_other_are_told_by_what_they_are() -> None:
    """A range of one step that does not begin at 0 is of no condition."""
    sql = "SELECT COVAR_POP(LEAST(GREATEST(units, 4), 5), LEAST(GREATEST(code, 4), 5)) FROM orders"
    found = compiled(sql, "shop").query
    assert isinstance(found, ReleasedQuery)
    (point,) = found.releases
    assert not any(m.conditional for m in point.measures)
    assert len(set(point.labels)) == len(point.measures)
