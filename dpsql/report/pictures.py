"""What all pictures have in common: their style, and texts that are drawn as they are.

Drawn without pyplot, so that nothing is left open and no display is needed. matplotlib is imported
inside functions alone.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import tzinfo
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, BLUE, PALE, RED = "#222222", "#8a8a8a", "#2f6db5", "#dbe7f5", "#c0392b"
ORANGE, GRID = "#d98324", "#e6e6e6"
SERIES = (BLUE, ORANGE, "#3d8f5f", "#9a5fb0", RED, "#7a6a53", "#2aa1a8", "#c66a9d")
"""Colours of things side by side, in order."""

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "text.parse_math": False,
    "axes.labelcolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titlepad": 12,
    "axes.edgecolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.facecolor": "white",
    "savefig.dpi": 150,
}


@contextmanager
def drawing() -> Iterator[None]:
    """In here the style holds, whatever the user has set: a text with $ or a font without our
    letters would fail.

    Raises:
        ImportError: matplotlib is missing (`pip install "dpsql[plot]"`).
    """
    try:
        import matplotlib.style
        from matplotlib.backends import backend_agg  # noqa: F401
    except ImportError as error:
        message = 'plot needs matplotlib: pip install "dpsql[plot]"'
        raise ImportError(message, name="matplotlib") from error
    with matplotlib.style.context(["default", STYLE]):
        yield


def blank(width: float, height: float) -> Figure:
    """An empty picture, of so many inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(h_pad=0.12, w_pad=0.1)
    made = _picture()(figsize=(width, height), layout=layout)
    FigureCanvasAgg(made)
    return made


@cache
def _picture() -> type[Figure]:
    """Figures that a notebook shows; others it shows only once pyplot has been imported."""
    from matplotlib.figure import Figure

    class Picture(Figure):
        def _repr_png_(self) -> bytes:
            content = io.BytesIO()
            self.savefig(content, format="png", dpi=self.dpi)
            return content.getvalue()

    return Picture


def written(made: Figure, path: str | os.PathLike[str] | None) -> Figure:
    """The picture, written to a file as well where one is named."""
    if path is not None:
        made.savefig(path)
    return made


def ruled(axes: Axes, axis: Literal["x", "y"]) -> None:
    """Faint lines across one axis."""
    axes.grid(axis=axis, color=GRID, linewidth=0.8)


def dated(axes: Axes, most: int, zone: tzinfo | None = None) -> None:
    """At most so many ticks on an axis of dates, with no more words than it needs."""
    from matplotlib import dates

    typed: Any = dates
    locator = typed.AutoDateLocator(tz=zone, minticks=3, maxticks=most)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(typed.ConciseDateFormatter(locator, tz=zone))


def drawable(text: str) -> str:
    """`text` with a box for each letter that the font lacks, which would be a warning each."""
    known = _letters()
    return "".join(letter if ord(letter) in known else "□" for letter in text)


@cache
def _letters() -> frozenset[int]:
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())
