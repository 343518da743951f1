"""Models of data on a server: the same methods, and the server charges what their query costs."""

from __future__ import annotations

import pytest

from dpsql.errors import InvalidArgument, Rejected
from dpsql.models import (
    FactorModel,
    KMeans,
    LinearModel,
    LinearRegression,
    MatrixFactorization,
)
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


@pytest.mark.parametrize(
    ("call", "columns"),
    [
        ("linear_regression(cost, [age])", ("term", "coefficient", "sampling", "rows")),
        ("poisson_regression(cost, [age])", ("term", "coefficient", "sampling", "rows")),
        ("decision_tree(cost, [age])", ("leaf", "condition", "mean", "rows")),
    ],
)
def test_a_model_that_is_asked_for_in_sql(
    server: Served, call: str, columns: tuple[str, ...]
) -> None:
    sql = f"SELECT dp_{call} FROM visits JOIN people ON id = person"
    here = server.service.data["shop"].db.asked_by("anna")
    with server.connect("anna") as there:
        assert str(there.explain(sql, 2)) == str(here.explain(sql, 2))
        assert not there.stored(sql, 2)
        answer = there.run(sql, 2)
        assert answer.cost.eps == 2 and answer.columns == columns
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


def test_factors_of_data_on_a_server_are_those_on_the_spot(server: Served) -> None:
    sql = f"SELECT person, town, cost FROM ({ROWS.replace('cost,', 'person, cost,', 1)}) AS r"
    model = MatrixFactorization("person", "town", "cost", rank=1, rounds=1)
    here = server.service.data["shop"].db.asked_by("anna")
    with server.connect("anna") as there:
        fitted = there.fit(sql, model, 3)
        assert isinstance(fitted, FactorModel) and fitted.cost.eps == 3
        assert here.fit(sql, model, 3).to_sql({"a": 9}) == fitted.to_sql({"a": 9})
        assert there.score(fitted, sql, 300).cost.eps == 300
