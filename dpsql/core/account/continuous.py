"""What discrete Gaussian noise on many numbers costs: hardly more than continuous noise would.

Theorem D. Let one unit move integer vectors f₁, f₂, … by at most L2² = l₁, l₂, …, and let each
coordinate of fᵢ get independent noise P(z) ∝ exp(−z²/2σᵢ²) over all integers. For any sᵢ² < σᵢ² let
    θᵢ = 2·Σ_{k ≥ 1} exp(−2π²sᵢ²k²) < ½,    t = Σ lᵢ·θᵢ,    μ² = Σ lᵢ/(σᵢ² − sᵢ²).
Then all of them together are (ε, δ)-DP where δ ≥ e^t·δ_μ(ε − 3t), with the δ of one continuous
Gaussian number of standard deviation 1 that moves by μ, δ_μ(x) = Q(x/μ − μ/2) − e^x·Q(x/μ + μ/2),
Q(y) = P(N > y). It holds as well where a vector is chosen after the answers to earlier ones were
seen, as long as l and σ stay fixed.

Why. Take one coordinate, f on one database; leave i out. Let y be f plus *continuous* noise of
variance σ² − s², and given y draw an integer z with P(z) ∝ exp(−(z − y)²/2s²), whose sum over all
integers is s√(2π)·(1 + 2·Σ exp(−2π²s²k²)·cos 2πky) (Poisson), within s√(2π)·(1 ± θ). So P(z) is
an integral of products of two Gaussian curves, which is exp(−(z − f)²/2σ²)/σ√(2π), by a factor in
[1/(1 + θ), 1/(1 − θ)]. The discrete noise gives z the probability w·exp(−(z − f)²/2σ²)/σ√(2π)
instead, w being the same for every integer f. Hence it is at most w·(1 + θ) times P(z), and at
least w·(1 − θ) times.
Now let p, p′ be the laws of all coordinates that the unit moves on two neighbours, and q, q′ those
of the z. An integer moves by 1 or not at all, so that of fᵢ at most lᵢ move, and for each set S
    p(S) − e^ε·p′(S) <= W·Π(1 + θ)·(q(S) − e^ε·Π((1 − θ)/(1 + θ))·q′(S)),    W = Πw <= 1,
with Π(1 + θ) <= e^t and Π((1 + θ)/(1 − θ)) <= e^3t (θ < ½). What q and q′ are drawn from is
continuous noise, and z is found without f: so q(S) − e^x·q′(S) <= δ_m(x), where m² is Σ over the
coordinates of d²/(σ² − s²), at most μ²; and δ_m grows with m. The other coordinates do not differ.
Where a vector depends on earlier answers, the same is true of each step given these; and steps of
continuous noise that move by mᵢ each have the δ of one that moves by √Σmᵢ².

Sources. Balle and Wang, ICML 2018, theorem 8, for δ_μ; Dong, Roth and Su, "Gaussian differential
privacy", JRSS B 2022, corollary 3.3, for steps; drawing z is the convolution of Peikert, CRYPTO
2010, theorem 3.1. `several_delta` chooses s: θ falls so fast that s² of about 1 is enough.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from dpsql.core.account.normal_law import CONTEXT, fraction, tail, up

_ROUNDING = Decimal("1e-25")
"""More than all roundings of one formula, as a part of the sizes of its terms."""
_LEAST = Decimal("1e-90")
"""Added to δ for what would underflow."""
_MOST = 10**6
"""ε above which e^ε is not looked at."""
_TWO_PI_SQUARED = Decimal("19.7392088021787")
"""2π², from below: so that θ is not."""


@lru_cache(maxsize=4096)
def several_delta(parts: tuple[tuple[float, int], ...], eps: Fraction) -> Fraction:
    """δ(ε) of noise on all vectors of a query: an upper bound, by theorem D.

    Args:
        parts: (σ, the square of the L2 sensitivity) of each vector, in its lattice units (squared);
            what has no sensitivity is public.
        eps: > 0, exact.

    Returns:
        δ ≤ 1; 1 where noise is so small that nothing is proven.
    """
    private = [(sigma, l2) for sigma, l2 in parts if l2]
    return delta_at(private, [_smooth(*part, eps) for part in private], eps)


def delta_at(
    private: Sequence[tuple[float, int]], smooth: Sequence[Decimal], eps: Fraction
) -> Fraction:
    """e^t·δ_μ(ε − 3t) at these s², rounded up.

    Args:
        private: (σ, l) of each vector, l ≥ 1.
        smooth: s² of each.
        eps: > 0, exact.
    """
    if not private:
        return Fraction(0)
    with localcontext(CONTEXT):
        slack, moved = Decimal(0), Decimal(0)
        for (sigma, l2), square in zip(private, smooth, strict=True):
            left = Decimal(sigma) ** 2 - square
            first = (-_TWO_PI_SQUARED * square).exp()
            if left <= 0 or first > Decimal("0.2"):
                return Fraction(1)
            # The terms fall at least as first^(k² − 1) <= (first³)^(k − 1): 2/(1 − 0.008) < 2.1.
            slack += l2 * first * Decimal("2.1")
            moved += l2 / left
        if slack > 1 or eps > _MOST:
            return Fraction(1)
        mu, e = moved.sqrt(), fraction(eps) - 3 * slack
        most, least = tail(e / mu - mu / 2), e.exp() * tail(e / mu + mu / 2)
        found = slack.exp() * (most - least + (most + least) * _ROUNDING)
        return min(Fraction(1), up(found + _LEAST))


def _smooth(sigma: float, l2: int, eps: Fraction) -> Decimal:
    """s², any number: where what it takes from σ² costs about as much as θ does."""
    allowed = min(float(eps), 1.0) / (120 * max(sigma * sigma, 1.0))
    return Decimal(round(math.log(2.1 * l2 / allowed) / 19.7, 6))
