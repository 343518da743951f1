"""New plan columns."""

from __future__ import annotations

from dpsql.core.plan.expr import Column
from dpsql.types import Type


class Ids:
    """A counter of column ids, one per query, so that equal queries make equal plans."""

    def __init__(self) -> None:
        self._last = 0

    def column(self, name: str, kind: Type) -> Column:
        """A column that no node has yet."""
        self._last += 1
        return Column(self._last, name, kind)
