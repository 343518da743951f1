"""What the next line of a ledger is, and whether it may be written: a line is written for each
charge and verified ever after, so how small and how often charges may be is bounded too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from dpsql.core.account.account import Account, Accountant
from dpsql.core.account.accountants import fits, remaining
from dpsql.core.account.amount import Cost
from dpsql.core.account.loss import NOTHING, Loss, total
from dpsql.core.account.windows import BudgetWindow, window_at
from dpsql.errors import BudgetExceeded, InvalidBudget, RateExceeded
from dpsql.platform.ledger import selects
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger import Entry, Kind
from dpsql.platform.ledger.lines import EMPTY, StoredLine

Latest = Callable[[str], StoredLine | None]
"""The last line of an analyst."""


@dataclass(frozen=True, slots=True)
class Head:
    """What the next line goes on from: the last line, or the account before there is one.

    Attributes:
        line: the last line, which is intact; None before there is one.
    """

    number: int
    hash: str
    accountant: Accountant
    period: timedelta | None
    clock: datetime | None = None
    window: BudgetWindow | None = None
    spent: Loss = NOTHING
    lost: Loss = NOTHING
    sealed: str = EMPTY
    line: StoredLine | None = None

    @classmethod
    def of(cls, line: StoredLine) -> Head:
        """After that line."""
        return cls(
            *(line.number, line.hash, line.accountant, line.period, line.clock),
            *(BudgetWindow(line.since, line.until), line.spent, line.lost, line.sealed, line),
        )

    def at(self, moment: datetime) -> Head:
        """The same, with nothing spent if its window is over by then; see `windows`."""
        if self.clock is None or self.window is None:
            return self
        if not self.window.over(max(moment, self.clock)):
            return self
        return Head(self.number, self.hash, self.accountant, self.period, sealed=self.sealed)


def following(
    head: Head,
    entry: Entry,
    loss: Loss,
    latest: Latest,
    *,
    kind: Kind = "charge",
    note: str = "",
    accountant: Accountant | None = None,
    period: timedelta | None,
) -> StoredLine:
    """The line after `head`, with its sums, in its window; its hash is still to come.

    Args:
        head: of the ledger.
        entry: what is asked.
        loss: on the ledger's grids. Of an acknowledgement it is what is gone, and counts for
            every analyst, since nothing says whose it was.
        latest: finds the last line of the analyst.
        kind, note: of the line.
        accountant: the rule from now on; None for the same.
        period: how long windows are from now on.
    """
    moment = entry.time.astimezone(UTC)
    clock = moment if head.clock is None else max(moment, head.clock)
    window = window_at(head.window, head.period, period, clock)
    same = head.window is not None and window.since == head.window.since
    spent, lost = (head.spent, head.lost) if same else (NOTHING, NOTHING)
    after, own = spent + loss, spent_by(window, lost, latest(entry.analyst))
    # Where one analyst spent all of it, the sums are one.
    own = after if own == spent else own + loss
    if kind == "acknowledged":
        lost = lost + loss
    return StoredLine(
        number=head.number + 1,
        kind=kind,
        time=entry.time,
        clock=clock,
        sql=entry.sql,
        releases=entry.releases,
        analyst=entry.analyst,
        request=entry.request,
        batch=entry.batch,
        version=entry.version,
        note=note,
        accountant=accountant or head.accountant,
        period=period,
        since=window.since,
        until=window.until,
        loss=loss,
        spent=after,
        spent_by=own,
        lost=lost,
        sealed=head.sealed,
        before=head.hash,
    )


def spent_by(window: BudgetWindow, lost: Loss, last: StoredLine | None) -> Loss:
    """What an analyst has spent in a window: his own charges, and all that was lost.

    Args:
        window: the present one.
        lost: what was lost in it so far.
        last: his last line, of any window.
    """
    if last is None or last.since != window.since:
        return lost
    return last.spent_by if lost == last.lost else last.spent_by + (lost - last.lost)


def check_size(account: Account, entry: Entry, asked: Cost) -> None:
    """Refuse a charge that is smaller than the owner allows, or that is to be followed by one.

    Raises:
        InvalidBudget: it is.
    """
    least = max(account.min_eps, entry.least)
    smallest = min((asked, *_costs(entry)), key=lambda cost: cost.eps)
    if smallest.eps >= least:
        return
    limit = f"the least that is charged is {Cost(least)}"
    if not entry.then:
        raise InvalidBudget(f"the query costs {asked}; {limit}")
    needed = math.ceil(least / smallest.eps * 1000) / 1000
    raise InvalidBudget(
        f"of queries that belong together one costs {smallest}; {limit}: "
        f"{needed:g} times as much ε would do for all of them; nothing was charged"
    )


def _costs(entry: Entry) -> list[Cost]:
    """Of what may follow."""
    return [loss.cost for way in entry.then for loss in way]


def check_rate(
    connection: Connection, made: int, account: Account, line: StoredLine, more: int = 0
) -> None:
    """Refuse a charge that comes too soon, or would be followed by one that does.

    Claim: in any time of the rate's length, by the ledger's clock, which never goes back, an
    analyst is charged at most as often as it says. Why: the charge that many before this one must
    be that long ago, and each charge was compared so, under the lock of the account. With `more`
    that follow at once, it is compared with a later one, which refuses no less.

    Args:
        connection: in a transaction that nobody else adds lines in.
        made: the account's id.
        account: what the owner decided.
        line: that shall be written.
        more: how many charges are to follow.

    Raises:
        RateExceeded: there were too many, or would be.
    """
    if account.rate is None:
        return
    if more >= account.rate.charges:
        raise RateExceeded(
            f"at most {account.rate}, and these are {more + 1} queries that belong together; "
            "nothing was charged",
            account.rate.time.total_seconds(),
        )
    of = {"of": made, "analyst": line.analyst, "skip": account.rate.charges - 1 - more}
    found = connection.execute(selects.NTH, of).scalar()
    if found is None:
        return
    wait = account.rate.time - (line.clock - datetime.fromisoformat(found))
    if wait.total_seconds() > 0:
        seconds = wait.total_seconds()
        raise RateExceeded(
            f"at most {account.rate}: the next query may be charged in {seconds:.0f} s", seconds
        )


def check(
    account: Account, line: StoredLine, asked: Cost, latest: Latest, who: str = "the query asks"
) -> None:
    """Whether a charge may be written.

    Args:
        account: what the owner decided.
        line: with the sums that there would be.
        asked: what the query asks for, as the message says it.
        latest: finds the last line of an analyst.
        who: asks, as the message says it.

    Raises:
        BudgetExceeded: it may not.
    """
    kind = account.accountant
    if kind == "pld" and not line.batch:
        raise BudgetExceeded(
            "this budget is for batches that are declared beforehand",
            requested=(asked.eps, asked.delta),
        )
    if not fits(kind, account.total, line.spent):
        left = remaining(kind, account.total, line.spent - line.loss)
        raise _exceeded(who, asked, left, f"{account.total}")
    window = BudgetWindow(line.since, line.until)
    for cap in account.caps_of(line.analyst):
        # What the others have spent themselves: what was lost is counted once, in the line.
        others = (latest(member) for member in sorted(cap.members - {line.analyst}))
        after = line.spent_by + total(spent_by(window, line.lost, o) - line.lost for o in others)
        if not fits(kind, cap.most, after):
            left = remaining(kind, cap.most, after - line.loss)
            raise _exceeded(who, asked, left, f"{cap.most}, the cap of {cap.name}")


def check_ways(
    account: Account, entry: Entry, asked: Cost, latest: Latest, line: Callable[[Loss], StoredLine]
) -> None:
    """Whether what is to follow a charge could be written after it, whichever way it goes.

    It is no promise: others may be charged in between. What it refuses would be refused later.

    Args:
        account: what the owner decided.
        entry: what is asked.
        asked: what the query asks for, as the message says it.
        latest: finds the last line of an analyst.
        line: the line of a charge, with so much more.

    Raises:
        BudgetExceeded: it could not.
    """
    for way in entry.then:
        whole = line(total(loss.rounded_up() for loss in way))
        together = sum((loss.cost for loss in way), asked)
        who = f"the query and {len(way)} that follow it ask"
        check(account, whole, together, latest, who)


def _exceeded(who: str, asked: Cost, left: Cost, whole: str) -> BudgetExceeded:
    return BudgetExceeded(
        f"{who} for {asked}; {left} is left of {whole}",
        requested=(asked.eps, asked.delta),
        remaining=(left.eps, left.delta),
    )
