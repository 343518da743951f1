"""Queries that were asked for, by their ids: what became of each, and for how long that is kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from dpsql.errors import InvalidArgument

MOST_KEPT = 1000
"""Answers, of all principals."""


@dataclass(slots=True, eq=False)
class Asked:
    """A query, or a batch, that is charged.

    Attributes:
        id: of the asker's choice.
        analyst, data: who asked, of what.
        text: what was asked.
        stop: ends it.
        future: what it gives.
        ended: when it did; 0 before.
    """

    id: str
    analyst: str
    data: str
    text: object
    stop: threading.Event = field(default_factory=threading.Event)
    future: Future[Any] = field(default_factory=Future)
    ended: float = 0.0

    @property
    def state(self) -> str:
        """ "waiting", "running", "done" or "failed"."""
        if self.future.done():
            ended = self.future.cancelled() or self.future.exception() is not None
            return "failed" if ended else "done"
        return "running" if self.future.running() else "waiting"


class AskedQueries:
    """What was asked; nobody sees another's. Safe for threads.

    Args:
        seconds: that answers are kept.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._kept: OrderedDict[tuple[str, str, str], Asked] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, made: Asked) -> Asked | None:
        """Remember one; or the one that was asked under this id before.

        Raises:
            InvalidArgument: that was another question.
        """
        with self._lock:
            self._forget()
            place = (made.analyst, made.data, made.id)
            found = self._kept.get(place)
            if found is not None and found.text != made.text:
                raise InvalidArgument("another query was asked under this id")
            if found is None:
                self._kept[place] = made
            return found

    def drop(self, made: Asked) -> None:
        """Forget one that was never begun."""
        with self._lock:
            self._kept.pop((made.analyst, made.data, made.id), None)

    def find(self, analyst: str, data: str, name: str) -> Asked | None:
        """What an analyst asked under an id."""
        with self._lock:
            self._forget()
            return self._kept.get((analyst, data, name))

    def of(self, analyst: str, data: str) -> tuple[Asked, ...]:
        """All that an analyst asked and that is kept, oldest first."""
        with self._lock:
            self._forget()
            return tuple(a for a in self._kept.values() if (a.analyst, a.data) == (analyst, data))

    def all(self) -> tuple[Asked, ...]:
        """Everybody's."""
        with self._lock:
            return tuple(self._kept.values())

    def _forget(self) -> None:
        now = monotonic()
        done = [place for place, a in self._kept.items() if a.future.done()]
        for place in done:
            asked = self._kept[place]
            asked.ended = asked.ended or now
        old = [p for p in done if now - self._kept[p].ended > self._seconds]
        many = done[: max(0, len(done) - MOST_KEPT)]
        for place in {*old, *many}:
            del self._kept[place]
