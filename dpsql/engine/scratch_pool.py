"""Scratch databases, kept for the next query: opening one takes longer than using it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dpsql.engine.scratch import Scratch


class ScratchPool:
    """Empty scratch databases; each is used by one query at a time. Safe for threads."""

    def __init__(self) -> None:
        self._idle: list[Scratch] = []

    @contextmanager
    def take(self) -> Iterator[Scratch]:
        """An empty scratch database. After a query that went well it is emptied and kept; after
        one that did not it is closed, so that nothing of it can remain.
        """
        try:
            scratch = self._idle.pop()  # atomic: two threads never get the same one
        except IndexError:
            scratch = Scratch()
        try:
            yield scratch
            scratch.clear()
        except BaseException:
            scratch.close()
            raise
        self._idle.append(scratch)

    def close(self) -> None:
        """Close those that are idle."""
        while self._idle:
            self._idle.pop().close()
