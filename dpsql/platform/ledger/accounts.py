"""Which account of a store belongs to a data set: finding it, making it, and its newest line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from dpsql.core.account.account import Account
from dpsql.platform.ledger import opening_selects, selects
from dpsql.platform.ledger.admission import Head
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger import tampered
from dpsql.platform.ledger.lines import StoredLine, digest, intact, moment_text, period_text
from dpsql.platform.ledger.store import Store
from dpsql.platform.ledger.verify import (
    genesis,
    is_damaged,
    last_accepted,
    read,
    readable,
    verified,
)
from dpsql.platform.ledger.witness import Seen, Witness

Row = Sequence[Any]

_newest: dict[str, tuple[tuple[Any, ...], StoredLine]] = {}
"""Of an account, by its uuid, the row that was last found to be a line, or made of one, and that
line. Which line a row is follows from the row alone: one that is the same in each of its values
is not read and hashed again.
"""

_MOST_KEPT = 1000


def opened(store: Store, of: Account, witness: Witness | None) -> tuple[Row, Head]:
    """The account of a data set, made if it may be, and its newest line, after all was verified.

    Raises:
        LedgerTampered: something is not what it was.
        EngineError: the store failed.
    """
    place = store.place_of(of.identity)
    known = None if witness is None else witness.account_at(place)  # before the ledger is asked
    if known is not None and not store.exists:
        raise tampered("the file that was there is gone")
    store.create()
    before, trusted = store.state(), False
    if witness is not None and known is not None and before:
        trusted = witness.verified(known) == before
    store.check(whole=not trusted)

    def found(connection: Connection) -> Row | None:
        row = find(connection, of.identity)
        if row is None and rival(connection, of) is not None:
            raise tampered("its account is there under other neighbours")
        if row is None and store.alone and every(connection):
            raise tampered("it is that of another data set, or who owns what in it has changed")
        if row is None and known is not None:
            raise tampered("the account that was there is gone")
        if row is not None and known not in (None, row[1]):
            raise tampered("another account is in its place")
        return row

    def made(connection: Connection) -> Row:
        store.lock(connection)
        return found(connection) or make(connection, of)

    row = store.read(found) or store.write(made)
    seen = None if witness is None else witness.seen(row[1])

    def checked(connection: Connection) -> Head:
        if trusted and seen is not None and store.state() == before:
            return head(connection, row, [seen])
        newest = verified(connection, row[0])
        if seen is not None:
            compare(connection, row, newest, seen)
        return newest

    state = store.state()
    newest = store.read(checked)
    if witness is not None:
        with witness.held(row[1]):
            witness.advance(row[1], seen_of(newest), held=True)
            if state and not trusted and store.state() == state:
                witness.put_verified(row[1], state)
        if known is None:
            witness.put(place, row[1])
    return row, newest


def find(connection: Connection, name: str) -> Row | None:
    """The account that a data set's identity names."""
    found: Row | None = connection.execute(selects.NAMED, {"name": name}).first()
    return found


def rival(connection: Connection, of: Account) -> Row | None:
    """The account of the same data set, of which another promise was made."""
    found = (find(connection, name) for name in of.rivals)
    return next((row for row in found if row is not None), None)


def every(connection: Connection) -> Sequence[Row]:
    """All accounts of a store."""
    return connection.execute(opening_selects.ACCOUNTS).all()


def make(connection: Connection, of: Account) -> Row:
    """A new account, in a transaction that is the only one to make one."""
    named = {"name": of.identity}
    known = connection.execute(
        opening_selects.ACCOUNT_NUMBER, named
    ).scalar()  # its row may be gone
    newest = connection.execute(opening_selects.LAST_ACCOUNT).scalar()
    number = known or (newest or 0) + 1
    row = (
        *(number, str(uuid4()), of.identity, of.accountant),
        *(period_text(of.window), moment_text(datetime.now(UTC))),
    )
    connection.add(opening_selects.ADD_ACCOUNT, [row])
    if known is None:
        connection.add(opening_selects.ADD_IDENTITY, [(of.identity, number, 0)])
    return row


def append(connection: Connection, made: Row, line: StoredLine) -> StoredLine:
    """A line more of an account, which gets its hash."""
    *values, _ = line.row(made[0])
    row = (*values, digest(values[1:]))
    connection.add(selects.ADD, [row])
    line = replace(line, hash=row[-1])
    _keep(made[1], row, line)
    return line


def _keep(uuid: str, row: tuple[Any, ...], line: StoredLine) -> None:
    if len(_newest) < _MOST_KEPT or uuid in _newest:
        _newest[uuid] = row, line


def _line(made: Row, row: Row) -> StoredLine:
    """The line that the newest row is.

    Raises:
        LedgerTampered: it is none, or was changed.
    """
    kept = _newest.get(made[1])
    if kept is not None and kept[0] == row:
        return kept[1]
    if not intact(row):
        raise tampered(f"line {row[1]} was changed")
    line = read(row)
    _keep(made[1], tuple(row), line)
    return line


def head(connection: Connection, made: Row, seen: Sequence[Seen], *, lock: bool = False) -> Head:
    """What the next line goes on from.

    Args:
        connection: in a transaction.
        lock: whether nobody else may write one until the transaction ends.
        made: the account's row, as it was when the ledger was opened.
        seen: lines that the ledger must have.

    Raises:
        LedgerTampered: the newest line or one of `seen` is not what it was.
    """
    of = {"of": made[0]}
    row = connection.execute(selects.ACCOUNT_LOCKED if lock else selects.ACCOUNT, of).first()
    if row is None or tuple(row) != tuple(made):
        raise tampered("another one is in its place")
    last = connection.execute(selects.LAST, of).first()
    newest = genesis(made) if last is None else Head.of(_line(made, last))
    for line in seen:
        compare(connection, made, newest, line)
    return newest


def compare(connection: Connection, made: Row, newest: Head, seen: Seen) -> None:
    """Whether a ledger has the line that was seen.

    Raises:
        LedgerTampered: it has not.
    """
    if seen.number > newest.number:
        raise tampered(f"it ends at line {newest.number}, but line {seen.number} was seen")
    if seen.number == newest.number:
        found: str | None = newest.hash
    elif seen.number == 0:
        found = genesis(made).hash
    else:
        line = {"of": made[0], "line": seen.number}
        found = connection.execute(selects.HASH, line).scalar()
    if found != seen.hash:
        raise tampered(f"line {seen.number} is not the one that was seen")


def latest(connection: Connection, made: Row, newest: Head, analyst: str) -> StoredLine | None:
    """The last line of an analyst; None if there is none that can be read.

    Args:
        connection: in a transaction.
        made: the account's row.
        newest: what the next line goes on from.
        analyst: who.

    Raises:
        LedgerTampered: it was changed, and the owner did not accept that.
    """
    if newest.line is not None and newest.line.analyst == analyst:
        return newest.line
    row = connection.execute(selects.LAST_OF, {"of": made[0], "analyst": analyst}).first()
    if row is None:
        return None
    accepted = last_accepted(connection, made[0])
    if accepted is not None and row.number < accepted[1]:
        return None if is_damaged(read(accepted)) else readable(row)
    if intact(row):
        return read(row)
    raise tampered(f"line {row.number} was changed")


def seen_of(newest: Head) -> Seen:
    """What is to be remembered of the newest line."""
    window = newest.window
    return Seen(
        newest.number,
        newest.hash,
        newest.spent.text(),
        "" if window is None else moment_text(window.since),
        "" if window is None or window.until is None else moment_text(window.until),
        "" if newest.clock is None else moment_text(newest.clock),
    )
