"""Worker processes, kept for the next query: starting one takes longer than most queries."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakSet

from dpsql.errors import EngineError, LimitExceeded
from dpsql.platform.engine import ownerlog
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.fingerprint import CHANGED, Files
from dpsql.platform.engine.guard import FAILED, INTERRUPTED
from dpsql.platform.engine.recipe import Recipe
from dpsql.platform.engine.worker import Gone, Worker, WorkerSettings

STARTING = (
    "the data was not open in time: a worker process still opens it; ask again, with a longer "
    "timeout. Nothing was charged"
)


class WorkerPool:
    """Workers that have the same data open; each is used by one query at a time. Safe for threads.

    Args:
        recipe: how they open it.
        files: what they open, as it was when the database was opened.
        settings: their limits.
        keep: how many wait for the next query. More run where more queries do at once.
    """

    def __init__(self, recipe: Recipe, files: Files, settings: WorkerSettings, keep: int) -> None:
        self._recipe, self._files, self._settings, self._keep = recipe, files, settings, keep
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._closed = False
        self._process = os.getpid()
        _pools.add(self)

    def warm(self) -> None:
        """Start one in the background, unless one waits."""
        with self._lock:
            self._own()
            if not self._closed and not self._idle and self._keep:
                self._idle.append(self._started())

    @contextmanager
    def take(self, deadline: Deadline | None) -> Iterator[Worker]:
        """A worker in a snapshot. After a query that went well it is kept; after one that did not
        it is ended, so that nothing of it can remain.

        Raises:
            LimitExceeded: it has not opened the data by then.
            EngineError: it cannot be started, the data has changed, or the pool is closed.
        """
        worker = self._begun(deadline)
        try:
            yield worker
        finally:
            self._ended(worker, deadline)

    def interrupt(self) -> None:
        """Stop every query that runs now; may be called from any thread."""
        with self._lock:
            for worker in self._busy:
                worker.interrupt()

    def close(self) -> None:
        """End all workers, also those that work."""
        with self._lock:
            self._own()
            self._closed = True
            idle, self._idle = self._idle, []
        self.interrupt()
        for worker in idle:
            worker.kill()

    @property
    def pids(self) -> tuple[int, ...]:
        """Of the processes that there are."""
        with self._lock:
            return tuple(worker.pid for worker in (*self._idle, *self._busy) if worker.alive)

    def _begun(self, deadline: Deadline | None) -> Worker:
        """A worker that is in a snapshot: another one, where the first died while it waited."""
        for _ in range(2):
            with self._lock:
                self._own()
                if self._closed:
                    raise EngineError("the database is closed")
                worker = self._idle.pop() if self._idle else self._started()
                self._busy.add(worker)
            outcome = "failed"
            try:
                outcome = self._begin(worker, deadline)
            finally:
                if outcome != "begun":
                    with self._lock:
                        self._busy.discard(worker)
                        if outcome == "opening" and not self._closed:
                            self._idle.append(worker)
                        else:
                            outcome = "failed"
                    if outcome == "failed":
                        worker.kill()
            if outcome == "begun":
                return worker
            if outcome == "opening":
                raise LimitExceeded(STARTING, "seconds")
        if not self._files.unchanged():
            raise EngineError(CHANGED)
        raise EngineError(INTERRUPTED if self._closed else FAILED)

    def _begin(self, worker: Worker, deadline: Deadline | None) -> str:
        try:
            if worker.opening:
                worker.ready(deadline)
                # Unchanged before and after: what it opened is what was opened here.
                if not self._files.unchanged():
                    return "failed"
        except Gone as gone:
            return "opening" if gone.late else "failed"
        except EngineError:
            return "failed"
        try:
            worker.ask(["begin", worker.cpu_seconds, ownerlog.wanted()], deadline)
        except (Gone, EngineError):
            return "failed"
        return "begun"

    def _ended(self, worker: Worker, deadline: Deadline | None) -> None:
        kept = False
        try:
            if worker.usable:
                worker.ask(["end"], deadline)
        except (Gone, EngineError):
            pass  # it was the end of the query, which has all it asked for
        finally:
            with self._lock:
                self._busy.discard(worker)
                if worker.usable and not self._closed and len(self._idle) < self._keep:
                    self._idle.append(worker)
                    kept = True
            if not kept:
                usable = worker.usable
                worker.kill()
                if not usable:
                    self.warm()

    def _started(self) -> Worker:
        worker: Worker | None = None
        try:
            worker = Worker(self._recipe, self._settings)
        except OSError as error:
            ownerlog.record("worker", error)
        if worker is None:
            raise EngineError(FAILED)
        return worker

    def _own(self) -> None:
        """In a forked process, forget the parent's workers, which are not to be shared."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._idle, self._busy = [], set()


_pools: WeakSet[WorkerPool] = WeakSet()


def _after_fork() -> None:
    """A lock that another thread held at the fork would never be free in the child."""
    for pool in list(_pools):
        pool._lock = threading.Lock()


if hasattr(os, "register_at_fork"):  # Windows does not fork
    os.register_at_fork(after_in_child=_after_fork)
