"""Models as ONNX graphs of plain operators on DOUBLEs: what any engine of the last years computes.

An input is a matrix with a column for each term; where one is NaN, so is what is computed of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, ValueInfoProto

Array = NDArray[np.float64]

OPSET, FORMAT = 13, 8
"""Old enough for any engine of the last years."""


class Graph:
    """A graph that is made node by node. Its values are known by their names.

    Args:
        name: of the graph.
        told: what its documentation says, such as the names of the input's columns.

    Raises:
        ImportError: onnx is missing (`pip install onnx`).
    """

    def __init__(self, name: str, told: str) -> None:
        try:
            import onnx
        except ImportError as error:
            raise ImportError("to_onnx needs onnx: pip install onnx", name="onnx") from error
        self._onnx, self._name, self._told = onnx, name, told
        self._nodes: list[NodeProto] = []
        self._constants: dict[str, NDArray[Any]] = {}
        self._inputs: list[ValueInfoProto] = []
        self._outputs: list[ValueInfoProto] = []

    def input(self, name: str, columns: int) -> str:
        """A matrix of DOUBLEs with so many columns."""
        self._inputs.append(self._value(name, np.float64, ["rows", columns]))
        return name

    def constant(self, value: Any) -> str:
        """An array."""
        name = f"c{len(self._constants)}"
        self._constants[name] = np.asarray(value)
        return name

    def node(self, kind: str, *inputs: str, called: str | None = None, **options: Any) -> str:
        """The output of an operator.

        Args:
            kind: which operator.
            inputs: its inputs.
            called: a name for its output.
            options: its attributes.
        """
        made = called or f"v{len(self._nodes)}"
        self._nodes.append(self._onnx.helper.make_node(kind, inputs, [made], **options))
        return made

    def number(self, kind: str, left: str, right: float | Array, **options: Any) -> str:
        """The output of an operator with a constant."""
        return self.node(kind, left, self.constant(right), **options)

    def cast(self, value: str, kind: Any) -> str:
        """It as values of another type of NumPy."""
        return self.node("Cast", value, to=self._code(kind))

    def any_nan(self, matrix: str, *, keep: bool = True) -> str:
        """Of each row whether one of its numbers is NaN: a column, or a vector."""
        found = self.cast(self.node("IsNaN", matrix), np.int32)
        most = self.node("ReduceMax", found, axes=[1], keepdims=int(keep))
        return self.cast(most, np.bool_)

    def output(self, name: str, *columns: int, kind: Any = np.float64) -> None:
        """What is told: a vector, or a matrix with so many columns."""
        self._outputs.append(self._value(name, kind, ["rows", *columns]))

    def model(self) -> ModelProto:
        """All of it, checked."""
        onnx = self._onnx
        given = [onnx.numpy_helper.from_array(v, n) for n, v in self._constants.items()]
        graph = onnx.helper.make_graph(
            self._nodes, self._name, self._inputs, self._outputs, given, doc_string=self._told
        )
        opsets = [onnx.helper.make_opsetid("", OPSET)]
        made: ModelProto = onnx.helper.make_model(
            graph, producer_name="dpsql", ir_version=FORMAT, opset_imports=opsets
        )
        onnx.checker.check_model(made, full_check=True)
        return made

    def _value(self, name: str, kind: Any, shape: Sequence[str | int]) -> ValueInfoProto:
        make = self._onnx.helper.make_tensor_value_info
        made: ValueInfoProto = make(name, self._code(kind), shape)
        return made

    def _code(self, kind: Any) -> int:
        found: int = self._onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind))
        return found


def onnx_graph(coefficients: Mapping[str, float], intercept: float, curve: str = "") -> ModelProto:
    """b₀ + Σ b·x: a graph of one input, `terms`, and one output of one column, `prediction`.

    Args:
        coefficients: of each term, in order; the graph's documentation has their names.
        intercept: b₀.
        curve: an operator that is applied to the sum.

    Raises:
        ImportError: onnx is missing (`pip install onnx`).
    """
    graph = Graph("regression" if curve else "linear_model", ", ".join(coefficients))
    terms = graph.input("terms", len(coefficients))
    sums = graph.number("MatMul", terms, np.array([[b] for b in coefficients.values()], float))
    if curve:
        graph.node(curve, graph.number("Add", sums, np.array([intercept])), called="prediction")
    else:
        graph.number("Add", sums, np.array([intercept]), called="prediction")
    graph.output("prediction", 1)
    return graph.model()
