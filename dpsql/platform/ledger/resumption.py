"""Taking up a charge whose query ended before any noise was drawn, rather than paying twice.

Claim: of all lines that one charge pays for, at most one ever has an answer that somebody sees, and
the noise of no other was drawn. Why:

* An answer is shown only after `commit` kept it, and `commit` refuses a line that is said to have
  ended, or to have been taken up. Both are lines of the ledger, written under the account's lock
  like the charge, so what is refused does not depend on who is slower. This is the fence: a first
  run that still lives somewhere, because only whoever waited for it went away, can compute what
  it likes, but not commit it, nor show it.
* A line is taken up only if the run itself said that it ended, and that no noise was drawn. A
  process that was killed says nothing: its charge is not taken up, but paid again. Neither is one
  whose noise may have been drawn: to draw until the draw is one that does not fail is to choose.
* A line is taken up once: the line that takes it up says which it was, and may itself be taken up
  if it ends like that.

Who takes it up is the same analyst, with the same query, the same releases and the same loss in
every way of adding up, in the same window of time. So what is released is what was charged for.

It is no oracle. That a query failed before its noise is told by the failure, which counts towards
the analyst's lock as any other, and it stays counted. Interrupts do not lock, and a charge that is
taken up reads the rows again; so at most as many charges are taken up as failures lock, until the
owner looks. After that the same query is charged anew.
"""

from __future__ import annotations

from typing import Any

from dpsql.core.account.account import Account
from dpsql.core.account.loss import Loss
from dpsql.platform.ledger import failures, selects, stored_texts
from dpsql.platform.ledger.conduct import History
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger import Entry
from dpsql.platform.ledger.lines import StoredLine, intact
from dpsql.platform.ledger.verify import last_accepted, readable

_MOST = 3
"""Charges that an analyst may take up where no number of failures locks."""


def unfinished(
    connection: Connection, past: History, made: Any, account: Account, entry: Entry, loss: Loss
) -> tuple[StoredLine, StoredLine] | None:
    """The line that a query may take up, and the charge that paid for it; None if there is none.

    Args:
        connection: in a transaction that nobody else adds lines in.
        past: of the analyst, as it is now.
        made: the account's row.
        account: what the owner decided.
        entry: what is asked.
        loss: on the ledger's grids.
    """
    most = _MOST if account.failures is None else account.failures
    if not past.untaken or past.resumed >= most:  # then the owner is to look first
        return None
    accepted = last_accepted(connection, made[0])
    after = 0 if accepted is None else accepted[1]
    for number in sorted(past.untaken, reverse=True):  # a few: see `conduct.UNTAKEN`
        line = paid = _line(connection, made[0], number) if number > after else None
        while paid is not None and paid.kind == "resumed":
            paid = _line(connection, made[0], failures.line_of(paid.note))
        if line is not None and paid is not None and _same(line, paid, entry, loss):
            return line, paid
    return None


def _line(connection: Connection, account: int, number: int) -> StoredLine | None:
    row = connection.execute(selects.ONE, {"of": account, "line": number}).first()
    return None if row is None or not intact(row) else readable(row)


def _same(line: StoredLine, paid: StoredLine, entry: Entry, loss: Loss) -> bool:
    """Whether it is what was charged for, by whom."""
    return (
        line.kind in ("charge", "resumed")
        and paid.kind == "charge"
        and line.analyst == paid.analyst == entry.analyst
        and line.sql == paid.sql == stored_texts.reference(entry.sql)
        and line.releases == paid.releases == stored_texts.reference(entry.releases)
        and line.batch == paid.batch == entry.batch
        and paid.loss == loss
    )
