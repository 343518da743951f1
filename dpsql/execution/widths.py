"""Half-widths of output numbers: a weighted sum of independent noises, to first order."""

from __future__ import annotations

import math
from collections.abc import Mapping

from dpsql.mechanism.laplace import DiscreteLaplace
from dpsql.mechanism.tails import half_width

Weights = Mapping[int, float]
"""Measure number -> weight in output units per lattice step."""


def width(weights: Weights, noises: tuple[DiscreteLaplace, ...], confidence: float) -> float | None:
    """The half-width of Σ weight·noise; None where a weight is no number."""
    if any(not math.isfinite(w) for w in weights.values()):
        return None
    pairs = [(noises[m].scale, abs(w)) for m, w in weights.items() if w and noises[m].scale > 0]
    if not pairs:
        return 0.0
    if len(pairs) == 1:
        ((scale, weight),) = pairs
        return DiscreteLaplace(scale).interval(confidence) * weight
    largest = max(scale * weight for scale, weight in pairs)
    # Widths scale with their weights; 3 digits of each ratio are plenty and make them repeat.
    relative = tuple(
        sorted((1000.0, round(scale * weight / largest, 3) / 1000) for scale, weight in pairs)
    )
    kept = tuple((s, w) for s, w in relative if w > 0)
    return half_width(kept, confidence) * largest
