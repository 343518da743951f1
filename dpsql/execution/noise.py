"""From exact cells to noisy numbers: nothing exact goes further than this file."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import compress

from dpsql.compile import ReleasedQuery
from dpsql.core.calibrate.calibration import Picker
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.noise.noisy_max import NoisyMax
from dpsql.core.noise.quantiles import JointQuantiles
from dpsql.core.noise.truncated import TruncatedLaplace
from dpsql.core.release.decode import Noisy
from dpsql.core.release.picks import Best, Pick
from dpsql.core.release.release import Release
from dpsql.execution import cells
from dpsql.execution.exact import Key
from dpsql.execution.grid_counts import Points, ascending
from dpsql.execution.summed import Summed
from dpsql.types import Scalar


@dataclass(frozen=True, slots=True)
class NoisyRelease:
    """What is released: for each group its key, and what is noisy of it; and of each measure the
    noise, with what one of its steps is worth in steps of the measure.

    Attributes:
        unsure: the measures that may be far too low: few units, if any, are known not to be above
            their clip.
    """

    groups: list[Key]
    noisy: list[Noisy]
    noises: tuple[tuple[Noise | Summed, Fraction], ...]
    unsure: frozenset[int] = frozenset()


def add_noise(query: ReleasedQuery, number: int, exact: cells.ExactCells) -> NoisyRelease:
    """Fresh noise on everything: one vector draw a measure, one choice a pick and group.

    Where groups are private, the units of each are counted with noise first, and a group below the
    threshold is dropped before anything else of it is touched.
    """
    planned = query.planned[number]
    release, noises = planned.release, planned.noise
    threshold, places = planned.threshold, list(range(len(exact.groups)))
    drawn: dict[int, list[int] | list[Fraction]] = {}
    used: dict[int, tuple[Noise, Fraction]] = {}
    unsure: set[int] = set()
    chosen: dict[int, tuple[int, bool]] = {}
    if threshold is not None:
        assert release.units is not None and exact.units is not None
        places = [i for i in places if exact.units[i] >= query.minimum]
        counter, counts = noises[release.units], exact.values[release.units]
        assert not isinstance(counter, AdaptiveLaplace)
        counted = _noised([counts[i] for i in places], counter)
        shown = [n >= threshold for n in counted]
        places = list(compress(places, shown))
        drawn[release.units] = list(compress(counted, shown))
    for n, noise in enumerate(noises):
        if isinstance(noise, AdaptiveLaplace):
            groups = [exact.groups[i] for i in places]
            if isinstance(noise, TruncatedLaplace):
                noise = noise.among(len(groups))
            first = release.measures[n].family
            if n == first:
                chosen[n] = exact.clips[n].choose(noise)
            place, sure = chosen[first]
            drawn[n], used[n] = _adapted(exact.clips[n], noise, place, groups)
            unsure |= set() if sure else {n}
            continue
        used[n] = noise, Fraction(1)
        if n not in drawn:
            drawn[n] = _noised([exact.values[n][i] for i in places], noise)
    picked = [
        _best(pick, picker, exact.scores[n])
        if isinstance(pick, Best)
        else _picked(pick, picker, [exact.points[n][i] for i in places])
        for n, (pick, picker) in enumerate(zip(release.picks, planned.pickers, strict=True))
    ]
    noisy = [
        Noisy([drawn[m][i] for m in range(len(noises))], tuple(p[i] for p in picked))
        for i in range(len(places))
    ]
    spread = tuple(used[n] for n in range(len(noises)))
    return NoisyRelease([exact.groups[i] for i in places], noisy, spread, frozenset(unsure))


def _adapted(
    found: cells.Adapted, noise: AdaptiveLaplace, number: int, groups: list[Key]
) -> tuple[list[Fraction], tuple[Noise, Fraction]]:
    """A sum with the clip of that number, or a number of values with that capacity, and noise that
    fits it.
    """
    fitting, values = noise.noise(number), found.at(number)
    part = Fraction(1, noise.thresholds[number][1])
    noisy = _noised([values.get(group, 0) for group in groups], fitting)
    return [n * part for n in noisy], (fitting, part)


def _noised(values: list[int], noise: Noise) -> list[int]:
    return [v + z for v, z in zip(values, noise.draw(len(values)), strict=True)]


def _best(pick: Best, picker: Picker, scores: dict[Key, int]) -> list[tuple[Scalar | None, ...]]:
    """The best of the candidates, whose scores are these; NULL where there are none."""
    assert isinstance(picker, NoisyMax)
    if not scores:
        return [(None,)]
    signed = [score if pick.greatest else -score for score in scores.values()]
    (value,) = list(scores)[picker.draw(signed)]
    return [(value,)]  # type: ignore[list-item]


def _picked(pick: Pick, picker: Picker, groups: list[Points]) -> list[tuple[Scalar, ...]]:
    found: list[tuple[Scalar, ...]] = []
    for points in groups:
        if isinstance(picker, JointQuantiles):
            places = picker.draw(*ascending(points))
        else:
            places = [picker.draw([points.get(i, 0) for i in range(pick.grid.size)])]
        found.append(tuple(pick.grid.value(place) for place in places))
    return found


def without_noise(release: Release, exact: cells.ExactCells) -> NoisyRelease:
    """Exact numbers in the place of noisy ones; the first point stands for what is picked."""
    picks = tuple(
        _best(pick, NoisyMax(0.0, monotone=True), exact.scores[n])[0]
        if isinstance(pick, Best)
        else tuple(pick.grid.value(0) for _ in pick.shares or (None,))
        for n, pick in enumerate(release.picks)
    )
    last = {n: clips.at(len(clips.grid.thresholds) - 1) for n, clips in exact.clips.items()}

    def measured(n: int, i: int) -> int | Fraction:
        if n not in last:
            return exact.values[n][i]
        grid = exact.clips[n].grid
        part = Fraction(1, grid.parts(len(grid.thresholds) - 1))
        return last[n].get(exact.groups[i], 0) * part

    rows = [
        Noisy([measured(n, i) for n in range(len(exact.values))], picks)
        for i in range(len(exact.groups))
    ]
    exactly = tuple((DiscreteLaplace(0.0), Fraction(1)) for _ in release.measures)
    return NoisyRelease(exact.groups, rows, exactly)
