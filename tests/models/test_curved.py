"""Logistic and Poisson regression: the exact fit without noise, charged as said, free again, and
within what is claimed of each query.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction

import duckdb
import numpy as np
import pandas as pd
import pytest

import dpsql
from dpsql import audit
from dpsql.models import (
    LogisticModel,
    LogisticModels,
    LogisticRegression,
    PoissonModel,
    PoissonRegression,
)
from dpsql.models.forecasts import step
from dpsql.models.generalised import scoring
from dpsql.models.generalised.path import State, goes_on, started, stepped
from dpsql.models.generalised.plan import Plan, plan
from dpsql.models.linear.fitting import moments
from dpsql.models.linear.least_squares import Moments
from dpsql.models.noise_law import planned
from dpsql.models.querying import explained
from dpsql.models.spread import RUNS, half_width
from dpsql.models.wanted import How, joined
from dpsql.platform.ledger import admission
from tests.models.people import ENOUGH, POLICY, columns, data, opened
from tests.support.effort import tries

SQL = "SELECT * FROM people"
WORKS = LogisticRegression("works", ["paid", "town"])
COUNTED = f"SELECT *, CAST(CASE WHEN works THEN 3 ELSE 1 END + size AS INTEGER) AS n FROM ({SQL})"
COUNT = PoissonRegression("n", ["age", "works"])
LITTLE = POLICY.replace("{eps: 1e9, delta: 0.1}", "{eps: 2, delta: 1e-5}")


@pytest.fixture(scope="module")
def owner() -> duckdb.DuckDBPyConnection:
    return data(600)


@pytest.fixture(scope="module")
def db(owner: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with opened(owner) as found:
        yield found


@pytest.fixture(scope="module")
def fitted(db: dpsql.Database) -> LogisticModel:
    found = db.fit(SQL, WORKS, ENOUGH)
    assert isinstance(found, LogisticModel)
    return found


@pytest.fixture(scope="module")
def counted(db: dpsql.Database) -> PoissonModel:
    found = db.fit(COUNTED, COUNT, ENOUGH)
    assert isinstance(found, PoissonModel)
    return found


def most_likely(x: list[np.ndarray], y: np.ndarray, kind: str) -> np.ndarray:
    """The exact fit, by Newton's method on the rows."""
    z = np.column_stack([np.ones(len(y)), *x]).astype(float)
    at = np.zeros(z.shape[1])
    for _ in range(100):
        mean = 1 / (1 + np.exp(-z @ at)) if kind != "poisson" else np.exp(z @ at)
        slope = mean * (1 - mean) if kind != "poisson" else mean
        at = at + np.linalg.solve((z * slope[:, None]).T @ z, z.T @ (y - mean))
    return at


def all_of(model: LogisticModel | PoissonModel) -> list[float]:
    return [model.intercept.value, *model.coef.values()]


def test_logistic(owner: duckdb.DuckDBPyConnection, fitted: LogisticModel) -> None:
    rows = columns(owner, SQL)
    towns = [rows["town"] == town for town in ("Bern", "Cork")]
    best = most_likely([rows["paid"].astype(float), *towns], rows["works"], "logistic")
    assert list(fitted.coef) == ["paid", "town = Bern", "town = Cork"]
    assert np.allclose(all_of(fitted), best, rtol=1e-3, atol=1e-4)
    assert fitted.rows.value == pytest.approx(600, abs=0.01) and not fitted.notes
    assert len(fitted.answers) == 5 and fitted.cost.eps == ENOUGH


def test_poisson(owner: duckdb.DuckDBPyConnection, counted: PoissonModel) -> None:
    rows = columns(owner, COUNTED)
    best = most_likely([rows["age"], rows["works"]], rows["n"], "poisson")
    assert np.allclose(all_of(counted), best, rtol=1e-3, atol=1e-5)
    assert not counted.notes


