"""The owner accepts a ledger as it is: one line more, from which the chain goes on.

Claims, and why they hold:

* *What was spent never falls.* After the line, what is spent in its window is at least what the
  newest line said, at least what the readable lines of its window add up to, at least what any
  readable line of its window said, and at least what the witness saw spent, whatever window that
  was in, with all lines that were written after it: two copies may both have been charged. The
  line's loss is the difference to the newest line. If the witness saw another account at this
  place, what that one spent is added, once: both were charged for the same data.
* *No cap is new.* Where lines are not what they were, nobody knows whose they were: all that was
  spent counts for every analyst from then on, and no line before is asked any more.
* *Damage is accepted once.* The line's `before` is the digest of everything that was there. From
  then on an old line that is changed is detected by that digest, and a new one by the chain.
* *Numbers are not used twice.* The line's is above all that the ledger has and the witness saw, so
  no answer that somebody remembers by its number becomes another's.

What no readable line and no witness says is not known, and is not counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import reduce
from operator import or_
from typing import TypeVar, get_args

from dpsql.core.account.account import Account, Accountant
from dpsql.core.account.loss import NOTHING, Loss, total
from dpsql.core.account.windows import BudgetWindow
from dpsql.errors import EngineError, LedgerTampered
from dpsql.platform.ledger import accounts, admission, opening_selects, selects
from dpsql.platform.ledger.accounts import Row
from dpsql.platform.ledger.admission import Head
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger import ELSEWHERE, Charge, Entry
from dpsql.platform.ledger.lines import StoredLine
from dpsql.platform.ledger.store import Store
from dpsql.platform.ledger.verify import DAMAGED, readable, state, verified
from dpsql.platform.ledger.witness import Seen, Witness, content_place

T = TypeVar("T")


def accept(
    store: Store, account: Account, witness: Witness, data: str | None = None
) -> Charge | None:
    """Accept what is in a store.

    Args:
        store: where the ledger is, or was.
        account: what the owner decided, of which data set.
        witness: the second place.
        data: the digest of their contents, if they have one.

    Returns:
        The line that says so; None if nothing was wrong.

    Raises:
        EngineError: it cannot be read or written.
    """
    content = None if data is None else content_place(data, account.identity)
    elsewhere = None
    if content is not None:
        elsewhere = _unless_damaged(lambda: witness.account_at(content))
    try:
        found, _ = accounts.opened(store, account, witness)
        if elsewhere in (None, found[1]):
            return None
        problem = ELSEWHERE
    except LedgerTampered as error:
        problem = str(error)
    store.create()
    store.check()
    place = store.place_of(account.identity)
    there = _unless_damaged(lambda: witness.account_at(place))
    if problem == ELSEWHERE:
        there = elsewhere

    def work(connection: Connection) -> tuple[Row, StoredLine]:
        store.lock(connection)
        made = _account(connection, store, account, there)
        connection.execute(selects.ACCOUNT_LOCKED, {"of": made[0]})  # nobody adds a line meanwhile
        mine = _unless_damaged(lambda: witness.seen(made[1]))
        other = None
        if there is not None and there != made[1]:
            other = _unless_damaged(lambda: witness.seen(there))
        return made, _accepted(connection, made, account, mine, other, problem, there)

    made, line = store.write(work)
    witness.advance(made[1], accounts.seen_of(Head.of(line)), forced=True)
    witness.put(place, made[1])
    if content is not None:
        witness.put(content, made[1])
    return line.charge(answered=False, stored={})


def _unless_damaged(work: Callable[[], T]) -> T | None:
    """What the witness says; None where its record is damaged."""
    try:
        return work()
    except LedgerTampered:
        return None


def _account(connection: Connection, store: Store, account: Account, there: str | None) -> Row:
    """The account that goes on: the data set's, that which was there, or the only one."""
    found = accounts.find(connection, account.identity)
    known = accounts.every(connection)
    if found is None:
        found = next((row for row in known if row[1] == there), None)
    if found is None:
        found = accounts.rival(connection, account)
    if found is None and store.alone and len(known) == 1:
        found = known[0]
    if found is None and store.alone and known:
        raise EngineError("the ledger holds several accounts, and none is this data set's; refused")
    return found or accounts.make(connection, account)


