"""Queries that are kept by a name, each in a file of its own."""

from __future__ import annotations

import os
import re
from pathlib import Path

from dpsql.repl.command import UsageError

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}")


class Saved:
    """A folder of queries.

    Args:
        folder: made when the first query is saved.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def names(self) -> list[str]:
        """What is there, in order."""
        try:
            found = [f.stem for f in self._folder.iterdir() if f.suffix == ".sql"]
        except OSError:
            return []
        return sorted(name for name in found if _NAME.fullmatch(name))

    def save(self, name: str, sql: str) -> bool:
        """Keep a query; whether that replaced another.

        Raises:
            UsageError: the name is none, or the file cannot be written.
        """
        file = self._file(name)
        there = file.exists()
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            made = file.with_suffix(f".{os.getpid()}.new")
            made.write_text(f"{sql};\n", encoding="utf-8")
            made.replace(file)  # a reader sees all of one or all of the other
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8 text"
            raise UsageError(f"cannot write {file}: {reason}") from None
        return there

    def load(self, name: str) -> str:
        """The text of a saved query, with its `;`.

        Raises:
            UsageError: there is none of that name, or it cannot be read.
        """
        file = self._file(name)
        try:
            return file.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            there = ", ".join(self.names) or "none yet"
            raise UsageError(f"no saved query {name}; there are: {there}") from None
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8 text"
            raise UsageError(f"cannot read {file}: {reason}") from None

    def _file(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"{name!r} is no name for a query: up to 64 letters, digits, _ and - are"
            )
        return self._folder / f"{name}.sql"
