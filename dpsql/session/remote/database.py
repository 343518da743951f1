"""A database that a server has: explained here, run there.

What a query would release and cost is a function of its text, the policy and ε. The server decides
it, and charges by what it decided; here it is computed once more from the public facts that the
server told, so that all that can be asked of an explanation can be asked of this one.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache, partial
from secrets import token_hex
from time import sleep
from typing import Any, NoReturn, TypeVar, Unpack, cast

from dpsql.compile import Compiled
from dpsql.core.account.amount import parse_delta, parse_eps
from dpsql.core.calibrate.options import Amount, Ways, Wishes
from dpsql.core.schema import Schema
from dpsql.errors import EngineError, InvalidArgument, RateExceeded
from dpsql.execution.boundary import charging, typed
from dpsql.execution.target import Target, smallest
from dpsql.once import Once
from dpsql.platform.engine.claim_checks import Report
from dpsql.platform.engine.conform import Cut
from dpsql.report.budget import Budget, LedgerLine
from dpsql.report.explanation import Explanation
from dpsql.report.explanation.explanation import beforehand, explanation
from dpsql.report.explanation.query_series import several
from dpsql.report.figures import float_up
from dpsql.report.result import Answer, Batch
from dpsql.report.workloads.pricing import Estimate, estimate
from dpsql.report.workloads.workload import Workload, workload
from dpsql.session.conforming import Told as ToldProgress
from dpsql.session.database import SOFTWARE, Database
from dpsql.session.remote.client import NOT_REACHED, TOO_OFTEN, Client
from dpsql.session.remote.remote_facts import Told, ToldAnswer, ToldBudget, ToldLines
from dpsql.session.request_keys import callers
from dpsql.visible import one_line

T = TypeVar("T")

OWNERS = "the owner does that where the data are, not over a server"
KEPT = 64
"""Schemas that are remembered by their digests, one, and one for each set of public facts; and
queries."""


class RemoteDatabase(Database):
    """Data, a policy and a ledger of a server; made by `connect`. The methods are `Database`'s.

    Args:
        client: the server, with a token.

    Raises:
        AccessDenied: it does not know the token.
        EngineError: it cannot be reached, or is of another version.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        about = client.get("about", data=client.name)
        if about["version"] != SOFTWARE:
            here, there = SOFTWARE, one_line(str(about["version"]))
            raise EngineError(f"the server is dpsql {there}, and this is {here}: install that")
        self._name, self._analyst = about["data"], about["analyst"]
        self._schemas: OrderedDict[str, Schema] = OrderedDict()
        self._known: dict[object, Compiled] = {}
        self.schema = self._schema(about["schema"])
        self.verified, self.keeps_answers = about["verified"], about["keeps"]
        self._process = os.getpid()

    @typed
    def explain(
        self, sql: str, eps: Amount = 1, delta: Amount = None, **wishes: Unpack[Wishes]
    ) -> Explanation:
        """See `Database.explain`."""
        told, now = self._told(sql, eps, delta, wishes), self._budget()
        made = self._made(told)
        again = made._again if told.parts and made._again else self._again(told)
        refused = None if told.refused is None else one_line(told.refused)
        return beforehand(made, now.account, now.loss, again, refused)

    @typed
    def estimate(
        self,
        queries: Workload,
        eps: Amount = 1,
        delta: Amount = None,
        *,
        size: Mapping[str, float] | float | None = None,
        **wishes: Unpack[Wishes],
    ) -> Estimate:
        """See `Database.estimate`."""
        parts, now = workload(queries, wishes.get("dialect", "duckdb")), self._budget()

        def compiled(sql: str, exact: Fraction) -> Compiled:
            told = self._told(sql, exact, delta, wishes)
            return told.compiled(self._schema(str(told.schema)))

        return estimate(parts, parse_eps(eps), compiled, now.account, now.loss, size)

    @typed
    def calibrate(
        self,
        sql: str,
        error: float,
        confidence: float = 0.95,
        *,
        size: Mapping[str, float] | float | None = None,
        delta: Amount = None,
        **wishes: Unpack[Wishes],
    ) -> float:
        """See `Database.calibrate`."""
        target = Target(error, confidence, size)
        return float_up(smallest(self._again(self._told(sql, 1, delta, wishes)), target))

    @typed
    def stored(self, sql: str, eps: Amount, delta: Amount = None, **wishes: Unpack[Wishes]) -> bool:
        """See `Database.stored`."""
        return cast(bool, self._post("stored", _asked(sql, eps, delta, wishes)))

    @typed
    def run(
        self,
        sql: str,
        eps: Amount,
        delta: Amount = None,
        *,
        fresh: bool = False,
        free: bool = False,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        stop: threading.Event | None = None,
        then: Ways = (),
        **wishes: Unpack[Wishes],
    ) -> Answer:
        """See `Database.run`. What goes over a network that fails is asked again under the same
        key, and charged once.
        """
        asked = {**_asked(sql, eps, delta, wishes), "free": free}
        asked["then"] = [[_asked(q.sql, q.eps, q.delta, q.wishes) for q in way] for way in then]
        return self._answer(self._ended("run", asked, fresh, idempotency_key, timeout, stop))

    @typed
    def run_batch(
        self,
        queries: Workload,
        eps: Amount = None,
        delta: Amount = None,
        *,
        fresh: bool = False,
        free: bool = False,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        stop: threading.Event | None = None,
        **wishes: Unpack[Wishes],
    ) -> Batch:
        """See `Database.run_batch`."""
        workload(queries, wishes.get("dialect", "duckdb"))  # what is none is said here
        texts = queries if isinstance(queries, str | Mapping) else list(queries)
        asked = {**_asked("", eps, delta, wishes), "queries": texts, "free": free}
        answers, cost = self._ended("batch", asked, fresh, idempotency_key, timeout, stop)
        return Batch(tuple(map(self._answer, answers)), cost)

    @property
    @typed
    def budget(self) -> Budget:
        """What may be spent, what was, and what is left; of analysts one's own part alone."""
        now = self._budget()
        lines = cache(lambda: cast(ToldLines, self._get("history")))
        return Budget(
            now.account, now.loss, lambda: lines().lines, lambda: lines().failures, now.now
        )

    @typed
    def charged(self, idempotency_key: str) -> LedgerLine | None:
        """See `Database.charged`."""
        found = self._post("charged", {"idempotency_key": idempotency_key})
        return None if found is None else LedgerLine(found)

    def asked_by(
        self, analyst: str, least: Fraction = Fraction(0), note: Callable[[], object] = bool
    ) -> NoReturn:
        """Who asks is whose the token is."""
        raise InvalidArgument("who asks a server is whose the token is")

    @typed
    def verify(self) -> Report:
        """Is for the owner."""
        raise InvalidArgument(OWNERS)

    @typed
    def prepare(
        self,
        into: str | os.PathLike[str],
        *,
        refresh: bool = False,
        told: ToldProgress | None = None,
    ) -> tuple[Cut, ...]:
        """Is for the owner."""
        raise InvalidArgument(OWNERS)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Is for the owner."""
        return ()

    @typed
    def close(self) -> None:
        """Hang up."""
        self._client.close()

    def _get(self, path: str) -> Any:
        return self._client.get(f"data/{self._name}/{path}")

    def _post(self, path: str, asked: Mapping[str, object]) -> Any:
        return self._client.post(f"data/{self._name}/{path}", asked)

    def _budget(self) -> ToldBudget:
        return cast(ToldBudget, self._get("budget"))

    def _told(self, sql: str, eps: Amount, delta: Amount, wishes: Wishes) -> Told:
        return cast(Told, self._post("explain", _asked(sql, eps, delta, wishes)))

    def _again(self, told: Told) -> Callable[[Fraction], Compiled]:
        """A query at any ε."""
        return partial(told.compiled, self._schema(str(told.schema)))

    def _made(self, told: Told) -> Explanation:
        if told.parts:
            return several([(self._made(one), times) for one, times in told.parts])
        again = self._again(told)
        key = (told.schema, told.text, told.eps, told.dialect, told.options)
        made = self._known.pop(key, None)
        self._known[key] = made = again(told.eps) if made is None else made
        while len(self._known) > KEPT:
            self._known.pop(next(iter(self._known)), None)
        return explanation(made, Once(_statements, told), again)

    def _answer(self, told: ToldAnswer) -> Answer:
        return told.answer(self._made(told.told))

    def _schema(self, digest: str) -> Schema:
        """The schema of a digest; asked for once."""
        known = self._schemas.get(digest)
        if known is None:
            known = cast(Schema, self._client.get(f"data/{self._name}/schema/{digest}"))
            self._schemas[digest] = known
            while len(self._schemas) > KEPT:
                self._schemas.popitem(last=False)
        return known

    def _ended(
        self,
        kind: str,
        asked: dict[str, object],
        fresh: bool,
        key: str | None,
        timeout: float | None,
        stop: threading.Event | None,
    ) -> Any:
        """What a query gives at its end, which is asked for again and again.

        Raises:
            KeyboardInterrupt: Ctrl-C, or `stop`; the query is ended.
        """
        name = token_hex(16)
        key = callers(key) or f"client-{name}"
        asked |= {"id": name, "fresh": fresh, "idempotency_key": key, "timeout": timeout}
        asked |= {"wait": 0.0 if stop is not None else WAIT}
        path = f"data/{self._name}/queries/{name}"
        wait = "0" if stop is not None else str(WAIT)
        charging()  # there, perhaps, whatever goes wrong here
        try:
            found = _twice(lambda: self._post(kind, asked))
            while found["state"] != "done":
                if stop is not None and stop.wait(POLL):
                    raise KeyboardInterrupt
                try:
                    found = _twice(lambda: self._client.get(path, wait=wait))
                except RateExceeded as busy:
                    if not str(busy).startswith(TOO_OFTEN):
                        raise
                    # The query goes on, whatever is heard now.
                    sleep(min(getattr(busy, "seconds", POLL), WAIT))
            return found["answer"]
        except KeyboardInterrupt:
            self._client.delete(path)
            raise


WAIT, POLL = 20.0, 0.2
"""Seconds that the server may hold a question, and between two where the caller may stop it."""


def _twice(work: Callable[[], T]) -> T:
    """What `work` gives; where the network failed, at the second time."""
    try:
        return work()
    except EngineError as error:
        if str(error) != NOT_REACHED:
            raise
    with suppress(RateExceeded):  # which is said of the second time alone
        return work()
    raise EngineError(NOT_REACHED)


def _asked(sql: str, eps: Amount, delta: Amount, wishes: Wishes) -> dict[str, object]:
    """A query as a server is asked for it: amounts are exact."""
    if not isinstance(sql, str):
        raise InvalidArgument(f"a query is a text, not a {type(sql).__name__}")
    weights = wishes.get("weights")
    said = None if eps is None else str(parse_eps(eps))
    given = {name: value for name, value in wishes.items() if name != "weights"}
    if weights is not None:
        given["weights"] = {str(k): float(v) for k, v in weights.items()}
    return {
        "sql": sql,
        "eps": said,
        "delta": None if delta is None else str(parse_delta(delta)),
        **given,
    }


def _statements(told: Told) -> tuple[str, ...]:
    return told.statements
