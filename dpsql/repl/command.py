r"""What a backslash command is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpsql.repl.shell import Shell


class UsageError(Exception):
    """A command that was written wrongly: what is wrong, and how to write it."""


class Quit(Exception):  # noqa: N818  (no error)
    """The end of a file, or of the session."""


@dataclass(frozen=True, slots=True)
class Command:
    r"""A backslash command.

    Attributes:
        usage: how it is written, such as `\eps [E]`.
        summary: what it does, in a line.
        run: does it, given what was written after the name. A query that was written before the
            name is `Shell.query` by then. Raises UsageError, or what `dpsql` raises.
        words: what can be completed after the name.
        alone: whether it has nothing to do with a query, so that one before it is a mistake.
    """

    usage: str
    summary: str
    run: Callable[[Shell, str], None]
    words: Callable[[Shell], Sequence[str]] = lambda _: ()
    alone: bool = False

    @property
    def name(self) -> str:
        r"""Such as `\eps`."""
        return self.usage.partition(" ")[0]
