"""What `Database` has of models: each kind of model by its specification, or by what was fitted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar, Unpack

from dpsql.core.account.amount import ZERO
from dpsql.core.calibrate.options import Amount, Ways, Wishes
from dpsql.errors import BudgetExceeded, EngineError, InvalidArgument, LimitExceeded, Rejected
from dpsql.models import least
from dpsql.models.clusters import cluster_forecast as clusters_before
from dpsql.models.clusters import fitting as clusters_fitting
from dpsql.models.clusters import scoring as clusters_scoring
from dpsql.models.clusters.fitted import KMeansModel
from dpsql.models.clusters.specification import KMeans
from dpsql.models.estimates import Scored
from dpsql.models.factors import factor_forecast as factors_before
from dpsql.models.factors import fitting as factors_fitting
from dpsql.models.factors import scoring as factors_scoring
from dpsql.models.factors.fitted import FactorModel
from dpsql.models.factors.specification import MatrixFactorization
from dpsql.models.forecasts import FitExplanation, checked_size
from dpsql.models.generalised import fitting as curved_fitting
from dpsql.models.generalised import regression_forecast as curved_before
from dpsql.models.generalised import scoring as curved_scoring
from dpsql.models.generalised.fitted import (
    LogisticModel,
    LogisticModels,
    PoissonModel,
    PoissonModels,
)
from dpsql.models.generalised.specification import LogisticRegression, PoissonRegression
from dpsql.models.linear import fitting, linear_forecast, scoring
from dpsql.models.linear.fitted import LinearModel, LinearModels
from dpsql.models.linear.specification import LinearRegression
from dpsql.models.model_queries import Asked
from dpsql.models.trees import fitting as trees_fitting
from dpsql.models.trees import scoring as trees_scoring
from dpsql.models.trees import tree_forecast as trees_before
from dpsql.models.trees.fitted import Tree
from dpsql.models.trees.specification import DecisionTree
from dpsql.models.wanted import How, Specification
from dpsql.report.result import Answer

F = TypeVar("F")
S = TypeVar("S")


def _one(db: Asked, sql: str, model: Specification[object], how: How) -> Ways:
    """Of a model of one query: nothing follows it."""
    return ()


class _Kind(NamedTuple):
    """How models of a kind are fitted, and explained, and which queries may follow one another."""

    fit: Callable[..., Any]
    explain_fit: Callable[..., FitExplanation]
    ways: Callable[..., Ways]


_CURVED = _Kind(curved_fitting.fit, curved_before.explain_fit, curved_before.ways)

KINDS: dict[type, _Kind] = {
    KMeans: _Kind(clusters_fitting.fit, clusters_before.explain_fit, clusters_before.ways),
    LinearRegression: _Kind(fitting.fit, linear_forecast.explain_fit, _one),
    LogisticRegression: _CURVED,
    PoissonRegression: _CURVED,
    DecisionTree: _Kind(trees_fitting.fit, trees_before.explain_fit, trees_before.ways),
    MatrixFactorization: _Kind(
        factors_fitting.fit, factors_before.explain_fit, factors_before.ways
    ),
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
    """A database, what it charged for what was run, and what may follow.

    Claim: nothing of a fit is charged where a query of it would be refused for what is known
    beforehand. Why: each run is told what may follow it, and is charged only where that would be
    accepted and charged, too. Later texts have constants in them that earlier answers tell; what
    stands for them has as many, in the same places, and the most rows, cells or leaves that
    there can be.
    """

    def __init__(self, db: Asked, ways: Ways) -> None:
        self._db, self._ways, self.paid = db, ways, ZERO
        self.explain = db.explain

    def run(
        self,
        sql: str,
        eps: Amount,
        delta: Amount = None,
        *,
        fresh: bool = False,
        then: Ways = (),
        **wishes: Unpack[Wishes],
    ) -> Answer:
        """See `Database.run`."""
        later = [way[1:] for way in self._ways if way[1:]]
        answer = self._db.run(sql, eps, delta, fresh=fresh, then=later, **wishes)
        if answer.explanation.kind != "public":
            self._ways = later
        self.paid += answer.cost.exact
        return answer


def fit(db: Asked, sql: str, model: Specification[F], how: How) -> F:
    """See `Database.fit`."""
    kind = _kind(model)
    with least.named(how, lambda own: _explained(db, sql, model, own)):
        return _fitted(db, kind, sql, model, how)


def _explained(db: Asked, sql: str, model: Specification[object], how: How) -> None:
    """Raise what it would be refused for."""
    kind = _kind(model)
    kind.ways(db, sql, model, how)
    kind.explain_fit(db, sql, model, how, None)


def _fitted(db: Asked, kind: _Kind, sql: str, model: Specification[F], how: How) -> F:
    charged = _Charged(db, kind.ways(db, sql, model, how))
    problem: BudgetExceeded | LimitExceeded | Rejected | InvalidArgument | None = None
    try:
        found: F = kind.fit(charged, sql, model, how)
        return found
    except (BudgetExceeded, LimitExceeded, Rejected, InvalidArgument) as refused:
        problem = refused
    if charged.paid == ZERO:
        raise problem
    told = f"earlier queries of this model were charged {charged.paid}"
    if isinstance(problem, BudgetExceeded):
        raise BudgetExceeded(f"{problem}; {told}, and are free when it is asked again")
    # An error of these names says that nothing was charged.
    if isinstance(problem, LimitExceeded):
        raise EngineError(f"{problem}; {told}, and are free when it is asked again")
    raise EngineError(f"{told}; a later one was refused, as none should be: {problem}")


def explain_fit(
    db: Asked, sql: str, model: Specification[object], how: How, size: float | None
) -> FitExplanation:
    """See `Database.explain_fit`."""
    kind, many = _kind(model), checked_size(size)
    with least.named(how, lambda own: _explained(db, sql, model, own)):
        return kind.explain_fit(db, sql, model, how, many)


def score(db: Asked, fitted: Scored[S], sql: str, how: How) -> S:
    """See `Database.score`."""
    if type(fitted) not in SCORES:
        raise InvalidArgument("a model is scored that `fit` gave")
    asks = SCORES[type(fitted)]

    def attempt(own: How) -> None:
        with suppress(_Accepted):
            asks(_Explaining(db), fitted, sql, own)

    with least.named(how, attempt):
        found: S = asks(db, fitted, sql, how)
        return found


class _Accepted(Exception):  # noqa: N818  (it is none)
    """A query that would be run."""


class _Explaining:
    """A database that runs nothing but DESCRIBE, which is free: what would be charged is accepted,
    since whatever asks explains it before.
    """

    def __init__(self, db: Asked) -> None:
        self._db = db
        self.explain = db.explain

    def run(self, sql: str, *given: Any, **wishes: Any) -> Answer:
        """See `Database.run`."""
        if not sql.startswith("DESCRIBE "):
            raise _Accepted
        return self._db.run(sql, *given, **wishes)


def _kind(model: object) -> _Kind:
    if type(model) not in KINDS:
        every = ", ".join(f"dpsql.models.{kind.__name__}" for kind in KINDS)
        raise InvalidArgument(f"a model is one of {every}")
    return KINDS[type(model)]