def _accepted(
    connection: Connection,
    made: Row,
    account: Account,
    mine: Seen | None,
    other: Seen | None,
    problem: str,
    there: str | None,
) -> StoredLine:
    """The line, written."""
    number = made[0]
    rows = connection.execute(selects.LINES, {"of": number, "line": -(2**62)}).all()
    lines = [line for line in map(readable, rows) if line is not None]
    last = lines[-1] if lines else None
    highest = max([0, *(row.number for row in rows), *(s.number for s in (mine, other) if s)])
    head = replace(
        _head(last, made, account, mine),
        number=highest,
        hash=state(connection, number, highest + 1),
    )
    place = connection.execute(opening_selects.LAST_PLACE, {"of": number}).scalar()
    head = replace(head, sealed=f"{place}:{head.hash}")
    note: dict[str, object] = {"problem": problem}
    counted = [json.loads(one.note or "{}").get("counted") for one in lines]
    if other is not None and there in counted:
        other = None
    elif other is not None:
        note["counted"] = there
    damaged = other is not None or not _whole(connection, made, mine)
    if damaged:
        note[DAMAGED] = True
    new = accounts.find(connection, account.identity) is None
    if new:
        note["identity"] = account.identity

    def line(loss: Loss) -> StoredLine:
        return admission.following(
            head,
            Entry(""),
            loss,
            lambda analyst: next((one for one in lines[::-1] if one.analyst == analyst), None),
            kind="acknowledged",
            note=json.dumps(note),
            period=account.window,
        )

    known = _spent(last, lines, mine)
    if other is not None:
        # The same charges, under the name of an account that was made anew, are counted once.
        same = any(row.hash == other.hash for row in rows)
        spent = Loss.parse(other.spent)
        known = known | (spent + _after(lines, other)) if same else known + spent
    written = line(known - line(NOTHING).spent)
    if damaged:
        written = replace(written, lost=written.spent, spent_by=written.spent)
    written = accounts.append(connection, made, written)
    if new:
        names = [(account.identity, number, written.number)]
        connection.add(opening_selects.ADD_IDENTITY, names)
    return written


def _whole(connection: Connection, made: Row, mine: Seen | None) -> bool:
    """Whether all lines are what was written, and those that were seen are there."""
    try:
        newest = verified(connection, made[0])
        if mine is not None:
            accounts.compare(connection, made, newest, mine)
    except LedgerTampered:
        return False
    return True


def _after(lines: Sequence[StoredLine], seen: Seen) -> Loss:
    """What lines cost that cannot be among those before the one that was seen."""
    time = datetime.fromisoformat(seen.time) if seen.time else None
    return total(
        line.loss
        for line in lines
        if line.number > seen.number or (time is not None and line.clock > time)
    )


def _head(last: StoredLine | None, made: Row, account: Account, mine: Seen | None) -> Head:
    """What the line goes on from: the newest line, and what the witness saw after it."""
    rule = made[3] if last is None else last.accountant
    rule = rule if rule in get_args(Accountant) else account.accountant
    head = (
        Head(0, "", rule, account.window)
        if last is None
        else replace(Head.of(last), accountant=rule)
    )
    if mine is None or not mine.since or (last is not None and mine.number <= last.number):
        return head
    clock = datetime.fromisoformat(mine.time)
    until = datetime.fromisoformat(mine.until) if mine.until else None
    window = BudgetWindow(datetime.fromisoformat(mine.since), until)
    return replace(
        head,
        clock=clock if head.clock is None else max(clock, head.clock),
        window=window,
        spent=head.spent
        if head.window is not None and head.window.since == window.since
        else NOTHING,
    )


def _spent(last: StoredLine | None, lines: Sequence[StoredLine], mine: Seen | None) -> Loss:
    """All that the lines of the newest window and the witness know of."""
    window = [line for line in lines if last is not None and line.since == last.since]
    said = [line.spent for line in window]
    if mine is not None:
        said.append(Loss.parse(mine.spent) + _after(lines, mine))
    return reduce(or_, said, total(line.loss for line in window))
