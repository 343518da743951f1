"""Clusters as an ONNX graph: the centre with the largest c·z − |c|²/2 is the nearest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dpsql.models.onnx_graph import Graph
from dpsql.models.predictor import Predictor

if TYPE_CHECKING:
    from onnx import ModelProto


def onnx_graph(terms: Sequence[str], scores: Sequence[Predictor]) -> ModelProto:
    """A graph of one input, `terms`, and one output, `cluster`: a number, -1 of a row with NaN.

    Args:
        terms: the names of the input's columns, in order.
        scores: of each cluster.

    Raises:
        ImportError: onnx is missing (`pip install onnx`).
    """
    graph = Graph("clusters", ", ".join(terms))
    given = graph.input("terms", len(terms))
    slopes = np.array([[one.coefficients[name] for one in scores] for name in terms])
    sums = graph.number("MatMul", given, slopes)
    every = graph.number("Add", sums, np.array([one.intercept for one in scores]))
    best = graph.node("ArgMax", every, axis=1, keepdims=0)
    none = graph.constant(np.array([-1]))
    graph.node("Where", graph.any_nan(every, keep=False), none, best, called="cluster")
    graph.output("cluster", kind=np.int64)
    return graph.model()
