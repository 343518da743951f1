"""How good a logistic regression is on private rows: from one histogram of what it predicts.

Each row is in one cell: one of `BINS` parts of [0, 1] by its P(y), and y. So one row moves one
count by 1, however many cells there are, and all else is computed from the counts.

    accuracy   rows on the right side of 1/2, which is an end of parts
    AUC        how often a row with y = 1 has the greater P(y) than one without; of rows in one part
               half of the time
    Brier      the mean square of y − P(y), where P(y) counts as in the middle of its part

What the parts hide. Claim: with z and o rows of y = 0 and y = 1 in a part, Z and O in all, the AUC
is off by Σ z·o/(2·Z·O) at most. Why: it is the part of the Z·O pairs that are in the right order
(Hanley and McNeil 1982); pairs of two parts count as they are, and each of the z·o pairs of one
part, which is 0, 1/2 or 1, as 1/2. And the Brier score is off by the mean of 2·w·|y − m| + w² at
most, with m the middle of a row's part and w half of its width: (y − p)² − (y − m)² is
(m − p)·(2·(y − m) + (m − p)), and |m − p| ≤ w. Both are in the half-widths, beside what noise may
make, which is drawn. Of public rows each P(y) is a part by itself, and nothing is hidden. Of more
parts less is hidden, and noise makes more; `BINS` is about the best of some thousand rows at ε = 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpsql.errors import InvalidArgument
from dpsql.models import querying
from dpsql.models.estimates import Estimate, Fitted
from dpsql.models.generalised import regression_document
from dpsql.models.generalised.fitted import LogisticModel, LogisticModels
from dpsql.models.literals import double, quoted
from dpsql.models.model_queries import Asked, inner
from dpsql.models.noise_law import of_answer
from dpsql.models.spread import RUNS, half_width, seeded
from dpsql.models.wanted import How
from dpsql.report.document import Document
from dpsql.report.figures import QueryCost
from dpsql.report.result import Answer

Array = NDArray[np.float64]

BINS = 50


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LogisticScore(Fitted):
    """How good a logistic regression is on some rows.

    Attributes:
        rows: how many.
        auc: the area under the ROC curve: how often a row with y = 1 has the greater P(y) than one
            with y = 0; None where noise leaves nothing of it. Its half-width, and that of the Brier
            score, is of noise and of what the parts of the histogram hide.
        accuracy: the part of the rows where P(y) is on the right side of 1/2.
        brier: the mean square of y − P(y).
        confusion: rows by (y, guess).
        answer: of the query.
    """

    rows: Estimate
    auc: Estimate | None
    accuracy: Estimate | None
    brier: Estimate | None
    confusion: Mapping[tuple[int, int], Estimate]
    answer: Answer = field(compare=False)

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged."""
        return self.answer.cost

    def _document(self) -> Document:
        return regression_document.score(self)


def score(db: Asked, fitted: LogisticModel | LogisticModels, sql: str, how: How) -> LogisticScore:
    """See `Database.score`.

    Raises:
        InvalidArgument: a target that is neither true nor false.
    """
    if not fitted._columns.target.two:
        raise InvalidArgument(
            f"{fitted.model.target} has values between 0 and 1: only what is either is scored"
        )
    relation = inner(sql)
    guesses = _guesses(relation, fitted)
    if querying.reads_public(db, relation, f"SELECT COUNT(*) AS n\nFROM {guesses}", how):
        each = f"SELECT p, y, COUNT(*) AS n\nFROM {guesses}\nGROUP BY p, y"
        return _exact(querying.scored(db, relation, each, how))
    answer = querying.scored(db, relation, _histogram(guesses), how)
    counts = np.zeros((BINS, 2))
    for row in answer.rows:
        counts[row[0], row[1]] = float(row[2] or 0)
    law = of_answer(answer, 2)
    random = seeded(counts.tolist(), law.scales.tolist())
    noise = np.stack([law.drawn(RUNS, random)[:, 0] for _ in range(2 * BINS)], axis=1)
    return _score(counts, noise.reshape(RUNS, BINS, 2), answer)


def statement(sql: str, fitted: LogisticModel | LogisticModels) -> str:
    """The query of private rows: these by part and y."""
    return _histogram(_guesses(sql, fitted))


def _histogram(guesses: str) -> str:
    parts = [f"WHEN p < {double((place + 1) / BINS)} THEN {place}" for place in range(BINS - 1)]
    return (
        "SELECT part, y, COUNT(*) AS n\n"
        f"FROM (SELECT CASE {' '.join(parts)} ELSE {BINS - 1} END AS part, y\n"
        f"FROM {guesses}) AS cells\nGROUP BY part, y"
    )


