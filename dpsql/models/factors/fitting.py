"""To fit a matrix factorisation: counts, a look, and a query for each round, with shares of ε."""

from __future__ import annotations

from datetime import date

import numpy as np
from numpy.typing import NDArray

from dpsql.core.calibrate.options import Wishes
from dpsql.errors import InvalidArgument
from dpsql.models.columns import released, supervised, type_of
from dpsql.models.factors import directions, factor_queries, notes
from dpsql.models.factors.fitted import FactorModel
from dpsql.models.factors.ratings import Ratings
from dpsql.models.factors.solving import biases, solved
from dpsql.models.factors.specification import MatrixFactorization
from dpsql.models.literals import quoted
from dpsql.models.model_queries import Asked, inner, shown_in
from dpsql.models.noise_law import of_answer
from dpsql.models.querying import asked, explained
from dpsql.models.wanted import How
from dpsql.proven import PublicQuery
from dpsql.report.explanation import Explanation
from dpsql.report.result import Answer
from dpsql.types import DATE, Scalar, Type

Array = NDArray[np.float64]

MOST_ITEMS = 300
"""Each stands in the text of a query, whose analysis takes seconds then."""


def ratings_of(db: Asked, sql: str, model: MatrixFactorization) -> Ratings:
    """What is public of the ratings. No private row is read.

    Raises:
        Rejected: the query is not accepted, or the rating has no bounds.
        InvalidArgument: a column is not there; or too few or too many items, or none listed.
    """
    relation = inner(sql)
    columns = supervised(db, relation, model.rating, model)
    return Ratings(relation, model, columns, _items(db, relation, model))


def fit(db: Asked, sql: str, model: MatrixFactorization, how: How) -> FactorModel:
    """See `Database.fit`."""
    of = ratings_of(db, sql, model)
    first, second, *rounds = shares(model, how)
    answers = [asked(db, of.sql, factor_queries.counts(of), first)]
    known = biases(of, read(of, answers[0])[:, :, 0], of_answer(answers[0], 2))
    text = directions.look(of, known.biases, directions.directions(of, known.ratings))
    answers.append(asked(db, of.sql, text, second))
    factors = directions.found(of, read(of, answers[1]), of_answer(answers[1], 2), known)
    for each in rounds:
        text = factor_queries.round_of(of, known.biases, factors)
        answers.append(asked(db, of.sql, text, each, wishes(of, each)))
        told = solved(of, read(of, answers[-1]), of_answer(answers[-1], 2), known)
        factors = told.factors
    eps = float(sum(answer.explanation.cost.eps for answer in answers))
    return FactorModel(
        model=model,
        items=of.items,
        ratings=known.ratings,
        noise=known.noise,
        biases=known.biases,
        factors=factors,
        seen=told.seen,
        notes=tuple(notes.hidden(of.items, known, told, eps)),
        answers=tuple(answers),
        _columns=of.columns,
    )


def shares(model: MatrixFactorization, how: How) -> tuple[How, ...]:
    """Of the counts, of the look and of each round: the last one, whose factors are told, has twice
    as much. They are the same at every ε: what is best at one of 1, 3 and 10 is among the best at
    the others.
    """
    return how.shared([1.0] * (model.rounds + 1) + [2.0])


def wishes(of: Ratings, how: How) -> Wishes:
    """How a round is asked."""
    return {**how.wishes, "weights": of.weights}


def stand_in(db: Asked, of: Ratings, how: How) -> Explanation:
    """A round of the first items, explained: nothing is paid for where it is not accepted.

    Raises:
        Rejected: see above.
        InvalidArgument: the user is not the unit, which counts once in each group.
    """
    (measure,) = (
        released(explained(db, of.sql, factor_queries.counts(of), how)).releases[0].measures
    )
    if measure.sensitivity.linf > 1:
        raise InvalidArgument(f"{of.model.user} is not the policy's unit, nor leads to it")
    few = Ratings(of.sql, of.model, of.columns, of.items[:2])
    nothing = np.zeros(2)
    text = factor_queries.round_of(few, nothing, np.ones((2, of.model.rank)))
    return explained(db, of.sql, text, how, wishes(of, how))


def read(of: Ratings, answer: Answer) -> Array:
    """The sums: items, levels, columns. A column that may be NULL has a group of that, too."""
    place = {item: number for number, item in enumerate(of.items)}
    found = np.zeros((len(of.items), of.model.levels, len(answer.columns) - 2))
    for item, level, *sums in answer.rows:
        if item in place and level is not None:
            found[place[item], int(level)] = [float(one or 0) for one in sums]
    return found


def _alike(item: object, kind: Type) -> bool:
    """Whether an answer's keys of a type can be equal to an item."""
    if type(item) is date:
        return kind == DATE
    return kind.is_numeric if type(item) is int else kind.is_string or kind.name == "ENUM"


def _items(db: Asked, relation: str, model: MatrixFactorization) -> tuple[Scalar, ...]:
    """Which there are, in order."""
    given = model.items
    if isinstance(given, str):
        found = _public(db, inner(given))
    elif given is None:
        found = _declared(db, relation, model.item)
    else:
        found = list(given)
    if not all(type(one) in (int, str, date) for one in found):
        raise InvalidArgument("items are whole numbers, texts or dates, and not NULL")
    if len(set(map(type, found))) > 1 or len(set(found)) < len(found):
        raise InvalidArgument("items are of one type, and each is listed once")
    kind = type_of(db, relation, model.item)
    if any(not _alike(one, kind) for one in found):
        raise InvalidArgument(f"{model.item} is a {kind}, and items such as {found[0]} are none")
    if not model.rank < len(found) <= MOST_ITEMS:
        raise InvalidArgument(
            f"there are {len(found)} items: a model has more than its rank, and up to {MOST_ITEMS}"
        )
    return tuple(sorted(found))


def _public(db: Asked, sql: str) -> list[Scalar]:
    """What a public query lists."""
    with shown_in(sql, sql):
        if not isinstance(db.explain(sql, 1)._compiled.query, PublicQuery):
            raise InvalidArgument("the items are listed by a query of public tables alone")
        rows = db.run(sql, 1).rows
    if rows and len(rows[0]) != 1:
        raise InvalidArgument("the items are listed by a query of one column")
    return [row[0] for row in rows]


def _declared(db: Asked, relation: str, item: str) -> list[Scalar]:
    """The values that the column is declared to have."""
    text = f"SELECT {quoted(item)}, COUNT(*) FROM (\n{relation}\n) AS r GROUP BY 1"
    with shown_in(relation, text):
        query = released(db.explain(text, 1, clipping="declared"))
    listed = query.releases[0].domain.listed
    if not listed:
        help = f"items='SELECT {item} FROM a_public_table', or items=[1, 2, 3]"
        raise InvalidArgument(f"the values of {item} are not listed: write {help}")
    return [value for value in listed[0].values if value is not None]
