"""What a model would cost, and how far off it would be, before a private row is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real

import numpy as np

from dpsql.core.calibrate.options import Amount
from dpsql.errors import InvalidArgument
from dpsql.models import notes, told
from dpsql.models.asking import Asked, Noise, inner, shown_in
from dpsql.models.columns import released
from dpsql.models.fitting import Plan, moments, plan
from dpsql.models.noise_law import Law, planned, weights
from dpsql.models.solving import CONFIDENCE, RUNS, Moments, half_width, held, hold, seeded
from dpsql.models.specification import LinearRegression
from dpsql.report.document import Document
from dpsql.report.explanation import Explanation
from dpsql.report.figures import QueryCost
from dpsql.report.forms import Documented, Plain


@dataclass(frozen=True, slots=True)
class Statistic(Plain):
    """A sum that a model is made of.

    Attributes:
        name: of the column.
        sensitivity: how far one unit can move it in one group.
        noise: its 95 % half-width.
    """

    name: str
    sensitivity: float
    noise: float


@dataclass(frozen=True, slots=True, repr=False)
class FitExplanation(Documented):
    """A model, before any private row is read. All of it is public.

    Attributes:
        model: what is wanted.
        statistics: the sums.
        expected: with a number of rows: the 95 % half-width of the noise of each coefficient, in a
            group of so many, where each feature is spread evenly over its range, and neither these
            nor the target have to do with one another. Features that vary less, or go together,
            have wider ones, in proportion to what is left of them.
        notes: what is to be known of it.
        sql: the query.
        explanation: of that query: why it is private.
    """

    model: LinearRegression
    statistics: tuple[Statistic, ...]
    expected: Mapping[str, float]
    notes: tuple[str, ...]
    sql: str
    explanation: Explanation = field(compare=False)

    @property
    def cost(self) -> QueryCost:
        """What `fit` charges, where the same was not fitted before."""
        return self.explanation.cost

    def _document(self) -> Document:
        return told.before(self)

    def __repr__(self) -> str:
        return str(self)


def explain_fit(
    db: Asked,
    sql: str,
    model: LinearRegression,
    eps: Amount = 1,
    delta: Amount = None,
    *,
    size: float | None = None,
    noise: Noise = "auto",
) -> FitExplanation:
    """See `Database.explain_fit`."""
    number = isinstance(size, Real) and not isinstance(size, bool)
    if size is not None and not (number and 0 < size < 1e18):
        raise InvalidArgument("size is a number of rows, above 0")
    made = plan(db, sql, model, noise)
    with shown_in(inner(sql), made.sql):
        explained = db.explain(made.sql, eps, delta, **made.wishes)
    law = planned(explained, made.keys)
    expected, said = ({}, ()) if size is None else _expected(made, law, float(size), explained)
    return FitExplanation(
        model, _statistics(made, law, explained), expected, said, made.sql, explained
    )


def _statistics(made: Plan, law: Law, explained: Explanation) -> tuple[Statistic, ...]:
    """The sums: one that is a measurement is as that is explained; of what is made of several, a
    unit moves it by what it moves these, at most.
    """
    (point,) = released(explained).releases
    steps = [float(measure.sensitivity.linf) for measure in point.measures]
    moved = [sum(abs(w) * steps[m] for m, w in column.items()) for column in weights(explained)]
    drawn = law.drawn(RUNS, seeded(made.sql, law.scales.tolist()))
    exact = {one.name: one.interval(CONFIDENCE) for one in explained.computed}
    exact |= {one.name: one.interval(CONFIDENCE) for one in explained.releases}
    return tuple(
        Statistic(name, own, exact[name] if name in exact else half_width(off))
        for name, own, off in zip(made.sums.names, moved[made.keys :], drawn.T, strict=True)
    )


def _expected(
    made: Plan, law: Law, size: float, explained: Explanation
) -> tuple[dict[str, float], tuple[str, ...]]:
    """The half-widths for so many rows, where features are spread evenly."""
    between = made.units
    noise = moments(made.sums, law.drawn(RUNS, seeded(made.sql, law.scales.tolist())))
    at, seen = hold(between.seen(noise)), between.seen(noise)
    two = [term.two for term in made.columns.terms]
    usual = size * np.diag([1.0, *(1.0 if t else notes.EVEN for t in two)])
    nothing = Moments(usual, np.zeros(len(usual)), np.array(0.0))
    gram = between.seen(nothing).gram + (made.model.ridge or 0.0) * between.penalty
    up, hidden = held(gram, at)
    eps = float(explained.cost.eps)
    needed = notes.enough(size, at, between.features, two, eps)
    said = tuple(notes.hidden(hidden, made.parameters, size, needed, eps))
    spread = seen.cross @ np.linalg.inv(up) @ between.coefficients.T
    return dict(zip(made.parameters, map(half_width, spread.T), strict=True)), said
