"""Half-widths of output numbers: a weighted sum of independent noises, to first order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist

from dpsql.mechanism.gaussian import DiscreteGaussian
from dpsql.mechanism.laplace import DiscreteLaplace
from dpsql.mechanism.protocol import Noise
from dpsql.mechanism.tails import half_width

Weights = Mapping[int, float]
"""Measure number -> weight in output units per lattice step."""


_UNITS: Mapping[str, Noise] = {
    "laplace": DiscreteLaplace(1000.0),
    "gaussian": DiscreteGaussian(1000.0),
}
"""Noise that is as good as continuous, for sums of which only the shape counts."""


def width(
    weights: Weights, noises: Sequence[Noise], confidence: float, coins: object = 0.0
) -> float | None:
    """The half-width of Σ weight·noise, plus a normal noise of the standard deviation `coins`; None
    where one of these is no number.
    """
    if not isinstance(coins, float) or not math.isfinite(coins):
        return None
    if any(not math.isfinite(w) for w in weights.values()):
        return None
    pairs = [(noises[m], abs(w)) for m, w in weights.items() if w and noises[m].scale > 0]
    if not pairs:
        return coins * NormalDist().inv_cdf((1 + confidence) / 2)
    if len(pairs) == 1 and not coins:
        ((noise, weight),) = pairs
        return noise.interval(confidence) * weight
    parts = [(noise.kind, noise.scale * weight) for noise, weight in pairs]
    parts += [("gaussian", coins)] if coins else []
    largest = max(size for _, size in parts)
    # Widths scale with their weights; 3 digits of each ratio are plenty and make them repeat.
    relative = sorted((kind, round(size / largest, 3)) for kind, size in parts)
    kept = tuple((_UNITS[kind], ratio / 1000) for kind, ratio in relative if ratio > 0)
    return half_width(kept, confidence) * largest
