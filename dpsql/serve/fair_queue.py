"""Work of many principals, done by a few threads, each principal in turn."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from dpsql.errors import RateExceeded

BUSY = "the server has too many queries that wait: ask again later; nothing was charged"
BUSY_YOU = "too many queries of yours wait: ask again when some have ended; nothing was charged"


class FairQueue:
    """Claim: while others wait, no principal is served twice in a row, so that who asks for little
    waits for at most one query of each other principal and those that run. Why: whoever was served
    goes to the end of the row of principals.

    Args:
        running, running_each: how much is done at once, of all and of one principal.
        waiting, waiting_each: how much may wait.
    """

    def __init__(self, running: int, running_each: int, waiting: int, waiting_each: int) -> None:
        self._each, self._waiting, self._waiting_each = running_each, waiting, waiting_each
        self._rows: OrderedDict[str, deque[tuple[Future[Any], Callable[[], Any]]]] = OrderedDict()
        self._running: Counter[str] = Counter()
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"dpsql-serve-{n}", daemon=True)
            for n in range(running)
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, who: str, work: Callable[[], Any]) -> Future[Any]:
        """Put work in a principal's row.

        Raises:
            RateExceeded: too much waits.
        """
        with self._changed:
            if self.length >= self._waiting or self._closed:
                raise RateExceeded(BUSY, 1.0)
            row = self._rows.setdefault(who, deque())
            if len(row) >= self._waiting_each:
                raise RateExceeded(BUSY_YOU, 1.0)
            future: Future[Any] = Future()
            row.append((future, work))
            self._changed.notify()
            return future

    @property
    def length(self) -> int:
        """How much waits."""
        return sum(map(len, self._rows.values()))

    @property
    def running(self) -> int:
        """How much is being done."""
        return self._running.total()

    def close(self, seconds: float) -> None:
        """Take no more, let go of what waits, and wait for what runs."""
        with self._changed:
            self._closed = True
            for row in self._rows.values():
                for future, _ in row:
                    future.cancel()
            self._rows.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(seconds / len(self._threads))

    def _work(self) -> None:
        while True:
            with self._changed:
                while (found := self._next()) is None:
                    if self._closed:
                        return
                    self._changed.wait()
            who, future, work = found
            try:
                if future.set_running_or_notify_cancel():
                    _done(future, work)
            finally:
                with self._changed:
                    self._running[who] -= 1
                    self._changed.notify()

    def _next(self) -> tuple[str, Future[Any], Callable[[], Any]] | None:
        for who, row in self._rows.items():
            if self._running[who] < self._each:
                future, work = row.popleft()
                if row:
                    self._rows.move_to_end(who)
                else:
                    del self._rows[who]
                self._running[who] += 1
                return who, future, work
        return None


def _done(future: Future[Any], work: Callable[[], Any]) -> None:
    try:
        found = work()
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(found)
