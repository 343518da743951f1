"""Which way a query is measured where there are several: counts and sums apart or together.

What decides is public: the query, the policy, ε and δ, and what the analyst wishes. Each way is
calibrated, and compared with the way in which all is measured apart by what the explanation says:
how far each sum, count and average is off at 95 %, at typical values (see `calibration`).

Claim: no number is off by more than a part in `SLACK` more than if all were measured apart, at the
typical values, and what is taken is better on the whole. Why: that is what is looked for. Pairs are
tried one after the other, from none and from all of them, and each one is kept where that is so.
Sound whatever is taken: each way is private at ε by itself, and which it is depends on no data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.analyze.domain import MAX_GROUPS
from dpsql.calibration import Calibrated, calibrated, expected, typical
from dpsql.mechanism.clipped import AdaptiveLaplace
from dpsql.mechanism.protocol import Noise
from dpsql.options import Options
from dpsql.sensitivity.release import Release
from dpsql.sensitivity.together import Pair, together

SLACK = 100
"""Shares of ε are rounded, and what is rounded alike is as good."""

MAX_PAIRS = 8
"""Pairs of a release that are tried one by one; of more, all or none."""

GRAIN = 1000
"""Weights of counts are multiples of one part in so many of the largest."""

Releases = tuple[Release, ...]


@dataclass(frozen=True, slots=True)
class _Way:
    """Releases, their noise, and how far off what they make is."""

    releases: Releases
    noise: Calibrated
    off: Mapping[int, float]

    def loss(self, wanted: Mapping[int, Fraction]) -> float:
        """The sum of the relative half-widths, each as much as it is wanted."""
        return sum(float(wanted.get(i, 1)) * part for i, part in self.off.items())

    def no_worse(self, other: _Way) -> bool:
        """Whether no number is further off than another way has it."""
        return all(part <= other.off[i] * (1 + 1 / SLACK) for i, part in self.off.items())


def chosen(
    releases: Releases,
    eps: Fraction,
    options: Options,
    wanted: Mapping[int, Fraction],
    min_units: int,
) -> tuple[Releases, Calibrated]:
    """The releases as they are measured, and their noise; the arguments are those of `calibrated`.

    Raises:
        Rejected: DP305, noise that would not fit 64 bits.
    """

    def way(made: Releases) -> _Way:
        noise = calibrated(made, eps, options, wanted, min_units)
        off: dict[int, float] = {}
        for point, noises in zip(made, noise.noise, strict=True):
            off |= expected(point, noises, typical(point))
        return _Way(made, noise, off)

    if not any(point.pairable for point in releases):
        return releases, calibrated(releases, eps, options, wanted, min_units)
    best = apart = way(releases)
    for number, point in enumerate(releases):
        every, taken = point.pairable, frozenset[Pair]()
        one_by_one = every if 1 < len(every) <= MAX_PAIRS else ()
        for flipped in (frozenset(every), *(frozenset({pair}) for pair in one_by_one)):
            own = _equal([pair for pair in every if pair in taken ^ flipped])
            made = _with(best.releases, number, _made(point, own))
            if not _few(made[number]):
                continue
            found = way(made)
            if found.no_worse(apart) and found.loss(wanted) < best.loss(wanted):
                best, taken = found, taken ^ flipped
        kept = [pair for pair in every if pair in taken]
        weighed = _weighed(best.releases[number], kept, best.noise.noise[number])
        best = replace(best, releases=_with(best.releases, number, _made(point, weighed)))
    return best.releases, best.noise


def _made(point: Release, pairs: Mapping[Pair, Fraction]) -> Release:
    """The release with pairs, each with its weight in the number of values."""
    if not pairs:
        return point
    found = together(point.measures, point.labels, point.reasons, point.outputs, pairs)
    return replace(
        point,
        measures=found.measures,
        labels=found.labels,
        reasons=found.reasons,
        outputs=found.outputs,
    )


def _with(releases: Releases, number: int, point: Release) -> Releases:
    return (*releases[:number], point, *releases[number + 1 :])


def _few(point: Release) -> bool:
    """Whether it is no more noise than may be drawn, see `sensitivity.release`."""
    numbers = len(point.measures) + len(point.picks)
    return point.domain.size is None or point.domain.size * numbers <= MAX_GROUPS


def _equal(pairs: Sequence[Pair]) -> dict[Pair, Fraction]:
    """Each pair with the same weight in its count."""
    sharing = Counter(pair.count for pair in pairs)
    return {pair: Fraction(1, sharing[pair.count]) for pair in pairs}


def _weighed(
    point: Release, pairs: Sequence[Pair], noises: Sequence[Noise | AdaptiveLaplace]
) -> dict[Pair, Fraction]:
    """Each pair with a weight in proportion to the inverse of the variance of its count.

    Args:
        point: with the pairs.
        pairs: that it has.
        noises: of its measures.
    """
    places = {(m.kind, m.input, m.centre): n for n, m in enumerate(point.measures)}
    found: dict[Pair, Fraction] = {}
    for pair in pairs:
        end = pair.ends[0]
        noise = noises[places[end.kind, end.input, end.centre]]
        assert not isinstance(noise, AdaptiveLaplace)
        found[pair] = (end.contribution.high / Fraction(noise.scale)) ** 2
    for count in {pair.count for pair in pairs}:
        own = [pair for pair in pairs if pair.count == count]
        top = max(found[pair] for pair in own)
        grains = {pair: round(GRAIN * found[pair] / top) for pair in own}
        found |= {pair: Fraction(n, sum(grains.values())) for pair, n in grains.items()}
    return found
