"""Queries that were asked for, by their ids: what became of each, and for how long that is kept."""

from __future__ import annotations

import sys
import threading
from collections import Counter, OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from dpsql.core.calibrate.options import Question
from dpsql.errors import InvalidArgument
from dpsql.report.result import Answer, Batch

SHOWN = 500
"""Characters."""
MOST_KEPT = 200
"""Answers, of each principal: whoever asks much is forgotten himself, and nobody else."""
MOST_BYTES = 64 << 20
"""Of the answers of each principal; the newest is kept however large it is."""
ANOTHER = "another query was asked under this id"


@dataclass(frozen=True, slots=True)
class How:
    """How a query is run; see `Database.run`.

    Attributes:
        typed: what was typed, where it became another text; "" where it did not.
    """

    id: str
    fresh: bool = False
    free: bool = False
    idempotency_key: str | None = None
    timeout: float | None = None
    then: tuple[tuple[Question, ...], ...] = ()
    typed: str = ""

    @property
    def key(self) -> str:
        """Of the request in the ledger: under the same id, too, nothing is charged twice."""
        return f"id-{self.id}" if self.idempotency_key is None else self.idempotency_key


@dataclass(slots=True, eq=False)
class Asked:
    """A query, or a batch, that is charged.

    Attributes:
        id: of the asker's choice.
        analyst, data: who asked, of what.
        text: what was asked, as a digest.
        shown: the beginning of it, for a list.
        size: bytes that are kept of it, about.
        stop: ends it.
        future: what it gives.
        ended: when it did; 0 before.
        earlier: whether it is known from the disk alone, and can be fetched.
    """

    id: str
    analyst: str
    data: str
    text: str
    shown: str = ""
    size: int = 0
    stop: threading.Event = field(default_factory=threading.Event)
    future: Future[Any] = field(default_factory=Future)
    ended: float = 0.0
    earlier: bool = False

    @property
    def state(self) -> str:
        """ "waiting", "running", "done" or "failed"; or "earlier"."""
        if self.earlier:
            return "earlier"
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
                raise InvalidArgument(ANOTHER)
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
        done = [(place, a) for place, a in self._kept.items() if a.future.done()]
        for _, asked in done:
            asked.ended = asked.ended or now
        many, much = Counter[str](), Counter[str]()
        for place, asked in sorted(done, key=lambda one: -one[1].ended):
            many[asked.analyst] += 1
            much[asked.analyst] += asked.size
            large = much[asked.analyst] > MOST_BYTES and many[asked.analyst] > 1
            old = now - asked.ended > self._seconds
            if old or large or many[asked.analyst] > MOST_KEPT:
                del self._kept[place]


def size_of(found: Answer | Batch) -> int:
    """The bytes of an answer's rows, about."""
    if isinstance(found, Batch):
        return sum(map(size_of, found))
    cells = sum(sys.getsizeof(cell) for row in found.rows for cell in row)
    return cells + 2 * sum(map(sys.getsizeof, found.rows))  # each has its intervals, too


def settled(future: Future[Any], seconds: float) -> bool:
    """Whether it ends within some seconds."""
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    return done.wait(seconds)
