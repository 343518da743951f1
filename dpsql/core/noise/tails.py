"""Half-widths of linear combinations of independent noises, discrete Laplace and Gaussian.

One noise: the exact discrete interval. Several on a common lattice that is short enough: the exact
discrete distribution (``noise_sums``). Otherwise they are taken as continuous noises, which they
are up to O(1/scale²), with a continuity correction where there is a common lattice.

*Continuous.* Gaussian noises together are one normal noise: alone, its quantile. With Laplace
noises beside it, or for more than 12 of those, all are put on a grid with their variances kept,
which is right up to the square of the grid's step. For Laplace noises alone, S = Σ Xᵢ with distinct
spreads bᵢ, partial fractions of the characteristic function ∏ 1/(1 + bᵢ²ω²) give
P(|S| > t) = Σ cᵢ exp(−t/bᵢ) with
cᵢ = ∏_{j≠i} bᵢ²/(bᵢ² − bⱼ²) (Kotz, Kozubowski, Podgórski, "The Laplace distribution and
generalizations", 2001, chapter 2). For nearly equal spreads the terms cancel. Hence neighbours
closer than 1 : 1 + 10⁻⁶ are moved apart, always upward, which can only widen |S| (the summands are
symmetric and unimodal: Birnbaum 1948), and by less than 2·10⁻⁵; and the digits that then cancel,
about 6 a spread, are paid for in `Decimal`. |S| has a log-concave density, so the logarithm of its
tail is concave, and Newton's method on it stays at or above the root from its first step on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from functools import lru_cache
from statistics import NormalDist

from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.noise_sums import Sum, outermost

_GAP = Decimal("1e-6")
_LAST_MOVE = Decimal("1e-5")
_MAX_FRACTIONS = 12
"""Noises up to which partial fractions are faster than a grid."""
_NOTHING = 1e-6
"""A spread that is less than this part of a grid step adds nothing that could be seen."""
_MAX_WORK = 10_000
"""Steps of work up to which the lattice is computed exactly (about 1 ms)."""
_COARSE = 1e4
"""A scale, in lattice units, above which one step is less than 10⁻⁴ of it."""
_MAX_RATIO = 64
"""The greatest weight, in steps of the common lattice, that still counts as common."""
_ROUNDED = 1e-12
"""By how much, as a part of it, a weight may miss the lattice: it is a rounded float."""


@lru_cache(maxsize=65536)
def half_width(noises_and_weights: tuple[tuple[Noise, float], ...], confidence: float) -> float:
    """The smallest t with P(|Σ wᵢ·Zᵢ| ≤ t) ≥ `confidence`, for independent noises Zᵢ.

    Args:
        noises_and_weights: (noise, weight in output units per lattice unit) of each; one noise
            that is used twice is one pair with the sum of its weights.
        confidence: in [0, 1).

    Returns:
        t in output units: exact for one noise and on short lattices, otherwise within a relative
        10⁻³ of the continuous noises (10⁻⁴ where all are Laplace, exact where all are Gaussian),
        but never less than one of the noises alone would need.

    Raises:
        ValueError: `confidence` is not in [0, 1), or a weight is not finite.
    """
    if not 0 <= confidence < 1:
        raise ValueError("a confidence must be in [0, 1)")
    if not all(math.isfinite(weight) for _, weight in noises_and_weights):
        raise ValueError("weights must be finite")
    terms = [(noise, abs(weight)) for noise, weight in noises_and_weights if weight and noise.scale]
    if not terms:
        return 0.0
    if len(terms) == 1:
        ((noise, weight),) = terms
        return weight * noise.interval(confidence)
    common = lattice([weight for _, weight in terms])
    if common is None:
        # A coarse noise that the others hardly blur keeps its steps: never below it alone.
        coarse = (w * noise.interval(confidence) for noise, w in terms if noise.scale < _COARSE)
        wide = [(noise.scale, w) for noise, w in terms if noise.kind == "laplace"]
        sigma = math.hypot(*(noise.scale * w for noise, w in terms if noise.kind == "gaussian"))
        return max(_continuous(wide, sigma, confidence), *coarse, 0.0)
    step, strides = common
    strided = [(n.kind, (n.scale, times)) for (n, _), times in zip(terms, strides, strict=True)]
    laplace = tuple(term for kind, term in strided if kind == "laplace")
    gaussian = tuple(term for kind, term in strided if kind == "gaussian")
    return step * _on_lattice(Sum(laplace, gaussian), confidence)


def lattice(weights: Sequence[float]) -> tuple[float, tuple[int, ...]] | None:
    """The greatest step of which every weight is a multiple, up to what floats are rounded by, and
    which multiples they are; None where the lattice is too fine.

    Args:
        weights: > 0.
    """
    least, whole = min(weights), 1
    for weight in weights:
        parts = _denominator(weight / least)
        if parts is None:
            return None
        whole = math.lcm(whole, parts)
    strides = tuple(round(weight / least * whole) for weight in weights)
    return (least / whole, strides) if max(strides) <= _MAX_RATIO else None


def _denominator(ratio: float) -> int | None:
    """That of a number ≥ 1 as a fraction of small numbers, by its continued fraction; else None."""
    before, now, rest = 0, 1, ratio
    while now <= _MAX_RATIO >= ratio:
        if abs(round(ratio * now) - ratio * now) <= _ROUNDED * ratio * now:
            return now
        part = rest - math.floor(rest)
        if not part:
            return None
        rest = 1 / part
        before, now = now, math.floor(rest) * now + before
    return None


def _continuous(terms: list[tuple[float, float]], sigma: float, confidence: float) -> float:
    """The half-width for continuous Laplace noises of spreads scale · weight, and a normal one."""
    if confidence == 0:
        return 0.0
    if not terms:
        return -sigma * NormalDist().inv_cdf((1 - confidence) / 2)
    if sigma or len(terms) > _MAX_FRACTIONS:
        return _on_grid([scale * weight for scale, weight in terms], sigma, confidence)
    with localcontext(_context(40)):
        wanted = 1 - Decimal(confidence)
        products = sorted(Decimal(scale) * Decimal(weight) for scale, weight in terms)
        spreads = list(_apart(products, 1 + _GAP))
        # The terms reach this size, and cancel down to the wanted tail.
        size = max(c.adjusted() for c in _coefficients(spreads)) - wanted.adjusted()
    with localcontext(_context(30 + size)):
        parts = [(c, -1 / b) for c, b in zip(_coefficients(spreads), spreads, strict=True)]
        level = wanted.ln()
        t = -spreads[-1] * level  # the widest noise alone: a lower bound
        while True:
            values = [(c * (rate * t).exp(), rate) for c, rate in parts]
            tail = sum((value for value, _ in values), Decimal(0))
            slope = sum((value * rate for value, rate in values), Decimal(0))
            move = (level - tail.ln()) * tail / slope
            t += move
            # Newton squares the error: what is left after such a move is below 1e-9.
            if abs(move) <= t * _LAST_MOVE:
                return float(t)


def _context(digits: int) -> Context:
    """Decimal arithmetic that never traps: exp may go to 0."""
    return Context(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


def _apart(spreads: list[Decimal], factor: Decimal) -> Iterator[Decimal]:
    """Ascending `spreads`, each at least `factor` times the one before."""
    least = Decimal(0)
    for spread in spreads:
        current = max(spread, least)
        yield current
        least = current * factor


def _coefficients(spreads: list[Decimal]) -> list[Decimal]:
    """cᵢ = ∏_{j≠i} bᵢ²/(bᵢ² − bⱼ²) for distinct spreads."""
    squares = [spread * spread for spread in spreads]
    return [
        math.prod((x / (x - y) for j, y in enumerate(squares) if j != i), start=Decimal(1))
        for i, x in enumerate(squares)
    ]


def _on_grid(spreads: list[float], sigma: float, confidence: float) -> float:
    """The half-width of continuous noises, each put on a grid with its variance kept."""
    deviation = math.hypot(sigma, *(math.sqrt(2) * b for b in spreads))
    step = max(max(spreads) / 40, deviation / 150)
    # The variance of a discrete Laplace is 1 / (2 sinh²(1 / (2 scale))).
    scales = [1 / (2 * math.asinh(step / (2 * b))) for b in spreads if b > step * _NOTHING]
    gaussian = ((sigma / step, 1),) if sigma > step else ()
    total = Sum(tuple((scale, 1) for scale in scales), gaussian)
    row = total.masses(total.reach(confidence) + 1)
    if 0 < sigma <= step:
        # Three masses of the right variance: it is a small part of the whole.
        side = (sigma / step) ** 2 / 2
        padded = [0.0, *row, 0.0]
        row = [
            side * (left + right) + (1 - 2 * side) * middle
            for left, middle, right in zip(padded, row, padded[2:], strict=False)
        ]
    n, fraction = outermost(row, confidence)
    return step * max(0.0, n + 0.5 - fraction)


def _on_lattice(total: Sum, confidence: float) -> int:
    """The half-width in steps, for noises whose weights are whole numbers of steps."""
    fused = total.fused()
    half = fused.reach(confidence)
    if fused.work(half) > _MAX_WORK:
        # P(|S| ≤ n) of the discrete sum is nearly P(|S| ≤ n + 1/2) of the continuous one.
        wide = [(scale, float(stride)) for scale, stride in total.laplace]
        sigma = math.hypot(*(scale * stride for scale, stride in total.gaussian))
        return max(0, math.ceil(_continuous(wide, sigma, confidence) - 0.5))
    return outermost(fused.masses(half), confidence)[0]
