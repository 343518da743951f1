"""How often a principal may ask, whatever is asked."""

from __future__ import annotations

import threading
from time import monotonic

from dpsql.errors import RateExceeded
from dpsql.session.remote.client import TOO_OFTEN


class Pacer:
    """A bucket of requests for each name, which fills evenly. Safe for threads.

    Args:
        per_minute: how many a minute, and how many at once.
        most: names that are remembered; of whoever was forgotten the bucket is full.
    """

    def __init__(self, per_minute: int, most: int = 10_000) -> None:
        self._rate, self._full, self._most = per_minute / 60, float(per_minute), most
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, name: str) -> None:
        """Take one.

        Raises:
            RateExceeded: there is none; how many seconds until there is.
        """
        now = monotonic()
        with self._lock:
            left, then = self._left.pop(name, (self._full, now))
            left = min(self._full, left + (now - then) * self._rate)
            taken = left >= 1
            self._left[name] = (left - taken, now)
            while len(self._left) > self._most:
                del self._left[next(iter(self._left))]
        if not taken:
            seconds = (1 - left) / self._rate
            raise RateExceeded(f"{TOO_OFTEN}the next is heard in {seconds:.0f} s", seconds)
