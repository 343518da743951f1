"""How an error is told: what is wrong, and in a file also where."""

from __future__ import annotations

from dataclasses import replace

from dpsql.errors import DpsqlError, Rejected, Span
from dpsql.execution import boundary
from dpsql.repl.command import UsageError
from dpsql.repl.statements import Statement

COMMAND_FOR = {
    "show": r"\d lists the tables",
    **dict.fromkeys(("describe", "desc", "summarize"), r"\d TABLE shows what is public of a table"),
    "explain": r"\explain SELECT … says what a query would release and cost",
    **dict.fromkeys(("set", "pragma"), r"\help lists what can be chosen"),
}
"""The command that does what a statement of other shells does."""


class Failure(Exception):  # noqa: N818  (it is told, and not an error of its own)
    """An error that stopped a text.

    Attributes:
        words: what to tell.
        error: what happened.
    """

    def __init__(self, words: str, error: Exception) -> None:
        self.words, self.error = words, error
        super().__init__(words, error)

    def __str__(self) -> str:
        return self.words


def failure(error: Exception, statement: Statement | None, text: str, source: str) -> Failure:
    """An error, told.

    Args:
        error: what happened.
        statement: what it happened to; None where the error says where, or it is nowhere.
        text: that it is in.
        source: the name of the text's file; "" where somebody typed it.
    """
    place = f"{source}:{statement.line}" if statement is not None and source else ""
    if isinstance(error, Rejected) and statement is not None:
        error = _advised(_moved(error, statement, text), statement)
    words = "\n".join([_words(error), *getattr(error, "__notes__", ())])
    return Failure(f"{place}: {words}" if place else words, error)


def _words(error: Exception) -> str:
    if isinstance(error, DpsqlError | UsageError):
        return str(error)
    return str(boundary.internal(error))


def _moved(error: Rejected, statement: Statement, text: str) -> Rejected:
    """The problems, with their places in the whole text."""
    if not text.startswith(error.text, statement.start) or not error.text:
        return error
    moved = (
        d if d.span is None else replace(d, span=_later(d.span, statement.start))
        for d in error.diagnostics
    )
    return Rejected(tuple(moved), text)


def _advised(error: Rejected, statement: Statement) -> Rejected:
    """What is no SELECT, with the command that is for it."""
    command = COMMAND_FOR.get("".join(statement.query.split(None, 1)[:1]).lower())
    if command is None:
        return error
    found = (
        replace(d, help=command) if d.code == "DP102" and d.help is None else d
        for d in error.diagnostics
    )
    return Rejected(tuple(found), error.text)


def _later(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)
