"""Half-widths of linear combinations of independent discrete Laplace noises.

One noise: the exact discrete interval. Several on a common lattice that is short enough: the exact
discrete distribution. Otherwise they are taken as continuous Laplace noises, which they are up to
O(1/scale²), with a continuity correction where there is a common lattice.

*Continuous.* For S = Σ Xᵢ, Xᵢ Laplace with distinct spreads bᵢ, partial fractions of the
characteristic function ∏ 1/(1 + bᵢ²ω²) give P(|S| > t) = Σ cᵢ exp(−t/bᵢ) with
cᵢ = ∏_{j≠i} bᵢ²/(bᵢ² − bⱼ²) (Kotz, Kozubowski, Podgórski, "The Laplace distribution and
generalizations", 2001, chapter 2). For nearly equal spreads the terms cancel. Hence neighbours
closer than 1 : 1 + 10⁻⁶ are moved apart, always upward, which can only widen |S| (the summands are
symmetric and unimodal: Birnbaum 1948), and by less than 2·10⁻⁵; and the digits that then cancel,
about 6 a spread, are paid for in `Decimal`. |S| has a log-concave density, so the logarithm of its
tail is concave, and Newton's method on it stays at or above the root from its first step on.

*Lattice.* A discrete Laplace noise is a forward and a backward geometric filter: p ← p·α + input,
two passes over the array, all terms positive, nothing cancels. Chernoff's bound with
E exp(θZ) ≤ 1/(1 − θ²b²) says how long the array must be. Sums of more than 12 noises on no short
lattice are put on a grid with their variances kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from dpsql.mechanism.laplace import DiscreteLaplace

_GAP = Decimal("1e-6")
_LAST_MOVE = Decimal("1e-5")
_MAX_FRACTIONS = 12
"""Noises up to which partial fractions are faster than a grid."""
_NOTHING = 1e-6
"""A spread that is less than this part of a grid step adds nothing that could be seen."""
_LOST = 1e-7
"""The part of 1 − confidence that may lie outside the array."""
_MAX_WORK = 10_000
"""Cells times noises up to which the lattice is computed exactly (about 1 ms)."""
_COARSE = 1e4
"""A scale, in lattice units, above which one step is less than 10⁻⁴ of it."""
_MAX_RATIO = 64
"""The greatest weight, in steps of the common lattice, that still counts as common."""


@lru_cache(maxsize=65536)
def half_width(scales_and_weights: tuple[tuple[float, float], ...], confidence: float) -> float:
    """The smallest t with P(|Σ wᵢ·Zᵢ| ≤ t) ≥ `confidence`, Zᵢ independent discrete Laplace.

    Args:
        scales_and_weights: (scale in lattice units, weight in output units per lattice unit) of
            each noise; one noise that is used twice is one pair with the sum of its weights.
        confidence: in [0, 1).

    Returns:
        t in output units: exact for one noise and on short lattices, otherwise within a relative
        10⁻⁴ of the continuous Laplace, but never less than one of the noises alone would need.

    Raises:
        ValueError: `confidence` is not in [0, 1), or a weight is not finite.
        NoiseError: a scale is no scale of noise.
    """
    if not 0 <= confidence < 1:
        raise ValueError("a confidence must be in [0, 1)")
    if not all(math.isfinite(weight) for _, weight in scales_and_weights):
        raise ValueError("weights must be finite")
    terms = [(DiscreteLaplace(float(scale)), abs(w)) for scale, w in scales_and_weights if w]
    terms = [(noise, weight) for noise, weight in terms if noise.scale]
    if not terms:
        return 0.0
    if len(terms) == 1:
        ((noise, weight),) = terms
        return weight * noise.interval(confidence)
    step = _common_step([weight for _, weight in terms])
    if step is None:
        # A coarse noise that the others hardly blur keeps its steps: never below it alone.
        coarse = (w * noise.interval(confidence) for noise, w in terms if noise.scale < _COARSE)
        wide = [(noise.scale, weight) for noise, weight in terms]
        return max(_continuous(wide, confidence), *coarse, 0.0)
    strided = [(noise.scale, int(Fraction(weight) / step)) for noise, weight in terms]
    return float(step * _on_lattice(strided, confidence))


def _common_step(weights: list[float]) -> Fraction | None:
    """The greatest step of which every weight is a multiple, unless the lattice is too fine."""
    exact = [Fraction(weight) for weight in weights]
    whole = math.lcm(*(weight.denominator for weight in exact))
    step = Fraction(math.gcd(*(int(weight * whole) for weight in exact)), whole)
    return step if max(exact) <= _MAX_RATIO * step else None


def _continuous(terms: list[tuple[float, float]], confidence: float) -> float:
    """The half-width for continuous Laplace noises of spreads scale · weight."""
    if confidence == 0:
        return 0.0
    if len(terms) > _MAX_FRACTIONS:
        return _on_grid([scale * weight for scale, weight in terms], confidence)
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


def _on_grid(spreads: list[float], confidence: float) -> float:
    """The half-width of many continuous noises, each put on a grid with its variance kept."""
    deviation = math.hypot(*spreads) * math.sqrt(2)
    step = max(max(spreads) / 40, deviation / 150)
    # The variance of a discrete Laplace is 1 / (2 sinh²(1 / (2 scale))).
    scales = [1 / (2 * math.asinh(step / (2 * b))) for b in spreads if b > step * _NOTHING]
    terms = [(scale, 1) for scale in scales]
    n, fraction = _outermost(_masses(terms, math.ceil(_reach(terms, confidence))), confidence)
    return step * max(0.0, n + 0.5 - fraction)


def _on_lattice(terms: list[tuple[float, int]], confidence: float) -> int:
    """The half-width in steps, for noises whose weights are whole numbers of steps."""
    reach = _reach(terms, confidence)
    if (2 * reach + 1) * len(terms) > _MAX_WORK:
        # P(|S| ≤ n) of the discrete sum is nearly P(|S| ≤ n + 1/2) of the continuous one.
        wide = [(scale, float(stride)) for scale, stride in terms]
        return max(0, math.ceil(_continuous(wide, confidence) - 0.5))
    return _outermost(_masses(terms, math.ceil(reach)), confidence)[0]


def _reach(terms: list[tuple[float, int]], confidence: float) -> float:
    """Steps beyond which lies less than `_LOST` of what may lie beyond the half-width."""
    spreads = [scale * stride for scale, stride in terms]
    wanted = math.log(2 / (_LOST * (1 - confidence)))
    bounds = []
    for part in (0.1, 0.2, 0.35, 0.5, 0.7, 0.9):
        theta = part / max(spreads)
        growth = -sum(math.log1p(-((theta * spread) ** 2)) for spread in spreads)
        bounds.append((wanted + growth) / theta)
    return min(bounds)


def _outermost(masses: list[float], confidence: float) -> tuple[int, float]:
    """(the half-width n in steps, the part of the two masses at ±n that is not needed)."""
    tail, n, allowed = 0.0, len(masses) // 2, 1 - confidence
    while n > 0 and tail + 2 * masses[-1] <= allowed:
        tail += 2 * masses.pop()
        n -= 1
    return n, (allowed - tail) / (masses[-1] if n == 0 else 2 * masses[-1])


def _masses(terms: list[tuple[float, int]], half: int) -> list[float]:
    """P(S = n) for n = −half … half; what lies outside is lost, which `half` makes negligible."""
    row = [0.0] * (2 * half + 1)
    row[half] = 1.0
    for scale, stride in terms:
        alpha = math.exp(-1 / scale)
        gain = math.expm1(-1 / scale) ** 2

        def filtered(total: float, value: float, alpha: float = alpha) -> float:
            return alpha * total + value

        for first in range(min(stride, len(row))):
            forward = list(accumulate(row[first::stride], filtered))
            forward.reverse()
            backward = list(accumulate(forward, filtered))
            backward.reverse()
            row[first::stride] = [gain * value for value in backward]
    return row
