"""Programs that have the terminal for a while: a pager, an editor."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from dpsql.repl.command import UsageError


def pager() -> list[str] | None:
    """The command of $PAGER; without it `less`, if it is there; None for no pager."""
    chosen = os.environ.get("PAGER")
    if chosen is not None:
        return _words(chosen) or None
    return ["less", "-SRFX"] if shutil.which("less") else None


def page(text: str) -> bool:
    """Show a text in the pager; whether there is one."""
    command = pager()
    if command is None:
        return False
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, bufsize=0)
    except (OSError, ValueError):
        return False
    assert process.stdin is not None
    rest = memoryview(text.encode("utf-8", "backslashreplace"))
    try:
        while rest:
            rest = rest[process.stdin.write(rest) or 0 :]
    except (OSError, KeyboardInterrupt):  # the reader has seen enough
        pass
    process.stdin.close()
    _finished(process)
    return True


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
            failed = _finished(subprocess.Popen([*_words(chosen), str(file)])) != 0
            made = file.read_text(encoding="utf-8-sig").rstrip()
        except (OSError, ValueError):
            raise UsageError(f"cannot edit with {chosen!r}; set EDITOR to another editor") from None
    if failed:
        raise UsageError(f"{chosen} failed; nothing was changed")
    return made


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return [command]


def _finished(process: subprocess.Popen[bytes]) -> int:
    """Its exit code. Ctrl-C is for the program that has the terminal."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue
