"""The chart of an answer as SVG: bars or lines, with the 95 % interval of each value.

Colours are classes, so that light and dark pages both can be read, and drawings hold no style.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time
from typing import Any

from dpsql.report.figures import cell
from dpsql.report.result.chart import Chart, DrawnColumn, Point, Series
from dpsql.serve.console.html import Html, joined, tag
from dpsql.serve.console.scales import Scale, scale, shown, ticks

WIDE, LEFT, RIGHT = 440, 8, 16
HIGH = 240
BAR, GAP, LABEL = 12, 12, 18
"""Of a bar its thickness, the room after a key's bars, and the room of the label above them."""

CROWD, MOST = 60, 2000
"""From so many points on a line's are small, and more than so many in all are not drawn."""


def drawn(chart: Chart) -> Html:
    """The chart, with what is said of it.

    Raises:
        ValueError: it has too many points to be looked at.
    """
    count = sum(len(points) for measure in chart.measures for _, points in measure.series)
    if count > MOST:
        raise ValueError(f"{count:,} points are too many for a picture here")
    legend = [name for name, _ in chart.measures[0].series if name and not chart.apart]
    keys = [tag("li", name, class_=f"series-{n % 8}") for n, name in enumerate(legend)]
    pictures = (
        tag(
            "figure",
            tag("figcaption", panel.name),
            tag("div", _bars(chart, panel) if chart.labels is not None else _lines(chart, panel)),
        )
        for panel in _panels(chart)
    )
    return tag(
        "div",
        tag("ul", *keys, class_="legend", aria_label=chart.second) if keys else "",
        *pictures,
        tag("p", " · ".join(chart.said), class_="faint"),
        class_="chart",
    )


def _panels(chart: Chart) -> list[DrawnColumn]:
    """A panel for each measure; or, of one, for each of its series."""
    if not chart.apart:
        return chart.measures
    (measure,) = chart.measures
    return [DrawnColumn(f"{measure.name}: {name}", [("", found)]) for name, found in measure.series]


def _bars(chart: Chart, panel: DrawnColumn) -> Html:
    """Bars from the left, each key's under its label; the first row is at the top."""
    assert chart.labels is not None
    along = scale(_ends(panel.series), LEFT, WIDE - RIGHT, zero=True)
    tall = LABEL + BAR * len(panel.series) + GAP
    parts: list[Html] = []
    beside = "".join(f"m0 {LABEL - 2}v{tall - LABEL}m0 2" for _ in chart.labels)  # no label is cut
    for tick in ticks(along):
        parts.append(tag("path", d=f"M{along.at(tick)} 0{beside}", class_="grid"))
        parts.append(_text(along.at(tick), tall * len(chart.labels) + 14, shown(tick), "middle"))
    for number, label in enumerate(chart.labels):
        words = "NULL" if label is None else label
        parts.append(
            _text(LEFT + 4, number * tall + 13, words, "start", "null" if label is None else "")
        )
    for place, (name, points) in enumerate(panel.series):
        for point in points:
            y = point.at * tall + LABEL + place * BAR
            here, zero = along.at(point.value), along.at(0)
            words = "NULL" if chart.labels[point.at] is None else chart.labels[point.at]
            bar = tag(
                "rect",
                _titled(f"{words} {name}".strip(), point),
                x=min(here, zero),
                y=y,
                width=round(abs(here - zero), 1),
                height=BAR - 2,
                class_=f"series-{place % 8}",
            )
            parts += [bar, *_reach(along, point, y + BAR / 2 - 1, flat=True)]
    parts.append(tag("path", d=f"M{along.at(0)} 0{beside}", class_="axis"))
    return _svg(parts, tall * len(chart.labels) + 22, f"{panel.name} by {chart.key}: bars")


