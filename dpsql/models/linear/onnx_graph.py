"""A linear model as an ONNX graph: its terms, times the coefficients, plus the intercept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import ModelProto

OPSET, FORMAT = 13, 8
"""Old enough for any engine of the last years."""


def onnx_graph(terms: Sequence[str], coefficients: Sequence[float], intercept: float) -> ModelProto:
    """A graph of one input and one output, both DOUBLE.

    Args:
        terms: the names of the input's columns, in order; the graph's documentation has them.
        coefficients: of each.
        intercept: is added.

    Raises:
        ImportError: onnx is missing (`pip install onnx`).
    """
    try:
        from onnx import TensorProto, checker, helper
    except ImportError as error:
        raise ImportError("to_onnx needs onnx: pip install onnx", name="onnx") from error
    double, wide = TensorProto.DOUBLE, len(terms)
    graph = helper.make_graph(
        [
            helper.make_node("MatMul", ["terms", "coefficients"], ["sums"]),
            helper.make_node("Add", ["sums", "intercept"], ["prediction"]),
        ],
        "linear_model",
        [helper.make_tensor_value_info("terms", double, ["rows", wide])],
        [helper.make_tensor_value_info("prediction", double, ["rows", 1])],
        [
            helper.make_tensor("coefficients", double, [wide, 1], list(coefficients)),
            helper.make_tensor("intercept", double, [1], [intercept]),
        ],
        doc_string=", ".join(terms),
    )
    opsets = [helper.make_opsetid("", OPSET)]
    made: ModelProto = helper.make_model(
        graph, producer_name="dpsql", ir_version=FORMAT, opset_imports=opsets
    )
    checker.check_model(made)
    return made
