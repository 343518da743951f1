"""The shell without a person: statements from arguments, files and stdin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from dpsql.repl.command import Quit, UsageError
from dpsql.repl.failures import Failure
from dpsql.repl.shell import Shell


@dataclass(frozen=True, slots=True)
class Source:
    """Statements to run.

    Attributes:
        kind: "text", or a "file".
        word: the text, or the file's name.
        name: of the text, in errors.
    """

    kind: Literal["text", "file"]
    word: str
    name: str = ""


def run(shell: Shell, sources: Iterable[Source]) -> BaseException | None:
    """Run all statements, up to the first error. Answers go to stdout, all else to stderr.

    Returns:
        What stopped it, already told; None where nothing did.

    Raises:
        BrokenPipeError: whoever read stdout has gone.
    """
    try:
        for source in sources:
            stopped = _run(shell, source)
            if stopped is not None:
                return stopped
    except KeyboardInterrupt as pressed:
        shell.interrupted("dpsql: ")
        return pressed
    return None


def _run(shell: Shell, source: Source) -> Exception | None:
    try:
        if source.kind == "file":
            shell.include(source.word)
        else:
            shell.play(source.word, source.name)
    except Quit:
        pass
    except Failure as failure:
        shell.output.complain(f"dpsql: {failure.words}")
        return failure.error
    except UsageError as error:  # the file cannot be read
        shell.output.complain(f"dpsql: {error}")
        return error
    return None
