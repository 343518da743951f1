"""Whether all that a ledger holds is what was once written, and adds up.

The lines are checked from the last one by which the owner accepted damage; what was there before
it is what its digest says, damaged as it may be. Sums are added up anew, in whole numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

from sqlalchemy import select

from dpsql.platform.ledger import selects, stored_texts
from dpsql.platform.ledger.admission import Head
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger import tampered
from dpsql.platform.ledger.ledger_tables import account, answer, charge, identity, seal
from dpsql.platform.ledger.lines import StoredLine, digest, intact, period_of
from dpsql.platform.ledger.recount import Amounts, Recount, amounts

Row = Sequence[Any]

DAMAGED = "damaged"
"""In the note of a line by which the owner accepted lines that are not what they were."""


def genesis(row: Row) -> Head:
    """What the first line of an account goes on from.

    Args:
        row: of the table `account`.
    """
    _, _, _, accountant, period, _ = row
    with suppress(ValueError, OverflowError):
        return Head(0, digest(list(row[1:])), accountant, period_of(period))
    raise tampered("whose it is was changed")


def verified(connection: Connection, number: int) -> Head:
    """What the next line goes on from, after everything of an account was checked.

    Args:
        connection: in a transaction.
        number: the account's id.

    Raises:
        LedgerTampered: something is not what was written.
    """
    made = connection.execute(selects.ACCOUNT, {"of": number}).first()
    if made is None:
        raise tampered("the account that was there is gone")
    accepted = last_accepted(connection, number)
    if accepted is None:
        head, after = genesis(made), 0
    else:
        line = read(accepted)
        if not intact(accepted) or line.before != state(connection, number, line.number):
            raise tampered(f"what was accepted by line {line.number} has changed since")
        head, after = Head.of(line), line.number
    _check_numbers(connection, number, None if accepted is None else after)
    check = Recount(head, dict(_seals(connection, number, after, head.sealed)))
    if accepted is not None:
        check.analysts.update(_analysts(connection, number, line))
    last, stored = accepted, set(stored_texts.every(connection, number))
    for last in _lines(connection, number, after):
        check.add(last)
        for text in (last[5], last[6]):
            if stored_texts.stands_for(text) and text not in stored:
                raise tampered(f"the text of line {last[1]} is gone")
    _check_names(connection, made, accepted)
    return head if last is None else Head.of(read(last))


def last_accepted(connection: Connection, number: int) -> Row | None:
    """The last line by which the owner accepted damage."""
    found: Row | None = connection.execute(selects.ACCEPTED, {"of": number}).first()
    return found


def state(connection: Connection, number: int, before: int) -> str:
    """The digest of everything that an account has before a line, damaged as it may be.

    Answers are stored of later lines only, from then on.

    Args:
        connection: in a transaction.
        number: the account's id.
        before: the number of the line.
    """
    found = sha256()
    for table, order in (
        (account, (account.c.id,)),
        (identity, (identity.c.identity,)),
        (charge, (charge.c.number,)),
        (seal, (seal.c.place,)),
        (answer, (answer.c.number, answer.c.place)),
    ):
        query = select(*(c for c in table.columns if c.name != "body")).order_by(*order)
        if table is account:
            query = query.where(account.c.id == number)
        else:
            query = query.where(table.c.account == number, table.c.number < before)
        for row in connection.execute(query):
            found.update(digest(list(row)).encode())
        found.update(b"\n")
    return found.hexdigest()


def read(row: Row) -> StoredLine:
    """The line that a row is.

    Raises:
        LedgerTampered: it is none.
    """
    try:
        return StoredLine.read(row)
    except (ValueError, TypeError, OverflowError):
        pass
    raise tampered(f"line {row[1]} is none")


def readable(row: Row) -> StoredLine | None:
    """The line that a row is, of those that may be damaged, and accepted so; or None."""
    with suppress(ValueError, TypeError, OverflowError):
        line = StoredLine.read(row)
        for loss in (line.loss, line.spent, line.spent_by, line.lost):
            amounts(loss.text())
        return line
    return None


def line_at(connection: Connection, account: int, number: int) -> StoredLine | None:
    """A line, damaged as it may be; None if there is none that can be read."""
    row = connection.execute(selects.ONE, {"of": account, "line": number}).first()
    return None if row is None else readable(row)


def _analysts(
    connection: Connection, number: int, after: StoredLine
) -> Iterator[tuple[str, tuple[Amounts, Amounts]]]:
    """What each analyst had spent in the window of a line, by the lines up to it."""
    if is_damaged(after):
        yield after.analyst, (amounts(after.spent_by.text()), amounts(after.lost.text()))
        return
    of = select(charge).where(charge.c.account == number, charge.c.number <= after.number)
    of = of.order_by(charge.c.number)
    last: dict[str, Row] = {row.analyst: row for row in connection.execute(of)}
    for analyst, row in last.items():
        line = readable(row)
        if line is not None and line.since == after.since:
            yield analyst, (amounts(line.spent_by.text()), amounts(line.lost.text()))


def _seals(
    connection: Connection, number: int, after: int, sealed: str
) -> Iterator[tuple[int, str]]:
    """The place and hash of each stored answer, of lines after one, chained anew."""
    start, _, found = sealed.partition(":")
    place = int(start)
    yield place, found
    columns = (answer.c.number, answer.c.place, answer.c.key, answer.c.family, answer.c.digest)
    stored: dict[int, list[list[object]]] = {}
    of = select(*columns).where(answer.c.account == number, answer.c.number > after)
    for row in connection.execute(of.order_by(answer.c.number, answer.c.place)):
        stored.setdefault(row[0], []).append(list(row[1:]))
    seals = select(seal).where(seal.c.account == number, seal.c.number > after)
    for _, at, line, hashed in connection.execute(seals.order_by(seal.c.place)):
        place += 1
        found = digest([found, place, line, stored.pop(line, [])])
        if at != place or hashed != found:
            raise tampered(f"the stored answer of line {line} was changed")
        yield place, found
    if stored:
        raise tampered(f"the stored answer of line {min(stored)} was changed")


def is_damaged(accepted: StoredLine) -> bool:
    """Whether the owner accepted lines that are not what they were: then none is asked any more."""
    with suppress(ValueError, AttributeError):
        return bool(json.loads(accepted.note).get(DAMAGED))
    return True


def _check_numbers(connection: Connection, number: int, accepted: int | None) -> None:
    """No row has a number at which nobody looks: below 1, or at the line that accepted damage,
    which has no answer. (What is below that line is in its digest.)
    """
    for table in (charge, seal, answer, identity):
        below = table.c.number < (0 if table is identity else 1)
        query = select(table.c.number).where(table.c.account == number, below)
        if accepted is not None:
            if table not in (seal, answer):
                continue
            query = select(table.c.number).where(
                table.c.account == number, table.c.number == accepted
            )
        if connection.execute(query.limit(1)).first() is not None:
            raise tampered("it has a line where none can be")


def _check_names(connection: Connection, made: Row, accepted: Row | None) -> None:
    """The data sets of an account are those that its lines say."""
    number, _, first, *_ = made
    names = {first: 0}
    lines = select(charge.c.number, charge.c.note).where(
        charge.c.account == number, charge.c.kind == "acknowledged"
    )
    after = 0 if accepted is None else accepted[1]
    for line, note in connection.execute(lines.where(charge.c.number >= after)):
        with suppress(KeyError):
            names[json.loads(note)["identity"]] = line
    known = select(identity.c.identity, identity.c.number).where(
        identity.c.account == number, identity.c.number >= after
    )
    found = {row.identity: row.number for row in connection.execute(known)}
    expected = {name: line for name, line in names.items() if line >= after}
    if found != expected:
        raise tampered("whose it is was changed")


def _lines(connection: Connection, number: int, after: int) -> Iterator[Row]:
    """The lines after one, oldest first; some at a time, since all may be too many."""
    while found := connection.execute(selects.SOME, {"of": number, "line": after}).all():
        yield from found
        after = found[-1].number
