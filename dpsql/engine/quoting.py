"""Names and texts as SQL."""

from __future__ import annotations

from collections.abc import Iterable


def name(identifier: str) -> str:
    """One quoted identifier."""
    return '"' + identifier.replace('"', '""') + '"'


def dotted(parts: Iterable[str]) -> str:
    """A qualified name, each part quoted."""
    return ".".join(name(part) for part in parts)


def text(value: str) -> str:
    """A string literal."""
    return "'" + value.replace("'", "''") + "'"
