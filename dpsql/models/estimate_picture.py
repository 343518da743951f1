"""The picture of numbers that a model tells: each with its two errors; see `report.pictures`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dpsql.errors import InvalidArgument
from dpsql.models.estimates import Estimate
from dpsql.report import pictures
from dpsql.report.figures import shortened
from dpsql.visible import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 60
"""So many rows one panel has."""
WORDS = 40
"""How many letters a name has."""

Row = tuple[str, Mapping[str, Estimate]]


def picture(rows: Sequence[Row], title: str, what: str = "coefficient") -> Figure:
    """A panel for each term, since each has a unit of its own; in it a row for each model.

    Args:
        rows: of each model, or cluster, its name, which one alone has not; and its numbers by term.
        title: above all.
        what: the numbers are.

    Raises:
        InvalidArgument: there are none, or too many.
        ImportError: matplotlib is missing (`pip install "dpsql[plot]"`).
    """
    terms = list(rows[0][1]) if rows else []
    if not terms or len(rows) > MOST or len(terms) > MOST:
        raise InvalidArgument(f"a picture has 1 to {MOST} models, and as many {what}s")
    with pictures.drawing():
        keys = [name(key) for key, _ in rows]
        made = pictures.blank(7, 0.8 + len(terms) * (0.42 + 0.26 * len(rows)))
        panels = made.subplots(len(terms), 1, squeeze=False)[:, 0]
        for term, axes in zip(terms, panels, strict=True):
            found = [numbers[term] for _, numbers in rows]
            intervals(axes, found, what)
            if what == "coefficient":
                axes.axvline(0, color=pictures.FAINT, linewidth=1, zorder=0)
            axes.set_yticks(range(len(rows)), keys if any(keys) else [name(term)])
            if any(keys):
                axes.set_xlabel(name(term), loc="left")
        panels[0].set_title(name(title))
        handles, labels = panels[0].get_legend_handles_labels()
        made.legend(handles, labels, loc="outside lower left", ncols=3, frameon=False)
    return made


def intervals(axes: Axes, found: Sequence[Estimate], what: str) -> None:
    """Bars that end at the ends of both intervals, the wider one behind; a row each, from above."""
    places = list(range(len(found)))
    ways = (
        ("noise and sampling", [one.both for one in found], pictures.PALE, 9.0),
        ("noise", [one.noise for one in found], pictures.BLUE, 2.0),
    )
    for label, widths, colour, thick in ways:
        known = [i for i in places if widths[i] is not None]
        axes.hlines(
            known,
            [found[i].value - (widths[i] or 0.0) for i in known],
            [found[i].value + (widths[i] or 0.0) for i in known],
            color=colour,
            linewidth=thick,
            label=label if known or what == "coefficient" else f"_{label}",
        )
    axes.plot([one.value for one in found], places, "o", color=pictures.BLUE, label=what)
    axes.set_ylim(len(found) - 0.5, -0.5)
    pictures.ruled(axes, "x")


def name(text: str) -> str:
    """A text that can be drawn, and is short."""
    return pictures.drawable(shortened(one_line(text), WORDS))
