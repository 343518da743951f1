"""The δ of a threshold: how likely a group comes out that exists because of one unit only."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from dpsql.core.account.normal_law import tail, up

# 1 − (1 − p)^l0 loses up to 90 digits, to p = 10⁻⁹⁰, and 60 are left.
_CONTEXT = Context(prec=150, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_LEAST = Decimal("1e-90")
_ROUNDING = 1 + Decimal("1e-40")


@lru_cache(maxsize=4096)
def delta(scale: float, l0: int, above: int) -> Fraction:
    """1 − (1 − p)^l0 for p = P(Z ≥ above) = α^above / (1 + α), α = exp(−1/scale), rounded up.

    Args:
        scale: of the discrete Laplace noise Z, > 0.
        l0: ≥ 1, the number of groups.
        above: ≥ 0, how far the threshold is above what such a group counts.
    """
    with localcontext(_CONTEXT):
        rate = 1 / Decimal(scale)
        p = (-above * rate).exp() / (1 + (-rate).exp()) * _ROUNDING
        return up((1 - (1 - p) ** l0) * _ROUNDING + _LEAST)


@lru_cache(maxsize=4096)
def gaussian_delta(scale: float, l0: int, above: int) -> Fraction:
    """1 − (1 − p)^l0 for a p ≥ P(Z ≥ above), rounded up; 1 for `above` < 1.

    Claim: P(Z ≥ m) ≤ Q((m − 1)/σ) for m ≥ 1, Q the tail of the standard normal law. Why: the masses
    exp(−z²/2σ²) fall from 0 on, so that those from m on are less than their integral from m − 1 on;
    and all of them add up to at least √(2π)·σ, since by Poisson's formula they are that times
    Σ exp(−2π²σ²k²) ≥ 1. (Canonne, Kamath, Steinke 2020, proposition 25.)

    Args:
        scale: σ of the discrete Gaussian noise Z, > 0.
        l0: ≥ 1, the number of groups.
        above: how far the threshold is above what such a group counts.
    """
    if above < 1:
        return Fraction(1)
    with localcontext(_CONTEXT):
        p = min(Decimal(1), tail(Decimal(above - 1) / Decimal(scale)) * (1 + Decimal("1e-20")))
        return up((1 - (1 - p) ** l0) * _ROUNDING + _LEAST)
