"""What became of an analyst's charges, up to a line: read once, and gone on from there.

Who has asked much is not looked through at each charge. What was found is kept by this process,
with the hash of the newest line by then; where the ledger has that line, all lines before it are
those that were read, since hashes are chained. Else (it was put back, and that was accepted) it
begins anew.

What can still change is looked at each time: whether a charge without an answer has one by now.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from dpsql.platform.ledger import selects
from dpsql.platform.ledger.admission import Head
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger_tables import NOTED
from dpsql.platform.ledger.lines import StoredLine

Event = tuple[str, dict[str, Any]]
"""What kind of a line it is, and what it says."""

UNTAKEN = 20
"""How many charges are remembered that may be taken up; older ones are paid again."""

_MOST_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class History:
    """What is known of an analyst.

    Attributes:
        line, hash: the newest line of the account by then, of whomever.
        looked: the line by which the owner unlocked the analyst last; 0 for none.
        failed: how many charges are said to have failed since then.
        resumed: how many were taken up since then.
        untaken: the lines that ended before noise was drawn and were not taken up, oldest first;
            the newest `UNTAKEN` of them.
        open: of each line after `looked` without an answer, and not said to have ended: its note
            and its clock; empty where nobody asked for them.
    """

    line: int = 0
    hash: str = ""
    looked: int = 0
    failed: int = 0
    resumed: int = 0
    untaken: tuple[int, ...] = ()
    open: Mapping[int, tuple[str, str]] = field(default_factory=dict)


_NEW = History()
_known: dict[tuple[str, str, bool], History] = {}
"""By account and analyst, with and without what is open."""


def of(
    connection: Connection, made: Any, head: Head, analyst: str, *, opened: bool = True
) -> History:
    """What became of an analyst's charges until now.

    Args:
        connection: in a transaction, before it adds a line.
        made: the account's row.
        head: what the next line goes on from.
        analyst: who.
        opened: whether to look for open lines. They are few where failures lock.
    """
    if head.line is None:
        return _NEW
    kept = made[1], analyst, opened
    past = _known.get(kept, _NEW)
    if past.line and past.hash == head.line.before:  # then that line is all that came after
        line = head.line
        said = _said([(line.number, line.kind, line.note)]) if _is_his(line, analyst) else ()
    else:
        there = {"of": made[0], "line": past.line}
        if past.line and connection.execute(selects.HASH, there).scalar() != past.hash:
            past = _NEW
        said = events(connection, made[0], analyst, past.line)
    found, ended = _after(past, said, head)
    if opened:
        found = replace(found, open=_open(connection, made[0], analyst, past, found, ended))
    if len(_known) < _MOST_KEPT or kept in _known:
        _known[kept] = found
    return found


def events(connection: Connection, account: int, analyst: str, after: int) -> Iterator[Event]:
    """What is noted of an analyst's charges after a line, in order: its kind, and of which `line`
    it is; and its own `number`."""
    his = {"of": account, "analyst": analyst, "line": after}
    return _said(connection.execute(selects.EVENTS, his))


def _is_his(line: StoredLine, analyst: str) -> bool:
    """Whether a line is what `selects.EVENTS` looks for."""
    return line.analyst == analyst and line.kind in NOTED


def _said(rows: Iterable[tuple[int, str, str]]) -> Iterator[Event]:
    for number, kind, note in rows:
        with suppress(ValueError):
            found = json.loads(note)
            if isinstance(found, dict):
                yield kind, found | {"number": number}


def _after(past: History, said: Iterable[Event], head: Head) -> tuple[History, set[Any]]:
    """What is said by now, and which lines are said to have ended since."""
    looked, failed, resumed = past.looked, past.failed, past.resumed
    untaken: list[Any] = list(past.untaken)
    ended = set()
    for kind, note in said:
        number = note.get("line")
        ended.add(number)
        if kind == "unlocked":
            looked, failed, resumed = note["number"], 0, 0
        elif kind == "failed":
            failed += 1
        elif kind == "resumed":
            resumed += 1
            untaken = [one for one in untaken if one != number]
        if kind in ("failed", "interrupted") and note.get("drawn") is False:
            untaken.append(number)
    numbers = tuple(one for one in untaken if isinstance(one, int))[-UNTAKEN:]
    return History(head.number, head.hash, looked, failed, resumed, numbers), ended


def _open(
    connection: Connection,
    account: int,
    analyst: str,
    past: History,
    now: History,
    ended: set[Any],
) -> dict[int, tuple[str, str]]:
    his = {"of": account, "analyst": analyst, "line": max(past.line, now.looked)}
    found = {
        number: said
        for number, said in past.open.items()
        if connection.execute(selects.SEAL_OF, {"of": account, "line": number}).first() is None
    }
    found |= {row[0]: (row[1], row[2]) for row in connection.execute(selects.OPEN, his)}
    return {n: said for n, said in found.items() if n > now.looked and n not in ended}
