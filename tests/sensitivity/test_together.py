"""Counts and sums measured together: how far a unit moves both, what is made of them, how far off
that is, and when it is done.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import product
from statistics import NormalDist

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpsql
from dpsql.compile import Compiled, ReleasedQuery, compile_query
from dpsql.core.account.amount import Cost
from dpsql.core.calibrate import choosing
from dpsql.core.calibrate.calibration import calibrated
from dpsql.core.calibrate.importance import expected, typical
from dpsql.core.calibrate.options import Options
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.noise.tails import half_width
from dpsql.core.release.formulas import Linear, Quotient
from dpsql.core.release.joint import Joint
from dpsql.core.release.measures import Kind, Measure
from dpsql.core.schema import Schema
from dpsql.execution.widths import blurred, rounded
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.platform.policy import Policy, resolve
from dpsql.report.explanation.explanation import explanation
from tests.support.brute import check_neighbours
from tests.support.draws import answers, known
from tests.support.effort import tries
from tests.support.policies import load


@pytest.fixture(autouse=True)
def pairs_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes their places beside the count of all rows is a matter of `test_subsets`."""
    monkeypatch.setattr("dpsql.core.release.release.subsets", lambda m, o, a, *_: ((), tuple(a)))


GAUSSIAN = Options(delta=Fraction(1, 10**6), noise="gaussian")


def compiled(sql: str, policy: str = "shop", options: Options | None = None) -> Compiled:
    return compile_query(sql, load(policy).schema, Fraction(1), options=options or Options())


def query(sql: str, policy: str = "shop", options: Options | None = None) -> ReleasedQuery:
    found = compiled(sql, policy, options).query
    assert isinstance(found, ReleasedQuery)
    return found


def ends(found: ReleasedQuery) -> list[Measure]:
    """The measures that are one of a pair."""
    measures = [m for point in found.releases for m in point.measures]
    bounds = [(m, m.contribution) for m in measures if m.kind is Kind.CENTRED]
    return [m for m, b in bounds if b.low + b.high]


# --- how far a unit moves both -------------------------------------------------------------------


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
@pytest.mark.parametrize(("low", "high"), [(0, 3), (-2, 1), (4, 6), (-5, -5 + 4)])
def test_the_bound_is_what_units_reach(neighbours: str, low: int, high: int) -> None:
    """All units of up to 2 rows in 2 groups, with values at whole numbers, or none: the most that
    both sums move together is the bound of each, and no less.
    """
    schema = _schema(low, high, neighbours, rows=2)
    sql = "SELECT g, COUNT(x), AVG(x) FROM t GROUP BY g"
    found = compile_query(sql, schema, Fraction(1)).query
    assert isinstance(found, ReleasedQuery)
    first, second = ends(found)
    assert first.family == second.family
    assert first.sensitivity == second.sensitivity
    assert first.unit == second.unit == 1
    vectors: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    rows = [(g, x) for g in range(2) for x in (None, *range(low, high + 1))]
    for size in range(3):
        for unit in product(rows, repeat=size):
            sums = [[0, 0], [0, 0]]
            for g, x in unit:
                if x is not None:
                    sums[0][g] += x - low
                    sums[1][g] += x - high
            vectors.append((tuple(sums[0]), tuple(sums[1])))
    vectors = list(dict.fromkeys(vectors))
    pairs = product(vectors, vectors) if neighbours == "replace" else ((v, NOBODY) for v in vectors)
    l1 = l2 = at_once = 0
    for (a, b), (c, d) in pairs:
        moved = [abs(x - y) for x, y in zip((*a, *b), (*c, *d), strict=True)]
        l1, l2 = max(l1, sum(moved)), max(l2, sum(m * m for m in moved))
        at_once = max(at_once, *moved)
    assert l1 == first.sensitivity.l1
    assert at_once == first.sensitivity.linf
    assert l2 <= first.sensitivity.l2_squared
    assert l1 == (2 if neighbours == "replace" else 1) * 2 * (high - low)


NOBODY = ((0, 0), (0, 0))


