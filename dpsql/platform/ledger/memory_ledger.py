"""A ledger for data that lives only as long as the process does."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, RLock

from dpsql.core.account.account import Account
from dpsql.core.account.amount import Cost
from dpsql.errors import EngineError
from dpsql.platform.ledger import sqlite_store
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.sql_ledger import SqlLedger
from dpsql.platform.ledger.store import Store


class MemoryStore(Store):
    """One SQLite database in memory; threads take turns.

    A forked child is refused: it has a copy of the data and of the account, and each copy would
    grant the budget again.
    """

    READ = "BEGIN"
    WRITE = "BEGIN IMMEDIATE"
    place = ""
    alone = True
    failures = sqlite3.Error

    def __init__(self) -> None:
        self._lock = Lock()
        self._pid = os.getpid()
        driver = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        driver.executescript(sqlite_store.script())
        self._connection = Connection(driver, sqlite_store.DIALECT)

    def create(self) -> None:
        """See `Store`: it is made."""

    def check(self, *, whole: bool = True) -> None:
        """See `Store`: it was just made."""

    def connect(self) -> Connection:
        """See `Store`."""
        return self._connection

    def lock(self, connection: Connection) -> None:
        """See `Store`: one thread at a time is here anyway."""

    def reason(self, error: Exception) -> str:
        """See `Store`."""
        return sqlite_store.reason(error)

    @contextmanager
    def turn(self, begin: str, end: str = "") -> Iterator[Connection]:
        """See `Store`."""
        # Before the lock: a fork may have copied it while another thread held it.
        if os.getpid() != self._pid:
            raise EngineError("the in-memory ledger belongs to another process; refused")
        with self._lock:
            try:
                self._connection.exec_driver_sql(begin)
                yield self._connection
                self._connection.exec_driver_sql(end or "ROLLBACK")
            except BaseException:
                with suppress(sqlite3.Error):  # it may not have begun
                    self._connection.exec_driver_sql("ROLLBACK")
                raise


class MemoryLedger(SqlLedger):
    """An account in memory, safe for threads; refused in a forked child.

    Args:
        account: what the owner decided; a bare cost is a total and nothing else.
        of: a name of the data. Ledgers of one process with the same name are the same, like those
            that open one file; None for one by itself.

    Raises:
        LedgerTampered: the account of the data is that of another data set.
        EngineError: it adds up by another rule than `account.accountant`.
        InvalidBudget: the account is none.
    """

    def __init__(self, account: Account | Cost, of: str | None = None) -> None:
        with _LOCK:
            store = MemoryStore() if of is None else _STORES.get(of) or MemoryStore()
            super().__init__(store, account)
            if of is not None:  # as long as the process: what was spent must not be forgotten
                _STORES[of] = store


_STORES: dict[str, MemoryStore] = {}
_LOCK = RLock()


def _renewed() -> None:
    """Another thread of the parent's may have held it, and would for ever here."""
    global _LOCK
    _LOCK = RLock()


if hasattr(os, "register_at_fork"):  # Windows does not fork
    os.register_at_fork(after_in_child=_renewed)
