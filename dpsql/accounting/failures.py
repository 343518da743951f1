"""Charged queries that ended without an answer, and who is locked for them.

Claim: an analyst sees at most N charged queries fail, and those that ran at once with the N-th,
until the owner looks. Why: a failure is noted in the chain of lines, beside the sums; it survives a
restart, and every process that opens the ledger counts it, under the same lock as the charge. Which
limit was met does not matter: memory, time, a crash, a bug are one event.

What the failure itself told is outside of the guarantee: that a query failed is one bit of what was
read, exactly. N bits an analyst is what is left of it; `budget.min_eps` and `budget.rate` price
and slow it, and a failed query stays charged.

A process that was killed can note nothing. A charge of a process that is over, and that neither has
an answer nor is said to have failed, is a failure too (the machine's memory guard kills whole
processes); one of a process that runs is none yet. Where a process is on another machine, a charge
without an answer counts once the longest time of a query is over.

Interrupts. Whoever presses Ctrl-C learns that the query took longer than that. He would learn as
much with a watch from one that was answered, at the same price, so an interrupt is noted but does
not lock; a `timeout=` does. It would be more than that if it were free: see `resuming`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from shlex import quote
from typing import Any

from sqlalchemy import Boolean, ColumnClause, bindparam, exists, func, literal_column, select
from sqlalchemy.engine import Connection

from dpsql.accounting import holder
from dpsql.accounting.account import Account
from dpsql.accounting.tables import EVENTS, PENDING, charge, seal
from dpsql.errors import AnalystLocked

_HIS = (charge.c.account == bindparam("of"), charge.c.analyst == bindparam("analyst"))
_AFTER = charge.c.number > bindparam("line", type_=charge.c.number.type)
_EVENT: ColumnClause[bool] = literal_column(f"({EVENTS})", Boolean())
_PENDING: ColumnClause[bool] = literal_column(f"({PENDING})", Boolean())

_LOOKED = select(func.coalesce(func.max(charge.c.number), 0)).where(
    *_HIS, _EVENT, charge.c.kind == "unlocked"
)
_EVENTS_AFTER = (
    select(charge.c.number, charge.c.kind, charge.c.note)
    .where(*_HIS, _EVENT, _AFTER)
    .order_by(charge.c.number)
)
_WHOSE = select(charge.c.analyst).where(
    charge.c.account == bindparam("of"), charge.c.number == bindparam("line")
)
_ANALYSTS = (
    select(charge.c.analyst)
    .where(charge.c.account == bindparam("of"), _PENDING)
    .distinct()
    .order_by(charge.c.analyst)
)
_OPEN = select(charge.c.number, charge.c.note, charge.c.clock).where(
    *_HIS,
    _PENDING,
    _AFTER,
    ~exists().where(seal.c.account == charge.c.account, seal.c.number == charge.c.number),
)


_NEWEST = select(func.coalesce(func.max(charge.c.number), 0)).where(
    charge.c.account == bindparam("of")
)

_settled: dict[tuple[str, str], int] = {}
"""By account and analyst: up to this line each charge has its answer, or is said to have ended. It
stays so; thus who has asked much is not looked through each time.
"""

_MOST_KEPT = 10_000


def looked(connection: Connection, account: int, analyst: str) -> int:
    """The line by which the owner unlocked an analyst last; 0 if there is none."""
    of = {"of": account, "analyst": analyst}
    return int(connection.execute(_LOOKED, of).scalar_one())


def events(
    connection: Connection, account: int, analyst: str, after: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is noted of an analyst's charges after a line, in order: its kind, and of which `line`
    it is; and its own `number`."""
    of = {"of": account, "analyst": analyst, "line": after}
    for number, kind, note in connection.execute(_EVENTS_AFTER, of):
        with suppress(ValueError):
            found = json.loads(note)
            if isinstance(found, dict):
                yield kind, found | {"number": number}


def open_lines(
    connection: Connection, account: int, analyst: str, after: int
) -> list[tuple[int, str, str]]:
    """An analyst's charges after a line that have no answer: number, note and clock."""
    of = {"of": account, "analyst": analyst, "line": after}
    return [tuple(row) for row in connection.execute(_OPEN, of)]


def line_of(note: str) -> int:
    """Which line an event is of; 0 where it does not say."""
    with suppress(ValueError, AttributeError, TypeError):
        return int(json.loads(note).get("line", 0))
    return 0


def pending(connection: Connection, account: int, number: int) -> bool:
    """Whether a charge may still get its answer: it is not said to have ended, nor taken up."""
    analyst = connection.execute(_WHOSE, {"of": account, "line": number}).scalar()
    if analyst is None:
        return False
    found = events(connection, account, analyst, number)
    return all(note.get("line") != number for _, note in found)


def count(connection: Connection, made: Any, analyst: str, longest: timedelta) -> int:
    """How many charged queries of an analyst failed since the owner looked.

    Args:
        connection: in a transaction.
        made: the account's row.
        analyst: who.
        longest: a query of a process of which nothing is known is over after that time.
    """
    since = looked(connection, made[0], analyst)
    failed, ended = 0, set()
    for kind, note in events(connection, made[0], analyst, since):
        failed += kind == "failed"
        ended.add(note.get("line"))
    now = datetime.now(UTC)
    kept, first = (made[1], analyst), None
    newest = int(connection.execute(_NEWEST, {"of": made[0]}).scalar_one())
    known = _settled.get(kept, 0)
    known = known if known <= newest else 0  # not the ledger that it was
    for number, note_text, clock in open_lines(connection, made[0], analyst, max(since, known)):
        if number in ended:
            continue
        first = number if first is None else first
        over = holder.over(_by(note_text), made[1], number)
        if over is None:
            over = now - datetime.fromisoformat(clock) > longest
        failed += over
    if len(_settled) < _MOST_KEPT or kept in _settled:
        _settled[kept] = max(since, known, (newest + 1 if first is None else first) - 1)
    return failed


def every(connection: Connection, made: Any, longest: timedelta) -> dict[str, int]:
    """The same of each analyst of whom there is any, by name."""
    found = connection.execute(_ANALYSTS, {"of": made[0]}).scalars().all()
    counts = {analyst: count(connection, made, analyst, longest) for analyst in found}
    return {analyst: number for analyst, number in counts.items() if number}


def check(connection: Connection, made: Any, account: Account, analyst: str) -> None:
    """Refuse an analyst who has seen too many queries fail.

    Raises:
        AnalystLocked: so it is.
    """
    if account.failures is None:
        return
    found = count(connection, made, analyst, account.longest)
    if found >= account.failures:
        option = f" --analyst {quote(analyst)}" if analyst else ""
        who = f"analyst {analyst!r}" if analyst else "whoever gives no name"
        raise AnalystLocked(
            f"{who} is locked: {found} charged queries failed; the owner may look at them and "
            f"unlock: dpsql budget DATA unlock{option}",
            analyst,
            found,
        )


def _by(note: str) -> str:
    with suppress(ValueError, AttributeError):
        return str(json.loads(note).get("by", ""))
    return ""