def _schema(low: int, high: int, neighbours: str, *, rows: int) -> Schema:
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
      id: {{type: INTEGER, references: u.id, max_rows: {rows}}}
      g: {{type: INTEGER, values: [0, 1], nullable: false}}
      x: {{type: INTEGER, bounds: [{low}, {high}]}}
      y: {{type: INTEGER, bounds: [0, 10], nullable: false}}
"""
    return resolve(Policy.parse(text), None, None)


TOGETHER = (
    "SELECT COUNT(amount), SUM(amount), AVG(amount) FROM orders",
    "SELECT status, COUNT(*), AVG(units) FROM orders GROUP BY status",
    "SELECT AVG(amount) FILTER (WHERE paid), AVG(units) FILTER (WHERE NOT paid), "
    "COUNT_IF(paid IS NULL) FROM orders",
    "SELECT COUNT(*), AVG(units), AVG(weight), SUM(amount) FROM orders",
    "SELECT AVG(o.units), COUNT(*) FROM orders o JOIN lines l ON l.order_id = o.id",
    "SELECT region, AVG(balance), SUM(balance) FROM customers GROUP BY region",
)


@pytest.mark.parametrize("policy", ["shop", "shop verified"])
@pytest.mark.parametrize("sql", TOGETHER)
@pytest.mark.one_in(3)
def test_neighbours(sql: str, policy: str) -> None:
    """On drawn databases, also such as break what is declared: units are cut down then."""
    found = compiled(sql, policy)
    assert isinstance(found.query, ReleasedQuery)
    assert len(ends(found.query)) >= 2
    check_neighbours(found, policy, tries(4, 12))


def test_replaced_neighbours() -> None:
    found = compiled("SELECT ward, COUNT(*), AVG(days) FROM stays GROUP BY ward", "replace")
    assert isinstance(found.query, ReleasedQuery)
    assert len(ends(found.query)) == 2
    check_neighbours(found, "replace", tries(4, 12))


def test_pairs_that_exclude_each_other_are_one_family() -> None:
    (point,) = query(
        "SELECT AVG(amount) FILTER (WHERE paid), AVG(units) FILTER (WHERE NOT paid) FROM orders"
    ).releases
    assert len(point.measures) == 4
    assert {m.family for m in point.measures} == {0}


# --- what is made of them ------------------------------------------------------------------------

DATA = (
    "CREATE TABLE u AS SELECT i::INTEGER AS id FROM range(300) r(i);"
    "CREATE TABLE t AS SELECT (i // 2)::INTEGER AS id, (i % 2)::INTEGER AS g, "
    "(CASE WHEN i % 7 = 0 THEN NULL ELSE 3 + i * 13 % 40 END)::INTEGER AS x, "
    "(i % 11)::INTEGER AS y FROM range(600) r(i);"
)


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    data = duckdb.connect()
    data.execute(DATA)
    text = _text(3, 42)
    ledger = MemoryLedger(Cost(Fraction(10**9), Fraction(1)))
    with dpsql.connect(data, Policy.parse(text), ledger=ledger) as opened:
        opened.plain = data  # type: ignore[attr-defined]
        yield opened


def _text(low: int, high: int) -> str:
    return f"""
unit: u.id
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
      g: {{type: INTEGER, values: [0, 1], nullable: false}}
      x: {{type: INTEGER, bounds: [{low}, {high}]}}
      y: {{type: INTEGER, bounds: [0, 10], nullable: false}}
