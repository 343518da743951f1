"""How a query is asked for, and a database of which several are asked for one answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack

from dpsql.core.calibrate.options import Amount, Ways, Wishes
from dpsql.execution.processing import Rows
from dpsql.report.explanation import Explanation, QueryCost
from dpsql.report.result import Answer
from dpsql.session.pace import Pace
from dpsql.session.request_keys import of_part

if TYPE_CHECKING:
    from dpsql.session.database import Database


@dataclass(frozen=True, slots=True)
class Asking:
    """How a query, or a batch, is asked for."""

    fresh: bool
    key: str | None
    pace: Pace
    batch: bool = False
    free: bool = False
    then: Ways = ()


@dataclass(slots=True)
class Parts:
    """A database for the queries of which one answer is made: each is asked as that is. The first
    one that is charged has the key, and others have one that follows from it; see `request_keys`.
    """

    db: Database
    asked: Asking
    keys: int = 0

    def explain(
        self, sql: str, eps: Amount = 1, delta: Amount = None, **wishes: Unpack[Wishes]
    ) -> Explanation:
        """See `Database.explain`."""
        return self.db.explain(sql, eps, delta, **wishes)

    def run(
        self,
        sql: str,
        eps: Amount,
        delta: Amount = None,
        *,
        fresh: bool = False,
        then: Ways = (),
        **wishes: Unpack[Wishes],
    ) -> Answer:
        """See `Database.run`."""
        key = self.asked.key and of_part(self.asked.key, self.keys + 1)
        asked = replace(self.asked, fresh=fresh or self.asked.fresh, key=key, then=then)
        answer = self.db._answered(sql, eps, delta, wishes, asked)
        self.keys += answer.explanation.kind != "public"
        return answer


def answer_of(rows: Rows, explained: Explanation) -> Answer:
    """What was found, for people."""
    return Answer(
        columns=rows.columns,
        rows=tuple(rows.rows),
        intervals=tuple(rows.intervals),
        types=rows.types,
        cost=QueryCost(rows.charged.cost),
        explanation=explained,
        reused=rows.reused,
        accuracy=rows.accuracy,
    )
