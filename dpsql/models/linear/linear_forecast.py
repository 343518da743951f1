"""What a linear model would cost, and how far off it would be, before a private row is read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpsql.models.estimates import Estimate
from dpsql.models.forecasts import FitExplanation, step
from dpsql.models.linear import notes
from dpsql.models.linear.fitting import Plan, moments, plan
from dpsql.models.linear.least_squares import Moments, held, hold
from dpsql.models.linear.specification import LinearRegression
from dpsql.models.model_queries import Asked, inner
from dpsql.models.noise_law import Law, planned
from dpsql.models.querying import explained
from dpsql.models.spread import RUNS, half_width, seeded
from dpsql.models.wanted import How
from dpsql.report.explanation import Explanation


def explain_fit(
    db: Asked, sql: str, model: LinearRegression, how: How, size: float | None
) -> FitExplanation:
    """See `Database.explain_fit`."""
    made = plan(db, sql, model, how)
    found = explained(db, inner(sql), made.sql, how, made.wishes)
    law = planned(found, made.keys)
    expected, said = ({}, ()) if size is None else _expected(made, law, size, found)
    one = step("sums", made.sql, found, made.sums.names, made.keys)
    return FitExplanation(model, f"a linear model of {model.target}", (one,), expected, said)


def _expected(
    made: Plan, law: Law, size: float, explained: Explanation
) -> tuple[dict[str, float], tuple[str, ...]]:
    """The half-widths for so many rows, where features are spread evenly."""
    between = made.units
    noise = moments(made.sums, law.drawn(RUNS, seeded(made.sql, law.scales.tolist())))
    seen = between.seen(noise)
    at = hold(seen.gram)
    two = [term.two for term in made.columns.terms]
    usual = size * np.diag([1.0, *(1.0 if t else notes.EVEN for t in two)])
    nothing = Moments(usual, np.zeros(len(usual)), np.array(0.0))
    gram = between.seen(nothing).gram + (made.model.ridge or 0.0) * between.penalty
    up, _ = held(gram, at)
    _, hidden = held(gram, replace(at, least=notes.LIKELY * at.least))
    eps = float(explained.cost.eps)
    needed = notes.enough(at, between.features, two, eps)
    said = tuple(notes.hidden(hidden, made.parameters, Estimate(size, 0.0), needed, eps))
    spread = seen.cross @ np.linalg.inv(up) @ between.coefficients.T
    return dict(zip(made.parameters, map(half_width, spread.T), strict=True)), said