"""


@pytest.mark.parametrize(
    "items",
    [
        "COUNT(x), SUM(x), AVG(x)",
        "AVG(x)",
        "COUNT(*), COUNT(x), AVG(x)",
        "COUNT(*), AVG(y), SUM(y)",
        "COUNT(*), AVG(y), AVG(x), AVG(10 - y), SUM(x)",
        "AVG(x) FILTER (WHERE y > 5), AVG(y), SUM(x) FILTER (WHERE y > 5)",
        "AVG(x + 0.5), COUNT(x)",
        "2 * COUNT(*) - 1, AVG(y) / 2, SUM(x) / COUNT(x), AVG(x)",
    ],
)
@pytest.mark.parametrize("grouped", [False, True])
def test_without_noise_it_is_the_answer(db: dpsql.Database, items: str, grouped: bool) -> None:
    sql = f"SELECT {items} FROM t"
    sql = f"SELECT g, {items} FROM t GROUP BY g ORDER BY g" if grouped else sql
    found = known(db, sql, Fraction(1))
    assert len(ends(found.query)) >= 2
    made = answers(db, found.query, found.exact, noise=False)
    plain = db.plain.execute(sql).fetchall()  # type: ignore[attr-defined]
    for ours, theirs in zip(made.rows, plain, strict=True):
        assert [float(v) for v in ours] == pytest.approx([float(v) for v in theirs], rel=1e-9)  # type: ignore[arg-type]


def test_a_sum_from_zero_is_one_of_them(db: dpsql.Database) -> None:
    """Of values in [0, b] the plain sum is measured itself, and is as good as alone."""
    found = known(db, "SELECT COUNT(*) AS n, SUM(y) AS s FROM t", Fraction(1)).query
    (point,) = found.releases
    total = next(
        o.formula for o in point.outputs if o.column.name != "n" and len_of(o.formula) == 1
    )
    assert isinstance(total, Linear)
    assert found.planned[0].noise[total.terms[0].measure] == DiscreteLaplace(20.0)


def len_of(formula: object) -> int:
    assert isinstance(formula, Linear)
    return len(formula.terms)


# --- how far off it is ---------------------------------------------------------------------------


def test_standard_errors_are_smaller_by_the_root_of_two(db: dpsql.Database) -> None:
    """Of the count 2·T/ε, of the average in the middle of its range T·w/ε; and the noise of the
    two is not correlated.
    """
    found = known(db, "SELECT COUNT(x) AS n, AVG(x) AS m FROM t", Fraction(1, 100)).query
    count, mean = (o.formula for o in found.releases[0].outputs)
    assert isinstance(count, Linear) and isinstance(mean, Quotient)
    variances = [n.variance for n in found.planned[0].noise]  # type: ignore[union-attr]
    of = [{t.measure: float(t.weight) for t in part} for part in (count.terms, mean.numerator)]
    errors = [math.sqrt(sum(w * w * variances[m] for m, w in part.items())) for part in of]
    assert errors == pytest.approx([2 * 2 * 100, 2 * 39 * 100], rel=1e-4)
    assert sum(of[0][m] * of[1][m] * variances[m] for m in of[0]) == pytest.approx(0)
    assert mean.denominator == count.terms


@pytest.mark.parametrize("width", [1, 2, 7, 50])
@pytest.mark.parametrize("eps", [Fraction(1, 10), Fraction(1), Fraction(3), Fraction(10)])
def test_a_count_is_within_its_half_width_as_often_as_it_says(width: int, eps: Fraction) -> None:
    """By the law of what is shown: (A - B)/w, rounded; and not much more often than that where
    its steps are small.
    """
    noise = DiscreteLaplace.calibrate(width, eps)
    shown = rounded(half_width(((noise, 1 / width), (noise, 1 / width)), 0.95), 1.0)
    alpha = math.exp(-1 / noise.scale)

    def mass(z: int) -> float:
        """Of the difference of two: the geometric series of both, added up."""
        part = ((1 - alpha) / (1 + alpha)) ** 2 * alpha ** abs(z)
        return part * (abs(z) + (1 + alpha**2) / (1 - alpha**2))

    reach = math.ceil(40 * noise.scale) + 5
    assert sum(map(mass, range(-reach, reach + 1))) == pytest.approx(1)
    closer = []
    for n in (10, 11):  # halves are rounded to even numbers
        off = ((abs(round(n + Fraction(z, width)) - n), mass(z)) for z in range(-reach, reach + 1))
        of: dict[int, float] = {}
        for distance, part in off:
            of[distance] = of.get(distance, 0.0) + part
        assert sum(part for distance, part in of.items() if distance <= shown) >= 0.95 - 1e-6
        closer.append(sum(part for distance, part in of.items() if distance < shown))
    assert min(closer) < 0.95


def test_a_half_width_is_rounded_to_what_holds() -> None:
    assert [rounded(h, 1.0) for h in (0.0, 0.49, 0.5, 2.4, 2.5, 2.51, 3.0)] == [0, 0, 1, 2, 3, 3, 3]
    assert rounded(0.017, 0.01) == pytest.approx(0.02)
    assert rounded(2.7, 0.0) == 2.7


def test_a_rounding_is_a_noise() -> None:
    assert blurred(3.0, [], 0.95) == 3.0
    normal = NormalDist().inv_cdf(0.975)
    assert blurred(0.0, [1.0], 0.95) == pytest.approx(normal / math.sqrt(12))
    assert blurred(3.0, [3.0, 4.0], 0.95) == pytest.approx(math.hypot(3, normal * 5 / 12**0.5))


def test_what_is_computed_of_rounded_numbers_is_as_far_off_as_they_are(db: dpsql.Database) -> None:
    """A count is rounded before it is multiplied; of several roundings each is a noise."""
    sql = "SELECT 100 * COUNT(x) AS h, AVG(x) AS m FROM t"
    found = known(db, sql, Fraction(1, 2))
    assert len(ends(found.query)) == 2
    made = answers(db, found.query, found.exact)
    noise = found.query.planned[0].noise[0]
    assert isinstance(noise, DiscreteLaplace)
    half = half_width(((noise, 1 / 39), (noise, 1 / 39)), 0.95)
    assert made.intervals[0][0] == pytest.approx(100 * rounded(half, 1.0))


# --- when it is done -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "policy", "options"),
    [
        # The range is narrow, and far from 0: the sum is the count times the middle.
        ("SELECT COUNT(*), SUM(LEAST(GREATEST(age, 60), 61)) FROM customers", "shop", None),
        # With Gaussian noise there is nothing to gain.
        ("SELECT COUNT(amount), AVG(amount) FROM orders", "shop", GAUSSIAN),
        # With squares of them, weights say more.
        ("SELECT AVG(units), VAR_POP(units) FROM orders", "shop", None),
        ("SELECT COUNT(*), AVG(balance) FROM customers GROUP BY email", "shop", None),
        # A count is all that is asked, or a sum.
        ("SELECT COUNT(*), COUNT(amount) FROM orders", "shop", None),
        ("SELECT SUM(amount) FROM orders", "shop", None),
        # One unit for another: in one group a count and a sum move by half as much apart.
        ("SELECT COUNT(days), AVG(days) FROM stays", "replace", None),
    ],
)
def test_not_where_it_is_no_better(sql: str, policy: str, options: Options | None) -> None:
    if "email" in sql:
        options = Options(delta=Fraction(1, 10**6), noise="laplace")
    assert not ends(query(sql, policy, options))


def test_weights_decide() -> None:
    sql = "SELECT COUNT(amount) AS n, AVG(amount) AS m FROM orders"
    assert ends(query(sql))
    assert not ends(query(sql, options=Options(weights=(("n", Fraction(100)),))))


@settings(max_examples=tries(20, 60), deadline=None, derandomize=True)
@given(
    st.integers(-1000, 1000),
    st.integers(1, 1000),
    st.sampled_from(
        ["COUNT(x)", "SUM(x)", "COUNT(x), SUM(x)", "COUNT(*), SUM(y), AVG(y)", "SUM(y)"]
    ),
    st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(5)]),
    st.sampled_from(["add_remove", "replace"]),
    st.sampled_from(["laplace", "auto"]),
)
def test_never_worse(
    low: int, width: int, others: str, eps: Fraction, neighbours: str, noise: str
) -> None:
    """No number is expected to be further off than with all apart, by more than a hundredth."""
    delta = Fraction(1, 10**6) if noise == "auto" else Fraction(0)
    options = Options(delta=delta, noise=noise)  # type: ignore[arg-type]
    schema = _schema(low, low + width, neighbours, rows=3)
    found = compile_query(f"SELECT AVG(x), {others} FROM t", schema, eps, options=options).query
    assert isinstance(found, ReleasedQuery)
    (point,) = found.releases
    ours = expected(point, found.planned[0].noise, typical(point))
    apart = _apart(f"SELECT AVG(x), {others} FROM t", schema, eps, options)
    assert len(ours) == len(apart)
    for mine, theirs in zip(ours.values(), apart, strict=True):
        assert mine <= theirs * 1.01 + 1e-12


def _apart(sql: str, schema: Schema, eps: Fraction, options: Options) -> list[float]:
    found = _plain(sql, schema, eps, options)
    (point,) = found.releases
    noise = calibrated(found.releases, eps, options, {}, 0).planned[0].noise
    assert noise == found.planned[0].noise
    return list(expected(point, noise, typical(point)).values())


def _plain(sql: str, schema: Schema, eps: Fraction, options: Options) -> ReleasedQuery:
    """The query with all apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choosing, "_tried", lambda pairs: ())
        found = compile_query(sql, schema, eps, options=options).query
    assert isinstance(found, ReleasedQuery)
    assert not ends(found)
    return found


