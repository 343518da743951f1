r"""What a backslash command is, and what it sees of the shell that runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from dpsql.report.result import Answer
from dpsql.session.database import Database

if TYPE_CHECKING:
    from dpsql.repl.output import Output
    from dpsql.repl.saved import Saved
    from dpsql.repl.settings import Settings


class UsageError(Exception):
    """A command that was written wrongly: what is wrong, and how to write it."""


class Quit(Exception):  # noqa: N818  (no error)
    """The end of a file, or of the session."""


class Host(Protocol):
    r"""The shell, as commands see it.

    Attributes:
        settings: what holds for the next query; a command replaces it.
        query: the last query that was typed, run or not, without its `;`; None before the first.
        answer: the last answer; None before the first.
        answered: the query that it answers, as `query` had it.
        interactive: whether a person is at a terminal.
        output: where text goes.
        saved: the queries of `\save`.
        prefill: what the next prompt begins with; a terminal takes it and sets None.
    """

    settings: Settings
    query: str | None
    answer: Answer | None
    answered: str | None
    interactive: bool
    output: Output
    saved: Saved
    prefill: str | None

    @property
    def database(self) -> Database:
        """The database; waits until it is open."""

    def write(self, text: str, whole: int = 0) -> None:
        r"""Put out what was asked for: on the terminal, in its pager, or in the file of `\o`.

        So many lines, from the first, are whole however narrow the terminal is.
        """

    def say(self, text: str) -> None:
        """A remark, which is no part of what was asked for."""

    def run(self, sql: str) -> None:
        """Answer a query at the settings, and write the answer."""

    def include(self, name: str) -> None:
        """Run the statements of a file, named as the file that is being run would name it."""

    def play(self, text: str, source: str = "") -> None:
        """Run the statements of a text."""


@dataclass(frozen=True, slots=True)
class Command:
    r"""A backslash command.

    Attributes:
        name: such as `\eps`.
        usage: how it is written, such as `\eps [E]`.
        summary: what it does, in a line.
        run: does it, given what was written after the name. A query that was written before the
            name is `Host.query` by then. Raises UsageError, or what `dpsql` raises.
        words: what can be completed after the name.
        alone: whether it has nothing to do with a query, so that one before it is a mistake.
    """

    name: str
    usage: str
    summary: str
    run: Callable[[Host, str], None]
    words: Callable[[Host], Sequence[str]] = lambda _: ()
    alone: bool = False
