"""A database under a policy: opens it, and runs the stages of a query in order."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Unpack

from dpsql.compile import ReleasedQuery
from dpsql.core.account.amount import parse_eps
from dpsql.core.account.loss import NOTHING, Loss
from dpsql.core.calibrate.options import Amount, Question, Ways, Wishes
from dpsql.core.schema import Schema
from dpsql.errors import InvalidArgument
from dpsql.execution.boundary import typed
from dpsql.execution.epochs import epoch_at
from dpsql.execution.run import Request, Run, execute, is_stored
from dpsql.execution.target import Target, smallest
from dpsql.platform.engine.claim_checks import Report
from dpsql.platform.engine.conform import Cut
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.protocol import Engine
from dpsql.platform.engine.remote import RemoteScratches
from dpsql.platform.engine.resources import Resources
from dpsql.platform.ledger.ledger import Ledger
from dpsql.platform.policy import Policy, Verification, resolve
from dpsql.platform.policy.files import named
from dpsql.report.budget import Budget, LedgerLine
from dpsql.report.explanation import Explanation
from dpsql.report.explanation.explanation import beforehand
from dpsql.report.figures import float_up
from dpsql.report.result import Answer, Batch
from dpsql.report.workloads.pricing import Estimate, estimate
from dpsql.report.workloads.workload import Workload, workload
from dpsql.session.analysis import Analysis, Known
from dpsql.session.asking import Asking, Parts, answer_of
from dpsql.session.claims import checked
from dpsql.session.conforming import Told, conforming_copy
from dpsql.session.costs import compiled_at
from dpsql.session.modelling import Modelling, stated
from dpsql.session.pace import Pace
from dpsql.session.recheck import OpeningChecks
from dpsql.session.request_keys import callers
from dpsql.session.together import Together, declared

SOFTWARE = package_version("dpsql")


class Database(Modelling):
    """Data, a policy and a ledger. Made by `connect`; a context manager.

    Attributes:
        schema: the policy, merged with what the engine enforces and what was verified.
        keeps_answers: whether what was answered once is free when it is asked again.
        verified: whether a verification record of this version of the data is in force.
    """

    def __init__(
        self,
        engine: Engine,
        policy: Policy,
        ledger: Ledger,
        record: Verification | None = None,
        record_path: Path | None = None,
        *,
        analyst: str = "",
        version: str | None = None,
        resources: Resources | None = None,
        ledger_path: str = "",
    ) -> None:
        self._engine, self._policy, self._ledger = engine, policy, ledger
        self._analyst, self._named_version = analyst, version
        now = datetime.now(UTC)
        self.keeps_answers = bool(epoch_at(policy.budget.epoch, version, now, engine.stable))
        self._lent, self._least = False, Fraction(0)
        self._note: Callable[[], object] = bool
        self._resources = resources or Resources(policy.limits.exact)
        self._scratches = self._resources.scratches()
        # Queries run there; what the owner asks for, such as `verify`, runs here.
        self._remote = self._resources.remote(engine)
        self._record_path, self._ledger_path = record_path, ledger_path
        catalog = engine.catalog()
        self.schema: Schema = resolve(policy, catalog, record)
        self.verified = record is not None
        self._checks = OpeningChecks(engine, policy, self.schema)
        self._analysis = Analysis(engine, self.schema, ledger, self._checks)
        with engine.snapshot() as snapshot:
            self._checks.facts(snapshot)

    @typed
    def explain(
        self, sql: str, eps: Amount = 1, delta: Amount = None, **wishes: Unpack[Wishes]
    ) -> Explanation:
        """What a query would release and cost, without a private row and without a charge.

        What is not declared of public tables, and the query needs, is looked up in them.

        Args:
            sql: one SELECT.
            eps: the ε of the whole query.
            delta: the δ of the whole query: for private group keys and Gaussian noise. By default
                that part of the policy's δ which ε is of its ε; it is charged where it is used.
            wishes: noise, clipping, weights, dialect; see `dpsql.core.calibrate.options.Wishes`.

        Raises:
            Rejected: the query is not accepted.
            InvalidBudget: an ε or δ that is none.
            UnknownDialect: a dialect that is none.
            PolicyError: a public table of an open connection is another one now.
            EngineError: the engine failed on public tables.
            InvalidArgument: another argument that is none.
            InternalError: dpsql itself failed; here and everywhere.
        """
        model, ledger = stated(sql, wishes), self._ledger
        if model is not None:
            found = model.explained(self, eps, delta, wishes)
            assert found._again is not None  # what `explain` gives has it
            again = found._again
        else:
            made, found = self._analysis.ready(self, sql, eps, delta, wishes)
            again = partial(compiled_at, made.compiled.asked_of, sql, delta, wishes)
        refused = None
        if found._losses:  # what costs nothing is not charged, and so not refused
            refused = ledger.refusal(found._losses, self._analyst, self._least)
        return beforehand(found, ledger.account, ledger.loss, again, refused)

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
        """What many queries would cost together, without a private row and without a charge.

        Args:
            queries: SQL with `;` between queries; several such texts; or texts by their names.
            eps: of each query that has no comment `-- eps: 0.5` above it.
            size: a public guess of the columns' sizes, one for all or by column: half-widths are
                given as parts of it, too.
            delta, wishes: of each query; see `explain`.

        Raises:
            InvalidBudget: an ε or δ that is none.
            UnknownDialect: a dialect that is none.
        """
        parts = workload(queries, wishes.get("dialect", "duckdb"))
        ledger = self._ledger
        return estimate(
            parts,
            parse_eps(eps),
            lambda sql, exact: self._analysis.ready(self, sql, exact, delta, wishes)[0].compiled,
            ledger.account,
            ledger.loss,
            size,
        )

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
        """The smallest ε with which no count or sum of a query is off by more than `error`.

        No private row is read, and nothing is charged.

        Args:
            sql: one SELECT.
            error: the half-width that each noisy column may have, in the column's unit; with
                `size`, as a part of it.
            confidence: of the half-width.
            size: a public guess of the columns' sizes, one for all or by column.
            delta, wishes: see `explain`.

        Returns:
            ε, within a part in a thousand of the smallest; 0 for a public query.

        Raises:
            Rejected: the query is not accepted.
            NotCalibrated: how far a column is off depends on the data, or no ε is enough.
            InvalidBudget: a δ that is none.
            InvalidArgument: an error, a confidence or a size that is none.
        """
        target = Target(error, confidence, size)
        schema = self._analysis.ready(self, sql, 1, delta, wishes)[0].compiled.asked_of
        return float_up(smallest(partial(compiled_at, schema, sql, delta, wishes), target))

    @typed
    def stored(self, sql: str, eps: Amount, delta: Amount = None, **wishes: Unpack[Wishes]) -> bool:
        """Whether a stored answer will do, so that `run` will charge nothing for it.

        No private row is read: where a public table lists the groups, only a run can tell.

        Args:
            sql, eps, delta, wishes: see `run`.

        Raises:
            Rejected, InvalidBudget, UnknownDialect, InvalidArgument: see `explain`.
            EngineError: the ledger cannot be read.
        """
        model, asked = stated(sql, wishes), Asking(False, None, Pace.of(self.schema.limits, None))
        if model is not None:
            return model.stored(Parts(self, replace(asked, free=True)), eps, delta, wishes)
        query, _ = self._analysis.ready(self, sql, eps, delta, wishes)
        if not isinstance(query.compiled.query, ReleasedQuery):
            return False
        request = self._request((), asked)
        return is_stored(query, self._engine, self._ledger, request)

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
        """Answer a query with noise, and charge the ledger.

        Where the same was answered before in the same epoch of the policy, with at least
        this ε, that answer is given again and nothing is charged (`Answer.reused`).

        Args:
            sql: one SELECT.
            eps: the ε of the whole query; not used by a query over public tables.
            fresh: whether new noise is drawn, and paid for, even so.
            free: whether it is answered only where that costs nothing.
            idempotency_key: of the caller's choice. A second run of this analyst with the same key,
                a retry, gets the answer of the first and is not charged.
            timeout: seconds after which it is stopped, if that is sooner than the policy's limit.
                What was charged by then stays charged.
            stop: ends it when another thread sets it, as Ctrl-C does in the main thread; data in
                memory are read to their end.
            then: how it may go on, as lists of `dpsql.core.calibrate.options.Question`: it is
                charged only where all that is in any one of them would be accepted and charged
                after it, if nobody else is charged meanwhile.
            delta, wishes: see `explain`.

        Raises:
            KeyboardInterrupt: it was stopped; the charge stays, if there was one.
            LimitExceeded: a query over public tables met a limit, or the time of another was over
                before its charge; nothing was charged.
            RequestExists: the key was used, and there is no answer of it to give; nothing was
                charged.
            Rejected: the query is not accepted; nothing was charged.
            InvalidBudget: an ε or δ that is none; nothing was charged.
            UnknownDialect: a dialect that is none; nothing was charged.
            BudgetExceeded: it costs more than is left, or is not free and was to be; nothing was
                charged.
            PolicyError: an open connection changed. Where a table is defined otherwise, or settings
                give queries another meaning, nothing was charged; where a key is none any more,
                which the rows tell, the charge stays.
            EngineError: the engine failed, or was stopped; the charge stays.
            InvalidArgument: another argument that is none; nothing was charged.
            InternalError: dpsql itself failed; whether anything was charged is said.
        """
        pace = Pace.of(self.schema.limits, timeout, stop)
        asked = Asking(fresh, callers(idempotency_key), pace, free=free, then=then)
        return pace.kept(lambda: self._answered(sql, eps, delta, wishes, asked))

    def _answered(
        self, sql: str, eps: Amount, delta: Amount, wishes: Wishes, asked: Asking
    ) -> Answer:
        if self._remote is not None:
            self._remote.warm()  # a worker starts while the query is analysed
        model = stated(sql, wishes)
        if model is not None:
            return model.answer(Parts(self, asked), eps, delta, wishes)
        query, explained = self._analysis.ready(self, sql, eps, delta, wishes)
        then = tuple(tuple(self._losses(way, asked.pace)) for way in asked.then)
        request = replace(self._request(explained._noted(), asked), then=then)
        return answer_of(execute(query.bind(), self._where, request), explained)

    def _losses(self, way: Sequence[Question], pace: Pace) -> Iterator[Loss]:
        """Of queries that may follow; what is public has none."""
        for one in way:
            pace.check()
            query, _ = self._analysis.ready(self, one.sql, one.eps, one.delta, one.wishes)
            query.bind()  # what the engine cannot say is found here, too
            if query.compiled.loss != NOTHING:
                yield query.compiled.loss

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
        """Answer queries that are declared together, for one charge.

        By the accountants approx and pld they cost less than one by one: the ε of their privacy
        loss distributions at δ. Where one is not accepted, none is run.

        Args:
            queries: SQL with `;` between queries; several such texts; or texts by their names.
            eps: of each query that has no comment `-- eps: 0.5` above it.
            delta: of all together. By default that part of the policy's δ which the queries' ε
                together is of its ε; by the accountant pld all of it.
            timeout: of all together; see `run`.
            fresh, free, idempotency_key, stop, wishes: see `run`.

        Raises:
            Rejected, InvalidBudget, UnknownDialect, BudgetExceeded, RequestExists: nothing was
                charged.
            PolicyError, LimitExceeded, EngineError, ValueError: see `run`.
        """
        pace = Pace.of(self.schema.limits, timeout, stop)
        how = Asking(fresh, callers(idempotency_key), pace, batch=True, free=free)

        def ready(sql: str, own: Fraction, its: Fraction) -> Known:
            return self._analysis.ready(self, sql, own, its, wishes)

        def answered() -> Batch:
            asked = declared(queries, eps, wishes.get("dialect", "duckdb"))
            kind, request = self._ledger.account.accountant, partial(self._request, asked=how)
            together = Together(self.schema, kind, ready, self._where, request, pace.check)
            return together.answered(asked, delta)

        return pace.kept(answered)

    @property
    def _where(self) -> Run:
        """Where queries run, and what of data that can change must be asked again in each."""
        recheck = None if self._engine.stable else self._checks.later()
        if self._remote is None:
            return Run(self._engine, self._ledger, self._scratches, recheck)
        return Run(self._remote, self._ledger, RemoteScratches(), recheck)

    def _request(self, noted: tuple[dict[str, object], ...], asked: Asking) -> Request:
        return Request(
            description=[*noted],
            analyst=self._analyst,
            key=asked.key or "",
            fresh=asked.fresh,
            free=asked.free,
            batch=asked.batch,
            version=self._named_version,
            epoch=self._policy.budget.epoch,
            software=SOFTWARE,
            deadline=asked.pace.deadline,
            check=asked.pace.check,
            note=self._note,
            begin=asked.pace.begin,
            settle=asked.pace.settle,
            least=self._least,
        )

    @property
    @typed
    def budget(self) -> Budget:
        """What may be spent, what was, and what is left."""
        return Budget.of(self._ledger)

    def asked_by(
        self, analyst: str, least: Fraction = Fraction(0), note: Callable[[], object] = bool
    ) -> Database:
        """The same database, asked by another: it is open as long as this one is, which alone gives
        the data back.

        Args:
            analyst: who asks.
            least: the least ε of a charge of theirs; 0 for the policy's.
            note: is called before each charge, which is not made where it raises.
        """
        seen = copy(self)
        seen._analyst, seen._lent, seen._least, seen._note = analyst, True, least, note
        return seen

    @property
    def analyst(self) -> str:
        """Who asks, for the caps; "" for nobody in particular."""
        return self._analyst

    @typed
    def charged(self, idempotency_key: str) -> LedgerLine | None:
        """The line of the ledger that a run of this analyst with that key made; None where it was
        not charged.

        Raises:
            EngineError: the ledger cannot be read.
        """
        found = self._ledger.request(idempotency_key, self._analyst)
        return None if found is None else LedgerLine(found)

    @property
    def tables(self) -> Mapping[str, tuple[str, ...]]:
        """The declared tables and their columns."""
        return {t.name: tuple(c.name for c in t.columns) for t in self.schema.tables.values()}

    @typed
    def verify(self) -> Report:
        """Check every claim of the policy on the data, for the owner; record those that hold.

        The record is kept beside the data and is in force from the next `connect` on, as long as
        the data's version and the policy's claims stay. See `dpsql.verify`, which checks keys, too.
        """
        return checked(self._engine, self._policy, self._record_path)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The files of a folder that are not read, each with the reason: for the owner."""
        return self._engine.left_out

    @typed
    def prepare(
        self, into: str | os.PathLike[str], *, refresh: bool = False, told: Told | None = None
    ) -> tuple[Cut, ...]:
        """Write a conforming copy of the data, for the owner; see `dpsql.prepare`.

        Raises:
            PolicyError: the copy cannot be made; one that was there is as it was.
            EngineError: the data or the ledger cannot be read, or memory or disk ran out.
            LedgerTampered: the ledger is not what it was.
        """
        if not isinstance(self._engine, DuckDBEngine):
            raise InvalidArgument("a copy is made of data that DuckDB reads")
        return conforming_copy(
            self._engine,
            self._policy,
            named(into, "the copy"),
            resources=self._resources,
            ledger=self._ledger_path,
            refresh=refresh,
            told=told,
        )

    @typed
    def close(self) -> None:
        """Give the data back; queries that run are stopped."""
        if self._lent:
            return
        if self._remote is not None:
            self._remote.close()
        self._scratches.close()
        self._analysis.close()
        self._engine.close()
        self._resources.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<dpsql database: {', '.join(self.tables)}>"
