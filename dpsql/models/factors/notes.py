"""What is to be known of fitted factors, beside their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dpsql.models.factors.solving import Biases, Factors
from dpsql.types import Scalar

Array = NDArray[np.float64]

HALF = 0.5
"""An item is hidden where less of what is known of it is no noise."""

NAMED = 5
"""So many hidden items are named."""


def hidden(items: Sequence[Scalar], known: Biases, told: Factors, eps: float) -> Iterator[str]:
    """What is said of items whose bias or factors noise hides.

    Args:
        items: which there are.
        known: from the counts.
        told: from the last round.
        eps: that was paid.
    """
    none = int((known.ratings <= max(known.noise, 0.5)).sum())
    if none:
        yield f"{none} of {len(items)} items have no ratings, or fewer than noise hides"
    for what, seen in (("bias", known.seen), ("factors", told.seen)):
        places = np.flatnonzero(seen < HALF)
        if not len(places):
            continue
        names = ", ".join(str(items[place]) for place in places[:NAMED])
        more = ", …" if len(places) > NAMED else ""
        small = f"ε = {eps:.3g} is too small: " if 2 * len(places) > len(items) else ""
        yield (
            f"{small}noise hides the {what} of {len(places)} of {len(items)} items "
            f"({names}{more}), which are held back towards those of all; "
            f"about ε = {_needed(seen, eps):.2g} would do"
        )


def _needed(seen: Array, eps: float) -> float:
    """About the ε at which half of nine items in ten is no noise, whose variance is in proportion
    to 1/ε², about.
    """
    least = float(np.quantile(seen, 0.1))
    return eps * math.sqrt(max((1 - least) / max(least, 1e-9), 1.0))
