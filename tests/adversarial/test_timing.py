"""What can be told by time alone; `benchmarks/timing.py` measures more of it."""

from __future__ import annotations

import statistics
import time

import pytest

from dpsql.mechanism.laplace import DiscreteLaplace

DRAWS = 100_000


@pytest.mark.deep
def test_a_draw_takes_no_longer_for_being_large() -> None:
    """The time of a draw says next to nothing of how large the noise is."""
    noise = DiscreteLaplace(100.0)
    sizes, times = [], []
    for _ in range(DRAWS):
        begun = time.perf_counter_ns()
        (drawn,) = noise.draw(1)
        times.append(time.perf_counter_ns() - begun)
        sizes.append(abs(drawn))
    limit = statistics.quantiles(times, n=100)[97]  # the machine does other things meanwhile
    kept = [(size, took) for size, took in zip(sizes, times, strict=True) if took <= limit]
    assert abs(statistics.correlation(*zip(*kept, strict=True))) < 0.05
