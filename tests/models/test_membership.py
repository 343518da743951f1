"""Somebody who knows all rows but whether one unit is among them learns no more than ε allows.

The attack is the best there is: all that a fit gives is made of its noisy sums, and of these the
likelihood ratio decides (Neyman and Pearson 1933). Its advantage is the part of fits with the unit
in which it says so, less that of fits without. Claim: by (ε, δ) it is at most
(e^ε − 1 + 2δ)/(e^ε + 1). Why: TPR ≤ e^ε·FPR + δ, and 1 − FPR ≤ e^ε·(1 − TPR) + δ; add both.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import dpsql
from dpsql.models import LinearModel, LinearRegression
from dpsql.models.linear import fitting
from dpsql.models.noise_law import Law, planned
from dpsql.models.wanted import How
from tests.models.people import ENOUGH, data, opened
from tests.support.effort import chosen, tries

EPS, DELTA = 1.0, 1e-5
BOUND = (math.exp(EPS) - 1 + 2 * DELTA) / (math.exp(EPS) + 1)
IDLE = 0.05
"""The attack is to find more than that, or it would show nothing."""
SURE = 4.0
"""Standard deviations: chance alone passes them once in 15,000 tests."""
SQL = "SELECT * FROM people"
MODEL = LinearRegression("paid", ["works"])
WORST = "INSERT INTO people VALUES (-1, 90, 2.1, 500.00, TRUE, 'Aki', '1980-01-01', 0)"
"""A person who moves each sum as far as anybody can."""

Array = NDArray[np.float64]


def worlds() -> tuple[dpsql.Database, dpsql.Database]:
    """Data without the person and with them."""
    without, having = data(60), data(60)
    having.execute(WORST)
    return opened(without), opened(having)


def sums(db: dpsql.Database, eps: float, noise: str, fresh: bool = False) -> Array:
    """All that a fit learns of the rows."""
    delta = DELTA if noise == "gaussian" else 0
    found = db.fit(SQL, MODEL, eps, delta, noise=noise, fresh=fresh)  # type: ignore[arg-type]
    assert isinstance(found, LinearModel)
    return np.array(found.answer.rows[0], dtype=float)


def law(db: dpsql.Database, noise: str) -> Law:
    """That of the noise, which is public."""
    delta = DELTA if noise == "gaussian" else 0
    made = fitting.plan(db, SQL, MODEL, How(EPS, delta, noise))  # type: ignore[arg-type]
    return planned(db.explain(made.sql, EPS, delta, **made.wishes), 0)


def says_in(of: Law, seen: Array, without: Array, having: Array) -> NDArray[np.bool_]:
    """Whether sums are likelier with the person, of each row of what was seen."""
    back = np.linalg.inv(of.parts).T

    def cost(centre: Array) -> Array:
        off = np.abs((seen - centre) @ back) / of.scales
        return np.sum(off if of.kinds[0] == "laplace" else off**2 / 2, axis=1)

    found: NDArray[np.bool_] = cost(having) < cost(without)
    return found


def expected(of: Law, without: Array, having: Array, runs: int) -> float:
    """The advantage where the noise is what is claimed."""
    random = np.random.default_rng(11)
    drawn = of.drawn(runs, random), of.drawn(runs, random)
    yes, no = (
        np.mean(says_in(of, centre + noise, without, having))
        for centre, noise in zip((having, without), drawn, strict=True)
    )
    return float(yes - no)


@pytest.mark.parametrize("noise", chosen(["laplace", "gaussian"], "laplace"))
def test_who_knows_all_others_finds_little_of_one(noise: str) -> None:
    runs = tries(40, 600)
    out, within = worlds()
    with out, within:
        centres = sums(out, ENOUGH, noise), sums(within, ENOUGH, noise)
        of = law(out, noise)
        seen = [np.array([sums(db, EPS, noise, True) for _ in range(runs)]) for db in (out, within)]
    no, yes = (np.mean(says_in(of, rows, *centres)) for rows in seen)
    advantage, off = float(yes - no), SURE * math.sqrt((yes * (1 - yes) + no * (1 - no)) / runs)
    assert advantage - off <= BOUND
    assert abs(advantage - expected(of, *centres, 100_000)) <= off + 0.01, "the noise is as claimed"


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_noise_hides_one_and_less_would_not(noise: str) -> None:
    out, within = worlds()
    with out, within:
        centres = sums(out, ENOUGH, noise), sums(within, ENOUGH, noise)
        of = law(out, noise)
    runs = tries(100_000, 2_000_000)
    advantage = expected(of, *centres, runs)
    off = SURE * math.sqrt(0.5 / runs)
    assert advantage - off > IDLE and advantage + off <= BOUND
    half = Law(of.kinds, of.scales / 8, of.parts)
    assert expected(half, *centres, runs) - off > BOUND, "an eighth of the noise would be seen"
