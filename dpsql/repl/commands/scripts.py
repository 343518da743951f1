r"""Answers to files, statements from files, and queries kept by name."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dpsql.repl.command import Command, Host, UsageError
from dpsql.repl.output import finished, program_words


def _output(host: Host, text: str) -> None:
    if text.startswith("|"):
        raise UsageError(r"\o writes to a file, not to a program")
    host.output.to(_name(text))
    host.say(f"answers go to {host.output.place or 'stdout'}")


def _include(host: Host, text: str) -> None:
    if not text:
        raise UsageError(r"\i needs the name of a file")
    host.include(_name(text))


def _edit(host: Host, text: str) -> None:
    if text:
        raise UsageError(r"\e takes no name: it edits the last query")
    if not host.interactive:
        raise UsageError(r"\e needs a terminal")
    host.prefill = edit("" if host.query is None else f"{host.query};") or None


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


def _save(host: Host, text: str) -> None:
    if not text:
        _list(host)
        return
    if host.query is None:
        raise UsageError("no query to save yet")
    again = host.saved.save(text, host.query)
    host.say(f"saved as {text}{', in place of the one before' if again else ''}")


def _run(host: Host, text: str) -> None:
    if not text:
        _list(host)
        return
    host.play(host.saved.load(text), text)


def _list(host: Host) -> None:
    names = host.saved.names
    if names:
        host.write("\n".join(names))
    else:
        host.say(r"no saved queries yet; \save NAME keeps the last one")


def _name(text: str) -> str:
    """A file's name; quotes around it are no part of it."""
    quoted = len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]
    return text[1:-1] if quoted else text


def _saved(host: Host) -> Sequence[str]:
    return host.saved.names


COMMANDS: tuple[Command, ...] = (
    Command(
        *("\\o", "\\o [FILE]", "answers go to a file; without one, here again", _output), alone=True
    ),
    Command("\\i", "\\i FILE", "run a file", _include, alone=True),
    Command("\\e", "\\e", "edit the last query in $VISUAL or $EDITOR", _edit),
    Command("\\save", "\\save [NAME]", "keep the last query; or list them", _save, words=_saved),
    Command(
        *("\\run", "\\run [NAME]", "run a query that was kept; or list them", _run),
        words=_saved,
        alone=True,
    ),
)
