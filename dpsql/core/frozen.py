"""A mapping that cannot be changed, but can be copied and pickled (a mappingproxy cannot)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

V = TypeVar("V")


class FrozenMap(Mapping[str, V]):
    """A read-only mapping with text keys, in the order given."""

    __slots__ = ("_folded", "_items")

    def __init__(self, items: Mapping[str, V] | None = None) -> None:
        self._items = dict(items or {})
        self._folded: dict[str, str] = {}

    def __getitem__(self, key: str) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))  # as for equality, in any order

    def like(self, name: str) -> tuple[str, V] | None:
        """The first item of that name, whatever the case."""
        if len(self._folded) == 0:
            for key in reversed(self._items):
                self._folded[key.lower()] = key
        found = self._folded.get(name.lower())
        return None if found is None else (found, self._items[found])

    def __repr__(self) -> str:
        return repr(self._items)
