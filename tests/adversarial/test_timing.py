"""What can be told by time alone; `benchmarks/timing.py` measures more of it."""

from __future__ import annotations

import math
import statistics
import time

import pytest

from tests.adversarial.world import connection, database

RUNS = 2000


@pytest.mark.deep
def test_the_noise_does_not_show_in_the_time_of_an_answer() -> None:
    """A sampler may take a microsecond longer for a larger number; an answer does not show it."""
    ((true,),) = connection().execute("SELECT count(*) FROM customer").fetchall()
    db = database()
    sizes, times = [], []
    for _ in range(RUNS):
        begun = time.perf_counter_ns()
        answer = db.run("SELECT count(*) FROM customer", 0.01, fresh=True)
        times.append(time.perf_counter_ns() - begun)
        sizes.append(abs(answer.rows[0][0] - true))
    ranks = [_ranks(sizes), _ranks(times)]  # by ranks, so that one slow run counts for one
    assert abs(statistics.correlation(*ranks)) < 4 / math.sqrt(RUNS)


def _ranks(values: list[int]) -> list[int]:
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0] * len(values)
    for rank, place in enumerate(order):
        found[place] = rank
    return found
