"""The second place: what the newest line of each ledger was, outside of the ledger's folder.

Claim: an older copy of a ledger that is put back, a line that was dropped or changed, a ledger that
was deleted and made anew where it was, and two copies that are both charged, are detected before
the next query is granted, on the machine and by the user that saw the newer one. Why: a record is
made after each COMMIT and before the query runs. It never goes back, and holds the hash of the line
that vouches for all before it; a ledger must have that line. It is read before the ledger is, so
that a line that another process adds in between is no alarm; a process that dies between COMMIT and
record leaves a ledger that is further than its record, which is none either.

The record is locked before the charge, until it is made: whoever cannot have it within a time is
refused, and nothing was charged. A lock that a process held that died is free.

A ledger of a hundred thousand lines takes seconds to verify. So it is remembered in which state of
its file all of it was verified, or was what this machine had verified with a line of its own more:
each write compares the state before it, and notes the one after it, under the lock. Where the file
is in that state, only its newest line is looked at. The state is its size, its inode and the times
of the last write and of the last change of any kind; the last one is set by the kernel alone. So
whoever writes the file otherwise is noticed when it is opened next, and all of it is verified, but
for a write in the same tick of the kernel's clock (some milliseconds) as the last one of dpsql's,
and for whoever may set the machine's clock.

Other records are: of an account, by its uuid, so that a ledger can be moved; of a
place, which account is there; and of data, by a digest of their contents, which account was charged
for them: so data that were renamed or copied without their ledger do not begin anew unnoticed.
"""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, fields
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Any, TypeVar

from dpsql.errors import EngineError, LedgerTampered
from dpsql.platform.ledger import locking
from dpsql.platform.ledger.ledger import tampered
from dpsql.platform.ledger.lines import loss_of

T = TypeVar("T")

LARGEST = 1_000_000
"""The most bytes of a record; no record has as many."""

_BLOCK = 256
"""Bytes of a record that is written in its place, so that it need not be cut: it is shorter."""

WAIT = 30.0
"""For how many seconds others are waited for."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The newest line of an account that anybody saw.

    Attributes:
        number, hash: of the line; 0 and the account's digest before there is one.
        spent: a loss, as text: everything spent in its window.
        since, until, time: its window and its moment, as texts; "" for none.
    """

    number: int
    hash: str
    spent: str
    since: str = ""
    until: str = ""
    time: str = ""


def default_folder() -> Path:
    """``$DPSQL_STATE``, or ``dpsql`` in ``$XDG_STATE_HOME`` or in ``~/.local/state``."""
    if named := os.environ.get("DPSQL_STATE"):
        return Path(named)
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "dpsql"


