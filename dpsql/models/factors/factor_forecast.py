"""What a matrix factorisation would cost, before a private row is read."""

from __future__ import annotations

import numpy as np

from dpsql.core.calibrate.options import Ways
from dpsql.models.factors import directions, factor_queries
from dpsql.models.factors.fitting import ratings_of, shares, stand_in, wishes
from dpsql.models.factors.specification import MatrixFactorization
from dpsql.models.forecasts import FitExplanation, step
from dpsql.models.model_queries import Asked
from dpsql.models.querying import accepted, explained
from dpsql.models.wanted import How


def explain_fit(
    db: Asked, sql: str, model: MatrixFactorization, how: How, size: float | None
) -> FitExplanation:
    """See `Database.explain_fit`."""
    of = ratings_of(db, sql, model)
    first, second, *rounds = shares(model, how)
    stand_in(db, of, rounds[0])
    text = factor_queries.counts(of)
    steps = [step("counts", text, explained(db, of.sql, text, first), ("ratings",), 2)]
    even = np.zeros(len(of.items))
    along = directions.directions(of, even + 1)
    text = directions.look(of, even, along)
    steps.append(step("the look", text, explained(db, of.sql, text, second), tuple(of.looked), 2))
    text = factor_queries.round_of(of, even, along[:, : model.rank])
    names = tuple(of.sums)
    for name, each, times in (
        ("a round", rounds[0], len(rounds) - 1),
        ("the last round", rounds[-1], 1),
    ):
        if times:
            found = explained(db, of.sql, text, each, wishes(of, each))
            steps.append(step(name, text, found, names, 2, times))
    said = (
        f"each sum is one of {len(of.items)} items and {model.levels} levels of {model.rating}; "
        "users' own factors are in no answer",
    )
    return FitExplanation(model, f"factors of {model.item}", tuple(steps), {}, said)


def ways(db: Asked, sql: str, model: MatrixFactorization, how: How) -> Ways:
    """The queries of a fit. All items are in each; a round is one from factors like any others."""
    of = ratings_of(db, sql, model)
    first, second, *rounds = shares(model, how)
    stand_in(db, of, rounds[0])
    even = np.zeros(len(of.items))
    along = directions.directions(of, even + 1)
    text = factor_queries.round_of(of, even, along[:, : model.rank])
    return [
        [
            accepted(db, of.sql, factor_queries.counts(of), first),
            accepted(db, of.sql, directions.look(of, even, along), second),
            *(accepted(db, of.sql, text, each, wishes(of, each)) for each in rounds),
        ]
    ]
