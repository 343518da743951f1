"""How often the half-widths of what leaves say hold: with the noise that is proven, many times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dpsql.models import DecisionTree
from dpsql.models.columns import Labelled
from dpsql.models.noise_law import Law, planned
from dpsql.models.querying import explained
from dpsql.models.spread import RUNS
from dpsql.models.trees.growing import Branch
from dpsql.models.trees.planning import Plan, plan
from dpsql.models.trees.saying import Node, said
from dpsql.models.wanted import How
from tests.models.people import columns, data, opened
from tests.support.effort import tries

DRAWS = 100
Frame = dict[str, np.ndarray]


def leaves_of(tree: Branch, frame: Frame, rows: np.ndarray) -> Iterator[np.ndarray]:
    """The rows of each leaf."""
    if tree.split is None:
        yield rows
        return
    yes = tree.split.holds(frame[tree.split.column][rows])
    for side, own in zip(tree.sides, (rows[yes], rows[~yes]), strict=True):
        yield from leaves_of(side, frame, own)


def channels(made: Plan, frame: Frame) -> np.ndarray:
    """What each row (first) adds to its cell."""
    y = frame[made.model.target]
    if isinstance(made.columns, Labelled):
        return np.column_stack([y == one for one in made.columns.classes]).astype(float)
    return np.column_stack([np.ones(len(y)), y.astype(float) - float(made.columns.target.centre)])


def bins(made: Plan, frame: Frame) -> list[np.ndarray]:
    """The bin of each row, of each feature."""
    found = []
    for one in made.features:
        own = frame[one.column]
        if one.values:
            place = np.argmax(np.column_stack([own == value for value in one.values]), axis=1)
        else:
            place = np.searchsorted([float(e) for e in one.edges], own.astype(float), "right")
        found.append(one.first + place)
    return found


def drawn(law: Law, shape: tuple[int, ...], wide: int, random: np.random.Generator) -> np.ndarray:
    """Noise of the numbers (last) of cells; of classes each is a cell of its own."""
    each = wide // law.parts.shape[0]
    return law.drawn(int(np.prod(shape)) * each, random).reshape(*shape, wide)


def grown(
    made: Plan, laws: tuple[Law, Law], frame: Frame, random: np.random.Generator
) -> list[tuple[Node, np.ndarray]]:
    """A tree with noise that is drawn anew: its leaves, and their rows."""
    each, places, tree = channels(made, frame), bins(made, frame), made.root
    every = np.arange(len(each))
    for _ in range(made.model.depth):
        leaves = list(tree.leaves())
        noise = drawn(laws[0], (DRAWS, made.bins), made.wide, random)
        for leaf, rows in zip(leaves, list(leaves_of(tree, frame, every)), strict=True):
            cells = drawn(laws[0], (made.bins,), made.wide, random)
            for place in places:
                np.add.at(cells, place[rows], each[rows])
            leaf.look(cells, noise, made.features, made.channels)
    groups = list(leaves_of(tree, frame, every))
    sums = np.array([each[rows].sum(axis=0) for rows in groups])
    noise = drawn(laws[1], (RUNS, len(groups)), made.wide, random)
    nodes, _ = said(made, tree, sums + drawn(laws[1], (len(groups),), made.wide, random), noise)
    return list(zip((node for node in nodes if node.split is None), groups, strict=True))


def exact(made: Plan, node: Node, rows: np.ndarray, frame: Frame) -> tuple[float, float]:
    """What a leaf says and what is so of its rows: the mean, or the share of the class."""
    own: Any = frame[made.model.target][rows]
    if node.shares:
        return max(node.shares), float(np.mean(own == node.value))
    return float(node.value), float(own.astype(float).mean())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "model",
    [
        DecisionTree("paid", ["age", "works", "town"], depth=2, bins=8),
        DecisionTree("works", ["age", "paid", "town"], depth=2, bins=8),
    ],
    ids=["number", "classes"],
)
def test_half_widths_of_leaves_hold(model: DecisionTree) -> None:
    """Of noise, given the questions: how often what is so of the leaf's rows is within them."""
    sql = "SELECT * FROM people"
    frame, random = columns(data(2000), sql), np.random.default_rng(5)
    with opened(data(20)) as db:
        made = plan(db, sql, model, How(2))
        texts = ((made.level(made.root, 0), 2), (made.last(made.root), 1))
        asked = zip(texts, (made.hows[0], made.hows[-1]), strict=True)
        more = int(bool(made.classes))
        laws = [planned(explained(db, sql, t, how), keys + more) for (t, keys), how in asked]
    hits, counts, hidden = [], [], 0
    for _ in range(tries(100, 2000)):
        for node, rows in grown(made, (laws[0], laws[1]), frame, random):
            counts.append(abs(node.rows.value - len(rows)) <= (node.rows.noise or 0.0))
            if node.error is None or not len(rows):
                hidden += 1
                continue
            told, so = exact(made, node, rows, frame)
            hits.append(abs(told - so) <= node.error)
    assert 0.92 <= np.mean(hits) <= 0.98, np.mean(hits)
    assert 0.92 <= np.mean(counts) <= 0.98, np.mean(counts)
    assert len(hits) > 3 * tries(100, 2000) and hidden < len(hits) / 10
