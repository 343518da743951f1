r"""Where text goes: answers to stdout, a pager or the file of `\o`; remarks to stderr."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal, TextIO

from dpsql.repl import programs
from dpsql.repl.command import UsageError
from dpsql.repl.folding import folded
from dpsql.report.plaintext import wide
from dpsql.visible import visible

Role = Literal["answer", "remark", "error"]
"""What a text is to who reads it."""


class Output:
    r"""The one way out.

    Attributes:
        place: the file of `\o`; None for stdout.
        paint: gives a text for a terminal its colours, by what it is.
    """

    def __init__(self) -> None:
        self.paint: Callable[[Role, str], str] = lambda _, text: text
        self.place: Path | None = None
        self._file: TextIO | None = None

    def write(self, text: str, *, paged: bool = False, whole: int = 0) -> None:
        """Put out what was asked for, and a line end if it has none.

        Args:
            text: on a terminal, what could steer it is made visible, and long lines are folded.
            paged: whether what is larger than the terminal goes through the pager.
            whole: so many lines, from the first, are never folded.

        Raises:
            UsageError: the file cannot be written; what follows goes to stdout again.
            BrokenPipeError: whoever read stdout has gone.
        """
        text = text if text.endswith("\n") or not text else f"{text}\n"
        if self._file is not None:
            self._keep(self._file, text)
            return
        if sys.stdout.isatty():
            text = folded(harmless(text), shutil.get_terminal_size().columns, whole)
            if paged and _too_big(text, whole) and programs.page(text):
                return
            text = self.paint("answer", text)
        sys.stdout.write(text)
        sys.stdout.flush()

    def say(self, text: str) -> None:
        """A remark, on stderr."""
        self._tell("remark", text)

    def complain(self, text: str) -> None:
        """What went wrong, on stderr."""
        self._tell("error", text)

    def _tell(self, role: Role, text: str) -> None:
        sys.stdout.flush()
        text = harmless(text)
        if sys.stderr.isatty():
            width = shutil.get_terminal_size().columns
            lines = text.split("\n")  # a query stays above its caret
            folds = (x if x.startswith("  | ") else folded(x, width) for x in lines)
            text = self.paint(role, "\n".join(folds))
        print(text, file=sys.stderr, flush=True)

    def to(self, name: str) -> None:
        """From now on into that file, which begins empty; "" for stdout again.

        Raises:
            UsageError: the file cannot be written; all stays as it was.
        """
        file: TextIO | None = None
        place = Path(name) if name else None
        if place is not None:
            try:
                place = place.expanduser()
                file = place.open("w", encoding="utf-8", errors="backslashreplace", newline="")
            except (OSError, ValueError, RuntimeError) as error:  # the last: ~ of nobody
                raise UsageError(_cannot(place, error)) from None
        self.close()
        self._file, self.place = file, place

    def close(self) -> None:
        """Close the file, if there is one.

        Raises:
            UsageError: its last lines cannot be written.
        """
        file, place = self._file, self.place
        self._file = self.place = None
        if file is not None and place is not None:
            try:
                file.close()
            except OSError as error:
                raise UsageError(_cannot(place, error)) from None

    def _keep(self, file: TextIO, text: str) -> None:
        place = self.place or Path()
        try:
            file.write(text)
            file.flush()
        except OSError as error:
            self._file = self.place = None
            with suppress(OSError):  # what is left in it cannot be written either
                file.close()
            raise UsageError(f"{_cannot(place, error)}; answers go to stdout again") from None


def harmless(text: str) -> str:
    """`text` with what could steer a terminal made visible; lines and tabs stay."""
    return visible(text, "\n\t")


def _too_big(text: str, whole: int) -> bool:
    """Whether a text is longer than the terminal, or what stays whole is wider. A line is left for
    the prompt.
    """
    columns, rows = shutil.get_terminal_size()
    lines = text.split("\n")
    return len(lines) > rows or any(wide(line) > columns for line in lines[:whole])


def _cannot(place: Path, error: Exception) -> str:
    return f"cannot write {place}: {getattr(error, 'strerror', None) or 'no such file'}"
