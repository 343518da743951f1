"""How good a tree is on private rows: one query, in which the tree is an expression. Of a number it
is scored as a linear model is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from dpsql.models import querying
from dpsql.models.columns import Labelled
from dpsql.models.estimates import Estimate, Fitted
from dpsql.models.linear import scoring
from dpsql.models.literals import cases, quoted
from dpsql.models.model_queries import Asked, inner
from dpsql.models.noise_law import of_answer
from dpsql.models.spread import RUNS, half_width, seeded
from dpsql.models.trees import tree_document
from dpsql.models.trees.fitted import Tree
from dpsql.models.wanted import How
from dpsql.report.document import Document
from dpsql.report.figures import QueryCost
from dpsql.report.result import Answer
from dpsql.types import Scalar


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Confusion(Fitted):
    """How often a model says the right class.

    Attributes:
        classes: of the target.
        rows: how many.
        accuracy: the part of them of which it says the class; None where noise hides how many rows
            there are.
        counts: how many rows there are of a class (first) of which it says a class (second).
        answer: of the query.
    """

    classes: tuple[Scalar, ...]
    rows: Estimate
    accuracy: Estimate | None
    counts: Mapping[tuple[Scalar, Scalar], Estimate]
    answer: Answer = field(compare=False)

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged."""
        return self.answer.cost

    def _document(self) -> Document:
        return tree_document.confusion(self)


def score(db: Asked, fitted: Tree, sql: str, how: How) -> Confusion | scoring.Score:
    """See `Database.score`."""
    if not isinstance(fitted._columns, Labelled):
        return scoring.score(db, fitted, sql, how)
    relation = inner(sql)
    answer = querying.scored(db, relation, statement(relation, fitted, fitted._columns), how)
    wide = len(fitted.classes)
    found = np.zeros((wide, wide))
    for actual, said, rows in answer.rows:
        if actual is not None and said is not None:
            found[actual, said] = rows
    law = of_answer(answer, 2)
    random = seeded(found.tolist(), law.scales.tolist())
    drawn = law.drawn(RUNS * wide * wide, random).reshape(RUNS, wide, wide)
    rows, off = float(found.sum()), drawn.sum(axis=(1, 2))
    every = Estimate(rows, half_width(off))
    each = half_width(drawn.ravel())
    counts = {
        (a, b): Estimate(float(found[i, j]), each)
        for i, a in enumerate(fitted.classes)
        for j, b in enumerate(fitted.classes)
    }
    accuracy = None
    if rows > max(half_width(off), 0.5):
        right = float(np.trace(found)) / rows
        moved = np.trace(drawn, axis1=1, axis2=2) - right * off
        accuracy = Estimate(right, half_width(moved / rows))
    return Confusion(fitted.classes, every, accuracy, counts, answer)


def statement(sql: str, fitted: Tree, columns: Labelled) -> str:
    """The query."""
    numbers = {value: str(place) for place, value in enumerate(columns.classes)}
    said = fitted._sql(lambda node: numbers[node.value])  # type: ignore[index]
    actual = cases(quoted(columns.label), list(numbers.items()))
    return (
        f"SELECT actual, said, COUNT(*) AS n\nFROM (SELECT {actual} AS actual, {said} AS said\n"
        f"FROM (\n{sql}\n) AS r\nWHERE {' AND '.join(columns.conditions)}) AS guesses\n"
        "GROUP BY actual, said"
    )
