"""ONNX graphs of models: the reference evaluator computes what `predict` does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
import onnx.reference
import pytest

import dpsql
from dpsql.models import (
    DecisionTree,
    KMeans,
    LinearModel,
    LinearRegression,
    LogisticRegression,
    MatrixFactorization,
    PoissonRegression,
    Split,
)
from tests.models import points, raters
from tests.models.people import ENOUGH, columns, data, opened
from tests.support.effort import chosen

Frame = dict[str, np.ndarray]
TOWNS = ("town = Bern", "town = Cork")


@pytest.fixture(scope="module")
def owner() -> duckdb.DuckDBPyConnection:
    return data()


@pytest.fixture(scope="module")
def db(owner: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with opened(owner) as found:
        yield found


@pytest.fixture(scope="module")
def fitted(db: dpsql.Database) -> LinearModel:
    found = db.fit("FROM people", LinearRegression("paid", ["age", "works", "town"]), 20)
    assert isinstance(found, LinearModel)
    return found


def computed(model: Any, given: np.ndarray, name: str = "terms") -> list[Any]:
    """What a graph tells, after it was written and read."""
    read = onnx.load_model_from_string(model.to_onnx().SerializeToString())
    found: list[Any] = onnx.reference.ReferenceEvaluator(read).run(None, {name: given})
    return found


def terms(frame: Frame, *names: str) -> np.ndarray:
    """The columns of terms, such as `town = Bern`."""
    made = []
    for name in names:
        column, _, value = name.partition(" = ")
        made.append(frame[column] == value if value else frame[column])
    return np.column_stack(made).astype(float)


def test_what_is_missing_is_said() -> None:
    code = """
import sys
sys.modules["matplotlib"] = sys.modules["onnx"] = None
from tests.models.people import data, opened
from dpsql.models import LinearRegression
found = opened(data(50)).fit("FROM people", LinearRegression("paid", ["age"]), 5)
for made in (found.plot, found.to_onnx):
    try:
        made()
    except ImportError as error:
        print(error)
"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    plot, onnx = made.stdout.splitlines()
    assert "dpsql[plot]" in plot and "pip install onnx" in onnx


def test_an_onnx_graph_predicts_what_the_model_does(fitted: LinearModel) -> None:
    rows = columns(data(), "SELECT * FROM people")
    given = terms(rows, "age", "works", *TOWNS)
    assert fitted.to_onnx().graph.doc_string == "age, works, town = Bern, town = Cork"
    (found,) = computed(fitted, given)
    assert np.allclose(found[:, 0], fitted.predict(rows), rtol=1e-12)
    frame = fitted.to_sklearn()
    assert np.allclose(found[:, 0], given @ frame.coef_ + frame.intercept_)


def test_an_onnx_graph_without_an_intercept(db: dpsql.Database) -> None:
    model = LinearRegression("paid", ["age"], intercept=False)
    found = db.fit("FROM people", model, 20)
    assert isinstance(found, LinearModel)
    (made,) = computed(found, np.array([[0.0], [30.0]]))
    assert made.tolist() == [[0.0], [pytest.approx(30 * found.coef["age"])]]


def test_curved_graphs_predict_what_the_models_do(db: dpsql.Database) -> None:
    frame = columns(data(), "SELECT * FROM people")
    given = terms(frame, "age", "town = Bern", "town = Cork")
    likely = db.fit("FROM people", LogisticRegression("works", ["age", "town"], steps=1), 20)
    (found,) = computed(likely, given)
    assert np.allclose(found[:, 0], likely.predict(frame), rtol=1e-12)  # type: ignore[union-attr]
    sql = "SELECT CAST(size AS INTEGER) AS n, age, town FROM people"
    counts = db.fit(sql, PoissonRegression("n", ["age", "town"], steps=1), 20)
    (found,) = computed(counts, given)
    assert np.allclose(found[:, 0], counts.predict(frame), rtol=1e-12)  # type: ignore[union-attr]
    assert np.isnan(computed(counts, np.full((1, 3), np.nan))[0]).all()


