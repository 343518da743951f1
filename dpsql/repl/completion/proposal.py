"""What is offered, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from dpsql.visible import one_line


@dataclass(frozen=True, slots=True)
class Proposal:
    """One way to go on.

    Attributes:
        text: what replaces the text from `start` to the cursor.
        name: what is compared with what was typed; "" for the text.
        meta: a few words about it: a type, a signature.
        spoken: whether it is a word of the language, and follows the case of what was typed.
        start: the first character that it replaces.
    """

    text: str
    name: str = ""
    meta: str = ""
    spoken: bool = False
    start: int = 0

    @property
    def display(self) -> str:
        """What the menu shows for it."""
        return one_line(self.text)


def chosen(offered: Iterable[Proposal], typed: str, start: int) -> Iterator[Proposal]:
    """Those that begin with what was typed, then those that hold it; each text once."""
    folded, lower = typed.lower(), bool(typed) and typed.islower()
    found = [((one.name or one.text).lower().find(folded), one) for one in offered]
    seen: set[str] = set()
    for _, one in sorted((pair for pair in found if pair[0] >= 0), key=lambda pair: pair[0] > 0):
        text = one.text
        if one.spoken:
            text = text.lower() if lower else text.upper()
        if text not in seen:
            seen.add(text)
            yield replace(one, text=text, start=start, meta=one_line(one.meta))
