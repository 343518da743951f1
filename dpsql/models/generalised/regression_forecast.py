"""What such a regression would cost, and how far off it would be, before a private row is read."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from itertools import product

import numpy as np

from dpsql.core.account.amount import parse_eps
from dpsql.core.calibrate.options import Ways
from dpsql.models.columns import released
from dpsql.models.estimates import Estimate
from dpsql.models.forecasts import FitExplanation, step
from dpsql.models.generalised.newton_sums import Key
from dpsql.models.generalised.plan import Plan, plan
from dpsql.models.generalised.regression_document import kind
from dpsql.models.generalised.specification import LogisticRegression, PoissonRegression
from dpsql.models.linear import notes
from dpsql.models.linear.least_squares import held, hold
from dpsql.models.model_queries import Asked
from dpsql.models.noise_law import planned
from dpsql.models.querying import accepted, explained
from dpsql.models.spread import RUNS, half_width, seeded
from dpsql.models.wanted import How
from dpsql.report.explanation import Explanation
from dpsql.types import Type

FLOATS = (0.5, float("nan"), float("inf"))
TEMPORAL = {"DATE": date(2000, 1, 1), "TIMESTAMP": datetime(2000, 1, 1, 12, 30, 0, 5)}


def possible(first: Explanation, keys: int) -> list[Key]:
    """All groups, where they are listed; else some, with a value of each key's type, and NULL.

    Args:
        first: the first query of a fit.
        keys: how many of its columns are keys.
    """
    query = released(first)
    assert query.trace is not None
    listed = {key.column.id: key.values for key in query.releases[0].domain.listed}
    of = [getattr(shown, "column", None) for shown in query.trace.outputs[:keys]]
    values = [
        listed.get(column.id if column else -1) or _some(shown.type)
        for column, shown in zip(of, query.trace.outputs, strict=False)
    ]
    return list(product(*values))


def _some(kind: Type) -> Key:
    if kind.is_float:
        return (*FLOATS, None)
    if kind.is_boolean:
        return (False, True, None)
    if kind.is_numeric:
        return (1, None)
    if kind.is_temporal:
        return (TEMPORAL.get(kind.name, TEMPORAL["TIMESTAMP"]), None)
    return (kind.values[0] if kind.values else "x", None)


CHOSEN = (
    "how many early steps there are is chosen by the answers: what they do not take of ε is the "
    "last one's, so that its noise is about that, or less"
)


def explain_fit(
    db: Asked,
    sql: str,
    model: LogisticRegression | PoissonRegression,
    how: How,
    size: float | None,
) -> FitExplanation:
    """See `Database.explain_fit`."""
    made, keys = plan(db, sql, model, how), len(model.by)
    first = explained(db, made.relation, made.first_sql, made.at_first, made.first_wishes)
    last = explained(db, made.relation, made.widest, made.last, made.step_wishes)
    steps = [step("start", made.first_sql, first, made.first.names, keys)]
    if made.early:
        own = explained(db, made.relation, made.widest, made.early[0], made.step_wishes)
        many = len(made.early)
        steps.append(step("early step", made.widest, own, made.later.names, keys, times=many))
    steps.append(step("last step", made.widest, last, made.later.names, keys))
    taken = () if model.steps else (CHOSEN,)
    expected, said = ({}, ()) if size is None else _expected(made, last, size, how)
    title = f"a {kind(model)} regression of {model.target}"
    return FitExplanation(model, title, tuple(steps), expected, (*taken, *said))


def ways(db: Asked, sql: str, model: LogisticRegression | PoissonRegression, how: How) -> Ways:
    """The queries of a fit, for each number of early steps; of groups, with all that may be told,
    or with others like them.
    """
    made = plan(db, sql, model, how)
    first = explained(db, made.relation, made.first_sql, made.at_first, made.first_wishes)
    start = made.at_first.question(made.first_sql, made.first_wishes)
    groups = possible(first, len(model.by))
    text = made.step_sql(dict.fromkeys(groups, made.anything))
    return [
        [start, *(accepted(db, made.relation, text, own, made.step_wishes) for own in steps)]
        for steps in made.ways()
    ]


def _expected(
    made: Plan, later: Explanation, size: float, how: How
) -> tuple[dict[str, float], tuple[str, ...]]:
    """The half-widths for so many rows, where features are spread evenly and μ is about the middle:
    those of the last step's gradient, as what an earlier step was off by is gone by then.
    """
    law = planned(later, len(made.model.by))
    drawn = law.drawn(RUNS, seeded(made.widest, law.scales.tolist()))
    two = [term.two for term in made.columns.terms]
    # A quarter of a logistic regression; a half of the bound of y, if it is a count.
    slope = float(made.family.steepest)
    slope /= 1 if made.family.low + made.family.high == 0 else 2
    usual = size * slope * np.diag([1.0, *(1.0 if t else notes.EVEN for t in two)])
    at = hold(np.tensordot(drawn, made.later.curvature, 1))
    up, _ = held(usual + made.penalty, at)
    _, hidden = held(usual + made.penalty, replace(at, least=notes.LIKELY * at.least))
    eps = float(parse_eps(how.eps))
    needed = notes.enough(at, np.eye(made.size), two, eps) / slope
    said = tuple(notes.hidden(hidden, made.names, Estimate(size, 0.0), needed, eps))
    spread = drawn @ made.later.gradient @ np.linalg.inv(up) @ made.back.T
    return dict(zip(made.names, map(half_width, spread.T), strict=True)), said
