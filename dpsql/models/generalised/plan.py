"""How a regression with a curved mean is asked for: its queries, and how ε is shared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpsql.core.calibrate.options import Wishes
from dpsql.models.columns import Supervised, supervised
from dpsql.models.generalised import newton_sums
from dpsql.models.generalised.exponential_families import Family, logistic, poisson
from dpsql.models.generalised.newton_sums import Key, StepSums, step_sums
from dpsql.models.generalised.specification import LogisticRegression, PoissonRegression
from dpsql.models.linear import notes
from dpsql.models.linear.cross_products import Sums, statement, sums_of
from dpsql.models.model_queries import Asked, inner
from dpsql.models.wanted import How, joined

Array = NDArray[np.float64]

START, EARLY, MOST_EARLY, LAST = 2, 1, 3, 3
"""Shares of ε: of the first query, of each of at most so many early steps, and of the last one,
which gets what early steps do not take, too."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a model is asked for.

    Attributes:
        model: what is wanted.
        family: of it.
        columns: what is public of the relation.
        first: the sums of the first query.
        later: those of a step.
        relation: the analyst's query.
        at_first: how the first query is asked.
        early: how each early step is.
        last: how the last step is, if all of these are taken.
    """

    model: LogisticRegression | PoissonRegression
    family: Family
    columns: Supervised
    first: Sums
    later: StepSums
    relation: str
    at_first: How
    early: tuple[How, ...]
    last: How

    @property
    def first_sql(self) -> str:
        """The first query."""
        return statement(self.relation, self.columns, self.first, self.model.by)

    @property
    def first_wishes(self) -> Wishes:
        """Those of the first query."""
        return {**self.at_first.wishes, "weights": self.first.weights}

    def step_sql(self, at: Mapping[Key, Array]) -> str:
        """The query of a step from θ, by group."""
        parts = (self.relation, self.columns, self.family, self.later)
        return newton_sums.statement(*parts, self.model.by, at)

    @property
    def widest(self) -> str:
        """A step from where μ may be anything: elsewhere residuals have the same bounds, or closer
        ones, and their sums about as much noise, or less.
        """
        return self.step_sql({(): self.anything})

    @property
    def anything(self) -> Array:
        """A θ with which μ may be anything."""
        return np.full(self.size, self.family.high - self.family.low)

    def ways(self) -> Iterator[tuple[How, ...]]:
        """How steps may be asked after the first query: what early ones do not take is the last
        one's.
        """
        least = 0 if self.model.steps is None else len(self.early)
        for taken in range(least, len(self.early) + 1):
            rest = self.early[: len(self.early) - taken]
            yield (*reversed(self.early[len(rest) :]), joined([*rest, self.last]))

    @property
    def step_wishes(self) -> Wishes:
        """Those of a step."""
        return {**self.last.wishes, "weights": self.later.weights}

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return len(self.columns.terms) + 1

    @property
    def names(self) -> tuple[str, ...]:
        """Of them."""
        return (notes.INTERCEPT, *(term.name for term in self.columns.terms))

    @property
    def penalty(self) -> Array:
        """λ as a matrix; nothing of the intercept."""
        made = np.eye(self.size) * (self.model.ridge or 0.0)
        made[0, 0] = 0.0
        return made

    @property
    def back(self) -> Array:
        """The coefficients of the columns as a function of θ, the intercept first."""
        halves = np.array([float(term.half) for term in self.columns.terms])
        centres = np.array([float(term.centre) for term in self.columns.terms])
        made = np.eye(self.size)
        made[0, 1:] = -centres / halves
        made[1:, 1:] = np.diag(1 / halves)
        return made


def plan(db: Asked, sql: str, model: LogisticRegression | PoissonRegression, how: How) -> Plan:
    """The queries for a model. No private row is read.

    Raises:
        Rejected, InvalidArgument: see `supervised`.
    """
    relation = inner(sql)
    columns = supervised(db, relation, model.target, model)
    curved = logistic if isinstance(model, LogisticRegression) else poisson
    family: Family = curved(columns.target)
    many = MOST_EARLY if model.steps is None else model.steps - 1
    own = min(EARLY, MOST_EARLY * EARLY / max(many, 1))
    rest = LAST + MOST_EARLY * EARLY - many * own
    at_first, *early, last = how.shared([START, *[own] * many, rest])
    first = sums_of(columns, square=False)
    later = step_sums(columns, family)
    return Plan(model, family, columns, first, later, relation, at_first, tuple(early), last)
