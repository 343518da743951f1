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

The scale is a float because OpenDP takes one; a float is an exact rational, OpenDP samples for
exactly that rational, and `calibrate` proves by fractions that it is large enough. OpenDP's own
privacy map takes the same Δ/scale in floats and rounds it upward twice (Δ to a float, then the
quotient), so that eps(Δ) ≤ map(Δ) ≤ eps(Δ)·(1 + 2⁻⁵¹); the tests compare the two.

The noise is drawn on zeros and added to Python ints, which have no largest value: no data is ever
cast to i64. OpenDP saturates noise at ±2⁶³; with scale ≤ 2⁵⁵ that has a probability below
exp(−256) ≈ 10⁻¹¹¹ a draw, which is neglected. Randomness is OpenDP's: OpenSSL's generator,
seeded by the operating system and reseeded in forked children.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from dpsql.core.account.events import DiscreteLaplaceEvent
from dpsql.core.noise import sampler
from dpsql.core.noise.protocol import NoiseError

MAX_SCALE = 2.0**55
"""In lattice units; beyond it, noise could come near the i64 that OpenDP draws."""

# 60 digits: thresholds up to 10^20 are exact with 40 to spare. No traps: exp may go to 0.
_CONTEXT = Context(prec=60, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


@dataclass(frozen=True, slots=True)
class DiscreteLaplace:
    """Integer noise with P(z) ∝ exp(−|z| / scale).

    Attributes:
        scale: in lattice units, 0 ≤ scale ≤ `MAX_SCALE`; 0 is no noise, for public constants.

    Raises:
        NoiseError: any other scale.
    """

    scale: float

    def __post_init__(self) -> None:
        if not (type(self.scale) is float and 0 <= self.scale <= MAX_SCALE):
            raise NoiseError(f"a noise scale must be a float in [0, 2^55], not {self.scale!r}")

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
            raise NoiseError("the noise would not fit 64 bits: take a coarser lattice or more ε")
        scale = float(exact)  # the nearest float, which may be below
        if Fraction(scale) < exact:
            scale = math.nextafter(scale, math.inf)
        return cls(scale)

    def eps(self, l1: int) -> Fraction:
        """The exact ε of this noise on a vector of L1 sensitivity `l1` (lattice units).

        Raises:
            NoiseError: `l1` > 0 without noise, or `l1` < 0.
        """
        return self.event(l1).cost.eps

    def event(self, l1: int, /) -> DiscreteLaplaceEvent:
        """The record of this noise on a vector of L1 sensitivity `l1` (lattice units).

        Raises:
            NoiseError: `l1` > 0 without noise, or `l1` < 0.
        """
        if l1 < 0 or (l1 > 0 and self.scale == 0):
            raise NoiseError("a private number needs noise")
        return DiscreteLaplaceEvent(self.scale, l1)

    @property
    def kind(self) -> str:
        """Its name."""
        return "laplace"

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

    def interval(self, confidence: float, /) -> int:
        """The smallest t with P(|Z| ≤ t) ≥ `confidence`, in lattice units.

        2 α^(t+1) / (1 + α) ≤ 1 − c  ⇔  t + 1 ≥ −scale · ln((1 − c)(1 + α) / 2), with 60 digits.

        Raises:
            ValueError: `confidence` is not in [0, 1).
        """
        if not 0 <= confidence < 1:
            raise ValueError("a confidence must be in [0, 1)")
        return _interval(self.scale, confidence) if self.scale else 0

    def draw(self, n: int, /) -> list[int]:
        """`n` independent draws in one call, fresh each time: about 6 µs a value.

        Raises:
            NoiseError: the sampler failed.
            ValueError: `n` < 0.
        """
        return sampler.drawn(sampler.laplace, self.scale, n)


@lru_cache(maxsize=65536)
def _interval(scale: float, confidence: float) -> int:
    with localcontext(_CONTEXT):
        exact = Decimal(scale)
        alpha = (-1 / exact).exp()
        bound = -exact * ((1 - Decimal(confidence)) * (1 + alpha) / 2).ln()
        return max(0, int(bound.to_integral_value(ROUND_CEILING)) - 1)
