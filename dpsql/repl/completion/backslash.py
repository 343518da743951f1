r"""Completion of backslash commands: their names, and what can follow them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dpsql.repl.command import Command
from dpsql.repl.completion.candidate import Candidate, Offer, chosen
from dpsql.repl.completion.vocabulary import STARTS
from dpsql.repl.lexer import scan

_QUERY = re.compile(r"(?<!\S)(?:select|with|from)\s|\(", re.IGNORECASE)
"""What a query begins with."""


@dataclass(frozen=True, slots=True)
class Piece:
    r"""The query or the command at the cursor, without its `;` or the end of its line.

    Attributes:
        start, end: where it is; `end` exclusive.
        command: whether it is a command; it begins with its backslash.
    """

    start: int
    end: int
    command: bool


def piece(text: str, cursor: int, dialect: str = "duckdb") -> Piece:
    """What the cursor is in."""
    start = 0
    for part in scan(text, dialect):
        if part.kind == "\\" and part.start < cursor <= part.end:
            return Piece(part.start, part.end, True)
        if part.kind in (";", "\\"):
            if part.end > cursor or (part.kind == "\\" and part.start >= cursor):
                return Piece(start, part.start, False)
            start = part.end
    return Piece(start, len(text), False)


def query_argument(text: str, start: int, commands: Mapping[str, Command]) -> int | None:
    """Where the query after a command begins; None where none is, or none can be."""
    name, gap, rest = text[start:].partition(" ")
    command = commands.get(name.lower())
    if command is None or not gap or "SELECT" not in command.usage:
        return None
    query = _QUERY.search(rest)
    return None if query is None else len(text) - len(rest) + query.start()


def takes_file(text: str, start: int, commands: Mapping[str, Command]) -> bool:
    """Whether what follows a command is the name of a file."""
    name, gap, _ = text[start:].partition(" ")
    command = commands.get(name.lower())
    return command is not None and bool(gap) and "FILE" in command.usage


def command_candidates(
    text: str,
    start: int,
    cursor: int,
    commands: Mapping[str, Command],
    words: Callable[[Command], Sequence[str]],
) -> Iterator[Candidate]:
    """Names of commands, or what can follow the one that is there."""
    typed = text[start:cursor]
    name, gap, _ = typed.partition(" ")
    if not gap:
        offers = [Offer(c.name, meta=c.summary) for c in commands.values()]
        yield from (c for c in chosen(offers, typed, start) if c.text.startswith("\\"))
        return
    command = commands.get(name.lower())
    if command is not None:
        last = typed.rsplit(None, 1)[-1] if not typed[-1].isspace() else ""
        offers = [Offer(word) for word in words(command)]
        if "SELECT" in command.usage:
            offers += [Offer(word, spoken=True) for word in STARTS]
        yield from chosen(offers, last, cursor - len(last))
