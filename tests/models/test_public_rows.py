"""A model is made of what was told: on public rows it is scored for free, and exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
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
from tests.models import people, raters
from tests.support.effort import chosen

KNOWN = """
  known:
    access: public
    columns:
      age: {type: INTEGER}
      size: {type: DOUBLE}
      paid: {type: "DECIMAL(8,2)"}
      works: {type: BOOLEAN}
      town: {type: VARCHAR}
"""
FEATURES = "age, size, paid, works, town"
MODELS: dict[str, Any] = {
    "linear": LinearRegression("paid", ["age", "works", "town"]),
    "linear of groups": LinearRegression("paid", ["age"], by=["town"]),
    "logistic": LogisticRegression("works", ["age", "paid"]),
    "logistic of groups": LogisticRegression("works", ["paid"], by=["town"]),
    "Poisson": PoissonRegression("paid", ["age", "town"]),
    "tree": DecisionTree("paid", ["age", "works"]),
    "classes": DecisionTree("town", ["age", "paid"]),
    "clusters": KMeans(["age", "size"], 2),
}


@pytest.fixture(scope="module")
def owner() -> duckdb.DuckDBPyConnection:
    """People, and the same ones as a public table."""
    found = people.data(300)
    found.execute(f"CREATE TABLE known AS SELECT {FEATURES} FROM people")
    return found


@pytest.fixture
def db(owner: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with dpsql.connect(owner, people.POLICY + KNOWN, version="1") as opened:
        yield opened


def _numbers(score: Any) -> list[tuple[float, float]]:
    """Of a score each number with its half-width."""
    found: list[tuple[float, float]] = []
    for name in ("rows", "r2", "rmse", "auc", "accuracy", "brier", "distance"):
        made = getattr(score, name, None)
        if made is not None:
            found.append((made.value, made.noise))
    for name in ("confusion", "counts"):
        found += [(one.value, one.noise) for one in getattr(score, name, {}).values()]
    return found


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.one_in(2)
def test_it_is_free_exact_and_says_what_private_rows_say(db: dpsql.Database, kind: str) -> None:
    model = db.fit("SELECT * FROM people", MODELS[kind], people.ENOUGH)
    private = db.score(model, "SELECT * FROM people", people.ENOUGH)
    spent = db.budget.spent.exact
    public = db.score(model, "SELECT * FROM known", 1)
    assert public.cost.exact.eps == 0 and db.budget.spent.exact == spent
    exact, noisy = _numbers(public), _numbers(private)
    assert len(exact) == len(noisy) > 1 and all(noise == 0 for _, noise in exact)
    for (value, _), (other, off) in zip(exact, noisy, strict=True):
        assert value == pytest.approx(other, abs=off + 1e-3)
    assert str(public) and public.to_json()


def test_auc_and_brier_are_those_of_the_rows(
    db: dpsql.Database, owner: duckdb.DuckDBPyConnection
) -> None:
    model = db.fit("SELECT * FROM people", MODELS["logistic"], 5)
    found = db.score(model, "SELECT * FROM known WHERE age < 60", 1)
    rows = people.columns(owner, "SELECT * FROM known WHERE age < 60")
    p, y = model.predict(rows), rows["works"]
    pairs = p[y][:, None] - p[~y][None, :]
    auc = (pairs > 1e-12).mean() + (abs(pairs) <= 1e-12).mean() / 2
    assert found.auc.value == pytest.approx(auc, abs=1e-9)
    assert found.brier.value == pytest.approx(((p - y) ** 2).mean(), abs=1e-9)
    assert found.accuracy.value == pytest.approx(((p >= 0.5) == y).mean(), abs=1e-9)
    assert found.rows.value == len(y)


def test_no_rows_and_one_class(db: dpsql.Database) -> None:
    for kind in chosen(MODELS, "linear", "logistic"):
        model = db.fit("SELECT * FROM people", MODELS[kind], people.ENOUGH)
        assert db.score(model, "SELECT * FROM known WHERE age < 0", 1).rows.value == 0
    model = db.fit("SELECT * FROM people", MODELS["logistic"], people.ENOUGH)
    assert db.score(model, "SELECT * FROM known WHERE works", 1).auc is None


def test_what_reads_a_private_row_too_is_charged(db: dpsql.Database) -> None:
    """Beside a public table, and behind a condition that is never true."""
    model = db.fit("SELECT * FROM people", MODELS["linear"], people.ENOUGH)
    for sql in (
        "SELECT p.* FROM people p JOIN (SELECT DISTINCT age FROM known) k ON k.age = p.age",
        "SELECT * FROM people WHERE age < 0",
    ):
        spent = db.budget.spent.eps
        found = db.score(model, sql, 1, fresh=True)
        assert db.budget.spent.eps == spent + 1 and found.rows.noise > 0


def test_factors() -> None:
    policy = raters.POLICY + (
        "  known:\n    access: public\n    columns:\n      id: {type: BIGINT}\n"
        "      film: {type: VARCHAR}\n      stars: {type: DOUBLE}\n"
    )
    owner = raters.data(100)
    owner.execute("CREATE TABLE known AS SELECT id, film, stars FROM ratings")
    with dpsql.connect(owner, policy, version="1") as db:
        model = db.fit(
            raters.SQL, MatrixFactorization("id", "film", "stars", rank=1, rounds=1), people.ENOUGH
        )
        private = db.score(model, raters.SQL, people.ENOUGH)
        public = db.score(model, "SELECT * FROM known", 1)
        assert public.cost.eps == 0
        for (value, off), (other, _) in zip(_numbers(public), _numbers(private), strict=True):
            assert off == 0 and np.isclose(value, other, atol=1e-3)
