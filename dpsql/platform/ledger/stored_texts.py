"""The long texts of lines, each stored once: a line has a text's digest in its place.

Claim: what a line says is as hard to change as the line. Why: the digest is SHA-256, is part of the
line's hash, and a text is compared with it whenever it is read. (Who asks one query of 900 KB a
thousand times fills 0.9 MB of the owner's disk, not 900.)
"""

from __future__ import annotations

from hashlib import sha256

from sqlalchemy import bindparam, insert, select

from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger import tampered
from dpsql.platform.ledger.ledger_tables import words

SHORT = 80
"""The most characters of a text that stays in its line: a digest is about as long."""

_MARK = "sha256:"

_ONE = select(words.c.body).where(
    words.c.account == bindparam("of"), words.c.digest == bindparam("digest")
)
_ALL = select(words.c.digest, words.c.body).where(words.c.account == bindparam("of"))
_ADD = insert(words)


def reference(text: str) -> str:
    """What stands in the line for a text."""
    if len(text) <= SHORT and not text.startswith(_MARK):
        return text
    return f"{_MARK}{sha256(text.encode()).hexdigest()}"


def keep(connection: Connection, account: int, *texts: str) -> None:
    """Store those texts that do not stay in the line, unless they are there.

    Args:
        connection: in a transaction that nobody else adds lines to this account in.
        account: its id.
        texts: of a line.
    """
    for text in dict.fromkeys(texts):
        found = reference(text)
        if found == text:
            continue
        of = {"of": account, "digest": found}
        there = connection.execute(_ONE, of).scalar()
        if there is None:
            connection.add(_ADD, [(account, found, text)])
        elif there != text:
            raise tampered("the text of a query was changed")


def every(connection: Connection, account: int) -> dict[str, str]:
    """All stored texts, by what stands for them.

    Raises:
        LedgerTampered: one is not what was stored.
    """
    return _checked(unchecked(connection, account))


def unchecked(connection: Connection, account: int) -> dict[str, str]:
    """All stored texts, whatever they are by now."""
    return {row.digest: row.body for row in connection.execute(_ALL, {"of": account})}


def of(connection: Connection, account: int, *references: str) -> dict[str, str]:
    """The stored texts that those stand for; not one that is gone.

    Raises:
        LedgerTampered: one is not what was stored.
    """
    found: dict[str, str] = {}
    for one in references:
        if one.startswith(_MARK):
            body = connection.execute(_ONE, {"of": account, "digest": one}).scalar()
            if body is not None:
                found[one] = body
    return _checked(found)


def _checked(found: dict[str, str]) -> dict[str, str]:
    if any(reference(body) != digest for digest, body in found.items()):
        raise tampered("the text of a query was changed")
    return found


def stands_for(text: str) -> bool:
    """Whether a line's text is elsewhere."""
    return text.startswith(_MARK)
