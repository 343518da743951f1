"""How an error is told: what is wrong, and in a file also where."""

from __future__ import annotations

from dataclasses import replace

from dpsql.errors import DpsqlError, Rejected, Span
from dpsql.execution import boundary
from dpsql.repl.command import UsageError
from dpsql.repl.splitting import Statement

COMMAND_FOR = {
    "show": r"\d lists the tables",
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
    place = f"{source}:{statement.line}: " if statement is not None and source else ""
    if isinstance(error, Rejected) and statement is not None:
        error = _placed(error, statement, text)
    own = isinstance(error, DpsqlError | UsageError)
    words = [str(error if own else boundary.internal(error)), *getattr(error, "__notes__", ())]
    return Failure(place + "\n".join(words), error)


def _placed(error: Rejected, statement: Statement, text: str) -> Rejected:
    """The problems with their places in the whole text, and with the command that is for it."""
    found, whole = error.diagnostics, error.text
    if error.text and text.startswith(error.text, statement.start):
        by, whole = statement.start, text
        spans = (d.span and Span(d.span.start + by, d.span.end + by) for d in found)
        found = tuple(replace(d, span=span) for d, span in zip(found, spans, strict=True))
    command = COMMAND_FOR.get("".join(statement.query.split(None, 1)[:1]).lower())
    if command is not None:
        found = tuple(
            replace(d, help=command) if d.code == "DP102" and d.help is None else d for d in found
        )
    return Rejected(found, whole)
