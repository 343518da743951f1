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

ROOM = 10
"""See `ways`."""


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
    """The queries of a fit, all items in each; biases and factors are as far as any are.

    Claim: where these are accepted with `ROOM`, none that follows is refused. Why: no sum of others
    is moved by more, but shares of ε may be others. A share is as the root of r, a sum's reach by
    its size where rows are in the middle of its range (see `core.calibrate.importance`); r is from
    1 to 5, so that of two shares of one sum one is at most 5 times the other. And narrower bounds
    may have a lattice twice as fine.
    """
    of = ratings_of(db, sql, model)
    first, second, *rounds = shares(model, how)
    stand_in(db, of, rounds[0])
    signs = np.sign(directions.directions(of, np.ones(len(of.items))))
    biases, along = factor_queries.SHIFT * of.half * signs[:, 0], factor_queries.LARGEST * signs
    look = directions.look(of, biases, along)
    text = factor_queries.round_of(of, biases, along[:, : model.rank])
    return [
        [
            accepted(db, of.sql, factor_queries.counts(of), first),
            accepted(db, of.sql, look, second, room=ROOM),
            *(accepted(db, of.sql, text, each, wishes(of, each), room=ROOM) for each in rounds),
        ]
    ]