def _lines(chart: Chart, panel: DrawnColumn) -> Html:
    """A line each, with an interval at each point; NULL stands apart, to the right."""
    every = [point for _, points in panel.series for point in points]
    known = sorted({point.at for point in every if point.at is not None}, key=_place)
    aside = any(point.at is None for point in every)
    up = scale(_ends(panel.series), HIGH - 24, 10)
    names = [shown(tick) for tick in ticks(up)]
    left = 14 + 7 * max(map(len, names))
    right = WIDE - RIGHT - 40 * aside
    across = scale([_place(at) for at in known] or [0.0], left, right)
    parts: list[Html] = []
    for tick, name in zip(ticks(up), names, strict=True):
        parts.append(tag("path", d=f"M{left} {up.at(tick)}H{WIDE - RIGHT}", class_="grid"))
        parts.append(_text(left - 6, up.at(tick) + 4, name, "end"))
    for x, words, anchor in _below(known, across):
        parts.append(_text(x, HIGH - 4, words, anchor))
    if aside:
        parts.append(_text(WIDE - RIGHT, HIGH - 4, "NULL", "end", "null"))
    for number, (name, points) in enumerate(panel.series):
        kind = f"series-{number % 8}"
        places = [
            (WIDE - RIGHT - 12.0 if p.at is None else across.at(_place(p.at)), up.at(p.value), p)
            for p in sorted(points, key=lambda p: (p.at is None, p.at and _place(p.at)))
        ]
        line = "L".join(f"{x} {y}" for x, y, point in places if point.at is not None)
        parts.append(tag("path", d=line and f"M{line}", class_=f"line {kind}"))
        for x, y, point in places:
            parts += _reach(up, point, x, flat=False)
            at = "NULL" if point.at is None else _said(point.at)
            title = _titled(f"{at} {name}".strip(), point)
            parts.append(
                tag("circle", title, cx=x, cy=y, r=3 if len(places) <= CROWD else 1, class_=kind)
            )
    return _svg(parts, HIGH, f"{panel.name} by {chart.key}: a line")


def _below(known: list[Any], across: Scale) -> Iterator[tuple[float, str, str]]:
    """What stands below a line: round numbers; of dates the first, the middle and the last."""
    if known and not isinstance(known[0], date):
        whole = all(float(at).is_integer() for at in known)
        for tick in ticks(across):
            if not whole or tick.is_integer():
                yield across.at(tick), f"{tick:.10g}", "middle"
        return
    short = known and max(len(_said(at)) for at in known) <= len("2025-12-31")
    chosen = (
        dict.fromkeys((0, *([len(known) // 2] if short else ()), len(known) - 1)) if known else {}
    )
    for n in chosen:
        anchor = "start" if n == 0 else "end" if n == len(known) - 1 else "middle"
        yield across.at(_place(known[n])), _said(known[n]), anchor


def _place(at: Any) -> float:
    """Where a key is on its axis; moments without a zone are taken as UTC, like days."""
    if isinstance(at, date):
        moment = at if isinstance(at, datetime) else datetime.combine(at, time())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return float(at)


def _said(at: Any) -> str:
    """A key; of a moment the day alone, where a day begins."""
    return str(at).removesuffix(" 00:00:00")


def _ends(series: Iterable[Series]) -> list[float]:
    """All values, and the ends of their intervals."""
    every = [(p.value, p.width or 0.0) for _, points in series for p in points]
    return [end for value, width in every for end in (value - width, value + width)] or [0.0]


def _reach(along: Scale, point: Point, at: float, *, flat: bool) -> list[Html]:
    """The interval of a value, with its ends marked."""
    if point.width is None:
        return []
    low, high = along.at(point.value - point.width), along.at(point.value + point.width)
    if flat:
        path = f"M{low} {at - 3}v6M{low} {at}H{high}M{high} {at - 3}v6"
    else:
        path = f"M{at - 3} {low}h6M{at} {low}V{high}M{at - 3} {high}h6"
    return [tag("path", d=path, class_="reach")]


def _titled(words: str, point: Point) -> Html:
    value, width = cell(point.value, point.width)
    return tag("title", f"{words}: {value}{width}")


def _text(x: float, y: float, words: str, anchor: str, kind: str = "") -> Html:
    return tag("text", words, x=x, y=y, text_anchor=anchor, class_=kind or None)


def _svg(parts: Iterable[Html], tall: float, name: str) -> Html:
    view = f"0 0 {WIDE} {tall}"
    return tag("svg", joined(parts), viewBox=view, role="img", aria_label=name)
