"""What a proof is made of: steps, each by a rule, each resting on those below it."""

from __future__ import annotations

from dataclasses import dataclass


class Refused(Exception):  # noqa: N818  (what the checker says)
    """The checker does not follow; the message names the place in the statement, and no value."""


class TooDeepError(Refused):
    """A statement is nested too deeply."""


ODD = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError)
"""What a form causes that nobody thought of."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a proof.

    Attributes:
        rule: its name, as the page on certificates explains it.
        text: what it says here.
        below: what it rests on.
    """

    rule: str
    text: str
    below: tuple[Step, ...] = ()

    def lines(self, indent: str = "") -> list[str]:
        """The tree as text, the conclusion first."""
        found = [f"{indent}{self.rule}: {self.text}"]
        for step in self.below:
            found += step.lines(indent + "  ")
        return found


def at_most(number: int | None, what: str = "") -> str:
    """ "at most 3 rows", or "many rows" where nothing but the machine bounds them."""
    return f"at most {number} {what}" if number is not None and number < 2**62 else f"many {what}"
