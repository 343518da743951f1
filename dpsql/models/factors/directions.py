"""The look: one query that finds in which directions ratings vary, which rounds start from.

Items get signs along a few directions, more of them than there are factors, and for each by itself
a user's w = Σ s·y / (ridge + Σ s·s). An item's mean of y·w over those who rated it is the product
of its factors with a vector that is the same for all items. So these means are in a space of as
many dimensions as there are factors, and their principal components are the factors, up to a turn
and scale (Halko, Martinsson and Tropp 2011, "Finding structure with randomness": more directions
than dimensions, or one that is nearly at a right angle to a factor hides it).

A start from as many directions as factors hangs on that chance: without any noise, on two of six
sets of invented ratings two rounds were not past one of two factors. From a look one round found
both on all six (docs/figures.md).

The directions are those of Walsh by how often items are rated, + − + − …, + + − − …, + − − + …, and
so on, times `STEEP` powers of how often that is: users have rated the same few of these, so that w
is about the same function of what they like for all of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpsql.models.factors.factor_queries import LARGEST, boxed, seen, summed
from dpsql.models.factors.ratings import Ratings
from dpsql.models.factors.solving import LEAST, OFF, Biases, scaled, variances, weights_of
from dpsql.models.literals import double
from dpsql.models.noise_law import Law

Array = NDArray[np.float64]

STEEP = 2
"""See above."""


def directions(of: Ratings, ratings: Array) -> Array:
    """Of each item (first) its part in each direction (second); their mean squares are 1."""
    places = np.argsort(np.argsort(-ratings, kind="stable"))
    often = np.maximum(ratings, 0.0) / max(float(ratings.max()), 1.0)
    signs = [[(-1.0) ** (p & k).bit_count() for k in of.looks] for p in places.tolist()]
    made = np.array(signs) * often[:, None] ** STEEP
    squares = weights_of(ratings) @ made**2
    found: Array = np.clip(made / np.sqrt(np.maximum(squares, 1e-300)), -LARGEST, LARGEST)
    return found


def look(of: Ratings, biases: Array, along: Array) -> str:
    """The sums of users' w, kept within ± box, by item and level.

    Claim: each f is one number of a user, of which `SUM(DISTINCT f)` takes one in each group; see
    `factor_queries`, where the same is said of a round.
    """
    ridge = double(of.model.ridge)
    sums = [f"SUM(v{k} * v{k}) + {ridge} AS a{k}, SUM(v{k} * y) AS b{k}" for k in of.looks]
    solved = [f"b{k} / GREATEST(a{k}, {ridge}) AS w{k}" for k in of.looks]
    return (
        f"WITH {seen(of, biases, along)},\n"
        f"own AS (SELECT u, {', '.join(sums)} FROM seen GROUP BY u),\n"
        f"solved AS (SELECT u, {', '.join(solved)} FROM own),\n"
        f"{boxed(of, of.looks)}\n{summed(of.looked)}"
    )


def found(of: Ratings, sums: Array, law: Law, known: Biases) -> Array:
    """The factors of items, from the noisy sums of a look: items, levels, directions.

    With x an item's means, whose error has the variance e in each direction: T is what x·x is
    beyond e in the mean of ratings, its largest parts are factors, and of each an item gets the
    part T/(T + e), as biases do.
    """
    noise = float(variances(law)[0])
    ratings = of.levels[None, :] - known.biases[:, None]
    often = np.maximum(known.ratings, 1.0)
    means = np.einsum("ml,mlk->mk", ratings, sums) / often[:, None]
    errors = noise * (ratings**2).sum(axis=1) / often**2 + OFF * (of.half * of.box) ** 2 / often
    weights = weights_of(known.ratings)
    usual = float(weights @ errors)
    values, vectors = np.linalg.eigh((means * weights[:, None]).T @ means)
    wide = of.model.rank
    true = np.maximum(values[::-1][:wide] - usual, LEAST * usual + 1e-15)
    kept = true / (true + errors[:, None])
    return scaled(kept * (means @ vectors[:, ::-1][:, :wide]), np.diag(true))
