"""Lloyd's algorithm on weighted points, from seeds that are drawn; and starts that know no data.

All of it is a function of its arguments: the draws are the same each time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpsql.models.spread import seeded

Array = NDArray[np.float64]

STARTS = 10
MOST_ROUNDS = 100


def distances(points: Array, centres: Array) -> Array:
    """The squares, a row a point."""
    crossed = points @ centres.T
    found = (points**2).sum(axis=1)[:, None] - 2 * crossed + (centres**2).sum(axis=1)
    return np.asarray(np.maximum(found, 0.0))


def clustered(points: Array, weights: Array, clusters: int) -> Array:
    """The best centres of several starts of k-means++ (Arthur and Vassilvitskii 2007), the heaviest
    cluster first.

    Args:
        points: a row a point.
        weights: of each, above 0.
        clusters: how many; where there are fewer points, centres coincide.
    """
    random = seeded("k-means++", clusters, points.shape)
    found = [
        _lloyd(points, weights, _spread(points, weights, clusters, random)) for _ in range(STARTS)
    ]
    centres = min(found, key=lambda made: float(weights @ distances(points, made).min(axis=1)))
    held = np.bincount(distances(points, centres).argmin(axis=1), weights, clusters)
    return centres[np.argsort(-held, kind="stable")]


def _spread(points: Array, weights: Array, clusters: int, random: np.random.Generator) -> Array:
    chosen = [points[random.choice(len(points), p=weights / weights.sum())]]
    while len(chosen) < clusters:
        far = weights * distances(points, np.array(chosen)).min(axis=1)
        total = far.sum()
        odds = far / total if total > 0 else weights / weights.sum()
        chosen.append(points[random.choice(len(points), p=odds)])
    return np.array(chosen)


def _lloyd(points: Array, weights: Array, centres: Array) -> Array:
    for _ in range(MOST_ROUNDS):
        near = np.eye(len(centres))[distances(points, centres).argmin(axis=1)] * weights[:, None]
        held = near.sum(axis=0)[:, None]
        moved = np.where(held > 0, near.T @ points / np.where(held > 0, held, 1), centres)
        if np.allclose(moved, centres, rtol=0, atol=1e-9):
            break
        centres = moved
    return centres


def packed(clusters: int, wide: int) -> Array:
    """Centres in [−1, 1]^wide that are far from each other and from the faces: the start of Su et
    al. 2016, section 4. They are as far from faces as half of the distance to each other; the
    largest such distance is sought by halving.
    """
    low, high = 0.0, 1.0
    best = np.zeros((clusters, wide))
    for turn in range(12):
        radius = (low + high) / 2
        found = _with_radius(clusters, wide, radius, seeded("packing", clusters, wide, turn))
        if found is None:
            high = radius
        else:
            low, best = radius, found
    return best


def _with_radius(
    clusters: int, wide: int, radius: float, random: np.random.Generator
) -> Array | None:
    found: list[Array] = []
    for _ in range(100 * clusters):
        point = random.uniform(radius - 1, 1 - radius, wide)
        if all(((point - other) ** 2).sum() >= 4 * radius**2 for other in found):
            found.append(point)
            if len(found) == clusters:
                return np.array(found)
    return None
