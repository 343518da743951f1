"""Private keys: the least threshold, its δ against brute force and OpenDP, and what comes out."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.account import exposure
from dpsql.core.account.amount import Cost
from dpsql.core.account.exposure import gaussian_delta
from dpsql.core.noise.integer_noise import NoiseError
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.noise.threshold import gaussian_threshold, threshold

from .bounds import limits, proven_loss

DRAWS, DEEP_DRAWS = 30_000, 112_000

scales = st.floats(0.05, 1e6)
deltas = st.integers(1, 60).flatmap(
    lambda n: st.integers(1, 10**n // 2).map(lambda k: Fraction(k, 10**n))
)


@settings(deadline=None)
@given(scales, st.integers(1, 10**6), deltas, st.integers(1, 50))
def test_the_threshold_is_the_least(scale: float, l0: int, delta: Fraction, minimum: int) -> None:
    t = threshold(scale, l0, delta, minimum)
    assert t >= minimum
    assert exposure.delta(scale, l0, t - minimum) <= delta
    if t > minimum:
        assert exposure.delta(scale, l0, t - 1 - minimum) > delta


@settings(deadline=None)
@given(scales, st.integers(1, 100), deltas, st.integers(1, 50))
def test_a_minimum_raises_the_threshold_by_what_it_is_above_one(
    scale: float, l0: int, delta: Fraction, minimum: int
) -> None:
    assert threshold(scale, l0, delta, minimum) == threshold(scale, l0, delta) + minimum - 1


@pytest.mark.parametrize("places", [1, 18, 19, 30, 59])
@pytest.mark.parametrize("scale", [0.1, 1e6, 2.0**55])
def test_a_delta_near_one_is_met_too(scale: float, places: int) -> None:
    delta = 1 - Fraction(1, 10**places)
    assert exposure.delta(scale, 99, threshold(scale, 99, delta) - 1) <= delta


@settings(deadline=None)
@given(scales, st.integers(1, 1000), st.integers(0, 400))
def test_delta_against_brute_force(scale: float, l0: int, above: int) -> None:
    mpmath = pytest.importorskip("mpmath")
    claimed = exposure.delta(scale, l0, above)
    with mpmath.workdps(2000):
        alpha = mpmath.exp(-1 / mpmath.mpf(scale))
        p = alpha**above / (1 + alpha)
        exact = 1 - (1 - p) ** l0
        shown = mpmath.mpf(claimed.numerator) / claimed.denominator
        assert exact < shown <= exact * (1 + mpmath.mpf("1e-18")) + mpmath.mpf("1e-80")


@pytest.mark.parametrize("scale", [0.5, 1.0, 3.7])
@pytest.mark.parametrize("above", [0, 1, 2, 7])
def test_the_mass_at_the_threshold_itself_counts(scale: float, above: int) -> None:
    # P(Z ≥ above), summed term by term.
    alpha = math.exp(-1 / scale)
    masses = ((1 - alpha) / (1 + alpha) * alpha**z for z in range(above, above + 400))
    claimed = exposure.delta(scale, 1, above)
    assert float(claimed) == pytest.approx(math.fsum(masses), rel=1e-12)


def opendp(scale: float, threshold: int) -> Any:
    from opendp import domains, measurements, metrics
    from opendp.mod import enable_features

    enable_features("contrib")
    counts = domains.map_domain(domains.atom_domain(T="i64"), domains.atom_domain(T="i64"))
    metric = metrics.l01inf_distance(metrics.absolute_distance(T="i64"))
    return measurements.make_laplace_threshold(counts, metric, scale=scale, threshold=threshold)


@pytest.mark.parametrize("scale", [0.7, 2.0, 20.0])
@pytest.mark.parametrize("l0", [1, 3, 50])
@pytest.mark.parametrize("delta", ["0.001", "1e-6", "1e-12"])
def test_opendp_agrees_one_below(scale: float, l0: int, delta: str) -> None:
    t = threshold(scale, l0, Fraction(delta))
    own = Cost(l0 / Fraction(scale), exposure.delta(scale, l0, t - 1))
    # It bounds P(1 + Z > its threshold), but outputs from the threshold on (the next test).
    eps, claimed = opendp(scale, t - 1).map((l0, l0, 1))
    assert own.eps <= Fraction(eps) <= own.eps * (1 + Fraction(1, 2**50))
    # k·p for δ, with the rounding of 1 − (1 − p) in floats, upward.
    assert 0 <= claimed - float(own.delta) <= claimed**2 + l0 * 1e-15


def test_what_comes_out_has_our_delta_and_not_the_one_of_opendps_map() -> None:
    scale, t = 2.0, 3
    released = opendp(scale, t)(dict.fromkeys(range(DRAWS), 1))
    low, high = limits(len(released), DRAWS, 1e-6)
    assert min(released.values()) == t
    assert low <= float(exposure.delta(scale, 1, t - 1)) <= high
    # If this fails, OpenDP has mended its map, and the test above compares at t.
    assert opendp(scale, t).map((1, 1, 1))[1] < low


def keys_that_come_out(noise: DiscreteLaplace, counts: list[int], t: int) -> list[int | None]:
    """Of groups of these sizes, what is output: the noisy number, or nothing."""
    noisy = (n + z for n, z in zip(counts, noise.draw(len(counts)), strict=True))
    return [n if n >= t else None for n in noisy]


@pytest.mark.parametrize("l0", [1, 3])
def test_groups_of_one_unit_come_out_as_rarely_as_promised(l0: int) -> None:
    delta = Fraction(1, 20)
    noise = DiscreteLaplace(4.0 * l0)
    t = threshold(noise.scale, l0, delta)

    def any_comes_out(t: int) -> tuple[float, float]:
        """Bounds on the probability that one of the unit's `l0` groups is output."""
        out = keys_that_come_out(noise, [1] * (l0 * DRAWS), t)
        hits = sum(any(n is not None for n in out[i::DRAWS]) for i in range(DRAWS))
        return limits(hits, DRAWS, 1e-6)

    low, high = any_comes_out(t)
    assert low <= float(exposure.delta(noise.scale, l0, t - 1)) <= high
    assert low <= delta
    # Too low by a fifth, or for one group where there are three: caught.
    assert any_comes_out(1 + math.floor(0.8 * (t - 1)))[0] > delta
    if l0 > 1:
        assert any_comes_out(threshold(noise.scale, 1, delta))[0] > delta


