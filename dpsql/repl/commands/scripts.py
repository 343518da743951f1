r"""Answers to files, statements from files, and queries kept by name."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from dpsql.repl.command import Command, UsageError
from dpsql.repl.output import finished, program_words

if TYPE_CHECKING:
    from dpsql.repl.shell import Shell


def _output(shell: Shell, text: str) -> None:
    if text.startswith("|"):
        raise UsageError(r"\o writes to a file, not to a program")
    shell.output.to(_name(text))
    shell.say(f"answers go to {shell.output.place or 'stdout'}")


def _include(shell: Shell, text: str) -> None:
    if not text:
        raise UsageError(r"\i needs the name of a file")
    shell.include(_name(text))


def _edit(shell: Shell, text: str) -> None:
    if text:
        raise UsageError(r"\e takes no name: it edits the last query")
    if not shell.interactive:
        raise UsageError(r"\e needs a terminal")
    shell.prefill = edit("" if shell.query is None else f"{shell.query};") or None


def edit(text: str) -> str:
    """What somebody makes of a text in $VISUAL, else $EDITOR, else vi.

    Raises:
        UsageError: there is no such editor, or it fails.
    """
    chosen = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="dpsql-") as folder:
        file = Path(folder) / "query.sql"
        file.write_text(f"{text}\n" if text else "", encoding="utf-8", errors="replace")
        try:
            failed = finished(subprocess.Popen([*program_words(chosen), str(file)])) != 0
            made = file.read_text(encoding="utf-8-sig").rstrip()
        except (OSError, ValueError):
            raise UsageError(f"cannot edit with {chosen!r}; set EDITOR to another editor") from None
    if failed:
        raise UsageError(f"{chosen} failed; nothing was changed")
    return made


def _save(shell: Shell, text: str) -> None:
    if not text:
        _list(shell)
        return
    if shell.query is None:
        raise UsageError("no query to save yet")
    again = shell.saved.save(text, shell.query)
    shell.say(f"saved as {text}{', in place of the one before' if again else ''}")


def _run(shell: Shell, text: str) -> None:
    if not text:
        _list(shell)
        return
    shell.play(shell.saved.load(text), text)


def _list(shell: Shell) -> None:
    names = shell.saved.names
    if names:
        shell.write("\n".join(names))
    else:
        shell.say(r"no saved queries yet; \save NAME keeps the last one")


def _name(text: str) -> str:
    """A file's name; quotes around it are no part of it."""
    quoted = len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]
    return text[1:-1] if quoted else text


COMMANDS = (
    Command("\\o [FILE]", "answers go to a file; without one, here again", _output, alone=True),
    Command("\\i FILE", "run a file", _include, alone=True),
    Command("\\e", "edit the last query in $VISUAL or $EDITOR", _edit),
    Command(
        *("\\save [NAME]", "keep the last query; or list them", _save),
        words=lambda shell: shell.saved.names,
    ),
    Command(
        *("\\run [NAME]", "run a query that was kept; or list them", _run),
        words=lambda shell: shell.saved.names,
        alone=True,
    ),
)
