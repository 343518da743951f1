"""A terminal in which a program runs: what it shows, and keys for it."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte

import dpsql

PATIENCE = 30.0
"""Seconds after which what is awaited will not come; a bound for broken tests, never a wait."""


class Terminal:
    """A program in a pseudo-terminal, as its screen.

    Args:
        arguments: after `python -m dpsql`.
        home: its home folder, in which it runs.
        environment: other variables.
        size: columns and lines.
    """

    def __init__(
        self,
        *arguments: str,
        home: Path,
        environment: dict[str, str] | None = None,
        size: tuple[int, int] = (100, 30),
    ) -> None:
        variables = {
            "HOME": str(home),
            "PYTHONPATH": str(Path(dpsql.__file__).parents[1]),
            "PATH": "/usr/bin:/bin",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "DPSQL_STATE": str(home / "state"),
            **(environment or {}),
        }
        self.raw = ""
        self.screen = pyte.Screen(*size)
        self._stream = pyte.Stream(self.screen)
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "dpsql", *arguments],
            cwd=str(home),
            env=variables,  # type: ignore[arg-type]
            dimensions=(size[1], size[0]),
            encoding="utf-8",
            timeout=None,
        )
        self.child.delaybeforesend = None
        # Where the cursor is: prompt_toolkit asks, and a terminal answers.
        self.screen.write_process_input = self.child.send

    @property
    def lines(self) -> list[str]:
        """What is shown, without trailing spaces."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def toolbar(self) -> str:
        return self.lines[-1]

    def send(self, keys: str) -> None:
        self.child.send(keys)

    def until(self, seen: Callable[[], bool] | str) -> str:
        """Wait for a text, or until something holds of the screen; the screen."""
        holds = seen if callable(seen) else lambda: seen in self.text
        end = time.monotonic() + PATIENCE
        while not holds():
            left = end - time.monotonic()
            if left <= 0:
                raise AssertionError(f"never seen: {seen}; the screen:\n{self.text}")
            self._read(left)
        return self.text

    def ended(self) -> int:
        """Wait for the end of the program; its exit code."""
        end = time.monotonic() + PATIENCE
        while self._read(end - time.monotonic()):
            pass
        self.child.close()
        assert self.child.exitstatus is not None
        return self.child.exitstatus

    def resize(self, columns: int, lines: int) -> None:
        """Another size; not of fewer lines, with which pyte loses where the cursor is."""
        self.screen.resize(lines, columns)
        self.child.setwinsize(lines, columns)

    def kill(self) -> None:
        self.child.close(force=True)

    def _read(self, timeout: float) -> bool:
        try:
            said = self.child.read_nonblocking(100_000, timeout)
        except pexpect.TIMEOUT:
            raise AssertionError(f"nothing more came; the screen:\n{self.text}") from None
        except pexpect.EOF:
            return False
        self.raw += said
        # pyte takes the terminal's answer-back settings of xterm for text.
        self._stream.feed(re.sub(r"\x1b\[>[0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*u", "", said))
        return True
