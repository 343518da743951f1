r"""What is typed, taken apart into queries and backslash commands.

A query ends with `;`. A backslash outside of strings and comments begins a command, which goes on
to the end of its line; a query before it, without `;`, is given to the command instead of being
run. As in other files of queries, a comment `-- eps: 0.5` above a query is its ε.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from dpsql.repl.lexer import Token, scan
from dpsql.report.workloads.workload import queries

WORDS = {
    "exit": "\\q",
    "quit": "\\q",
    "help": "\\help",
    "show tables": "\\d",
    ".exit": "\\q",
    ".quit": "\\q",
    ".help": "\\help",
    ".tables": "\\d",
    ".schema": "\\d",
}
"""What newcomers type, and the command that is meant."""

_SAME_LINE = re.compile(r"[ \t]*(?:--[^\r\n]*)?")


@dataclass(frozen=True, slots=True)
class Statement:
    r"""A query, a command, or a command with the query before it.

    Attributes:
        query: from its first word to its last; "" for none.
        eps: of a comment above the query; None without one.
        command: the name, such as `\eps`; "" where the query is to be run.
        argument: what follows the name on its line.
        start: where the query begins in the text, or else the command.
        line: the same, from 1.
        above: the comments above the query, where they say its ε; else "".
    """

    query: str
    eps: Fraction | None
    command: str
    argument: str
    start: int
    line: int
    above: str = field(default="", compare=False)

    @property
    def written(self) -> str:
        """The query with the comment that says its ε: what is kept of it."""
        return self.above + self.query


def split(text: str, dialect: str = "duckdb", source: str = "") -> Iterator[Statement]:
    """The statements of a text, in order; the last query may be without `;`.

    Args:
        text: what is typed, or a file.
        dialect: whose SQL it is.
        source: the name of the file.

    Raises:
        InvalidBudget: when its query is reached: a comment `-- eps:` with what is no ε.
        UnknownDialect: a dialect that is none.
    """
    line, counted = 1, 0
    for own, end in _pieces(text, dialect):
        code = [part for part in own if not part.is_remark]
        command = end.text.strip() if end is not None and end.kind == "\\" else ""
        if not code and not command:
            continue
        start = code[0].start if code else end.start if end is not None else 0
        line, counted = line + text.count("\n", counted, start), start
        # A `;` at the end is a habit, and no part of the command.
        name, argument, *_ = (*command.removesuffix(";").split(None, 1), "", "")
        query = text[start : code[-1].end] if code else ""
        if not command and not argument and query.lower() in WORDS:
            yield Statement("", None, WORDS[query.lower()], "", start, line)
            continue
        above = text[own[0].start : start] if code else ""
        eps = _eps(above, source, line, dialect) if "eps" in above.lower() else None
        kept = "" if eps is None else above
        yield Statement(query, eps, name.lower(), argument.strip(), start, line, kept)


def apart(text: str, dialect: str = "duckdb") -> tuple[Fraction | None, str]:
    """The ε that a comment above a query says, and the query from its first word on.

    Args:
        text: one query, finished or not.
        dialect: whose SQL it is.

    Raises:
        InvalidBudget, UnknownDialect: see `split`.
    """
    found = next(split(text, dialect), None)
    return (None, text) if found is None or found.eps is None else (found.eps, text[found.start :])


def complete(text: str, dialect: str = "duckdb") -> bool:
    """Whether Enter runs a text: its last query has its `;`, or a command ends it; or it is empty.

    Raises:
        UnknownDialect: a dialect that is none.
    """
    if text.strip().lower() in WORDS:
        return True
    last: list[Token] = []
    for own, end in _pieces(text, dialect):
        last = own if end is None else []
    return all(part.is_remark for part in last)


def _pieces(text: str, dialect: str) -> Iterator[tuple[list[Token], Token | None]]:
    r"""What is before each `;` or command, and that; None after the last."""
    own: list[Token] = []
    after = 0
    for part in scan(text, dialect):
        if part.start < after:  # a comment on the line of the query's end belongs to that query
            continue
        if part.kind not in (";", "\\"):
            own.append(part)
            continue
        yield own, part
        own = []
        if part.kind == ";":
            tail = _SAME_LINE.match(text, part.end)
            after = part.end if tail is None else tail.end()
    if own:
        yield own, None


def _eps(above: str, source: str, line: int, dialect: str) -> Fraction | None:
    """The ε of the comments above a query, which begins in that line; its own say nothing."""
    before = "\n" * (line - 1 - above.count("\n"))  # for the place in a message
    found = queries(f"{before}{above}SELECT", source, dialect)
    return found[0].eps if found else None
