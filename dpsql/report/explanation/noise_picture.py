"""The picture of noise: the density of each noisy measurement at the query's ε with its 95 %
interval, and at half and twice the ε.

matplotlib is imported inside functions alone; see `dpsql.report.pictures`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from dpsql.errors import InvalidArgument
from dpsql.report import pictures
from dpsql.report.explanation import sentences
from dpsql.report.figures import QueryCost, figure, most, shortened
from dpsql.visible import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dpsql.report.explanation.explanation import Explanation
    from dpsql.report.explanation.measurement import Release

BARS = 40
"""Up to so many multiples of the step on each side are drawn as the steps that they are."""

WORDS = 80
"""How many letters of names a title has."""

COLOURS = (pictures.ORANGE, pictures.BLUE, pictures.SERIES[2])


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
        made[key] = tuple(
            Density(v.cost, r.mechanism, r.interval(CONFIDENCE), float(r.step), r.mass)
            for v, r in zip(versions, each, strict=True)
        )
    if len(made) > MAX_PANELS:
        message = f"{len(made)} different noises are too many for one picture; name one of"
        raise InvalidArgument(f"{message} {', '.join(found.releases[i].name for i in drawn)}")
    return tuple(Panel(tuple(names[key]), made[key]) for key in made), notes


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


def picture(
    found: Explanation, places: Sequence[int], at: Callable[[Fraction], Explanation]
) -> Figure:
    """The picture.

    Args:
        found: the query at its ε.
        places: of the measurements to draw.
        at: the query at another ε.

    Raises:
        InvalidArgument, NotCalibrated: see `panels`.
        ImportError: matplotlib is missing (`pip install "dpsql[plot]"`).
    """
    drawn, notes = panels(found, places, at)
    with pictures.drawing():
        made = pictures.blank(9, 3.1 * len(drawn) + 0.25 * len(notes))
        every = made.subplots(len(drawn), 1, squeeze=False)[:, 0]
        for axes, panel in zip(every, drawn, strict=True):
            _panel(axes, panel)
        if notes:
            text = pictures.drawable("\n".join(one_line(note) for note in notes))
            made.supxlabel(text, x=0.02, ha="left", fontsize=9, color=pictures.FAINT)
    return made


def _panel(axes: Axes, panel: Panel) -> None:
    own = panel.own
    names = shortened(", ".join(panel.names), WORDS)
    title = f"{names}: ± {figure(own.half)} at 95 %, {own.mechanism} noise"
    axes.set_title(pictures.drawable(title))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlim(-panel.reach, panel.reach)
    axes.xaxis.set_major_formatter(lambda value, _: figure(float(value)).replace("-", "−"))
    pictures.ruled(axes, "x")
    steps = panel.reach / own.step <= BARS
    top = max(density.mass(0) / density.step for density in panel.densities)
    axes.set_ylim(-0.3 * top, 1.08 * top)
    axes.axhline(0, color=pictures.FAINT, linewidth=0.8)
    _inside(axes, own, panel.reach, steps)
    for place, (density, colour) in enumerate(zip(panel.densities, COLOURS, strict=True), 1):
        places, heights = density.curve(panel.reach)
        exact, chosen = density.cost.exact, density is own
        eps = most(exact.eps) + (f", δ = {most(exact.delta)}" if exact.delta else "")
        axes.plot(
            places,
            heights,
            color=colour,
            linewidth=2 if chosen else 1.4,
            drawstyle="steps-mid" if steps else "default",
            label=f"ε = {eps}: ± {figure(density.half)}",
            zorder=3 if chosen else 2,
        )
        ends, below = [-density.half, density.half], [-0.075 * place * top] * 2
        axes.plot(ends, below, color=colour, linewidth=2 if chosen else 1.4, marker="|")
    axes.set_xlabel("noise, and its 95 % interval at each ε", loc="left")
    legend = axes.legend(frameon=False, loc="upper right", title="95 % within", alignment="left")
    for text, colour in zip(legend.get_texts(), COLOURS, strict=True):
        text.set_color(colour)
    legend.get_title().set_color(pictures.INK)


def _inside(axes: Axes, own: Density, reach: float, steps: bool) -> None:
    """The 95 % interval under the curve of the query's own ε."""
    if steps:
        last = round(own.half / own.step)
        inside = [k * own.step for k in range(-last, last + 1)]
        heights = [own.mass(k) / own.step for k in range(-last, last + 1)]
        axes.bar(inside, heights, width=own.step, color=pictures.PALE, linewidth=0)
        return
    places, heights = own.curve(min(own.half, reach))
    axes.fill_between(places, heights, color=pictures.PALE, linewidth=0)
