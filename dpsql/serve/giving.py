"""Large answers that are given: few to one principal at once, since who asks for many and reads
none would fill the server's memory with what was made of them.
"""

from __future__ import annotations

import threading
from collections import Counter

from dpsql.errors import RateExceeded

EACH = 4
LARGE = 1_000_000
"""Bytes of an answer's rows from which on it is one; others are made where requests are heard."""

UNREAD = (
    "answers of yours are on their way: read those, then fetch this one; it is kept under its id"
)


class Giving:
    """How many are on their way to each principal. Safe for threads."""

    def __init__(self, each: int = EACH) -> None:
        self._each, self._lock = each, threading.Lock()
        self._given: Counter[str] = Counter()

    def begin(self, name: str) -> None:
        """Count one more.

        Raises:
            RateExceeded: there are enough.
        """
        with self._lock:
            if self._given[name] >= self._each:
                raise RateExceeded(UNREAD, 1.0)
            self._given[name] += 1

    def end(self, name: str) -> None:
        """It was read, or nobody wants it any more."""
        with self._lock:
            self._given[name] -= 1
            if not self._given[name]:
                del self._given[name]
