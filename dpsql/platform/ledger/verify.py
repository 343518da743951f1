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

from dpsql.platform.ledger import opening_selects, selects, stored_texts
from dpsql.platform.ledger.admission import Head
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger import tampered
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
    for query in opening_selects.STATE:
        for row in connection.execute(query, {"of": number, "line": before}):
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
    found = connection.execute(opening_selects.BEFORE, {"of": number, "line": after.number})
    last: dict[str, Row] = {row.analyst: row for row in found}
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
    stored: dict[int, list[list[object]]] = {}
    of = {"of": number, "line": after}
    for row in connection.execute(opening_selects.SEALED, of):
        stored.setdefault(row[0], []).append(list(row[1:]))
    for _, at, line, hashed in connection.execute(opening_selects.SEALS, of):
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
    for query in opening_selects.NOWHERE if accepted is None else opening_selects.ANSWERED:
        if connection.execute(query, {"of": number, "line": accepted}).first() is not None:
            raise tampered("it has a line where none can be")


def _check_names(connection: Connection, made: Row, accepted: Row | None) -> None:
    """The data sets of an account are those that its lines say."""
    number, _, first, *_ = made
    names = {first: 0}
    after = 0 if accepted is None else accepted[1]
    of = {"of": number, "line": after}
    for line, note in connection.execute(opening_selects.ACKNOWLEDGED, of):
        with suppress(KeyError):
            names[json.loads(note)["identity"]] = line
    found = {row.identity: row.number for row in connection.execute(opening_selects.NAMES, of)}
    expected = {name: line for name, line in names.items() if line >= after}
    if found != expected:
        raise tampered("whose it is was changed")


def _lines(connection: Connection, number: int, after: int) -> Iterator[Row]:
    """The lines after one, oldest first; some at a time, since all may be too many."""
    while found := connection.execute(selects.SOME, {"of": number, "line": after}).all():
        yield from found
        after = found[-1].number
