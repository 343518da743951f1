"""Models of data on a server: the same methods, and the server charges what their query costs."""

from __future__ import annotations

from fractions import Fraction

import httpx
import pytest

from dpsql.errors import BudgetExceeded, InvalidArgument, InvalidBudget, Rejected
from dpsql.models import (
    DecisionTree,
    FactorModel,
    KMeans,
    LinearModel,
    LinearRegression,
    LogisticRegression,
    MatrixFactorization,
    PoissonRegression,
)
from tests.support.effort import chosen
from tests.support.serving import Served

ROWS = (
    "SELECT cost, age, CASE town WHEN 'a' THEN 'a' WHEN 'b' THEN 'b' END AS town "
    "FROM visits JOIN people ON id = person"
)


def test_a_model_of_data_on_a_server_is_the_one_on_the_spot(server: Served) -> None:
    model = LinearRegression(target="cost", features=["age", "town"])
    here = server.service.data["shop"].db.asked_by("anna")
    with server.connect("anna") as there:
        assert str(there.explain_fit(ROWS, model, 1)) == str(here.explain_fit(ROWS, model, 1))
        fitted = there.fit(ROWS, model, 3)
        assert isinstance(fitted, LinearModel)
        assert fitted.cost.eps == 3
        assert there.fit(ROWS, model, 3).to_sql() == fitted.to_sql()
        assert here.fit(ROWS, model, 3).to_sql() == fitted.to_sql()
        scored = there.score(fitted, ROWS, 300)
        assert scored.rmse is not None and scored.cost.eps == 300


@pytest.mark.deep
def test_clusters_of_data_on_a_server_are_the_ones_on_the_spot(server: Served) -> None:
    model = KMeans(["cost", "age"], 2)
    here = server.service.data["shop"].db.asked_by("anna")
    with server.connect("anna") as there:
        fitted = there.fit(ROWS, model, 3)
        assert fitted.cost.eps == 3 and len(fitted) == 2
        assert there.fit(ROWS, model, 3).to_sql() == fitted.to_sql()
        assert here.fit(ROWS, model, 3).to_sql() == fitted.to_sql()
        assert there.score(fitted, ROWS, 3).cost.eps == 3


def test_texts_that_a_public_table_lists_are_listed_by_the_query(server: Served) -> None:
    """What the error says to write is what the test above has."""
    model = LinearRegression(target="cost", features=["town"])
    with server.connect("anna") as there, pytest.raises(InvalidArgument, match="not listed: write"):
        there.fit("SELECT cost, town FROM visits JOIN people ON id = person", model, 1)


CALLS = {
    "linear_regression": ("term", "coefficient", "sampling", "rows"),
    "poisson_regression": ("term", "coefficient", "sampling", "rows"),
    "decision_tree": ("leaf", "condition", "mean", "rows"),
}


@pytest.mark.parametrize("call", chosen(CALLS, "linear_regression", "decision_tree"))
def test_a_model_that_is_asked_for_in_sql(server: Served, call: str) -> None:
    sql = f"SELECT dp_{call}(cost, [age]) FROM visits JOIN people ON id = person"
    here = server.service.data["shop"].db.asked_by("anna")
    with server.connect("anna") as there:
        assert str(there.explain(sql, 2)) == str(here.explain(sql, 2))
        assert not there.stored(sql, 2)
        answer = there.run(sql, 2)
        assert answer.cost.eps == 2 and answer.columns == CALLS[call]
        assert there.stored(sql, 2)
        again = here.run(sql, 2)
        assert (again.rows, again.intervals, again.notes) == (
            answer.rows,
            answer.intervals,
            answer.notes,
        )
        assert str(there.run(sql, 2)) == str(again)
        with pytest.raises(Rejected, match="agee") as found:
            there.run(sql.replace("[age]", "[agee]"), 2)
        assert "^^^^" in str(found.value)


@pytest.mark.deep
def test_factors_of_data_on_a_server_are_those_on_the_spot(server: Served) -> None:
    sql = f"SELECT person, town, cost FROM ({ROWS.replace('cost,', 'person, cost,', 1)}) AS r"
    model = MatrixFactorization("person", "town", "cost", rank=1, rounds=1)
    here = server.service.data["shop"].db.asked_by("anna")
    with server.connect("anna") as there:
        fitted = there.fit(sql, model, 3)
        assert isinstance(fitted, FactorModel) and fitted.cost.eps == 3
        assert here.fit(sql, model, 3).to_sql({"a": 9}) == fitted.to_sql({"a": 9})
        assert there.score(fitted, sql, 300).cost.eps == 300


