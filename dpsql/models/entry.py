"""What `Database` has of models: each kind of model by its specification, or by what was fitted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, Unpack

from dpsql.core.account.amount import ZERO
from dpsql.core.calibrate.options import Amount, Wishes
from dpsql.errors import BudgetExceeded, InvalidArgument
from dpsql.models.asking import Asked
from dpsql.models.before import FitExplanation, checked_size
from dpsql.models.clusters import before as clusters_before
from dpsql.models.clusters import fitting as clusters_fitting
from dpsql.models.clusters import scoring as clusters_scoring
from dpsql.models.clusters.fitted import KMeansModel
from dpsql.models.clusters.specification import KMeans
from dpsql.models.estimates import Scored
from dpsql.models.factors import before as factors_before
from dpsql.models.factors import fitting as factors_fitting
from dpsql.models.factors import scoring as factors_scoring
from dpsql.models.factors.fitted import FactorModel
from dpsql.models.factors.specification import MatrixFactorization
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
from dpsql.models.trees import before as trees_before
from dpsql.models.trees import fitting as trees_fitting
from dpsql.models.trees import scoring as trees_scoring
from dpsql.models.trees.fitted import Tree
from dpsql.models.trees.specification import DecisionTree
from dpsql.models.wanted import How, Specification
from dpsql.report.result import Answer

F = TypeVar("F")
S = TypeVar("S")


class _Kind(NamedTuple):
    """How models of a kind are fitted, and explained."""

    fit: Callable[..., Any]
    explain_fit: Callable[..., FitExplanation]


KINDS: dict[type, _Kind] = {
    KMeans: _Kind(clusters_fitting.fit, clusters_before.explain_fit),
    LinearRegression: _Kind(fitting.fit, before.explain_fit),
    LogisticRegression: _Kind(curved_fitting.fit, curved_before.explain_fit),
    PoissonRegression: _Kind(curved_fitting.fit, curved_before.explain_fit),
    DecisionTree: _Kind(trees_fitting.fit, trees_before.explain_fit),
    MatrixFactorization: _Kind(factors_fitting.fit, factors_before.explain_fit),
}
"""By what is wanted."""

SCORES: dict[type, Callable[..., Any]] = {
    KMeansModel: clusters_scoring.score,
    LinearModel: scoring.score,
    LinearModels: scoring.score,
    LogisticModel: curved_scoring.score,
    LogisticModels: curved_scoring.score,
    PoissonModel: scoring.score,
    PoissonModels: scoring.score,
    Tree: trees_scoring.score,
    FactorModel: factors_scoring.score,
}
"""By what was fitted."""


class _Charged:
    """A database, and what it charged for what was run."""

    def __init__(self, db: Asked) -> None:
        self._db, self.paid = db, ZERO
        self.explain = db.explain

    def run(
        self,
        sql: str,
        eps: Amount,
        delta: Amount = None,
        *,
        fresh: bool = False,
        **wishes: Unpack[Wishes],
    ) -> Answer:
        """See `Database.run`."""
        answer = self._db.run(sql, eps, delta, fresh=fresh, **wishes)
        self.paid += answer.cost.exact
        return answer


def fit(db: Asked, sql: str, model: Specification[F], how: How) -> F:
    """See `Database.fit`."""
    charged = _Charged(db)
    problem: BudgetExceeded | None = None
    try:
        found: F = _kind(model).fit(charged, sql, model, how)
        return found
    except BudgetExceeded as exceeded:
        problem = exceeded
    if charged.paid == ZERO:
        raise problem
    told = f"earlier queries of this model were charged {charged.paid}"
    raise BudgetExceeded(f"{problem}; {told}, and are free when it is asked again")


def explain_fit(
    db: Asked, sql: str, model: Specification[object], how: How, size: float | None
) -> FitExplanation:
    """See `Database.explain_fit`."""
    return _kind(model).explain_fit(db, sql, model, how, checked_size(size))


def score(db: Asked, fitted: Scored[S], sql: str, how: How) -> S:
    """See `Database.score`."""
    if type(fitted) not in SCORES:
        raise InvalidArgument("a model is scored that `fit` gave")
    found: S = SCORES[type(fitted)](db, fitted, sql, how)
    return found


def _kind(model: object) -> _Kind:
    if type(model) not in KINDS:
        every = ", ".join(f"dpsql.models.{kind.__name__}" for kind in KINDS)
        raise InvalidArgument(f"a model is one of {every}")
    return KINDS[type(model)]
