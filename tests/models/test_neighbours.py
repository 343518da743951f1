"""One unit moves no sum of a model by more than is claimed, on data that break what is declared;
and all sums together cost no more than the ε.
"""

from __future__ import annotations

import pytest

from dpsql import audit
from dpsql.models import LinearRegression
from dpsql.models.columns import released
from dpsql.models.linear import fitting
from dpsql.models.wanted import How
from tests.models.people import data, opened
from tests.support.effort import tries

MODELS = {
    "people": (
        "SELECT * FROM people",
        LinearRegression("paid", ["age", "size", "works", "town"]),
    ),
    "visits": (
        "SELECT hours, cost, age, town FROM visits JOIN people USING (id)",
        LinearRegression("cost", ["hours", "age"], by=["town"]),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_sums_keep_what_is_claimed(name: str) -> None:
    sql, model = MODELS[name]
    moved = []
    for seed in range(tries(2, 20)):
        with opened(data(12, seed, broken=True)) as db:
            made = fitting.plan(db, sql, model)
            found = audit.sensitivity(db, made.sql)
            assert all(one.within for one in found), [one for one in found if not one.within]
            moved += [one.l1 for one in found]
    assert any(moved)


@pytest.mark.parametrize("name", MODELS)
def test_an_audit_does_not_contradict_it(name: str) -> None:
    sql, model = MODELS[name]
    with opened(data(30, 5, broken=True)) as db:
        made = fitting.plan(db, sql, model)
        report = audit.check(db, made.sql, 1, worlds=tries(5, 60), samples=0, **made.wishes)
    assert all(one.holds for one in report.checked)
    assert max(one.ratio for one in report.checked) > 0.5, "and the claims are not idle"


def test_nothing_is_clipped_and_all_noise_together_is_paid() -> None:
    with opened(data(50)) as db:
        made = fitting.plan(db, *MODELS["people"], How(noise="gaussian"))
        explained = db.explain(made.sql, 1, **made.wishes)
    (point,) = released(explained).planned
    families = {m.family: m for m in point.release.measures}
    spent = sum(
        m.sensitivity.l2_squared / (2 * point.noise[number].scale ** 2)
        for number, m in families.items()
    )
    assert not any(m.adaptive for m in point.release.measures)
    assert 0.9 * explained.totals.loss.rho < spent <= 1.1 * float(explained.totals.loss.rho)
