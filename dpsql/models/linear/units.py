"""From z and w, which are in [−1, 1], to the units of the columns, and back.

With b₀ the coefficients of z are those of x around its middle. Without, the middle is no place to
be 0 at: then x̃ = z + centre/half is in the place of z, and of w likewise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpsql.models.columns import Supervised
from dpsql.models.linear.least_squares import Moments

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Units:
    """What is between both.

    Attributes:
        features: x̃ as a function of (1, z).
        target: what is added to w.
        coefficients: those of the columns as a function of θ, that of the intercept first.
        constant: what is added to the first of them.
        penalty: the squares that a ridge of 1 adds up.
    """

    features: Array
    target: float
    coefficients: Array
    constant: float
    penalty: Array

    def seen(self, found: Moments) -> Moments:
        """G, C and Σw² of what is fitted; of draws of noise, too."""
        b, k = self.features, self.target
        first, alone = found.gram[..., 0], found.cross[..., 0]
        return Moments(
            b @ found.gram @ b.T,
            (found.cross + k * first) @ b.T,
            found.square + 2 * k * alone + k * k * found.gram[..., 0, 0],
        )


def units(columns: Supervised, *, intercept: bool) -> Units:
    """What is between both, for some columns."""
    halves = np.array([float(term.half) for term in columns.terms])
    centres = np.array([float(term.centre) for term in columns.terms])
    half, centre = float(columns.target.half), float(columns.target.centre)
    slopes = np.diag(half / halves)
    if not intercept:
        features = np.hstack([(centres / halves)[:, None], np.eye(len(halves))])
        return Units(features, centre / half, slopes, 0.0, np.eye(len(halves)))
    wide = len(halves) + 1
    made = np.zeros((wide, wide))
    made[0, 0], made[0, 1:], made[1:, 1:] = half, -half * centres / halves, slopes
    penalty = np.eye(wide)
    penalty[0, 0] = 0.0
    return Units(np.eye(wide), 0.0, made, centre, penalty)
