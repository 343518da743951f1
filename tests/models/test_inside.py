"""dp_predict('name', …): a model inside of a query."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

import dpsql
from dpsql.front.predictions import Foretold, expanded
from dpsql.models import (
    DecisionTree,
    KMeans,
    LinearRegression,
    LogisticRegression,
    MatrixFactorization,
    PoissonRegression,
    with_models,
)
from dpsql.models.columns import released
from tests.models import people, raters

SQL = "SELECT * FROM people"
WANTED: dict[str, Any] = {
    "pay": LinearRegression("paid", ["age", "works", "town"]),
    "by town": LinearRegression("paid", ["AGE"], by=["town"]),
    "likely": LogisticRegression("works", ["age", "size"]),
    "count": PoissonRegression("paid", ["age", "town"]),
    "tree": DecisionTree("paid", ["age", "works"], depth=2),
    "class": DecisionTree("town", ["age", "paid"], depth=2),
    "kind": KMeans(["age", "size"], 2),
}


@pytest.fixture(scope="module")
def owner() -> duckdb.DuckDBPyConnection:
    return people.data(300)


@pytest.fixture(scope="module")
def db(owner: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with people.opened(owner) as opened:
        yield opened


@pytest.fixture(scope="module")
def models(db: dpsql.Database) -> dict[str, Any]:
    return {name: db.fit(SQL, model, people.ENOUGH) for name, model in WANTED.items()}


def test_it_says_what_to_sql_says(owner: duckdb.DuckDBPyConnection, models: dict[str, Any]) -> None:
    """By the names of the columns, by arguments of any case and quoting, and of other columns."""
    for name, model in models.items():
        columns = [*model.model.features, *model.model.by]
        odd = [f'P."{c.upper()}"' if n % 2 else f"p.{c.title()}" for n, c in enumerate(columns)]
        made = [f"/* ) */ ( {c} ) -- it\n" for c in columns]
        calls = [f"DP_Predict ( '{name.upper()}' )"]
        calls += [f"dp_predict('{name}', {', '.join(each)})" for each in (columns, odd, made)]
        sql = with_models(f"SELECT {model.to_sql()}, {', '.join(calls)} FROM people p", models)
        rows = owner.execute(sql).fetchall()
        assert len(rows) == 300 and {len(set(row)) for row in rows} == {1}, name


def test_one_inside_of_another(owner: duckdb.DuckDBPyConnection, models: dict[str, Any]) -> None:
    inner = "LEAST(dp_predict('count', 2 * age, town), 90)"
    sql = f"SELECT dp_predict('likely', {inner}, 1.5) FROM people"
    assert all(0 <= p <= 1 for (p,) in owner.execute(with_models(sql, models)).fetchall())


def test_its_range_is_inferred(db: dpsql.Database, models: dict[str, Any]) -> None:
    """A probability is within 0 and 1, whatever it is of; so one unit moves a sum of them by 1."""
    for call in ("dp_predict('likely')", "dp_predict('likely', 90 - age, size)"):
        sql = with_models(f"SELECT SUM({call}) AS p FROM people", models)
        (measure,) = released(db.explain(sql, 1)).releases[0].measures
        assert 0 < measure.sensitivity.linf * measure.unit <= 1
    sql = "SELECT town, AVG(dp_predict('pay', age, works, town)) AS p FROM people GROUP BY town"
    answer = db.run(with_models(sql, models), 50)
    assert all(0 < p < 500 for p in answer["p"])


def test_what_is_no_call_stays(models: dict[str, Any]) -> None:
    for sql in (
        "SELECT 'dp_predict(1)' AS x -- dp_predict(2)\nFROM people /* dp_predict() */",
        'SELECT "dp_predict"(age) FROM people',
        "SELECT dp_predict FROM people",
        "SELECT 'not closed FROM people",
        "",
    ):
        assert with_models(sql, models) == sql


@pytest.mark.parametrize(
    ("call", "message", "help"),
    [
        (
            "dp_predict('pay', age)",
            "pay is a model of 3 columns, not 1",
            "'pay', age, works, town)",
        ),
        ("dp_predict('by town', age)", "of 2 columns, not 1", "dp_predict('by town', AGE, town)"),
        ("dp_predict('pay', age, works, )", "of 3 columns, not 3", "'pay', age, works, town)"),
        ("dp_predict('pai')", "no model pai is given", "did you mean pay?"),
        ("dp_predict('zzzz')", "no model zzzz is given", "there are 'pay', "),
        ("dp_predict(pay, age)", "without the name of its model", "write a model's name first"),
        ("dp_predict('p' || 'ay')", "without the name of its model", "write a model's name first"),
        ("dp_predict()", "without the name of its model", "write a model's name first"),
        ("dp_predict('pay'", "a bracket that is not closed", "close it"),
    ],
)
def test_what_does_not_fit_is_told_at_its_place(
    models: dict[str, Any], call: str, message: str, help: str
) -> None:
    text = f"SELECT AVG(age),\n  {call} FROM people"
    with pytest.raises(dpsql.Rejected) as no:
        with_models(text, models)
    assert no.value.code == "DP205" and message in no.value.message
    assert no.value.help is not None and help in no.value.help
    assert "line 2, column" in str(no.value) and "^" in str(no.value)
    assert no.value.span is not None and text[no.value.span.start :].startswith(("dp_", "'"))


def test_a_call_that_is_not_written_out(db: dpsql.Database) -> None:
    for sql in (
        "SELECT AVG(dp_predict('m', age)) FROM people",
        "SELECT dp_predict('m') FROM people",
    ):
        with pytest.raises(dpsql.Rejected, match="function dp_predict is not on the") as no:
            db.explain(sql)
        assert no.value.code == "DP204" and "with_models" in str(no.value.help)


def test_models_that_say_nothing_of_a_row_alone() -> None:
    with raters.opened(raters.data(50)) as opened:
        model = opened.fit(
            raters.SQL, MatrixFactorization("id", "film", "stars", rank=1, rounds=1), 10
        )
    for wrong in (model, WANTED["pay"], SimpleNamespace(model=1)):
        with pytest.raises(dpsql.InvalidArgument, match="m is no model that says"):
            with_models("SELECT 1", {"m": wrong})  # type: ignore[dict-item]
    with pytest.raises(dpsql.InvalidArgument, match="a query is a text"):
        with_models(3, {})  # type: ignore[arg-type]


def test_a_wrong_expansion_is_as_private(db: dpsql.Database) -> None:
    """What is put in the place of a call is proven as any text: a bare column is refused, and one
    without bounds in a sum is, too.
    """
    for sql in ("free", '(SELECT MAX("free") FROM people)'):
        text = expanded("SELECT SUM(dp_predict('m')) FROM people", {"m": Foretold(sql, ())})
        with pytest.raises(dpsql.Rejected):
            db.explain(text, 1)
    text = expanded("SELECT dp_predict('m') FROM people", {"m": Foretold('"age"', ("age",))})
    with pytest.raises(dpsql.Rejected):
        db.explain(text, 1)
