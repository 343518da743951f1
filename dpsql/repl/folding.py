"""Long lines of prose, folded at their words to the width of a terminal."""

from __future__ import annotations

import re
import textwrap

from dpsql.report.plaintext import wide

_GAP = re.compile(r" {2,}")
_STEM = re.compile(r"[│├└─· ]*")
_ROOM = 12
"""Places that a column of words needs at least."""


def folded(text: str, width: int, whole: int = 0) -> str:
    """The text with no line longer than `width`, but for words that are.

    Args:
        text: of any number of lines.
        width: of the terminal, in places.
        whole: so many lines, from the first, stay as they are: those of a table.
    """
    lines = text.split("\n")
    folds = (part for line in lines[whole:] for part in _fold(line, width))
    return "\n".join([*lines[:whole], *folds])


def _fold(line: str, width: int) -> list[str]:
    """A line and what goes on below it, under its last column or its branch of a tree."""
    if wide(line) <= width:
        return [line]
    stem = _STEM.match(line)
    begins = [stem.end() if stem else 0, *(gap.end() for gap in _GAP.finditer(line))]
    at = max((b for b in begins if b <= width * 2 // 3 and b <= width - _ROOM), default=0)
    below = "".join("│" if c in "│├" else " " for c in line[:at]) or "    "
    return textwrap.wrap(
        line[at:],
        max(width, len(below) + _ROOM),
        initial_indent=line[:at],
        subsequent_indent=below,
        break_long_words=False,
        break_on_hyphens=False,
    )
