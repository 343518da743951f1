"""The picture of noise: the density of each noisy measurement at the query's ε with its 95 %
interval, and at half and twice the ε.

matplotlib is imported inside functions alone; see `dpsql.report.pictures`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from dpsql.report.explanation.densities import Density, Panel, panels
from dpsql.report.figures import figure, most
from dpsql.report.pictures import (
    BLUE,
    FAINT,
    INK,
    ORANGE,
    PALE,
    SERIES,
    blank,
    drawable,
    drawing,
    ruled,
)
from dpsql.report.rounding import shortened
from dpsql.visible import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dpsql.report.explanation.explanation import Explanation

BARS = 40
"""Up to so many multiples of the step on each side are drawn as the steps that they are."""

WORDS = 80
"""How many letters of names a title has."""

COLOURS = (ORANGE, BLUE, SERIES[2])


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
    with drawing():
        made = blank(9, 3.1 * len(drawn) + 0.25 * len(notes))
        every = made.subplots(len(drawn), 1, squeeze=False)[:, 0]
        for axes, panel in zip(every, drawn, strict=True):
            _panel(axes, panel)
        if notes:
            text = drawable("\n".join(one_line(note) for note in notes))
            made.supxlabel(text, x=0.02, ha="left", fontsize=9, color=FAINT)
    return made


def _panel(axes: Axes, panel: Panel) -> None:
    own = panel.own
    axes.set_title(drawable(_title(panel)))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlim(-panel.reach, panel.reach)
    axes.xaxis.set_major_formatter(lambda value, _: figure(float(value)).replace("-", "−"))
    ruled(axes, "x")
    steps = panel.reach / own.step <= BARS
    top = max(density.mass(0) / density.step for density in panel.densities)
    axes.set_ylim(-0.3 * top, 1.08 * top)
    axes.axhline(0, color=FAINT, linewidth=0.8)
    _inside(axes, own, panel.reach, steps)
    for place, (density, colour) in enumerate(zip(panel.densities, COLOURS, strict=True), 1):
        places, heights = density.curve(panel.reach)
        chosen = density is own
        axes.plot(
            places,
            heights,
            color=colour,
            linewidth=2 if chosen else 1.4,
            drawstyle="steps-mid" if steps else "default",
            label=f"ε = {_eps(density)}: ± {figure(density.half)}",
            zorder=3 if chosen else 2,
        )
        ends, below = [-density.half, density.half], [-0.075 * place * top] * 2
        axes.plot(ends, below, color=colour, linewidth=2 if chosen else 1.4, marker="|")
    axes.set_xlabel("noise, and its 95 % interval at each ε", loc="left")
    legend = axes.legend(frameon=False, loc="upper right", title="95 % within", alignment="left")
    for text, colour in zip(legend.get_texts(), COLOURS, strict=True):
        text.set_color(colour)
    legend.get_title().set_color(INK)


def _inside(axes: Axes, own: Density, reach: float, steps: bool) -> None:
    """The 95 % interval under the curve of the query's own ε."""
    if steps:
        last = round(own.half / own.step)
        inside = [k * own.step for k in range(-last, last + 1)]
        heights = [own.mass(k) / own.step for k in range(-last, last + 1)]
        axes.bar(inside, heights, width=own.step, color=PALE, linewidth=0)
        return
    places, heights = own.curve(min(own.half, reach))
    axes.fill_between(places, heights, color=PALE, linewidth=0)


def _title(panel: Panel) -> str:
    names = shortened(", ".join(panel.names), WORDS)
    return f"{names}: ± {figure(panel.own.half)} at 95 %, {panel.own.mechanism} noise"


def _eps(density: Density) -> str:
    exact = density.cost.exact
    return most(exact.eps) + (f", δ = {most(exact.delta)}" if exact.delta else "")
