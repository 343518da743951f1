"""One unit moves no sum of a k-means by more than is claimed, on data that break what is declared:
of the grid, of a step and of a score.
"""

from __future__ import annotations

import pytest

from dpsql import audit
from dpsql.models import KMeans
from dpsql.models.clusters import scoring
from tests.models.people import data, opened
from tests.support.effort import tries

MODELS = {
    "people": ("SELECT * FROM people", KMeans(["age", "size", "works"], 2)),
    "visits": (
        "SELECT hours, cost, town FROM visits JOIN people USING (id)",
        KMeans(["hours", "cost"], 2),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_sums_keep_what_is_claimed(name: str) -> None:
    sql, model = MODELS[name]
    for seed in range(tries(1, 10)):
        with opened(data(12, seed, broken=True)) as db:
            asked = [step.sql for step in db.explain_fit(sql, model, 1, size=50).steps]
            asked.append(scoring.statement(sql, db.fit(sql, model, 10)))
            for one in asked:
                found = audit.sensitivity(db, one)
                assert all(one.within for one in found), [one for one in found if not one.within]
                assert any(one.l1 for one in found)


def test_an_audit_does_not_contradict_it() -> None:
    sql, model = MODELS["people"]
    with opened(data(30, 5, broken=True)) as db:
        step = db.explain_fit(sql, model, 1, size=50).steps[-1]
        report = audit.check(db, step.sql, 1, worlds=tries(3, 60), samples=0)
    assert all(one.holds for one in report.checked)
    assert max(one.ratio for one in report.checked) > 0.5, "and the claims are not idle"
