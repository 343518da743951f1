"""The δ of a threshold: how likely a group comes out that exists because of one unit only."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from dpsql.accounting.normal import up

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
