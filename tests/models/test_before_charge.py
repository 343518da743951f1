"""What refuses a query of a model refuses the model: before the first of its queries is charged."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import duckdb
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
from dpsql.models.wanted import Specification
from tests.models import people, raters
from tests.support.effort import chosen

SQL = "SELECT * FROM people"
USUAL = "{eps: 1e9, delta: 0.1}"

Kinds = dict[str, tuple[Specification[Any], str, float]]
KINDS: Kinds = {
    "linear": (LinearRegression("paid", ["age", "works"]), SQL, 1),
    "logistic": (LogisticRegression("works", ["age", "paid"]), SQL, 0.125),
    "by town": (LogisticRegression("works", ["age"], by=["town"]), SQL, 0.125),
    "poisson": (PoissonRegression("paid", ["age"], steps=3), SQL, 0.125),
    "clusters": (KMeans(["age", "paid"], 3), SQL, 0.05),
    "steps alone": (KMeans(["age", "paid"], 3, steps=3), SQL, 0.05),
    "tree": (DecisionTree("works", ["age", "town"], depth=2), SQL, 0.25),
    "means": (DecisionTree("paid", ["age", "works"], depth=1, bins=4), SQL, 0.25),
    "factors": (MatrixFactorization("id", "film", "stars", rank=1, rounds=1), raters.SQL, 0.25),
}
"""Of each kind a model, its rows, and about which part of ε its least query has."""

OF_SEVERAL = [kind for kind, found in KINDS.items() if found[2] < 1]
"""Those that ask more than one query."""


def opened(sql: str, budget: str, analyst: str = "") -> dpsql.Database:
    """Data for a model, under a budget."""
    found = raters if sql == raters.SQL else people
    policy = found.POLICY.replace(USUAL, budget)
    assert budget in policy
    return dpsql.connect(found.data(60), policy, version="1", analyst=analyst)


@pytest.mark.parametrize("kind", chosen(KINDS, "linear", "poisson", "clusters", "tree", "factors"))
@pytest.mark.one_in(2)
def test_an_epsilon_of_which_one_share_is_too_small(kind: str) -> None:
    model, sql, part = KINDS[kind]
    with opened(sql, "{eps: 1e9, delta: 0.1, min_eps: 0.5}") as db:
        little = 0.4 if part == 1 else 0.5
        with pytest.raises(
            dpsql.InvalidBudget, match=r"the least that is charged is ε = 0\.5"
        ) as no:
            db.fit(sql, model, little)
        assert db.budget.spent.eps == 0 and not db.budget.history
        if part == 1:
            return
        times = re.search(r"([0-9.]+) times as much ε would do", str(no.value))
        assert times is not None and float(times[1]) == pytest.approx(1 / part, rel=0.01)
        enough = round(little * float(times[1]) * 1.001, 6)
        db.fit(sql, model, enough)
        assert db.budget.spent.eps == pytest.approx(enough, rel=1e-3)


LITTLE: dict[str, tuple[type[Exception], str]] = {
    "{eps: 2, delta: 0.1}": (dpsql.BudgetExceeded, "that follow it ask for ε = 2.1"),
    "{eps: 1e9, delta: 0.1, caps: {ann: {eps: 2, delta: 0.1}}}": (dpsql.BudgetExceeded, "ann"),
    "{eps: 1e9, delta: 0.1, rate: 1 per hour}": (dpsql.RateExceeded, "1 per hour"),
    "{eps: 4, delta: 1e-5, accountant: zcdp}": (dpsql.BudgetExceeded, "is left of"),
}
"""Budgets, and what is said of each."""

WITH_LITTLE = [(kind, budget) for kind in OF_SEVERAL for budget in LITTLE]
EACH_ONCE = [
    *(("tree", budget) for budget in LITTLE),
    *((kind, "{eps: 2, delta: 0.1}") for kind in ("poisson", "means", "factors")),
]
"""Each kind of model under one of them, and each of them with one model."""


@pytest.mark.parametrize(("kind", "budget"), chosen(WITH_LITTLE, *EACH_ONCE))
@pytest.mark.one_in(2)
def test_less_than_all_of_it(kind: str, budget: str) -> None:
    """The first query alone would be charged."""
    model, sql, _ = KINDS[kind]
    error, said = LITTLE[budget]
    with opened(sql, budget, "ann") as db:
        with pytest.raises(error, match=said):
            db.fit(sql, model, 40 if "zcdp" in budget else 2.1)
        assert db.budget.spent.eps == 0 and not db.budget.history


def test_what_is_left_is_enough_for_what_is_not_answered_yet() -> None:
    """A fit whose queries are stored is free, and one that was interrupted needs the rest alone."""
    model, sql, _ = KINDS["tree"]
    with opened(sql, "{eps: 3, delta: 0.1}") as db:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("dpsql.models.trees.fitting.said", killed)
            with pytest.raises(KeyboardInterrupt):
                db.fit(sql, model, 2)
        assert db.budget.spent.eps == 2
        assert db.fit(sql, model, 2).cost.eps == 0, "of 3 there is 1 left"
        with pytest.raises(dpsql.BudgetExceeded, match="is left of"):
            db.fit(sql, model, 2, fresh=True)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("dpsql.models.trees.growing.Branch.look", killed)
            with pytest.raises(KeyboardInterrupt):
                db.fit(sql, model, 1, fresh=True)
        assert db.budget.spent.eps == 2.375
        assert db.fit(sql, model, 1).cost.eps == 0, "as good as that of 2"
        with pytest.raises(dpsql.BudgetExceeded):
            db.fit(sql, model, 1, fresh=True)
        assert db.budget.spent.eps == 2.375


def killed(*args: object) -> object:
    """As by Ctrl-C."""
    raise KeyboardInterrupt


TYPES: dict[str, bool] = {
    "i % 2 / 3": True,
    "CASE i % 3 WHEN 0 THEN 'NaN' WHEN 1 THEN 'Infinity' ELSE '-0.1' END::DOUBLE": True,
    "(i % 2 / 3)::DECIMAL(9,4)": True,
    "TIMESTAMP '2020-01-01 10:00:00.000001' + INTERVAL (i % 2) DAY": True,
    "DATE '2020-01-01' + (i % 2)::INTEGER": True,
    "i % 2 = 0": True,
    "CASE i % 2 WHEN 0 THEN 'a''b' END": True,
    "TIME '10:00:00' + INTERVAL (i % 2) HOUR": False,
    "md5((i % 2)::VARCHAR)::UUID": False,
}
"""Of group keys, and whether they may be some."""


@pytest.mark.parametrize(
    "key",
    chosen(
        TYPES,
        "CASE i % 3 WHEN 0 THEN 'NaN' WHEN 1 THEN 'Infinity' ELSE '-0.1' END::DOUBLE",
        "CASE i % 2 WHEN 0 THEN 'a''b' END",
        "TIME '10:00:00' + INTERVAL (i % 2) HOUR",
        "md5((i % 2)::VARCHAR)::UUID",
    ),
)
@pytest.mark.one_in(2)
def test_a_group_key_of_any_type(key: str) -> None:
    """It is a constant in the later queries, which is not known when the first is charged."""
    owner = duckdb.connect()
    owner.execute(
        f"CREATE TABLE t AS SELECT i, i % 3 = 0 AS y, i % 50 AS x, {key} AS k FROM range(900) r(i)"
    )
    owner.execute("CREATE UNIQUE INDEX rows_of ON t(i)")
    kind = owner.execute("SELECT typeof(k) FROM t").fetchone()
    assert kind is not None
    policy = f"""
