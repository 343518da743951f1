"""A document as lines of text. No text can break its line; see `visible`."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import repeat

from dpsql.report.document import ColumnHead, Document, Listing, NamedRows, Part, Said
from dpsql.report.figures import marked, shortened
from dpsql.visible import one_line


def text(found: Document) -> str:
    """The whole document."""
    return "\n".join(lines(*found.parts))


def lines(*parts: Part) -> Iterator[str]:
    """Parts of one, a line each."""
    for part in parts:
        if isinstance(part, Said):
            yield _line(part)
        elif isinstance(part, NamedRows):
            yield from pairs(part.rows)
        elif isinstance(part, Listing):
            yield from listed(part) if part.lines is None else map(_line, part.lines)


def pairs(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """What something is called, and what it is."""
    return (f"{one_line(name):<10}  {one_line(said)}" for name, said in rows)


def listed(found: Listing) -> Iterator[str]:
    """A table whose columns stand below each other: numbers to the right, all else to the left."""
    heads = [head if isinstance(head, ColumnHead) else ColumnHead(head) for head in found.heads]
    right = [head.number for head in heads]
    rows = [
        [c if isinstance(c, str) else "".join(marked(c.value, c.width, c.noisy)) for c in row]
        for row in found.rows
    ]
    return aligned([head.name for head in heads], rows, right)


def aligned(
    names: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool] = ()
) -> Iterator[str]:
    """The same of texts.

    Args:
        names: of the columns.
        rows: as many texts each.
        right: of each column whether it stands to the right; none do by default.
    """
    top, *body = [[shortened(cell) for cell in row] for row in (names, *rows)]
    sizes = [max(map(wide, column)) for column in zip(top, *body, strict=True)]
    for line in (top, ["-" * size for size in sizes], *body):
        spaces = [" " * (size - wide(cell)) for cell, size in zip(line, sizes, strict=True)]
        cells = zip(line, spaces, right or repeat(False), strict=False)
        yield "  ".join(gap + cell if to else cell + gap for cell, gap, to in cells).rstrip()


def csv_line(fields: Sequence[str]) -> str:
    """A line of a CSV file; RFC 4180 but for its end."""
    # Written with \r\n, or a text with a \r would not be quoted; ended as other text is.
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(fields)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def wide(text: str) -> int:
    """How many places it takes on a terminal: two for a wide letter, none for a mark over one."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def _line(said: Said) -> str:
    return "  " * said.depth + one_line(said.text)
