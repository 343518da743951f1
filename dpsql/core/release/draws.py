"""One number at many values of the noise, computed with all at once.

What is kept where it can lie, when it is shown, is left where it is here: how far it is from the
truth is then a smooth function of the noise, and to cut a number off only brings it nearer. NaN is
what has no value: a variance that is not positive has none to divide by.

What cannot be negative has a deviation, its root. Claim: as many roots are as near to the first as
it takes for v ± w to hold: to the further of √(v − w) and √(v + w). Why: each value counts as far
as the further root of it and of its mirror image beyond the first, which grows with its distance;
and the first is taken as 0 where it is below, as it is shown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import add, mul, sub


@dataclass(frozen=True, slots=True)
class Draws:
    """A number, at each value of the noise; the first is the noisy number itself."""

    values: list[float]

    def __add__(self, other: Draws) -> Draws:
        return Draws(list(map(add, self.values, other.values)))

    def __sub__(self, other: Draws) -> Draws:
        return Draws(list(map(sub, self.values, other.values)))

    def __mul__(self, other: Draws) -> Draws:
        return Draws(list(map(mul, self.values, other.values)))

    def __truediv__(self, other: Draws) -> Draws:
        pairs = zip(self.values, other.values, strict=True)
        return Draws([a / b if b else math.nan for a, b in pairs])

    def plus(self, constant: float) -> Draws:
        """The sum with a constant."""
        return Draws([v + constant for v in self.values])

    def times(self, constant: float) -> Draws:
        """The product with a constant."""
        return Draws([v * constant for v in self.values])

    def root(self) -> Draws:
        """The square root; none of what is negative."""
        return Draws([math.sqrt(v) if v >= 0 else math.nan for v in self.values])

    def deviation(self) -> Draws:
        """The square root of what cannot be negative."""
        first = self.values[0]
        centre = max(0.0, first)
        middle = math.sqrt(centre)

        def reach(off: float) -> float:
            low, high = math.sqrt(max(0.0, centre - off)), math.sqrt(centre + off)
            return max(middle - low, high - middle)

        moved = [v - first for v in self.values]
        return Draws([middle + math.copysign(reach(abs(d)), d) for d in moved])

    def inside(self, low: float, high: float) -> Draws:
        """The number itself."""
        return self

    def divisor(self) -> Draws:
        """The number where it is positive; else none."""
        return Draws([v if v > 0 else math.nan for v in self.values])
