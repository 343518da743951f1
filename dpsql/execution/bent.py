"""Half-widths of what is not linear in its noise, where the noise is not small: by trying it.

An output is g(θ + Z), of measures θ whose noise Z has a known distribution. With x = θ + Z the
truth is g(x − Z), and what is shown is off by |g(x − Z) − g(x)|: the half-width is the quantile of
that over `DRAWS` fixed values of the noise.

Claim: it holds as often as it says where g is a ratio or a monotone function of one, up to what one
width for two unequal sides makes of it; nearly so for other functions. Why: of a ratio A/B,
g(x − Z) ≤ r says A − r·B ≤ Z_A − r·Z_B, which is Fieller's test of r; the r that are not rejected
hold the true one as often as they say (Fieller 1954, J. R. Stat. Soc. B 16). What is shown is kept
where it can lie, g is not, and that only brings it nearer to the truth. For functions of several
moments it is measured, see `benchmarks/coverage.py`.

A draw of fewer than one row, or of a divisor of the other sign, may be anything. Where the range of
the values is public it counts as further away than all others, and the half-width is infinite where
these are more than 1 − confidence; else it is left out. One of a variance that is not positive
would have been NULL, and is left out: what holds is meant of numbers.

The draws are Halton's points (1960; Numer. Math. 2), each coordinate spread evenly. Of linear
functions their 95 % quantile is within 5 %, that is half a percent of coverage. Beyond `DEEPEST`
there are too few, and half-widths grow as those of first order do.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

from dpsql.core.noise.integer_noise import Noise
from dpsql.core.plan.expr import Expr, Ref
from dpsql.core.release.decode import Noisy
from dpsql.core.release.draws import Draws
from dpsql.core.release.formulas import Formula, Quotient, Term
from dpsql.core.release.formulas import terms as measured
from dpsql.execution.drawn import Drawn
from dpsql.execution.summed import Summed

DRAWS = 512
DEEPEST = 0.99
"""The confidence up to which the draws are enough: five of them are beyond it."""
FIRST = 16
"""Draws that tell whether a function is bent."""
STRAIGHT = 0.1
"""How far from its tangent a function may be to count as straight, as a part of how far it goes."""
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""The bases of Halton's points, one a measure. Beyond a dozen they would fill no space."""

Noises = Sequence[tuple[Noise | Summed, Fraction]]
"""Of each measure, with what one of its steps is worth in steps of the measure."""


@dataclass(frozen=True, slots=True)
class Curve:
    """An output column as a function of noisy measures.

    Attributes:
        expr: over aggregates and constants of the row.
        formulas: the aggregates, by their columns' ids.
        ranged: whether the range of its values is public.
    """

    expr: Expr
    formulas: Mapping[int, Formula]
    ranged: bool

    def half_width(
        self,
        noisy: Noisy,
        constants: Mapping[int, object],
        noises: Noises,
        tangent: Mapping[int, float],
        confidence: float,
        flat: Callable[[float], float | None],
    ) -> float | None:
        """The half-width, infinite where the number may be anything; None where the function is as
        good as straight, or is not modelled.

        Args:
            noisy: the group's numbers.
            constants: the row's other values, by their columns' ids.
            noises: of each measure.
            tangent: the derivatives, per step of each noise.
            confidence: in (0, 1).
            flat: the half-width to first order, at any confidence.
        """
        used = sorted({t.measure for f in self.formulas.values() for t in measured(f)})
        if len(used) > len(PRIMES):
            return None
        offsets = [_offsets(noises[m][0], p) for m, p in zip(used, PRIMES, strict=False)]
        scales = [float(part) * noise.scale for noise, part in (noises[m] for m in used)]
        divisor = self._divisor()
        if divisor:
            places = [used.index(t.measure) for t in divisor]
            moved = _moved(
                tuple(
                    (float(t.weight) * scales[p], _kind(noises[used[p]][0]), PRIMES[p])
                    for t, p in zip(divisor, places, strict=True)
                )
            )
            counted = sum(float(t.weight * noisy.measures[t.measure]) for t in divisor)
            if moved.furthest * (1 + 1 / STRAIGHT) <= counted:
                return None
            if self.ranged and _empty(counted, moved, confidence):
                return math.inf

        def at(draws: int) -> tuple[list[float], set[int]] | None:
            measures = {
                m: Draws([float(noisy.measures[m]) - scale * z for z in column[: draws + 1]])
                for m, scale, column in zip(used, scales, offsets, strict=True)
            }
            drawn = Drawn(measures, self.formulas, constants)
            found = drawn.of(self.expr)
            return None if found is None else (found.values, drawn.lost)

        first = at(FIRST)
        if first is None:
            return None
        if math.isnan(first[0][0]):
            return math.inf
        slopes = [tangent.get(m, 0.0) * noises[m][0].scale for m in used]
        if _straight(*first, slopes, offsets):
            return None
        whole = at(DRAWS)
        assert whole is not None
        values, lost = whole
        reached = _quantile(values, lost, min(confidence, DEEPEST), self.ranged)
        if confidence <= DEEPEST or reached == math.inf:
            return reached
        further, deep = flat(confidence), flat(DEEPEST)
        return reached * further / deep if further and deep else math.inf

    def _divisor(self) -> tuple[Term, ...]:
        """What an average is divided by; nothing for what is no average.

        Where its noise in the first draws is at most a part s/(1 + s) of it, s = `STRAIGHT`, the
        average need not be tried. Why: (A − a)/(D − d) is off its tangent by d/(D − d) times how
        far that goes, and d/(D − d) ≤ s.
        """
        formula = self.formulas[self.expr.column.id] if isinstance(self.expr, Ref) else None
        return formula.denominator if isinstance(formula, Quotient) else ()


