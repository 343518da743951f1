"""The line below the prompt: the verdict of the query so far, cut to the terminal's width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from prompt_toolkit.utils import get_cwidth

from dpsql.repl.verdict import Verdict

Part = tuple[str, str]
"""A style class and a text, as prompt_toolkit has them."""


SEPARATOR = "  │  "
LEAST = 12
"""Cells that are worth a piece that is cut."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the line.

    Attributes:
        style: the class of its colours.
        text: what it says.
        weight: those of the least weight go first where the terminal is narrow.
        words: whether it says something without its end.
    """

    style: str
    text: str
    weight: int
    words: bool = False


def pieces(verdict: Verdict, eps: str) -> list[Piece]:
    """What a verdict says, in order.

    Args:
        verdict: of the query so far.
        eps: the ε of the settings, for who has typed nothing yet.
    """
    match verdict.kind:
        case "idle":
            found = [Piece("", verdict.left, 3, True), Piece("", f"ε = {eps} a query", 2)]
            found.append(Piece("dim", "\\help", 1))
        case "unfinished":
            found = [Piece("dim", "…", 3)]
        case "public":
            found = [Piece("good", "✓ public", 3), Piece("", "exact and free", 2)]
        case "stored":
            found = [Piece("good", "✓ stored, free", 3)]
            found.append(Piece("", "the answer that was paid for, again", 2, True))
        case "accepted":
            found = [Piece("good", f"✓ {verdict.cost}", 5), Piece("", verdict.width, 4)]
            found += [Piece("", verdict.left, 3), Piece("", verdict.more, 2)]
        case "too little":
            found = [Piece("bad", f"✗ costs {verdict.cost}", 4)]
            found.append(Piece("", f"only {verdict.left}", 3))
        case "rejected":
            found = [Piece("bad", f"✗ {verdict.code}", 4), Piece("", verdict.message, 3, True)]
            found.append(Piece("dim", verdict.help, 2, True))
        case _:
            found = [Piece("dim", verdict.message, 3, True)]
    every = Piece("", verdict.together, 6)
    return [piece for piece in (every, *found) if piece.text]


def fitting(found: Sequence[Piece], width: int) -> list[Part]:
    """The pieces that fit, heavy ones first, in their order; the last is cut if it is of words.

    Args:
        found: what there is to say.
        width: of the terminal, in cells.
    """
    kept = list(found)
    while kept and _cells(kept) > width:
        lightest = min(kept, key=lambda piece: piece.weight)
        room = width - _cells([p for p in kept if p is not lightest]) - get_cwidth(SEPARATOR)
        at = kept.index(lightest)
        if len(kept) > 1 and not (lightest.words and room >= LEAST):
            del kept[at]
            continue
        room = width - 2 if len(kept) == 1 else room
        kept[at] = replace(lightest, text=cut(lightest.text, room))
        break
    parts: list[Part] = []
    for number, piece in enumerate(kept):
        parts.append(("class:toolbar", SEPARATOR if number else " "))
        parts.append(
            (f"class:toolbar.{piece.style}" if piece.style else "class:toolbar", piece.text)
        )
    return parts


def _cells(found: Sequence[Piece]) -> int:
    return 2 + sum(get_cwidth(p.text) for p in found) + get_cwidth(SEPARATOR) * (len(found) - 1)


def cut(text: str, width: int) -> str:
    """As much of a text as has `width` cells."""
    if get_cwidth(text) <= width:
        return text
    ends = accumulate(get_cwidth(character) for character in text)
    return text[: sum(end < width for end in ends)] + "…" if width > 0 else ""
