"""The pictures of models: they are of the models' own numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpsql
from dpsql.errors import InvalidArgument
from dpsql.models import (
    DecisionTree,
    Estimate,
    KMeans,
    LinearModel,
    LinearModels,
    LinearRegression,
    LogisticRegression,
    MatrixFactorization,
    PoissonRegression,
)
from tests.models import points, raters
from tests.models.people import data, opened
from tests.support.effort import chosen

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


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("logistic", LogisticRegression("works", ["age", "town"], steps=1)),
        ("Poisson", PoissonRegression("works", ["age", "town"], steps=1)),
    ],
)
def test_curved_models_are_drawn_as_linear_ones(
    db: dpsql.Database, name: str, model: LogisticRegression | PoissonRegression
) -> None:
    found = db.fit("SELECT CAST(works AS INTEGER) AS works, age, town FROM people", model, 20)
    drawn = found.plot()  # type: ignore[union-attr]
    assert drawn.axes[0].get_title(loc="left") == f"A {name} regression of works"
    assert len(drawn.axes) == 3
    for axes, one in zip(drawn.axes, found.coefficients.values(), strict=True):  # type: ignore[union-attr]
        assert bars(axes)["noise"] == [
            pytest.approx([one.value - one.noise, one.value + one.noise])
        ]


def test_curved_models_of_groups_are_rows_of_a_panel(db: dpsql.Database) -> None:
    found = db.fit("FROM people", LogisticRegression("works", ["age"], by=["town"], steps=1), 20)
    drawn = found.plot()  # type: ignore[union-attr]
    (axes,) = drawn.axes
    assert axes.get_title(loc="left") == "Logistic regressions of works"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Aki", "Bern", "Cork"]


@pytest.mark.deep
def test_clusters_are_rows_of_the_panels_of_terms() -> None:
    with points.opened(points.data()) as found:
        model = found.fit("FROM points", KMeans(["x", "big"], 3), 30)
    drawn = model.plot()
    assert [axes.xaxis.get_label_text() for axes in drawn.axes] == ["x", "big"]
    for axes, term in zip(drawn.axes, ("x", "big"), strict=True):
        (line,) = axes.lines
        assert line.get_xdata().tolist() == [one[term] for one in model.centres]
        assert [label.get_text() for label in axes.get_yticklabels()][2] == "cluster 2"
        known = [one.centre[term] for one in model if one.centre[term].noise is not None]
        assert [end for _, end in bars(axes)["noise"]] == pytest.approx(
            [one.value + (one.noise or 0.0) for one in known]
        )


def test_a_tree_is_drawn_with_its_questions_and_its_means(
    db: dpsql.Database, tmp_path: Path
) -> None:
    found = db.fit("FROM people", DecisionTree("paid", ["age", "works"], depth=2, bins=8), 20)
    questions, means = found.plot(tmp_path / "tree.png").axes
    assert (tmp_path / "tree.png").read_bytes().startswith(PNG)
    asked = {str(node.split) for node in found.nodes if node.split is not None}
    assert asked <= {text.get_text() for text in questions.texts}
    assert means.lines[0].get_xdata().tolist() == [node.value for node in found.leaves]
    ends = [node.value + node.error for node in found.leaves if node.error is not None]
    assert [end for _, end in bars(means)["noise"]] == pytest.approx(ends)
    assert means.get_ylim() == (len(found.leaves) - 0.5, -0.5)
    leaf = found.leaves[0]
    alone = replace(found, nodes=(replace(leaf, depth=0),))
    assert len(alone.plot().axes[1].lines[0].get_xdata()) == 1
    many = replace(found, nodes=_comb(leaf, found.nodes[0].split, 60))
    with pytest.raises(InvalidArgument, match="up to 40 leaves, not 61"):
        many.plot()


def _comb(leaf: Any, split: Any, many: int) -> tuple[Any, ...]:
    """Nodes of so many questions, each with a leaf."""
    made = []
    for place in range(0, 2 * many, 2):
        made += [replace(leaf, split=split, yes=place + 1, no=place + 2), leaf]
    return (*made, leaf)


def test_a_tree_of_classes_is_drawn_with_shares(db: dpsql.Database) -> None:
    found = db.fit("FROM people", DecisionTree("town", ["paid"], depth=2, bins=4), 60)
    shares = found.plot().axes[1]
    wide = [[bar.get_width() for bar in each] for each in shares.containers]
    assert np.allclose(np.array(wide).T, [node.shares for node in found.leaves])
    assert shares.get_legend_handles_labels()[1] == ["Aki", "Bern", "Cork"]


@pytest.mark.deep
@pytest.mark.parametrize("rank", chosen([1, 2], 1))
def test_items_are_drawn_by_their_factors(rank: int) -> None:
    model = MatrixFactorization("id", "film", "stars", rank=rank, rounds=1)
    with raters.opened(raters.data(60)) as db:
        found = db.fit(raters.SQL, model, 200, 1e-6)
    (axes,) = replace(found, seen=np.array([0.1, *found.seen[1:]])).plot().axes
    assert {text.get_text().strip() for text in axes.texts} == set("abcdefgh")
    other = found.biases + 3 if rank == 1 else found.factors[:, 1]
    drawn = {line.get_label(): line.get_xydata() for line in axes.lines}
    assert np.allclose(drawn["hidden by noise"], [[found.factors[0, 0], other[0]]])
    assert axes.get_ylabel() == ("bias" if rank == 1 else "factor 2")
