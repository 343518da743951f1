"""What is offered, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dpsql.visible import one_line


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to go on.

    Attributes:
        text: what replaces the text from `start` to the cursor.
        start: the first character that it replaces.
        display: what the menu shows for it.
        meta: a few words about it: a type, a signature.
        spoken: whether it is a word of the language, and no name or value.
    """

    text: str
    start: int
    display: str
    meta: str = ""
    spoken: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """What could be offered, before it is known what was typed.

    Attributes:
        text: what would be written.
        name: what is compared with what was typed.
        spoken: whether it is a word of the language, and follows the case of what was typed.
    """

    text: str
    name: str = ""
    meta: str = ""
    spoken: bool = False


def chosen(offers: Iterable[Offer], typed: str, start: int) -> Iterator[Candidate]:
    """Those that begin with what was typed, then those that hold it; each text once."""
    folded, lower = typed.lower(), bool(typed) and typed.islower()
    ranked: list[tuple[bool, Offer]] = []
    for offer in offers:
        where = (offer.name or offer.text).lower().find(folded)
        if where >= 0:
            ranked.append((where > 0, offer))
    seen: set[str] = set()
    for _, offer in sorted(ranked, key=lambda pair: pair[0]):
        text = offer.text
        if offer.spoken:
            text = text.lower() if lower else text.upper()
        if text not in seen:
            seen.add(text)
            yield Candidate(text, start, one_line(text), one_line(offer.meta), offer.spoken)
