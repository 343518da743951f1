"""Who asked what, when, and what became of it: a file that is only ever added to.

Each line is JSON, and holds the hash of the line before it: one that was changed or taken out in
the middle is noticed (`checked`). No line holds an answer or a value of a row. When a query began
and when it ended are two lines, whose times tell how long it took: it is for owners alone.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep

from dpsql.errors import EngineError
from dpsql.platform.ledger import locking
from dpsql.serve.principals import named

FILE = "audit.jsonl"
LONGEST = 10_000
"""Characters of a text that are noted. Explaining is free, and a text may have a million."""
PATIENCE, PAUSE = 30.0, 0.002
"""Seconds that another process may hold it, and between two looks whether it does."""
FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | locking.FLAGS | getattr(os, "O_BINARY", 0)
BROKEN = "the audit log cannot be written: nothing is asked until it can"


class AuditLog:
    """The log of one server; safe for threads. Servers that share a state write in turns.

    Args:
        folder: of the state.
        opened: whether that is noted, as of a server; not of a command beside one.

    Raises:
        EngineError: it cannot be written.
    """

    def __init__(self, folder: Path, *, opened: bool = True) -> None:
        self._file = folder / FILE
        self._lock = threading.Lock()
        if opened:
            self.write({"action": "opened"})

    def write(self, said: dict[str, object], *, durable: bool = True) -> None:
        """Add a line.

        Args:
            said: what it says.
            durable: whether it outlives a power cut, and not only the process.

        Raises:
            EngineError: it cannot be written.
        """
        moment = datetime.now(UTC).isoformat(timespec="milliseconds")
        try:
            with self._lock, self._held() as file:
                noted = {name: _short(value) for name, value in said.items()}
                line = {"time": moment, **noted, "after": _last(file)}
                before = os.lseek(file, 0, os.SEEK_END)
                text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
                body = text.encode()
                whole = os.write(file, body) == len(body)  # a full disk takes the part that fits
                if whole and durable:
                    os.fsync(file)
                if whole:
                    return
                os.ftruncate(file, before)
        except OSError:
            pass
        raise EngineError(BROKEN)

    def lines(self, last: int = 1000) -> tuple[dict[str, object], ...]:
        """The last lines, oldest first."""
        try:
            found = deque(_lines(self._file), last)
        except OSError:
            return ()
        return tuple(map(_read, found))

    def _held(self) -> _Held:
        return _Held(self._file)


def note_here(state: Path, action: str, which: str, **said: object) -> None:
    """Note what a command beside a server is about to do: by which account of this machine, and to
    whom.

    Args:
        state: the server's folder.
        action: what.
        which: a principal's name, or a token or its id.
        said: what else; empty texts are left out.

    Raises:
        EngineError: it cannot be written; then it must not be done.
    """
    by = ""
    with suppress(OSError, KeyError, ImportError):  # whichever it is where there is no such account
        by = getpass.getuser()
    who = {"principal": "", "by": f"a command of {by}", "action": action, "whom": named(which)}
    AuditLog(state, opened=False).write(who | {k: v for k, v in said.items() if v})


def checked(file: Path) -> int | None:
    """The number of the first line that does not follow the one before; None where all do."""
    before = ""
    for number, line in enumerate(_lines(file), 1):
        try:
            if json.loads(line)["after"] != before:
                return number
        except (ValueError, KeyError, TypeError):
            return number
        before = _digest(line)
    return None


class _Held:
    """The file, which no other process writes meanwhile; see `platform.ledger.locking`."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __enter__(self) -> int:
        self._open = os.open(self._file, FLAGS, 0o600)
        try:
            until = monotonic() + PATIENCE
            while not locking.take(self._open):
                if monotonic() > until:
                    raise OSError("it is locked by others for too long")
                sleep(PAUSE)
        except BaseException:
            os.close(self._open)
            raise
        return self._open

    def __exit__(self, *_: object) -> None:
        try:
            locking.release(self._open)
        finally:
            os.close(self._open)


def _last(file: int) -> str:
    """The hash of the last line; a line that was cut off by a power cut ends here."""
    size = os.lseek(file, 0, os.SEEK_END)
    if not size:
        return ""
    tail, at = b"", size
    while at and b"\n" not in tail.rstrip(b"\n"):
        step = min(65536, at)
        at -= step
        os.lseek(file, at, os.SEEK_SET)
        tail = os.read(file, step) + tail
    if not tail.endswith(b"\n"):
        os.write(file, b"\n")
        tail += b"\n"
    return _digest(tail.rstrip(b"\n").rpartition(b"\n")[2])


def _short(value: object) -> object:
    """A value, of a long text its beginning and its hash."""
    if not isinstance(value, str) or len(value) <= LONGEST:
        return value
    return f"{value[:LONGEST]}… (sha256 {_digest(value.encode())})"


def _read(line: bytes) -> dict[str, object]:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if isinstance(found, dict):
        return found
    return {"action": "unreadable"}  # cut off by a power cut, or written by somebody else


def _lines(file: Path) -> Iterator[bytes]:
    with file.open("rb") as stream:
        for line in stream:
            yield line.rstrip(b"\n")


def _digest(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()
