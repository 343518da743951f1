"""Whether a server can answer: every ledger can be read, without which nothing is charged.

Anybody may ask, as often as he likes: what is found is told for `FRESH` seconds, one thread looks
at a time, and nothing is told but yes or no.
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from concurrent.futures import Future
from time import monotonic

from dpsql.serve.data_sets import DataSet

PATIENCE, FRESH = 3.0, 2.0
"""Seconds in which it must be found, and that it is not looked for again."""


class Health:
    """Of one server. Safe for threads.

    Args:
        data: whose ledgers are charged.
    """

    def __init__(self, data: Collection[DataSet]) -> None:
        self._data, self._lock = data, threading.Lock()
        self._found: Future[bool] | None = None
        self._begun = 0.0

    def good(self) -> Future[bool]:
        """Whether all can be read; to be waited for no longer than `PATIENCE`. What hangs is not
        asked a second time beside the first.
        """
        with self._lock:
            old = monotonic() - self._begun > FRESH
            if self._found is None or (self._found.done() and old):
                self._found, self._begun = Future(), monotonic()
                self._found.set_running_or_notify_cancel()  # nobody who hangs up ends it
                look = threading.Thread(target=self._look, args=(self._found,), daemon=True)
                look.start()
            return self._found

    def _look(self, found: Future[bool]) -> None:
        try:
            for one in self._data:
                _ = one.db.budget.loss
        except Exception:  # which may say where the ledger is
            found.set_result(False)
        else:
            found.set_result(True)
