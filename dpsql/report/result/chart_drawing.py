"""A chart drawn; needs matplotlib."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from matplotlib import dates, ticker
from matplotlib.text import Text

from dpsql.report.pictures import BLUE, FAINT, INK, SERIES, blank, dated, drawable, ruled
from dpsql.report.result.chart import Chart, Point, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE, ACROSS = 9.0, 3
"""Inches, and panels beside each other."""

NULL = "NULL"

BAND = 40
"""From so many points on a band shows the intervals better than so many lines."""


def drawn(chart: Chart) -> Figure:
    """The picture of a chart."""
    panels = _panels(chart)
    lines = chart.labels is None
    across = min(len(panels), ACROSS if chart.apart or not lines else 1)
    down = -(-len(panels) // across)
    made = blank(WIDE, 0.9 + down * (_height(chart) + 0.5))
    grid: Any = made.subplots(
        down, across, squeeze=False, sharey=chart.apart or not lines, sharex=chart.apart or lines
    )
    every = list(grid.flat)
    for axes, (title, series) in zip(every, panels, strict=False):
        axes.set_title(drawable(title))
        (_lines if lines else _bars)(axes, chart, series)
    for axes in every[len(panels) :]:
        axes.remove()
    for row in grid:
        row[0].set_ylabel("" if lines else drawable(chart.key))
    for axes in every[max(0, len(panels) - across) : len(panels)]:
        axes.set_xlabel(drawable(chart.key) if lines else "", loc="left")
        axes.tick_params(labelbottom=True)
    if chart.second and not chart.apart:
        handles, names = every[0].get_legend_handles_labels()
        made.legend(
            handles,
            names,
            title=drawable(chart.second),
            loc="outside right upper",
            frameon=False,
            alignment="left",
        )
    said = made.supxlabel(
        drawable("  ·  ".join(chart.said)), fontsize=8, color=FAINT, x=0.01, ha="left"
    )
    said.set_wrap(True)
    for text in made.findobj(Text):
        text.set_parse_math(False)  # a $ is a letter
    return made


def _panels(chart: Chart) -> list[tuple[str, list[Series]]]:
    """Of each panel its title and its series."""
    if not chart.apart:
        return [(measure.name, measure.series) for measure in chart.measures]
    (measure,) = chart.measures
    return [(f"{measure.name}: {name}", [(name, points)]) for name, points in measure.series]


def _height(chart: Chart) -> float:
    if chart.labels is None:
        return 1.8 if chart.apart else 3.2 if len(chart.measures) == 1 else 2.4
    beside = 1 if chart.apart else len(chart.measures[0].series)
    return 0.25 + len(chart.labels) * max(0.3, 0.17 * beside)


def _bars(axes: Axes, chart: Chart, series: list[Series]) -> None:
    """Bars from the left, one beside the other; the first row is at the top."""
    assert chart.labels is not None
    thick = 0.62 if len(series) == 1 else 0.8 / len(series)
    for number, (name, points) in enumerate(series):
        shift = (number - (len(series) - 1) / 2) * thick
        places = [point.at + shift for point in points]
        color = BLUE if chart.apart else SERIES[number % len(SERIES)]
        axes.barh(
            places,
            [p.value for p in points],
            height=thick * 0.92,
            color=color,
            label=drawable(name),
        )
        _reaches(axes, places, points, "x", ecolor=INK, capsize=min(3.0, 12 * thick), alpha=0.8)
    axes.axvline(0, color=FAINT, linewidth=0.8)
    axes.set_ylim(len(chart.labels) - 0.4, -0.6)
    axes.set_yticks(
        range(len(chart.labels)),
        [NULL if label is None else drawable(label) for label in chart.labels],
    )
    # Panels beside the first have none of their own.
    for label, text in zip(chart.labels, axes.get_yticklabels(), strict=False):
        if label is None:
            text.set(style="italic", color=FAINT)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    ruled(axes, "x")
    axes.xaxis.set_major_locator(ticker.MaxNLocator(5))
    axes.xaxis.set_major_formatter(_figures(commas=True))


def _lines(axes: Axes, chart: Chart, series: list[Series]) -> None:
    """A line each, with an interval at each point; NULL stands apart, to the right."""
    every = [p.at for _, points in series for p in points if p.at is not None]
    days = isinstance(every[0], date) if every else False
    places = [_place(at) for at in every] or [0.0]
    gap = 0.06 * (max(places) - min(places)) or 1.0
    for number, (name, points) in enumerate(series):
        color = BLUE if chart.apart else SERIES[number % len(SERIES)]
        known = sorted((p for p in points if p.at is not None), key=lambda p: _place(p.at))
        _line(axes, [_place(p.at) for p in known], known, color, drawable(name))
        aside = [p for p in points if p.at is None]
        at = max(places) + gap
        _line(axes, [at] * len(aside), aside, color, None)
        for point in aside:
            axes.annotate(
                NULL,
                (at, point.value),
                xytext=(6, 0),
                textcoords="offset points",
                color=FAINT,
                fontsize=8,
                style="italic",
                va="center",
            )
    if days:
        dated(axes, 5 if chart.apart else 9)
    else:
        whole = all(at == int(at) for at in places)
        axes.xaxis.set_major_locator(ticker.MaxNLocator(5 if chart.apart else 9, integer=whole))
        axes.xaxis.set_major_formatter(_figures(commas=False))
    ruled(axes, "y")
    axes.yaxis.set_major_formatter(_figures(commas=True))


def _line(
    axes: Axes, places: list[float], points: list[Point], color: str, name: str | None
) -> None:
    if not points:
        return
    values = [p.value for p in points]
    style: dict[str, Any] = {
        "color": color,
        "label": name,
        "markersize": 4,
        "linewidth": 1.5 if len(points) <= 3 * BAND else 0.8,
    }
    if len(points) > BAND:
        axes.plot(places, values, "-", **style)
        reach = [p.width or 0.0 for p in points]
        axes.fill_between(
            places,
            [v - w for v, w in zip(values, reach, strict=True)],
            [v + w for v, w in zip(values, reach, strict=True)],
            color=color,
            alpha=0.18,
            linewidth=0,
        )
        return
    axes.plot(places, values, "-o", **style)
    _reaches(axes, places, points, "y", ecolor=color, capsize=3, alpha=0.7)


def _reaches(
    axes: Axes, places: list[float], points: list[Point], along: Literal["x", "y"], **style: Any
) -> None:
    """The intervals that are known, along the axis of the values."""
    known = [
        (at, p.value, p.width) for at, p in zip(places, points, strict=True) if p.width is not None
    ]
    if known:
        at, values, widths = zip(*known, strict=True)
        x, y = (values, at) if along == "x" else (at, values)
        reach: dict[str, Any] = {f"{along}err": widths}
        axes.errorbar(x, y, **reach, fmt="none", elinewidth=1.1, **style)


def _place(at: Any) -> float:
    """Where a key is on its axis."""
    if isinstance(at, date):
        typed: Any = dates
        return float(typed.date2num(at))
    return float(at)


def _figures(commas: bool) -> ticker.Formatter:
    """Numbers of an axis; keys may be years, without commas."""
    shown = "{:,.10g}" if commas else "{:.10g}"
    return ticker.FuncFormatter(lambda value, _: shown.format(value))
