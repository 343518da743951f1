"""What clusters would cost, and how far off they would be, before a private row is read."""

from __future__ import annotations

import math
from collections.abc import Callable

from dpsql.core.calibrate.options import Question, Ways
from dpsql.models.clusters import moving
from dpsql.models.clusters.course import USUAL_ROWS, Heard, Query, course
from dpsql.models.clusters.moving import SURE, Moved
from dpsql.models.clusters.notes import too_small, would_do
from dpsql.models.clusters.specification import KMeans
from dpsql.models.columns import Columns, columns_of
from dpsql.models.forecasts import FitExplanation, FitStep, step
from dpsql.models.linear.notes import LIKELY
from dpsql.models.model_queries import Asked, inner
from dpsql.models.noise_law import planned
from dpsql.models.querying import accepted, explained
from dpsql.models.spread import RUNS, seeded
from dpsql.models.wanted import How
from dpsql.report.explanation import Explanation

MANY_ROWS = 1e15
ROOM = 4
"""Noise so many times as wide is to fit its number format before anything is charged: narrower
bounds may have a lattice twice as fine, and other shares of ε among the sums."""


def explain_fit(db: Asked, sql: str, model: KMeans, how: How, size: float | None) -> FitExplanation:
    """See `Database.explain_fit`."""
    made: list[FitStep] = []

    def told(query: Query, found: Explanation, _: Question) -> None:
        made.append(step(query.name, query.sql, found, query.sums, query.keys))

    columns, moved = _walked(db, sql, model, how, size or USUAL_ROWS, told)
    return _explanation(model, columns, how, made, moved, size)


def ways(db: Asked, sql: str, model: KMeans, how: How) -> Ways:
    """The queries of a fit, with a grid as fine as one of many rows; and with steps from where rows
    are as far as they can be.
    """
    made: list[Question] = []
    furthest: list[Question] = []

    def told(query: Query, _: Explanation, far: Question) -> None:
        made.append(query.how.question(query.sql, query.wishes))
        furthest.append(far)

    _walked(db, sql, model, how, MANY_ROWS, told)
    return [made, furthest]


def _walked(
    db: Asked,
    sql: str,
    model: KMeans,
    how: How,
    size: float,
    told: Callable[[Query, Explanation, Question], None],
) -> tuple[Columns, Moved]:
    """The columns, and where the course ends if so many rows are spread evenly; `told` is told each
    of its queries, and in place of a step one of which sums may be as wide as any step's.
    """
    relation = inner(sql)
    columns = columns_of(db, relation, model)
    every = course(relation, columns, model, how, size)
    query = next(every)
    while True:
        found = explained(db, relation, query.sql, query.how, query.wishes)
        law = planned(found, query.keys)
        noise = law.drawn(RUNS, seeded(query.sql, law.scales.tolist()))
        far = query.how.question(query.sql, query.wishes)
        if query.name == "step":
            at = moving.anywhere(model.clusters, len(columns.terms))
            text = moving.statement(relation, columns, at)
            far = accepted(db, relation, text, query.how, query.wishes, room=ROOM)
        told(query, found, far)
        try:
            query = every.send(Heard(query.imagined, noise, law.deviation(0) / math.sqrt(2)))
        except StopIteration as end:
            return columns, end.value


def _explanation(
    model: KMeans,
    columns: Columns,
    how: How,
    made: list[FitStep],
    found: Moved,
    size: float | None,
) -> FitExplanation:
    title = f"{model.clusters} clusters by {', '.join(model.features)}"
    if size is None:
        return FitExplanation(model, title, tuple(made), {}, ())
    halves = [float(term.half) for term in columns.terms]
    worst = found.noise.max(axis=0, initial=0.0, where=found.noise == found.noise)
    names = [term.name for term in columns.terms]
    wide = {n: float(h * off) for n, h, off in zip(names, halves, worst, strict=True)}
    if not found.hidden and found.enough(size) < SURE / LIKELY:
        return FitExplanation(model, title, tuple(made), wide, ())
    told = (
        f"{too_small(how)} for {model.clusters} clusters of about "
        f"{size:,.0f} rows, if these are spread evenly; about ε = {would_do(found, how, size)} "
        "would do"
    )
    return FitExplanation(model, title, tuple(made), {}, (told,))