def test_several_averages_share_one_count(db: dpsql.Database) -> None:
    """The count is that of one pair, and the other average uses it: of the two pairs, the one that
    is better on the whole.
    """
    found = known(db, "SELECT COUNT(*) AS n, AVG(y), AVG(3 * y * y) FROM t", Fraction(1)).query
    (point,) = found.releases
    count, *means = (o.formula for o in point.outputs)
    assert isinstance(count, Linear) and len(ends(found)) == 2
    assert all(isinstance(m, Quotient) and m.denominator == count.terms for m in means)
    off = [sum(_with(found, pair).values()) for pair in point.pairable]
    assert len(off) == 2
    assert (
        sum(expected(point, found.planned[0].noise, typical(point)).values()) == min(off) < max(off)
    )


def _with(found: ReleasedQuery, joint: Joint) -> dict[int, float]:
    (point,) = found.releases
    sql = "SELECT COUNT(*) AS n, AVG(y), AVG(3 * y * y) FROM t"
    (plain,) = _plain(sql, _schema(3, 42, "add_remove", rows=2), Fraction(1), Options()).releases
    assert plain.pairable == point.pairable
    made = choosing._made(plain, (joint,))
    noise = calibrated((made,), Fraction(1), Options(), {}, 0).planned[0].noise
    return expected(made, noise, typical(made))


