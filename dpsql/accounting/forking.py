"""No process is forked while a thread is inside a ledger's database.

A forked child has one thread, and every lock as it was: one that another thread held, in Python or
in the driver, is held for ever there, and the child would hang at its first charge. So a fork waits
until those that are inside are out, and nobody enters meanwhile.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST = 5.0
"""Seconds that a fork waits. Who is inside for longer waits for others itself, outside of locks
that a child would need."""


class Gate:
    """Counts who is inside."""

    def __init__(self) -> None:
        self._renew()

    def _renew(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._own = threading.local()
        self._forking: int | None = None

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Nobody forks meanwhile, but this thread itself."""
        with self._changed:
            while self._forking not in (None, threading.get_ident()):
                self._changed.wait()
            self._inside += 1
            self._own.count = getattr(self._own, "count", 0) + 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._own.count -= 1
                self._changed.notify_all()

    def before(self) -> None:
        """Of a fork."""
        until = time.monotonic() + LONGEST
        with self._changed:
            while self._forking is not None:  # another thread forks
                self._changed.wait(1)
            self._forking = threading.get_ident()
            while self._inside > getattr(self._own, "count", 0):
                left = until - time.monotonic()
                if left <= 0:
                    return
                self._changed.wait(left)

    def in_parent(self) -> None:
        """After it."""
        with self._changed:
            self._forking = None
            self._changed.notify_all()

    def in_child(self) -> None:
        """After it, where no other thread is left."""
        own = getattr(self._own, "count", 0)
        self._renew()
        self._inside = self._own.count = own


GATE = Gate()
"""Of all ledgers of this process."""

os.register_at_fork(
    before=GATE.before, after_in_parent=GATE.in_parent, after_in_child=GATE.in_child
)
