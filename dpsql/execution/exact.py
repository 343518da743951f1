"""What is exact, and by which group it is known."""

from __future__ import annotations

Key = tuple[object, ...]
"""Of a group: the values of its keys."""


class Exact:
    """Exact values: nothing of them is shown, and they are never pickled."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<exact {type(self).__name__.lower()}>"

    def __reduce__(self) -> str:
        raise TypeError("exact cells stay where they are")
