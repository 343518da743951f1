"""What model is wanted: names of columns, and public numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from dpsql.errors import InvalidArgument
from dpsql.models.wanted import Specification, check_amount, check_names, names

if TYPE_CHECKING:
    from dpsql.models.linear.fitted import LinearModel, LinearModels

    _Base = Specification[LinearModel | LinearModels]
else:
    _Base = Specification


@dataclass(frozen=True, slots=True)
class LinearRegression(_Base):
    """y = b₀ + b₁·x₁ + … by least squares, to be fitted by `Database.fit`.

    Attributes:
        target: y, a column with bounds; or a truth, which counts as 0 and 1.
        features: the columns x. Numbers need bounds, texts declared values: each value but the
            first gets a term of its own, which is 1 in its rows and 0 in others. A truth is 1 or 0.
        ridge: a penalty of so many rows: it is added up with the squares of the coefficients, each
            of its feature divided by half of its range. None for none.
        intercept: whether there is a b₀; the penalty does not count it.
        by: columns: for each of their values a model is fitted.
        categorical: which features are texts, though they are numbers: each value gets a term.

    Raises:
        InvalidArgument: names that are none, or twice; a penalty that is none.
    """

    target: str
    features: tuple[str, ...]
    ridge: float | None = None
    intercept: bool = True
    by: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()

    def __init__(
        self,
        target: str,
        features: Sequence[str],
        *,
        ridge: float | None = None,
        intercept: bool = True,
        by: Sequence[str] = (),
        categorical: Sequence[str] = (),
    ) -> None:
        given = (target, names(features), ridge, intercept, names(by), names(categorical))
        for field, value in zip(fields(self), given, strict=True):
            object.__setattr__(self, field.name, value)
        self._check()

    def _check(self) -> None:
        check_names((self.target, *self.features, *self.by), self.features, self.categorical)
        if self.ridge is not None:
            check_amount("ridge", self.ridge)
        if not isinstance(self.intercept, bool):
            raise InvalidArgument("intercept is True or False")
