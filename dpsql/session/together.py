"""Queries that are declared together: analysed each, charged once, and answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpsql.core.account.account import Accountant
from dpsql.core.account.amount import MIN_DELTA, ZERO, parse_eps
from dpsql.core.account.loss import total
from dpsql.core.calibrate.options import Amount, usual_delta
from dpsql.core.schema import Schema
from dpsql.errors import InvalidBudget
from dpsql.execution.processing import Rows
from dpsql.execution.ready import Prepared
from dpsql.execution.run import Request, Run, execute, execute_batch
from dpsql.platform.engine.scratch import too_many
from dpsql.proven import PublicQuery
from dpsql.report.explanation import QueryCost
from dpsql.report.result import Batch
from dpsql.report.workloads.batch_charge import charge, composed
from dpsql.report.workloads.workload import Workload, workload
from dpsql.session.analysis import Known
from dpsql.session.asking import answer_of


def declared(queries: Workload, eps: Amount, dialect: str) -> list[tuple[str, Fraction]]:
    """The texts of queries, and the ε of each.

    Raises:
        InvalidBudget: one has none.
    """
    parts = workload(queries, dialect)
    if eps is None and any(part.eps is None for part in parts):
        raise InvalidBudget("give eps, or a comment such as -- eps: 0.5 above each query")
    return [(p.text, parse_eps(eps if p.eps is None else p.eps)) for p in parts]


@dataclass(frozen=True)
class Together:
    """Where queries that are declared together are answered.

    Attributes:
        schema: what is declared.
        accountant: how the ledger composes.
        ready: analyses one of them, at its ε and δ.
        where: they run there.
        request: how they are asked for, from what the ledger notes of them.
        check: raises where there is no time left.
    """

    schema: Schema
    accountant: Accountant
    ready: Callable[[str, Fraction, Fraction], Known]
    where: Run
    request: Callable[[tuple[dict[str, object], ...]], Request]
    check: Callable[[], object]

    def answered(self, asked: Sequence[tuple[str, Fraction]], delta: Amount) -> Batch:
        """The answers to all of them, for one charge; see `Database.run_batch`."""
        together = sum((own for _, own in asked), Fraction(0))
        whole = usual_delta(together or Fraction(1), delta, self.schema)
        if delta is None and self.accountant == "pld":
            whole = self.schema.delta
        made = []
        for text, own in asked:
            self.check()
            query, explained = self.ready(text, own, _share(whole, own, together))
            made.append((query.bind(), explained))
        private = [(query, known) for query, known in made if not _is_public(query)]
        events = Counter(event for query, _ in private for event in query.compiled.events)
        losses = total(query.compiled.loss for query, _ in private)
        loss = charge(self.accountant, losses, whole, composed(events))
        request = self.request(tuple(n for _, known in private for n in known._noted()))
        # Before anything is charged: they may meet a limit.
        shown = iter(self._public([query for query, _ in made], request))
        ready = [query for query, _ in private]
        noisy = iter(execute_batch(ready, loss, self.where, request) if ready else ())
        answers = tuple(
            answer_of(next(shown if _is_public(query) else noisy), explained)
            for query, explained in made
        )
        paid = any(answer.reused is None and answer.cost.eps for answer in answers)
        return Batch(answers, QueryCost(loss.cost if paid else ZERO))

    def _public(self, queries: Sequence[Prepared], request: Request) -> list[Rows]:
        """The answers to those that are public, of as many rows as to one."""
        found, left = list[Rows](), self.schema.limits.public_rows
        for query in filter(_is_public, queries):
            request.check()
            found.append(execute(query, self.where, request))
            left -= len(found[-1].rows)
            if left < 0:
                raise too_many(self.schema.limits.public_rows)
        return found


def _share(whole: Fraction, own: Fraction, together: Fraction) -> Fraction:
    """A query's part of a batch's δ, in no more digits than a δ may have."""
    return Fraction(whole * own / together // MIN_DELTA) * MIN_DELTA


def _is_public(query: Prepared) -> bool:
    return isinstance(query.compiled.query, PublicQuery)
