"""Fitted factors of items, and what can be made of them anywhere, at no cost."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpsql.errors import InvalidArgument
from dpsql.models.columns import Supervised
from dpsql.models.estimates import Fitted, Scored, together
from dpsql.models.factors import factor_document
from dpsql.models.factors.item_map import picture
from dpsql.models.factors.onnx_graph import onnx_graph
from dpsql.models.factors.specification import MatrixFactorization
from dpsql.models.literals import cases, double, quoted
from dpsql.report.document import Document
from dpsql.report.figures import QueryCost
from dpsql.report.pictures import written
from dpsql.report.result import Answer
from dpsql.types import Scalar

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from onnx import ModelProto

    from dpsql.models.linear.scoring import Score

    _Base = Scored[Score]
else:
    _Base = Scored

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FactorModel(_Base):
    """Noisy biases and factors of items. Those of users are nowhere: whoever has a user's ratings
    finds theirs (`folded`), on the spot and at no cost.

    Factors and biases have no half-widths. Factors are known but for a turn: turned together with
    those of users they foretell the same, so that no single one of them has a value to be near to.
    And the noise of each round but the last went through users' own least squares, of which no
    answer tells. What is known is the noise of the last round: `seen`. A bias is held back towards
    those of all by as much as noise hides of it; notes say where that is most of it.

    Attributes:
        model: what was wanted.
        items: which there are; arrays are in this order.
        ratings: how many each has, with noise.
        noise: the 95 % half-width of it.
        biases: of each item, from the middle of the rating's range.
        factors: of each item, a row.
        seen: which part of the variance of each item's factors is no noise, from 0 to 1.
        notes: what is to be known of it.
        answers: of the queries that it is made of.
    """

    model: MatrixFactorization
    items: tuple[Scalar, ...]
    ratings: Array
    noise: float
    biases: Array
    factors: Array
    seen: Array
    notes: tuple[str, ...]
    answers: tuple[Answer, ...] = field(compare=False)
    _columns: Supervised = field(compare=False)

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged."""
        return together(self.answers)

    def folded(self, ratings: Mapping[Any, float]) -> Array:
        """A user's factors: those of least squares of their own ratings, with the penalty.

        Args:
            ratings: by item.

        Raises:
            InvalidArgument: an item that is none, or a rating that is no number.
        """
        places = self._places(ratings)
        given = np.array([float(value) for value in ratings.values()])
        if not np.isfinite(given).all():
            raise InvalidArgument("a rating is a number")
        target = self._columns.target
        half = float(target.half)
        y = np.clip(given - float(target.centre), -half, half)
        v: Array = self.factors[places]
        gram = v.T @ v + self.model.ridge * np.eye(self.model.rank)
        found: Array = np.asarray(np.linalg.solve(gram, v.T @ (y - self.biases[places])), float)
        return found

    def predict(self, ratings: Mapping[Any, float]) -> dict[Scalar, float]:
        """What a user would rate each item, who has given some ratings; of nobody's the mean.

        Raises:
            InvalidArgument: see `folded`.
        """
        target = self._columns.target
        made = self.biases + self.factors @ self.folded(ratings) + float(target.centre)
        low, high = (float(target.centre + sign * target.half) for sign in (-1, 1))
        return dict(zip(self.items, np.clip(made, low, high).tolist(), strict=True))

    def recommend(
        self, ratings: Mapping[Any, float], count: int = 10
    ) -> list[tuple[Scalar, float]]:
        """The items that a user would rate best, of those that they have not rated.

        Raises:
            InvalidArgument: see `folded`.
        """
        found = [(item, at) for item, at in self.predict(ratings).items() if item not in ratings]
        return sorted(found, key=lambda one: -one[1])[:count]

    def to_sql(self, ratings: Mapping[Any, float]) -> str:
        """What a user would rate, as an expression of plain SQL over the item's column: a DOUBLE;
        NULL for items that are none. Without a user there is nothing to say.

        Raises:
            InvalidArgument: see `folded`.
        """
        made = [(item, double(at)) for item, at in self.predict(ratings).items()]
        return cases(quoted(self.model.item), made)

    def to_onnx(self) -> ModelProto:
        """`predict` of many users as an ONNX model: its input `ratings` has a row for each user and
        a column for each item, NaN where there is no rating; so has its output `predictions`.

        Raises:
            ImportError: onnx is missing (`pip install onnx`).
        """
        return onnx_graph(self)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """A picture: the items by their first two factors, or by the only one and the bias.

        Args, Raises: see `LinearModel.plot`.
        """
        return written(picture(self), path)

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        names = ("ratings", "biases", "factors", "seen")
        plain = Fitted.to_dict(self)
        return plain | {name: getattr(self, name).tolist() for name in names}

    def _places(self, ratings: Mapping[Any, float]) -> list[int]:
        known = {item: place for place, item in enumerate(self.items)}
        other = next((item for item in ratings if item not in known), None)
        if other is not None:
            raise InvalidArgument(f"there is no item {other}")
        return [known[item] for item in ratings]

    def _document(self) -> Document:
        return factor_document.model(self)
