"""Discrete Laplace: calibration, closed forms against brute force, OpenDP's own privacy map."""

import math
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.noise import sampler
from dpsql.core.noise.integer_noise import MAX_SCALE, Noise, NoiseError
from dpsql.core.noise.laplace import DiscreteLaplace

SCALES = [1e-9, 0.01, 0.3, 1.0, 1.4426950408889634, 2.5, 20.0, 333.3]

epsilons = st.fractions(min_value=Fraction(1, 10**9), max_value=10**6, max_denominator=10**12)


def as_noise(noise: Noise) -> Noise:
    return noise


def test_it_is_noise() -> None:
    assert as_noise(DiscreteLaplace(2.0)).scale == 2.0


@given(st.integers(1, 10**9), epsilons)
def test_the_scale_is_the_smallest_float_that_is_large_enough(l1: int, eps: Fraction) -> None:
    if l1 / eps > MAX_SCALE:
        return
    noise = DiscreteLaplace.calibrate(l1, eps)
    assert Fraction(noise.scale) >= l1 / eps
    assert Fraction(math.nextafter(noise.scale, 0.0)) < l1 / eps
    assert 0 < noise.event(l1).cost.eps <= eps
    assert noise.event(l1).cost.delta == 0


@settings(deadline=None)
@given(st.integers(1, 2**60), epsilons)
def test_opendp_agrees_on_the_privacy_loss(l1: int, eps: Fraction) -> None:
    if l1 / eps > MAX_SCALE:
        return
    noise = DiscreteLaplace.calibrate(l1, eps)
    claimed = Fraction(sampler.laplace(noise.scale).map(l1))
    own = noise.event(l1).cost.eps
    assert own <= claimed <= own * (1 + Fraction(1, 2**51))


def test_a_power_of_two_agrees_exactly() -> None:
    noise = DiscreteLaplace.calibrate(5, Fraction(1, 4))
    assert noise.scale == 20.0
    assert sampler.laplace(20.0).map(5) == 0.25


def test_a_constant_needs_no_noise() -> None:
    noise = DiscreteLaplace.calibrate(0, Fraction(1))
    assert noise.scale == 0
    assert noise.draw(3) == [0, 0, 0]
    assert noise.event(0).cost.eps == 0
    assert [noise.mass(z) for z in (-1, 0, 1)] == [0, 1, 0]
    assert (noise.interval(0.95), noise.tail(0), noise.tail(-1), noise.variance) == (0, 0, 1, 0)
    with pytest.raises(NoiseError):
        noise.event(1)
    with pytest.raises(NoiseError):
        noise.event(-1)


@pytest.mark.parametrize(
    "scale", [math.nan, math.inf, -1.0, math.nextafter(MAX_SCALE, math.inf), 1, True, "1", None]
)
def test_other_scales_are_refused(scale: float) -> None:
    with pytest.raises(NoiseError):
        DiscreteLaplace(scale)


def test_noise_that_would_not_fit_is_refused() -> None:
    assert DiscreteLaplace.calibrate(2**55, Fraction(1)).scale == MAX_SCALE
    for l1 in (2**55 + 1, 10**400):
        with pytest.raises(NoiseError):
            DiscreteLaplace.calibrate(l1, Fraction(1))


@pytest.mark.parametrize(
    ("l1", "eps"), [(1, 0.1), (1.0, Fraction(1)), (True, Fraction(1)), (1, 1), (1, "1")]
)
def test_inexact_arguments_are_refused(l1: int, eps: Fraction) -> None:
    with pytest.raises(TypeError):
        DiscreteLaplace.calibrate(l1, eps)


@pytest.mark.parametrize(("l1", "eps"), [(-1, 1), (1, 0), (1, -1)])
def test_senseless_arguments_are_refused(l1: int, eps: int) -> None:
    with pytest.raises(ValueError, match="negative"):
        DiscreteLaplace.calibrate(l1, Fraction(eps))


