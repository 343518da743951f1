"""The noise of measurements as SVG: the density at half the ε, at it and at twice, each with its
95 % interval.
"""

from __future__ import annotations

from dpsql.report.explanation.noise_picture import FACTORS, WORDS, Density, Panel
from dpsql.report.figures import figure, most, shortened
from dpsql.serve.console.html import Html, joined, tag
from dpsql.serve.console.scales import Scale, scale, shown, ticks

WIDE, HIGH, BASE = 440, 210, 140
"""Of the drawing, and where the densities stand; the intervals are below."""

POINTS = 60
"""Of a curve, on each side of 0."""


def drawn(panel: Panel) -> Html:
    """A picture with its words."""
    across = scale([-panel.reach, panel.reach], 10, WIDE - 10)
    top = max(density.mass(0) / density.step for density in panel.densities)
    up = Scale(0, top, BASE, 8)
    parts = [
        tag("path", d=f"M{across.at(tick)} 8V{BASE + 44}", class_="grid") for tick in ticks(across)
    ]
    keys = []
    for n, density in enumerate(panel.densities):
        kind, y = f"at-{n}", BASE + 14 + 14 * n
        low, high = across.at(-density.half), across.at(density.half)
        own = " own" if density is panel.own else ""
        parts.append(tag("path", d=_curve(density, panel, across, up), class_=f"line {kind}{own}"))
        ends = f"M{low} {y - 4}v8M{low} {y}H{high}M{high} {y - 4}v8"
        parts.append(tag("path", d=ends, class_=f"line {kind}{own}"))
        keys.append(tag("li", _said(density), class_=kind))
    parts.append(tag("path", d=f"M10 {BASE}H{WIDE - 10}", class_="axis"))
    parts += [
        tag("text", shown(tick), x=across.at(tick), y=HIGH - 8, text_anchor="middle")
        for tick in ticks(across)
    ]
    names = shortened(", ".join(panel.names), WORDS)
    words = f"{names}: ± {figure(panel.own.half)} at 95 %, {panel.own.mechanism} noise"
    view = f"0 0 {WIDE} {HIGH}"
    picture = tag("svg", joined(parts), viewBox=view, role="img", aria_label=f"density of {words}")
    return tag(
        "figure",
        tag("figcaption", words),
        picture,
        tag("ul", *keys, class_="legend"),
        class_="noise",
    )


def _curve(density: Density, panel: Panel, across: Scale, up: Scale) -> str:
    """The density at a few places; as the steps that they are where there are few."""
    last = max(1, round(panel.reach / density.step))
    half = sorted({round(n * last / min(last, POINTS)) for n in range(min(last, POINTS) + 1)})
    places = [-n for n in reversed(half[1:])] + half
    points = [(k * density.step, up.at(density.mass(k) / density.step)) for k in places]
    if last > POINTS:
        return "M" + "L".join(f"{across.at(x)} {y}" for x, y in points)
    wide = density.step / 2
    return "M" + "L".join(f"{across.at(x - wide)} {y}L{across.at(x + wide)} {y}" for x, y in points)


def _said(density: Density) -> str:
    exact = density.cost.exact
    delta = f", δ = {most(exact.delta)}" if exact.delta else ""
    return f"ε = {most(exact.eps)}{delta}: ± {figure(density.half)}"


assert len(FACTORS) == 3  # the classes of the style sheet
