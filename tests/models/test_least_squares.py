"""Without noise to speak of, a model is that of least squares on the rows that count."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import numpy as np
import pytest

import dpsql
from dpsql.models import LinearRegression
from dpsql.models.linear.fitted import LinearModel, LinearModels
from tests.models.people import ENOUGH, columns, data, opened


@pytest.fixture(scope="module")
def owner() -> duckdb.DuckDBPyConnection:
    return data()


@pytest.fixture(scope="module")
def db(owner: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with opened(owner) as found:
        yield found


def one(db: dpsql.Database, sql: str, model: LinearRegression) -> LinearModel:
    found = db.fit(sql, model, ENOUGH)
    assert isinstance(found, LinearModel)
    return found


def parameters(found: LinearModel) -> list[float]:
    first = [] if found.intercept is None else [found.intercept.value]
    return [*first, *found.coef.values()]


def best(x: list[np.ndarray], y: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(np.column_stack(x).astype(float), y.astype(float), rcond=None)[0]


NEAR = 2e-3
"""Far beyond what noise at the greatest ε moves a coefficient by, of 400 people: 10⁻⁴ at most."""

PAID = LinearRegression("paid", ["age", "size", "works", "town"])


def test_numbers_of_each_kind_truths_and_texts(
    db: dpsql.Database, owner: duckdb.DuckDBPyConnection
) -> None:
    found, rows = one(db, "SELECT * FROM people", PAID), columns(owner, "FROM people")
    x = [np.ones(400), rows["age"], rows["size"], rows["works"]]
    x += [rows["town"] == town for town in ("Bern", "Cork")]
    assert list(found.coef) == ["age", "size", "works", "town = Bern", "town = Cork"]
    assert np.allclose(parameters(found), best(x, rows["paid"]), rtol=NEAR)
    assert found.rows.value == pytest.approx(400, abs=0.01) and not found.notes
    left = rows["paid"].astype(float) - found.predict(rows)
    assert found.rmse is not None and found.r2 is not None
    assert found.rmse.value == pytest.approx(float(np.sqrt(np.mean(left**2))), rel=1e-4)
    r2 = 1 - np.mean(left**2) / np.var(rows["paid"].astype(float))
    assert found.r2.value == pytest.approx(float(r2), rel=1e-4)


def test_sampling_errors_are_those_of_least_squares(
    db: dpsql.Database, owner: duckdb.DuckDBPyConnection
) -> None:
    model = LinearRegression("paid", ["age", "works"])
    found, rows = one(db, "FROM people", model), columns(owner, "FROM people")
    x = np.column_stack([np.ones(400), rows["age"], rows["works"]]).astype(float)
    y = rows["paid"].astype(float)
    left = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    errors = np.sqrt(np.diag(np.linalg.inv(x.T @ x)) * (left @ left) / 397) * 1.959964
    assert found.intercept is not None
    told = [found.intercept, *found.coefficients.values()]
    assert np.allclose([e.sampling for e in told], errors, rtol=1e-3)
    assert all(e.noise < 0.01 * e.sampling for e in told)  # type: ignore[operator]
    assert told[1].low == pytest.approx(told[1].value - errors[1], rel=1e-3)


def test_without_an_intercept(db: dpsql.Database, owner: duckdb.DuckDBPyConnection) -> None:
    model = LinearRegression("paid", ["age", "size", "works"], intercept=False)
    found, rows = one(db, "SELECT * FROM people", model), columns(owner, "FROM people")
    x = [rows["age"], rows["size"], rows["works"]]
    assert found.intercept is None
    assert np.allclose(parameters(found), best(x, rows["paid"]), rtol=NEAR)


def test_ridge(db: dpsql.Database, owner: duckdb.DuckDBPyConnection) -> None:
    model = LinearRegression("paid", ["age", "size"], ridge=25)
    found, rows = one(db, "SELECT * FROM people", model), columns(owner, "FROM people")
    halves = np.array([36, 0.45])
    z = np.column_stack([np.ones(400), rows["age"] / halves[0], rows["size"] / halves[1]])
    theta = np.linalg.solve(z.T @ z + np.diag([0, 25, 25]), z.T @ rows["paid"].astype(float))
    assert np.allclose(parameters(found), [theta[0], *(theta[1:] / halves)], rtol=NEAR)


def test_groups(db: dpsql.Database, owner: duckdb.DuckDBPyConnection) -> None:
    model = LinearRegression("paid", ["age", "works"], by=["town"])
    found = db.fit("SELECT * FROM people", model, ENOUGH)
    assert isinstance(found, LinearModels)
    assert list(found.groups) == [("Aki",), ("Bern",), ("Cork",)] and len(found) == 3
    for town in ("Aki", "Bern", "Cork"):
        rows = columns(owner, f"FROM people WHERE town = '{town}'")
        x = [np.ones(len(rows["age"])), rows["age"], rows["works"]]
        assert np.allclose(parameters(found[town]), best(x, rows["paid"]), rtol=NEAR)
    with pytest.raises(KeyError):
        _ = found["Oslo"]


def test_a_unit_with_many_rows(db: dpsql.Database, owner: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT hours, cost, age FROM visits JOIN people USING (id)"
    found = one(db, sql, LinearRegression("cost", ["hours", "age"]))
    rows = columns(owner, sql)
    x = [np.ones(len(rows["age"])), rows["hours"], rows["age"]]
    assert np.allclose(parameters(found), best(x, rows["cost"]), rtol=1e-3)
    (note,) = found.notes
    assert note.startswith("a unit has up to 3 rows, which count as independent")
    explained = db.explain_fit(sql, LinearRegression("cost", ["hours", "age"]), 1)
    assert explained.statistics[0].sensitivity == 3


def test_rows_that_break_the_bounds_count_as_at_them_and_no_others_count() -> None:
    owner = data(300, broken=True)
    with opened(owner) as db:
        found = one(db, "SELECT * FROM people", PAID)
    rows = columns(
        owner,
        """SELECT LEAST(GREATEST(age, 18), 90) AS age, LEAST(GREATEST(size, 1.2), 2.1) AS size,
        LEAST(GREATEST(paid, 0), 500) AS paid, works, town FROM people
        WHERE isfinite(size) AND works IS NOT NULL AND town IN ('Aki', 'Bern', 'Cork')""",
    )
    assert 20 < len(rows["age"]) < 200
    x = [np.ones(len(rows["age"])), rows["age"], rows["size"], rows["works"]]
    x += [rows["town"] == town for town in ("Bern", "Cork")]
    assert found.rows.value == pytest.approx(len(rows["age"]), abs=0.01)
    assert np.allclose(parameters(found), best(x, rows["paid"]), rtol=1e-3, atol=5e-3)


def test_numbers_as_categories(db: dpsql.Database, owner: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT paid, age // 40 AS part FROM people WHERE age BETWEEN 18 AND 90"
    found = one(db, sql, LinearRegression("paid", ["part"], categorical=["part"]))
    means = owner.execute(
        "SELECT avg(paid)::DOUBLE FROM people GROUP BY age // 40 ORDER BY age // 40"
    ).fetchall()
    first, *others = (mean for (mean,) in means)
    assert list(found.coef) == ["part = 1", "part = 2"]
    wanted = [first, *(mean - first for mean in others)]
    assert np.allclose(parameters(found), wanted, rtol=1e-3)


def test_data_that_are_replaced() -> None:
    """Then the number of rows is public, and no noise is on it."""
    owner = data()
    policy = """
unit: people.id
neighbours: replace
budget: {eps: 1e9, delta: 0.1}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      age: {type: INTEGER, bounds: [18, 90], nullable: false}
      paid: {type: "DECIMAL(8,2)", bounds: [0, 500], nullable: false}
"""
    with opened(owner, policy) as db:
        found = one(db, "SELECT age, paid FROM people", LinearRegression("paid", ["age"]))
    rows = columns(owner, "FROM people")
    assert np.allclose(parameters(found), best([np.ones(400), rows["age"]], rows["paid"]))