def test_groups(db: dpsql.Database, owner: duckdb.DuckDBPyConnection) -> None:
    found = db.fit(SQL, LogisticRegression("works", ["paid"], by=["town"]), ENOUGH)
    assert isinstance(found, LogisticModels) and len(found) == 3
    for town in ("Aki", "Bern", "Cork"):
        rows = columns(owner, f"{SQL} WHERE town = '{town}'")
        best = most_likely([rows["paid"].astype(float)], rows["works"], "logistic")
        assert np.allclose(all_of(found[town]), best, rtol=1e-3, atol=1e-4)
    rows = columns(owner, SQL)
    asked = owner.execute(f"SELECT {found.to_sql()} FROM people ORDER BY rowid").fetchall()
    made = found.predict(rows)
    assert np.allclose([row[0] for row in asked], made) and json.loads(found.to_json())
    assert str(found).startswith("town  term") and "3 models" in str(found)
    assert db.score(found, SQL, ENOUGH).rows.value == pytest.approx(600, abs=0.01)


def test_a_ridge_is_the_penalty_that_is_said(
    db: dpsql.Database, owner: duckdb.DuckDBPyConnection
) -> None:
    found = db.fit(SQL, LogisticRegression("works", ["age"], ridge=20), ENOUGH)
    z = (columns(owner, SQL)["age"] - 54) / 36
    y, at = columns(owner, SQL)["works"], np.zeros(2)
    x = np.column_stack([np.ones(len(z)), z])
    for _ in range(50):
        mean = 1 / (1 + np.exp(-x @ at))
        curved = (x * (mean * (1 - mean))[:, None]).T @ x + np.diag([0, 20])
        at = at + np.linalg.solve(curved, x.T @ (y - mean) - [0, 20 * at[1]])
    assert found.coef["age"] == pytest.approx(at[1] / 36, rel=1e-3)
    with pytest.raises(dpsql.InvalidArgument, match="ridge is a number"):
        LogisticRegression("works", ["age"], ridge=-1)


def test_sql_frames_and_scikit_learn(
    owner: duckdb.DuckDBPyConnection, fitted: LogisticModel, counted: PoissonModel
) -> None:
    rows = columns(owner, COUNTED)
    for model in (fitted, counted):
        asked = owner.execute(f"SELECT {model.to_sql()} FROM people ORDER BY rowid").fetchall()
        made = model.predict(rows)
        assert np.allclose([row[0] for row in asked], made)
        terms = {"age": rows["age"], "paid": rows["paid"], "works": rows["works"]}
        terms |= {f"town = {town}": rows["town"] == town for town in ("Bern", "Cork")}
        frame = pd.DataFrame({name: terms[name] for name in model.coef}).astype(float)
        other = model.to_sklearn()
        found = other.predict_proba(frame)[:, 1] if model is fitted else other.predict(frame)
        assert np.allclose(found, made)
    row = "(SELECT NULL::INTEGER AS paid, 'Aki' AS town)"
    assert owner.execute(f"SELECT {fitted.to_sql()} FROM {row}").fetchall() == [(None,)]


def test_a_prediction_inside_of_a_query(db: dpsql.Database, fitted: LogisticModel) -> None:
    answer = db.run(f"SELECT town, AVG({fitted.to_sql()}) AS p FROM people GROUP BY town", 50)
    assert all(0 < p < 1 for p in answer["p"])


