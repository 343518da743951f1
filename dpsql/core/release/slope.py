"""Numbers that carry their derivatives through arithmetic (forward mode), and what arithmetic is.

Formulas of moments are written once, for any `Number`: at the noisy values, with derivatives, and
at many values at once (`draws`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, Self


class Number(Protocol):
    """What formulas compute with."""

    def __add__(self, other: Self) -> Self: ...

    def __sub__(self, other: Self) -> Self: ...

    def __mul__(self, other: Self) -> Self: ...

    def __truediv__(self, other: Self) -> Self: ...

    def plus(self, constant: float) -> Self:
        """The sum with a constant."""

    def root(self) -> Self:
        """The square root."""

    def deviation(self) -> Self:
        """The square root of what may be noise around 0, as an answer."""

    def inside(self, low: float, high: float) -> Self:
        """The number kept where it can lie."""

    def divisor(self) -> Self | None:
        """The number as one that is divided by; None where it is 0."""


@dataclass(frozen=True, slots=True)
class Slope:
    """A number and its derivatives by the measures."""

    value: float
    by: dict[int, float]

    def __add__(self, other: Slope) -> Slope:
        return self._with(other, self.value + other.value, 1.0, 1.0)

    def __sub__(self, other: Slope) -> Slope:
        return self._with(other, self.value - other.value, 1.0, -1.0)

    def __mul__(self, other: Slope) -> Slope:
        return self._with(other, self.value * other.value, other.value, self.value)

    def __truediv__(self, other: Slope) -> Slope:
        ratio = self.value / other.value
        return self._with(other, ratio, 1 / other.value, -ratio / other.value)

    def plus(self, constant: float) -> Slope:
        """The sum with a constant."""
        return Slope(self.value + constant, self.by)

    def root(self) -> Slope:
        """The square root."""
        value = math.sqrt(self.value)
        rate = 0.5 / value if value else 0.0
        return Slope(value, {i: rate * d for i, d in self.by.items()})

    def deviation(self) -> Slope:
        """The square root."""
        return self.root()

    def inside(self, low: float, high: float) -> Slope:
        """The number kept in [low, high], with the same derivatives."""
        return Slope(min(max(self.value, low), high), self.by)

    def divisor(self) -> Slope | None:
        """The number as one that is divided by; None where it is 0."""
        return self if self.value else None

    def _with(self, other: Slope, value: float, mine: float, theirs: float) -> Slope:
        found = {i: mine * d for i, d in self.by.items()}
        for i, d in other.by.items():
            found[i] = found.get(i, 0.0) + theirs * d
        return Slope(value, found)
