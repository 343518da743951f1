"""The picture of a tree: its questions, and beside each leaf what it says, with its noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpsql.errors import InvalidArgument
from dpsql.models.documents import shown
from dpsql.models.estimate_picture import intervals, name
from dpsql.models.estimates import Estimate
from dpsql.report import pictures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dpsql.models.trees.fitted import Tree

MOST = 40
"""So many leaves are drawn."""


def picture(tree: Tree) -> Figure:
    """See `Tree.plot`."""
    leaves, target = tree.leaves, tree.model.target
    if len(leaves) > MOST:
        raise InvalidArgument(f"a picture has up to {MOST} leaves, not {len(leaves)}")
    with pictures.drawing():
        made = pictures.blank(10, 1.2 + 0.4 * len(leaves))
        questions, said = made.subplots(1, 2, sharey=True, width_ratios=(3, 2))
        _draw(questions, tree, 0, 0)
        questions.axis("off")
        questions.set_title(name(f"A decision tree of {target}"))
        questions.text(0, -0.05, "yes above, no below", transform=questions.transAxes, va="top")
        if tree.classes:
            _shares(said, tree)
            said.set_xlabel("share")
        else:
            means = [Estimate(float(one.value), one.error) for one in leaves]  # type: ignore[arg-type]
            intervals(said, means, "mean")
            said.set_xlabel(name(target))
        said.set_ylim(len(leaves) - 0.5, -0.5)
        said.set_yticks(range(len(leaves)), [f"{shown(one.rows)} rows" for one in leaves])
        said.tick_params(labelleft=True)
        handles, labels = said.get_legend_handles_labels()
        made.legend(handles, labels, loc="outside lower right", ncols=4, frameon=False)
    return made


def _draw(axes: Axes, tree: Tree, place: int, above: int) -> tuple[float, int]:
    """A node and those below it, after so many leaves; its height, and how many there are then."""
    node = tree.nodes[place]
    if node.split is None or node.yes is None or node.no is None:
        axes.plot(node.depth, above, "o", color=pictures.BLUE)
        return float(above), above + 1
    yes, after = _draw(axes, tree, node.yes, above)
    no, after = _draw(axes, tree, node.no, after)
    height, depth = (yes + no) / 2, node.depth
    for end in (yes, no):
        axes.plot([depth, depth + 1], [height, end], color=pictures.FAINT, linewidth=1, zorder=0)
    box = {"boxstyle": "round", "facecolor": "white", "edgecolor": pictures.FAINT}
    axes.text(depth, height, name(str(node.split)), va="center", ha="left", fontsize=8, bbox=box)
    return height, after


def _shares(axes: Axes, tree: Tree) -> None:
    """Bars of the shares of classes, one after the other."""
    shares = np.array([node.shares for node in tree.leaves])
    starts = np.cumsum(shares, axis=1) - shares
    for number, value in enumerate(tree.classes):
        colour = pictures.SERIES[number % len(pictures.SERIES)]
        places = np.arange(len(shares))
        axes.barh(
            places, shares[:, number], 0.7, starts[:, number], color=colour, label=name(str(value))
        )
    pictures.ruled(axes, "x")
