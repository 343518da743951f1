"""New plan columns."""

from __future__ import annotations

from itertools import count

from dpsql.plan.expr import Column
from dpsql.types import Type


class Ids:
    """A counter of column ids, one per query, so that equal queries make equal plans."""

    def __init__(self) -> None:
        self._next = count(1)

    def column(self, name: str, kind: Type) -> Column:
        """A column that no node has yet."""
        return Column(next(self._next), name, kind)
