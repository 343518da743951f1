"""Until when a query may run, and a clock that stops those of this process."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from dpsql.platform.engine.guard import quietly


@dataclass(slots=True)
class Deadline:
    """A moment of the monotonic clock, and who may stop before it.

    Attributes:
        at: the moment; it may come nearer while something runs.
        stop: is set by another thread to end it sooner, as Ctrl-C does in the main thread.
    """

    at: float
    stop: threading.Event | None = None

    @staticmethod
    def after(seconds: float) -> Deadline:
        """So many seconds from now."""
        return Deadline(monotonic() + seconds)

    @property
    def left(self) -> float:
        """The seconds until then; 0 where it is over."""
        return max(0.0, self.at - monotonic())

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped it."""
        return self.stop is not None and self.stop.is_set()

    @property
    def passed(self) -> bool:
        """Whether it is over."""
        return monotonic() >= self.at


_AGAIN = 0.05  # seconds: an interrupt that comes between two statements is lost
_LOOK = 1.0  # seconds: a deadline may come nearer
_IDLE = 10  # looks at nothing, after which its thread ends


class _Clock:
    """One thread for all deadlines of the process, since starting one for each query is slow."""

    def __init__(self) -> None:
        self._watched: dict[int, tuple[Deadline, Callable[[], object]]] = {}
        self._changed = threading.Condition()
        self._running = False
        self._looks = 0.0  # when it does next
        self._number = 0

    def add(self, deadline: Deadline, stop: Callable[[], object]) -> int:
        with self._changed:
            self._number += 1
            self._watched[self._number] = (deadline, stop)
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name="dpsql-deadlines", daemon=True).start()
            elif deadline.at < self._looks:  # to wake it for each query costs more than to look
                self._changed.notify()
            return self._number

    def remove(self, number: int) -> None:
        with self._changed:
            self._watched.pop(number, None)

    def _run(self) -> None:
        idle = 0
        while True:
            with self._changed:
                now = monotonic()
                due = [stop for deadline, stop in self._watched.values() if deadline.at <= now]
                if not due:
                    idle = 0 if self._watched else idle + 1
                    if idle > _IDLE:
                        self._running = False
                        return
                    ahead = (deadline.at - now for deadline, _ in self._watched.values())
                    self._wait(max(_AGAIN, min(ahead, default=_LOOK)))
                    continue
            for stop in due:
                quietly(stop, "deadline")
            with self._changed:
                self._wait(_AGAIN)

    def _wait(self, seconds: float) -> None:
        seconds = min(seconds, _LOOK)
        self._looks = monotonic() + seconds
        self._changed.wait(seconds)


_clock = _Clock()


def _forked() -> None:
    global _clock
    _clock = _Clock()  # its thread and its lock are the parent's


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


@contextmanager
def stopped(deadline: Deadline | None, stop: Callable[[], object]) -> Iterator[None]:
    """Call `stop` once the deadline is over, again and again until the block ends."""
    if deadline is None:
        yield
        return
    clock = _clock
    number = clock.add(deadline, stop)
    try:
        yield
    finally:
        clock.remove(number)
