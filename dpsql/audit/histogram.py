"""Two histograms in one picture, as SVG within the page."""

from __future__ import annotations

import html

from dpsql.audit.estimate import Histogram
from dpsql.report.figures import figure
from dpsql.report.pictures import BLUE, FAINT, ORANGE
from dpsql.visible import one_line

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 180, 8, 22, 24

LEGEND = (
    "Blue: the world with the unit; orange: the one without it, or with another in its place. "
    "What is beyond an end is added to the last bar. The dashed line bounds the event by which ε "
    "is estimated."
)


def picture(found: Histogram) -> str:
    """An svg element."""
    most = max(1, *found.with_unit, *found.without)
    high, wide = HEIGHT - TOP - BOTTOM, (WIDTH - 2 * LEFT) / len(found.with_unit)
    shown = html.escape(one_line(found.name))
    parts = [
        f'<svg role="img" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f"<title>{shown}</title>",
        f'<text x="{LEFT}" y="14">{shown}</text>',
    ]
    for counts, colour in ((found.with_unit, BLUE), (found.without, ORANGE)):
        points = [f"{LEFT},{HEIGHT - BOTTOM}"]
        for place, count in enumerate(counts):
            y = HEIGHT - BOTTOM - high * count / most
            points += [
                f"{LEFT + place * wide:.1f},{y:.1f}",
                f"{LEFT + (place + 1) * wide:.1f},{y:.1f}",
            ]
        points.append(f"{WIDTH - LEFT},{HEIGHT - BOTTOM}")
        parts.append(
            f'<polygon points="{" ".join(points)}" fill="{colour}" fill-opacity="0.35" '
            f'stroke="{colour}"/>'
        )
    base = HEIGHT - BOTTOM
    parts.append(
        f'<line x1="{LEFT}" y1="{base}" x2="{WIDTH - LEFT}" y2="{base}" stroke="{FAINT}"/>'
    )
    if found.cut is not None:
        part = (min(max(found.cut, found.low), found.high) - found.low) / (found.high - found.low)
        x = LEFT + part * (WIDTH - 2 * LEFT)
        parts.append(
            f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{base}" stroke="{FAINT}" '
            f'stroke-dasharray="4 3"/>'
        )
    for value, x, anchor in ((found.low, LEFT, "start"), (found.high, WIDTH - LEFT, "end")):
        parts.append(
            f'<text x="{x}" y="{HEIGHT - 8}" text-anchor="{anchor}">{figure(value)}</text>'
        )
    return "".join((*parts, "</svg>"))
