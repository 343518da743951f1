"""Verdicts beside the typing: a thread of its own looks at the latest text, and never two at once.

A key is never delayed by it: asking gives at once what is known.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Question = TypeVar("Question", bound=Hashable)
Reply = TypeVar("Reply")

PAUSE = 0.12
"""Seconds without a new question before it is looked at."""


class Watcher(Generic[Question, Reply]):
    """Answers the latest question in the background, once it has stood for a moment."""

    def __init__(
        self,
        answer: Callable[[Question], Reply],
        ready: Callable[[], None],
        *,
        pause: float = PAUSE,
        kept: int = 128,
    ) -> None:
        """Begin.

        Args:
            answer: in the other thread; must not raise.
            ready: called there, when there is a new answer.
            pause: seconds for which a question must be the latest.
            kept: how many answers are remembered.
        """
        self._answer, self._ready, self._pause, self._limit = answer, ready, pause, kept
        self._kept: OrderedDict[Question, Reply] = OrderedDict()
        self._latest: Question | None = None
        self._epoch = 0
        self._closed = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def ask(self, question: Question) -> Reply | None:
        """The answer, if it is known; else it is found later, unless another is asked first."""
        with self._changed:
            if question in self._kept:
                self._latest = None
                self._kept.move_to_end(question)
                return self._kept[question]
            if question != self._latest and not self._closed:
                self._latest = question
                self._changed.notify_all()
                if self._thread is None:
                    self._thread = threading.Thread(
                        target=self._work, name="dpsql-verdict", daemon=True
                    )
                    self._thread.start()
            return None

    def forget(self) -> None:
        """What was answered holds no more."""
        with self._changed:
            self._kept.clear()
            self._latest = None
            self._epoch += 1

    def close(self) -> None:
        """Answer nothing more; waits for what is being answered."""
        with self._changed:
            self._closed, self._latest = True, None
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _next(self) -> tuple[Question, int] | None:
        """The latest question, once it has stood for the pause; None at the end."""
        with self._changed:
            while not self._closed:
                asked = self._latest
                self._changed.wait(None if asked is None else self._pause)
                if asked is not None and asked == self._latest:
                    return asked, self._epoch
            return None

    def _work(self) -> None:
        while (found := self._next()) is not None:
            asked, epoch = found
            reply = self._answer(asked)
            with self._changed:
                if self._latest == asked:
                    self._latest = None
                if epoch == self._epoch:
                    self._kept[asked] = reply
                    while len(self._kept) > self._limit:
                        self._kept.popitem(last=False)
            self._ready()