OF_SEVERAL = {
    "logistic": (LogisticRegression("old", ["age"]), "dp_logistic_regression(old, [age])"),
    "poisson": (PoissonRegression("age", ["old"]), "dp_poisson_regression(age, [old])"),
    "clusters": (KMeans(["age", "old"], 2), "dp_kmeans([age, old], clusters := 2)"),
    "tree": (DecisionTree("old", ["age"], depth=1), "dp_decision_tree(old, [age], depth := 1)"),
    "factors": (
        MatrixFactorization("person", "town", "cost", rank=1, rounds=1),
        "dp_matrix_factorization(cost, person, town, rank := 1, rounds := 1)",
    ),
}


@pytest.mark.parametrize("kind", chosen(OF_SEVERAL, "tree"))
def test_the_least_epsilon_of_a_principal_is_known_before_the_first_charge(
    server: Served, kind: str
) -> None:
    """Of a model that is fitted from here, and of one in SQL, which the server fits."""
    model, call = OF_SEVERAL[kind]
    rows = "people" if kind != "factors" else f"({ROWS.replace('cost,', 'person, cost,', 1)}) AS r"
    # Of which no other test asks: an answer that is stored costs nothing.
    rows = f"(SELECT *, age > 40 AS old FROM {rows} WHERE age > 19) AS s"
    name = f"coarse-{kind}"
    with server.connect(name, min_eps=Fraction(1, 2)) as there:
        with pytest.raises(InvalidBudget, match="the least"):
            there.fit(f"SELECT * FROM {rows}", model, 0.6)
        with pytest.raises(InvalidBudget, match="the least"):
            there.run(f"SELECT {call} FROM {rows}", 0.6)
        assert not [line for line in there.budget.history if line.analyst == name]
        assert there.fit(f"SELECT * FROM {rows}", model, 30).cost.eps > 25
        assert there.run(f"SELECT {call} FROM {rows}", 30).reused is not None


@pytest.mark.parametrize("kind", chosen(OF_SEVERAL, "clusters"))
def test_a_cap_of_a_principal_is_known_before_the_first_charge(server: Served, kind: str) -> None:
    model, _ = OF_SEVERAL[kind]
    rows = "people" if kind != "factors" else f"({ROWS.replace('cost,', 'person, cost,', 1)}) AS r"
    name = f"capped-{kind}"
    with server.connect(name, caps={"shop": (Fraction(2), None)}) as there:
        with pytest.raises(BudgetExceeded, match="cap of"):
            there.fit(f"SELECT *, age > 40 AS old FROM {rows}", model, 2.2, fresh=True)
        assert not [line for line in there.budget.history if line.analyst == name]


def test_a_query_is_charged_only_where_what_follows_would_be(server: Served) -> None:
    """As anybody may ask it over HTTP."""
    headers, url = server.headers("eve", min_eps=Fraction(1, 2)), f"{server.url}/v1/data/shop/run"
    count = {"sql": "SELECT COUNT(*) AS n FROM people WHERE age < 31", "eps": 1}
    less = {**count, "eps": 0.4}
    with httpx.Client(headers=headers) as client:
        for then, said in (
            ([[count, less]], "the least"),
            ([[count], [count, {**count, "eps": 1e6}]], "is left of"),
            ([[{**count, "sql": "SELECT age FROM people"}]], "DP401"),
            ([[count] * 33], "then"),
            ([[count]] * 9, "then"),
        ):
            answer = client.post(url, json={**count, "then": then})
            assert answer.status_code >= 400 and said in answer.text, answer.text
        key = {**count, "idempotency_key": "k (part 2)"}
        assert "idempotency key" in client.post(url, json=key).text
        assert not client.get(f"{server.url}/v1/data/shop/history").json()
        assert client.post(url, json={**count, "then": [[count, count]]}).status_code == 200
        assert len(client.get(f"{server.url}/v1/data/shop/history").json()) == 1
