"""A tree as an ONNX graph of plain operators, which compares DOUBLEs as the tree does.

All questions are asked of a row at once, each as x < t of a column. A leaf counts 1 for each that
must hold on the way to it, and -1 for each that must not; of all leaves the row is in the one whose
count is how many must hold, since any other has fewer. (The trees of ai.onnx.ml compare numbers of
single precision, or are newer than many engines.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpsql.models.onnx_graph import Graph
from dpsql.models.trees.bins import Split
from dpsql.models.trees.leaf_paths import ways

if TYPE_CHECKING:
    from onnx import ModelProto

    from dpsql.models.trees.fitted import Tree


def onnx_graph(tree: Tree) -> ModelProto:
    """See `Tree.to_onnx`."""
    terms = [term.name for term in tree._columns.terms]
    graph = Graph("decision_tree", ", ".join(terms))
    place, unknown = _place(graph, tree, graph.input("terms", len(terms)))
    nan = graph.constant(np.array([[np.nan]]))
    if not tree.classes:
        means = graph.constant([[float(node.value)] for node in tree.leaves])  # type: ignore[arg-type]
        graph.node("Where", unknown, nan, graph.node("Gather", means, place), called="prediction")
        graph.output("prediction", 1)
        return graph.model()
    said = np.array([node.value for node in tree.leaves])
    said = said if said.dtype.kind in "bi" else said.astype(str).astype(object)
    graph.node("Gather", graph.constant(said), place, called="class")
    graph.output("class", kind=said.dtype)
    shares = graph.node("Gather", graph.constant([node.shares for node in tree.leaves]), place)
    graph.node("Where", unknown, nan, shares, called="probabilities")
    graph.output("probabilities", len(tree.classes))
    return graph.model()


def _place(graph: Graph, tree: Tree, given: str) -> tuple[str, str]:
    """The leaf of each row; and a column: whether NaN is among the numbers that are asked about."""
    paths = list(ways(tree.nodes))
    splits = list(dict.fromkeys(split for way in paths for split, _ in way))
    asked = [_asked(graph, tree, given, split) for split in splits]
    if not splits:  # a question about nothing, whose answer is no
        first = graph.node("Gather", given, graph.constant(np.array([0])), axis=1)
        asked = [(graph.cast(graph.node("IsNaN", first), np.float64), -1.0, True)]
    counts = np.zeros((len(asked), len(paths)))
    for leaf, way in enumerate(paths):
        for split, yes in way:
            question = splits.index(split)
            counts[question, leaf] = 1.0 if yes == asked[question][2] else -1.0
    numbers = graph.node("Concat", *(one for one, _, _ in asked), axis=1)
    under = graph.number("Less", numbers, np.array([at for _, at, _ in asked]))
    found = graph.number("MatMul", graph.cast(under, np.float64), counts)
    left = graph.number("Sub", found, (counts > 0).sum(axis=0).astype(float))
    return graph.node("ArgMax", left, axis=1, keepdims=0), graph.any_nan(numbers)


def _asked(graph: Graph, tree: Tree, given: str, split: Split) -> tuple[str, float, bool]:
    """A question: a column, t, and whether x < t is a yes."""
    places = {term.name: place for place, term in enumerate(tree._columns.terms)}
    own = [places[term.name] for term in tree._columns.by_column[split.column]]
    if split.below is not None:
        return _gathered(graph, given, own), float(split.below), True
    value = tree._columns.values[split.column].index(split.value)
    if value:
        return _gathered(graph, given, own[value - 1 : value]), 0.5, False
    every = _gathered(graph, given, own)  # the first value has no term: it is where no other is
    return graph.node("ReduceSum", every, graph.constant(np.array([1])), keepdims=1), 0.5, True


def _gathered(graph: Graph, given: str, columns: list[int]) -> str:
    return graph.node("Gather", given, graph.constant(np.array(columns)), axis=1)
