"""Newton's method with noisy gradients and curvatures, whose laws are known.

Where the curvature comes from. H with noise E is worth nothing in directions that E hides. But G of
the first query says nearly the same: with c = Σv/n, c·G is H where v has nothing to do with z. So
of H − c·Ĝ only what stands out of its noise is taken (each eigenvalue, measured as in
`linear.solving`, that is above the 95 % point of the largest that noise has), and c·Ĝ else. Many
rows get all of H, and few that of a fixed curvature, which is slower and calmer.

Claim: with the step s = Ĥ⁻¹·(ĝ − λθ), to first order θ + s is off by Ĥ⁻¹·(F − E·s), from where it
was without noise. Why: (Ĥ + λ)·s = g + F − λθ, and without noise (Ĥ − E + λ)·s' = g − λθ.

What a step leaves of where it came from is of second order: at most s²/2 of a row's η, as
|μ''| ≤ μ' in both families (Bach, "Self-concordant analysis for logistic regression", 2010). Over
the rows that is about the square of the root mean square of s, taken as a half-width is, at 95 %:
by as much as that is of what noise moves, half-widths are wider (`Step.wider`).

So errors of earlier steps do not add up: each step starts where the last one ended, wherever that
was, and Newton's method squares what is left (Ganesh, Haghifam, Steinke and Thakurta, "Faster
differentially private convex optimization via second-order methods", NeurIPS 2023, have the idea).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpsql.models.linear.least_squares import Hidden, Hold, held, hold

Array = NDArray[np.float64]

FURTHEST = 2.0
"""The root mean square by which a step moves η at most."""
LEAST = 1 / 20
"""c is at least such a part of what it is at most, where noise hides it."""


@dataclass(frozen=True, slots=True)
class Curvature:
    """What is known of the rows' curvature before a step.

    Attributes:
        gram, noise: Ĝ, held up, and draws of its noise.
        told: Ĝ as it was told.
        at: where it was held up.
        rows: how many there are, with noise; at least 1.
        penalty: λ as a matrix.
    """

    gram: Array
    noise: Array
    told: Array
    at: Hold
    rows: float
    penalty: Array


@dataclass(frozen=True, slots=True)
class Step:
    """Where a step went.

    Attributes:
        theta: after it.
        spread: draws of what noise makes of it.
        inverse: (Ĥ + λ)⁻¹.
        hidden, at: directions that were held up, and where that begins.
        slope: c.
        moved, usual: the root mean square by which it moved η, and by which noise alone does.
    """

    theta: Array
    spread: Array
    inverse: Array
    hidden: tuple[Hidden, ...]
    at: Hold
    slope: float
    moved: float
    usual: float

    @property
    def wider(self) -> float:
        """How many times as wide as noise alone makes them half-widths are."""
        return 1 + self.moved**2 / self.usual if self.usual else 1.0


def limited(step: Array, gram: Array, rows: float) -> Array:
    """A step, shortened where it would move η too far."""
    moved = root_mean_square(step, gram, rows)
    return step * min(1.0, FURTHEST / moved) if moved > 0 else step


def root_mean_square(step: Array, gram: Array, rows: float) -> float:
    """By how much a step moves η."""
    return math.sqrt(max(float(step @ gram @ step), 0.0) / rows)


def newton(
    theta: Array,
    gradient: Array,
    curvature: Array,
    drawn: tuple[Array, Array],
    known: Curvature,
    most: float,
) -> Step:
    """One step.

    Args:
        theta: from where.
        gradient, curvature: g and H there, with noise.
        drawn: draws of the noise of both.
        known: of the first query.
        most: the greatest of μ'.
    """
    slope = min(max(float(curvature[0, 0]) / known.rows, LEAST * most), most)
    usual = slope * known.gram
    own = _standing_out(curvature - usual, drawn[1] - slope * known.noise)
    # Of c·E the same directions are held up, at c times as much: R is c^(−1/2) times as large.
    # What was held up before is at the least now, but for rounding.
    least = known.at.least * (1 + 1e-9)
    at = Hold(known.at.root / slope**0.5, known.at.back * slope**0.5, least)
    up, below = held(usual + own + known.penalty, at)
    told = slope * known.told + own + known.penalty
    hidden = tuple(replace(one, found=_along(told, one.direction, at)) for one in below)
    inverse = np.asarray(np.linalg.inv(up), np.float64)
    step = limited(inverse @ (gradient - known.penalty @ theta), known.gram, known.rows)
    spread = (drawn[0] - drawn[1] @ step) @ inverse
    alone = np.einsum("ri,ij,rj->r", spread, known.gram, spread) / known.rows
    return Step(
        theta + step,
        spread,
        inverse,
        hidden,
        at,
        slope,
        root_mean_square(step, known.gram, known.rows),
        float(np.sqrt(np.quantile(alone, 0.95))),
    )


def _along(told: Array, direction: Array, at: Hold) -> float:
    """How much of a matrix there is along a direction, as `held` measures it."""
    vector = at.back @ direction
    seen = at.root @ vector / np.linalg.norm(vector)
    return float(seen @ told @ seen)


def _standing_out(difference: Array, noise: Array) -> Array:
    """What of a symmetric matrix is more than noise."""
    at = hold(noise)
    values, vectors = np.linalg.eigh(at.root @ difference @ at.root)
    kept = np.where(np.abs(values) > at.least, values, 0.0)
    made: Array = at.back @ (vectors * kept) @ vectors.T @ at.back
    return made
