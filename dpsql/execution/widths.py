"""Half-widths of output numbers: a weighted sum of independent noises, to first order.

What is linear in its noises holds for any data. Where the weights are whole multiples of one step,
as in sums of counts, the distribution is that of the discrete noises. What is not linear, such as
AVG, CORR or a ratio, holds where the numbers are much larger than their noise; `bent` has the rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import NormalDist

from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.noise.tails import half_width, lattice
from dpsql.core.release import decode
from dpsql.core.release.decode import Noisy
from dpsql.core.release.formulas import Formula, Linear, Output
from dpsql.execution.summed import Summed

Weights = Mapping[int, float]
"""Measure number -> weight in output units per lattice step."""


_ROUNDED = 1e-9
"""What a half-width may be off by as a float, in steps."""

_UNITS: Mapping[str, Noise] = {
    "laplace": DiscreteLaplace(1000.0),
    "gaussian": DiscreteGaussian(1000.0),
}
"""Noise that is as good as continuous, for sums of which only the shape counts."""


def width(
    weights: Weights, noises: Sequence[Noise | Summed], confidence: float, coins: object = 0.0
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
        return -coins * NormalDist().inv_cdf((1 - confidence) / 2)
    if len(pairs) == 1 and not coins:
        ((noise, weight),) = pairs
        return noise.interval(confidence) * weight
    common = None if coins else lattice([weight for _, weight in pairs])
    if common is not None:
        step, strides = common
        strided = zip(pairs, strides, strict=True)
        exact = [(n, float(times)) for (noise, _), times in strided for n in terms(noise)]
        exact.sort(key=lambda term: (term[0].kind, term[0].scale, term[1]))  # they repeat
        return half_width(tuple(exact), confidence) * step
    parts = [(n.kind, n.scale * weight) for noise, weight in pairs for n in terms(noise)]
    parts += [("gaussian", coins)] if coins else []
    largest = max(size for _, size in parts)
    # Widths scale with their weights; 3 digits of each ratio are plenty and make them repeat.
    relative = sorted((kind, round(size / largest, 3)) for kind, size in parts)
    kept = tuple((_UNITS[kind], ratio / 1000) for kind, ratio in relative if ratio > 0)
    return half_width(kept, confidence) * largest


def grain(output: Output, noises: Sequence[tuple[Noise | Summed, Fraction]] = ()) -> float:
    """The step to which an aggregate is rounded when it is shown; 0 where it is shown as it is, or
    lies on that step anyway.

    Args:
        output: the aggregate.
        noises: of each measure, with what one of its steps is worth in steps of the measure; 1 each
            if not given.
    """
    kind = output.column.type
    if not isinstance(output.formula, Linear) or not kind.is_exact:
        return 0.0
    step = Fraction(1, 10 ** (kind.scale or 0)) if kind.is_decimal else Fraction(1)
    parts = (
        term.weight * (noises[term.measure][1] if noises else 1) for term in output.formula.terms
    )
    numbers = (output.formula.constant, *parts)
    return float(step) if any((n / step).denominator > 1 for n in numbers) else 0.0


def rounded(half: float, step: float) -> float:
    """The half-width of a number that is rounded to multiples of a step, to the nearest.

    Claim: it holds at least as often as `half` does for the number as it was. Why: the exact number
    is a multiple k·step, and one within `half` of it is rounded to (k ± m)·step with
    m <= half/step + 1/2.
    """
    return math.floor(half / step + 0.5 + _ROUNDED) * step if step else half


def blurred(half: float, steps: Sequence[float], confidence: float) -> float:
    """The half-width of a number that is computed from others, each rounded by itself: a rounding
    is another noise, evenly spread over a step and of the variance step²/12.

    Args:
        half: without that.
        steps: of each rounding, times how far the number moves with it.
        confidence: of the half-width.
    """
    if not steps:
        return half
    deviation = math.hypot(*steps) / math.sqrt(12)
    return math.hypot(half, -deviation * NormalDist().inv_cdf((1 - confidence) / 2))


def terms(noise: Noise | Summed) -> tuple[Noise, ...]:
    """The independent noises that a noise is the sum of."""
    return noise.terms if isinstance(noise, Summed) else (noise,)


def slopes(
    formula: Formula, noisy: Noisy, noises: Sequence[tuple[Noise | Summed, Fraction]]
) -> dict[int, float] | None:
    """How far an aggregate moves with each noise, in output units per step of the noise.

    Args:
        formula: of the aggregate.
        noisy: the group's numbers.
        noises: of each measure, with what one of its steps is worth in steps of the measure.
    """
    found = decode.weights(formula, noisy)
    if found is None:
        return None
    return {measure: weight * float(noises[measure][1]) for measure, weight in found.items()}
