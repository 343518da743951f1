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
from weakref import WeakSet

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
        self._renew()

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
                    return
                self._changed.wait(min(left, 0.1))

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

os.register_at_fork(
    before=GATE.before, after_in_parent=GATE.in_parent, after_in_child=GATE.in_child
)
