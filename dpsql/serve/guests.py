"""Who holds the connections of a protocol that keeps them open."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable

from dpsql.errors import RateExceeded

STRANGERS = 32
"""Connections that have not said yet whose they are."""

FULL = "the server has too many connections: come again later"
FULL_OF_YOU = "too many connections are open in your name: close some"


class Guest:
    """A connection. `leave` hangs it up, and may be called twice; `name` is its principal's."""

    __slots__ = ("leave", "name")

    def __init__(self, leave: Callable[[], object]) -> None:
        self.leave, self.name = leave, ""


class Guests:
    """Connections, counted. Safe for threads.

    Claim: nobody keeps others out by holding connections, neither a principal nor who is none. Why:
    a principal has so many; and of those that have not said whose they are, the oldest is hung up
    for a new one, so that a login must be no more than quicker than `STRANGERS` others.

    Args:
        most: connections of principals, of all together.
        most_each: the same, of one.
    """

    def __init__(self, most: int, most_each: int) -> None:
        self._most, self._each = most, most_each
        self._strangers: dict[Guest, None] = {}  # oldest first
        self._names: Counter[str] = Counter()
        self._lock = threading.Lock()

    def come(self, leave: Callable[[], object]) -> Guest:
        """Somebody who connects; `leave` hangs up."""
        made, late = Guest(leave), None
        with self._lock:
            if len(self._strangers) >= STRANGERS:
                late = next(iter(self._strangers))
                del self._strangers[late]
            self._strangers[made] = None
        if late is not None:
            late.leave()
        return made

    def known(self, guest: Guest, name: str) -> None:
        """Note whose a connection is from now on.

        Raises:
            RateExceeded: there are too many; it is still whose it was.
        """
        with self._lock:
            if guest.name == name:
                return
            if self._names[name] >= self._each:
                raise RateExceeded(FULL_OF_YOU, 1.0)
            if self._names.total() - bool(guest.name) >= self._most:
                raise RateExceeded(FULL, 1.0)
            self._forget(guest)
            self._names[name] += 1
            guest.name = name

    def gone(self, guest: Guest) -> None:
        """Note that one has ended."""
        with self._lock:
            self._forget(guest)

    def _forget(self, guest: Guest) -> None:
        self._strangers.pop(guest, None)
        if guest.name:
            self._names[guest.name] -= 1
            guest.name = ""
