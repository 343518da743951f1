"""A tree of steps: how an answer is made, and the property that matters at each step."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dpsql.visible import one_line

Kind = Literal["private", "public", "released", "measured"]
"""What a step's rows are: of individuals, of public tables, with noise; "measured" is one number
per group, to which noise is added.
"""

WIDTH = 100
"""How many letters a line of the drawn tree has, if nothing else is said."""

NARROWEST = 40
"""A text has so many letters to itself, however deep it stands."""


@dataclass(frozen=True, slots=True)
class TreeStep:
    """One step, and the steps whose rows it reads. Its text is the tree, drawn.

    Attributes:
        kind: what its rows are.
        text: what is done.
        why: the properties that matter here, a part each.
        steps: what it reads, in order.
        table: the declared table that a leaf reads, as the policy writes it; None for other steps.
    """

    kind: Kind
    text: str
    why: tuple[str, ...] = ()
    steps: tuple[TreeStep, ...] = ()
    table: str | None = None

    def walk(self) -> Iterator[TreeStep]:
        """Every step, this one first, in the order of the lines."""
        stack = [self]
        while stack:
            step = stack.pop()
            yield step
            stack.extend(reversed(step.steps))

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        made: dict[int, dict[str, object]] = {}
        for step in reversed(list(self.walk())):  # what a step reads comes before it: no recursion
            made[id(step)] = {
                "kind": step.kind,
                "text": step.text,
                "why": list(step.why),
                "table": step.table,
                "steps": [made[id(below)] for below in step.steps],
            }
        return made[id(self)]

    def drawn(self, width: int = WIDTH) -> str:
        """The tree, in lines of at most `width` letters; where it is deep, a few more."""
        return "\n".join(_drawn(self, width))

    def __str__(self) -> str:
        return self.drawn()


_DRAWN = re.compile(r"[│├└]|(?<!\S)·")


def _own(text: str) -> str:
    """`text` on one line, of which no part looks as if it were drawn here: a name or a text in a
    query may hold anything.
    """
    return _DRAWN.sub(lambda found: found[0].encode("unicode_escape").decode(), one_line(text))


def _drawn(root: TreeStep, width: int) -> Iterator[str]:
    stack = [(root, "", "")]
    while stack:
        step, first, rest = stack.pop()
        below = rest + ("│  " if step.steps else "   ")
        yield from _block(step, first, rest, below, width)
        last = len(step.steps) - 1
        for i in range(last, -1, -1):
            branch, under = ("└─ ", "   ") if i == last else ("├─ ", "│  ")
            stack.append((step.steps[i], rest + branch, rest + under))


def _block(step: TreeStep, first: str, rest: str, below: str, width: int) -> Iterator[str]:
    """A step on one line where it fits; else properties after the first have their own."""
    text, why = _own(step.text), [_own(part) for part in step.why]
    for said in ("; ".join(why), *why[:1]):
        if said and len(f"{first}{text}: {said}") <= width:
            text = f"{text}: {said}"
            why = [] if said != why[0] else why[1:]
            break
    yield from _wrapped(text, first, below + "   ", width)
    for part in why:
        yield from _wrapped(part, below + "· ", below + "  ", width)


def _wrapped(text: str, first: str, rest: str, width: int) -> list[str]:
    size = max(width, len(rest) + NARROWEST)
    return textwrap.wrap(
        text, size, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )
