"""What is made of a fitted model: SQL, predictions, a score, text, HTML, plain data."""

from __future__ import annotations

import json
from collections.abc import Iterator

import duckdb
import numpy as np
import pandas as pd
import pytest

import dpsql
from dpsql.models import LinearRegression
from dpsql.models.linear.fitted import LinearModel, LinearModels
from tests.models.people import ENOUGH, columns, data, opened

SQL = "SELECT * FROM people"
PAID = LinearRegression("paid", ["age", "size", "works", "town"])


@pytest.fixture(scope="module")
def owner() -> duckdb.DuckDBPyConnection:
    return data()


@pytest.fixture(scope="module")
def db(owner: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with opened(owner) as found:
        yield found


@pytest.fixture(scope="module")
def fitted(db: dpsql.Database) -> LinearModel:
    found = db.fit(SQL, PAID, 20)
    assert isinstance(found, LinearModel)
    return found


@pytest.fixture(scope="module")
def grouped(db: dpsql.Database) -> LinearModels:
    found = db.fit(SQL, LinearRegression("paid", ["age", "works"], by=["town"]), 20)
    assert isinstance(found, LinearModels)
    return found


def test_sql_predicts_what_predict_does(
    owner: duckdb.DuckDBPyConnection, fitted: LinearModel, grouped: LinearModels
) -> None:
    rows = columns(owner, f"{SQL} ORDER BY id")
    for model in (fitted, grouped):
        told = owner.execute(f"SELECT {model.to_sql()} FROM people ORDER BY id").fetchall()
        assert np.allclose([value for (value,) in told], model.predict(rows), rtol=1e-12)
    frame = owner.sql(f"{SQL} ORDER BY id").df()
    assert np.allclose(fitted.predict(frame), fitted.predict(rows))
    assert np.allclose(grouped.predict(frame), grouped.predict(rows))


def test_sql_of_values_that_are_not_declared(
    owner: duckdb.DuckDBPyConnection, fitted: LinearModel, grouped: LinearModels
) -> None:
    row = "(SELECT 30 AS age, 1.5 AS size, {} AS works, '{}' AS town)"
    for works, town in (("TRUE", "Oslo"), ("NULL::BOOLEAN", "Aki")):
        asked = f"SELECT {fitted.to_sql()} FROM {row.format(works, town)}"
        assert owner.execute(asked).fetchall() == [(None,)]
    asked = f"SELECT {grouped.to_sql()} FROM {row.format('TRUE', 'Oslo')}"
    assert owner.execute(asked).fetchall() == [(None,)]
    rows = {"age": [30], "size": [1.5], "works": [True], "town": ["Oslo"]}
    assert np.isnan(fitted.predict(rows)) and np.isnan(grouped.predict(rows))
    with pytest.raises(dpsql.InvalidArgument, match="no column town"):
        fitted.predict({"age": [30], "size": [1.5], "works": [True]})
    with pytest.raises(dpsql.InvalidArgument, match="age has values that are no numbers") as caught:
        fitted.predict(rows | {"age": ["secret"]})
    assert "secret" not in repr(caught.value) and caught.value.__context__ is None


def test_a_model_inside_of_a_query(db: dpsql.Database, fitted: LinearModel) -> None:
    """Its range is inferred from the columns' bounds."""
    asked = f"SELECT town, AVG({fitted.to_sql()}) AS guess FROM people GROUP BY town"
    answer = db.run(asked, 20)
    assert answer["town"] == ("Aki", "Bern", "Cork")
    assert all(0 < guess < 500 for guess in answer["guess"])


def test_score(
    db: dpsql.Database,
    owner: duckdb.DuckDBPyConnection,
    fitted: LinearModel,
    grouped: LinearModels,
) -> None:
    for model in (fitted, grouped):
        found = db.score(model, f"{SQL} WHERE age < 60", ENOUGH)
        rows = columns(owner, f"{SQL} WHERE age < 60")
        left = rows["paid"].astype(float) - np.clip(model.predict(rows), 0, 500)
        assert found.r2 is not None and found.rmse is not None
        assert found.rows.value == pytest.approx(len(left), abs=0.01)
        assert found.rmse.value == pytest.approx(float(np.sqrt(np.mean(left**2))), rel=1e-4)
        r2 = 1 - np.mean(left**2) / np.var(rows["paid"].astype(float))
        assert found.r2.value == pytest.approx(float(r2), rel=1e-4)
        assert found.cost.eps == ENOUGH and "RMSE" in str(found)
    noisy = db.score(fitted, SQL, 4)  # of 1 noise hides it now and then
    assert noisy.rmse is not None and noisy.rmse.noise is not None and noisy.rmse.noise > 1


def test_rows_of_one_value_are_scored(db: dpsql.Database, fitted: LinearModel) -> None:
    """And a model that was fitted there would have no term for it."""
    found = db.score(fitted, f"{SQL} WHERE town = 'Bern'", ENOUGH)
    assert 50 < found.rows.value < 300
    with pytest.raises(dpsql.Rejected, match="town"):
        db.score(fitted, "SELECT age, size, works, paid FROM people", 1)


def test_a_truth_is_scored(db: dpsql.Database, owner: duckdb.DuckDBPyConnection) -> None:
    model = db.fit(SQL, LinearRegression("works", ["paid"]), ENOUGH)
    found, rows = db.score(model, SQL, ENOUGH), columns(owner, SQL)
    left = rows["works"] - np.clip(model.predict(rows), 0, 1)
    assert found.rmse is not None
    assert found.rmse.value == pytest.approx(float(np.sqrt(np.mean(left**2))), rel=1e-4)


def test_text_and_html_and_plain_data(
    db: dpsql.Database, fitted: LinearModel, grouped: LinearModels
) -> None:
    lines = str(fitted).splitlines()
    assert lines[0].split() == ["term", "coefficient", "sampling", "from", "to"]
    assert [line.split("  ")[0] for line in lines[2:5]] == ["intercept", "age", "size"]
    assert "town = Bern" in repr(fitted) and lines[-1].startswith("(paid, ε = 20")
    assert "<th" in fitted._repr_html_() and "Bern" in grouped._repr_html_()
    assert "(3 models, ε = 20" in str(grouped)
    explained = db.explain_fit(SQL, PAID, 1, size=400)
    assert "age * size" in str(explained) and "<table" in explained._repr_html_()
    for found in (fitted, grouped, explained):
        assert json.loads(found.to_json())


def test_a_name_in_html_is_escaped() -> None:
    owner = data(30)
    with opened(owner) as db:
        found = db.fit(
            'SELECT paid, age AS "<b>x" FROM people', LinearRegression("paid", ["<b>x"]), 9
        )
    assert "<b>" not in found._repr_html_() and "&lt;b&gt;" in found._repr_html_()


def test_scikit_learn(owner: duckdb.DuckDBPyConnection, fitted: LinearModel) -> None:
    rows = columns(owner, SQL)
    terms = dict(zip(fitted.coef, (rows["age"], rows["size"], rows["works"]), strict=False))
    terms |= {f"town = {town}": rows["town"] == town for town in ("Bern", "Cork")}
    found = fitted.to_sklearn().predict(pd.DataFrame(terms).astype(float))
    assert np.allclose(found, fitted.predict(rows))
