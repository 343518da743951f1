"""Discrete Laplace noise, also called the two-sided geometric mechanism.

Claim. Let f map databases to integer vectors, ‖f(D) − f(D′)‖₁ ≤ Δ for all neighbours, and let each
component of Z be drawn independently with P(z) = (1 − α)/(1 + α) · α^|z|, α = exp(−1/scale), over
all integers z. Then f(D) + Z is (Δ/scale)-differentially private (δ = 0).

Why. P(f(D) + Z = y) / P(f(D′) + Z = y) = ∏ᵢ α^(|yᵢ − f(D)ᵢ| − |yᵢ − f(D′)ᵢ|)
≤ α^(−‖f(D) − f(D′)‖₁) ≤ exp(Δ/scale), by the triangle inequality, for each y, so for each set.

Sources. The mechanism: Ghosh, Roughgarden, Sundararajan, "Universally utility-maximizing privacy
mechanisms", STOC 2009. The sampler, exact on integers, with no floating-point number in it:
Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy", NeurIPS 2020,
algorithm 2, as implemented and proved by OpenDP (``make_laplace`` on vectors of i64).

`calibrate` proves by fractions that the scale is large enough. OpenDP's own privacy map takes the
same Δ/scale in floats and rounds it upward twice (Δ to a float, then the quotient), so that
Δ/scale ≤ map(Δ) ≤ Δ/scale·(1 + 2⁻⁵¹); the tests compare the two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, Context, Decimal, localcontext
from fractions import Fraction
from typing import ClassVar

from dpsql.core.account.events import DiscreteLaplaceEvent
from dpsql.core.noise import sampler
from dpsql.core.noise.integer_noise import MAX_SCALE, Noise, NoiseError, too_wide

# 60 digits: thresholds up to 10^20 are exact with 40 to spare. No traps: exp may go to 0.
_CONTEXT = Context(prec=60, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


@dataclass(frozen=True, slots=True)
class DiscreteLaplace(Noise):
    """Integer noise with P(z) ∝ exp(−|z| / scale)."""

    kind: ClassVar[str] = "laplace"

    @classmethod
    def calibrate(cls, l1: int, eps: Fraction) -> DiscreteLaplace:
        """The smallest scale that makes a vector of sensitivity `l1` `eps`-private.

        Args:
            l1: the L1 sensitivity in lattice units, ≥ 0; 0 needs no noise.
            eps: > 0, exact.

        Returns:
            Noise whose scale is the smallest float ≥ l1 / eps.

        Raises:
            NoiseError: the scale would pass `MAX_SCALE`; a coarser lattice or more ε is needed.
            ValueError: `l1` < 0 or `eps` ≤ 0.
            TypeError: `l1` or `eps` is not exact.
        """
        if type(l1) is not int or type(eps) is not Fraction:
            raise TypeError("l1 must be an int and eps a Fraction")
        if l1 < 0 or eps <= 0:
            raise ValueError("l1 must not be negative and eps must be positive")
        exact = l1 / eps
        if exact > MAX_SCALE:
            raise too_wide()
        scale = float(exact)  # the nearest float, which may be below
        if Fraction(scale) < exact:
            scale = math.nextafter(scale, math.inf)
        return cls(scale)

    def event(self, l1: int, /) -> DiscreteLaplaceEvent:
        """The record of this noise on a vector of L1 sensitivity `l1` (lattice units).

        Raises:
            NoiseError: `l1` > 0 without noise, or `l1` < 0.
        """
        if l1 < 0 or (l1 > 0 and self.scale == 0):
            raise NoiseError("a private number needs noise")
        return DiscreteLaplaceEvent(self.scale, l1)

    @property
    def variance(self) -> float:
        """2α / (1 − α)², in lattice units squared; α = exp(−1/scale)."""
        if self.scale == 0:
            return 0.0
        rate = 1 / self.scale
        return 2 * math.exp(-rate) / math.expm1(-rate) ** 2

    def mass(self, z: int, /) -> float:
        """P(Z = z) = α^|z| · (1 − α) / (1 + α)."""
        if self.scale == 0:
            return float(z == 0)
        return math.tanh(0.5 / self.scale) * math.exp(-abs(z) / self.scale)

    def tail(self, t: int, /) -> float:
        """P(|Z| > t) = 2 α^(t+1) / (1 + α) for t ≥ 0, and 1 for t < 0."""
        if t < 0:
            return 1.0
        if self.scale == 0:
            return 0.0
        return 2 * math.exp(-(t + 1) / self.scale) / (1 + math.exp(-1 / self.scale))

    def _reach(self, confidence: float) -> int:
        """2 α^(t+1) / (1 + α) ≤ 1 − c  ⇔  t + 1 ≥ −scale · ln((1 − c)(1 + α) / 2), 60 digits."""
        with localcontext(_CONTEXT):
            exact = Decimal(self.scale)
            alpha = (-1 / exact).exp()
            bound = -exact * ((1 - Decimal(confidence)) * (1 + alpha) / 2).ln()
            return max(0, int(bound.to_integral_value(ROUND_CEILING)) - 1)

    def _drawn(self, n: int) -> list[int]:
        return sampler.noise(sampler.laplace(self.scale), n)
