"""Private k-means: what it is without noise, what it costs, and what is made of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans as OfSklearn

import dpsql
from dpsql.models import KMeans, KMeansModel
from dpsql.models.clusters import grid, moving
from dpsql.models.clusters.packing import clustered, distances, packed
from dpsql.models.columns import columns_of
from tests.models.people import ENOUGH, columns
from tests.models.people import data as people
from tests.models.people import opened as opened_people
from tests.models.points import POLICY, data, opened
from tests.support.effort import tries

SQL = "SELECT * FROM points"
MODEL = KMeans(["x", "y", "big"], 3)
SMALL = KMeans(["x", "y"], 2)


@pytest.fixture(scope="module")
def owner() -> duckdb.DuckDBPyConnection:
    return data()


@pytest.fixture(scope="module")
def db(owner: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with opened(owner) as found:
        yield found


@pytest.fixture(scope="module")
def fitted(db: dpsql.Database) -> KMeansModel:
    return db.fit(SQL, MODEL, ENOUGH)


def scaled(owner: duckdb.DuckDBPyConnection) -> np.ndarray:
    rows = columns(owner, f"{SQL} ORDER BY id")
    return np.column_stack([rows["x"] / 5, (rows["y"] - 50) / 50, 2.0 * rows["big"] - 1])


def test_without_noise_it_is_that_of_scikit_learn(
    owner: duckdb.DuckDBPyConnection, fitted: KMeansModel
) -> None:
    """Of clusters that are apart: then no row counts as nearer than it is."""
    found = fitted
    known = OfSklearn(3, n_init=10, random_state=1).fit(scaled(owner))
    order = np.argsort([-len(known.labels_[known.labels_ == j]) for j in range(3)], kind="stable")
    nearest = [int(distances(c[None], found._centres).argmin()) for c in known.cluster_centers_]
    assert sorted(nearest) == [0, 1, 2] and nearest[int(order[0])] == 0, "the largest is the first"
    assert np.allclose(known.cluster_centers_, found._centres[nearest], atol=1e-4)
    sizes = [round(one.size.value) for one in found]
    assert sizes == [int((known.labels_ == nearest.index(j)).sum()) for j in range(3)]
    assert found.inertia is not None
    assert found.inertia.value == pytest.approx(known.inertia_, rel=1e-3)
    assert not found.notes and found.cost.eps == ENOUGH


def test_sums_of_a_step_are_those_of_numpy() -> None:
    """In units of the columns, texts and truths too, of rows that are anywhere."""
    owner = people(300)
    model = KMeans(["age", "size", "paid", "works", "town"], 4)
    with opened_people(owner) as db:
        made = columns_of(db, "SELECT * FROM people", model)
    start = packed(4, 6)
    at = moving.Around(start, np.full_like(start, 0.7))
    found = owner.execute(moving.statement("SELECT * FROM people", made, at)).fetchall()
    rows = columns(owner, "SELECT * FROM people")
    z = np.column_stack(
        [
            (rows["age"] - 54) / 36,
            (rows["size"] - 1.65) / 0.45,
            rows["paid"].astype(float) / 250 - 1,
            2.0 * rows["works"] - 1,
            *(2.0 * (rows["town"] == town) - 1 for town in ("Bern", "Cork")),
        ]
    )
    near = distances(z, start).argmin(axis=1)
    for number, n, *told in sorted(found):
        y = np.clip((z[near == number] - start[number]) / 0.7, -1, 1)
        far = np.minimum(distances(z[near == number], start).min(axis=1), at.furthest)
        assert n == len(y)
        sums = [*y.sum(axis=0), float((far - at.furthest / 2).sum())]
        assert np.allclose([float(v) for v in told], sums, atol=1e-6 * max(n, 1))


def test_a_grid_counts_each_row_once(db: dpsql.Database, owner: duckdb.DuckDBPyConnection) -> None:
    """And a row is within half a cell of the middle of its own."""
    made = columns_of(db, SQL, MODEL)
    every = grid.axes(made, 600, 1.0)
    told = owner.execute(grid.statement(SQL, made, every)).fetchall()
    cells = grid.cells_of(every, {tuple(row[:3]): float(row[3]) for row in told}, 0.0)
    assert cells.counts.sum() == 600
    far = np.abs(scaled(owner)[:, None] - cells.middles[None])
    assert (far <= cells.halves + 1e-9).all(axis=2).any(axis=1).all()
    finer = grid.axes(made, 1e9, 1.0)
    size = np.prod([len(axis.middles) for axis in finer])
    assert grid.fewest(made) == 8 < size <= grid.MOST_CELLS


def test_it_is_charged_what_was_said_and_once() -> None:
    little = POLICY.replace("{eps: 1e9, delta: 0.1}", "{eps: 2, delta: 1e-5}")
    with opened(data(), little) as db:
        said = db.explain_fit(SQL, SMALL, 1)
        assert [step.name for step in said.steps] == ["rows", "grid", "step"]
        assert db.budget.spent.eps == 0
        first = db.fit(SQL, SMALL, 1)
        assert first.cost.exact == said.cost.exact and first.cost.eps == 1
        assert db.budget.spent.eps == 1
        again = db.fit(SQL, SMALL, 1)
        assert again.cost.eps == 0 and again.clusters == first.clusters
        other = db.fit(SQL, SMALL, 0.9, delta=1e-6, fresh=True)
        assert other.cost.eps <= 0.9 and other.cost.delta <= 1e-6
        assert other.centres != first.centres
        with pytest.raises(dpsql.BudgetExceeded):
            db.fit(SQL, SMALL, 0.5, fresh=True)


def test_what_was_asked_before_it_was_stopped_is_not_paid_again() -> None:
    class Stopped:
        """A database that stops before a step."""

        def __init__(self, db: dpsql.Database) -> None:
            self.db = db

        def explain(self, *args: Any, **named: Any) -> Any:
            return self.db.explain(*args, **named)

        def run(self, sql: str, *args: Any, **named: Any) -> Any:
            if "AS moved" in sql:
                raise KeyboardInterrupt
            return self.db.run(sql, *args, **named)

    from dpsql.models import entry
    from dpsql.models.wanted import How

    with opened(data()) as db:
        with pytest.raises(KeyboardInterrupt):
            entry.fit(Stopped(db), SQL, SMALL, How(1))  # type: ignore[arg-type]
        assert float(db.budget.spent.eps) == pytest.approx(0.55)
        found = db.fit(SQL, SMALL, 1)
        assert db.budget.spent.eps == 1 and float(found.cost.eps) == pytest.approx(0.45)


def test_sql_and_scikit_learn_predict_what_predict_does(
    owner: duckdb.DuckDBPyConnection, fitted: KMeansModel
) -> None:
    rows = columns(owner, f"{SQL} ORDER BY id")
    guess = fitted.predict(rows)
    told = owner.execute(f"SELECT {fitted.to_sql()} FROM points ORDER BY id").fetchall()
    assert [number for (number,) in told] == guess.tolist() and set(guess) == {0, 1, 2}
    frame = pd.DataFrame(rows)[["x", "y", "big"]].astype(float)
    pipeline = fitted.to_sklearn()
    assert pipeline.predict(frame).tolist() == guess.tolist()
    assert np.array_equal(pipeline[-1].cluster_centers_, fitted._centres)
    missing = "(SELECT 1.0 AS x, NULL::INTEGER AS y, TRUE AS big)"
    assert owner.execute(f"SELECT {fitted.to_sql()} FROM {missing}").fetchall() == [(None,)]
    assert fitted.predict({"x": [1.0], "y": [np.nan], "big": [True]}).tolist() == [-1]
    with pytest.raises(dpsql.InvalidArgument, match="no column big"):
        fitted.predict({"x": [1.0], "y": [2]})


def test_a_cluster_inside_of_a_query(db: dpsql.Database, fitted: KMeansModel) -> None:
    asked = f"SELECT {fitted.to_sql()} = 0 AS first, COUNT(*) AS n FROM points GROUP BY first"
    answer = db.run(asked, 20)
    assert max(answer["n"]) == pytest.approx(300, abs=20)


def test_score(db: dpsql.Database, owner: duckdb.DuckDBPyConnection, fitted: KMeansModel) -> None:
    found = db.score(fitted, f"{SQL} WHERE x < 2", ENOUGH)
    rows = scaled(owner)[columns(owner, f"{SQL} ORDER BY id")["x"] < 2]
    assert found.distance is not None and found.cost.eps == ENOUGH
    assert found.rows.value == pytest.approx(len(rows), abs=0.01)
    least = distances(rows, fitted._centres).min(axis=1).mean()
    assert found.distance.value == pytest.approx(float(least), rel=1e-3)
    assert "mean squared distance" in str(found)
    few = (db.score(fitted, f"{SQL} WHERE x > 4.99", 0.01, fresh=True) for _ in range(6))
    assert any(one.distance is None for one in few)


def test_text_and_html_and_plain_data(db: dpsql.Database, fitted: KMeansModel) -> None:
    lines = str(fitted).splitlines()
    assert lines[0].split() == ["cluster", "rows", "x", "y", "big"]
    assert "; ± is noise)" in repr(fitted) and "<th" in fitted._repr_html_()
    plain = json.loads(fitted.to_json())
    assert plain["clusters"][0]["centre"]["x"]["value"] == fitted.centres[0]["x"]
    assert len(fitted) == 3 and fitted[1] is fitted.clusters[1]
    explained = db.explain_fit(SQL, MODEL, 1, size=600)
    assert "x from its centre" in str(explained) and "<table" in explained._repr_html_()
    assert set(explained.expected) == {"x", "y", "big"} and not explained.notes
    assert json.loads(explained.to_json())


def test_half_widths_hold() -> None:
    """As often as they say, for centres, sizes and inertia."""
    random = np.random.default_rng(5)
    at = moving.Around(np.array([[0.1, -0.4], [-0.5, 0.6]]), np.array([[0.3, 0.5], [0.2, 0.4]]))
    most, runs = at.furthest, tries(600, 2000)
    sums = np.array([[800.0, 120.0, -90.0, 800 * (0.08 - most / 2)], [500.0, -60.0, 40.0, -50.0]])
    law = np.array([20.0, 8.0, 8.0, 10.0])
    noise = random.laplace(0, law, (4000, 4))
    exact = moving.move(at, sums, noise, 0.5)
    held, inertia, rows = np.zeros((2, 2)), 0, 0
    for _ in range(runs):
        found = moving.move(at, sums + random.laplace(0, law, (2, 4)), noise, 0.5)
        assert not found.hidden
        held += np.abs(found.centres - exact.centres) <= found.noise
        inertia += abs(found.inertia - exact.inertia) <= found.inertia_noise
        rows += int((np.abs(found.counts - exact.counts) <= found.counts_noise).sum())
    assert np.abs(np.array([*held.flat, inertia, rows / 2]) / runs - 0.95).max() < 0.02 + 0.01 * (
        runs < 2000
    )


def test_too_little_is_said(db: dpsql.Database) -> None:
    (note,) = db.explain_fit(SQL, SMALL, 0.01, size=600).notes
    assert note.startswith("ε = 0.01 is too small for 2 clusters of about 600 rows")
    enough = float(note.partition("about ε = ")[2].split()[0])
    assert not db.explain_fit(SQL, SMALL, enough, size=600).notes
    found = db.fit(SQL, SMALL, 0.005, fresh=True)
    assert found.notes and any(c.centre["x"].noise is None for c in found)
    assert float(found.cost.eps) <= 0.005


def test_empty_clusters_are_said(db: dpsql.Database) -> None:
    """Of a truth there are two places."""
    found = db.fit(SQL, KMeans(["big"], 3), ENOUGH)
    assert found.notes[0].startswith("cluster 2 has no more rows than noise may make, or none")
    assert found[2].centre["big"].noise is None and abs(found[2].size.value) < 1
    assert found[0].centre["big"].value == pytest.approx(0, abs=1e-4)


def test_empty_data_and_null(db: dpsql.Database) -> None:
    for _ in range(4):
        found = db.fit(f"{SQL} WHERE x > 4.999", SMALL, 1, fresh=True)
        assert found.notes
        if found.inertia is None:
            break
    # By chance noise alone makes a cluster in one of some tens of fits.
    assert found.inertia is None
    nulls = "SELECT CASE WHEN y > 97 THEN y END AS y FROM points"
    assert db.fit(nulls, KMeans(["y"], 2), 1).notes


def test_many_features_have_no_grid(monkeypatch: pytest.MonkeyPatch, db: dpsql.Database) -> None:
    """Then it is Lloyd's steps from centres that are spread without a look at the rows."""
    monkeypatch.setattr(grid, "MOST_CELLS", 3)
    found = db.fit(SQL, KMeans(["x", "y"], 3, steps=2), ENOUGH)
    assert len(found.answers) == 2 and found.cost.eps == ENOUGH
    rows = scaled(data())[:, :2]
    centres = packed(3, 2)
    for _ in range(2):
        near = distances(rows, centres).argmin(axis=1)
        centres = np.array(
            [rows[near == j].mean(axis=0) if (near == j).any() else centres[j] for j in range(3)]
        )
    assert np.allclose(found._centres, centres, atol=1e-4)


