"""Compiled queries, kept: whoever explains a query and then runs it pays for its analysis once.

What is kept is a function of the query's text, its dialect, ε, the schema and public tables, which
do not change while a database is open; nothing of private rows is in it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from fractions import Fraction
from threading import Lock

from dpsql.core.calibrate.options import Options
from dpsql.execution.ready import Prepared
from dpsql.report.explanation import Explanation

Key = tuple[str, Fraction, str, Options]

Known = tuple[Prepared, Explanation]
"""A query ready to run, and the same for people."""


class PreparedQueries:
    """The last queries that were prepared, by text, ε and dialect. Safe for threads."""

    def __init__(self, limit: int = 64) -> None:
        self._limit = limit
        self._kept: OrderedDict[Key, Known] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Known], *, stable: bool) -> Known:
        """What is kept under `key`, or else what `make` makes; its errors are not kept, nor is what
        rests on facts of public tables that may change: those are not `stable`.
        """
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        made = make()
        if made[0].facts and not stable:
            return made
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)
        return made

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._kept.clear()
