"""The threshold of groups whose units weigh less where they are in several: against every number of
groups, and what weights add up to.
"""

import math
from fractions import Fraction
from functools import partial

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.account.exposure import delta, gaussian_delta
from dpsql.core.enforce.weights import WHOLE, Norm, weight, weights_of
from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.integer_noise import NoiseError
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.noise.threshold import gaussian_threshold, threshold
from dpsql.core.noise.weighed_threshold import weighed_threshold
from tests.support.effort import tries

DELTA = Fraction(1, 10**6)
NORMS: list[Norm] = [1, 2]


@settings(deadline=None, max_examples=tries(15, 40))
@given(
    st.sampled_from(NORMS),
    st.integers(1, 400),
    st.integers(1, 2),
    st.integers(1, 5),
    st.floats(WHOLE / 50, WHOLE * 50),
)
def test_no_number_of_groups_has_more_than_delta(
    norm: Norm, most: int, sides: int, minimum: int, scale: float
) -> None:
    weights = partial(weight, norm=norm)
    noises = ((DiscreteLaplace(scale), delta), (DiscreteGaussian(scale), gaussian_delta))
    for noise, exact in noises:
        found = weighed_threshold(noise, weights, most, sides, DELTA, minimum)
        others = (minimum - 1) * WHOLE
        spent = [
            exact(scale, sides * d, found - others - weight(d, norm)) for d in range(1, most + 1)
        ]
        assert max(spent) <= DELTA


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("most", [1, 2, 7, 32])
def test_it_is_the_least(norm: Norm, most: int) -> None:
    """Up to 32 groups each number of them is looked at by itself; Laplace thresholds are exact."""
    scale = 1.5 * WHOLE
    found = weighed_threshold(DiscreteLaplace(scale), partial(weight, norm=norm), most, 1, DELTA)
    spent = [delta(scale, d, found - 1 - weight(d, norm)) for d in range(1, most + 1)]
    assert max(spent) > DELTA


@pytest.mark.parametrize("most", [100, 10_000, 2**40])
def test_ranges_of_many_groups_cost_next_to_nothing(most: int) -> None:
    """What the worst of them needs, alone, is less by a hundredth of a unit at most."""
    scale = 4.0 * WHOLE
    found = weighed_threshold(DiscreteGaussian(scale), partial(weight, norm=2), most, 1, DELTA)
    alone = gaussian_threshold(scale, most, DELTA, max(1, weight(most, 2)))
    assert 0 <= found - alone <= 0.04 * WHOLE


def test_units_of_one_group_are_counted() -> None:
    """With one group at most it is the threshold of counts, in steps of a unit."""
    found = weighed_threshold(DiscreteLaplace(WHOLE * 2.0), lambda d: WHOLE, 1, 2, DELTA, 3)
    assert found == threshold(WHOLE * 2.0, 2, DELTA, 3 * WHOLE)


@pytest.mark.parametrize("norm", NORMS)
def test_the_weights_of_a_unit_are_within_the_norm(norm: Norm) -> None:
    for d in [*range(1, 70_000), 2**31, 2**32 - 1, 2**32, 2**33, 2**40]:
        assert d * weight(d, norm) ** norm <= WHOLE**norm
        assert d * (weight(d, norm) + 1) ** norm > WHOLE**norm


@pytest.mark.parametrize("norm", NORMS)
def test_the_engine_weighs_the_same(norm: Norm) -> None:
    sizes = [*range(1, 300), 1023, 1024, 1025, 4095, 4096, 65_535, 65_536, 65_537]
    with duckdb.connect() as engine:
        listed = ", ".join(f"({d})" for d in sizes)
        engine.execute(f"CREATE TABLE kept AS SELECT d AS u FROM (VALUES {listed}) v(d), range(d)")
        found = dict(engine.execute(weights_of("kept", "u", norm).sql("duckdb")).fetchall())
    assert found == {d: weight(d, norm) for d in sizes}


def test_a_root_that_is_too_large_is_none() -> None:
    """The engine tests d·w² <= W² in whole numbers, whatever its floats are."""
    text = weights_of("kept", "u", 2).sql("duckdb")
    high = text.replace("FLOOR(", "1 + FLOOR(").replace("floor(", "1 + floor(")
    assert high != text
    with duckdb.connect() as engine:
        engine.execute("CREATE TABLE kept AS SELECT d AS u FROM range(1, 200) r(d), range(d)")
        assert {w for _, w in engine.execute(high).fetchall()} == {0}


@pytest.mark.parametrize(("place", "wrong"), [(2, 0), (3, 0), (5, 0), (4, Fraction(1))], ids=str)
def test_senseless_arguments_are_refused(place: int, wrong: object) -> None:
    good = [DiscreteLaplace(1e5), partial(weight, norm=1), 3, 1, DELTA, 1]
    with pytest.raises(ValueError, match="at least 1"):
        weighed_threshold(*[*good[:place], wrong, *good[place + 1 :]])  # type: ignore[arg-type]


def test_no_threshold_without_noise_or_delta() -> None:
    with pytest.raises(NoiseError):
        weighed_threshold(DiscreteLaplace(0.0), partial(weight, norm=1), 3, 1, DELTA)
    with pytest.raises(NoiseError):
        weighed_threshold(DiscreteLaplace(1e5), partial(weight, norm=1), 3, 1, Fraction(0))


def test_few_groups_need_fewer_units() -> None:
    """At ε = 1 and δ = 10⁻⁶, of 50 groups at most: counts need 854 units, or 188 with Gaussian
    noise; weights need 18, where each unit is in one group.
    """
    found = weighed_threshold(DiscreteLaplace(1.0 * WHOLE), partial(weight, norm=1), 50, 1, DELTA)
    assert math.ceil(found / WHOLE) == 18
