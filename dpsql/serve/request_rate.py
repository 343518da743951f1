"""How often a principal may ask, whatever is asked."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from time import monotonic

from dpsql.errors import RateExceeded
from dpsql.session.remote.client import TOO_OFTEN


class Pacer:
    """A bucket of requests for each name, which fills evenly. Safe for threads.

    Args:
        per_minute: how many a minute, and how many at once.
        most: names that are remembered; of whoever was forgotten the bucket is full.
        own: by name another number than `per_minute`.
    """

    def __init__(
        self, per_minute: int, most: int = 10_000, own: Mapping[str, int] | None = None
    ) -> None:
        self._per_minute, self._most, self._own = per_minute, most, own or {}
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, name: str) -> None:
        """Take one.

        Raises:
            RateExceeded: there is none; how many seconds until there is.
        """
        now, full = monotonic(), float(self._own.get(name, self._per_minute))
        rate = full / 60
        with self._lock:
            left, then = self._left.pop(name, (full, now))
            left = min(full, left + (now - then) * rate)
            taken = left >= 1
            self._left[name] = (left - taken, now)
            while len(self._left) > self._most:
                del self._left[next(iter(self._left))]
        if not taken:
            seconds = (1 - left) / rate
            raise RateExceeded(f"{TOO_OFTEN}the next is heard in {seconds:.0f} s", seconds)
