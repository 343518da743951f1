"""Which way a query is measured where there are several: sums and moments apart or together.

What decides is public: the query, the policy, ε and δ, and what the analyst wishes. Each way is
calibrated, and compared with the way in which all is measured apart by how far each sum, count,
average and function of moments is off at 95 %, at typical values (see `importance`).

No number is off by more than a part in `SLACK` more than if all were measured apart, at the typical
values, and what is taken is better on the whole: joint measures are tried one after the other, and
each is kept, in the place of those that it excludes, where that is so. Whichever is taken, it is
private at ε by itself, and which one it is depends on no data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.core.calibrate.calibration import Calibrated, calibrated
from dpsql.core.calibrate.importance import expected, typical
from dpsql.core.calibrate.options import Options
from dpsql.core.release.arguments import inputs_of
from dpsql.core.release.joint import Joint, together
from dpsql.core.release.release import Release
from dpsql.core.release.shared import chains
from dpsql.errors import Rejected

SLACK = 100
"""Shares of ε are rounded, and what is rounded alike is as good."""

MAX_PAIRS = 8
"""Joint measures of a release that are tried one by one; of more, all together."""

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
) -> Calibrated:
    """The releases as they are measured, with their noise; the arguments are those of `calibrated`.

    Raises:
        Rejected: DP305, noise that would not fit 64 bits.
    """

    def way(made: Releases) -> _Way:
        noise = calibrated(made, eps, options, wanted, min_units)
        off: dict[int, float] = {}
        for planned in noise.planned:
            off |= expected(planned.release, planned.noise, typical(planned.release))
        return _Way(made, noise, off)

    if not any(point.pairable for point in releases):
        return calibrated(releases, eps, options, wanted, min_units)
    best = apart = way(releases)
    for number, point in enumerate(releases):
        taken: tuple[Joint, ...] = ()
        for tried in _tried(point.pairable):
            own = _merged(taken, tried)
            if set(map(id, own)) == set(map(id, taken)):
                continue
            try:
                found = way(_with(best.releases, number, _made(point, own)))
            except Rejected:  # its noise would not fit 64 bits: it may be twice as wide
                continue
            if found.no_worse(apart) and found.loss(wanted) < best.loss(wanted):
                best, taken = found, own
    return best.noise


def _tried(joints: Sequence[Joint]) -> Iterator[tuple[Joint, ...]]:
    """What is tried beside what is taken: as many as there can be, and then each by itself."""
    most: tuple[Joint, ...] = ()
    for joint in joints:
        most = most if any(joint.excludes(other) for other in most) else (*most, joint)
    if len(most) > 1:
        yield most
    for joint in joints[:MAX_PAIRS]:
        yield (joint,)


def _merged(taken: Sequence[Joint], tried: Sequence[Joint]) -> tuple[Joint, ...]:
    """What is tried, after what it does not exclude."""
    left = (j for j in taken if j not in tried and not any(j.excludes(t) for t in tried))
    return (*left, *tried)


def _made(point: Release, pairs: tuple[Joint, ...]) -> Release:
    """The release with pairs."""
    found = together(point.measures, point.outputs, pairs)
    cells = point.cells
    if cells is not None:
        own = chains(found.measures) if cells.quota is not None else None
        cells = replace(cells, inputs=inputs_of(point.arguments, found.measures, own))
    return replace(
        point,
        cells=cells,
        measures=found.measures,
        outputs=found.outputs,
    )


def _with(releases: Releases, number: int, point: Release) -> Releases:
    return (*releases[:number], point, *releases[number + 1 :])
