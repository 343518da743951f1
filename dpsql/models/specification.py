"""What model is wanted: names of columns, and public numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from numbers import Real

from dpsql.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class LinearRegression:
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
        given = (target, _names(features), ridge, intercept, _names(by), _names(categorical))
        for field, value in zip(fields(self), given, strict=True):
            object.__setattr__(self, field.name, value)
        self._check()

    def _check(self) -> None:
        used = (self.target, *self.features, *self.by)
        if not all(isinstance(name, str) and name for name in (*used, *self.categorical)):
            raise InvalidArgument("columns are given by their names")
        if not self.features:
            raise InvalidArgument("a model needs a feature, such as features=['age']")
        low = [name.lower() for name in used]
        twice = next((name for name in used if low.count(name.lower()) > 1), None)
        if twice is not None:
            raise InvalidArgument(f"{twice} is named twice: as target, feature or in by")
        features = {name.lower() for name in self.features}
        other = next((name for name in self.categorical if name.lower() not in features), None)
        if other is not None:
            raise InvalidArgument(f"{other} is categorical, but no feature")
        ridge = self.ridge
        number = isinstance(ridge, Real) and not isinstance(ridge, bool)
        if ridge is not None and not (number and math.isfinite(ridge) and ridge >= 0):
            raise InvalidArgument("ridge is a number of rows, 0 or more")
        if not isinstance(self.intercept, bool):
            raise InvalidArgument("intercept is True or False")


def _names(given: Sequence[str]) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InvalidArgument("several columns are given as a list of their names")
    return tuple(given)
