r"""What a backslash command is, and what it sees of the shell that runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dpsql.repl.settings import Settings
from dpsql.result import Answer
from dpsql.session import Database


class UsageError(Exception):
    """A command that was written wrongly: what is wrong, and how to write it."""


class Host(Protocol):
    """The shell, as commands see it.

    Attributes:
        settings: what holds for the next query; a command replaces it.
        query: the last query that was typed, run or not, without its `;`; None before the first.
        answer: the last answer; None before the first.
        interactive: whether a person is at a terminal.
    """

    settings: Settings
    query: str | None
    answer: Answer | None
    interactive: bool

    @property
    def database(self) -> Database:
        """The database; waits until it is open."""

    def write(self, text: str) -> None:
        r"""Put out what was asked for: on the terminal, in its pager, or in the file of `\o`."""

    def say(self, text: str) -> None:
        """A remark, which is no part of what was asked for."""

    def run(self, sql: str) -> None:
        """Answer a query at the settings, and write the answer."""


@dataclass(frozen=True, slots=True)
class Command:
    r"""A backslash command.

    Attributes:
        name: such as `\eps`.
        usage: how it is written, such as `\eps [E]`.
        summary: what it does, in a line.
        run: does it, given what was written after the name. For a command with `query`, that is a
            query's text if there is one. Raises UsageError, or what `dpsql` raises.
        words: what can be completed after the name.
    """

    name: str
    usage: str
    summary: str
    run: Callable[[Host, str], None]
    words: Callable[[Host], Sequence[str]] = lambda _: ()