@pytest.mark.deep
def test_a_graph_of_clusters_tells_the_nearest() -> None:
    rows = points.data()
    frame = columns(rows, "SELECT * FROM points")
    with points.opened(rows) as db:
        model = db.fit("FROM points", KMeans(["x", "y", "big"], 3), 30)
    (found,) = computed(model, terms(frame, "x", "y", "big"))
    assert found.dtype == np.int64 and (found == model.predict(frame)).all()
    assert set(found.tolist()) == {0, 1, 2}
    assert computed(model, np.array([[0.0, np.nan, 1.0]]))[0].tolist() == [-1]


TREES = {
    "number": DecisionTree("paid", ["age", "works", "town"], bins=8),
    "classes": DecisionTree("works", ["age", "paid", "town"], bins=8),
    "texts": DecisionTree("town", ["age", "paid", "works"], bins=8),
    "given": DecisionTree("decade", ["paid", "works"], depth=2, classes=[1, 2]),
}


@pytest.mark.parametrize("name", chosen(TREES, "number", "classes", "given"))
def test_a_graph_of_a_tree_says_what_it_says(
    db: dpsql.Database, owner: duckdb.DuckDBPyConnection, name: str
) -> None:
    model = TREES[name]
    sql = "SELECT *, age // 30 AS decade FROM people"
    frame = columns(owner, sql)
    tree = db.fit(sql, model, ENOUGH)
    names = [name for one in model.features for name in ([one] if one != "town" else TOWNS)]
    given = terms(frame, *names)
    assert tree.to_onnx().graph.doc_string == ", ".join(names)
    found = computed(tree, given)
    if not tree.classes:
        assert np.array_equal(found[0][:, 0], tree.predict(frame))
        edges = [float(n.split.below) for n in tree.nodes if n.split and n.split.below]
        at = np.array([[edge, 0.0, 0.0, 0.0] for edge in edges])
        town = np.array(["Aki"] * len(edges))
        same = {"age": at[:, 0], "works": np.array([False] * len(edges)), "town": town}
        assert np.array_equal(computed(tree, at)[0][:, 0], tree.predict(same)), "at an edge"
    else:
        assert found[0].tolist() == tree.predict(frame).tolist()
        assert np.array_equal(found[1], tree.predict_proba(frame))
    assert np.isnan(computed(tree, np.full((2, len(names)), np.nan))[-1]).all()


def test_the_first_value_of_a_text_is_where_no_term_is_1() -> None:
    rows = data(600)
    sql = "SELECT town, works, town = 'Aki' AND works OR age > 80 AS y, age FROM people"
    frame = columns(rows, sql)
    with opened(rows) as db:
        tree = db.fit(sql, DecisionTree("y", ["town", "works", "age"], depth=2, bins=4), ENOUGH)
    assert Split("town", value="Aki") in [node.split for node in tree.nodes]
    found = computed(tree, terms(frame, *TOWNS, "works", "age"))
    assert (found[0] == tree.predict(frame)).all()


def test_a_tree_without_a_question_says_one_thing(db: dpsql.Database) -> None:
    tree = db.fit("FROM people", DecisionTree("works", ["age"], depth=1), 20)
    alone = replace(tree.nodes[0], split=None, yes=None, no=None)
    tree = replace(tree, nodes=(alone,))
    said, shares = computed(tree, np.array([[30.0], [np.nan]]))
    assert said.tolist() == tree.predict({"age": np.array([30.0, np.nan])}).tolist()
    assert np.allclose(shares, tree.leaves[0].shares)


@pytest.mark.deep
@pytest.mark.parametrize("rank", chosen([1, 2, 3], 2))
def test_a_graph_of_factors_predicts_all_items_of_users(rank: int) -> None:
    model = MatrixFactorization("id", "film", "stars", rank=rank, rounds=1)
    with raters.opened(raters.data(60)) as db:
        found = db.fit(raters.SQL, model, 200, 1e-6)
    users: list[dict[Any, float]] = [{"a": 5, "c": 1, "h": 9}, {}, {"b": 2.5, "d": 4, "e": 1}]
    given = [[one.get(item, np.nan) for item in found.items] for one in users]
    (made,) = computed(found, np.array(given, float), "ratings")
    expected = [list(found.predict(one).values()) for one in users]
    assert np.allclose(made, expected, rtol=1e-9)
