"""The only place that touches OpenDP, which is imported when the first noise is drawn."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any

from dpsql.core.noise.integer_noise import NoiseError


@lru_cache(maxsize=1024)
def laplace(scale: float) -> Any:
    """OpenDP's discrete Laplace measurement on vectors of i64 under the L1 distance.

    Args:
        scale: in lattice units, finite and positive.

    Returns:
        An ``opendp.Measurement``: call it on a list of ints; ``.map(l1)`` is its privacy map.
    """
    # Not opendp.prelude, which imports four times as long.
    from opendp import measurements, metrics

    return measurements.make_laplace(_vectors(), metrics.l1_distance(T="i64"), scale=scale)


@lru_cache(maxsize=1024)
def gaussian(sigma: float) -> Any:
    """OpenDP's discrete Gaussian measurement on vectors of i64 under the L2 distance.

    Args:
        sigma: in lattice units, finite and positive.

    Returns:
        An ``opendp.Measurement``: call it on a list of ints; ``.map(l2)`` gives ρ of zCDP.
    """
    from opendp import measurements, metrics

    return measurements.make_gaussian(_vectors(), metrics.l2_distance(T=float), scale=sigma)


def _vectors() -> Any:
    """Vectors of i64."""
    from opendp import domains
    from opendp.mod import enable_features

    enable_features("contrib")
    return domains.vector_domain(domains.atom_domain(T="i64"))


def noise(measurement: Callable[[list[int]], list[int]], n: int) -> list[int]:
    """One vector draw: the measurement's answer to `n` zeros.

    Raises:
        NoiseError: OpenDP failed. Its message cannot hold data (it saw zeros), and is dropped.
    """
    drawn: list[int] | None = None
    # Whatever went wrong: no noise means no answer.
    with suppress(Exception):
        drawn = measurement([0] * n)
    if drawn is None or len(drawn) != n:
        raise NoiseError("the sampler failed")
    return drawn


@lru_cache(maxsize=1024)
def noisy_max(scale: float, monotone: bool) -> Any:
    """OpenDP's report-noisy-max with exponential noise on vectors of i64 scores.

    Args:
        scale: in units of score, finite and positive.
        monotone: whether its privacy map is for scores that all move the same way.

    Returns:
        An ``opendp.Measurement``: call it on a list of ints; ``.map(linf)`` is its privacy map.
    """
    from opendp import measurements, measures, metrics

    distance = metrics.linf_distance(T="i64", monotonic=monotone)
    return measurements.make_noisy_max(_vectors(), distance, measures.max_divergence(), scale=scale)


def choice(measurement: Callable[[list[int]], int], scores: list[int]) -> int:
    """One draw of an index into `scores`.

    Raises:
        NoiseError: OpenDP failed. Its message could hold a score, and is dropped.
    """
    index: int | None = None
    with suppress(Exception):
        index = measurement(scores)
    if index is None or not 0 <= index < len(scores):
        raise NoiseError("the sampler failed")
    return index
