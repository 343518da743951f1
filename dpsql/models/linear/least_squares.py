"""Least squares from noisy sums: Ĝ = G + E and Ĉ = C + F, where the laws of E and F are known.

Directions that noise hides. Where a direction v has less of v·G·v than E may have, Ĝ⁻¹ is anything.
So Ĝ is held up there: with M = E[E²], the noise in each direction, R = M^(−1/4), and t the 95 %
point of the largest eigenvalue of R·E·R, each eigenvalue of R·Ĝ·R below t becomes t. What is added
to Ĝ in all is a penalty P ≥ 0 in those directions alone; the coefficients are those of a ridge
regression with that penalty. It is the idea of AdaSSP (Wang 2018, "Revisiting differentially
private linear regression"), which adds one λ in all directions, and pays for finding it; here it is
found from Ĝ, which is public by then, with the noise that was drawn. One rare value of a text
would make that λ large for all other features too: on the census the loss is two to three times
as much (`benchmarks/models.py`).

Intervals. θ̂ = (Ĝ + P)⁻¹·Ĉ and θ = (G + P)⁻¹·C, on the same rows without noise and with that P.

Claim: θ̂ − θ = (Ĝ + P)⁻¹·(F − E·θ). Why: (Ĝ + P)·(θ̂ − θ) = Ĉ − (G + P)·θ − E·θ = Ĉ − C − E·θ.

So the half-widths are the 95 % points of what that is when E and F are drawn from their laws, with
θ̂ for θ in it, which is right to first order (as for averages, see `execution.accuracy`). Where P is
not 0 they are of the held-back coefficients, not of those of least squares.

Sampling error is another thing: how far the coefficients of the rows are from those of all that the
rows were drawn from. It is the usual one of least squares, σ²·(Ĝ + P)⁻¹ with σ² the noisy sum of
squares that is left; rows count as independent, with one σ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpsql.models.spread import CONFIDENCE

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Moments:
    """G, C and Σw² of one group, or draws of their noise: then each has one more axis, the first.

    Attributes:
        gram, cross, square: see `sums`.
    """

    gram: Array
    cross: Array
    square: Array


@dataclass(frozen=True, slots=True)
class Hold:
    """From where on directions are held up.

    Attributes:
        root: R.
        back: R⁻¹.
        least: t.
    """

    root: Array
    back: Array
    least: float


@dataclass(frozen=True, slots=True)
class Hidden:
    """A direction that noise hides.

    Attributes:
        direction: of length 1, in z.
        found, least: its eigenvalue with noise, and t.
    """

    direction: Array
    found: float
    least: float


@dataclass(frozen=True, slots=True)
class Solved:
    """Coefficients of z and their errors.

    Attributes:
        theta: θ̂.
        spread: draws of θ̂ − θ, a row each.
        sampling: σ²·(Ĝ + P)⁻¹; None where what is left is no more than noise.
        hidden: what was held up.
        left, left_spread: the sum of squares that is left, and draws of its noise.
    """

    theta: Array
    spread: Array
    sampling: Array | None
    hidden: tuple[Hidden, ...]
    left: float
    left_spread: Array


def hold(noise: Array) -> Hold:
    """Where directions are held up, for draws of the noise of G."""
    wide = noise.shape[1]
    mean = np.einsum("rij,rjk->ik", noise, noise) / len(noise)
    values, vectors = np.linalg.eigh(mean)
    if not values[-1] > 0:  # there is no noise
        return Hold(np.eye(wide), np.eye(wide), 0.0)
    values = np.maximum(values, values[-1] * 1e-12)
    root = (vectors * values**-0.25) @ vectors.T
    back = (vectors * values**0.25) @ vectors.T
    largest = np.abs(np.linalg.eigvalsh(root @ noise @ root)).max(axis=1)
    return Hold(root, back, float(np.quantile(largest, CONFIDENCE)))


def held(gram: Array, at: Hold) -> tuple[Array, tuple[Hidden, ...]]:
    """Ĝ + P, and what was held up. Without noise what is rounding beside the largest eigenvalue
    counts as hidden, too.
    """
    values, vectors = np.linalg.eigh(at.root @ gram @ at.root)
    least = max(at.least, float(np.abs(values).max()) * 1e-10, 1e-300)
    hidden = []
    for value, vector in zip(values, vectors.T, strict=True):
        if value < least:
            direction = at.root @ vector
            length = float(np.linalg.norm(direction))
            hidden.append(Hidden(direction / length, float(value), least))
    up = at.back @ (vectors * np.maximum(values, least)) @ vectors.T @ at.back
    return up, tuple(hidden)


def solved(found: Moments, rows: float, noise: Moments, at: Hold, penalty: Array) -> Solved:
    """The coefficients of one group.

    Args:
        found: with noise.
        rows: how many there are, with noise.
        noise: draws of it.
        at: where directions are held up.
        penalty: what was asked for, as a matrix.
    """
    up, hidden = held(found.gram + penalty, at)
    inverse = np.linalg.inv(up)
    theta = inverse @ found.cross
    off = noise.cross - noise.gram @ theta
    left = float(found.square - 2 * theta @ found.cross + theta @ found.gram @ theta)
    moved = noise.square - 2 * noise.cross @ theta + (noise.gram @ theta) @ theta
    free = rows - len(theta)
    sampling = np.multiply(inverse, left / free) if left > 0 and free > 0 else None
    return Solved(theta, off @ inverse, sampling, hidden, left, moved)
