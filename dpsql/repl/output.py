r"""Where text goes: answers to stdout, a pager or the file of `\o`; remarks to stderr. On a
terminal it is folded to its width and painted, and what could steer it is made visible.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO

from dpsql.repl.command import UsageError
from dpsql.report.plaintext import wide
from dpsql.visible import visible

if TYPE_CHECKING:
    from rich.status import Status


def pager() -> list[str] | None:
    """The command of $PAGER; without it `less`, if it is there; None for no pager."""
    chosen = os.environ.get("PAGER")
    if chosen is not None:
        return program_words(chosen) or None
    return ["less", "-SRFX"] if shutil.which("less") else None


def page(text: str) -> bool:
    """Show a text in the pager; whether there is one."""
    command = pager()
    if command is None:
        return False
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE)
    except (OSError, ValueError):
        return False
    assert process.stdin is not None
    with suppress(OSError, KeyboardInterrupt):  # the reader has seen enough
        process.stdin.write(text.encode("utf-8", "backslashreplace"))
    with suppress(OSError, KeyboardInterrupt):
        process.stdin.close()
    finished(process)
    return True


def program_words(command: str) -> list[str]:
    """A command of the environment, such as $PAGER, in words."""
    try:
        return shlex.split(command)
    except ValueError:
        return [command]


def finished(process: subprocess.Popen[bytes]) -> int:
    """Its exit code. Ctrl-C is for the program that has the terminal."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


_GAP = re.compile(r" {2,}")
_STEM = re.compile(r"[│├└─· ]*")
_ROOM = 12
"""Places that a column of words needs at least."""


def folded(text: str, width: int, whole: int = 0) -> str:
    """The text with no line longer than `width`, but for words that are.

    Args:
        text: of any number of lines.
        width: of the terminal, in places.
        whole: so many lines, from the first, stay as they are: those of a table.
    """
    lines = text.split("\n")
    folds = (part for line in lines[whole:] for part in _fold(line, width))
    return "\n".join([*lines[:whole], *folds])


def _fold(line: str, width: int) -> list[str]:
    """A line and what goes on below it, under its last column or its branch of a tree."""
    if wide(line) <= width:
        return [line]
    stem = _STEM.match(line)
    begins = [stem.end() if stem else 0, *(gap.end() for gap in _GAP.finditer(line))]
    at = max((b for b in begins if b <= width * 2 // 3 and b <= width - _ROOM), default=0)
    below = "".join("│" if c in "│├" else " " for c in line[:at]) or "    "
    return textwrap.wrap(
        line[at:],
        max(width, len(below) + _ROOM),
        initial_indent=line[:at],
        subsequent_indent=below,
        break_long_words=False,
        break_on_hyphens=False,
    )


PATIENCE = 1.0
"""Seconds before a query that runs has a sign of life."""


@contextmanager
def spinner(color: bool = True) -> Iterator[None]:
    """Turns on stderr while the block runs, by rich; nothing at all where that is no terminal."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb" or not find_spec("rich"):
        yield
        return
    shown: list[Status] = []

    def show() -> None:
        from rich.console import Console

        console = Console(stderr=True, no_color=None if color else True)
        shown.append(console.status("running; Ctrl-C stops it"))
        shown[0].start()

    timer = threading.Timer(PATIENCE, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for status in shown:
            status.stop()


Role = Literal["answer", "remark", "error"]
"""What a text is to who reads it."""


class Outlet:
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
            columns, rows = shutil.get_terminal_size()
            lines = text.split("\n")
            # A line is left for the prompt.
            big = len(lines) > rows or any(wide(line) > columns for line in lines[:whole])
            if paged and big and page(text):
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


def _cannot(place: Path, error: Exception) -> str:
    return f"cannot write {place}: {getattr(error, 'strerror', None) or 'no such file'}"


MAX_CHARACTERS = 200_000
"""Longer texts have no colours: finding them would take longer than reading."""

_STYLES: dict[Role, tuple[tuple[str, str], ...]] = {
    "answer": (
        (r" ± [\d.,]+", "dim"),
        (r"(?m)^[- ]*--[- ]*$", "dim"),
        (r"(?m)^\(.*\)$", "dim"),
        (r"\bNULL\b", "dim"),
    ),
    "remark": ((r"(?s).+", "dim"),),
    "error": (
        (r"(?m)^(?:\S+: )?DP\d{3}:", "bold red"),
        (r"(?m)^  \| +\^+$", "red"),
        (r"(?m)^  help: .*$", "green"),
        (r"(?m)^  line \d+, column \d+$", "dim"),
    ),
}


def paint(role: Role, text: str) -> str:
    """A text with colours, for a terminal that has them."""
    if len(text) > MAX_CHARACTERS or "\t" in text:
        return text
    from rich.console import Console  # not before the first prompt, which is to come soon
    from rich.text import Text

    painted = Text(text)
    for pattern, style in _STYLES[role]:
        painted.highlight_regex(pattern, style)
    console = Console(force_terminal=True, color_system="standard", legacy_windows=False)
    with console.capture() as captured:
        console.print(painted, end="", soft_wrap=True)
    return captured.get()