def loss(noise: DiscreteLaplace, draws: int) -> float:
    """What draws prove of ε where a group of 9 or 10 units passes a threshold of 10.

    The event is "nothing comes out, or at most 9": with 9 units half of the time or more.
    """
    t = 10

    def outputs(units: int) -> list[int]:
        out = keys_that_come_out(noise, [units] * draws, t)
        return [t - 1 if n is None else n for n in out]

    return proven_loss(outputs(9), outputs(10), threshold=t - 1)


def test_the_numbers_that_come_out_keep_to_eps() -> None:
    assert loss(DiscreteLaplace(0.5), DRAWS) <= 2


def test_numbers_with_20_percent_less_noise_are_caught() -> None:
    assert loss(DiscreteLaplace(0.8 * 0.5), DRAWS) > 2


@pytest.mark.deep
def test_numbers_with_10_percent_less_noise_are_caught_by_more_draws() -> None:
    assert loss(DiscreteLaplace(0.5), DEEP_DRAWS) <= 2
    assert loss(DiscreteLaplace(0.9 * 0.5), DEEP_DRAWS) > 2


def test_a_pair_of_neighbours_with_a_new_and_a_changed_group() -> None:
    # The unit is in two groups: one has 9 others, one exists only with it. k = 2.
    l0, eps, delta = 2, 2.0, Fraction(1, 20)
    noise = DiscreteLaplace(l0 / eps)
    t = threshold(noise.scale, l0, delta)
    with_unit = zip(
        keys_that_come_out(noise, [1] * DRAWS, t),
        keys_that_come_out(noise, [10] * DRAWS, t),
        strict=True,
    )
    without = keys_that_come_out(noise, [9] * DRAWS, t)
    # S: the new key is output, or the other with more than 9.
    hits = sum(new is not None or (old or 0) > 9 for new, old in with_unit)
    low, _ = limits(hits, DRAWS, 5e-7)
    _, high = limits(sum((old or 0) > 9 for old in without), DRAWS, 5e-7)
    assert low <= math.exp(eps) * high + float(delta)


