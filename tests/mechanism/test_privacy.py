"""Statistical tests of the noise itself: its ε, its distribution, its freshness.

Each passes wrongly or fails wrongly with a probability of at most about 1e-6.
"""

import math
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from multiprocessing.queues import SimpleQueue

import pytest

from dpsql.core.noise.laplace import DiscreteLaplace

from .bounds import limits, proven_loss

DRAWS = 30_000
DEEP_DRAWS = 112_000
EPS = 2.0


def loss_between_neighbours(noise: DiscreteLaplace, l1: int, draws: int = DRAWS) -> float:
    """What so many draws a side prove about the worst pair: exact answers 0 and `l1`."""
    left = noise.draw(draws)
    right = [l1 + z for z in noise.draw(draws)]
    return proven_loss(left, right, threshold=0)


@pytest.mark.parametrize("l1", [1, 5, 1000])
def test_the_noise_is_large_enough(l1: int) -> None:
    noise = DiscreteLaplace.calibrate(l1, Fraction(2))
    assert loss_between_neighbours(noise, l1) <= EPS


@pytest.mark.parametrize("l1", [1, 5, 1000])
def test_noise_that_is_20_percent_too_small_is_caught(l1: int) -> None:
    right = DiscreteLaplace.calibrate(l1, Fraction(2))
    assert loss_between_neighbours(DiscreteLaplace(right.scale * 0.8), l1) > EPS


@pytest.mark.deep
@pytest.mark.parametrize("l1", [1, 5, 1000])
def test_noise_that_is_10_percent_too_small_is_caught_by_more_draws(l1: int) -> None:
    right = DiscreteLaplace.calibrate(l1, Fraction(2))
    assert loss_between_neighbours(right, l1, DEEP_DRAWS) <= EPS
    assert loss_between_neighbours(DiscreteLaplace(right.scale * 0.9), l1, DEEP_DRAWS) > EPS


def test_a_vector_of_two_cells_spends_the_sum() -> None:
    # One unit moves two cells by one each: L1 = 2; the pair's loss is the sum of both cells'.
    noise = DiscreteLaplace.calibrate(2, Fraction(2))
    drawn = noise.draw(4 * DRAWS)
    left = [max(pair) for pair in zip(drawn[0::4], drawn[1::4], strict=True)]
    right = [1 + max(pair) for pair in zip(drawn[2::4], drawn[3::4], strict=True)]
    assert proven_loss(left, right, threshold=0) <= EPS
    mutant = DiscreteLaplace.calibrate(1, Fraction(2)).draw(4 * DRAWS)  # forgets the second cell
    left = [max(pair) for pair in zip(mutant[0::4], mutant[1::4], strict=True)]
    right = [1 + max(pair) for pair in zip(mutant[2::4], mutant[3::4], strict=True)]
    assert proven_loss(left, right, threshold=0) > EPS


@pytest.mark.parametrize("scale", [0.7, 3.0])
def test_every_value_comes_as_often_as_it_should(scale: float) -> None:
    drawn = DiscreteLaplace(scale).draw(DRAWS)
    alpha = math.exp(-1 / scale)
    values = range(-8, 9)
    for z in values:
        low, high = limits(drawn.count(z), DRAWS, 1e-6 / (2 * len(values)))
        assert low <= (1 - alpha) / (1 + alpha) * alpha ** abs(z) <= high


@pytest.mark.parametrize("scale", [1.5, 40.0, 1e9, 2.0**55])
@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_intervals_hold_as_often_as_they_say(scale: float, confidence: float) -> None:
    noise = DiscreteLaplace(scale)
    t = noise.interval(confidence)
    low, high = limits(sum(abs(z) <= t for z in noise.draw(10_000)), 10_000, 1e-6)
    assert low <= 1 - noise.tail(t) <= high
    assert 1 - noise.tail(t) >= confidence - 1e-12


WIDE = DiscreteLaplace(2.0**50)


def send_draws(channel: "SimpleQueue[list[int]]") -> None:
    channel.put(WIDE.draw(16))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_workers_do_not_repeat_a_stream() -> None:
    WIDE.draw(16)  # the generator has a state before the fork
    context = multiprocessing.get_context("fork")
    channel: SimpleQueue[list[int]] = context.SimpleQueue()
    workers = [context.Process(target=send_draws, args=(channel,)) for _ in range(8)]
    for worker in workers:
        worker.start()
    streams = [channel.get() for _ in workers] + [WIDE.draw(16)]
    for worker in workers:
        worker.join()
    seen = [z for stream in streams for z in stream]
    assert len(seen) == len(set(seen)) == 9 * 16  # a chance collision: P < 1e-11


def test_threads_do_not_repeat_a_stream() -> None:
    with ThreadPoolExecutor(8) as pool:
        streams = list(pool.map(lambda _: WIDE.draw(16), range(32)))
    seen = [z for stream in streams for z in stream]
    assert len(set(seen)) == 32 * 16


def test_no_draw_repeats_the_one_before() -> None:
    assert WIDE.draw(4) != WIDE.draw(4)
