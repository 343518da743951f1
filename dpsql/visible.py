"""Text that anybody may have written, as it can be shown: letters that steer a terminal, turn a
line around or end it are written out, as Python writes them.
"""

from __future__ import annotations

from functools import cache


class _Escapes(dict[int, str]):
    """A letter by its code, as it is shown; each is found when it is first met."""

    def __init__(self, kept: str) -> None:
        super().__init__((ord(letter), letter) for letter in kept)

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        shown = letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        return self.setdefault(code, shown)


_escapes = cache(_Escapes)


def visible(text: str, kept: str = "\n") -> str:
    """`text` without letters that cannot be printed, but for those of `kept`."""
    return text if text.isprintable() else text.translate(_escapes(kept))


def one_line(text: str) -> str:
    """The same on one line: it cannot break a table, or draw a step of a tree."""
    return visible(text, "")