def _guesses(sql: str, fitted: LogisticModel | LogisticModels) -> str:
    """The rows as P(y) and y."""
    columns, target = fitted._columns, fitted._columns.target
    terms = {term.column: term for term in columns.terms}
    clamped = [f"{term.clamped} AS {quoted(name)}" for name, term in terms.items()]
    clamped += [quoted(name) for name in fitted.model.by]
    truth = f"CASE WHEN ({target.centred}) > 0 THEN 1 ELSE 0 END AS score_y"
    return (
        f"(SELECT {fitted.to_sql()} AS p, score_y AS y\n"
        f"FROM (SELECT {', '.join((*clamped, truth))} FROM (\n{sql}\n) AS r\n"
        f"WHERE {' AND '.join(columns.conditions)}) AS clean) AS guesses\nWHERE p IS NOT NULL"
    )


def _exact(answer: Answer) -> LogisticScore:
    """Of public rows: each P(y) is a part by itself, in which rows are alike."""
    at = np.array(sorted({float(row[0]) for row in answer.rows}))
    counts = np.zeros((len(at), 2))
    for p, y, n in answer.rows:
        counts[np.searchsorted(at, p), y] = n
    return _score(counts, np.zeros((1, *counts.shape)), answer, _Parts(at, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """The parts of a histogram, and what is computed of the rows of each (first) by y (second).

    Attributes:
        at: P(y) in the middle of each.
        half: how far a row of it is from there at most.
    """

    at: Array
    half: float

    def cells(self, counts: Array) -> Array:
        """Rows by y and guess."""
        high = self.at >= 0.5
        each = [counts[..., side, :].sum(axis=-2) for side in (~high, high)]
        return np.stack(each, axis=-1)

    def auc(self, counts: Array) -> Array:
        """See above."""
        zeros, ones = counts[..., 0], counts[..., 1]
        below = np.cumsum(zeros, axis=-1) - zeros / 2
        made: Array = (ones * below).sum(axis=-1) / (zeros.sum(axis=-1) * ones.sum(axis=-1))
        return made

    def pairs(self, counts: Array) -> Array:
        """By how much AUC is off at most, for pairs in one part."""
        zeros, ones = (np.maximum(counts[..., y], 0) for y in (0, 1))
        every = np.maximum(zeros.sum(axis=-1), 1) * np.maximum(ones.sum(axis=-1), 1)
        made: Array = (zeros * ones).sum(axis=-1) / (2 * every)
        return made if self.half else made * 0

    def accuracy(self, counts: Array) -> Array:
        """See above."""
        cells = self.cells(counts)
        made: Array = (cells[..., 0, 0] + cells[..., 1, 1]) / counts.sum(axis=(-2, -1))
        return made

    def nothing(self, counts: Array) -> Array:
        """By how much it is off: 1/2 is between two parts."""
        return np.zeros(counts.shape[:-2])

    def brier(self, counts: Array) -> Array:
        """See above."""
        squares = np.stack([self.at**2, (1 - self.at) ** 2], axis=-1)
        made: Array = (counts * squares).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))
        return made

    def widths(self, counts: Array) -> Array:
        """By how much it is off at most, as parts have a width."""
        moved = 2 * self.half * np.stack([self.at, 1 - self.at], axis=-1) + self.half**2
        up = np.maximum(counts, 0)
        made: Array = (up * moved).sum(axis=(-2, -1)) / np.maximum(up.sum(axis=(-2, -1)), 1)
        return made


EVEN = _Parts((np.arange(BINS) + 0.5) / BINS, 1 / (2 * BINS))


def _score(counts: Array, noise: Array, answer: Answer, parts: _Parts = EVEN) -> LogisticScore:
    found, off = parts.cells(counts), parts.cells(noise)
    confusion = {
        (y, guess): Estimate(float(found[y, guess]), half_width(off[:, y, guess]))
        for y in (0, 1)
        for guess in (0, 1)
    }
    rows = Estimate(float(counts.sum()), half_width(noise.sum(axis=(1, 2))))
    # What may have been counted, beside what was: quotients are not linear in their noise.
    others = counts + noise
    least = np.quantile(others.sum(axis=1), 0.05, axis=0)
    if min(least) <= 0:
        return LogisticScore(rows, None, None, None, confusion, answer)
    auc, accuracy, brier = (
        Estimate(float(of(counts)), half_width(np.abs(of(others) - of(counts)) + hidden(others)))
        for of, hidden in (
            (parts.auc, parts.pairs),
            (parts.accuracy, parts.nothing),
            (parts.brier, parts.widths),
        )
    )
    return LogisticScore(rows, auc, accuracy, brier, confusion, answer)
