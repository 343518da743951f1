"""From Rényi divergences to (ε, δ) and back, each rounded to the safe side.

Claim. Let the divergence of order α > 1 between the outputs on neighbours be at most D, in both
directions. Then they are (ε, δ)-close for each ε ≥ 0, with β = α − 1 and
    δ = exp(β·(D − ε)) / β · (1 − 1/α)^α,   hence
    D = ε + (ln δ + ln β − α·ln(β/α)) / β   and   ε = D − (ln δ + ln β − α·ln(β/α)) / β.
One α is enough. With D = α·ρ it is theorem B in ``gaussian_loss``, which may choose α freely.
Source: Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy", NeurIPS 2020,
proposition 12 and corollary 13.

Logarithms are right to half a unit in the 60th digit; 1e-50 of the sizes of all terms is taken off
for that, or added, before 20 digits are kept.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from dpsql.core.account.gaussian_loss import highest
from dpsql.core.account.normal_law import CONTEXT, down, fraction, up

_ROUNDING = Decimal("1e-50")
_ZERO = Fraction(0)


@lru_cache(maxsize=4096)
def divergence_for(order: Fraction, eps: Fraction, delta: Fraction) -> Fraction:
    """The largest divergence of that order that proves (ε, δ), rounded down; 0 if none does.

    Args:
        order: α > 1, exact.
        eps: ≥ 0, exact.
        delta: in (0, 1), exact.

    Raises:
        ValueError: an argument is out of range.
        TypeError: an argument is not exact.
    """
    _check(order, eps, delta)
    with localcontext(CONTEXT):
        offset, size = _offset(fraction(order), delta)
        whole = fraction(eps)
        return max(_ZERO, down(whole + offset - (whole + size) * _ROUNDING))


def eps_of_divergence(order: Fraction, divergence: Fraction, delta: Fraction) -> Fraction:
    """The least ε that a divergence of that order proves at δ, rounded up.

    Args:
        order: α > 1, exact.
        divergence: ≥ 0, exact.
        delta: in (0, 1), exact.

    Raises:
        ValueError: an argument is out of range.
        TypeError: an argument is not exact.
    """
    _check(order, divergence, delta)
    if not divergence:
        return _ZERO
    with localcontext(CONTEXT):
        return _eps(fraction(order), fraction(divergence), delta)


def eps_of_rho(rho: Fraction, delta: Fraction) -> Fraction:
    """The least ε, or hardly more, that ρ of zero-concentrated privacy proves at δ, rounded up.

    Args:
        rho: ≥ 0, exact.
        delta: in (0, 1), exact.

    Raises:
        ValueError: an argument is out of range.
        TypeError: an argument is not exact.
    """
    _check(Fraction(2), rho, delta)
    if not rho:
        return _ZERO
    r, log_delta = float(rho), math.log(delta)

    def saved(log_beta: float) -> float:
        beta = math.exp(log_beta)
        alpha = 1 + beta
        return (log_delta + log_beta + alpha * math.log1p(1 / beta)) / beta - alpha * r

    beta = Decimal(f"{math.exp(highest(saved, -30.0, 60.0)):.6e}")
    with localcontext(CONTEXT):
        return _eps(1 + beta, (1 + beta) * fraction(rho), delta)


def _eps(alpha: Decimal, divergence: Decimal, delta: Fraction) -> Fraction:
    offset, size = _offset(alpha, delta)
    return max(_ZERO, up(divergence - offset + (divergence + size) * _ROUNDING))


def _offset(alpha: Decimal, delta: Fraction) -> tuple[Decimal, Decimal]:
    """((ln δ + ln β − α·ln(β/α)) / β, the sizes of its terms), in the current context."""
    beta = alpha - 1
    logs = (fraction(delta).ln(), beta.ln(), alpha * alpha.ln(), -alpha * beta.ln())
    terms = [term / beta for term in logs]
    return sum(terms, Decimal(0)), sum((abs(term) for term in terms), Decimal(0))


def _check(order: Fraction, amount: Fraction, delta: Fraction) -> None:
    if any(type(x) is not Fraction for x in (order, amount, delta)):
        raise TypeError("orders, losses and δ must be Fractions")
    if order <= 1 or amount < 0 or not 0 < delta < 1:
        raise ValueError("an order must pass 1, a loss must not be negative, δ be between 0 and 1")