class Witness:
    """The records in a folder, which is made.

    Args:
        folder: where; None for `default_folder`.
        wait: for others, in seconds.
    """

    def __init__(self, folder: Path | None = None, wait: float = WAIT) -> None:
        self._wait = wait
        found = _guarded(lambda: (folder or default_folder()).absolute() / "witness")
        self._folder = str(found)
        self._known: dict[str, tuple[str, Seen]] = {}

    def seen(self, uuid: str) -> Seen | None:
        """The newest line of an account; None if none was ever seen.

        Raises:
            LedgerTampered: the record is damaged.
            EngineError: it cannot be read.
        """
        return self._read(_name(uuid))

    def held(self, uuid: str) -> AbstractContextManager[None]:
        """Nobody else advances an account's record meanwhile.

        Raises:
            EngineError: others held it for too long.
        """
        return self._locked(_name(uuid))

    def advance(
        self, uuid: str, seen: Seen, *, forced: bool = False, held: bool = False
    ) -> Seen | None:
        """Remember a line, unless a newer one is remembered, which is returned: the ledger must
        have that one too.

        Args:
            uuid: of the account.
            seen: the line.
            forced: the owner says so: whatever is remembered.
            held: whether this thread holds the record.

        Raises:
            LedgerTampered: another line of that number was seen.
            EngineError: it cannot be written.
        """
        name = _name(uuid)
        with nullcontext() if held else self._locked(name):
            found = None if forced else self._read(name)
            if found is not None and found.number >= seen.number:
                if found.number == seen.number and found.hash != seen.hash:
                    raise tampered("another copy of it was charged")
                return found if found.number > seen.number else None
            self._known[name] = self._write(name, {"uuid": uuid, **_said(seen)}), seen
            return None

    def account_at(self, place: str) -> str | None:
        """The uuid of the account that was seen at a place; None if none ever was.

        Raises:
            LedgerTampered: the record is damaged.
            EngineError: it cannot be read.
        """
        found = self._load(_name(place))
        if found is None:
            return None
        if not isinstance(found.get("uuid"), str):
            raise tampered("the record of where it is is damaged")
        return str(found["uuid"])

    def put(self, place: str, uuid: str) -> None:
        """Remember which account is at a place.

        Raises:
            EngineError: it cannot be written.
        """
        name = _name(place)
        with self._locked(name):
            self._write(name, {"place": place, "uuid": uuid})

    def verified(self, uuid: str) -> str:
        """The state in which all of a ledger was known to be what was written; "" for none."""
        try:
            found = self._load(_name(f"state of {uuid}")) or {}
        except LedgerTampered:  # then all of it is looked at
            return ""
        return str(found.get("state", ""))

    def put_verified(self, uuid: str, state: str) -> None:
        """Remember that; whoever does so holds the account's record. Need not be durable.

        Raises:
            EngineError: it cannot be written.
        """
        self._write(_name(f"state of {uuid}"), {"state": state}, durable=False)

    def changed_within(self, uuid: str, epoch: str, data: str) -> bool:
        """Whether other data were charged for in the epoch, before these; these are remembered.

        Raises:
            EngineError: the record cannot be read or written.
        """
        name = _name(f"epoch of {uuid}")
        said: dict[str, object] = {
            "epoch": epoch,
            "data": sha256(f"{uuid} {data}".encode()).hexdigest(),
        }
        with self._locked(name):
            try:
                found = self._load(name)
            except LedgerTampered:  # it decides nothing
                found = None
            if found != said:
                self._write(name, said)
        return found is not None and found.get("epoch") == epoch and found != said

    def _read(self, name: str) -> Seen | None:
        text = self._text(name)
        if text is None:
            return None
        known = self._known.get(name)
        if known is None or known[0] != text:  # what it says follows from the text alone
            known = self._known[name] = text, _seen(_content(text))
        return known[1]

    def _load(self, name: str) -> dict[str, Any] | None:
        text = self._text(name)
        return None if text is None else _content(text)

    def _text(self, name: str) -> str | None:
        return _guarded(lambda: _text(os.path.join(self._folder, name)))

    def _write(self, name: str, content: dict[str, object], *, durable: bool = True) -> str:
        """The file, whole or not at all; where it need not be durable it is written in its place,
        and may be damaged: then it is compared with, and is another. Returns its text.
        """
        place, text = os.path.join(self._folder, name), json.dumps(content)
        data = text.encode()

        def work() -> None:
            # Under the lock: nobody else writes it.
            if not durable:
                _overwrite(place, data.ljust(_BLOCK))
                return
            _overwrite(f"{place}.new", data, sync=True)
            os.replace(f"{place}.new", place)
            locking.sync(self._folder)

        _guarded(work)
        return text

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        """One process and thread at a time; a lock that a dead one held is free.

        Whoever wants it is in the queue, of one, until he has it: who lets go of it and wants it
        again at once is behind him, and takes it from nobody for longer than one turn.
        """

        def take() -> FileIO | None:
            until = time.monotonic() + self._wait
            with self._opened(f"{name}.queue") as queue:
                if not _taken(queue.fileno(), until):
                    return None
                try:
                    return first(until)
                finally:
                    locking.release(queue.fileno())

        def first(until: float) -> FileIO | None:
            file, taken = self._opened(f"{name}.lock"), False
            try:
                taken = _taken(file.fileno(), until)
            finally:
                if not taken:
                    file.close()
            return file if taken else None

        file = _guarded(take)
        if file is None:
            raise EngineError(
                "the ledger's second record was locked by others for too long; refused"
            )
        try:
            yield
        finally:
            locking.release(file.fileno())
            file.close()

    def _opened(self, name: str) -> FileIO:
        """A file, no number: wherever a Ctrl-C comes, nobody has it any more, and it is closed."""

        def opened(path: str, _: int) -> int:
            return os.open(path, os.O_RDWR | os.O_CREAT | locking.FLAGS, 0o600)

        path = os.path.join(self._folder, name)
        try:
            return FileIO(path, "r+", opener=opened)
        except FileNotFoundError:  # the first one makes the folder
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            return FileIO(path, "r+", opener=opened)


