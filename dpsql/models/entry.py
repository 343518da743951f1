"""What `Database` has of models: each kind of model by its specification, or by what was fitted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from dpsql.errors import InvalidArgument
from dpsql.models.asking import Asked
from dpsql.models.before import FitExplanation, checked_size
from dpsql.models.estimates import Fitted
from dpsql.models.generalised import before as curved_before
from dpsql.models.generalised import fitting as curved_fitting
from dpsql.models.generalised import scoring as curved_scoring
from dpsql.models.generalised.fitted import (
    LogisticModel,
    LogisticModels,
    PoissonModel,
    PoissonModels,
)
from dpsql.models.generalised.specification import LogisticRegression, PoissonRegression
from dpsql.models.linear import before, fitting, scoring
from dpsql.models.linear.fitted import LinearModel, LinearModels
from dpsql.models.linear.specification import LinearRegression
from dpsql.models.wanted import How, Specification

F = TypeVar("F")
Q = TypeVar("Q")


class _Kind(NamedTuple):
    """How models of a kind are fitted, and explained."""

    fit: Callable[..., Any]
    explain_fit: Callable[..., FitExplanation]


KINDS: dict[type, _Kind] = {
    LinearRegression: _Kind(fitting.fit, before.explain_fit),
    LogisticRegression: _Kind(curved_fitting.fit, curved_before.explain_fit),
    PoissonRegression: _Kind(curved_fitting.fit, curved_before.explain_fit),
}
"""By what is wanted."""

SCORES: dict[type, Callable[..., Any]] = {
    LogisticModel: curved_scoring.score,
    LogisticModels: curved_scoring.score,
    PoissonModel: scoring.score,
    PoissonModels: scoring.score,
    LinearModel: scoring.score,
    LinearModels: scoring.score,
}
"""By what was fitted."""


def fit(db: Asked, sql: str, model: Specification[F], how: How) -> F:
    """See `Database.fit`."""
    found: F = _kind(model).fit(db, sql, model, how)
    return found


def explain_fit(
    db: Asked, sql: str, model: Specification[object], how: How, size: float | None
) -> FitExplanation:
    """See `Database.explain_fit`."""
    return _kind(model).explain_fit(db, sql, model, how, checked_size(size))


def score(db: Asked, fitted: Fitted[Q], sql: str, how: How) -> Q:
    """See `Database.score`."""
    if type(fitted) not in SCORES:
        raise InvalidArgument("a model is scored that `fit` gave")
    found: Q = SCORES[type(fitted)](db, fitted, sql, how)
    return found


def _kind(model: object) -> _Kind:
    if type(model) not in KINDS:
        every = ", ".join(f"dpsql.models.{kind.__name__}" for kind in KINDS)
        raise InvalidArgument(f"a model is one of {every}")
    return KINDS[type(model)]
