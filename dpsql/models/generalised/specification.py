"""What logistic or Poisson regression is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from dpsql.models.wanted import Specification, check_amount, check_names, check_whole, names

if TYPE_CHECKING:
    from dpsql.models.generalised.fitted import (
        LogisticModel,
        LogisticModels,
        PoissonModel,
        PoissonModels,
    )

    _Logistic = Specification[LogisticModel | LogisticModels]
    _Poisson = Specification[PoissonModel | PoissonModels]
else:
    _Logistic = _Poisson = Specification

MOST_STEPS = 20


@dataclass(frozen=True, slots=True)
class Regression(Specification[object]):
    """What both have.

    Attributes:
        target: y.
        features: the columns x. Numbers need bounds, texts declared values: each value but the
            first gets a term of its own, which is 1 in its rows and 0 in others. A truth is 1 or 0.
        ridge: a penalty: so much is added up of the squares of the coefficients, each of its
            feature divided by half of its range, halved, as of the loss. None for none.
        by: columns: for each of their values a model is fitted.
        categorical: which features are texts, though they are numbers: each value gets a term.
        steps: of Newton's method; each is a query, and gets a part of ε. By default as many as suit
            the noise of the first answer: from 1 to 4.

    Raises:
        InvalidArgument: names that are none, or twice; a penalty or steps that are none.
    """

    target: str
    features: tuple[str, ...]
    ridge: float | None = None
    by: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    steps: int | None = None

    def __init__(
        self,
        target: str,
        features: Sequence[str],
        *,
        ridge: float | None = None,
        by: Sequence[str] = (),
        categorical: Sequence[str] = (),
        steps: int | None = None,
    ) -> None:
        given = (target, names(features), ridge, names(by), names(categorical), steps)
        for field, value in zip(fields(self), given, strict=True):
            object.__setattr__(self, field.name, value)
        check_names((target, *self.features, *self.by), self.features, self.categorical)
        if steps is not None:
            check_whole("steps", steps, 1, MOST_STEPS)
        if ridge is not None:
            check_amount("ridge", ridge)


@dataclass(frozen=True, slots=True, init=False)
class LogisticRegression(Regression, _Logistic):
    """P(y) = 1/(1 + exp(−(b₀ + b₁·x₁ + …))), to be fitted by `Database.fit`.

    The target is a truth, or a number from 0 to 1, such as a count of successes over one of tries;
    all else is as `Regression` has it.
    """


@dataclass(frozen=True, slots=True, init=False)
class PoissonRegression(Regression, _Poisson):
    """E(y) = exp(b₀ + b₁·x₁ + …), to be fitted by `Database.fit`.

    The target is a number that is not below 0, such as a count, with bounds; all else is as
    `Regression` has it. Means beyond the upper bound count as at it.
    """
