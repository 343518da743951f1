"""What users would rate as an ONNX graph: their factors are found in it, as `FactorModel.folded`
does, by Gauss's elimination; without a change of rows, since A is at least the penalty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpsql.models.onnx_graph import Graph

if TYPE_CHECKING:
    from onnx import ModelProto

    from dpsql.models.factors.fitted import FactorModel


def onnx_graph(model: FactorModel) -> ModelProto:
    """See `FactorModel.to_onnx`."""
    many, wide = model.factors.shape
    target = model._columns.target
    centre, half, v = float(target.centre), float(target.half), model.factors
    graph = Graph("factors", ", ".join(map(str, model.items)))
    ratings = graph.input("ratings", many)
    none, nothing = graph.node("IsNaN", ratings), graph.constant(0.0)
    given = graph.cast(graph.node("Not", none), np.float64)
    low, high = graph.constant(centre - half), graph.constant(centre + half)
    known = graph.node("Clip", ratings, low, high)
    left = graph.number("Sub", known, model.biases + centre)
    y = graph.node("Where", none, nothing, left)
    squares = [[v[:, [i]] * v[:, [j]] for j in range(wide)] for i in range(wide)]
    a = [[graph.number("MatMul", given, own) for own in row] for row in squares]
    for i in range(wide):
        a[i][i] = graph.number("Add", a[i][i], model.model.ridge)
    b = [graph.number("MatMul", y, v[:, [i]]) for i in range(wide)]
    factors = graph.node("Concat", *_solved(graph, a, b), axis=1)
    made = graph.number("MatMul", factors, v.T.copy())
    graph.node(
        "Clip", graph.number("Add", made, model.biases + centre), low, high, called="predictions"
    )
    graph.output("predictions", many)
    return graph.model()


def _solved(graph: Graph, a: list[list[str]], b: list[str]) -> list[str]:
    """A⁻¹·b of columns of numbers."""
    wide = len(b)

    def less(one: str, times: str, other: str) -> str:
        return graph.node("Sub", one, graph.node("Mul", times, other))

    for k in range(wide):
        for i in range(k + 1, wide):
            times = graph.node("Div", a[i][k], a[k][k])
            a[i] = [less(a[i][j], times, a[k][j]) if j > k else a[i][j] for j in range(wide)]
            b[i] = less(b[i], times, b[k])
    for k in reversed(range(wide)):
        for j in range(k + 1, wide):
            b[k] = less(b[k], a[k][j], b[j])
        b[k] = graph.node("Div", b[k], a[k][k])
    return b
