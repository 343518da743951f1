"""The random choices of which a query is made, and names that are still free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st


class Choices:
    """Draws; `seen` are the constructs of what is written."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.seen: set[str] = set()
        self.number = 0

    def pick(self, options: Mapping[str, int]) -> str:
        """One of the options, as often as their weights say."""
        return self.draw(st.sampled_from([o for o, n in options.items() for _ in range(n)]))

    def one(self, options: Sequence[str]) -> str:
        return self.draw(st.sampled_from(options))

    def chance(self, tenths: int) -> bool:
        return self.draw(st.sampled_from([False] * (10 - tenths) + [True] * tenths))

    def fresh(self, letter: str) -> str:
        self.number += 1
        return f"{letter}{self.number}"

    def note(self, construct: str) -> None:
        self.seen.add(construct)