def test_packed_centres_are_apart() -> None:
    for clusters, wide in ((2, 1), (4, 2), (8, 3)):
        found = packed(clusters, wide)
        apart = distances(found, found)[~np.eye(clusters, dtype=bool)].min() ** 0.5
        assert (
            apart >= 2 * (1 - np.abs(found).max()) * 0.5 > 0
            and (packed(clusters, wide) == found).all()
        )


def test_weighted_points_are_clustered_as_by_scikit_learn() -> None:
    random = np.random.default_rng(3)
    points, weights = random.uniform(-1, 1, (200, 2)), random.uniform(0, 5, 200)
    mine = clustered(points, weights, 3)
    theirs = OfSklearn(3, n_init=20, random_state=1).fit(points, sample_weight=weights)
    loss = float(weights @ distances(points, mine).min(axis=1))
    assert loss == pytest.approx(theirs.inertia_, rel=0.02)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: KMeans([], 3), "needs a feature"),
        (lambda: KMeans("x", 3), "as a list"),
        (lambda: KMeans(["x", "X"], 3), "twice"),
        (lambda: KMeans(["x"], 1), "clusters is a whole number from 2 to 20"),
        (lambda: KMeans(["x"], 2.5), "clusters"),  # type: ignore[arg-type]
        (lambda: KMeans(["x"], steps=0), "steps is a whole number from 1 to 10"),
        (lambda: KMeans(["x"], categorical=["y"]), "no feature"),
    ],
)
def test_what_is_wanted_wrongly(made: Any, said: str) -> None:
    with pytest.raises(dpsql.InvalidArgument, match=said):
        made()


def test_columns_that_cannot_be(db: dpsql.Database) -> None:
    for sql, model, said in (
        (SQL, KMeans(["free"]), "no column free"),
        ("SELECT 1 AS x, y FROM points", KMeans(["x", "y"]), "one value"),
        ("SELECT id FROM points", KMeans(["id"]), "bounds"),
    ):
        with pytest.raises((dpsql.InvalidArgument, dpsql.Rejected), match=said):
            db.fit(sql, model, 1)
    with pytest.raises(dpsql.InvalidBudget):
        db.fit(SQL, MODEL, 1e-10)
    with pytest.raises(dpsql.InvalidArgument):
        db.score(MODEL, SQL, 1)  # type: ignore[type-var]
