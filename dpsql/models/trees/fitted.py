"""A fitted tree: noisy numbers, and what can be made of them anywhere, at no cost."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpsql.errors import InvalidArgument
from dpsql.models.columns import Labelled, Supervised
from dpsql.models.estimates import Scored, column_of, numbers_of, together, where
from dpsql.models.literals import constant, double, quoted
from dpsql.models.trees import tree_document
from dpsql.models.trees.leaf_paths import condition, ways
from dpsql.models.trees.onnx_graph import onnx_graph
from dpsql.models.trees.saying import Node
from dpsql.models.trees.specification import DecisionTree
from dpsql.models.trees.tree_picture import picture
from dpsql.report.document import Document
from dpsql.report.figures import QueryCost
from dpsql.report.pictures import written
from dpsql.report.result import Answer
from dpsql.types import Scalar

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from onnx import ModelProto
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    from dpsql.models.linear.scoring import Score
    from dpsql.models.trees.scoring import Confusion

    _Base = Scored[Score | Confusion]
else:
    _Base = Scored


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tree(_Base):
    """A decision tree whose numbers are noisy.

    Attributes:
        model: what was wanted.
        nodes: the first is the root; each stands before those that follow from it.
        notes: what is to be known of it.
        answers: of the queries that it is made of: the levels, and last the leaves.
    """

    model: DecisionTree
    nodes: tuple[Node, ...]
    notes: tuple[str, ...]
    answers: tuple[Answer, ...] = field(compare=False)
    _columns: Supervised | Labelled = field(compare=False)

    @property
    def classes(self) -> tuple[Scalar, ...]:
        """What leaves can say; nothing where the target is a number."""
        return self._columns.classes if isinstance(self._columns, Labelled) else ()

    @property
    def leaves(self) -> tuple[Node, ...]:
        """Those nodes that ask nothing."""
        return tuple(node for node in self.nodes if node.split is None)

    @property
    def conditions(self) -> tuple[str, ...]:
        """What holds of the rows of each leaf, as SQL over the columns."""
        return tuple(map(condition, ways(self.nodes)))

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged, for all queries together."""
        return together(self.answers)

    @property
    def importance(self) -> dict[str, float]:
        """The part of all gains that splits of a feature have; nothing where there is no split."""
        found = dict.fromkeys(self._columns.by_column, 0.0)
        for node in self.nodes:
            if node.split is not None:
                found[node.split.column] += node.gain
        whole = sum(found.values())
        return {name: gain / whole for name, gain in found.items()} if whole else {}

    def to_sql(self, *, probability: bool = False, of: Scalar | None = None) -> str:
        """What is foretold as an expression of plain SQL over the columns: the class, or a DOUBLE;
        NULL where a column that is asked about is NULL, or has a value that is not declared.

        Args:
            probability: whether that of a class is given instead: a DOUBLE.
            of: which class; the last one, which of a truth is TRUE, where none is named.

        Raises:
            InvalidArgument: probabilities of a number; a class that is none.
        """
        if not probability:
            return self._sql(_said)
        known = self._classified()
        if of is not None and of not in known:
            raise InvalidArgument(f"{of} is none of the classes {', '.join(map(str, known))}")
        place = len(known) - 1 if of is None else known.index(of)
        return self._sql(lambda node: double(node.shares[place]))

    def predict(self, frame: Any) -> NDArray[Any]:
        """What is foretold of the rows of a frame, or of a mapping of columns: the class, or a
        number; None or NaN where a column that is asked about is NULL, or not declared.

        Raises:
            InvalidArgument: a column is missing.
        """
        places = self._places(frame)
        if self.classes:
            said = np.array([*(node.value for node in self.nodes), None], dtype=object)[places]
            return said if (places < 0).any() else np.array(said.tolist())
        return np.array([*(node.value for node in self.nodes), np.nan], dtype=float)[places]

    def predict_proba(self, frame: Any) -> NDArray[np.float64]:
        """The probability of each class (second) for each row (first); NaN as above.

        Raises:
            InvalidArgument: a column is missing, or the target is a number.
        """
        none = [np.nan] * len(self._classified())
        return np.array([*(node.shares for node in self.nodes), none])[self._places(frame)]

    def to_sklearn(self) -> DecisionTreeClassifier | DecisionTreeRegressor:
        """A tree of scikit-learn that says the same; its features are the terms: numbers, truths as
        0 and 1, and `column = value` of a text for each value but the first.

        Raises:
            ImportError: scikit-learn is missing (`pip install scikit-learn`).
        """
        from dpsql.models.trees.sklearn import converted

        return converted(self)

    def to_onnx(self) -> ModelProto:
        """The same as an ONNX model of plain operators: its input is a matrix of the terms, as of
        `to_sklearn`; its output `prediction`, one column, or of classes `class` and
        `probabilities`. NaN of a term that is asked about makes these NaN; of a class it is a no.

        Raises:
            ImportError: onnx is missing (`pip install onnx`).
        """
        return onnx_graph(self)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """A picture: the questions, and beside each leaf its mean with the interval of noise, or
        the shares of its classes.

        Args, Raises: see `LinearModel.plot`.
        """
        return written(picture(self), path)

    def _classified(self) -> tuple[Scalar, ...]:
        if not self.classes:
            raise InvalidArgument(f"{self.model.target} is a number: its tree has no probabilities")
        return self.classes

    @property
    def _asked(self) -> tuple[str, ...]:
        """The columns that are asked about."""
        columns = (node.split.column for node in self.nodes if node.split is not None)
        return tuple(dict.fromkeys(columns))

    def _sql(self, leaf: Callable[[Node], str]) -> str:
        def made(place: int) -> str:
            node = self.nodes[place]
            if node.split is None or node.yes is None or node.no is None:
                return leaf(node)
            return f"CASE WHEN {node.split.sql} THEN {made(node.yes)} ELSE {made(node.no)} END"

        known = [self._known(column) for column in self._asked]
        return f"CASE WHEN {' AND '.join(known)} THEN {made(0)} END" if known else made(0)

    def _known(self, column: str) -> str:
        values = self._columns.values.get(column)
        if values is None:
            return f"{quoted(column)} IS NOT NULL"
        return f"{quoted(column)} IN ({', '.join(map(constant, values))})"

    def _places(self, frame: Any) -> NDArray[np.int64]:
        """The leaf of each row; -1 where it has none."""
        known_values = self._columns.values
        columns = {
            name: (column_of if name in known_values else numbers_of)(frame, name)
            for name in self._asked
        }
        found = np.zeros(len(column_of(frame, next(iter(self._columns.by_column)))), dtype=np.int64)
        for place, node in enumerate(self.nodes):
            if node.split is not None:
                here = found == place
                yes = node.split.holds(columns[node.split.column])
                found[here & yes] = node.yes or 0
                found[here & ~yes] = node.no or 0
        for name, values in columns.items():
            known = self._columns.values.get(name)
            good = (
                ~np.isnan(values) if known is None else np.any([where(values, v) for v in known], 0)
            )
            found[~good] = -1
        return found

    def _document(self) -> Document:
        return tree_document.tree(self)


def _said(node: Node) -> str:
    return double(node.value) if isinstance(node.value, float) else constant(node.value)
