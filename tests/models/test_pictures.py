"""The picture of linear models, and their ONNX graphs: both are of the model's own numbers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx.reference
import pytest

import dpsql
from dpsql.models import Estimate, LinearModel, LinearModels, LinearRegression
from tests.models.people import columns, data, opened

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    with opened(data()) as found:
        yield found


@pytest.fixture(scope="module")
def fitted(db: dpsql.Database) -> LinearModel:
    found = db.fit("FROM people", LinearRegression("paid", ["age", "works", "town"]), 20)
    assert isinstance(found, LinearModel)
    return found


def bars(axes: Any) -> dict[str, list[list[float]]]:
    """The ends of the bars of a panel, by what they are of."""
    return {
        made.get_label(): [[float(x) for x, _ in line] for line in made.get_segments()]
        for made in axes.collections
    }


def test_a_panel_has_the_two_intervals_of_a_coefficient(
    fitted: LinearModel, tmp_path: Path
) -> None:
    drawn = fitted.plot(tmp_path / "model.png")
    assert (tmp_path / "model.png").read_bytes().startswith(PNG)
    assert [axes.get_yticklabels()[0].get_text() for axes in drawn.axes] == list(fitted.coef)
    assert drawn.axes[0].get_title(loc="left") == "A linear model of paid"
    for axes, one in zip(drawn.axes, fitted.coefficients.values(), strict=True):
        assert one.noise is not None
        found = bars(axes)
        assert found["noise"] == [pytest.approx([one.value - one.noise, one.value + one.noise])]
        assert found["noise and sampling"] == [pytest.approx([one.low, one.high])]


def test_groups_are_rows_of_a_panel(db: dpsql.Database) -> None:
    odd = "$α$ 🜁"
    sql = f'SELECT town, paid, age AS "{odd}" FROM people'
    found = db.fit(sql, LinearRegression("paid", [odd], by=["town"]), 20)
    assert isinstance(found, LinearModels)
    (axes,) = found.plot().axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Aki", "Bern", "Cork"]
    assert axes.xaxis.get_label_text() == "$α$ □" and len(bars(axes)["noise"]) == 3


def test_an_error_that_is_not_known_is_not_drawn(db: dpsql.Database) -> None:
    found = db.fit("FROM people", LinearRegression("paid", ["age"]), 20)
    assert isinstance(found, LinearModel)
    (axes,) = replace(found, coefficients={"age": Estimate(1.0, 0.5)}).plot().axes
    assert bars(axes)["noise and sampling"] == [] and len(bars(axes)["noise"]) == 1


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
    terms = [rows["age"], rows["works"], rows["town"] == "Bern", rows["town"] == "Cork"]
    made = fitted.to_onnx()
    assert made.graph.doc_string == "age, works, town = Bern, town = Cork"
    read = onnx.load_model_from_string(made.SerializeToString())
    engine = onnx.reference.ReferenceEvaluator(read)
    (found,) = engine.run(None, {"terms": np.column_stack(terms).astype(float)})
    assert np.allclose(found[:, 0], fitted.predict(rows), rtol=1e-12)
    frame = fitted.to_sklearn()
    assert np.allclose(found[:, 0], frame.coef_ @ np.array(terms, dtype=float) + frame.intercept_)


def test_an_onnx_graph_without_an_intercept(db: dpsql.Database) -> None:
    model = LinearRegression("paid", ["age"], intercept=False)
    found = db.fit("FROM people", model, 20)
    assert isinstance(found, LinearModel)
    engine = onnx.reference.ReferenceEvaluator(found.to_onnx())
    (made,) = engine.run(None, {"terms": np.array([[0.0], [30.0]])})
    assert made.tolist() == [[0.0], [pytest.approx(30 * found.coef["age"])]]
