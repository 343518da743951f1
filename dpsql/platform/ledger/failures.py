"""Charged queries that ended without an answer, and who is locked for them.

Claim: an analyst sees at most N charged queries fail, until the owner looks. Why: a failure is
noted in the chain of lines, beside the sums; it survives a restart, and every process that opens
the ledger counts it, under the same lock as the charge. Which limit was met does not matter:
memory, time, a crash, a bug are one event.

A query that runs may fail yet, so it counts until it has ended: nothing is charged while as many
run or failed as may fail. Where N could fail in all, the one after them waits until one has its
answer, and is refused if none has by then. A charge goes from running to failed and not back, so
that those that failed and those that may are never more than N. (Else whoever asks fifty queries at
once would learn which of the fifty fail.)

What the failure itself told is outside of the guarantee: that a query failed is one bit of what was
read, exactly. N bits an analyst is what is left of it; `budget.min_eps` and `budget.rate` price
and slow it, and a failed query stays charged.

A process that was killed can note nothing. A charge of a process that is over, and that neither has
an answer nor is said to have failed, is a failure too (the machine's memory guard kills whole
processes); one of a process that runs is none yet. Where a process is on another machine, a charge
without an answer counts once the longest time of a query is over.

Interrupts. Whoever presses Ctrl-C learns that the query took longer than that. He would learn as
much with a watch from one that was answered, at the same price, so an interrupt is noted but does
not lock; a `timeout=` does. It would be more than that if it were free: see `resumption`.
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from shlex import quote
from typing import Any

from dpsql.core.account.account import Account
from dpsql.errors import AnalystLocked
from dpsql.platform.ledger import conduct, holder, selects
from dpsql.platform.ledger.admission import Head
from dpsql.platform.ledger.conduct import History
from dpsql.platform.ledger.connection import Connection


def line_of(note: str) -> int:
    """Which line an event is of; 0 where it does not say."""
    with suppress(ValueError, AttributeError, TypeError):
        return int(json.loads(note).get("line", 0))
    return 0


def count(past: History, made: Any, longest: timedelta) -> tuple[int, int]:
    """How many charged queries of an analyst failed since the owner looked, and how many may yet.

    Args:
        past: of the analyst, as it is now.
        made: the account's row.
        longest: a query of a process of which nothing is known is over after that time.
    """
    ended = sum(
        _over(note, clock, made[1], number, longest) for number, (note, clock) in past.open.items()
    )
    return past.failed + ended, len(past.open) - ended


def every(connection: Connection, made: Any, head: Head, longest: timedelta) -> dict[str, int]:
    """How many failed, of each analyst of whom any did, by name."""
    found = connection.execute(selects.ANALYSTS, {"of": made[0]}).scalars()
    counts = {
        analyst: count(conduct.of(connection, made, head, analyst), made, longest)[0]
        for analyst in found
    }
    return {analyst: number for analyst, number in counts.items() if number}


def check(past: History, made: Any, account: Account, analyst: str) -> str:
    """Refuse an analyst who has seen too many queries fail.

    Returns:
        Why the analyst has to wait, as far as other queries could fail yet; "" if not.

    Raises:
        AnalystLocked: so it is.
    """
    if account.failures is None:
        return ""
    found, running = count(past, made, account.longest)
    who = f"analyst {analyst!r}" if analyst else "whoever gives no name"
    if found >= account.failures:
        option = f" --analyst {quote(analyst)}" if analyst else ""
        raise AnalystLocked(
            f"{who} is locked: {found} charged queries failed; the owner may look at them and "
            f"unlock: dpsql budget DATA unlock{option}",
            analyst,
            found,
        )
    if found + running < account.failures:
        return ""
    return (
        f"{who} has {running} queries that run, and as many may run as may fail before the "
        "analyst is locked (limits.failures); ask again when one has ended"
    )


def _over(note: str, clock: str, account: str, number: int, longest: timedelta) -> bool:
    """Whether nothing will come of a line without an answer any more."""
    by = ""
    with suppress(ValueError, AttributeError):
        by = str(json.loads(note).get("by", ""))
    over = holder.over(by, account, number)
    if over is None:
        over = datetime.now(UTC) - datetime.fromisoformat(clock) > longest
    return over
