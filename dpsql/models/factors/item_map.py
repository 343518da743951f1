"""The picture of items by their factors: those are near to each other that the same people like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpsql.models.estimate_picture import name
from dpsql.models.factors.notes import HALF
from dpsql.report import pictures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dpsql.models.factors.fitted import FactorModel

NAMED = 40
"""So many items have their names: those with the most ratings."""


def picture(model: FactorModel) -> Figure:
    """See `FactorModel.plot`."""
    x = model.factors[:, 0]
    alone = model.factors.shape[1] == 1
    y = model.biases + float(model._columns.target.centre) if alone else model.factors[:, 1]
    hidden = model.seen < HALF
    with pictures.drawing():
        made = pictures.blank(7, 6)
        axes = made.subplots()
        ways = (("items", ~hidden, pictures.BLUE), ("hidden by noise", hidden, pictures.FAINT))
        for label, which, colour in ways:
            if which.any():
                axes.plot(x[which], y[which], "o", color=colour, label=label)
        for place in np.argsort(-model.ratings, kind="stable")[:NAMED].tolist():
            text = f"  {name(str(model.items[place]))}"
            axes.text(x[place], y[place], text, va="center", fontsize=8)
        axes.set_title(name(f"Factors of {model.model.item}"))
        axes.set_xlabel("factor 1")
        axes.set_ylabel("bias" if alone else "factor 2")
        axes.axvline(0, color=pictures.FAINT, linewidth=1, zorder=0)
        pictures.ruled(axes, "y")
        axes.legend(loc="best", frameon=False)
    return made
