"""From a compiled query to noisy rows: public groups, stored answers, charge, exact cells, noise,
post-processing.

The order is the guarantee: what the engine does not take fails before the charge; the ledger is
charged, durably, before the engine is asked for anything private; noise is added before anything
leaves `noise`; the noisy answer is stored, durably, before it is shown, so that a charge has one
answer; what comes after sees noisy numbers and public tables only. Where a stored answer will do,
nothing private is read and nothing is charged.
What is the same on all neighbours costs nothing, and makes no line, though rows are read for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from itertools import accumulate, chain
from typing import Protocol

from dpsql.compile import ReleasedQuery
from dpsql.core.account.loss import NOTHING, Loss
from dpsql.core.limits import Limits
from dpsql.core.release.release import Release
from dpsql.errors import BudgetExceeded, EngineError, LimitExceeded, RequestExists
from dpsql.execution import boundary, cells, reuse
from dpsql.execution.after_charge import ChargeState, opaque, settled
from dpsql.execution.cells import listed_groups
from dpsql.execution.epochs import epoch_at
from dpsql.execution.exact import Key
from dpsql.execution.loaded import load
from dpsql.execution.noise import NoisyRelease, add_noise
from dpsql.execution.processing import Reused, Rows, post_process
from dpsql.execution.reading import (
    candidates,
    copy_table,
    engine_source,
    fed_columns,
    public_groups,
)
from dpsql.execution.ready import Prepared
from dpsql.execution.reuse import Again, Asked
from dpsql.execution.version import data_version
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.guard import FAILED, guarded
from dpsql.platform.engine.protocol import Engine, ResultTable, Snapshot, Workspaces
from dpsql.platform.engine.public_facts import check_facts
from dpsql.platform.ledger.ledger import WAIT, Entry, Ledger, Stored
from dpsql.proven import PublicQuery

NOT_FREE = "no stored answer will do, so that this would cost something; nothing was charged"


class Recheck(Protocol):
    """What was true of the data when it was opened."""

    def definitions(self, snapshot: Snapshot) -> None:
        """Raise PolicyError where a table is another one now; reads no row."""

    def facts(self, snapshot: Snapshot) -> None:
        """Raise PolicyError where a key or a public number of rows is none any more."""


@dataclass(frozen=True, slots=True)
class Request:
    """How an answer is asked for, beside the query.

    Attributes:
        description: of the releases, for the ledger's entry; a function of the query alone.
        analyst: who asks; "" for nobody in particular.
        key: of the caller's choice, the same for a retry; "" for none.
        fresh: whether new noise is drawn, and paid for, even where a stored answer would do.
        free: whether nothing may be charged: a stored answer will do, or there is none.
        batch: whether queries were declared together beforehand.
        version: of the data, as the owner names it.
        epoch: what the policy says of it; see `epochs`.
        software: whose version is noted in the ledger.
        deadline: when the query is stopped; None for never.
        check: raises where it is too late for a charge.
        note: is called before a charge, which is not made where it raises.
        begin: is called before any private row may be read.
        settle: waits until the outcome may be known, also by what the ledger says of it; whether
            that had to be waited for.
        then: how it may go on, as losses; see `Entry`.
        least: the least ε of a charge; likewise.
    """

    description: list[object]
    analyst: str = ""
    key: str = ""
    fresh: bool = False
    free: bool = False
    batch: bool = False
    version: str | None = None
    epoch: str | None = None
    software: str = ""
    deadline: Deadline | None = None
    check: Callable[[], object] = bool
    note: Callable[[], object] = bool
    begin: Callable[[], object] = bool
    settle: Callable[[], bool] = bool
    then: tuple[tuple[Loss, ...], ...] = ()
    least: Fraction = Fraction(0)

    def entry(self, text: str, data: str | None, epoch: str | None) -> Entry:
        """What the ledger notes of it.

        Args:
            text: the canonical query.
            data: the digest of their contents, if they have one.
            epoch: in which its answer will be given again.
        """
        return Entry(
            text,
            json.dumps(self.description),
            analyst=self.analyst,
            request=self.key,
            batch=self.batch,
            version=self.software,
            data=data or "",
            epoch=epoch or "",
            then=self.then,
            least=self.least,
        )


@dataclass(frozen=True, slots=True)
class Run:
    """Where queries run.

    Attributes:
        engine: the data.
        ledger: is charged before anything private is read, unless an answer that it keeps will do.
        scratches: empty databases for post-processing.
        recheck: what must still be true of data that can change, asked in the queries' snapshot.
    """

    engine: Engine
    ledger: Ledger
    scratches: Workspaces
    recheck: Recheck | None = None


def execute(query: Prepared, run: Run, request: Request) -> Rows:
    """Answer a query, for its loss.

    Args:
        query: ready to run.
        run: where.
        request: how it is asked.

    Raises:
        BudgetExceeded: nothing was charged.
        RequestExists: the key of the request was used, and no answer of it can be given again;
            nothing was charged.
        EngineError: the charge stays, if there was one.
    """
    public = query.compiled.query
    if isinstance(public, PublicQuery):
        return _public(public, query.compiled.schema.limits, run, request)
    (rows,) = execute_batch((query,), query.compiled.loss, run, request)
    return rows


def execute_batch(
    queries: Sequence[Prepared], loss: Loss, run: Run, request: Request
) -> tuple[Rows, ...]:
    """Answer several queries on one snapshot, for one charge.

    Either all answers are stored ones of one line, or all are new.

    Args:
        queries: in order; at least one.
        loss: what all of them cost together.
        run: where.
        request: how they are asked.

    Returns:
        Of each its rows; `charged` is its own loss, and all of them together cost `loss`.

    Raises:
        BudgetExceeded, RequestExists, EngineError: see `execute`.
    """
    charge = ChargeState(run.ledger, request.settle)
    return settled(lambda: _executed(queries, loss, run, request, charge), charge)


def is_stored(query: Prepared, engine: Engine, ledger: Ledger, request: Request) -> bool:
    """Whether an answer is stored that will do, so that the query costs nothing in this epoch.

    No row is read, not even of public tables: False where those list the groups. What is looked at
    is the query, the policy, the calendar and the ledger, and a run tells as much.

    Raises:
        EngineError: the ledger cannot be read.
    """
    epoch, releases = _epoch(engine, request), query.query.releases
    if epoch is None or any(r.domain.public and not r.domain.private for r in releases):
        return False
    groups = [
        None if r.domain.private else listed_groups(r.domain, r.node.columns, ()) for r in releases
    ]
    return reuse.again(_asked([query], [groups], epoch), ledger) is not None


def _executed(
    queries: Sequence[Prepared], loss: Loss, run: Run, request: Request, charge: ChargeState
) -> tuple[Rows, ...]:
    version, source = _epoch(run.engine, request), engine_source(run.engine)
    with run.engine.snapshot(request.deadline) as snapshot:
        if run.recheck is not None:
            run.recheck.definitions(snapshot)
            for ready in queries:
                check_facts(ready.facts, run.engine, snapshot)
                for plan, span in ready.query.single:
                    cells.check_single(plan, span, snapshot, source)

        def listed(release: Release) -> list[Key] | None:
            return public_groups(release, snapshot, source)

        groups = [q.groups(run.engine, listed) for q in queries]
        rivals = [[candidates(r, snapshot, source) for r in q.query.releases] for q in queries]
        asked, reused = None, None
        if loss != NOTHING and (version is not None or request.key):
            asked = _asked(queries, groups, version)
            found = _told(asked, run.ledger, request)
            if found is not None:
                return _again(queries, found, run, snapshot)
        if loss != NOTHING and request.free:
            raise BudgetExceeded(NOT_FREE)
        for ready in queries:
            for text in chain(*(statements.every for statements in ready.statements)):
                snapshot.bind(text)
        if loss != NOTHING:  # a batch may cost a δ alone
            text = ";\n".join(ready.compiled.sql for ready in queries)
            entry = request.entry(text, data_version(run.engine), version)
            told = _charged(loss, entry, asked, request, charge)
            if told is not None:
                return _again(queries, told, run, snapshot)
            paid = run.ledger.paid_by(charge.line)
            if paid != charge.line:
                reused = Reused(paid, "resumed")
        request.begin()
        charge.made = True
        released = opaque(lambda: _released(queries, groups, rivals, run, snapshot, charge))
        kept: tuple[Stored, ...] = ()
        if asked is not None:
            kept = opaque(partial(reuse.kept, asked, list(chain(*released))))
        if charge.line:
            request.settle()
            run.ledger.commit(charge.line, kept)
        return opaque(
            lambda: tuple(
                replace(
                    _shown(ready.query, noisy, run, snapshot),
                    charged=ready.compiled.loss if reused is None else NOTHING,
                    reused=reused,
                )
                for ready, noisy in zip(queries, released, strict=True)
            )
        )


def _released(
    queries: Sequence[Prepared],
    groups: list[list[list[Key] | None]],
    rivals: list[list[dict[int, list[Key]]]],
    run: Run,
    snapshot: Snapshot,
    charge: ChargeState,
) -> list[list[NoisyRelease]]:
    if run.recheck is not None:
        charge.drawn = True  # as good as: whether it fails is a fact of the rows, and paid for
        run.recheck.facts(snapshot)
        charge.drawn = False
    return [
        _drawn(*of_query, run, snapshot, charge)
        for of_query in zip(queries, groups, rivals, strict=True)
    ]


def _asked(
    queries: Sequence[Prepared], groups: list[list[list[Key] | None]], version: str | None
) -> Asked:
    """The releases of all queries as those of one."""
    every = [ready.query for ready in queries]
    whole = replace(every[0], planned=tuple(chain(*(q.planned for q in every))))
    known = guarded(lambda: tuple(chain(*(ready.identities for ready in queries))), "identity")
    return Asked(whole, known, list(chain(*groups)), version)


def _epoch(engine: Engine, request: Request) -> str | None:
    """That in which answers are given again; None where none are."""
    found = epoch_at(request.epoch, request.version, datetime.now(UTC), engine.stable)
    return found or None


def _told(asked: Asked, ledger: Ledger, request: Request) -> Again | None:
    """The answer to give again, if there is one."""
    if request.key:
        made = ledger.request(request.key, request.analyst)
        if made is not None:  # without an answer it is to be taken up, or refused
            return reuse.answer_of(asked, ledger, made) if made.answered else None
    return None if request.fresh else reuse.again(asked, ledger)


def _charged(
    loss: Loss, entry: Entry, asked: Asked | None, request: Request, charge: ChargeState
) -> Again | None:
    """Make the charge; or the answer, where the same request was quicker elsewhere."""
    request.check()
    request.note()
    # Who waits for others must have time left for the query itself.
    wait = WAIT if request.deadline is None else min(WAIT, request.deadline.left / 2)
    boundary.charging()
    try:
        # At once, so that no Ctrl-C comes between the charge and who is to note how it ends.
        charge.line = charge.ledger.reserve(loss, entry, wait=wait)
        boundary.charged(True)
        return None
    except RequestExists:
        boundary.charged(False)
        found = None
        if asked is not None:
            found = reuse.retried(asked, charge.ledger, entry.request, entry.analyst)
        if found is None:
            raise
    return found


def _drawn(
    ready: Prepared,
    groups: list[list[Key] | None],
    rivals: list[dict[int, list[Key]]],
    run: Run,
    snapshot: Snapshot,
    charge: ChargeState,
) -> list[NoisyRelease]:
    """The noisy releases of a query. Those that read earlier ones find them in a scratch."""
    query = ready.query
    with run.scratches.take(snapshot) if query.feeds else nullcontext() as scratch:
        if scratch is not None:
            for table in query.tables:
                copy_table(scratch, table, run.engine, snapshot)

        def drawn() -> list[NoisyRelease]:
            released: list[NoisyRelease] = []
            for place, (found, sql) in enumerate(zip(groups, ready.statements, strict=True)):
                release = query.releases[place]
                fed = {} if scratch is None else fed_columns(query, release, scratch)
                exact = cells.read(release, found, snapshot, sql, fed, rivals[place])
                charge.drawn = True
                released.append(add_noise(query, place, exact))
                if scratch is not None:
                    load(query, place, released[-1], scratch)
            return released

        # A bug of ours must not show what it met either.
        return guarded(drawn, "answer")


def _again(
    queries: Sequence[Prepared], found: Again, run: Run, snapshot: Snapshot
) -> tuple[Rows, ...]:
    """What the queries make of releases that were told before."""
    ends = list(accumulate(len(ready.query.releases) for ready in queries))
    starts = [0, *ends[:-1]]
    return tuple(
        replace(_shown(ready.query, found.releases[start:end], run, snapshot), reused=found.reused)
        for ready, start, end in zip(queries, starts, ends, strict=True)
    )


def _shown(
    query: ReleasedQuery, released: list[NoisyRelease], run: Run, snapshot: Snapshot
) -> Rows:
    """What the query makes of its noisy releases and of public tables."""
    with run.scratches.take(snapshot) as scratch:
        for table in query.tables:
            copy_table(scratch, table, run.engine, snapshot)
        return guarded(lambda: post_process(query, released, scratch), "answer")


_ON_A_VALUE = (
    "the engine failed on these public rows: where a cast fails on a value, TRY_CAST(x AS type) is "
    "NULL; the owner's log has the details"
)


def _late(request: Request) -> bool:
    return request.deadline is not None and request.deadline.passed


def _public(query: PublicQuery, limits: Limits, run: Run, request: Request) -> Rows:
    answer: ResultTable | None = None
    try:
        with (
            run.engine.snapshot(request.deadline) as snapshot,
            run.scratches.take(snapshot) as scratch,
        ):
            if run.recheck is not None:
                run.recheck.definitions(snapshot)
            for table in query.tables:
                copy_table(scratch, table, run.engine, snapshot)
            answer = scratch.run(query.sql, limits.public_rows, public=True)
    except LimitExceeded:
        raise
    except EngineError as error:
        if not _late(request) and str(error) != FAILED:  # interrupted, or of files that changed
            raise
    if answer is None and not _late(request):
        raise EngineError(_ON_A_VALUE)
    if answer is None:
        raise LimitExceeded(
            "the query took longer than its timeout or limits.seconds allow; it reads public "
            "tables only: join on keys, filter before joining, end recursions",
            "seconds",
        )
    none = (None,) * len(answer.columns)
    return Rows(answer.columns, answer.types, answer.rows, [none] * len(answer.rows))
