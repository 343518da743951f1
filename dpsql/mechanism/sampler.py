"""The only place that touches OpenDP, which is imported when the first noise is drawn."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any

from dpsql.mechanism.protocol import NoiseError


@lru_cache(maxsize=1024)
def laplace(scale: float) -> Any:
    """OpenDP's discrete Laplace measurement on vectors of i64 under the L1 distance.

    Args:
        scale: in lattice units, finite and positive.

    Returns:
        An ``opendp.Measurement``: call it on a list of ints; ``.map(l1)`` is its privacy map.
    """
    # Not opendp.prelude, which imports four times as long.
    from opendp import domains, measurements, metrics
    from opendp.mod import enable_features

    enable_features("contrib")
    vectors = domains.vector_domain(domains.atom_domain(T="i64"))
    return measurements.make_laplace(vectors, metrics.l1_distance(T="i64"), scale=scale)


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
