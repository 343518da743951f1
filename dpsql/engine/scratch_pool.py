"""Scratch databases, kept for the next query: opening one takes longer than using it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dpsql.engine.deadline import stopped
from dpsql.engine.protocol import Snapshot
from dpsql.engine.scratch import Scratch
from dpsql.engine.spill import Spill


class ScratchPool:
    """Empty scratch databases; each is used by one query at a time. Safe for threads.

    Args:
        memory_limit: of each, such as "4GB"; None for DuckDB's choice.
        spill: where what does not fit into it goes.
    """

    def __init__(self, *, memory_limit: str | None = None, spill: Spill | None = None) -> None:
        self._memory_limit, self._spill = memory_limit, spill
        self._idle: list[Scratch] = []

    @contextmanager
    def take(self, snapshot: Snapshot | None = None) -> Iterator[Scratch]:
        """An empty scratch database. After a query that went well it is emptied and kept; after
        one that did not it is closed, so that nothing of it can remain.

        Args:
            snapshot: that the query reads; its deadline, if it has one, is that of the scratch
                database, too.
        """
        try:
            scratch = self._idle.pop()  # atomic: two threads never get the same one
        except IndexError:
            scratch = Scratch(memory_limit=self._memory_limit, spill=self._spill)
        try:
            with stopped(getattr(snapshot, "deadline", None), scratch.interrupt):
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
