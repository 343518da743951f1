"""The noise of a sum of noisy numbers.

Claim: `interval` is at least the half-width of the sum of `count` independent draws, and of fewer,
up to a part in 1,000. Why: up to `FEW` draws it is that of their own distribution (see
`noise.tails`). Beyond, it is that of normal noise of the same variance, made wider by a part in
8·count: of k Laplace draws the 95 % half-width is by 0.1/k wider than that of normal noise (their
excess kurtosis is 3/k; Cornish and Fisher 1938), of Gaussian ones no wider. Where the variance is
small against a step: Chebyshev's inequality. Fewer draws make no wider sum, since all are symmetric
and unimodal (Birnbaum 1948).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.tails import half_width

FEW = 64
"""Draws up to which the distribution of the sum is computed."""

SMOOTH = 10
"""A standard deviation, in steps, from which on a sum of many draws is as good as normal."""


@dataclass(frozen=True, slots=True)
class Summed:
    """The sum of independent draws of one noise.

    Attributes:
        one: each of them.
        count: how many, ≥ 2.
    """

    one: Noise
    count: int

    @property
    def scale(self) -> float:
        """Of noise that is as wide; 0 for none."""
        return self.one.scale * math.sqrt(self.count)

    @property
    def terms(self) -> tuple[Noise, ...]:
        """Independent noises that are together as wide, at least."""
        if self.count <= FEW or not self.one.scale:
            return (self.one,) * min(self.count, FEW)
        return (DiscreteGaussian(self._deviation * (1 + 1 / (8 * self.count))),)

    def interval(self, confidence: float, /) -> int:
        """The least whole t that is known to have P(|sum| ≤ t) ≥ `confidence`, in lattice units."""
        most = self._deviation / math.sqrt(1 - confidence)  # P(|S| > t) ≤ variance/(t + 1)²
        if most <= 1 or (self.count > FEW and self._deviation < SMOOTH):
            return max(0, math.ceil(most) - 1)
        return math.ceil(half_width(tuple((noise, 1.0) for noise in self.terms), confidence))

    @property
    def _deviation(self) -> float:
        return math.sqrt(self.one.variance * self.count)


def summed(noise: Noise, count: int) -> Noise | Summed:
    """The noise of a sum of at most `count` draws."""
    return noise if count <= 1 else Summed(noise, count)
