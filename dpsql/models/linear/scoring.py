"""How good a model is on private rows: one query, in which the model is an expression.

    e = y − ŷ, with y and ŷ both kept within the bounds of the target that the model was fitted
    with, and |e| within half of their distance, which is what who guesses the middle is off by at
    most; of a target that is at an end always, such as a truth, within all of it. So the sums n,
    Σ(y − middle), Σ(y − middle)² and Σe² have bounds that dpsql infers. Features are clamped as
    they were then.

R² = 1 − Σe²/Σ(y − mean)² and RMSE = (Σe²/n)^½ are made of them as they are of any answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from dpsql.models import querying
from dpsql.models.columns import Supervised
from dpsql.models.estimates import Estimate, Fitted
from dpsql.models.linear import linear_document
from dpsql.models.literals import double, quoted
from dpsql.models.model_queries import Asked, inner
from dpsql.models.noise_law import of_answer
from dpsql.models.spread import RUNS, half_width, seeded
from dpsql.models.terms import Term
from dpsql.models.wanted import How, Specification
from dpsql.report.document import Document
from dpsql.report.figures import QueryCost
from dpsql.report.result import Answer


class Guesses(Protocol):
    """What foretells a number, of any kind."""

    @property
    def model(self) -> Specification[object]:
        """What was wanted."""

    @property
    def _columns(self) -> Any: ...

    def to_sql(self) -> str:
        """The number, of a row."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Score(Fitted):
    """How good a model is on some rows.

    Attributes:
        rows: how many.
        r2: 1 − the mean square that is left over the target's variance; None where noise leaves
            nothing of it.
        rmse: the root of the mean square that is left, in the target's unit.
        answer: of the query.
    """

    rows: Estimate
    r2: Estimate | None
    rmse: Estimate | None
    answer: Answer = field(compare=False)

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged."""
        return self.answer.cost

    def _document(self) -> Document:
        return linear_document.score(self)


def score(
    db: Asked,
    fitted: Guesses,
    sql: str,
    how: How,
) -> Score:
    """See `Database.score`."""
    relation = inner(sql)
    columns = fitted._columns
    answer = querying.scored(db, relation, statement(relation, columns, fitted), how)
    return scored(answer, float(columns.target.half), float(_furthest(columns.target)))


def statement(sql: str, columns: Supervised, fitted: Guesses) -> str:
    """The query."""
    terms = {term.column: term for term in (columns.target, *columns.terms)}
    clamped = [f"{term.clamped} AS {quoted(name)}" for name, term in terms.items()]
    clamped += [quoted(name) for name in fitted.model.by]
    target = columns.target
    low, high = (double(target.centre + sign * target.half) for sign in (-1, 1))
    # A truth has the bounds 0 and 1, but is no number by itself.
    y = f"({target.centred}) + {double(target.centre)}"
    half = target.half
    guess = f"LEAST(GREATEST({fitted.to_sql()}, {low}), {high})"
    inside = f"SELECT {', '.join(clamped)}, {y} AS score_y FROM (\n{sql}\n) AS r"
    inside += f"\nWHERE {' AND '.join(columns.conditions)}"
    most = _furthest(target)
    e = f"LEAST(ABS(score_y - {guess}), {double(most)})"
    guessed = f"SELECT score_y - {double(target.centre)} AS y, {e} AS e"
    return (
        "SELECT COUNT(*) AS n, SUM(y) AS y, "
        f"SUM(ABS(y) * ABS(y) - {double(half**2 / 2)}) AS yy, "
        f"SUM(e * e - {double(most**2 / 2)}) AS ee\n"
        f"FROM ({guessed}\nFROM ({inside}) AS clean\n"
        f"WHERE {fitted.to_sql()} IS NOT NULL) AS guesses"
    )


def _furthest(target: Term) -> Fraction:
    """How far off a guess counts as at most."""
    return 2 * target.half if target.two else target.half


def scored(answer: Answer, half: float, most: float) -> Score:
    """Of an answer with n, Σy, and Σy² and Σe² less what n times half of the greatest is."""
    n, y, yy, ee = (float(value or 0) for value in answer.rows[0])
    law = of_answer(answer, 0)
    drawn = law.drawn(RUNS, seeded(n, y, yy, ee, law.scales.tolist()))
    rows = Estimate(n, half_width(drawn[:, 0]))
    if n <= 0:
        return Score(rows, None, None, answer)
    total, left = yy + n * half**2 / 2, ee + n * most**2 / 2
    varied = total - y * y / n
    # Numbers that may have been, beside what was found: a quotient is not linear in its noise.
    ns, ys = n + drawn[:, 0], y + drawn[:, 1]
    lefts = left + drawn[:, 3] + drawn[:, 0] * most**2 / 2
    varieds = total + drawn[:, 2] + drawn[:, 0] * half**2 / 2 - ys**2 / ns
    good = (ns > 0) & (varieds > 0)
    if left <= 0 or varied <= 0 or np.mean(good) < 0.95:
        return Score(rows, None, None, answer)
    r2 = 1 - left / varied
    spread = (1 - lefts / np.where(good, varieds, np.nan))[good] - r2
    root = half_width(np.sqrt(np.maximum(lefts, 0) / np.maximum(ns, 1)) - (left / n) ** 0.5)
    return Score(rows, Estimate(r2, half_width(spread)), Estimate((left / n) ** 0.5, root), answer)