class _Moved(NamedTuple):
    """How far noise moves a divisor.

    Attributes:
        furthest: of the first draws.
        first, all: of these and of all draws, ascending.
    """

    furthest: float
    first: list[float]
    all: list[float]


@lru_cache(maxsize=64)
def _moved(terms: tuple[tuple[float, str, int], ...]) -> _Moved:
    """Of a divisor's terms: the size of the noise of each, its kind, and its base."""
    parts = [[size * z for z in _column(kind, prime)] for size, kind, prime in terms]
    sums = [sum(drawn) for drawn in zip(*parts, strict=True)]
    first = sums[1 : FIRST + 1]
    return _Moved(max(map(abs, first)), sorted(first), sorted(sums[1:]))


def _empty(counted: float, moved: _Moved, confidence: float) -> bool:
    """Whether so many draws are of fewer than one row that the average may be anything. So
    `_quantile` would say of all draws, and `_straight` of the first ones that it is not straight.
    """

    def less(drawn: list[float]) -> int:
        return len(drawn) - bisect_left(drawn, True, key=lambda z: counted - z < 1)

    if not less(moved.first):
        return False
    return math.ceil(min(confidence, DEEPEST) * DRAWS) > DRAWS - less(moved.all)


def _straight(
    values: list[float], lost: set[int], slopes: list[float], offsets: list[tuple[float, ...]]
) -> bool:
    """Whether the first draws are where the derivatives say."""
    expected = [
        -sum(s * column[i] for s, column in zip(slopes, offsets, strict=True))
        for i in range(len(values))
    ]
    furthest = max(map(abs, expected))
    away = (abs(v - values[0] - e) for v, e in zip(values, expected, strict=True))
    return not lost and all(a <= STRAIGHT * furthest for a in away)


def _quantile(values: list[float], lost: set[int], confidence: float, ranged: bool) -> float:
    """How far the values are from the first, with that probability; those lost are furthest, or
    none.
    """
    centre, *others = values
    if lost:
        others = [v for i, v in enumerate(others, 1) if i not in lost]
    off = sorted([abs(v - centre) for v in others if v == v])  # NaN is not itself
    rank = math.ceil(confidence * (len(off) + len(lost) * ranged))
    return off[rank - 1] if 0 < rank <= len(off) else math.inf


def _offsets(noise: Noise | Summed, prime: int) -> tuple[float, ...]:
    return _column(_kind(noise), prime)


def _kind(noise: Noise | Summed) -> str:
    return (noise.one if isinstance(noise, Summed) else noise).kind


@lru_cache(maxsize=2 * len(PRIMES))
def _column(kind: str, prime: int) -> tuple[float, ...]:
    """0, then noise of scale 1 in the order of Halton's points of that base, its shares even."""
    points = [_mirrored(i, prime) for i in range(1, DRAWS + 1)]
    ranks = {point: rank for rank, point in enumerate(sorted(points))}
    return 0.0, *(_INVERSES[kind]((ranks[point] + 0.5) / DRAWS) for point in points)


def _mirrored(number: int, base: int) -> float:
    """The digits of a number behind the point, the last one first."""
    found, part = 0.0, 1.0
    while number:
        part /= base
        number, digit = divmod(number, base)
        found += part * digit
    return found


def _laplace(share: float) -> float:
    return math.log(2 * share) if share < 0.5 else -math.log(2 * (1 - share))


_INVERSES: Mapping[str, Callable[[float], float]] = {
    "laplace": _laplace,
    "gaussian": NormalDist().inv_cdf,
}
