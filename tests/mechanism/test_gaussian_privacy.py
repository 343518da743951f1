"""Statistical tests of Gaussian noise: its δ on the worst pair of neighbours, its distribution.

Each passes wrongly or fails wrongly with a probability of at most about 1e-6.
"""

import math
from fractions import Fraction

import pytest

from dpsql.core.account.gaussian_loss import shift_delta
from dpsql.core.noise.gaussian import DiscreteGaussian

from .bounds import limits, proven_excess

DRAWS, DEEP_DRAWS = 30_000, 112_000
EPS, DELTA = Fraction(2), Fraction(1, 4)


def excess_between_neighbours(
    noise: DiscreteGaussian, shift: int, expected: float, draws: int
) -> float:
    """What draws prove of δ for the answers 0 and `shift`; the event is best for σ = `expected`."""
    threshold = math.ceil(shift / 2 - EPS * Fraction(expected) ** 2 / shift) - 1
    left = noise.draw(draws)
    right = [shift + z for z in noise.draw(draws)]
    return proven_excess(left, right, threshold, float(EPS))


@pytest.mark.deep
@pytest.mark.parametrize("shift", [1, 5, 1000])
@pytest.mark.parametrize("part", [1.0, 0.8])
def test_the_noise_is_large_enough(shift: int, part: float) -> None:
    noise = DiscreteGaussian.analytic(shift, EPS, DELTA)
    assert excess_between_neighbours(noise, shift, part * noise.scale, DRAWS) <= DELTA


@pytest.mark.deep
@pytest.mark.parametrize("shift", [1, 5, 1000])
def test_noise_that_is_20_percent_too_small_is_caught(shift: int) -> None:
    small = DiscreteGaussian(0.8 * DiscreteGaussian.analytic(shift, EPS, DELTA).scale)
    assert excess_between_neighbours(small, shift, small.scale, DRAWS) > DELTA


@pytest.mark.deep
@pytest.mark.parametrize("shift", [1, 5, 1000])
def test_noise_that_is_10_percent_too_small_is_caught_by_more_draws(shift: int) -> None:
    right = DiscreteGaussian.analytic(shift, EPS, DELTA)
    small = DiscreteGaussian(0.9 * right.scale)
    assert excess_between_neighbours(right, shift, small.scale, DEEP_DRAWS) <= DELTA
    assert excess_between_neighbours(small, shift, small.scale, DEEP_DRAWS) > DELTA


# A query of two vectors: two counts that one unit moves by 1 each, and a sum that it moves by 500.
MOVES = ((1, 1), (500,))
RHO = Fraction(2)


def curve() -> Fraction:
    """The δ at ε = 2 of Gaussian noise of this ρ: what no data and no event can exceed."""
    return shift_delta(1e6 / math.sqrt(2 * RHO), 10**6, EPS)


def joint_excess(sigmas: list[float], draws: int) -> float:
    """What draws prove of δ, by the likelihood ratio of the two outputs."""
    ratio = [0.0] * draws, [0.0] * draws
    for moves, sigma in zip(MOVES, sigmas, strict=True):
        for move in moves:
            for side in (0, 1):
                noise = DiscreteGaussian(sigma).draw(draws)
                weight = move / sigma**2
                moved = side * move - move / 2
                ratio[side][:] = [
                    r + weight * (z + moved) for r, z in zip(ratio[side], noise, strict=True)
                ]
    # The ratio is a sum of many steps: in units of 10⁻⁹ it is an integer for the helper.
    left, right = ([round(r * 1e9) for r in side] for side in ratio)
    return proven_excess(left, right, round(-float(EPS) * 1e9), float(EPS))


def calibrated(rho: Fraction) -> list[float]:
    return [
        DiscreteGaussian.calibrate(sum(m * m for m in moves), rho / len(MOVES)).scale
        for moves in MOVES
    ]


def test_a_whole_query_spends_its_rho_and_not_more() -> None:
    assert joint_excess(calibrated(RHO), DRAWS) <= curve()


@pytest.mark.deep
def test_a_whole_query_with_20_percent_less_noise_is_caught() -> None:
    assert joint_excess([0.8 * sigma for sigma in calibrated(RHO)], DRAWS) > curve()


def test_a_query_that_pays_for_one_of_its_two_vectors_is_caught() -> None:
    assert joint_excess(calibrated(2 * RHO), DRAWS // 3) > curve()


@pytest.mark.deep
def test_a_whole_query_with_10_percent_less_noise_is_caught_by_more_draws() -> None:
    assert joint_excess(calibrated(RHO), DEEP_DRAWS) <= curve()
    assert joint_excess([0.9 * sigma for sigma in calibrated(RHO)], DEEP_DRAWS) > curve()


@pytest.mark.parametrize("sigma", [0.5, 3.0])
def test_every_value_comes_as_often_as_it_should(sigma: float) -> None:
    drawn = DiscreteGaussian(sigma).draw(DRAWS)
    values = range(-8, 9)
    masses = {z: math.exp(-((z / sigma) ** 2) / 2) for z in range(-60, 61)}
    for z in values:
        low, high = limits(drawn.count(z), DRAWS, 1e-6 / (2 * len(values)))
        assert low <= masses[z] / math.fsum(masses.values()) <= high


@pytest.mark.parametrize("sigma", [1.5, 40.0, 1e9, 2.0**55])
@pytest.mark.parametrize("confidence", [0.5, 0.95])
@pytest.mark.one_in(2)
def test_intervals_hold_as_often_as_they_say(sigma: float, confidence: float) -> None:
    noise = DiscreteGaussian(sigma)
    t = noise.interval(confidence)
    low, high = limits(sum(abs(z) <= t for z in noise.draw(10_000)), 10_000, 1e-6)
    assert low <= 1 - noise.tail(t) <= high
    assert 1 - noise.tail(t) >= confidence - 1e-12