def _name(of: str) -> str:
    return f"{sha256(of.encode('utf-8', 'surrogateescape')).hexdigest()}.json"


def _said(seen: Seen) -> dict[str, object]:
    return {field.name: getattr(seen, field.name) for field in fields(seen)}


def _content(text: str) -> dict[str, Any]:
    """What a record holds."""
    with suppress(ValueError, RecursionError):
        found = json.loads(text)
        if isinstance(found, dict):
            return found
    raise tampered("the record of its newest line is damaged")


def _seen(found: dict[str, Any]) -> Seen:
    """What one of an account says."""
    found.pop("uuid", None)
    with suppress(KeyError, TypeError, ValueError):
        loss_of(found["spent"])
        seen = Seen(**found)
        if all(type(v) is (int if k == "number" else str) for k, v in found.items()):
            return seen
    raise tampered("the record of its newest line is damaged")


def content_place(data: str, identity: str) -> str:
    """Where an account is that is charged for data of that content, whatever they are called."""
    return f"data {data} {identity}"


def _taken(handle: int, until: float) -> bool:
    """Whether a lock could be had in time, by the monotonic clock."""
    pause = 0.001
    while True:
        if locking.take(handle):
            return True
        if time.monotonic() >= until:
            return False
        time.sleep(pause)
        pause = min(2 * pause, 0.01)


def _overwrite(path: str, data: bytes, *, sync: bool = False) -> None:
    """Write a file from its beginning. It is cut only if it was longer: an empty file that is
    written anew waits for the disk on some file systems (ext4).
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | locking.FLAGS, 0o600)
    try:
        if os.fstat(handle).st_size > len(data):
            os.ftruncate(handle, len(data))
        while data:
            data = data[os.write(handle, data) :]
        if sync:
            os.fsync(handle)
    finally:
        os.close(handle)


def _text(path: str) -> str | None:
    """What a file holds; "" where it is no record, such as a pipe, which would never end."""
    try:
        handle = os.open(path, os.O_RDONLY | locking.FLAGS)
    except FileNotFoundError:
        return None
    try:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode) or state.st_size > LARGEST:
            return ""
        parts = list(iter(lambda: os.read(handle, LARGEST), b""))
    finally:
        os.close(handle)
    try:
        return b"".join(parts).decode("utf-8")
    except UnicodeError:
        return ""


def _guarded(work: Callable[[], T]) -> T:
    """`work()`; a failure of the folder becomes one EngineError without a chain."""
    try:
        return work()
    except (OSError, RuntimeError) as error:  # RuntimeError: no home folder
        reason = os.strerror(error.errno or 0) if isinstance(error, OSError) else "no home"
    raise EngineError(
        f"the ledger's second record cannot be kept ({reason}); "
        "set DPSQL_STATE to a folder that can be written; refused"
    )
