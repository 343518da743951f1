"""What a client needs to explain a query as the server does: public facts alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.compile import Compiled, compile_query
from dpsql.core.account.account import Account
from dpsql.core.account.loss import Loss
from dpsql.core.calibrate.options import Options, usual_delta
from dpsql.core.schema import Schema
from dpsql.execution.accuracy import Accuracy
from dpsql.execution.processing import Reused
from dpsql.platform.ledger.ledger import Charge
from dpsql.report.budget.balance import Present
from dpsql.report.explanation import Explanation
from dpsql.report.figures import QueryCost
from dpsql.report.result import Answer


@dataclass(frozen=True, slots=True)
class Told:
    """An accepted query: what it was compiled from, which is all that there is to know of it.

    Attributes:
        schema: with what of public tables its proof rests on; or the digest of one that was told.
        text: of the query that is asked: another one, where the query says EXPLAIN.
        eps, dialect, options: with which.
        statements: the SQL that the engine will run.
        parts: where it is several queries, each of them, and how often it is asked; the rest is of
            the first one then.
        refused: why who asks would be refused; None where it would be charged, or was.
    """

    schema: Schema | str
    text: str
    eps: Fraction
    dialect: str
    options: Options
    statements: tuple[str, ...]
    parts: tuple[tuple[Told, int], ...] = ()
    refused: str | None = None

    @classmethod
    def of(cls, explained: Explanation) -> Told:
        """What is told of a query that was explained, or answered."""
        made = explained._compiled
        known = (made.asked_of, made.text, made.eps, made.dialect, made.options)
        return cls(*known, tuple(explained._statements()))

    def compiled(self, schema: Schema, eps: Fraction | None = None) -> Compiled:
        """The query again, at this ε or another one.

        Args:
            schema: that of the digest.
            eps: where it is another one, δ is that part of the policy's which ε is of its ε, if it
                was so.
        """
        options, own = self.options, self.eps if eps is None else eps
        if own != self.eps and options.delta == usual_delta(self.eps, None, schema):
            options = replace(options, delta=usual_delta(own, None, schema))
        return compile_query(self.text, schema, own, self.dialect, options)


@dataclass(frozen=True, slots=True)
class ToldBudget:
    """An account, as one analyst is shown it; see `report.budget.Budget`."""

    account: Account
    loss: Loss
    now: Present | None


@dataclass(frozen=True, slots=True)
class ToldLines:
    """An analyst's lines of the ledger, and his failures."""

    lines: tuple[Charge, ...]
    failures: dict[str, int]


@dataclass(frozen=True, slots=True)
class ToldAnswer:
    """An answer; see `report.result.Answer`."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    intervals: tuple[tuple[float | None, ...], ...]
    types: tuple[str, ...]
    cost: QueryCost
    reused: Reused | None
    accuracy: Accuracy | None
    told: Told
    notes: tuple[str, ...] | None

    @classmethod
    def of(cls, answer: Answer, told: Told) -> ToldAnswer:
        """What is told of an answer to a query that was told."""
        return cls(
            *(answer.columns, answer.rows, answer.intervals, answer.types, answer.cost),
            *(answer.reused, answer.accuracy, told, answer.notes),
        )

    def answer(self, explanation: Explanation) -> Answer:
        """The answer again."""
        return Answer(
            *(self.columns, self.rows, self.intervals, self.types, self.cost, explanation),
            *(self.reused, self.accuracy, self.notes),
        )
