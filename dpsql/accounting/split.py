"""How the ε of one query is shared by its base measurements."""

from __future__ import annotations

from fractions import Fraction


def split(eps: Fraction, n: int) -> tuple[Fraction, ...]:
    """`n` equal shares of `eps` > 0 that sum to it exactly.

    Raises:
        ValueError: `n` < 1, or `eps` ≤ 0: a measurement without budget cannot be released.
    """
    if n < 1:
        raise ValueError("nothing to split the budget over")
    if eps <= 0:
        raise ValueError("no budget to split")
    return (Fraction(eps) / n,) * n
