"""A store that lives only as long as its process does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from threading import Lock

from sqlalchemy import Engine, create_engine
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from dpsql.accounting import sqlite_store
from dpsql.accounting.store import Store
from dpsql.errors import EngineError


@cache
def _engine() -> Engine:
    # One for all: it remembers how statements are written. Each connection is a new database.
    return create_engine(
        "sqlite://",
        connect_args={"check_same_thread": False, "isolation_level": None},
        poolclass=NullPool,
        pool_reset_on_return=None,
        isolation_level="AUTOCOMMIT",
    )


@cache
def _script() -> str:
    return sqlite_store.script()


class MemoryStore(Store):
    """One SQLite database in memory; threads take turns.

    A forked child is refused: it has a copy of the data and of the account, and each copy would
    grant the budget again.
    """

    READ = "BEGIN"
    WRITE = "BEGIN IMMEDIATE"
    place = ""
    alone = True

    def __init__(self) -> None:
        self._lock = Lock()
        self._pid = os.getpid()
        self._connection = _engine().connect()
        self._connection.connection.driver_connection.executescript(_script())  # type: ignore[union-attr]

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
    def reading(self) -> Iterator[Connection]:
        """See `Store`."""
        with self._turn(self.READ, "ROLLBACK") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """See `Store`."""
        with self._turn(self.WRITE, "COMMIT") as connection:
            yield connection

    @contextmanager
    def _turn(self, begin: str, end: str) -> Iterator[Connection]:
        # Before the lock: a fork may have copied it while another thread held it.
        if os.getpid() != self._pid:
            raise EngineError("the in-memory ledger belongs to another process; refused")
        with self._lock:
            try:
                self._connection.exec_driver_sql(begin)
                yield self._connection
                self._connection.exec_driver_sql(end)
            except BaseException:
                with suppress(SQLAlchemyError):  # it may not have begun
                    self._connection.exec_driver_sql("ROLLBACK")
                raise
