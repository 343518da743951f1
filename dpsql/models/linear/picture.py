"""The picture of linear models: each coefficient with its two errors; see `report.pictures`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dpsql.errors import InvalidArgument
from dpsql.report import pictures
from dpsql.report.figures import shortened
from dpsql.visible import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dpsql.models.linear.fitted import LinearModel

MOST = 60
"""So many rows one panel has."""
WORDS = 40
"""How many letters a name has."""


def picture(models: Sequence[LinearModel], title: str) -> Figure:
    """A panel for each coefficient, since each has a unit of its own; in it a row for each model.

    Args:
        models: of one specification; one, or one for each group.
        title: above all.

    Raises:
        InvalidArgument: there are none, or too many.
        ImportError: matplotlib is missing (`pip install "dpsql[plot]"`).
    """
    terms = list(models[0].coefficients) if models else []
    if not terms or len(models) > MOST or len(terms) > MOST:
        raise InvalidArgument(f"a picture has 1 to {MOST} models, and as many coefficients")
    with pictures.drawing():
        keys = [_name(", ".join(map(str, one.key))) for one in models]
        made = pictures.blank(7, 0.8 + len(terms) * (0.42 + 0.26 * len(models)))
        panels = made.subplots(len(terms), 1, squeeze=False)[:, 0]
        for term, axes in zip(terms, panels, strict=True):
            _panel(axes, term, models, keys)
        panels[0].set_title(_name(title))
        handles, labels = panels[0].get_legend_handles_labels()
        made.legend(handles, labels, loc="outside lower left", ncols=3, frameon=False)
    return made


def _panel(axes: Axes, term: str, models: Sequence[LinearModel], keys: Sequence[str]) -> None:
    """Bars that end at the ends of both intervals, the wider one behind."""
    made = [one.coefficients[term] for one in models]
    places = list(range(len(made)))
    ways = (
        ("noise and sampling", [one.both for one in made], pictures.PALE, 9.0),
        ("noise", [one.noise for one in made], pictures.BLUE, 2.0),
    )
    for label, widths, colour, thick in ways:
        known = [i for i in places if widths[i] is not None]
        axes.hlines(
            known,
            [made[i].value - (widths[i] or 0.0) for i in known],
            [made[i].value + (widths[i] or 0.0) for i in known],
            color=colour,
            linewidth=thick,
            label=label,
        )
    axes.plot([one.value for one in made], places, "o", color=pictures.BLUE, label="coefficient")
    axes.axvline(0, color=pictures.FAINT, linewidth=1, zorder=0)
    axes.set_ylim(len(made) - 0.5, -0.5)
    grouped = any(keys)
    axes.set_yticks(places, keys if grouped else [_name(term)])
    if grouped:
        axes.set_xlabel(_name(term), loc="left")
    pictures.ruled(axes, "x")


def _name(text: str) -> str:
    return pictures.drawable(shortened(one_line(text), WORDS))
