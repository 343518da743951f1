"""How often intervals hold: of noise, by drawing it again; of noise and sampling, on new rows."""

from __future__ import annotations

from math import exp, lgamma, log

import numpy as np
import pytest

from dpsql.models import LinearRegression, noise_law
from dpsql.models.linear import fitting
from dpsql.models.linear.fitted import LinearModel
from dpsql.models.linear.least_squares import held, hold, solved
from dpsql.models.spread import RUNS, half_width, sampled
from dpsql.models.wanted import How
from tests.models.people import ENOUGH, data, opened
from tests.support.effort import tries

TRIES = tries(400, 2000)
ERROR = 1e-4
"""How often a right program may fail one of these."""


def usual(hits: int, runs: int, probability: float = 0.95) -> bool:
    """Whether so many hits are within what chance makes of that probability, give or take 1.5 %:
    half-widths are to first order.
    """

    def tail(at: range, p: float) -> float:
        ways = [lgamma(runs + 1) - lgamma(k + 1) - lgamma(runs - k + 1) for k in at]
        return sum(
            exp(n + k * log(p) + (runs - k) * log(1 - p)) for n, k in zip(ways, at, strict=True)
        )

    low, high = probability - 0.015, probability + 0.015
    return tail(range(hits + 1), low) > ERROR / 2 and tail(range(hits, runs + 1), high) > ERROR / 2


CASES = [
    # What noise hides of these, too: intervals are of what is held back then.
    (LinearRegression("paid", ["age", "size", "works"]), 3.0, "gaussian"),
    (LinearRegression("paid", ["age", "size", "works"]), 3.0, "laplace"),
    (LinearRegression("paid", ["age", "works"], intercept=False), 2.0, "gaussian"),
    (LinearRegression("paid", ["age", "town"], ridge=20), 2.0, "gaussian"),
]


@pytest.mark.parametrize(("model", "eps", "noise"), CASES)
@pytest.mark.one_in(2)
def test_the_noise_of_coefficients(model: LinearRegression, eps: float, noise: str) -> None:
    """Of 400 runs with the sums of the same rows and other noise, 95 of 100 hold."""
    with opened(data(600)) as db:
        made = fitting.plan(db, "SELECT * FROM people", model, How(noise=noise))  # type: ignore[arg-type]
        told = db.run(made.sql, ENOUGH, **made.wishes).rows[0]
        law = noise_law.planned(db.explain(made.sql, eps, 1e-6, **made.wishes), 0)
    exact, between = np.array([float(value) for value in told]), made.units
    random = np.random.default_rng(7)
    drawn = between.seen(fitting.moments(made.sums, law.drawn(RUNS, random)))
    at, penalty = hold(drawn.gram), (model.ridge or 0) * between.penalty
    true = between.seen(fitting.moments(made.sums, exact))
    hits = np.zeros(len(made.parameters), int)
    for noisy in exact + law.drawn(TRIES, random):
        seen = between.seen(fitting.moments(made.sums, noisy))
        found = solved(seen, float(noisy[0]), drawn, at, penalty)
        added = held(seen.gram + penalty, at)[0] - seen.gram
        off = between.coefficients @ (found.theta - np.linalg.solve(true.gram + added, true.cross))
        reach = [half_width(moved) for moved in (found.spread @ between.coefficients.T).T]
        hits += np.abs(off) <= reach
    assert all(usual(int(n), TRIES) for n in hits), hits / TRIES


def test_noise_and_sampling_together() -> None:
    """Of rows that are drawn anew, with noise, the intervals for both hold the coefficient that
    the rows were drawn by.
    """
    model = LinearRegression("paid", ["age", "works"])
    with opened(data(600)) as db:
        made = fitting.plan(db, "SELECT * FROM people", model, How(noise="gaussian"))
        law = noise_law.planned(db.explain(made.sql, 5, 1e-6, **made.wishes), 0)
    between, random = made.units, np.random.default_rng(8)
    drawn = between.seen(fitting.moments(made.sums, law.drawn(RUNS, random)))
    at, hits = hold(drawn.gram), np.zeros(3, int)
    truth = np.array([0.1, 0.3, -0.2])
    for _ in range(TRIES):
        z = np.column_stack(
            [np.ones(600), random.uniform(-1, 1, 600), random.choice([-1.0, 1.0], 600)]
        )
        w = z @ truth + 0.2 * random.normal(size=600)
        noisy = fitting.moments(made.sums, law.drawn(1, random)[0])
        seen = fitting.Moments(z.T @ z + noisy.gram, z.T @ w + noisy.cross, w @ w + noisy.square)
        found = solved(between.seen(seen), float(seen.gram[0, 0]), drawn, at, 0 * at.root)
        assert found.sampling is not None and not found.hidden
        noise = [half_width(moved) for moved in found.spread.T]
        reach = np.hypot(noise, [sampled(v) for v in np.diag(found.sampling)])
        hits += np.abs(found.theta - truth) <= reach
    assert all(usual(int(n), TRIES) for n in hits), hits / TRIES


@pytest.mark.deep
def test_fits_themselves() -> None:
    """The same of whole fits, with the noise that is drawn for answers."""
    model, runs = LinearRegression("paid", ["age", "size", "works"]), tries(20, 300)
    with opened(data(600)) as db:
        sql = "SELECT * FROM people"
        exact = db.fit(sql, model, ENOUGH)
        assert isinstance(exact, LinearModel)
        hits = np.zeros(3, int)
        for _ in range(runs):
            found = db.fit(sql, model, 40, fresh=True)
            assert isinstance(found, LinearModel) and not found.notes
            pairs = zip(found.coefficients.values(), exact.coefficients.values(), strict=True)
            hits += [abs(a.value - b.value) <= (a.noise or 0) for a, b in pairs]
    assert all(usual(int(n), runs) for n in hits), hits / runs
