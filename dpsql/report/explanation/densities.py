"""What the picture of noise shows: densities on their lattices, and their 95 % intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from dpsql.errors import InvalidArgument
from dpsql.report.explanation import sentences
from dpsql.report.figures import QueryCost, figure

if TYPE_CHECKING:
    from dpsql.report.explanation.explanation import Explanation
    from dpsql.report.explanation.measurement import Release

CONFIDENCE = 0.95

MAX_PANELS = 12
"""A picture has at most so many densities; measurements with the same noise share one."""

POINTS = 300
"""A curve has so many points on each side of 0, where there are more multiples of the step."""

FACTORS = (Fraction(1, 2), Fraction(1), Fraction(2))


@dataclass(frozen=True, slots=True)
class Density:
    """The noise of one measurement at one ε.

    Attributes:
        cost: of the query.
        mechanism: "laplace" or "gaussian".
        half: the half-width of the 95 % interval, in the released unit.
        step: of the lattice.
        mass: the probability that the noise is so many steps.
    """

    cost: QueryCost
    mechanism: str
    half: float
    step: float
    mass: Callable[[int], float]

    def curve(self, reach: float) -> tuple[list[float], list[float]]:
        """Places on the lattice up to `reach` from 0, and the densities there: probability per
        released unit.
        """
        last = max(1, round(reach / self.step))
        points = min(last, POINTS)
        ahead = [round(Fraction(i * last, points)) for i in range(points + 1)]
        steps = [-k for k in reversed(ahead[1:])] + ahead
        return [k * self.step for k in steps], [self.mass(k) / self.step for k in steps]


@dataclass(frozen=True, slots=True)
class Panel:
    """Measurements with the same noise, and its densities at half the ε, at it and at twice."""

    names: tuple[str, ...]
    densities: tuple[Density, ...]

    @property
    def own(self) -> Density:
        """At the query's ε."""
        return self.densities[FACTORS.index(Fraction(1))]

    @property
    def reach(self) -> float:
        """How far the picture goes to each side: the ends of the widest interval are seen."""
        return max(1.2 * max(d.half for d in self.densities), 4 * self.own.step)


def panels(
    found: Explanation, places: Sequence[int], at: Callable[[Fraction], Explanation]
) -> tuple[tuple[Panel, ...], tuple[str, ...]]:
    """What is drawn, and what is said of measurements that have no density.

    Args:
        found: the query at its ε.
        places: of the measurements.
        at: the query at another ε.

    Raises:
        InvalidArgument: there is none with noise that is known beforehand, or there are too many.
        NotCalibrated: the query at another ε is not known.
    """
    notes = tuple(_note(found.releases[i]) for i in places if not found.releases[i].noisy)
    drawn = [i for i in places if found.releases[i].noisy]
    if not drawn:
        raise InvalidArgument(f"there is no noise to draw: {'; '.join(notes) or sentences.PUBLIC}")
    eps = found.cost.exact.eps
    versions = [found if factor == 1 else at(factor * eps) for factor in FACTORS]
    names: dict[tuple[object, ...], list[str]] = {}
    made: dict[tuple[object, ...], tuple[Density, ...]] = {}
    for i in drawn:
        each = [version.releases[i] for version in versions]
        key = tuple((r.mechanism, r.scale, r.step) for r in each)
        names.setdefault(key, []).append(found.releases[i].name)
        made[key] = tuple(_density(v.cost, r) for v, r in zip(versions, each, strict=True))
    if len(made) > MAX_PANELS:
        message = f"{len(made)} different noises are too many for one picture; name one of"
        raise InvalidArgument(f"{message} {', '.join(found.releases[i].name for i in drawn)}")
    return tuple(Panel(tuple(names[key]), made[key]) for key in made), notes


def _density(cost: QueryCost, release: Release) -> Density:
    return Density(
        cost, release.mechanism, release.interval(CONFIDENCE), float(release.step), release.mass
    )


def _note(release: Release) -> str:
    """Why a measurement has no density, and how far it is off all the same."""
    if release.clipping is not None:
        found = sentences.found(release)
        return f"{release.name}: {found} that the data gives; its noise is known then"
    if release.mechanism in sentences.PICKING:
        unit = "rows" if release.l1 else "of the best"
        width = figure(release.interval(CONFIDENCE))
        return f"{release.name}: {release.mechanism} mechanism, within {width} {unit} at 95 %"
    return f"{release.name}: no noise, the same on all neighbours"
