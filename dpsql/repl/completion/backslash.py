r"""Completion of backslash commands: their names, and what can follow them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dpsql.repl.command import Command
from dpsql.repl.completion.proposal import Proposal, chosen
from dpsql.repl.completion.vocabulary import STARTS
from dpsql.repl.lexer import scan

_QUERY = re.compile(r"(?<!\S)(?:select|with|from)\s|\(", re.IGNORECASE)
"""What a query begins with."""


@dataclass(frozen=True, slots=True)
class Stretch:
    r"""The query or the command at the cursor, without its `;` or the end of its line.

    Attributes:
        start, end: where it is; `end` exclusive.
        command: whether it is a command; it begins with its backslash.
    """

    start: int
    end: int
    command: bool


def stretch(text: str, cursor: int, dialect: str = "duckdb") -> Stretch:
    """What the cursor is in."""
    start = 0
    for part in scan(text, dialect):
        if part.kind == "\\" and part.start < cursor <= part.end:
            return Stretch(part.start, part.end, True)
        if part.kind in (";", "\\"):
            if part.end > cursor or (part.kind == "\\" and part.start >= cursor):
                return Stretch(start, part.start, False)
            start = part.end
    return Stretch(start, len(text), False)


def query_argument(text: str, start: int, commands: Mapping[str, Command]) -> int | None:
    """Where the query after a command begins; None where none is, or none can be."""
    if not takes("SELECT", text, start, commands):
        return None
    query = _QUERY.search(text, text.index(" ", start) + 1)
    return None if query is None else query.start()


def takes(what: str, text: str, start: int, commands: Mapping[str, Command]) -> bool:
    """Whether a command has its blank, and what follows can be that: SELECT, or FILE."""
    name, gap, _ = text[start:].partition(" ")
    command = commands.get(name.lower())
    return command is not None and bool(gap) and what in command.usage


def command_proposals(
    text: str,
    start: int,
    cursor: int,
    commands: Mapping[str, Command],
    words: Callable[[Command], Sequence[str]],
) -> Iterator[Proposal]:
    """Names of commands, or what can follow the one that is there."""
    typed = text[start:cursor]
    name, gap, _ = typed.partition(" ")
    if not gap:
        offers = [Proposal(c.name, meta=c.summary) for c in commands.values()]
        yield from (c for c in chosen(offers, typed, start) if c.text.startswith("\\"))
        return
    command = commands.get(name.lower())
    if command is not None:
        last = typed.rsplit(None, 1)[-1] if not typed[-1].isspace() else ""
        offers = [Proposal(word) for word in words(command)]
        if "SELECT" in command.usage:
            offers += [Proposal(word, spoken=True) for word in STARTS]
        yield from chosen(offers, last, cursor - len(last))
