"""One number at many values of the noise, computed with all at once.

What is kept where it can lie, when it is shown, is left where it is here: how far it is from the
truth is then a smooth function of the noise, and to cut a number off only brings it nearer. So a
square root goes on below 0 as −√−v. NaN is what has no value: a variance that is not positive has
none to divide by.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import add, mul, sub


@dataclass(frozen=True, slots=True)
class Draws:
    """A number, at each value of the noise."""

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
        """The square root, and −√−v below 0."""
        return Draws([math.copysign(math.sqrt(abs(v)), v) for v in self.values])

    def inside(self, low: float, high: float) -> Draws:
        """The number itself."""
        return self

    def divisor(self) -> Draws:
        """The number where it is positive; else none."""
        return Draws([v if v > 0 else math.nan for v in self.values])
