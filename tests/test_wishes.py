"""What is said to somebody whose wishes for an answer are none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import dpsql
from dpsql import demo
from dpsql.core.account.amount import MIN_EPS
from dpsql.session.database import Database

QUERY = "SELECT channel, COUNT(*) AS n, SUM(shipping) AS s FROM orders GROUP BY channel"


@pytest.fixture(scope="module")
def db() -> Database:
    return demo.database()


@pytest.mark.parametrize(
    ("wishes", "kind", "message"),
    [
        ({"weights": {"n": -2}}, ValueError, "the weight of n must be a number above 0"),
        ({"weights": {"n": "x"}}, ValueError, "the weight of n must be a number above 0"),
        ({"weights": ["n"]}, TypeError, "weights are given by column"),
        ({"weights": {"m": 2}}, dpsql.Rejected, "a weight is given for m, which is no column"),
        ({"noise": "gaus"}, ValueError, "noise must be one of auto, laplace, gaussian, not 'gaus'"),
        ({"clipping": "no"}, ValueError, "must be one of auto, adaptive, declared, not 'no'"),
        ({"delta": 2}, dpsql.InvalidBudget, "δ must be at least 0 and below 1, not 2"),
        ({"delta": 0, "noise": "gaussian"}, dpsql.InvalidBudget, "needs a delta above 0"),
    ],
)
def test_of_an_answer(
    db: Database, wishes: dict[str, Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        db.explain(QUERY, 1, **wishes)


@pytest.mark.parametrize(
    ("error", "confidence", "size", "kind", "message"),
    [
        (0, 0.95, None, ValueError, "positive and finite"),
        (float("inf"), 0.95, None, ValueError, "positive and finite"),
        ("1%", 0.95, None, TypeError, "numbers, not a str"),
        (0.1, 95, None, ValueError, "a confidence must be above 0 and below 1"),
        (0.1, 0.95, 0, ValueError, "positive and finite"),
        (0.1, 0.95, {"n": 9}, ValueError, "no size is given for s"),
        (0.1, 0.95, {"n": 9, "s": 9, "m": 9}, ValueError, "a size is given for m"),
    ],
)
def test_of_a_target(
    db: Database,
    error: Any,
    confidence: float,
    size: Mapping[str, float] | float | None,
    kind: type[Exception],
    message: str,
) -> None:
    with pytest.raises(kind, match=message):
        db.calibrate(QUERY, error, confidence, size=size)


def test_no_epsilon_is_enough(db: Database) -> None:
    """Of a sum that is not rounded, of values that are no multiples of one step."""
    sql = "SELECT COUNT(*) AS n, SUM(LEAST(GREATEST(trust, 0.013), 0.97)) AS s FROM customers"
    with pytest.raises(dpsql.NotCalibrated, match="no ε makes the answer so accurate"):
        db.calibrate(sql, 1e-12)


def test_what_is_not_known_beforehand(db: Database) -> None:
    with pytest.raises(dpsql.NotCalibrated, match="how far a is off depends on the data"):
        db.calibrate("SELECT AVG(shipping) AS a FROM orders", 1)
    with pytest.raises(dpsql.NotCalibrated, match="computed further from noisy rows"):
        db.calibrate(f"SELECT SUM(n) FROM ({QUERY}) AS t", 1)


def test_an_epsilon_that_is_found_is_one(db: Database) -> None:
    eps = db.calibrate(QUERY, 1e30)
    assert eps == float(MIN_EPS)
    db.explain(QUERY, eps, noise="laplace")
