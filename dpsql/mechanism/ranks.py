"""How far a rank is off that is the sum of several errors with two-sided exponential laws.

Claim: Σ eᵢ, eᵢ with density ∝ exp(−|x|/spreadᵢ), is within `off` with the wanted probability, up to
a step of 1/`FINE` of the largest spread. Why: on a lattice of that step each law is a convolution
with a geometric series to either side, which is a running sum forwards and one backwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

FINE = 64
"""Steps of the lattice in the largest spread."""

BEYOND = 12
"""Spreads beyond the quantile after which nothing is left."""


def off(spreads: Sequence[Fraction], confidence: float) -> float:
    """How far the sum is from 0, at most, with that probability.

    Args:
        spreads: > 0, or 0 for an error that is none; at least one.
        confidence: in [0, 1).
    """
    largest = max(spreads)
    if not largest:
        return 0.0
    parts = tuple(sorted(float(spread / largest) for spread in spreads if spread))
    return float(largest) * _relative(parts, confidence)


@lru_cache(maxsize=1024)
def _relative(parts: tuple[float, ...], confidence: float) -> float:
    reach = math.ceil(len(parts) * FINE * (BEYOND - math.log(1 - confidence)))
    law = [0.0] * reach + [1.0] + [0.0] * reach
    for part in parts:
        ratio = math.exp(-1 / (FINE * part))
        for places, before in (
            (range(1, len(law)), -1),
            (range(len(law) - 2, -1, -1), 1),
        ):
            for i in places:
                law[i] += ratio * law[i + before]
    missed, total = 0.0, math.fsum(law)
    for far in range(reach):
        missed += law[far] + law[-1 - far]
        if missed > (1 - confidence) * total:
            return (reach - far) / FINE
    return 0.0
