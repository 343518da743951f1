"""The same attack on models of several queries, of which later ones depend on earlier answers.

Who knows all rows but those of one unit knows, of each query of a fit, the exact sums with and
without it. So the likelihood ratio of all that was answered is that of the answers one by one, each
given the text that the ones before led to; and what is decided by it is the best there is (Neyman
and Pearson 1933). Two claims are held against it: of Laplace noise its logarithm is within ±ε
whatever was answered, which is held against each single fit; and the advantage is within
(e^ε − 1)/(e^ε + 1) (see `test_membership`), by four standard deviations of so many fits: 0.21 of
the 150 in each world of the deep suite; of the few that are usual it tells next to nothing, and the
first claim is what is tested.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np
import pytest
from numpy.typing import NDArray

import dpsql
from dpsql.models import DecisionTree, KMeans, LogisticRegression, entry
from dpsql.models.noise_law import of_answer
from dpsql.models.wanted import How
from dpsql.report.explanation import Explanation
from dpsql.report.result import Answer
from tests.models.people import data, opened
from tests.models.test_membership import SQL, SURE, WORST
from tests.support.effort import FULL, chosen, tries

KINDS: dict[str, Any] = {
    "logistic": LogisticRegression("works", ["paid"], steps=2),
    "clusters": KMeans(["age", "paid"], 2),
    "tree": DecisionTree("paid", ["works", "age"], depth=2, bins=4),
    "tree of classes": DecisionTree("works", ["age", "paid"], depth=1, bins=4),
}
EPS = 1.0
BOUND = (math.exp(EPS) - 1) / (math.exp(EPS) + 1)
MUCH = 40.0
"""An ε at which the attack is to see more than `BOUND`, or it would show nothing."""

Array = NDArray[np.float64]
Asked = tuple[str, Answer]


class Recorded:
    """A database that keeps what it was asked and answered."""

    def __init__(self, db: dpsql.Database) -> None:
        self._db = db
        self.asked: list[Asked] = []

    def explain(self, *given: Any, **wishes: Any) -> Explanation:
        """See `Database.explain`."""
        return self._db.explain(*given, **wishes)

    def run(self, sql: str, *given: Any, **wishes: Any) -> Answer:
        """See `Database.run`."""
        answer = self._db.run(sql, *given, **wishes)
        if answer.explanation.kind != "public":
            self.asked.append((sql, answer))
        return answer


def told(db: dpsql.Database, model: Any, eps: float) -> list[Asked]:
    """All that a fit learns of the rows."""
    kept = Recorded(db)
    entry.fit(kept, SQL, model, How(eps, 0, "laplace", fresh=True))
    assert len(kept.asked) > 1
    return kept.asked


def keys_of(sql: str) -> int:
    """How many columns of an answer are keys."""
    end = sql.rpartition("GROUP BY ")[2] if "\nGROUP BY " in sql else ""
    return len(end.split(",")) if end else 0


def exact(owner: duckdb.DuckDBPyConnection, sql: str, keys: int) -> dict[tuple[Any, ...], Array]:
    """The sums of each group, without noise."""
    rows = owner.execute(sql).fetchall()
    return {row[:keys]: np.array([float(x or 0) for x in row[keys:]]) for row in rows}


def loss(asked: Sequence[Asked], worlds: Sequence[duckdb.DuckDBPyConnection]) -> float:
    """The logarithm of how many times as likely what was told is with the unit as without it."""
    found = 0.0
    for sql, answer in asked:
        keys = keys_of(sql)
        law = of_answer(answer, keys)
        assert set(law.kinds) == {"laplace"}
        back = np.linalg.inv(law.parts).T
        without, having = (exact(owner, sql, keys) for owner in worlds)
        groups = {row[:keys] for row in answer.rows}
        assert set(without) | set(having) <= groups, "all groups are told"
        for row in answer.rows:
            seen = np.array([float(x or 0) for x in row[keys:]])
            costs = [
                np.sum(
                    np.abs((seen - world.get(row[:keys], np.zeros(len(seen)))) @ back) / law.scales
                )
                for world in (without, having)
            ]
            found += float(costs[0] - costs[1])
    return found


@pytest.mark.parametrize("kind", chosen(KINDS, "tree of classes"))
def test_who_knows_all_others_finds_little_of_one(kind: str) -> None:
    runs, much = tries(5, 150), tries(4, 30)
    worlds = (data(60), data(60))
    worlds[1].execute(WORST)

    def advantage(eps: float, many: int) -> tuple[float, float]:
        """Of so many fits in each world, and `SURE` deviations of it."""
        rates = []
        for owner in worlds:
            with opened(owner) as db:
                found = [loss(told(db, KINDS[kind], eps), worlds) for _ in range(many)]
            assert max(map(abs, found)) <= eps * (1 + 1e-6), "of each single fit"
            rates.append(np.mean(np.array(found) > 0))
        no, yes = rates
        return float(yes - no), SURE * math.sqrt((yes * (1 - yes) + no * (1 - no)) / many)

    own, off = advantage(EPS, runs)
    assert own - off <= BOUND
    own, off = advantage(MUCH, much)
    if FULL:  # of four fits it may be chance
        assert own - off > BOUND, "with little noise it sees who is there"