unit: t.i
budget: {{eps: 1e6, delta: 0.1}}
tables: {{t: {{access: private, key: [i], columns: {{i: {{}}, y: {{}}, k: {{type: "{kind[0]}"}},
  x: {{bounds: [0, 49]}}}}}}}}
"""
    model = LogisticRegression("y", ["x"], by=["k"], steps=1)
    with dpsql.connect(owner, policy, version="1") as db:
        if TYPES[key]:
            fitted = db.fit("SELECT * FROM t", model, 1e4)
            assert len(fitted.groups) >= 2
            assert all(len(one.answers) >= 2 for one in fitted.groups.values())
            return
        with pytest.raises(dpsql.Rejected, match="DP307"):
            db.fit("SELECT * FROM t", model, 1e4)
        assert not db.budget.history


def test_work_that_only_a_later_query_has() -> None:
    """A person has many rows, each of which is compared with all that is in a grid of cells."""
    found = people.data(30)
    policy = people.POLICY.replace("max_rows: 3", "max_rows: 600")
    policy += "limits: {work_per_unit: 60000}\n"
    sql, model = "SELECT hours, cost FROM visits", KMeans(["hours", "cost"], 5)
    with people.opened(found, policy) as db:
        assert db.explain(f"SELECT COUNT(*) AS n FROM ({sql}) AS r", 1).cost.eps == 1
        with pytest.raises(dpsql.Rejected, match="DP"):
            db.fit(sql, model, 3)
        assert not db.budget.history


MODELS = {
    "logistic": "dp_logistic_regression(works, [age])",
    "clusters": "dp_kmeans([age, paid], clusters := 2)",
    "tree": "dp_decision_tree(works, [age], depth := 1)",
}


@pytest.mark.parametrize("kind", chosen(MODELS, "logistic", "tree"))
def test_a_model_in_sql(kind: str) -> None:
    sql = f"SELECT {MODELS[kind]} FROM people"
    with opened(SQL, "{eps: 12, delta: 0.1, min_eps: 0.5}") as db:
        for eps, error in ((0.5, dpsql.InvalidBudget), (12.5, dpsql.BudgetExceeded)):
            with pytest.raises(error):
                db.run(sql, eps, idempotency_key="once")
            with pytest.raises(dpsql.BudgetExceeded, match="no stored answer"):
                db.run(sql, eps, free=True)
            assert not db.stored(sql, eps) and not db.budget.history


def asked(db: dpsql.Database, key: str) -> Callable[[], dpsql.Answer]:
    """A query under a key."""
    return lambda: db.run("SELECT COUNT(*) AS n FROM people WHERE age < 50", 1, idempotency_key=key)


@pytest.mark.parametrize("key", ["k/2", "k/3", "k (part 2) ", "(part 2)", "k (part two)", "k2"])
@pytest.mark.one_in(2)
def test_a_callers_key_is_no_models(key: str) -> None:
    """A model under the key k has other keys for its later queries than anybody can give."""
    sql = f"SELECT {MODELS['tree']} FROM people"
    with opened(SQL, "{eps: 1e9, delta: 0.1}") as db:
        first = asked(db, key)()
        made = db.run(sql, 3, idempotency_key="k")
        assert made.cost.eps == 3
        assert [line.charge.entry.request for line in db.budget.history] == [key, "k", "k (part 2)"]
        assert asked(db, key)().rows == first.rows
        assert db.run(sql, 3, fresh=True, idempotency_key="k").rows == made.rows
        assert len(db.budget.history) == 3


@pytest.mark.parametrize("key", ["k (part 2)", " (part 1)", "k (part 2) (part 3)", "", 7, b"k"])
def test_keys_that_are_none(key: Any) -> None:
    with opened(SQL, "{eps: 1e9, delta: 0.1}") as db:
        with pytest.raises(dpsql.InvalidArgument, match="idempotency key"):
            asked(db, key)()
        with pytest.raises(dpsql.InvalidArgument, match="idempotency key"):
            db.run_batch(["SELECT COUNT(*) AS n FROM people"], 1, idempotency_key=key)
        assert not db.budget.history


def test_a_key_that_is_too_long_for_the_last_part() -> None:
    """It is refused before the first."""
    sql = f"SELECT {MODELS['tree']} FROM people"
    with opened(SQL, "{eps: 1e9, delta: 0.1}") as db:
        for length in (491, 500):
            with pytest.raises((dpsql.InvalidArgument, dpsql.Rejected), match="idempotency key"):
                db.run(sql, 3, idempotency_key="k" * length)
        assert not db.budget.history
        assert db.run(sql, 3, idempotency_key="k" * 490).cost.eps == 3
