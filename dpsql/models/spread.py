"""How far numbers are off that are made of noise: from draws of it, the same draws each time."""

from __future__ import annotations

import math
from hashlib import sha256
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

CONFIDENCE = 0.95
RUNS = 4000
"""Draws of the noise for half-widths: 95 % of them is known to a third of a percent."""
_NORMAL = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def half_width(spread: Array) -> float:
    """Of draws of what a number is off."""
    return float(np.quantile(np.abs(spread), CONFIDENCE)) if len(spread) else 0.0


def sampled(variance: float) -> float:
    """The half-width of a sampling error of that variance."""
    return _NORMAL * math.sqrt(max(variance, 0.0))


def seeded(*told: object) -> np.random.Generator:
    """Draws that are the same for the same numbers: a stored answer has the same intervals."""
    return np.random.default_rng(int.from_bytes(sha256(repr(told).encode()).digest()[:8], "big"))
