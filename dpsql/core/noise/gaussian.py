"""Discrete Gaussian noise, for vectors of which one unit moves many numbers.

Claim. Let a query measure integer vectors f₁, …, fₙ, let one unit move fᵢ by at most Δᵢ in L2, and
let each coordinate of fᵢ get independent noise P(z) ∝ exp(−z²/2σᵢ²) over all integers z. Then all
of them together are (ε, δ)-differentially private where Σ Δᵢ²/(2σᵢ²) ≤ ρ(ε, δ), or where continuous
noise of hardly less σ would be; and where one unit moves one number only, by at most Δ, already
where σ passes the exact condition on δ.
Why, and sources: theorems A, B and C in ``account.gaussian_loss`` and D in
``account.continuous``, which alone say what noise costs.

The sampler, exact on integers, with no floating-point number in it: Canonne, Kamath, Steinke, "The
discrete Gaussian for differential privacy", NeurIPS 2020, algorithm 3, as implemented and proved
by OpenDP (``make_gaussian`` on vectors of i64).

The tail. Up to σ = 64 it is summed. Beyond, the sum from t + 1 on is an integral from a = t + ½ on
with the corrections of Euler and Maclaurin at a, of which three leave less than 10⁻²⁰ of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import ClassVar, TypeVar

from dpsql.core.account.continuous import several_delta
from dpsql.core.account.events import GaussianEvent
from dpsql.core.account.gaussian_loss import rho_for, shift_delta
from dpsql.core.account.normal_law import CONTEXT, density, tail
from dpsql.core.noise import sampler
from dpsql.core.noise.integer_noise import MAX_SCALE, Noise, too_wide

_SUMMED = 64
_T = TypeVar("_T", float, Decimal)
_NEAR = 1e-6
"""How near to the smallest σ the search for the exact condition goes, as a part of it."""
_CLOSE = 1e-4
"""The same for the noise of several numbers."""


@dataclass(frozen=True, slots=True)
class DiscreteGaussian(Noise):
    """Integer noise with P(z) ∝ exp(−z² / (2·scale²)): its scale is σ."""

    kind: ClassVar[str] = "gaussian"

    @classmethod
    def calibrate(cls, l2_squared: int, rho: Fraction) -> DiscreteGaussian:
        """The smallest σ that spends at most `rho` on a vector.

        Args:
            l2_squared: the square of the L2 sensitivity, in lattice units squared, ≥ 0; 0 needs
                no noise.
            rho: > 0, exact: its share of the ρ of a query (`rho_for`).

        Returns:
            Noise whose σ is the smallest float with l2_squared / (2σ²) ≤ rho.

        Raises:
            NoiseError: σ would pass `MAX_SCALE`; a coarser lattice or more ε is needed.
            ValueError: `l2_squared` < 0 or `rho` ≤ 0.
            TypeError: `l2_squared` or `rho` is not exact.
        """
        if type(l2_squared) is not int or type(rho) is not Fraction:
            raise TypeError("l2_squared must be an int and rho a Fraction")
        if l2_squared < 0 or rho <= 0:
            raise ValueError("l2_squared must not be negative and rho must be positive")
        square = l2_squared / (2 * rho)
        if square > Fraction(MAX_SCALE) ** 2:
            raise too_wide()
        sigma = math.sqrt(square)  # nearly the nearest float
        while Fraction(sigma) ** 2 < square:
            sigma = math.nextafter(sigma, math.inf)
        while sigma and Fraction(below := math.nextafter(sigma, 0.0)) ** 2 >= square:
            sigma = below
        return cls(sigma)

    @classmethod
    def analytic(cls, shift: int, eps: Fraction, delta: Fraction) -> DiscreteGaussian:
        """The smallest σ for one number that one unit moves by at most `shift`.

        Args:
            shift: Δ in lattice units, ≥ 0; 0 needs no noise.
            eps: > 0, exact.
            delta: in (0, 1), exact.

        Returns:
            Noise that meets the exact condition, proven, with σ at most a millionth above what
            fails it, and never above what zero-concentrated privacy asks for.

        Raises:
            NoiseError: σ would pass `MAX_SCALE`; a coarser lattice or more ε is needed.
            ValueError: an argument is out of range.
            TypeError: an argument is not exact.
        """
        safe = cls.calibrate(shift * shift, rho_for(eps, delta))
        return cls(_of_one(shift, eps, delta, safe.scale)) if shift else safe

    @property
    def variance(self) -> float:
        """In lattice units squared; from σ = 3 on it is σ² to 70 digits (Poisson summation)."""
        if self.scale >= 3:
            return self.scale * self.scale
        masses = _masses(self.scale)
        return 2 * math.fsum(z * z * p for z, p in enumerate(masses)) / _sum(masses)

    def mass(self, z: int, /) -> float:
        """P(Z = z) = exp(−z² / 2σ²) / Σ; from σ = 3 on Σ is σ·√2π to 70 digits (Poisson)."""
        if self.scale >= 3:
            x = z / self.scale
            return math.exp(-x * x / 2) / (self.scale * math.sqrt(2 * math.pi))
        masses = _masses(self.scale)
        return masses[abs(z)] / _sum(masses) if abs(z) < len(masses) else 0.0

    def tail(self, t: int, /) -> float:
        """P(|Z| > t); 1 for t < 0."""
        if t < 0:
            return 1.0
        if self.scale < _SUMMED:
            masses = _masses(self.scale)
            return 2 * math.fsum(masses[t + 1 :]) / _sum(masses)
        x = (t + 0.5) / self.scale
        density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        return math.erfc(x / math.sqrt(2)) - 2 * density * _correction(x, self.scale)

    def _reach(self, confidence: float) -> int:
        with localcontext(CONTEXT):
            allowed = 1 - Decimal(confidence)
            return (_summed if self.scale < _SUMMED else _smooth)(self.scale, allowed)

    def _drawn(self, n: int) -> list[int]:
        return sampler.noise(sampler.gaussian(self.scale), n)


def joint(
    l2_squared: Sequence[int],
    eps: Fraction,
    delta: Fraction,
    *,
    shares: Sequence[Fraction] | None = None,
    one_number: bool = False,
    shared: bool = False,
) -> tuple[tuple[DiscreteGaussian, ...], GaussianEvent]:
    """Noise for all the vectors that a query measures, and the one record of it.

    Args:
        l2_squared: of each vector, in its own lattice units squared; 0 for a public constant.
        eps: of the whole query, > 0, exact.
        delta: of the whole query, in (0, 1), exact.
        shares: of each vector in ρ, > 0 where it is private, with a sum of at most 1; None for
            equal shares of the private ones. Σ wᵢ·σᵢ is least for shares ∝ (wᵢ²·l2_squaredᵢ)^⅓.
        one_number: a neighbour moves at most one number of one vector (all others are public).
        shared: a vector stands for several that share what a neighbour can move, of other σ.

    Returns:
        (the noise of each vector, the event), where the event's cost is at most (eps, delta).
        Unless `shared`, σ are as much below those of that ρ, all by one factor, as theorem D
        proves, but for a ten-thousandth.

    Raises:
        NoiseError: a σ would pass `MAX_SCALE`.
        ValueError: an argument is out of range.
        TypeError: an argument is not exact.
    """
    rho = rho_for(eps, delta)
    private = sum(l2 > 0 for l2 in l2_squared)
    if shares is None:
        shares = [Fraction(int(l2 > 0), private or 1) for l2 in l2_squared]
    if len(shares) != len(l2_squared) or sum(shares) > 1:
        raise ValueError("shares must be as many as vectors, and at most 1 together")
    if one_number and private > 1:
        raise ValueError("two private vectors are more than one number")
    noises = []
    for l2, share in zip(l2_squared, shares, strict=True):
        if one_number and l2 > 0:
            shift = math.isqrt(l2 - 1) + 1  # the least integer that the move cannot pass
            noises.append(DiscreteGaussian.analytic(shift, eps, delta))
        else:
            noises.append(DiscreteGaussian.calibrate(l2, rho * share if l2 else rho))
    parts = tuple((noise.scale, l2) for noise, l2 in zip(noises, l2_squared, strict=True))
    if private and not one_number and not shared:
        parts = _times(parts, _of_several(parts, eps, delta))
    event = GaussianEvent(parts, eps, delta, one_number=one_number, shared=shared)
    return tuple(DiscreteGaussian(sigma) for sigma, _ in parts), event


@lru_cache(maxsize=4096)
def _of_one(shift: int, eps: Fraction, delta: Fraction, high: float) -> float:
    """About the smallest σ that meets the exact condition."""
    return _smallest(lambda sigma: shift_delta(sigma, shift, eps), delta, high, _NEAR)


@lru_cache(maxsize=4096)
def _of_several(parts: tuple[tuple[float, int], ...], eps: Fraction, delta: Fraction) -> float:
    """By what all σ may be multiplied, at most 1: about the least that theorem D proves."""
    return _smallest(lambda part: several_delta(_times(parts, part), eps), delta, 1.0, _CLOSE)


def _times(parts: tuple[tuple[float, int], ...], factor: float) -> tuple[tuple[float, int], ...]:
    return tuple((sigma * factor, l2) for sigma, l2 in parts)


def _smallest(reach: Callable[[float], Fraction], delta: Fraction, high: float, by: float) -> float:
    """About the smallest size of noise that reaches no more than δ: what it returns does not, or is
    `high`. It goes as near to it as `by`, as a part of it.
    """

    def excess(size: float) -> float:
        """> 0 where the condition is not met."""
        reached = reach(size)
        near = math.log(reached / delta)
        return max(near, math.ulp(1.0)) if reached > delta else near

    above = excess(high)
    if above > 0:
        return high  # where bounds are too loose
    low, below = high / 2, excess(high / 2)
    while below <= 0:
        low, high, below, above = low / 2, low, excess(low / 2), below
    # Regula falsi in the logarithm, halving the weight of an end that stays (Illinois).
    side = 0
    while high - low > by * high:
        share = below / (below - above) if below > above else 0.5
        middle = low + (high - low) * min(max(share, 1e-3), 1 - 1e-3)
        value = excess(middle)
        if value > 0:
            low, below = middle, value
            above = above / 2 if side > 0 else above
            side = 1
        else:
            high, above = middle, value
            below = below / 2 if side < 0 else below
            side = -1
    return high


@lru_cache(maxsize=256)
def _masses(sigma: float) -> tuple[float, ...]:
    """P(z) for z = 0, 1, … but for a factor, until they underflow; `sigma` < `_SUMMED`."""
    masses = [1.0]
    while sigma and masses[-1] > 0:
        ratio = len(masses) / sigma
        masses.append(math.exp(-ratio * ratio / 2))
    return tuple(masses)


def _sum(masses: tuple[float, ...]) -> float:
    return 2 * math.fsum(masses) - 1


def _summed(sigma: float, allowed: Decimal) -> int:
    """The smallest t with P(|Z| > t) ≤ `allowed`, by 60-digit sums."""
    rate = 1 / (2 * Decimal(sigma) ** 2)
    masses = [Decimal(1)]
    ratio, fall = (-rate).exp(), (-2 * rate).exp()
    while masses[-1] > Decimal("1e-55"):
        masses.append(masses[-1] * ratio)
        ratio *= fall
    left = allowed * (2 * sum(masses, Decimal(0)) - 1) / 2
    t = len(masses) - 1
    while t and (left := left - masses[t]) >= 0:
        t -= 1
    return t


def _smooth(sigma: float, allowed: Decimal) -> int:
    """The same by Newton's method on the smooth formula, to 25 digits."""
    exact = Decimal(sigma)
    x = Decimal(-NormalDist().inv_cdf(float(allowed / 2)))
    for _ in range(4):
        x += (tail(x) - allowed / 2) / density(x) - _correction(x, exact)
    return max(0, int((x * exact - Decimal("0.5")).to_integral_value(ROUND_CEILING)))


def _correction(x: _T, sigma: _T) -> _T:
    """(∫ f from a on − Σ f from t + 1 on) / (σ·f(a)) at a = xσ, by derivatives 1, 3 and 5 of f."""
    square, power = x * x, sigma * sigma
    third, fifth = square - 3, square * square - 10 * square + 15
    series = 1 / (24 * power) - 7 * third / (5760 * power**2) + 31 * fifth / (967680 * power**3)
    return x * series
