"""An ε that is too small says so, and names one that does: where a fit is refused, and where noise
hides what was asked for.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import dpsql
from dpsql.models import (
    DecisionTree,
    KMeans,
    LinearRegression,
    LogisticRegression,
    MatrixFactorization,
    PoissonRegression,
)
from dpsql.models.clusters import cluster_forecast, moving
from dpsql.models.columns import columns_of
from dpsql.models.factors import directions, factor_forecast, factor_queries, fitting
from dpsql.models.wanted import How
from tests.models import people, points, raters
from tests.support.effort import chosen

ROWS = "SELECT * FROM people"
VISITS = "SELECT *, cost > 50 AS dear FROM visits"
POINTS = "SELECT * FROM points"
WIDE = {  # bounds and numbers of rows that let noise be wide
    "bounds: [0, 500]": "bounds: [0, 999999]",
    "max_rows: 3": "max_rows: 1000",
    "max_rows: 6": "max_rows: 1000",
    "bounds: [-5, 5]": "bounds: [-5e9, 5e9]",
}
KINDS: dict[str, tuple[ModuleType, str, Any]] = {
    "linear": (people, ROWS, LinearRegression("paid", ["age", "size", "town"])),
    "linear of visits": (people, VISITS, LinearRegression("cost", ["hours"])),
    "linear of groups": (people, ROWS, LinearRegression("paid", ["age"], by=["town"])),
    "logistic": (people, ROWS, LogisticRegression("works", ["age", "paid"])),
    "logistic of visits": (people, VISITS, LogisticRegression("dear", ["hours"])),
    "Poisson": (people, ROWS, PoissonRegression("paid", ["age", "size"])),
    "clusters": (points, POINTS, KMeans(["x", "y", "big"], 3)),
    "clusters of visits": (people, VISITS, KMeans(["hours", "cost"], 2)),
    "clusters, many features": (people, ROWS, KMeans(["age", "size", "paid", "works"], 2)),
    "tree": (people, ROWS, DecisionTree("paid", ["age", "works"])),
    "tree of visits": (people, VISITS, DecisionTree("dear", ["hours"], depth=2)),
    "factors": (raters, raters.SQL, MatrixFactorization("id", "film", "stars", rank=1, rounds=1)),
}
OUR_OWN = re.compile(r"CAST\(|SUM\(|sum\(|LEAST|GREATEST|\bx\d\b|\bk\d\b|SELECT", re.I)


@pytest.mark.parametrize("wide", [False, True], ids=["usual", "wide"])
@pytest.mark.parametrize("kind", chosen(KINDS, "linear", "clusters of visits", "factors"))
@pytest.mark.one_in(2)
def test_a_refused_epsilon_names_one_that_is_accepted(kind: str, wide: bool) -> None:
    """And twice as much of it is, too. Nothing is charged for what is refused."""
    module, sql, model = KINDS[kind]
    policy = module.POLICY
    for old, new in WIDE.items() if wide else ():
        policy = policy.replace(old, new)
    refused = 0
    with module.opened(module.data(30), policy) as db:
        for little in ("1e-9", "1e-7", "1e-5", "1e-3"):
            try:
                db.explain_fit(sql, model, Decimal(little))
            except (dpsql.Rejected, dpsql.InvalidBudget) as found:
                told = str(found)
            else:
                continue
            refused += 1
            with pytest.raises((dpsql.Rejected, dpsql.InvalidBudget)) as no:
                db.fit(sql, model, Decimal(little))
            assert str(no.value) == told and "is too small" in told
            assert not OUR_OWN.search(told), told
            assert db.budget.spent.eps == 0
            enough = Decimal(re.search(r"about ε = ([0-9.e-]+)", told)[1])  # type: ignore[index]
            assert Decimal(little) < enough
            for times in (1, 2):
                db.explain_fit(sql, model, enough * times)
        if refused:
            for times in (1, 2):
                found = db.fit(sql, model, enough * times, fresh=True)
                assert found.cost.exact.eps <= Fraction(enough * times)
    assert refused or not wide, "some ε is too small for each"


def test_a_refused_score_names_an_epsilon_that_is_accepted() -> None:
    policy = people.POLICY.replace("max_rows: 3", "max_rows: 1000")
    with people.opened(people.data(30), policy) as db:
        found = db.fit(VISITS, LinearRegression("cost", ["hours"]), people.ENOUGH)
        spent = db.budget.spent.eps
        with pytest.raises(dpsql.Rejected, match="is too small") as no:
            db.score(found, VISITS, Decimal("1e-7"))
        assert db.budget.spent.eps == spent and not OUR_OWN.search(str(no.value))
        enough = Decimal(re.search(r"about ε = ([0-9.e-]+)", str(no.value))[1])  # type: ignore[index]
        for times in (1, 2):
            db.score(found, VISITS, enough * times)


def test_a_refused_statement_names_an_epsilon_that_is_accepted() -> None:
    sql = "SELECT dp_linear_regression(paid, [age, size]) FROM people"
    with people.opened(people.data(30)) as db:
        with pytest.raises(dpsql.Rejected, match="is too small for this model") as no:
            db.run(sql, Decimal("1e-7"))
        assert no.value.span is not None and not OUR_OWN.search(str(no.value.message))
        enough = Decimal(re.search(r"about ε = ([0-9.e-]+)", str(no.value))[1])  # type: ignore[index]
        db.run(sql, enough)


def test_bounds_that_no_epsilon_suits_are_told_as_such() -> None:
    policy = people.POLICY.replace("bounds: [-50, 200]", "bounds: [-1e200, 1e200]")
    with people.opened(people.data(5), policy) as db:
        with pytest.raises(dpsql.Rejected) as no:
            db.fit(VISITS, LinearRegression("cost", ["hours"]), 1)
        assert "about ε" not in str(no.value)


@pytest.mark.parametrize(
    ("whole", "rank"),
    [(False, 1), (True, 1), (False, 2)],
    ids=["within the box", "whole", "two factors"],
)
def test_factors_are_refused_before_the_first_charge_or_not_at_all(whole: bool, rank: int) -> None:
    """At the least ε that is accepted, to 3 %: from biases and factors that noise may give, among
    these such that no direction, or one, or all have both signs.
    """
    policy = raters.POLICY.replace("max_rows: 6", f"max_rows: {2 if whole else 1000}")
    model, random = replace(KINDS["factors"][2], rank=rank), np.random.default_rng(1)
    if whole:  # no user's factor is as far as the box
        model = replace(model, reach=1, ridge=30.0)
    with raters.opened(raters.data(30), policy) as db:
        low, high = 1e-6, 1e2
        while high / low > 1.03:
            middle = (low * high) ** 0.5
            try:
                factor_forecast.ways(db, raters.SQL, model, How(middle))
            except (dpsql.Rejected, dpsql.InvalidBudget):
                low = middle
            else:
                high = middle
        _, second, *rounds = fitting.shares(model, How(high))
        of = fitting.ratings_of(db, raters.SQL, model)
        seldom = np.eye(8)[0] * 9 - 4
        for _ in range(8):
            counts = random.permuted(random.choice([seldom, random.normal(size=8)]) * 1e5)
            biases = random.choice([-6, -2, 0, 2, 6]) + random.normal(size=8) / 1e3
            looks = directions.directions(of, counts), random.uniform(0, 3, (8, rank + 2))
            for along in (*looks, looks[0] * 1e-4):
                db.explain(directions.look(of, biases, along), second.eps, **second.wishes)
                for each in rounds:
                    text = factor_queries.round_of(of, biases, along[:, :rank])
                    db.explain(text, each.eps, **fitting.wishes(of, each))


TOLD = {
    "linear": (people, ROWS, LinearRegression("paid", ["age", "size", "works"]), 0.3),
    "linear, one": (people, ROWS, LinearRegression("size", ["age"]), 0.05),
    "logistic": (people, ROWS, LogisticRegression("works", ["age", "size"]), 0.3),
    "Poisson": (people, ROWS, PoissonRegression("paid", ["age", "size"]), 0.3),
    "clusters": (points, POINTS, KMeans(["x", "y", "big"], 3), 0.05),
    "clusters, two": (points, POINTS, KMeans(["x", "y"], 3), 0.001),
    "tree": (people, ROWS, DecisionTree("paid", ["age", "size"], depth=2), 0.001),
}
RUNS, UNSURE = 10, 3
"""Of 20 fits at what so many advise so many may still be hidden. About 1 in 200 is; at 1 in 50 a
right ε would be told wrong here once in 1,700 runs."""


@pytest.mark.parametrize("kind", chosen(TOLD, "linear, one"))
def test_what_noise_hides_names_an_epsilon_that_shows_it(kind: str) -> None:
    """Of 1,000 rows, with features that vary freely; of the advised ε, and twice as much."""
    module, sql, model, little = TOLD[kind]
    hidden, named = 0, 0
    with module.opened(module.data(1000)) as db:
        for _ in range(RUNS):
            notes = [n for n in db.fit(sql, model, little, fresh=True).notes if _hides(n)]
            for note in notes:
                said = re.search(r"about ε = ([0-9.e+-]+) would", note)
                if said is None:
                    assert "hardly" in note or "no split is seen" in note, note
                    continue
                named += 1
                for times in (1, 2):
                    again = db.fit(sql, model, float(said[1]) * times, fresh=True)
                    hidden += any(map(_hides, again.notes))
    assert named >= RUNS // 3 and hidden <= UNSURE, (named, hidden)


def _hides(note: str) -> bool:
    said = ("is too small", "held back", "hides where", "no more rows than noise")
    return any(part in note for part in said)


@pytest.mark.deep
def test_clusters_are_refused_before_the_first_charge_or_not_at_all() -> None:
    """Where a fit is accepted, each step that may follow is, too: at the least ε that is accepted,
    to 3 %, steps from centres that are drawn, of which rows may be anywhere.
    """
    policy = people.POLICY.replace("max_rows: 3", "max_rows: 1000")
    model, random = KMeans(["hours", "cost"], 2), np.random.default_rng(1)
    with people.opened(people.data(30), policy) as db:
        low, high = 1e-8, 1e-2
        while high / low > 1.03:
            middle = (low * high) ** 0.5
            try:
                cluster_forecast.ways(db, VISITS, model, How(middle))
            except (dpsql.Rejected, dpsql.InvalidBudget):
                low = middle
            else:
                high = middle
        last = cluster_forecast.ways(db, VISITS, model, How(high))[0][-1]
        columns = columns_of(db, VISITS, model)
        corner = np.array([[1.0, 1.0], [-1.0, 1.0]])
        for centres in (corner, *random.uniform(-1, 1, (8, 2, 2))):
            sql = moving.statement(VISITS, columns, moving.around(centres, None))
            db.explain(sql, last.eps, last.delta, **last.wishes)
