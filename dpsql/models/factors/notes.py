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
"""An item is hidden where less of what items differ by is known of it."""

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
    for what, kept in (("bias", known.kept), ("factors", told.kept)):
        places = np.flatnonzero(kept < HALF)
        if not len(places):
            continue
        names = ", ".join(str(items[place]) for place in places[:NAMED])
        more = ", …" if len(places) > NAMED else ""
        small = f"ε = {eps:.3g} is too small: " if 2 * len(places) > len(items) else ""
        yield (
            f"{small}noise hides the {what} of {len(places)} of {len(items)} items "
            f"({names}{more}), which are held back towards those of all; "
            f"about ε = {_needed(kept, eps):.2g} would do"
        )


def _needed(kept: Array, eps: float) -> float:
    """About the ε at which half is known of most items: noise is in proportion to 1/ε, so that
    variance/T, which is (1 − kept)/kept, is to its square.
    """
    least = float(np.quantile(kept, 0.1))
    return eps * math.sqrt(max((1 - least) / max(least, 1e-9), 1.0))