def mass(scale: float, z: int) -> float:
    alpha = math.exp(-1 / scale)
    return (1 - alpha) / (1 + alpha) * alpha ** abs(z)


@pytest.mark.parametrize("scale", SCALES)
def test_closed_forms_against_sums(scale: float) -> None:
    noise = DiscreteLaplace(scale)
    far = int(60 * scale) + 60
    masses = [mass(scale, z) for z in range(far)]
    for t in range(int(6 * scale) + 3):
        assert noise.tail(t) == pytest.approx(2 * math.fsum(masses[t + 1 :]), rel=1e-9, abs=1e-24)
        assert noise.mass(t) == noise.mass(-t) == pytest.approx(masses[t], rel=1e-9, abs=1e-24)
        assert noise.mass(t) == noise.mass(-t) == pytest.approx(masses[t], rel=1e-9)
    second = 2 * math.fsum(z * z * p for z, p in enumerate(masses))
    assert noise.variance == pytest.approx(second, rel=1e-9, abs=1e-24)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("confidence", [0.0, 0.1, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999999])
def test_the_interval_against_brute_force(scale: float, confidence: float) -> None:
    within = mass(scale, 0)
    t = 0
    while within < confidence:
        t += 1
        within += 2 * mass(scale, t)
    assert DiscreteLaplace(scale).interval(confidence) == t


@given(st.floats(1e-6, MAX_SCALE), st.floats(0, 1, exclude_max=True))
def test_the_interval_is_the_smallest(scale: float, confidence: float) -> None:
    noise = DiscreteLaplace(scale)
    t = noise.interval(confidence)
    allowed = 1 - confidence
    assert noise.tail(t) <= allowed * (1 + 1e-9)
    assert t == 0 or noise.tail(t - 1) >= allowed * (1 - 1e-9)


def test_the_interval_is_exact_where_floats_are_not() -> None:
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(80):
        scale = mpmath.mpf(MAX_SCALE)
        alpha = mpmath.exp(-1 / scale)
        wanted = 1 - mpmath.mpf(0.95)
        t = DiscreteLaplace(MAX_SCALE).interval(0.95)
        assert 2 * alpha ** (t + 1) / (1 + alpha) <= wanted < 2 * alpha**t / (1 + alpha)


@pytest.mark.parametrize("confidence", [-0.1, 1.0, 2.0, math.nan])
def test_confidences_that_are_none(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        DiscreteLaplace(1.0).interval(confidence)


def test_draws_are_python_ints_and_as_many_as_asked() -> None:
    drawn = DiscreteLaplace(MAX_SCALE).draw(1000)
    assert len(drawn) == 1000
    assert all(type(z) is int for z in drawn)
    assert max(map(abs, drawn)) < 2**61  # P < 1000 · exp(−64)
    assert drawn[0] + 2**100 > 2**99  # the caller's ints have no largest value
    assert DiscreteLaplace(1.0).draw(0) == []
    with pytest.raises(ValueError, match="negative"):
        DiscreteLaplace(1.0).draw(-1)


def test_a_sampler_that_fails_is_one_error_without_a_chain() -> None:
    def broken(zeros: list[int]) -> list[int]:
        raise RuntimeError("details")

    for measurement in (broken, lambda zeros: zeros[1:]):
        with pytest.raises(NoiseError, match="sampler failed") as caught:
            sampler.noise(measurement, 3)
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None


def test_opendp_is_imported_only_for_the_first_draw() -> None:
    code = (
        "import sys; from fractions import Fraction\n"
        "from dpsql.core.noise.laplace import DiscreteLaplace\n"
        "noise = DiscreteLaplace.calibrate(3, Fraction(1, 7)); noise.interval(0.95)\n"
        "assert 'opendp' not in sys.modules\n"
        "noise.draw(1)\n"
        "assert 'opendp' in sys.modules and 'opendp.prelude' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
