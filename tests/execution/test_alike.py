"""What groups are as if they were alike, where noise cannot tell them apart."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.release.decode import Noisy
from dpsql.execution.alike import REACH, SPREAD, alike
from dpsql.execution.noise import NoisyRelease
from dpsql.execution.summed import Summed


def release(noise: Noise | Summed, part: Fraction, *numbers: int) -> NoisyRelease:
    return NoisyRelease(
        [(i,) for i in range(len(numbers))],
        [Noisy([n], ("picked",)) for n in numbers],  # type: ignore[arg-type]
        ((noise, part),),
    )


def numbers(found: NoisyRelease | None) -> list[int | Fraction]:
    assert found is not None
    assert all(n.picks == ("picked",) for n in found.noisy)
    return [n.measures[0] for n in found.noisy]


def test_alike_ones_are_next_to_their_mean_in_the_opposite_order() -> None:
    found = alike(release(DiscreteGaussian(100.0), Fraction(1), 30, 90, 60, 5000))
    assert numbers(found) == [61, 59, 60, 5000]


@pytest.mark.parametrize(
    ("noise", "part", "deviation"),
    [
        (DiscreteGaussian(10.0), Fraction(1), 10.0),
        (DiscreteGaussian(10.0), Fraction(3), 30.0),
        (DiscreteLaplace(10.0), Fraction(1), 10.0 * math.sqrt(2)),
        (Summed(DiscreteLaplace(10.0), 4), Fraction(1), 20.0 * math.sqrt(2)),
    ],
)
def test_alike_is_what_is_within_reach(
    noise: Noise | Summed, part: Fraction, deviation: float
) -> None:
    reach = math.floor(REACH * deviation)
    assert alike(release(noise, part, 0, reach)) is not None
    assert alike(release(noise, part, 0, reach + 1)) is None


def test_without_noise_or_groups_there_are_none() -> None:
    assert alike(release(DiscreteLaplace(0.0), Fraction(1), 3, 3, 4)) is None
    assert alike(release(DiscreteLaplace(1.0), Fraction(1))) is None


def test_many_are_not_spread_further_than_a_part_of_their_reach() -> None:
    made = numbers(alike(release(DiscreteGaussian(10.0), Fraction(1), *[7] * 5000)))
    assert max(made) - min(made) <= 60 / SPREAD + 1
    assert round(sum(made) / len(made)) == 7
