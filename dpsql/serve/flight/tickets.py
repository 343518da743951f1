"""A statement's way: what it is and costs is known before its ticket is made, and whoever shows the
ticket has the answer.

Claim: a ticket is charged once, however often it is shown, and only its principal can show it.
Why: it is sealed for the principal (`seal`) with an id that was drawn with it, and is asked of the
service under that id, and of the ledger under that key, which both take each but once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from secrets import token_hex
from typing import Any

import pyarrow as pa

from dpsql.compile import ReleasedQuery
from dpsql.core.calibrate.options import Question, Wishes
from dpsql.errors import AccessDenied, InvalidArgument, InvalidBudget
from dpsql.report.explanation import Explanation
from dpsql.report.result import Answer, frames
from dpsql.serve.asked import Asked, How, settled
from dpsql.serve.flight.callers import Caller
from dpsql.serve.flight.prices import DATA, HOW, intervals_of, price_of
from dpsql.serve.flight.seal import Seal
from dpsql.serve.principals import Principal
from dpsql.serve.service import NO_DATA, Service

NOT_BEGUN = "the query was stopped before it began; nothing was charged"
POLL = 0.2
"""Seconds between two looks at whether the client is still there."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One that may be asked.

    Attributes:
        data: the name of the data set.
        question: what is asked.
        intervals: whether half-widths are columns.
        explained: what it would release and cost.
    """

    data: str
    question: Question
    intervals: bool
    explained: Explanation

    @property
    def schema(self) -> pa.Schema | None:
        """Of the answer, where it is known before there is one."""
        found = None if self.intervals else self._usual
        return found[0] if found is not None and found[1] else None

    @property
    def made(self) -> bool:
        """Whether its rows are made of the answer to another query, as those of a model are."""
        return self.explained._compiled.text != self.question.sql

    @property
    def _usual(self) -> tuple[pa.Schema, bool] | None:
        query = self.explained._compiled.query
        if not isinstance(query, ReleasedQuery) or self.made:
            return None
        kinds = tuple(str(column.type) for column in query.plan.columns)
        return frames.schema(query.names, kinds[: len(query.names)])


class Statements:
    """Of one server.

    Args:
        service: the path to the data.
        default: the ε of a query that says none; None if it must.
    """

    def __init__(self, service: Service, default: Fraction | None) -> None:
        self._service, self._default, self._seal = service, default, Seal()

    def data_of(self, caller: Caller) -> str:
        """The data set that is meant.

        Raises:
            AccessDenied: there is none; or several, and which one is not said.
        """
        said = caller.said(DATA) or ""
        seen = [name for name in self._service.data if caller.who.may_see(name)]
        if not said and len(seen) > 1:
            raise InvalidArgument(
                f"say which data set, by the header {DATA} (ADBC: "
                f"adbc.flight.sql.rpc.call_header.{DATA}): {', '.join(seen)}"
            )
        name = said or (seen[0] if seen else "")
        if name not in seen:
            raise AccessDenied(NO_DATA)
        return name

    def statement(self, caller: Caller, sql: str) -> Statement:
        """What a text asks; nothing is charged.

        Raises:
            DpsqlError: it is not accepted, or needs an ε that is not said.
        """
        data, intervals = self.data_of(caller), intervals_of(caller)
        service, who = self._service, caller.who

        def work() -> Statement:
            eps, delta = price_of(sql, caller, service.usual_eps(who, self._default))
            question = Question(sql, _free(who) if eps is None else eps, delta, Wishes())
            _, explained = service.explain(who, data, question)
            if eps is None and explained.kind != "public":
                raise InvalidBudget(HOW)
            return Statement(data, question, intervals, explained)

        found: Statement = service.looks.ask(who.name, work).result()
        return found

    def usual_schema(self, caller: Caller, found: Statement) -> pa.Schema:
        """Of the answer, also where it is not sure; a public query is run for it, which is free."""
        known = None if found.intervals else found._usual
        if known is not None:
            return known[0]
        if found.explained.kind == "public":
            return self._public(caller, found).schema
        what = "what its columns are" if found.made else "which columns have half-widths"
        raise InvalidArgument(f"{what} is known when it is run")

    def prepared(self, caller: Caller, sql: str) -> bytes:
        """A handle of a text."""
        return self._seal.sealed("prepared", caller.who.name, {"sql": sql})

    def text(self, caller: Caller, handle: bytes) -> str:
        """The text of a handle; see `Seal.opened`."""
        return str(self._seal.opened("prepared", caller.who.name, handle)["sql"])

    def ticket(self, caller: Caller, found: Statement) -> bytes:
        """Of a statement, to be shown for its answer."""
        said = {
            "id": token_hex(16),
            "data": found.data,
            "sql": found.question.sql,
            "eps": str(found.question.eps),
            "delta": None if found.question.delta is None else str(found.question.delta),
            "intervals": found.intervals,
        }
        return self._seal.sealed("ticket", caller.who.name, said)

    def answer(self, caller: Caller, ticket: bytes, gone: Callable[[], bool]) -> pa.Table:
        """The answer to a ticket. What waits in the row when the client hangs up is let go; what
        runs goes on, so that it can be fetched by the same ticket.

        Raises:
            DpsqlError: it is none of this principal's, or is not answered.
        """
        said = self._seal.opened("ticket", caller.who.name, ticket)
        delta = None if said["delta"] is None else Fraction(said["delta"])
        question = Question(said["sql"], Fraction(said["eps"]), delta, Wishes())
        made = self._run(caller.who, said["data"], question, said["id"], gone)
        return made.to_arrow(intervals=said["intervals"])

    def free(self, caller: Caller, sql: str) -> Answer:
        """The answer to a query about tables."""
        question = Question(sql, _free(caller.who), None, Wishes())
        return self._run(caller.who, self.data_of(caller), question, token_hex(16), lambda: False)

    def stop(self, caller: Caller, ticket: bytes) -> bool:
        """Stop what a ticket asked; whether it was asked at all."""
        said = self._seal.opened("ticket", caller.who.name, ticket)
        if self._service.asked.find(caller.who.name, said["data"], said["id"]) is None:
            return False
        self._service.stop(caller.who, said["data"], said["id"])
        return True

    def _public(self, caller: Caller, found: Statement) -> pa.Table:
        made = self._run(caller.who, found.data, found.question, token_hex(16), lambda: False)
        return made.to_arrow(intervals=found.intervals)

    def _run(
        self, who: Principal, data: str, asked: Question, name: str, gone: Callable[[], bool]
    ) -> Answer:
        made: Asked = self._service.run(who, data, asked, How(name))
        while not settled(made.future, POLL):
            if gone():
                made.future.cancel()
        if made.future.cancelled():
            raise InvalidArgument(NOT_BEGUN)
        found: Any = made.future.result()
        answer: Answer = found[0]
        return answer


def _free(who: Principal) -> Fraction:
    """Any ε that may be asked for, of a query that costs nothing."""
    return max(Fraction(1), who.min_eps)