@pytest.mark.parametrize("eps", [0.3, 1, 30])
@pytest.mark.parametrize("ordered", ["right", "wrong", "tied"])
@pytest.mark.one_in(2)
def test_half_widths_of_scores_hold_whatever_is_within_a_part(eps: float, ordered: str) -> None:
    """All pairs of one part of the histogram are in the right order, in the wrong one, or tied, and
    probabilities at the ends of parts. At 95 %, fewer than 86 of 100 hold in 1 of 7,000 times.
    """
    random, parts, runs = np.random.default_rng(3), scoring.BINS, 100
    held = np.zeros(2)
    for _ in range(runs):
        part = random.binomial(parts - 1, random.beta(2, 2, 1500))
        y = random.random(1500) < (part + 0.5) / parts
        first = {"right": y, "wrong": ~y, "tied": np.zeros(1500, bool)}[ordered]
        p = (part + np.where(first, 1 - 1e-9, 0.0)) / parts
        counts = np.zeros((parts, 2))
        np.add.at(counts, (part, y.astype(int)), 1)
        noise = random.laplace(0, 1 / eps, (1000, parts, 2))
        found = scoring._score(counts + random.laplace(0, 1 / eps, counts.shape), noise, None)
        pairs = p[y][:, None] - p[~y][None, :]
        auc = (pairs > 0).mean() + (pairs == 0).mean() / 2
        exact = (auc, ((y - p) ** 2).mean())
        held += [
            abs(made.value - e) <= made.noise
            for made, e in zip((found.auc, found.brier), exact, strict=True)
        ]
    assert held.min() >= 86, held


def test_scores(
    db: dpsql.Database,
    owner: duckdb.DuckDBPyConnection,
    fitted: LogisticModel,
    counted: PoissonModel,
) -> None:
    found, rows = db.score(fitted, SQL, ENOUGH), columns(owner, SQL)
    p, y = fitted.predict(rows), rows["works"]
    pairs = p[y][:, None] - p[~y][None, :]
    auc = (pairs > 0).mean() + (pairs == 0).mean() / 2
    assert found.auc.value == pytest.approx(auc, abs=0.01)
    assert found.accuracy.value == pytest.approx(((p >= 0.5) == y).mean(), abs=1e-6)
    assert found.brier.value == pytest.approx(((p - y) ** 2).mean(), abs=0.002)
    for truth in (0, 1):
        for guess in (0, 1):
            exact = ((y == truth) & ((p >= 0.5) == guess)).sum()
            assert found.confusion[truth, guess].value == pytest.approx(exact, abs=1e-3)
    assert "AUC" in str(found) and json.loads(found.to_json()) and found.cost.eps == ENOUGH
    few = (db.score(fitted, f"{SQL} WHERE id < 3", 1, fresh=True) for _ in range(4))
    assert any(one.auc is None and "AUC lost in noise" in str(one) for one in few)
    left = columns(owner, COUNTED)["n"] - counted.predict(columns(owner, COUNTED))
    rmse = db.score(counted, COUNTED, ENOUGH).rmse.value
    assert rmse == pytest.approx(float(np.sqrt(np.mean(left**2))), rel=1e-4)


def test_it_is_charged_what_was_said_and_once() -> None:
    model = LogisticRegression("works", ["paid"], steps=2)
    with opened(data(100), LITTLE) as db:
        said = db.explain_fit(SQL, model, 1)
        assert said.cost.eps == 1 and db.budget.spent.eps == 0
        found = db.fit(SQL, model, 1)
        spent = db.budget.spent
        assert spent.eps == 1 and found.cost.eps == 1 and found.cost.exact == spent.exact
        again = db.fit(SQL, model, 1)
        assert again.cost.eps == 0 and db.budget.spent == spent
        assert again.coefficients == found.coefficients, "intervals, too"