# --- what is said --------------------------------------------------------------------------------


def test_each_column_has_a_line() -> None:
    sql = "SELECT COUNT(amount) AS n, SUM(amount) AS s, AVG(amount) AS m FROM orders"
    found = explanation(compiled(sql), tuple)
    assert [r.name for r in found.releases] == ["s", "sum(amount - 500)"]
    assert [(c.name, c.per_row) for c in found.computed] == [("n", False), ("m", True)]
    count, mean = found.computed
    assert count.measurements == mean.measurements == ("s", "sum(amount - 500)")
    assert count.interval() == int(count.interval())
    assert mean.interval() < mean.widest() <= found.releases[0].interval() * (1 + 1e-9)
    text = str(found)
    assert f"n, from s and sum(amount - 500): ± {count.interval():g} at 95 %" in text
    assert "a row adds 500 to sum(amount) and sum(amount - 500) together" in text
    assert found.to_dict()["computed"] == [count.to_dict(), mean.to_dict()]
    with pytest.raises(ValueError, match="confidence"):
        mean.interval(1.0)


def test_what_is_summed_around(db: dpsql.Database) -> None:
    found = explanation(compiled("SELECT AVG(score) FROM customers"), tuple)
    assert [r.name for r in found.releases] == ["sum(score + 1)", "sum(score - 1)"]
    assert "summed around -1, the least" in found.releases[0].reasons
    assert "summed around 1, the greatest" in found.releases[1].reasons
    assert Decimal(str(found.releases[0].linf)) == 2
