"""What was typed, kept for the next session in a file that only its owner can read."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from prompt_toolkit.history import FileHistory, History, InMemoryHistory


class OwnHistory(FileHistory):
    """A history in a file; where that cannot be written, it ends with the session."""

    def append_string(self, string: str) -> None:
        """Keep a text, unless it is the same as the one before."""
        string = string.rstrip()  # what is pasted ends with a line end
        if self.get_strings()[-1:] != [string]:
            super().append_string(string)

    def store_string(self, string: str) -> None:
        """Write a text to the file."""
        with suppress(OSError):
            super().store_string(string)


def history(file: Path | None) -> tuple[History, str]:
    """The history of a file, and what is wrong with the file.

    Args:
        file: made if it is not there; None, or a device such as /dev/null, for a history that ends
            with the session.
    """
    if file is None:
        return InMemoryHistory(), ""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(file, os.O_CREAT | os.O_RDWR | os.O_APPEND, 0o600)
        try:
            # Not of what a link leads to: /dev/null is everybody's.
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return InMemoryHistory(), ""
            os.fchmod(descriptor, 0o600)
        finally:
            os.close(descriptor)
    except OSError as error:
        return InMemoryHistory(), f"no history is kept: {file}: {error.strerror}"
    return OwnHistory(str(file)), ""
