"""The noisy answers that are kept beside the charges, and the chain that they are in.

Claim: an answer that was changed is never given; one that was dropped or added is noticed when the
ledger is opened, once another line was charged after it. Why: each row's digest covers its key, its
family and its body, and is compared whenever it is used; each seal's hash covers the digests of one
line's answers and the seal before it; and each line says the newest seal at its time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select

from dpsql.errors import EngineError
from dpsql.platform.ledger import conduct, selects
from dpsql.platform.ledger.admission import Head
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger import Stored, tampered
from dpsql.platform.ledger.lines import digest
from dpsql.platform.ledger.verify import last_accepted

KEPT = 8_000_000
"""The most characters of an answer that is kept."""


def keep(
    connection: Connection, account: int, head: Head, number: int, found: Sequence[Stored]
) -> None:
    """Store a line's answer, in a transaction that nobody else writes in.

    Args:
        connection: in that transaction.
        account: its id.
        head: what the next line goes on from.
        number: of the line.
        found: the answers of its releases.

    Raises:
        EngineError: there is no such charge, or its answer is stored already.
    """
    line = {"of": account, "line": number}
    newest_one = number == head.number
    paid = head.line if newest_one else connection.execute(selects.ONE, line).first()
    if paid is None or paid.kind not in ("charge", "resumed"):
        raise EngineError(f"the ledger has no charge {number}; refused")
    if not newest_one:  # or nothing was said after it
        _check_later(connection, account, number, paid.analyst)
    if connection.execute(selects.SEAL_OF, line).first() is not None:
        raise EngineError(f"the ledger has an answer of charge {number} already; refused")
    place, before = newest(connection, account, head)
    rows = [
        (account, number, n, one.key, one.family, _digest(one.key, one.family, one.body), one.body)
        for n, one in enumerate(found)
    ]
    hashed = digest([before, place + 1, number, [row[2:6] for row in rows]])
    connection.add(selects.ADD_SEAL, [(account, place + 1, number, hashed)])
    if rows:
        connection.add(selects.ADD_ANSWER, rows)


def _check_later(connection: Connection, account: int, number: int, analyst: str) -> None:
    """Refuse a charge that is said to have ended, or was taken up, or was acknowledged."""
    ended = conduct.events(connection, account, analyst, number)
    if any(note.get("line") == number for _, note in ended):
        raise EngineError(f"charge {number} ended without an answer, or was taken up; refused")
    accepted = last_accepted(connection, account)
    if accepted is not None and number < accepted[1]:
        raise EngineError(f"the ledger was acknowledged after charge {number}; refused")


def newest(connection: Connection, account: int, head: Head) -> tuple[int, str]:
    """The place and hash of the newest seal; of what the newest line knows, if that is newer."""
    row = connection.execute(selects.LAST_SEAL, {"of": account}).first()
    place, _, hashed = head.sealed.partition(":")
    if row is None or row.place <= int(place):
        return int(place), hashed
    return row.place, row.hash


def of_line(connection: Connection, account: int, number: int) -> tuple[Stored, ...]:
    """What is stored with a line, by place."""
    return _stored(connection, selects.ANSWER_OF, {"of": account, "line": number})


def search(connection: Connection, account: int, key: str, family: str) -> tuple[Stored, ...]:
    """What is stored with a key, or of a family, the latest first."""
    if key:
        found = _stored(connection, selects.ANSWER_BY_KEY, {"of": account, "key": key})
        return tuple(one for one in found if family in ("", one.family))
    if family:
        return _stored(connection, selects.ANSWER_BY_FAMILY, {"of": account, "family": family})
    return ()


def _stored(
    connection: Connection, query: Select[Any], wanted: dict[str, object]
) -> tuple[Stored, ...]:
    return tuple(map(_one, connection.execute(query, wanted)))


def _one(row: Any) -> Stored:
    if _digest(row.key, row.family, row.body) != row.digest:
        raise tampered(f"the stored answer of line {row.number} was changed")
    return Stored(row.key, row.family, row.body, row.number, row.place)


def _digest(key: str, family: str, body: str) -> str:
    return digest([key, family, body])
