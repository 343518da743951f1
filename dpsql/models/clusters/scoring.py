"""How near private rows are to the centres of a model: one query.

The square of a row's distance to its nearest centre is the least of |z|² − 2·s of all, where s is
the score of a centre (`moving`). It counts as `furthest` at most, which the fit has found: that is
the bound that dpsql infers. e − furthest/2 is added up, which one row moves by half as much.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dpsql.models import querying
from dpsql.models.clusters import cluster_document
from dpsql.models.clusters.fitted import KMeansModel
from dpsql.models.clusters.grid import rows_of
from dpsql.models.clusters.moving import scores, squared
from dpsql.models.estimates import Estimate, Fitted
from dpsql.models.model_queries import Asked, inner
from dpsql.models.noise_law import of_answer
from dpsql.models.spread import CONFIDENCE, RUNS, half_width, seeded
from dpsql.models.wanted import How
from dpsql.report.document import Document
from dpsql.report.figures import QueryCost
from dpsql.report.result import Answer


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClusterScore(Fitted):
    """How near rows are to the nearest centre.

    Attributes:
        rows: how many.
        distance: the mean square of the distance, with each feature's range as [−1, 1]; no row
            counts as further off than any cell that the fit has seen. None where noise leaves
            nothing of it.
        answer: of the query.
    """

    rows: Estimate
    distance: Estimate | None
    answer: Answer = field(compare=False)

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged."""
        return self.answer.cost

    def _document(self) -> Document:
        return cluster_document.score(self)


def score(db: Asked, fitted: KMeansModel, sql: str, how: How) -> ClusterScore:
    """See `Database.score`."""
    relation = inner(sql)
    answer = querying.scored(db, relation, statement(relation, fitted), how)
    n, e = (float(value or 0) for value in answer.rows[0])
    law = of_answer(answer, 0)
    drawn = law.drawn(RUNS, seeded(n, e, law.scales.tolist()))
    rows = Estimate(n, half_width(drawn[:, 0]))
    total = e + n * fitted._furthest / 2
    totals = total + drawn[:, 1] + drawn[:, 0] * fitted._furthest / 2
    good = n + drawn[:, 0] > 0
    if n <= 0 or total <= 0 or np.mean(good) < CONFIDENCE:
        return ClusterScore(rows, None, answer)
    off = totals[good] / (n + drawn[good, 0]) - total / n
    return ClusterScore(rows, Estimate(total / n, half_width(off)), answer)


def statement(sql: str, fitted: KMeansModel) -> str:
    """The query."""
    columns = fitted._columns
    e = squared(columns, scores(columns, fitted._centres), fitted._furthest)
    return (
        f"SELECT COUNT(*) AS n, SUM(e) AS e FROM (SELECT {e} AS e\n"
        f"FROM ({rows_of(sql, columns)}) AS terms) AS distances"
    )
