"""What discrete Gaussian noise costs: ρ of zero-concentrated privacy, and (ε, δ) from it.

Theorem A (joint). Let one unit move integer vectors f₁, f₂, … by at most L2² = l₁, l₂, …, and let
each coordinate of fᵢ get independent noise P(z) ∝ exp(−z²/2σᵢ²) over all integers. Then the Rényi
divergence of order α between the outputs on neighbours is at most α·ρ, ρ = Σ lᵢ/(2σᵢ²), for every
α > 1 (each coordinate that moves by d adds at most α·d²/2σᵢ²): ρ-zCDP. It holds as well where a
vector is chosen after the answers to earlier ones were seen, as long as Σ stays fixed.
Source: Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy", NeurIPS 2020,
theorem 14; composition: Bun and Steinke, TCC 2016, lemma 7.

Theorem B (conversion). ρ-zCDP implies (ε, δ)-DP with
    δ = exp((α − 1)(αρ − ε)) / (α − 1) · (1 − 1/α)^α     for each α > 1.
Source: the same paper, corollary 13. Solved for ρ, with β = α − 1:
    ρ = (ε + (ln δ + ln β − α·ln(β/α)) / β) / α.
Each α gives a valid ρ, so α may be searched in floats; ρ is then taken at that α in Decimal.

Theorem C (one number). Let a neighbour move one number, and only it, by an integer d, |d| ≤ Δ. Then
the noise is (ε, δ)-DP exactly if δ ≥ Σ_{z > t} (p(z) − e^ε·p(z + Δ)), t = εσ²/Δ − Δ/2.
Why: ln p(z)/p(z + d) = (2zd + d²)/2σ² passes ε exactly for z > εσ²/d − d/2 (d > 0), so that the sum
is the largest P(S) − e^ε·P′(S) over all sets S for d = Δ. The largest never falls as d grows: for
d < Δ it is reached by a set S = {y ≥ k} (p against p moved down by d), and P(Z − d ≥ k) is at least
P(Z − Δ ≥ k), so S does no worse against Δ. Negative d: p is symmetric.
Source: theorem 7 of the same paper, for d = Δ.

Theorem C is summed term by term up to σ = `_SUMMED`. Beyond, sums are bounded by integrals. With
p ∝ f, f(x) = exp(−x²/2σ²), the integral of f over the unit cell around z is f(z) times
    ∫_{−½}^{½} cosh(zu/σ²)·exp(−u²/2σ²) du,
at least 1 − 1/24σ² (cosh ≥ 1, exp(−v) ≥ 1 − v) and at most sinh(h)/h ≤ exp(h²/6), h = |z|/2σ².
And Σ f(z) = σ√(2π)·(1 + 2·Σ exp(−2π²σ²k²)) (Poisson) is at least σ√(2π), and equal to 70 digits
from σ = 3 on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from dpsql.core.account.normal_law import CONTEXT, ROOT_TWO_PI, down, fraction, tail, up

_SUMMED = 300.0
_FAR = 40
"""Standard deviations below which a lower end of summation means δ = 1, near enough."""
_ROUNDING = Decimal("1e-25")
"""More than all roundings of one formula, as a part of the sizes of its terms."""
_LEAST = Decimal("1e-90")
"""Added to δ for what would underflow."""


def rho(parts: tuple[tuple[float, int], ...]) -> Fraction:
    """Σ l2_squared / (2σ²) over the parts (σ, l2_squared), exact; σ > 0 where l2_squared > 0."""
    return sum((Fraction(l2) / (2 * Fraction(sigma) ** 2) for sigma, l2 in parts if l2), Fraction())


@lru_cache(maxsize=4096)
def rho_for(eps: Fraction, delta: Fraction) -> Fraction:
    """The largest ρ, but for the last of 20 digits or so, for which ρ-zCDP implies (ε, δ)-DP.

    Args:
        eps: > 0, exact.
        delta: in (0, 1), exact.

    Returns:
        ρ > 0, rounded down: theorem B at one α proves it.

    Raises:
        ValueError: `eps` or `delta` is out of range.
        TypeError: `eps` or `delta` is not exact.
    """
    _check(eps, delta)
    e, log_delta = float(eps), math.log(delta)

    def reached(log_beta: float) -> float:
        beta = math.exp(log_beta)
        alpha = 1 + beta
        return (e + (log_delta + log_beta + alpha * math.log1p(1 / beta)) / beta) / alpha

    beta = Decimal(f"{math.exp(highest(reached, -21.0, 60.0)):.6e}")
    with localcontext(CONTEXT):
        alpha = 1 + beta
        logs = (fraction(delta).ln(), beta.ln(), alpha * alpha.ln(), -alpha * beta.ln())
        terms = (fraction(eps), *(term / beta for term in logs))
        size = sum((abs(term) for term in terms), Decimal(0))
        return down((sum(terms, Decimal(0)) - size * Decimal("1e-50")) / alpha)


@lru_cache(maxsize=4096)
def shift_delta(sigma: float, shift: int, eps: Fraction) -> Fraction:
    """δ(ε) of noise on one number that moves by at most `shift`: an upper bound, by theorem C.

    Args:
        sigma: > 0, in lattice units.
        shift: Δ ≥ 1, in lattice units.
        eps: > 0, exact.

    Returns:
        δ ≤ 1, exact to 19 digits up to σ = 300; beyond, too large by 4 % of itself or less (which
        costs 0.4 % of σ), and the less, the larger σ and Δ are.

    Raises:
        ValueError: an argument is out of range.
        TypeError: `eps` or `shift` is not exact.
    """
    _check(eps, Fraction(1, 2))
    if type(shift) is not int:
        raise TypeError("a shift must be an int")
    if shift < 1 or not 0 < sigma < math.inf:
        raise ValueError("a shift and its noise must be positive")
    first = math.floor(eps * Fraction(sigma) ** 2 / shift - Fraction(shift, 2)) + 1
    if first < -_FAR * sigma:
        return Fraction(1)
    with localcontext(CONTEXT):
        method = _summed if sigma <= _SUMMED else _bounded
        return min(Fraction(1), up(method(Decimal(sigma), first, shift, fraction(eps)) + _LEAST))


def _summed(sigma: Decimal, first: int, shift: int, eps: Decimal) -> Decimal:
    """Σ_{z ≥ first} f(z)·(1 − e^ε·f(z + Δ)/f(z)) / Σ f, all terms positive."""
    twice = 2 * sigma * sigma
    value, ratio = (-first * first / twice).exp(), (-(2 * first + 1) / twice).exp()
    gain, step = (eps - shift * (2 * first + shift) / twice).exp(), (-2 * shift / twice).exp()
    fall = (-2 / twice).exp()
    start, total, z = value, Decimal(0), first
    while True:
        total += value * (1 - gain)
        value *= ratio
        # What is left is less than the geometric series, since the ratios fall.
        if z >= 0 and (left := value / (1 - ratio)) <= total * _ROUNDING + _LEAST * start:
            break
        ratio *= fall
        gain *= step
        z += 1
    # 1 − gain has lost at most 12 digits to the difference, but in the first term all that it had.
    return (total * (1 + _ROUNDING) + left + start * Decimal("1e-40")) / least_sum(sigma)


def least_sum(sigma: Decimal) -> Decimal:
    """Σ f(z) over all integers z, not above it."""
    if sigma >= 3:
        return sigma * ROOT_TWO_PI * (1 - _ROUNDING)
    squares = ((-z * z / (2 * sigma * sigma)).exp() for z in range(1, 2 + int(12 * sigma)))
    return (1 + 2 * sum(squares, Decimal(0))) * (1 - _ROUNDING)


def _bounded(sigma: Decimal, first: int, shift: int, eps: Decimal) -> Decimal:
    """The same sum, from above: by integrals from half a step below its ends."""
    square = sigma * sigma
    most = tail((first - Decimal("0.5")) / sigma) / (1 - 1 / (24 * square))
    low = first + shift
    high = low + int(sigma * (2 * (1000 * square).ln()).sqrt())
    inside = tail((low - Decimal("0.5")) / sigma) - tail((high + Decimal("0.5")) / sigma)
    h = max(abs(low), abs(high)) / (2 * square)
    least = inside * (-h * h / 6).exp()
    return most * (1 + _ROUNDING) - eps.exp() * least * (1 - _ROUNDING)


def highest(f: Callable[[float], float], low: float, high: float) -> float:
    """Where the unimodal `f` is about highest: golden sections of [low, high]."""
    part = (math.sqrt(5) - 1) / 2
    a, b = high - part * (high - low), low + part * (high - low)
    at_a, at_b = f(a), f(b)
    for _ in range(44):
        if at_a < at_b:
            low, a, at_a = a, b, at_b
            b = low + part * (high - low)
            at_b = f(b)
        else:
            high, b, at_b = b, a, at_a
            a = high - part * (high - low)
            at_a = f(a)
    return (low + high) / 2


def _check(eps: Fraction, delta: Fraction) -> None:
    if type(eps) is not Fraction or type(delta) is not Fraction:
        raise TypeError("ε and δ must be Fractions")
    if eps <= 0 or not 0 < delta < 1:
        raise ValueError("ε must be positive and δ between 0 and 1")
