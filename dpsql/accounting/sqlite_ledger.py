"""A durable ledger in one SQLite file, shared by every process and thread that opens it.

Claims, and why they hold:

* *Durable before it returns.* Each charge is one transaction with ``synchronous=EXTRA``: the file
  is synced, then the rollback journal is deleted and its folder synced, before COMMIT returns.
  (With FULL the folder is not synced, and a power loss could bring the journal, and so the old
  balance, back. https://sqlite.org/pragma.html#pragma_synchronous)
* *Never more than the total.* ``BEGIN IMMEDIATE`` takes the write lock first; the balance is read
  under it, so no two processes decide on the same balance.
* *Exact.* Amounts are stored as the text of a fraction, ``"1/10"``; nothing is a float.
* *Never granted twice.* The file appears complete or not at all (a hard link to a finished file),
  so an empty or shortened file is damage, not a new account. A connection serves one call and so
  is never carried across a fork.

The total is the policy's and is not stored: whoever opens the ledger with another total is granted
another remainder, but what was spent stays spent.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from dpsql.accounting.amount import ZERO, Cost
from dpsql.accounting.ledger import Charge, Entry, charged
from dpsql.errors import EngineError

T = TypeVar("T")

APPLICATION_ID = 0x6470736C  # "dpsl": this file is a ledger of ours
FORMAT = 1

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
CREATE TABLE charge (
    number INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    sql TEXT NOT NULL,
    releases TEXT NOT NULL,
    eps TEXT NOT NULL,
    delta TEXT NOT NULL,
    spent_eps TEXT NOT NULL,
    spent_delta TEXT NOT NULL
) STRICT;
CREATE TRIGGER charge_stays BEFORE UPDATE ON charge
    BEGIN SELECT RAISE(ABORT, 'a charge is never changed'); END;
CREATE TRIGGER charge_kept BEFORE DELETE ON charge
    BEGIN SELECT RAISE(ABORT, 'a charge is never deleted'); END;
"""

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


class SqliteLedger:
    """An account in the file `path`; made, with mode 0600, if there is none.

    Args:
        path: where the file is or shall be; its folder must exist.
        total: what may be spent altogether, from the policy.
        timeout: seconds to wait for other processes before a call is refused.

    Raises:
        EngineError: the file cannot be made or opened, is damaged, or is something else.
    """

    def __init__(self, path: Path | str, total: Cost, *, timeout: float = 30.0) -> None:
        self._path = Path(path).absolute()
        self._total = total
        self._timeout = timeout
        _guarded(lambda: _create(self._path))
        self._call(_check)

    @property
    def total(self) -> Cost:
        """What the policy allows altogether."""
        return self._total

    @property
    def spent(self) -> Cost:
        """What was charged so far, by every process. Raises EngineError if it cannot be read."""
        return self._call(_balance)[1]

    @property
    def remaining(self) -> Cost:
        """total − spent, never below zero. Raises EngineError if it cannot be read."""
        return self._total - self.spent

    def reserve(self, cost: Cost, entry: Entry) -> int:
        """Charge `cost`, durably, and return the number of the line.

        Raises:
            BudgetExceeded: more than is left; nothing was charged.
            EngineError: the ledger failed; the query must not run. The charge may stand.
        """

        def work(connection: sqlite3.Connection) -> int:
            connection.execute("BEGIN IMMEDIATE")
            number, spent = _balance(connection)
            exact, after = charged(self._total, spent, cost)
            amounts = (exact.eps, exact.delta, after.eps, after.delta)
            connection.execute(
                "INSERT INTO charge VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (number + 1, entry.time.isoformat(), entry.sql, entry.releases, *map(str, amounts)),
            )
            connection.execute("COMMIT")
            return number + 1

        return self._call(work)

    def entries(self) -> tuple[Charge, ...]:
        """Every charge, oldest first. Raises EngineError if they cannot be read."""
        rows = "SELECT * FROM charge ORDER BY number"
        return self._call(lambda connection: tuple(map(_charge, connection.execute(rows))))

    def _call(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """`work` on a connection of its own; closing it rolls back what was not committed."""

        def call() -> T:
            with closing(self._connect()) as connection:
                return work(connection)

        return _guarded(call)

    def _connect(self) -> sqlite3.Connection:
        # mode=rw: a file that has disappeared must not come back as an empty one.
        connection = _open(self._path, "rw", self._timeout)
        try:
            # fullfsync: on macOS a plain fsync stops at the drive's cache.
            connection.executescript("PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON;")
        except BaseException:
            connection.close()
            raise
        return connection


def _guarded(work: Callable[[], T]) -> T:
    """`work()`; any failure of the file becomes one EngineError without a chain."""
    try:
        return work()
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", None) or ""
        known = (reason for code, reason in _REASONS.items() if name.startswith(code))
        reason = next(known, "failed")
    except OSError as error:
        reason = f"cannot be used ({os.strerror(error.errno or 0)})"
    except UnicodeError:
        reason = "cannot hold this text"
    # Outside the except block, so that not even __context__ leads to the original.
    raise EngineError(f"the ledger {reason}; refused")


def _open(path: Path, mode: str, timeout: float) -> sqlite3.Connection:
    uri = f"file:{quote(str(path))}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=timeout, isolation_level=None)


def _create(path: Path) -> None:
    """A complete, empty ledger at `path`, unless something is there."""
    if os.path.lexists(path):
        return
    # An existing ledger is never opened except by SQLite: closing any other descriptor of it
    # would drop the locks that this process holds on it (POSIX).
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
    os.close(handle)
    try:
        with closing(_open(Path(name), "rw", 0.0)) as connection:
            connection.executescript(f"PRAGMA synchronous = EXTRA; BEGIN; {_SCHEMA} COMMIT;")
        # Another process may be first; its ledger is then the ledger.
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _check(connection: sqlite3.Connection) -> None:
    """Refuse a file that is damaged or is not a ledger of this format."""
    connection.execute("BEGIN")  # one snapshot: others may be charging
    (identity,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if identity != APPLICATION_ID:
        raise EngineError("the ledger is damaged or is no ledger; refused")
    if version != FORMAT:
        raise EngineError(f"the ledger has format {version}, not {FORMAT}; refused")
    (health,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    (count,) = connection.execute("SELECT count(*) FROM charge").fetchone()
    if health != "ok" or count != _balance(connection)[0]:
        raise EngineError("the ledger is damaged; refused")


def _balance(connection: sqlite3.Connection) -> tuple[int, Cost]:
    """(number of the last line, everything spent)."""
    row = connection.execute("SELECT * FROM charge ORDER BY number DESC LIMIT 1").fetchone()
    if row is None:
        return 0, ZERO
    last = _charge(row)
    return last.number, last.spent


def _charge(row: tuple[int, str, str, str, str, str, str, str]) -> Charge:
    number, time, sql, releases, *amounts = row
    try:
        eps, delta, spent_eps, spent_delta = map(Fraction, amounts)
        entry = Entry(sql, releases, datetime.fromisoformat(time))
        return Charge(number, entry, Cost(eps, delta), Cost(spent_eps, spent_delta))
    except (ValueError, ArithmeticError):
        pass
    raise EngineError("the ledger is damaged; refused")
