"""What is wrong with a model is said: before anything is charged, or with what was found."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpsql
from dpsql.models import LinearRegression as Model
from dpsql.models.linear import fitting
from dpsql.models.linear.fitted import LinearModel, LinearModels
from tests.models.people import ENOUGH, data, opened

SQL = "SELECT * FROM people"


@pytest.fixture(scope="module")
def owner() -> duckdb.DuckDBPyConnection:
    return data()


@pytest.fixture(scope="module")
def db(owner: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with opened(owner) as found:
        yield found


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"target": "y", "features": []}, "a model needs a feature"),
        ({"target": "y", "features": "x"}, "as a list of their names"),
        ({"target": "y", "features": [1]}, "by their names"),
        ({"target": "y", "features": ["x", "X"]}, "X is named twice|x is named twice"),
        ({"target": "y", "features": ["y"]}, "y is named twice"),
        ({"target": "y", "features": ["x"], "by": ["x"]}, "x is named twice"),
        ({"target": "y", "features": ["x"], "categorical": ["z"]}, "z is categorical, but no"),
        ({"target": "y", "features": ["x"], "ridge": -1}, "ridge is a number"),
        ({"target": "y", "features": ["x"], "ridge": float("nan")}, "ridge is a number"),
        ({"target": "y", "features": ["x"], "ridge": True}, "ridge is a number"),
        ({"target": "y", "features": ["x"], "intercept": None}, "True or False"),
    ],
)
def test_a_model_that_is_none(given: dict[str, object], said: str) -> None:
    with pytest.raises(dpsql.InvalidArgument, match=said):
        Model(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sql", "model", "said"),
    [
        (SQL, Model("paid", ["agee"]), "no column agee; it has id, age"),
        (SQL, Model("paid", ["born"]), "born is a DATE, which is no number: write a number"),
        (SQL, Model("town", ["age"]), "town is no number, and cannot be the target"),
        ("SELECT paid, 5 AS c FROM people", Model("paid", ["c"]), "c has one value, by its bounds"),
        ("SELECT age, age AS AGE, paid FROM people", Model("paid", ["age"]), "two columns"),
        ("SELECT 1 AS a, 2 AS b", Model("a", ["b"]), "all of it is public"),
        (
            "SELECT town, COUNT(*) AS n, 5 * COUNT(*) AS m FROM people GROUP BY town",
            Model("n", ["m"]),
            "fitted to rows, not to numbers that have noise",
        ),
        (
            SQL,
            Model("paid", ["age"], categorical=["age"]),
            "the values of age are 73 here: a feature has 2 to 50",
        ),
        (5, Model("paid", ["age"]), "a query is a text, not a int"),
        (SQL, "linear", "a model is one of dpsql.models."),
    ],
)
def test_what_cannot_be_fitted(db: dpsql.Database, sql: str, model: Model, said: str) -> None:
    before = db.budget.spent
    for ask in (db.fit, db.explain_fit):
        with pytest.raises(dpsql.InvalidArgument, match=said):
            ask(sql, model, 1)  # type: ignore[operator]
    assert db.budget.spent == before


def test_a_query_that_is_rejected_is_shown_as_it_was_written(db: dpsql.Database) -> None:
    sql = "SELECT paid, aeg AS age FROM people"
    with pytest.raises(dpsql.Rejected) as rejected:
        db.fit(sql, Model("paid", ["age"]), 1)
    assert rejected.value.code == "DP202" and "SELECT paid, aeg" in str(rejected.value)
    span = rejected.value.span
    assert span is not None and sql[span.start : span.end] == "aeg"


def test_a_number_without_bounds_says_what_to_declare_or_to_write(db: dpsql.Database) -> None:
    with pytest.raises(dpsql.Rejected) as rejected:
        db.fit(SQL, Model("paid", ["free"]), 1)
    assert rejected.value.code == "DP301" and rejected.value.message.endswith('"free"')
    help = rejected.value.help
    assert help is not None and "declare bounds" in help and "LEAST(GREATEST(" in help
    clamped = "SELECT paid, LEAST(GREATEST(free, 0), 500) AS free FROM people"
    assert isinstance(db.fit(clamped, Model("paid", ["free"]), 1), LinearModel)


def test_values_that_are_not_listed() -> None:
    with opened(data(), _policy("town: {type: VARCHAR}")) as db:
        with pytest.raises(dpsql.Rejected) as rejected:
            db.fit(SQL, Model("paid", ["town"]), 1)
        assert rejected.value.code == "DP303"
        listed = f"{SQL} WHERE town IN ('Aki', 'Bern')"
        assert list(db.fit(listed, Model("paid", ["town"]), 1).coef) == ["town = Bern"]


def test_columns_that_go_together(db: dpsql.Database) -> None:
    sql = "SELECT paid, age, 2 * age AS twice FROM people"
    found = db.fit(sql, Model("paid", ["age", "twice"]), ENOUGH)
    alone = db.fit(sql, Model("paid", ["age"]), ENOUGH)
    assert found.notes[0].startswith("age and twice can hardly be told apart")
    together = found.coef["age"] + 2 * found.coef["twice"]
    assert together == pytest.approx(alone.coef["age"], rel=0.02)


def test_a_column_that_does_not_vary() -> None:
    owner = data()
    owner.execute("UPDATE people SET age = 40")
    with opened(owner) as db:
        found = db.fit(SQL, Model("size", ["age", "paid"]), 200)
    assert found.notes[0].startswith("age hardly varies, or is rare, or follows from the others")
    assert "held back" in found.notes[0]


def test_a_column_that_does_not_vary_by_its_bounds(db: dpsql.Database) -> None:
    with pytest.raises(dpsql.InvalidArgument, match="age has one value, by its bounds"):
        db.fit(f"{SQL} WHERE age = 40", Model("size", ["age", "paid"]), 1)


def test_a_group_without_rows() -> None:
    with opened(data(), _policy("town: {type: VARCHAR, values: [Aki, Oslo]}")) as db:
        found = db.fit(SQL, Model("paid", ["age"], by=["town"]), 20)
    assert isinstance(found, LinearModels)
    assert not found["Aki"].notes
    assert "is too small" in found["Oslo"].notes[0]


def test_more_columns_than_units() -> None:
    with opened(data(4)) as db:
        found = db.fit(SQL, Model("paid", ["age", "size", "works", "town"]), ENOUGH)
    assert any("held back" in note for note in found.notes)
    assert fitting.NO_SAMPLING in found.notes


def test_an_epsilon_that_is_too_small(db: dpsql.Database) -> None:
    """Which ε would do is said where noise leaves a number of rows to tell it from."""
    model = Model("paid", ["age", "size", "works"])
    for _ in range(5):
        note, *_ = db.fit(SQL, model, 0.4, fresh=True).notes
        assert note.startswith("ε = 0.4 is too small")
        if "noise hides even how many rows there are" not in note:
            assert note.startswith("ε = 0.4 is too small for 4 parameters of about")
            assert 0.4 < float(note.partition("about ε = ")[2].split()[0]) < 10
    assert not db.fit(SQL, model, 20).notes


def test_rows_without_a_declared_number() -> None:
    policy = _policy("town: {type: VARCHAR}") + (
        "  visits: {access: private, columns: {id: {type: BIGINT, references: people.id}, "
        "hours: {type: DOUBLE, bounds: [0, 10]}, cost: {type: DOUBLE, bounds: [0, 9]}}}\n"
    )
    with opened(data(), policy) as db, pytest.raises(dpsql.Rejected) as rejected:
        db.fit("SELECT hours, cost FROM visits", Model("cost", ["hours"]), 1)
    assert rejected.value.code == "DP302"


def _policy(town: str) -> str:
    return f"""
unit: people.id
budget: {{eps: 1e7, delta: 0}}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {{type: BIGINT}}
      age: {{type: INTEGER, bounds: [18, 90]}}
      paid: {{type: "DECIMAL(8,2)", bounds: [0, 500]}}
      {town}
"""