def test_a_fit_that_was_killed_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(data(100), LITTLE) as db:
        run, left = db.run, [2]

        def dies(*args: object, **named: object) -> object:
            left[0] -= not str(args[0]).startswith("DESCRIBE")
            if left[0] < 0:
                raise KeyboardInterrupt
            return run(*args, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(db, "run", dies)
        model = LogisticRegression("works", ["paid"], steps=3)
        with pytest.raises(KeyboardInterrupt):
            db.fit(SQL, model, 1)
        assert db.budget.spent.exact.eps == Fraction(2 + 1, 8)
        monkeypatch.setattr(db, "run", run)
        found = db.fit(SQL, model, 1)
        assert db.budget.spent.eps == 1 and [a.cost.eps > 0 for a in found.answers] == [
            False,
            False,
            True,
            True,
        ]


def test_a_budget_that_ends_within_a_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is seen before, unless somebody else is charged in between."""
    model = LogisticRegression("works", ["paid"], steps=1)
    with opened(data(100), LITTLE.replace("eps: 2,", "eps: 0.5,")) as db:
        with pytest.raises(dpsql.BudgetExceeded, match="1 that follow it ask for ε = 1"):
            db.fit(SQL, model, 1, 1e-6)
        assert db.budget.spent.eps == 0
        monkeypatch.setattr(admission, "check_ways", lambda *_: None)
        with pytest.raises(dpsql.BudgetExceeded, match=r"were charged ε = 0\.25"):
            db.fit(SQL, model, 1, 1e-6)
        monkeypatch.undo()
        assert db.budget.spent.eps == 0.25
        with pytest.raises(dpsql.BudgetExceeded) as exceeded:
            db.fit(SQL, model, 8)
        assert "asked again" not in str(exceeded.value) and db.budget.spent.eps == 0.25


def test_shares_are_all_of_epsilon_and_no_more() -> None:
    for eps in (1, 0.1, 1e-6, Fraction(1, 3), 7):
        for parts in ([2, 1, 1, 1, 3], [2, 6], [1] * 7):
            made = How(eps, 1e-7).shared(parts)
            whole = joined(made)
            assert (
                Fraction(whole.eps) <= Fraction(str(eps)) < Fraction(whole.eps) + Fraction(1, 10**9)
            )
            assert Fraction(1, 10**7) * (1 - Fraction(1, 10**15)) <= Fraction(whole.delta)
            assert Fraction(whole.delta) <= Fraction(1, 10**7)
    with pytest.raises(dpsql.InvalidBudget):
        How(float("nan")).shared([1, 1])


MODELS = {
    "people": (SQL, LogisticRegression("works", ["age", "size", "town"])),
    "visits": (
        "SELECT CAST(hours AS INTEGER) AS n, age, town FROM visits JOIN people USING (id)",
        PoissonRegression("n", ["age"], by=["town"]),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_sums_keep_what_is_claimed(name: str) -> None:
    """Of each query, on data that break what is declared: at a wild θ, too."""
    sql, model = MODELS[name]
    random = np.random.default_rng(3)
    moved = []
    for seed in range(tries(1, 20)):
        with opened(data(12, seed, broken=True)) as db:
            made = plan(db, sql, model, How())
            theta = random.normal(0, 20 * (seed % 2) + 1, made.size)
            at = {("Aki",): theta, ("Bern",): -theta} if model.by else {(): theta}
            for asked in (made.first_sql, made.step_sql(at), made.widest):
                found = audit.sensitivity(db, asked)
                assert all(one.within for one in found), [one for one in found if not one.within]
                moved += [one.l1 for one in found]
    assert any(moved)


def test_noise_is_about_what_is_explained_or_less(db: dpsql.Database) -> None:
    """Wherever a step starts."""
    made = plan(db, SQL, LogisticRegression("works", ["age", "town"]), How())

    def noise(sql: str) -> list[float]:
        own = explained(db, SQL, sql, made.last, made.step_wishes)
        return [one.noise for one in step("step", sql, own, made.later.names).statistics]

    widest, closer = noise(made.widest), 0
    for scale in (0.01, 1, 30):
        theta = np.random.default_rng(4).normal(0, scale, made.size)
        for own, most in zip(noise(made.step_sql({(): theta})), widest, strict=True):
            assert own <= 1.03 * most
            closer += own < 0.6 * most
    assert closer >= 5, "and less where μ cannot be anything"


def simulated(
    made: Plan, db: dpsql.Database, sql: str, z: np.ndarray, y: np.ndarray, runs: int
) -> list[State]:
    """Fits with the noise that is proven, on the rows' own sums; and their last state."""
    random = np.random.default_rng(9)
    first = explained(db, sql, made.first_sql, made.at_first, made.first_wishes)
    before = planned(first, 0)
    noise = moments(made.first, before.drawn(RUNS, random))
    laws = {}
    for own in {how.eps: how for how in (*made.early, made.last)}.values():
        law = planned(explained(db, sql, made.widest, own, made.step_wishes), 0)
        drawn = law.drawn(RUNS, random)
        parts = drawn @ made.later.gradient, np.tensordot(drawn, made.later.curvature, 1)
        laws[own.eps] = law, parts

    def moved(state: State, own: How) -> State:
        law, spread = laws[own.eps]
        (off,) = law.drawn(1, random)
        mean = made.family.mean(z @ state.theta)
        gradient = z.T @ (y - mean) + off @ made.later.gradient
        curved = (z * made.family.slope(z @ state.theta)[:, None]).T @ z
        curved = curved + np.tensordot(off, made.later.curvature, 1)
        return stepped(made, state, gradient, curved, spread)

    half, centre = float(made.columns.target.half), float(made.columns.target.centre)
    found = []
    for _ in range(runs):
        off = moments(made.first, before.drawn(1, random))
        cross = z.T @ ((y - centre) / half)
        state = started(made, Moments(z.T @ z + off.gram[0], cross + off.cross[0], cross[0]), noise)
        early = list(made.early)
        while early and goes_on(made, [state]):
            state = moved(state, early.pop())
        found.append(moved(state, made.last))
    return found


def drawn_rows(kind: str, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """z and y of invented rows: age, and towns of which a row has one; or age and a truth. What is
    rare is a truth of 2 % of the rows.
    """
    random = np.random.default_rng(8)
    age = random.uniform(-1, 1, rows)
    if kind == "poisson":
        z = np.column_stack([np.ones(rows), age, random.choice([-1, 1], rows)])
        return z, np.minimum(random.poisson(np.exp(z @ np.array([-0.5, 1.0, 0.6]))), 5)
    town = random.integers(0, 3, rows)
    z = np.column_stack([np.ones(rows), age, *(2.0 * (town == k) - 1 for k in (1, 2))])
    at = np.array([-4.3 if kind == "rare" else -0.5, 1.0, 0.6, -0.4])
    expected = 1 / (1 + np.exp(-z @ at))
    return z, (random.uniform(size=rows) < expected).astype(float)


@pytest.mark.parametrize(
    ("kind", "sql", "model"),
    [
        ("logistic", SQL, LogisticRegression("works", ["age", "town"])),
        ("rare", SQL, LogisticRegression("works", ["age", "town"])),
        ("poisson", COUNTED, COUNT),
    ],
)
def test_intervals_hold(kind: str, sql: str, model: LogisticRegression) -> None:
    """Of noise: how often the exact fit is within them."""
    z, y = drawn_rows(kind, 20_000)
    best = most_likely([z[:, k] for k in range(1, z.shape[1])], y, kind)
    with opened(data(20)) as db:
        found = simulated(plan(db, sql, model, How(2)), db, sql, z, y, tries(60, 2000))
    reach = [[half_width(off) * s.step.wider for off in s.step.spread.T] for s in found]
    hits = np.abs(np.array([s.theta for s in found]) - best) <= np.array(reach)
    assert 0.92 <= hits.mean() <= 0.98, (hits.mean(axis=0), [s.step.wider for s in found])


@pytest.mark.parametrize("kind", ["logistic", "rare", "poisson"])
def test_a_start_is_about_the_mean(kind: str) -> None:
    z, y = drawn_rows(kind, 20_000)
    model = COUNT if kind == "poisson" else LogisticRegression("works", ["age", "town"])
    with opened(data(20)) as db:
        made = plan(db, COUNTED if kind == "poisson" else SQL, model, How(2))
    half, centre = float(made.columns.target.half), float(made.columns.target.centre)
    cross = z.T @ ((y - centre) / half)
    small = np.eye(z.shape[1])[None] * 1e-6  # as good as no noise
    noise = Moments(small, small[:, 0], np.zeros(1))
    state = started(made, Moments(z.T @ z, cross, cross[0]), noise)
    assert 1 / 2 < made.family.mean(z @ state.theta).mean() / y.mean() < 2
