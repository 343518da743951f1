"""One database that holds ledgers: how a piece of work is begun, ended, and said to have failed.

No process is forked while a thread is inside of one. A forked child has one thread, and every lock
as it was: one that another thread held, in Python or in the driver, is held for ever there, and the
child would hang at its first charge. So a fork waits until those that are inside are out, and
nobody enters meanwhile.
"""

from __future__ import annotations

import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import ClassVar, TypeVar
from weakref import WeakSet

from sqlalchemy.exc import SQLAlchemyError

from dpsql.errors import EngineError
from dpsql.platform.ledger.connection import Connection

T = TypeVar("T")

LONGEST = 5.0
"""Seconds that a fork waits. Who is inside for longer waits for others itself, outside of locks
that a child would need."""


class _Inside:
    """That a thread is inside. Gone with the frame that holds it, also where a Ctrl-C came between
    the end of the work and the line that says so."""

    __slots__ = ("__weakref__", "thread")

    def __init__(self) -> None:
        self.thread = threading.get_ident()


class Gate:
    """Knows who is inside."""

    def __init__(self) -> None:
        self._inside: WeakSet[_Inside] = WeakSet()
        self._resting: WeakSet[Store] = WeakSet()
        self._renew()

    def rests(self, store: Store) -> None:
        """What a store keeps between two turns, it gives up before a fork."""
        self._resting.add(store)

    def _renew(self) -> None:
        self._changed = threading.Condition()
        self._forking: int | None = None
        self._inside = WeakSet(one for one in self._inside if one.thread == threading.get_ident())

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Nobody forks meanwhile, but this thread itself."""
        with self._changed:
            while self._forking not in (None, threading.get_ident()):
                self._changed.wait()
            one = _Inside()
            self._inside.add(one)
        try:
            yield
        finally:
            with self._changed:
                self._inside.discard(one)
                self._changed.notify_all()

    def before(self) -> None:
        """Of a fork."""
        until = time.monotonic() + LONGEST
        with self._changed:
            while self._forking is not None:  # another thread forks
                self._changed.wait(1)
            self._forking = threading.get_ident()
            while any(one.thread != self._forking for one in list(self._inside)):
                left = until - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(min(left, 0.1))
        for store in list(self._resting):
            store.rest()

    def in_parent(self) -> None:
        """After it."""
        with self._changed:
            self._forking = None
            self._changed.notify_all()

    def in_child(self) -> None:
        """After it, where no other thread is left."""
        self._renew()


GATE = Gate()
"""Of all ledgers of this process."""

if hasattr(os, "register_at_fork"):  # Windows does not fork
    os.register_at_fork(
        before=GATE.before, after_in_parent=GATE.in_parent, after_in_child=GATE.in_child
    )


class Store(ABC):
    """A database. The subclasses say what differs: locks, durability, and reasons of failures.

    Attributes:
        place: where it is, for people and for the witness; "" for one that dies with its process.
        alone: whether all of it belongs to one data set.
        failures: what its driver raises.
    """

    READ: ClassVar[str]
    """Begins a transaction that sees one state of everything."""

    WRITE: ClassVar[str]
    """Begins a transaction that decides and writes."""

    place: str
    alone: bool
    failures: type[Exception]

    def place_of(self, identity: str) -> str:
        """Where a data set's account is, for the witness."""
        return self.place if self.alone else f"{self.place}#{identity}"

    @property
    def exists(self) -> bool:
        """Whether something is there that a ledger may be in."""
        return True

    @abstractmethod
    def create(self) -> None:
        """Make what holds the tables, whole, unless it is there. Raises EngineError if it fails."""

    @abstractmethod
    def check(self, *, whole: bool = True) -> None:
        """Refuse what is damaged, or no ledger of this format. Raises EngineError then.

        Args:
            whole: whether all of it is looked at.
        """

    def state(self) -> str:
        """What is another after any write, by whomever; "" where nothing tells."""
        return ""

    @abstractmethod
    def connect(self) -> Connection:
        """A connection of its own, which does not begin transactions by itself."""

    @abstractmethod
    def reason(self, error: Exception) -> str:
        """Why the database failed, as the end of "the ledger …": no path, no statement."""

    @abstractmethod
    def lock(self, connection: Connection) -> None:
        """Let no two transactions make an account at once."""

    def rest(self) -> None:  # noqa: B027  (most keep nothing)
        """Give up what is kept between two turns, before a fork."""

    @contextmanager
    def turn(self, begin: str, end: str = "") -> Iterator[Connection]:
        """A transaction. What fails or has no end is rolled back, as closing a connection does."""
        with closing(self.connect()) as connection:
            connection.exec_driver_sql(begin)
            yield connection
            if end:
                connection.exec_driver_sql(end)

    def read(self, work: Callable[[Connection], T]) -> T:
        """`work` on one state of everything; a failure of the database is one EngineError."""
        return self.guarded(lambda: self._done(work, self.READ))

    def write(self, work: Callable[[Connection], T]) -> T:
        """`work`, durable when this returns; a failure of the database is one EngineError."""
        return self.guarded(lambda: self._done(work, self.WRITE, "COMMIT"))

    def _done(self, work: Callable[[Connection], T], begin: str, end: str = "") -> T:
        with self.turn(begin, end) as connection:
            return work(connection)

    def guarded(self, work: Callable[[], T]) -> T:
        """`work()`; any failure of the database becomes one EngineError without a chain."""
        try:
            with GATE.entered():
                return work()
        except self.failures as error:
            reason = self.reason(error)
        except SQLAlchemyError:
            reason = "failed"
        except OSError as error:
            reason = f"cannot be used ({os.strerror(error.errno or 0)})"
        except UnicodeError:
            reason = "cannot hold this text"
        # Outside the except block, so that not even __context__ leads to the original.
        raise EngineError(f"the ledger {reason}; refused")