@pytest.mark.parametrize(
    ("scale", "l0", "delta", "minimum", "error"),
    [
        (0.0, 1, Fraction(1, 2), 1, NoiseError),
        (math.inf, 1, Fraction(1, 2), 1, NoiseError),
        (math.nan, 1, Fraction(1, 2), 1, NoiseError),
        (1.0, 1, Fraction(0), 1, NoiseError),
        (1.0, 0, Fraction(1, 2), 1, ValueError),
        (1.0, 1, Fraction(1), 1, ValueError),
        (1.0, 1, Fraction(1, 2), 0, ValueError),
        (1.0, 1.0, Fraction(1, 2), 1, TypeError),
        (1.0, 1, 0.5, 1, TypeError),
        (1.0, 1, Fraction(1, 2), True, TypeError),
    ],
)
def test_senseless_arguments_are_refused(
    scale: float, l0: int, delta: Fraction, minimum: int, error: type[Exception]
) -> None:
    with pytest.raises(error):
        threshold(scale, l0, delta, minimum)


# --- Gaussian noise -------------------------------------------------------------------------------


def masses(sigma: float, reach: int) -> dict[int, float]:
    """P(Z = z) of discrete Gaussian noise."""
    found = {z: math.exp(-z * z / (2 * sigma * sigma)) for z in range(-reach, reach + 1)}
    total = math.fsum(found.values())
    return {z: mass / total for z, mass in found.items()}


@pytest.mark.parametrize("sigma", [0.3, 1.0, 4.5, 20.0])
@pytest.mark.parametrize("l0", [1, 7, 300])
def test_a_gaussian_delta_is_never_below_the_true_one(sigma: float, l0: int) -> None:
    law = masses(sigma, int(40 * sigma) + 10)
    for above in range(1, int(6 * sigma) + 3):
        p = math.fsum(mass for z, mass in law.items() if z >= above)
        exact = -math.expm1(l0 * math.log1p(-p))
        claimed = float(gaussian_delta(sigma, l0, above))
        assert exact <= claimed * (1 + 1e-9)
        # Not by more than one step of the threshold.
        less = math.fsum(mass for z, mass in law.items() if z >= above - 1)
        assert claimed <= -math.expm1(l0 * math.log1p(-min(less, 1 - 1e-15))) * 1.0001 + 1e-12
    assert gaussian_delta(sigma, l0, 0) == 1


@settings(deadline=None)
@given(st.floats(0.5, 1e6), st.integers(1, 10**6), deltas, st.integers(1, 50))
def test_a_gaussian_threshold_keeps_to_its_delta(
    scale: float, l0: int, delta: Fraction, minimum: int
) -> None:
    t = gaussian_threshold(scale, l0, delta, minimum)
    assert gaussian_delta(scale, l0, t - minimum) <= delta
    assert t - minimum == 1 or gaussian_delta(scale, l0, t - minimum - 3) > delta * Fraction(9, 10)


@pytest.mark.parametrize(("eps", "sigma", "above"), [(1.0, 3.0, 9), (0.5, 5.0, 12), (2.0, 1.5, 5)])
def test_new_groups_cost_no_more_than_claimed(eps: float, sigma: float, above: int) -> None:
    """A unit in a group of others and in one of its own: the distance of the two laws, exactly."""
    law = masses(sigma, 80)
    new = math.fsum(mass for z, mass in law.items() if z >= above)
    worst = noise = 0.0
    for z in range(-79, 80):
        left, right = law[z], law[z + 1] if z < 80 else 0.0
        # The group of one comes out, or it does not; without the unit it never does.
        worst += left * new + max(0.0, left * (1 - new) - math.exp(eps) * right)
        noise += max(0.0, left - math.exp(eps) * right)
    assert worst <= float(gaussian_delta(sigma, 1, above)) + noise
    assert worst > noise


def test_gaussian_arguments_are_checked() -> None:
    good = (1.0, 1, Fraction(1, 10), 1)
    wrong: list[tuple[int, Any, type[Exception]]] = [
        (0, 0.0, NoiseError),
        (0, math.inf, NoiseError),
        (1, 0, ValueError),
        (2, Fraction(1), ValueError),
        (2, Fraction(0), NoiseError),
        (2, 0.1, TypeError),
        (3, 0, ValueError),
    ]
    for place, value, error in wrong:
        with pytest.raises(error):
            gaussian_threshold(*good[:place], value, *good[place + 1 :])  # type: ignore[arg-type]
