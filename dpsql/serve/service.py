"""What principals can do, whichever way they come in: the one path to the data.

Claim: nobody spends in another's name, or sees what another asked. Why: the analyst of each call is
the name of the principal that was authenticated, by which the ledger charges and caps, and by which
queries and lines are found; no request names an analyst. But two things are seen of all: how much
is spent, and, by who asks the very same, that it was answered before.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Literal, TypeVar

from dpsql.core.calibrate.options import Amount, Question, Wishes
from dpsql.core.schema import Schema
from dpsql.errors import AccessDenied, BudgetExceeded, DpsqlError, InvalidArgument, RequestExists
from dpsql.platform.ledger.ledger import Charge
from dpsql.report.budget import Budget
from dpsql.report.explanation import Explanation
from dpsql.report.policies.check import Check
from dpsql.report.result import Answer, Batch
from dpsql.report.workloads import Estimate
from dpsql.report.workloads.workload import Query, Workload, workload
from dpsql.serve.asked import Asked, AskedQueries, How, size_of
from dpsql.serve.audit_log import AuditLog
from dpsql.serve.config import LimitsConfig, ServerConfig
from dpsql.serve.data_sets import DataSet
from dpsql.serve.fair_queue import FairQueue
from dpsql.serve.giving import Giving
from dpsql.serve.principals import Principal, Principals
from dpsql.serve.refusals import foreseen, refusal
from dpsql.serve.refused_logins import RefusedLogins
from dpsql.serve.remembered import LOST, UNCHARGED, Remembered, RememberedQueries
from dpsql.serve.request_rate import Pacer
from dpsql.serve.told_schemas import ToldSchemas
from dpsql.session.database import Database
from dpsql.session.for_owners import check_open
from dpsql.session.remote.remote_facts import Told, ToldAnswer, ToldBudget, ToldLines

T = TypeVar("T")

NO_DATA = "there is no such data set, or it is not yours"
OWNERS_ONLY = "that is for owners alone"
GONE = "there is no query of yours with this id; it may have been too long ago, or cost nothing"
STOPPED = "the query was stopped; what was charged stays charged"
LOOKS, LOOKS_EACH = 2, 1
"""Explanations at once, and those of one principal."""


class Service:
    """All that is served. Safe for threads.

    Args:
        config: what.
        databases: the databases by name; see `data_sets.opened`.

    Raises:
        PolicyError, EngineError: data, a policy, a ledger or the state cannot be opened.
    """

    def __init__(self, config: ServerConfig, databases: Mapping[str, Database]) -> None:
        state = Path(config.state)
        self.config = config
        self.principals = Principals(state)
        self.audit = AuditLog(state)
        self.refused_logins = RefusedLogins(self.audit, self.principals)
        self.data = {name: DataSet(name, db) for name, db in databases.items()}
        limits: LimitsConfig = config.limits
        self.queue = FairQueue(
            limits.running, limits.running_each, limits.waiting, limits.waiting_each
        )
        self.looks = FairQueue(LOOKS, LOOKS_EACH, limits.waiting, limits.waiting_each)
        self.asked = AskedQueries(limits.kept_seconds)
        self.remembered = RememberedQueries(state, limits.kept_seconds)
        self.giving = Giving()
        own = {name: part.requests_per_minute for name, part in config.principals.items()}
        self.pacer = Pacer(
            limits.requests_per_minute, own={name: n for name, n in own.items() if n is not None}
        )
        self.schemas = ToldSchemas()
        self._lock = threading.Lock()
        self._verdicts: Counter[tuple[str, str]] = Counter()

    def explain(
        self, who: Principal, data: str, asked: Question, typed: str = ""
    ) -> tuple[Told, Explanation]:
        """What a query would release and cost, and what is told of it; `typed`: see `How`.

        Raises:
            DpsqlError: see `Database.explain`.
        """
        db = self._bound(who, data).db.asked_by(who.name, who.min_eps)

        def work() -> tuple[Told, Explanation]:
            found = db.explain(asked.sql, asked.eps, asked.delta, **asked.wishes)
            if (refused_here := refusal(who, [asked.eps])) is not None:
                found = foreseen(found, db.budget, refused_here)
            refused = None if found.ledger is None else found.ledger.refused
            return replace(self.schemas.told(data, found), refused=refused), found

        return self._noted(who, data, "explain", asked.sql, work, typed=typed)

    def stored(self, who: Principal, data: str, asked: Question) -> bool:
        """See `Database.stored`."""
        db = self._seen(who, data).db.asked_by(who.name)

        def work() -> bool:
            return db.stored(asked.sql, asked.eps, asked.delta, **asked.wishes)

        return self._noted(who, data, "stored", asked.sql, work)

    def run(self, who: Principal, data: str, asked: Question, how: How) -> Asked:
        """Put a query in the row. Asked again under its id, it is the same.

        Raises:
            DpsqlError: it is not taken; nothing was charged.
        """
        self._charging(who, data, [asked.eps])
        return self._begun(who, data, Remembered.of(how, asked), how, [asked.eps])

    def batch(
        self, who: Principal, data: str, queries: Workload, asked: Question, how: How
    ) -> Asked:
        """The same of queries that are declared together; `asked` says what holds for all.

        Raises:
            DpsqlError: they are not taken; nothing was charged.
        """
        parts = self._few(queries, asked.wishes)
        every = [asked.eps if part.eps is None else part.eps for part in parts]
        least = [eps for eps in every if eps is not None]
        self._charging(who, data, least)
        whole = replace(asked, sql=";\n".join(part.text for part in parts))
        return self._begun(who, data, Remembered.of(how, whole, queries), how, least)

    def _run(
        self, db: Database, data: str, kept: Remembered, how: How, stop: threading.Event
    ) -> tuple[Answer | Batch, object]:
        """The answer, and what is told of it."""
        asked, tell = kept.question, self.schemas.told
        given: dict[str, Any] = {"fresh": how.fresh, "free": how.free, "idempotency_key": how.key}
        given |= {"timeout": how.timeout, "stop": stop, **asked.wishes}
        if kept.queries is None:
            one = db.run(asked.sql, asked.eps, asked.delta, then=how.then, **given)
            return one, ToldAnswer.of(one, tell(data, one.explanation))
        many = db.run_batch(kept.queries, asked.eps, asked.delta, **given)
        told = tuple(ToldAnswer.of(each, tell(data, each.explanation)) for each in many)
        return many, (told, many.cost)

    def _few(self, queries: Workload, wishes: Wishes) -> tuple[Query, ...]:
        """Queries that are one turn in a row, which are not too many for it."""
        parts = workload(queries, wishes.get("dialect", "duckdb"))
        if len(parts) > self.config.limits.batch:
            raise InvalidArgument(f"a batch has at most {self.config.limits.batch} queries here")
        return parts

    def found(self, who: Principal, data: str, name: str) -> Asked:
        """What a principal asked under an id; what is not in memory and was charged is fetched.

        Raises:
            AccessDenied: nothing that is known.
            RateExceeded: too much waits.
            EngineError: it cannot be read.
        """
        self._seen(who, data)
        if (asked := self.asked.find(who.name, data, name)) is not None:
            return asked
        if (kept := self.remembered.find(who.name, data, name)) is not None:
            return self._begun(who, data, kept, kept.fetching, None)
        raise AccessDenied(GONE)

    def recent(self, who: Principal, data: str) -> tuple[Asked, ...]:
        """What a principal asked and can fetch, oldest first."""
        self._seen(who, data)
        here = {asked.id: asked for asked in self.asked.of(who.name, data)}
        earlier = (k for k in self.remembered.of(who.name, data) if k.id not in here)
        made = (Asked(k.id, who.name, data, k.digest, k.shown, earlier=True) for k in earlier)
        return (*made, *here.values())

    def stop(self, who: Principal, data: str, name: str) -> None:
        """End what was asked of this server under an id, as Ctrl-C does; see `found`."""
        self._seen(who, data)
        asked = self.asked.find(who.name, data, name)
        if asked is None:
            raise AccessDenied(GONE)
        self.audit.write(self._line(who, data, "stop", id=name))
        asked.stop.set()
        asked.future.cancel()

    def budget(self, who: Principal, data: str) -> tuple[Budget, ToldBudget]:
        """The account, as this principal is shown it; an owner sees all.

        Raises:
            EngineError: the ledger cannot be read.
        """
        found = self._bound(who, data).db.budget
        if who.role != "owner":
            found = found.seen_by(who.name)
        now = found._now
        return found, ToldBudget(found.account, found.loss, now)

    def history(self, who: Principal, data: str) -> ToldLines:
        """Lines of the ledger, and failures; see `budget`."""
        found, _ = self.budget(who, data)
        return ToldLines(found._lines(), dict(found.failures))

    def charged(self, who: Principal, data: str, key: str) -> Charge | None:
        """See `Database.charged`."""
        line = self._seen(who, data).db.asked_by(who.name).charged(key)
        return None if line is None else line.charge

    def about(self, who: Principal, data: str) -> tuple[str, str, bool]:
        """The data set that is meant, the digest of its schema, and whether it was verified. Where
        no name is given, and one alone may be seen, it is that.

        Raises:
            AccessDenied: there is none.
        """
        seen = [name for name in self.data if who.may_see(name)]
        name = data or (seen[0] if len(seen) == 1 else "")
        found = self._seen(who, name)
        return name, self.schemas.digest(found.db.schema), found.db.verified

    def schema(self, who: Principal, data: str, digest: str) -> Schema:
        """A schema that was told to somebody who may see that data set.

        Raises:
            AccessDenied: there is none.
        """
        self._seen(who, data)
        found = self.schemas.find(data, digest) or self.data[data].db.schema
        if self.schemas.digest(found) != digest:
            raise AccessDenied(NO_DATA)
        return found

    def usual_eps(self, who: Principal, otherwise: Fraction | None = None) -> Fraction | None:
        """The ε of a principal's query that names none: as the principal was made, as the
        configuration has it, or what holds for all.
        """
        listed = self.config.principals.get(who.name)
        own = (who.default_eps, None if listed is None else listed.eps)
        return next((eps for eps in own if eps is not None), otherwise)

    def facts(self, who: Principal, data: str) -> Schema:
        """What is public of a data set."""
        return self._seen(who, data).db.schema

    def estimate(
        self, who: Principal, data: str, queries: str, eps: Amount, wishes: Wishes
    ) -> Estimate:
        """See `Database.estimate`.

        Raises:
            InvalidBudget, UnknownDialect: an ε or a dialect that is none.
        """
        db = self._seen(who, data).db.asked_by(who.name)

        def work() -> Estimate:
            self._few(queries, wishes)
            return db.estimate(queries, eps, **wishes)

        return self._noted(who, data, "estimate", queries, work)

    def remarks(self, who: Principal, data: str) -> Check:
        """What is odd about a policy; see `dpsql.check`. For the data set's owners: units are
        counted.

        Raises:
            AccessDenied: it is for owners.
        """
        db = self._seen(who, data).db
        if who.role != "owner":
            raise AccessDenied(OWNERS_ONLY)
        self.audit.write(self._line(who, data, "check"))
        return check_open(db)

    def people(self, who: Principal) -> Principals:
        """The principals, to be looked at.

        Raises:
            AccessDenied: they are for owners of all data sets.
        """
        if who.role != "owner" or who.data is not None:
            raise AccessDenied(OWNERS_ONLY)
        return self.principals

    def administer(
        self, who: Principal, action: str, change: Callable[[Principals], T], **said: str
    ) -> T:
        """A change of principals; it is in the audit log before it is made.

        Raises:
            AccessDenied: see `people`.
            InvalidArgument: it is no change that can be made.
        """
        people = self.people(who)
        self.audit.write(self._line(who, "", action, **said))
        return change(people)

    def entered(self, who: Principal, action: Literal["login", "logout"]) -> None:
        """Note that somebody came to the console, or left."""
        self.audit.write(self._line(who, "", action))

    def close(self, seconds: float = 30) -> None:
        """Take no more, wait for what runs, and give the data back."""
        for asked in self.asked.all():
            if not asked.future.done() and asked.future.cancel():
                self.asked.drop(asked)
        self.looks.close(seconds)
        self.queue.close(seconds)
        for found in self.data.values():
            found.db.close()
        self.refused_logins.close()
        self.audit.write({"action": "closed"})

    def audited(self, who: Principal, last: int) -> tuple[dict[str, object], ...]:
        """The last lines of the audit log.

        Raises:
            AccessDenied: they are for owners of all data sets.
        """
        self.people(who)
        return self.audit.lines(last)

    def verdicts(self) -> Counter[tuple[str, str]]:
        """How many queries of each data set had each verdict."""
        with self._lock:
            return Counter(self._verdicts)

    def _seen(self, who: Principal, data: str) -> DataSet:
        """A data set, where it is there for this principal.

        Raises:
            AccessDenied: it is not; which of both is not said.
        """
        if data not in self.data or not who.may_see(data):
            raise AccessDenied(NO_DATA)
        return self.data[data]

    def _bound(self, who: Principal, data: str) -> DataSet:
        """The same, under the caps that hold now."""
        found = self._seen(who, data)
        found.bind(self.principals)
        return found

    def _still(self, who: Principal) -> Principal:
        """Somebody whose turn it is now, as he is now: what waited is not charged to whoever was
        paused or revoked meanwhile, nor beyond a cap that is lower by now.

        Raises:
            AccessDenied: the token is over.
        """
        found = self.principals.still(who)
        if found is None:
            raise AccessDenied(AccessDenied.TOKEN)
        return found

    def _charging(
        self,
        who: Principal,
        data: str,
        every: Sequence[Amount],
        note: Callable[[], object] = bool,
    ) -> Database:
        """The database of somebody who may be charged so much for each query; see `asked_by`."""
        found, refused = self._bound(who, data), refusal(who, every)
        if refused is not None:
            raise refused
        return found.db.asked_by(who.name, who.min_eps, note)

    def _begun(
        self, who: Principal, data: str, kept: Remembered, how: How, least: list[Amount] | None
    ) -> Asked:
        """Put a query in the row: for that ε of each; or, with None, to be fetched for free."""
        # A query is in its error, or its explanation, more than once.
        made = Asked(how.id, who.name, data, kept.digest, kept.shown, 4 * len(kept.question.sql))
        before = self.asked.add(made)
        if before is not None:
            return before

        def work(stop: threading.Event) -> tuple[Answer | Batch, object]:
            if least is None:
                return self._fetched(who, data, kept, how, stop)
            # On the disk before what it says is charged; what is free can be asked again.
            note = partial(self.remembered.add, who.name, data, kept)
            db = self._charging(self._still(who), data, least, note)
            return self._run(db, data, kept, how, stop)

        def noted() -> Any:
            try:
                found = self._noted(
                    *(who, data, "fetch" if least is None else "run", kept.question.sql),
                    lambda: _until(made.stop, work),
                    typed=how.typed,
                    id=how.id,
                )
                made.size += size_of(found[0])
                return found
            except BaseException:
                if least is None:  # or who asks it again would be told the same again
                    self.asked.drop(made)
                raise
            finally:
                made.ended = monotonic()

        try:
            if least is not None:
                self.remembered.check(who.name, data, kept)
            made.future = self.queue.ask(who.name, noted)
        except BaseException:
            self.asked.drop(made)
            raise
        return made

    def _fetched(
        self, who: Principal, data: str, kept: Remembered, how: How, stop: threading.Event
    ) -> tuple[Answer | Batch, object]:
        """What was answered under a key; or what needs none, as it costs nothing.

        Raises:
            RequestExists: it was charged, and has no answer.
            InvalidArgument: it was not charged, and is not free.
        """
        who = self._still(who)
        db = self._bound(who, data).db.asked_by(who.name)
        line = db.charged(kept.key)
        if line is None:
            self._charging(who, data, [])  # who is paused asks nothing, free or not
        elif not line.charge.answered:
            raise RequestExists(LOST)
        with suppress(BudgetExceeded):  # what is asked for free is refused for nothing else
            return self._run(db, data, kept, how, stop)
        raise InvalidArgument(UNCHARGED)

    def _noted(
        self,
        who: Principal,
        data: str,
        action: str,
        sql: str,
        work: Callable[[], T],
        typed: str = "",
        **more: str,
    ) -> T:
        """The result of `work`; that it was asked and what became of it are in the audit log."""
        texts = {"sql": typed, "became": sql} if typed and typed != sql else {"sql": sql}
        if action == "run":  # before anything is charged, or it is not
            # What is charged is in the ledger, too, which is durable.
            self.audit.write(self._line(who, data, "ask", **texts, **more), durable=False)
        verdict, cost = "failed", ""
        try:
            found = work()
            verdict, cost = _verdict(found)
            return found
        except DpsqlError as error:
            verdict = getattr(error, "code", type(error).__name__)
            raise
        finally:
            said = {} if action == "run" else texts
            line = self._line(who, data, action, verdict=verdict, cost=cost, **said, **more)
            self.audit.write(line)
            with self._lock:
                self._verdicts[data, verdict] += 1

    def _line(self, who: Principal, data: str, action: str, **more: str) -> dict[str, object]:
        by = {"principal": who.name, "token": who.token, "data": data, "action": action}
        return {**by, **{name: text for name, text in more.items() if text}}


def _until(stop: threading.Event, work: Callable[[threading.Event], T]) -> T:
    """The result of `work`, or of who stopped it, an error."""
    try:
        return work(stop)
    except KeyboardInterrupt:
        pass
    raise RequestExists(STOPPED)


def _verdict(found: object) -> tuple[str, str]:
    """What the audit log says of what came out: never what it is."""
    if isinstance(found, bool):
        return "stored" if found else "not stored", ""
    first = found[0] if isinstance(found, tuple) else found
    if isinstance(first, Told):
        assert isinstance(found, tuple)
        return "accepted", str(found[1].cost)
    if isinstance(first, Answer):
        return "answered" if first.reused is None else "reused", str(first.cost)
    return "answered", str(first.cost) if isinstance(first, Batch) else ""
