"""How much the accuracy of each measurement matters, and the parts of ε that follow.

ε is shared so that the sum of the expected relative half-widths of the answers is small. Let
measure i get noise of scale Δᵢ/εᵢ, and let column o move by |∂o/∂i| with it. The sum over the
columns of wₒ·Σᵢ |∂o/∂i|·Δᵢ/(εᵢ·|o|) is Σᵢ Aᵢ/εᵢ with constants Aᵢ, which is least, for a given sum
of the εᵢ, where εᵢ ∝ √Aᵢ (Cauchy and Schwarz). The A are taken at typical values: as many rows
everywhere, each value about the middle of its range. They are functions of the query and the policy
alone; the shares add up to ε whatever they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.tails import half_width
from dpsql.core.release.decode import Noisy, value, weights, widest
from dpsql.core.release.formulas import Bins, Exceeds, Formula, terms
from dpsql.core.release.measures import Kind, Measure
from dpsql.core.release.release import Release

TYPICAL_ROWS = 10_000
"""Rows in a group, where the relative widths of a query's columns are compared."""

TYPICAL_CLIP = 10
"""Rows of a unit, where clips are found when the query is run."""

LEAST_PART = 1 / 16
"""Of what the noisiest measurement of an aggregate adds to its width, what each is taken to add."""

GRAIN = 1000
"""Shares of ε are multiples of one part in so many of the largest."""


def importances(point: Release, wanted: Mapping[int, Fraction]) -> list[float]:
    """A of each family, at its first measure."""
    noisy = typical(point)
    found = [0.0] * len(point.measures)
    for output in point.outputs:
        read = terms(output.formula)
        if not read:
            continue
        slopes = weights(output.formula, noisy)
        if slopes is None:
            slopes = {term.measure: 1.0 for term in read}
        size, weight = _size(output.formula, noisy), float(wanted.get(output.column.id, 1))
        moved = {m: abs(slope) * _reach(point.measures[m]) for m, slope in slopes.items()}
        # At the typical values a derivative may vanish by chance; at those of the data it does not.
        least = max(moved.values(), default=0.0) * LEAST_PART
        squares: dict[int, float] = {}
        for measure, reach in moved.items():
            family = point.measures[measure].family
            squares[family] = squares.get(family, 0.0) + max(reach, least) ** 2
        for family, square in squares.items():  # of one scale, and independent
            found[family] += weight * math.sqrt(square) / size if size else 1.0
    used = [a for a in found if a > 0]
    usual = sum(used) / len(used) if used else 1.0
    return [a if a > 0 and math.isfinite(a) else usual for a in found]


def typical(point: Release) -> Noisy:
    """The measures of a group where they are compared."""
    return Noisy([_typical(m) for m in point.measures])


def expected(
    point: Release, noises: Sequence[Noise | AdaptiveLaplace], noisy: Noisy
) -> dict[int, float]:
    """How far each sum, count and average is off, at typical values: the half-width to first order
    at 95 % as a part of its size, by its column's id; nothing of what depends on clips.

    Args:
        point: what is measured.
        noises: of each measure.
        noisy: the typical values.
    """
    found: dict[int, float] = {}
    for output in point.outputs:
        slopes = weights(output.formula, noisy) or {}
        terms = [(noises[m], abs(slope)) for m, slope in slopes.items()]
        known = tuple((n, w) for n, w in terms if not isinstance(n, AdaptiveLaplace))
        if known and len(known) == len(terms):
            size = _size(output.formula, noisy) or 1.0
            found[output.column.id] = half_width(known, 0.95) / size
    return found


def _typical(measure: Measure) -> int:
    """The measure where every one of `TYPICAL_ROWS` rows has a value in the middle of its range;
    or, where the middle is 0, a little off it, as it is for averages.
    """
    if measure.constant is not None:
        return measure.constant
    low, high = measure.contribution.low, measure.contribution.high
    if measure.usual is not None:
        return round(TYPICAL_ROWS * measure.usual)
    if measure.kind in (Kind.ROWS, Kind.VALUES, Kind.DISTINCT):
        return TYPICAL_ROWS
    if measure.kind is Kind.CENTRED:
        return TYPICAL_ROWS * (4 * (low + high) + high - low) // 8
    if 4 * abs(low + high) > high - low:
        return TYPICAL_ROWS * (low + high) // 2
    return TYPICAL_ROWS * (high - low) // 8


def _reach(measure: Measure) -> int:
    """What noise is in proportion to: the L1 sensitivity, or a guess of the clip."""
    if not measure.adaptive:
        return measure.sensitivity.l1
    return TYPICAL_CLIP * measure.contribution.magnitude


def _size(formula: Formula, noisy: Noisy) -> float:
    """What the aggregate's error is compared with: its size, or a part of its range."""
    if isinstance(formula, Exceeds | Bins):
        return float(TYPICAL_ROWS)
    found = value(formula, noisy)
    size = abs(float(found)) if isinstance(found, float | Fraction) else 0.0
    width = widest(formula)
    return max(size, 0.0 if width is None else width / 4)


def parts_of(importance: list[float], eps: Fraction) -> list[Fraction]:
    """Parts of ε in proportion to the square roots, adding up to it exactly."""
    if not importance:
        return []
    roots = [math.sqrt(a) for a in importance]
    top = max(roots)
    grains = [max(1, round(GRAIN * root / top)) for root in roots]
    return [eps * grain / sum(grains) for grain in grains]
