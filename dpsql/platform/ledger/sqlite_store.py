"""A store in one SQLite file, shared by every process and thread that opens it.

Claims, and why they hold:

* *Durable before it returns.* Each charge is one transaction with ``synchronous=EXTRA``: the file
  is synced, then the rollback journal is deleted and its folder synced, before COMMIT returns.
  (With FULL the folder is not synced, and a power loss could bring the journal, and so the old
  balance, back. https://sqlite.org/pragma.html#pragma_synchronous)
* *Never more than the total.* ``BEGIN IMMEDIATE`` takes the write lock first; the balance is read
  under it, so no two processes decide on the same balance.
* *Never granted twice.* The file appears complete or not at all (a hard link to a finished file),
  so an empty or shortened file is damage, not a new account.
* *No connection is carried across a fork, nor knows pages of a file that was put back since.* One
  is kept for the next call, which takes it only where the file is as this process left it, by all
  that `state` looks at; what another process writes, SQLite notices by its own counter. It is
  closed before a fork (`store.Gate`), and a process never uses another's.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote
from weakref import finalize

from sqlalchemy import Table
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from dpsql.errors import EngineError
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger_tables import BEFORE, FORMAT, statements
from dpsql.platform.ledger.locking import sync
from dpsql.platform.ledger.store import GATE, Store

DIALECT = SQLiteDialect_pysqlite()

APPLICATION_ID = 0x6470736C  # "dpsl": this file is a ledger of ours

_REASONS = {
    "SQLITE_BUSY": "was locked by others for too long",
    "SQLITE_LOCKED": "was locked by others for too long",
    "SQLITE_FULL": "has no space left on its disk",
    "SQLITE_READONLY": "cannot be written",
    "SQLITE_PERM": "cannot be written",
    "SQLITE_CANTOPEN": "cannot be opened",
    "SQLITE_CORRUPT": "is damaged",
    "SQLITE_NOTADB": "is damaged or is no ledger",
    "SQLITE_IOERR": "cannot be read or written",
}


_FILE = slice(3, 5)
"""Of a state, which file it is of."""


class _Kept(NamedTuple):
    """A connection between two calls.

    Attributes:
        process: that made it.
        state: of the file, at the end of the last call.
        connection: outside of any transaction, so that it holds no lock.
    """

    process: int
    state: tuple[int, ...]
    connection: Connection


_OTHERS: list[_Kept] = []
"""Of the process that this one was forked from while it waited too long: not even closed."""


def _closed(kept: list[_Kept]) -> None:
    while kept:
        with suppress(IndexError):  # another thread was first
            one = kept.pop()
            if one.process == os.getpid():
                one.connection.close()
            else:
                _OTHERS.append(one)


class SqliteStore(Store):
    """The file `path`; made, with mode 0600, by `create`.

    Args:
        path: where the file is or shall be; its folder must exist.
        timeout: seconds to wait for other processes before a call is refused.
    """

    READ = "BEGIN"
    WRITE = "BEGIN IMMEDIATE"
    alone = True
    failures = sqlite3.Error

    def __init__(self, path: Path | str, timeout: float) -> None:
        self.path = Path(path).absolute()
        self.place = os.path.realpath(self.path)
        self._timeout = timeout
        self._kept: list[_Kept] = []  # one at most; who takes it out has it alone
        GATE.rests(self)
        finalize(self, _closed, self._kept)

    @property
    def exists(self) -> bool:
        """See `Store`."""
        return os.path.lexists(self.path)

    def create(self) -> None:
        """See `Store`."""
        self.guarded(lambda: None if self.exists else _create(self.path))

    def check(self, *, whole: bool = True) -> None:
        """See `Store`."""
        if self.read(partial(_check, whole=whole)) in BEFORE:
            self.write(_bring_up)

    def state(self) -> str:
        """See `Store`. The time of the last change (ctime) is the kernel's: whoever may write the
        file can set the other one back, but not this one.
        """
        return " ".join(map(str, self._state()))

    def _state(self) -> tuple[int, ...]:
        try:
            found = os.stat(self.path)
        except OSError:
            return ()
        if os.path.lexists(f"{self.path}-journal"):  # to be rolled back, by whoever reads next
            return ()
        return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev

    def connect(self) -> Connection:
        """See `Store`."""
        return Connection(self._connect(), DIALECT)

    @contextmanager
    def turn(self, begin: str, end: str = "") -> Iterator[Connection]:
        """See `Store`. After a turn that went well the connection is kept for the next one."""
        before = self._state()
        connection = self._taken(before) or self.connect()
        try:
            connection.exec_driver_sql(begin)
            yield connection
            connection.exec_driver_sql(end or "ROLLBACK")
        except BaseException:
            connection.close()
            raise
        after = self._state()
        if self._kept or not after or after[_FILE] != before[_FILE]:
            connection.close()
        else:
            self._kept.append(_Kept(os.getpid(), after, connection))

    def _taken(self, state: tuple[int, ...]) -> Connection | None:
        """What was kept, where the file is in that state since; else it is closed."""
        with suppress(IndexError):
            kept = self._kept.pop()
            if kept.process != os.getpid():
                _OTHERS.append(kept)
            elif kept.state == state:
                return kept.connection
            else:
                kept.connection.close()
        return None

    def rest(self) -> None:
        """See `Store`."""
        _closed(self._kept)

    def lock(self, connection: Connection) -> None:
        """See `Store`: one transaction at a time writes anyway."""

    def reason(self, error: Exception) -> str:
        """See `Store`."""
        return reason(error)

    def _connect(self) -> sqlite3.Connection:
        # mode=rw: a file that has disappeared must not come back as an empty one.
        connection = _open(self.path, "rw", self._timeout)
        try:
            # fullfsync: on macOS a plain fsync stops at the drive's cache.
            connection.executescript("PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON;")
        except BaseException:
            connection.close()
            raise
        return connection


def reason(error: Exception) -> str:
    """Why SQLite failed."""
    name = getattr(error, "sqlite_errorname", None) or ""
    known = (text for code, text in _REASONS.items() if name.startswith(code))
    return next(known, "failed")


@cache
def script() -> str:
    """What makes an empty ledger."""
    made = ";".join(statements(DIALECT, _kept))
    return f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; {made};"


def _kept(table: Table) -> list[str]:
    acts = ("UPDATE", "DELETE")
    return [
        f"CREATE TRIGGER {table}_{act} BEFORE {act} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'rows stay'); END"
        for act in acts
    ]


def _open(path: Path, mode: str, timeout: float) -> sqlite3.Connection:
    uri = f"file:{quote(str(path))}?mode={mode}"
    # By one thread at a time, but not always by the one that made it.
    return sqlite3.connect(
        uri, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False
    )


def _create(path: Path) -> None:
    """A complete, empty ledger at `path`."""
    # An existing ledger is never opened except by SQLite: closing any other descriptor of it
    # would drop the locks that this process holds on it (POSIX).
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
    os.close(handle)
    try:
        with closing(_open(Path(name), "rw", 0.0)) as connection:
            connection.executescript(f"PRAGMA synchronous = EXTRA; BEGIN; {script()} COMMIT;")
        # Another process may be first; its ledger is then the ledger.
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)
    sync(path.parent)


def _check(connection: Connection, *, whole: bool) -> object:
    """The format, if it is this one or can be brought up to it."""

    def pragma(name: str) -> object:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()

    if pragma("application_id") != APPLICATION_ID:
        raise EngineError("the ledger is damaged or is no ledger; refused")
    version = pragma("user_version")
    if version not in (FORMAT, *BEFORE):
        raise EngineError(f"the ledger has format {version}, not {FORMAT}; refused")
    if whole and pragma("quick_check(1)") != "ok":
        raise EngineError("the ledger is damaged; restore a backup and acknowledge it; refused")
    return version


def _bring_up(connection: Connection) -> None:
    """From a format before to this one, whole or not at all."""
    before = connection.exec_driver_sql("PRAGMA user_version").scalar()
    if before not in BEFORE:
        return  # another process was first
    for statement in statements(DIALECT, _kept, before):
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql(f"PRAGMA user_version = {FORMAT}")
