"""An answer as a text table."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from dpsql.policy.sqltypes import parse_type
from dpsql.result.cells import cells, shortened
from dpsql.result.notes import count, exact, notes, price

if TYPE_CHECKING:
    from dpsql.result.answer import Answer

ROWS, CELLS = 1000, 20_000
"""Where an answer is only looked at, so many rows are shown, and of wide ones so many cells."""


def looked_at(answer: Answer) -> int:
    """How many rows are shown where an answer is only looked at."""
    return min(ROWS, CELLS // max(1, len(answer.columns)) or 1)


def text(answer: Answer, most: int | None = None) -> str:
    """The table with what is said of it.

    Args:
        answer: what to show.
        most: rows at most; all by default.
    """
    hidden = 0 if most is None else max(0, len(answer) - most)
    more = [f"… {hidden:,} more rows"] if hidden else []
    return "\n".join([*table_lines(answer, most), *more, *footer(answer)])


def footer(answer: Answer) -> list[str]:
    """What is said below the numbers."""
    said = ", ".join((count(answer), price(answer)))
    known = exact(answer)
    return [*notes(answer), f"({said}; {known})" if known else f"({said})"]


def table_lines(answer: Answer, most: int | None = None) -> list[str]:
    """The answer as an aligned text table: numbers to the right, all else to the left.

    Args:
        answer: what to show.
        most: rows at most; all by default.
    """
    heads = [shortened(name) for name in answer.columns]
    body = [list(map(shortened, line)) for line in cells(answer, rows=slice(most))]
    sizes = [max(map(wide, column)) for column in zip(heads, *body, strict=True)]
    right = [parse_type(kind).is_numeric for kind in answer.types]

    def aligned(line: list[str]) -> str:
        parts = zip(line, sizes, right, strict=True)
        return "  ".join(_filled(t, n, r) for t, n, r in parts).rstrip()

    return [aligned(heads), "  ".join("-" * n for n in sizes), *map(aligned, body)]


def wide(text: str) -> int:
    """How many places it takes on a terminal: two for a wide letter, none for a mark over one."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def _filled(text: str, size: int, right: bool) -> str:
    space = " " * (size - wide(text))
    return space + text if right else text + space
