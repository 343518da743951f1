"""A fitted logistic or Poisson regression: noisy parameters, and what can be made of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpsql.models.columns import Supervised
from dpsql.models.estimate_picture import picture
from dpsql.models.estimates import Estimate, Scored, together
from dpsql.models.generalised import regression_document
from dpsql.models.generalised.specification import LogisticRegression, PoissonRegression
from dpsql.models.grouped_models import Groups
from dpsql.models.onnx_graph import onnx_graph
from dpsql.models.predictor import Predictor
from dpsql.report.document import Document
from dpsql.report.figures import QueryCost
from dpsql.report.pictures import written
from dpsql.report.result import Answer

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from onnx import ModelProto
    from sklearn.linear_model import LogisticRegression as LogisticOfSklearn
    from sklearn.linear_model import PoissonRegressor as PoissonOfSklearn

    from dpsql.models.generalised.scoring import LogisticScore
    from dpsql.models.linear.scoring import Score

Array = NDArray[np.float64]
S = TypeVar("S", LogisticRegression, PoissonRegression)
Q = TypeVar("Q", covariant=True)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Regression(Scored[Q], Generic[S, Q]):
    """What both have.

    Attributes:
        model: what was wanted.
        key: the group that it is of; nothing where there are none.
        intercept: b₀.
        coefficients: of each term, in order: a column, or `column = value` of a text.
        rows: how many rows it was fitted to.
        notes: what is to be known of it.
        answers: of the queries that it is made of.
    """

    model: S
    key: tuple[Any, ...]
    intercept: Estimate
    coefficients: Mapping[str, Estimate]
    rows: Estimate
    notes: tuple[str, ...]
    answers: tuple[Answer, ...] = field(compare=False)
    _columns: Supervised = field(compare=False)

    @property
    def coef(self) -> dict[str, float]:
        """The coefficients' values, by term."""
        return {name: found.value for name, found in self.coefficients.items()}

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged, for all queries and all groups together."""
        return together(self.answers)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """A picture: each coefficient, with the interval of noise and that of noise and sampling.

        Args, Raises: see `LinearModel.plot`.
        """
        title = f"A {regression_document.kind(self.model)} regression of {self.model.target}"
        return written(picture([("", self.coefficients)], title), path)

    @property
    def _predictor(self) -> Predictor:
        return Predictor(self._columns, self.intercept.value, self.coef)


if TYPE_CHECKING:
    _Logistic = _Regression[LogisticRegression, LogisticScore]
    _Poisson = _Regression[PoissonRegression, Score]
else:
    _Logistic = _Poisson = _Regression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LogisticModel(_Logistic):
    """A logistic regression with noisy parameters; attributes are as `PoissonModel` has them."""

    def to_sql(self) -> str:
        """P(y) as an expression of plain SQL over the columns: a DOUBLE; NULL where a column is
        NULL, or has a value that is not declared.
        """
        return f"(1 / (1 + EXP(-{self._predictor.sql()})))"

    def predict(self, frame: Any) -> Array:
        """P(y) for the rows of a frame, or of a mapping of columns.

        Raises:
            InvalidArgument: a column is missing.
        """
        eta = self._predictor.values(frame)
        made: Array = np.exp(-np.logaddexp(0.0, -eta))
        return made

    def to_sklearn(self) -> LogisticOfSklearn:
        """A scikit-learn LogisticRegression with these parameters; its features are the terms, its
        classes 0 and 1.

        Raises:
            ImportError: scikit-learn is missing (`pip install scikit-learn`).
        """
        from sklearn.linear_model import LogisticRegression as OfSklearn

        made = OfSklearn()
        made.classes_ = np.array([0, 1])
        made.coef_ = np.array([list(self.coef.values())])
        made.intercept_ = np.array([self.intercept.value])
        made.n_features_in_ = len(self.coef)
        made.feature_names_in_ = np.array(list(self.coef), dtype=object)
        return made

    def to_onnx(self) -> ModelProto:
        """P(y) as an ONNX model: its input is a matrix of the terms, its output one column.

        Raises:
            ImportError: onnx is missing (`pip install onnx`).
        """
        return onnx_graph(self.coef, self.intercept.value, "Sigmoid")

    def _document(self) -> Document:
        return regression_document.model(self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PoissonModel(_Poisson):
    """A Poisson regression with noisy parameters.

    Attributes:
        model: what was wanted.
        key: the group that it is of; nothing where there are none.
        intercept: b₀.
        coefficients: of each term, in order: a column, or `column = value` of a text.
        rows: how many rows it was fitted to.
        notes: what is to be known of it.
        answers: of the queries that it is made of.
    """

    def to_sql(self) -> str:
        """E(y) as an expression of plain SQL over the columns; see `LogisticModel.to_sql`."""
        return f"EXP({self._predictor.sql()})"

    def predict(self, frame: Any) -> Array:
        """E(y) for the rows of a frame, or of a mapping of columns.

        Raises:
            InvalidArgument: a column is missing.
        """
        made: Array = np.exp(self._predictor.values(frame))
        return made

    def to_sklearn(self) -> PoissonOfSklearn:
        """A scikit-learn PoissonRegressor with these parameters; its features are the terms.

        Raises:
            ImportError: scikit-learn is missing (`pip install scikit-learn`).
        """
        from sklearn._loss.loss import HalfPoissonLoss
        from sklearn.linear_model import PoissonRegressor as OfSklearn

        made = OfSklearn()
        made.coef_ = np.array(list(self.coef.values()))
        made.intercept_ = self.intercept.value
        made.n_features_in_ = len(self.coef)
        made.feature_names_in_ = np.array(list(self.coef), dtype=object)
        made._base_loss = HalfPoissonLoss()
        return made

    def to_onnx(self) -> ModelProto:
        """E(y) as an ONNX model; see `LogisticModel.to_onnx`.

        Raises:
            ImportError: onnx is missing (`pip install onnx`).
        """
        return onnx_graph(self.coef, self.intercept.value, "Exp")

    def _document(self) -> Document:
        return regression_document.model(self)


Curved = LogisticModel | PoissonModel
M = TypeVar("M", bound=LogisticModel | PoissonModel, covariant=True)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Regressions(Groups[M, Q]):
    """A regression for each group.

    Attributes:
        model: what was wanted.
        groups: the models, by their keys: tuples of the values of `by`.
        answers: of the queries that they are made of.
    """

    model: LogisticRegression | PoissonRegression
    groups: Mapping[tuple[Any, ...], M]
    answers: tuple[Answer, ...] = field(compare=False)
    _columns: Supervised = field(compare=False)

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged."""
        return together(self.answers)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """A picture: each coefficient of all groups; see `LinearModel.plot`."""
        kind = regression_document.kind(self.model).capitalize()
        title = f"{kind} regressions of {self.model.target}"
        return written(picture(self._named, title), path)


if TYPE_CHECKING:
    _Logistics = _Regressions[LogisticModel, LogisticScore]
    _Poissons = _Regressions[PoissonModel, Score]
else:
    _Logistics = _Poissons = _Regressions


class LogisticModels(_Logistics):
    """A logistic regression for each group; attributes are as `PoissonModels` has them."""

    __slots__ = ()

    def _document(self) -> Document:
        return regression_document.models(self)


class PoissonModels(_Poissons):
    """A Poisson regression for each group.

    Attributes:
        model: what was wanted.
        groups: the models, by their keys: tuples of the values of `by`.
        answers: of the queries that they are made of.
    """

    __slots__ = ()

    def _document(self) -> Document:
        return regression_document.models(self)
