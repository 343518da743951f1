"""Half-widths of output numbers: a weighted sum of independent noises, to first order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

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


def width(weights: Weights, noises: Sequence[Noise], confidence: float) -> float | None:
    """The half-width of Σ weight·noise; None where a weight is no number."""
    if any(not math.isfinite(w) for w in weights.values()):
        return None
    pairs = [(noises[m], abs(w)) for m, w in weights.items() if w and noises[m].scale > 0]
    if not pairs:
        return 0.0
    if len(pairs) == 1:
        ((noise, weight),) = pairs
        return noise.interval(confidence) * weight
    largest = max(noise.scale * weight for noise, weight in pairs)
    # Widths scale with their weights; 3 digits of each ratio are plenty and make them repeat.
    relative = sorted((noise.kind, round(noise.scale * w / largest, 3)) for noise, w in pairs)
    kept = tuple((_UNITS[kind], ratio / 1000) for kind, ratio in relative if ratio > 0)
    return half_width(kept, confidence) * largest
