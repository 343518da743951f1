"""A fitted model: noisy parameters, and what can be made of them anywhere, at no cost."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpsql.models.columns import Supervised
from dpsql.models.estimate_picture import picture
from dpsql.models.estimates import Estimate, Scored
from dpsql.models.grouped_models import Groups
from dpsql.models.linear import linear_document
from dpsql.models.linear.specification import LinearRegression
from dpsql.models.onnx_graph import onnx_graph
from dpsql.models.predictor import Predictor
from dpsql.report.document import Document
from dpsql.report.figures import QueryCost
from dpsql.report.pictures import written
from dpsql.report.result import Answer

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from onnx import ModelProto
    from sklearn.linear_model import LinearRegression as OfSklearn

    from dpsql.models.linear.scoring import Score

    _Base = Scored[Score]
else:
    _Base = Scored


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LinearModel(_Base):
    """A linear regression with noisy parameters.

    Attributes:
        model: what was wanted.
        key: the group that it is of; nothing where there are none.
        intercept: b₀; None where there is none.
        coefficients: of each term, in order: a column, or `column = value` of a text.
        rows: how many rows it was fitted to.
        r2, rmse: of those rows: the part of the target's variance that is explained, and the root
            of the mean square that is left; None where noise leaves nothing of them.
        notes: what is to be known of it.
        answer: of the query that it is made of.
    """

    model: LinearRegression
    key: tuple[Any, ...]
    intercept: Estimate | None
    coefficients: Mapping[str, Estimate]
    rows: Estimate
    r2: Estimate | None
    rmse: Estimate | None
    notes: tuple[str, ...]
    answer: Answer = field(compare=False)
    _columns: Supervised = field(compare=False)

    @property
    def coef(self) -> dict[str, float]:
        """The coefficients' values, by term."""
        return {name: found.value for name, found in self.coefficients.items()}

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged, for all groups together."""
        return self.answer.cost

    def to_sql(self) -> str:
        """The prediction as an expression of plain SQL over the columns: a DOUBLE; NULL where a
        column is NULL, or has a value that is not declared.
        """
        return self._predictor.sql()

    def predict(self, frame: Any) -> NDArray[np.float64]:
        """The predictions for the rows of a frame, or of a mapping of columns.

        Raises:
            InvalidArgument: a column is missing.
        """
        return self._predictor.values(frame)

    @property
    def _predictor(self) -> Predictor:
        first = 0.0 if self.intercept is None else self.intercept.value
        return Predictor(self._columns, first, self.coef)

    def to_sklearn(self) -> OfSklearn:
        """A scikit-learn LinearRegression with these parameters; its features are the terms.

        Raises:
            ImportError: scikit-learn is missing (`pip install scikit-learn`).
        """
        from sklearn.linear_model import LinearRegression as OfSklearn

        made = OfSklearn(fit_intercept=self.intercept is not None)
        made.coef_ = np.array(list(self.coef.values()))
        made.intercept_ = 0.0 if self.intercept is None else self.intercept.value
        made.n_features_in_ = len(made.coef_)
        made.feature_names_in_ = np.array(list(self.coef), dtype=object)
        return made

    def to_onnx(self) -> ModelProto:
        """The same as an ONNX model: its input is a matrix of the terms, its output one column.

        Raises:
            ImportError: onnx is missing (`pip install onnx`).
        """
        first = 0.0 if self.intercept is None else self.intercept.value
        return onnx_graph(self.coef, first)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """A picture: each coefficient, with the interval of noise and that of noise and sampling.

        Args:
            path: a file to write it to as well, as PNG, SVG or PDF by its ending.

        Raises:
            InvalidArgument: there is too much to draw.
            ValueError: the ending is of no format that matplotlib writes.
            ImportError: matplotlib is missing (`pip install "dpsql[plot]"`).
            OSError: the file cannot be written.
        """
        title = f"A linear model of {self.model.target}"
        return written(picture([("", self.coefficients)], title), path)

    def _document(self) -> Document:
        return linear_document.model(self)


if TYPE_CHECKING:
    _Bases = Groups[LinearModel, Score]
else:
    _Bases = Groups


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LinearModels(_Bases):
    """A linear regression for each group.

    Attributes:
        model: what was wanted.
        groups: the models, by their keys: tuples of the values of `by`.
        answer: of the query that they are made of.
    """

    model: LinearRegression
    groups: Mapping[tuple[Any, ...], LinearModel]
    answer: Answer = field(compare=False)
    _columns: Supervised = field(compare=False)

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged."""
        return self.answer.cost

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """A picture: each coefficient of all groups; see `LinearModel.plot`."""
        return written(picture(self._named, f"Linear models of {self.model.target}"), path)

    def _document(self) -> Document:
        return linear_document.models(self)
