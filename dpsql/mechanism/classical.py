"""The textbook's Gaussian noise, to compare with; nothing here uses it.

Claim. Normal noise with σ² > 2·ln(1.25/δ)·Δ²/ε² is (ε, δ)-differentially private, for ε < 1 only:
for large ε it is too small. The exact calibration in ``mechanism.gaussian`` is valid for every ε
and asks for less. Source: Dwork and Roth, "The algorithmic foundations of differential privacy",
2014, theorem A.1; on its limits: Balle and Wang, ICML 2018.
"""

from __future__ import annotations

import math
from fractions import Fraction


def sigma(l2: float, eps: Fraction, delta: Fraction) -> float:
    """The σ that the classical formula asks for, in the unit of `l2`.

    Args:
        l2: the L2 sensitivity, ≥ 0.
        eps: in (0, 1).
        delta: in (0, 1).

    Raises:
        ValueError: an argument is out of range; above all ε ≥ 1, where the formula is wrong.
    """
    if not 0 < eps < 1:
        raise ValueError("the classical formula holds for 0 < ε < 1 only")
    if not 0 < delta < 1 or l2 < 0:
        raise ValueError("δ must be between 0 and 1, and a sensitivity not negative")
    return l2 * math.sqrt(2 * math.log(1.25 / delta)) / float(eps)
