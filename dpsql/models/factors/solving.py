"""Items' biases and factors from noisy sums, whose noise is known.

Biases. An item's mean of n ratings has the variance s²·Σ y²/n² of noise, s² that of one count and y
the ratings of levels, and 1/n times a rating's of sampling. What all means vary by beyond that is
what items differ by, T. So a mean is moved towards that of all by the part T/(T + variance) that is
kept (empirical Bayes: Efron and Morris 1975, "Data analysis using Stein's estimator").

Factors. For an item v̂ = Ĝ⁻¹·ĉ, with Ĝ = Σ f·fᵀ held up where noise hides a direction (see
`linear.solving`) and ĉ = Σ (y − bias)·f. Its error has the covariance S = Ĝ⁻¹·(N + σ²·Ĝ)·Ĝ⁻¹,
with N that of the noise of ĉ and σ² what a rating is off. T is what v̂·v̂ᵀ is beyond S in the mean
of ratings, and the item's factors are T·(T + S)⁻¹·v̂. Last they are turned and scaled so that T
becomes 1: then users' penalty is in ratings. A factor that noise hides becomes small, instead of
noise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpsql.models.factors.factor_queries import LARGEST
from dpsql.models.factors.ratings import Ratings
from dpsql.models.linear.least_squares import held, hold
from dpsql.models.noise_law import Law
from dpsql.models.spread import RUNS, sampled, seeded

Array = NDArray[np.float64]

OFF = 0.125
"""What is guessed of the mean square that a rating is off: in squares of half of its range."""

LEAST = 0.01
"""T is at least so much of what noise makes of it: nothing becomes 0, or all of it noise."""


@dataclass(frozen=True, slots=True)
class Biases:
    """What the counts tell.

    Attributes:
        ratings: how many each item has, with noise.
        noise: its 95 % half-width in these.
        middle: the mean of all ratings, from the middle of their range.
        biases: of each item, from the middle, too.
        seen: which part of the variance of each item's mean is no noise.
    """

    ratings: Array
    noise: float
    middle: float
    biases: Array
    seen: Array


@dataclass(frozen=True, slots=True)
class Factors:
    """What a round tells.

    Attributes:
        factors: of each item, a row.
        seen: which part of the variance of each item's is no noise, in the direction that has most.
    """

    factors: Array
    seen: Array


def biases(of: Ratings, counts: Array, law: Law) -> Biases:
    """From the noisy counts: items, levels."""
    levels, noise = of.levels, float(variances(law)[0])
    ratings = counts.sum(axis=1)
    all_of = max(float(ratings.sum()), 1.0)
    middle = float(np.clip((counts @ levels).sum() / all_of, -of.half, of.half))
    n = np.maximum(ratings, 1.0)
    away = np.clip((counts @ (levels - middle)) / n, -2 * of.half, 2 * of.half)
    noises = noise * float(((levels - middle) ** 2).sum()) / n**2
    errors = noises + OFF * 4 * of.half**2 / n
    weights = weights_of(ratings)
    varied = float(weights @ (away**2 - errors))
    true = max(varied, LEAST * float(weights @ errors), 1e-12)
    kept = true / (true + errors)
    wide = sampled(len(levels) * noise)
    return Biases(ratings, wide, middle, middle + kept * away, 1 - noises / (true + errors))


def solved(of: Ratings, sums: Array, law: Law, known: Biases) -> Factors:
    """From the noisy sums of a round: items, levels, columns."""
    wide, levels, noise = of.model.rank, of.levels, variances(law)
    ratings = levels[None, :] - known.biases[:, None]
    cross = np.einsum("ml,mlk->mk", ratings, sums[:, :, :wide])
    crosses = (ratings**2).sum(axis=1)[:, None, None] * np.diag(noise[:wide])
    grams = _symmetric(of, sums[:, :, wide:].sum(axis=1))
    spread = law.drawn(RUNS, seeded(law.scales.tolist()))[:, wide:] * len(levels) ** 0.5
    at = hold(_symmetric(of, spread))
    inverse = np.linalg.inv(np.array([held(gram, at)[0] for gram in grams]))
    raw = np.einsum("mij,mj->mi", inverse, cross)
    noises = inverse @ crosses @ inverse
    errors = noises + OFF * of.half**2 * inverse
    weights = weights_of(known.ratings)
    usual = np.einsum("m,mij->ij", weights, errors)
    true = _at_least((raw * weights[:, None]).T @ raw - usual, LEAST * usual)
    whole = np.linalg.inv(true + errors)
    seen = 1 - np.linalg.eigvals(noises @ whole).real.max(axis=1)
    return Factors(scaled(np.einsum("mij,mj->mi", true @ whole, raw), true), seen)


def scaled(factors: Array, square: Array) -> Array:
    """Turned and scaled so that `square`, a mean of v·vᵀ, becomes 1; the largest part first."""
    values, vectors = np.linalg.eigh(square)
    values, vectors = values[::-1], vectors[:, ::-1]
    vectors = vectors * np.where(vectors.sum(axis=0) < 0, -1.0, 1.0)
    made = (factors @ vectors) / np.sqrt(np.maximum(values, 1e-300))
    found: Array = np.clip(made, -LARGEST, LARGEST)
    return found


def _at_least(square: Array, least: Array) -> Array:
    """A symmetric matrix whose part in no direction of `least` is below it."""
    tiny = 1e-12 * float(np.trace(least)) + 1e-15
    root = np.linalg.cholesky(least + tiny * np.eye(len(least)))
    back = np.linalg.inv(root)
    values, vectors = np.linalg.eigh(back @ square @ back.T)
    found: Array = root @ (vectors * np.maximum(values, 1.0)) @ vectors.T @ root.T
    return found


def _symmetric(of: Ratings, pairs: Array) -> Array:
    """The matrices of the sums of f_i·f_j, i ≤ j."""
    made = np.zeros((len(pairs), of.model.rank, of.model.rank))
    for column, (i, j) in enumerate(of.pairs):
        made[:, i - 1, j - 1] = made[:, j - 1, i - 1] = pairs[:, column]
    return made


def weights_of(ratings: Array) -> Array:
    """How much each item counts in means: by its ratings."""
    found = np.maximum(ratings, 1e-9)
    part: Array = found / found.sum()
    return part


def variances(law: Law) -> Array:
    """Of the noise of each column."""
    each = [2.0 if kind == "laplace" else 1.0 for kind in law.kinds]
    found: Array = law.parts**2 @ (np.array(each) * law.scales**2)
    return found
