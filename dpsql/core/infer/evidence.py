"""How a bound on a unit's rows was found, as data: rules, and the facts that they rest on.

Nothing rests on it. Its text is for reports, and for the message where there is no bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Rule = Literal[
    "unit table",
    "key",
    "declared",
    "path",
    "one group",
    "in one group",
    "groups",
    "in each",
    "values",
    "fan-out",
    "both",
    "sum",
]

_TEXTS: dict[Rule, str] = {
    "unit table": "each row of {} is a unit",
    "key": "{} is the key of {}",
    "declared": "{} rows of {} per {}",
    "one group": "one group per unit",
    "in one group": "in one group",
    "groups": "at most {} groups per unit ({})",
    "in each": "at most {} in each of {} groups",
    "values": "no two rows with the same {}",
    "fan-out": "{}, times {} rows of a public table",
}
"""What each rule says of its facts, in order."""

_BETWEEN: dict[Rule, str] = {"path": ", ", "both": "; ", "sum": " plus "}
"""What stands between the facts of a rule that has any number of them."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A rule and its facts.

    Attributes:
        rule: by which the bound holds.
        facts: numbers, names of tables and columns, and the evidence for what it is made of.
    """

    rule: Rule
    facts: tuple[object, ...] = ()

    def __str__(self) -> str:
        """In words."""
        if self.rule not in _BETWEEN:
            text = _TEXTS[self.rule].format(*self.facts)
            return f"1 row {text.removeprefix('1 rows ')}" if text.startswith("1 rows ") else text
        form = "({})" if self.rule == "sum" else "{}"
        parts = [form.format(fact) for fact in self.facts]
        return _BETWEEN[self.rule].join(dict.fromkeys(parts) if self.rule == "both" else parts)

    def undeclared(self) -> tuple[str, ...]:
        """The columns, each after its table, of which nothing says how many rows share a value."""
        if self.rule == "declared":
            rows, table, column = self.facts
            return (f"{table}.{column}",) if str(rows) == "∞" else ()
        parts = (fact.undeclared() for fact in self.facts if isinstance(fact, Evidence))
        return tuple(dict.fromkeys(column for part in parts for column in part))
