"""Half-widths of combinations: closed forms, an exact convolution, inversion, Monte Carlo."""

import math
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.noise import tails
from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.laplace import DiscreteLaplace

from .bounds import limits

CONFIDENCES = [0.05, 0.5, 0.75, 0.95, 0.99, 0.999999]
# Irrational ratio: no common lattice, so the continuous method is used.
ROOT = math.sqrt(2)


def half_width(terms: tuple[tuple[float, float], ...], confidence: float) -> float:
    """Of Laplace noises, by their scales."""
    return tails.half_width(tuple((DiscreteLaplace(b), w) for b, w in terms), confidence)


def tail_of_two(t: float, a: float, b: float) -> float:
    return (a * a * math.exp(-t / a) - b * b * math.exp(-t / b)) / (a * a - b * b)


def tail_of_equal(t: float, count: int) -> float:
    """Two and three unit Laplace noises: Erlang-type mixtures."""
    polynomials = {2: 1 + t / 2, 3: 1 + 5 * t / 8 + t * t / 8}
    return polynomials[count] * math.exp(-t)


@pytest.mark.parametrize("confidence", [0.0, *CONFIDENCES])
@pytest.mark.parametrize("scale", [0.3, 7.0, 1e12])
def test_one_noise_is_exact(scale: float, confidence: float) -> None:
    t = DiscreteLaplace(scale).interval(confidence)
    assert half_width(((scale, -0.25),), confidence) == 0.25 * t
    assert half_width(((scale, 0.25), (5.0, 0.0), (0.0, 3.0)), confidence) == 0.25 * t


def test_nothing_noisy_has_no_width() -> None:
    assert half_width((), 0.95) == 0
    assert half_width(((0.0, 2.0), (3.0, 0.0)), 0.95) == 0


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("ratio", [1.001, 1.5, 10.0, 1e6, 1e300])
def test_two_noises_against_the_closed_form(ratio: float, confidence: float) -> None:
    t = half_width(((1e4 / ratio, ROOT), (1e4, 1.0)), confidence) / 1e4
    a = 1.0
    b = ROOT / ratio
    assert tail_of_two(t, a, b) == pytest.approx(1 - confidence, rel=1e-6)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("nearness", [0.0, 1e-15, 1e-12, 1e-9, 1e-7])
def test_equal_and_nearly_equal_spreads(count: int, nearness: float, confidence: float) -> None:
    terms = [(1e6 * (1 + i * nearness), 1.0) for i in range(count)]
    t = tails._continuous(terms, 0.0, confidence) / 1e6
    for close in (t * (1 - 1e-4), t * (1 + 1e-4)):
        below = tail_of_equal(close, count) < 1 - confidence
        assert below == (close > t)


@pytest.mark.deep
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999999])
@pytest.mark.parametrize(
    "spreads",
    [(1, 1, 1, 1), (1, 1.0001, 2, 2), (5, 4, 3, 2, 1), (1, 1, 1, 1, 1, 20), (1,) * 8],
)
def test_against_the_inverted_characteristic_function(
    spreads: tuple[float, ...], confidence: float
) -> None:
    mpmath = pytest.importorskip("mpmath")
    t = tails._continuous([(float(b), 1.0) for b in spreads], 0.0, confidence)

    def tail(at: float) -> float:
        # P(|S| > t) = 1 − (2/π) ∫ sin(ωt)/ω ∏ 1/(1 + b²ω²) dω
        def integrand(w: object) -> object:
            return mpmath.sin(w * at) / w / mpmath.fprod(1 + (b * w) ** 2 for b in spreads)

        pieces = mpmath.linspace(0, 40, 161)
        return float(1 - 2 / mpmath.pi * mpmath.quad(integrand, [*pieces, 400, mpmath.inf]))

    assert tail(t * (1 - 1e-4)) > 1 - confidence - 1e-12
    assert tail(t * (1 + 1e-4)) < 1 - confidence + 1e-12


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("ratio", [1.0, 1.05, 1.3, 4.0])
@pytest.mark.parametrize("count", [2, 6, 12])
def test_the_grid_for_many_noises_agrees(count: int, ratio: float, confidence: float) -> None:
    spreads = [ratio**i for i in range(count)]
    exact = tails._continuous([(b, 1.0) for b in spreads], 0.0, confidence)
    # A half-width below the grid's step (confidence 5 %) is known only to a part of the step.
    close = pytest.approx(exact, rel=1e-4, abs=1e-3 * max(spreads))
    assert tails._on_grid(spreads, 0.0, confidence) == close


@cache
def distribution(terms: tuple[tuple[float, int], ...]) -> dict[int, float]:
    """The exact discrete one of the absolute value, by enumeration."""
    ranges = [range(-int(45 * s) - 12, int(45 * s) + 13) for s, _ in terms]
    masses: dict[int, float] = {}
    for zs in product(*ranges):
        alphas = [math.exp(-1 / s) for s, _ in terms]
        p = math.prod((1 - a) / (1 + a) * a ** abs(z) for a, z in zip(alphas, zs, strict=True))
        at = abs(sum(w * z for (_, w), z in zip(terms, zs, strict=True)))
        masses[at] = masses.get(at, 0.0) + p
    return masses


def brute_force(terms: list[tuple[float, int]], confidence: float) -> int:
    """The half-width by that."""
    masses, within = distribution(tuple(terms)), 0.0
    for at in sorted(masses):
        within += masses[at]
        if within >= confidence:
            return at
    raise AssertionError


@pytest.mark.parametrize("confidence", [0.0, 0.5, 0.75, 0.95, 0.999999])
@pytest.mark.parametrize(
    "terms",
    [
        [(1.0, 1), (1.0, -1)],
        [(0.5, 1), (2.0, 1)],
        [(1.0, 2), (0.7, 3)],
        [(0.1, 1), (1.0, 64)],
        [(0.4, 1), (0.4, 1), (0.4, 5)],
    ],
)
def test_short_lattices_are_exact(terms: list[tuple[float, int]], confidence: float) -> None:
    for unit in (1.0, 0.1):
        t = half_width(tuple((s, unit * w) for s, w in terms), confidence)
        if unit == 1.0 or all(abs(w) == 1 for _, w in terms):
            assert t == pytest.approx(unit * brute_force(terms, confidence), rel=1e-12)


@pytest.mark.parametrize("scale", [100.0, 3000.0, 1e15])
@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_long_lattices_round_to_the_lattice(scale: float, confidence: float) -> None:
    t = half_width(((scale, 1.0), (scale, -1.0)), confidence)
    assert t == int(t)
    low, high = (tail_of_equal((t + half) / scale, 2) for half in (-0.5, 0.5))
    slack = 1 + 1 / scale + 1e-4  # discrete against continuous; equal spreads moved apart
    assert high <= (1 - confidence) * slack
    assert t == 0 or low >= (1 - confidence) / slack


@pytest.mark.parametrize(
    "terms",
    [
        ((30.0, 0.1), (12.0, 0.37)),  # a mean: a sum's noise and a count's noise
        ((8.0, 1.0), (8.0, -1.0)),
        ((50.0, 1.0), (50.0, ROOT), (10.0, 3.3)),
        ((1000.0, 1.0),) * 6,
        ((100.0, 1.0),) * 47,
    ],
)
@pytest.mark.one_in(2)
def test_against_monte_carlo(terms: tuple[tuple[float, float], ...]) -> None:
    test_mixtures_against_monte_carlo(tuple((DiscreteLaplace(b), w) for b, w in terms))


def test_a_coarse_noise_that_is_hardly_blurred_keeps_its_steps() -> None:
    # As a continuous noise it would be 2.996, which the discrete one passes in 7 % of the draws.
    assert half_width(((1.0, 1.0), (1.0, 1e-9)), 0.95) == 3.0


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(1e-3, 1e15), st.floats(-1e6, 1e6)), min_size=2, max_size=6),
    st.floats(0.01, 0.999999),
)
def test_it_is_total_and_at_least_the_widest_noise(
    terms: list[tuple[float, float]], confidence: float
) -> None:
    t = half_width(tuple(terms), confidence)
    assert math.isfinite(t)
    if (
        sum(weight != 0 for _, weight in terms) > 1
        and tails.lattice([abs(weight) for _, weight in terms if weight]) is None
    ):
        widest = max(scale * abs(weight) for scale, weight in terms)
        assert t >= -math.log(1 - confidence) * widest * (1 - 1e-9)


@pytest.mark.parametrize("confidence", [-0.1, 1.0, math.nan])
def test_confidences_that_are_none(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        half_width(((1.0, 1.0), (2.0, 1.0)), confidence)


def test_terms_that_are_none() -> None:
    with pytest.raises(ValueError, match="finite"):
        half_width(((1.0, math.inf),), 0.95)


# --- with Gaussian noise


def of(*terms: tuple[Noise, float], confidence: float = 0.95) -> float:
    return tails.half_width(terms, confidence)


@pytest.mark.parametrize("confidence", [0.0, *CONFIDENCES])
@pytest.mark.parametrize("sigma", [0.3, 7.0, 1e12])
def test_one_gaussian_is_exact(sigma: float, confidence: float) -> None:
    noise = DiscreteGaussian(sigma)
    wanted = 0.25 * noise.interval(confidence)
    assert of((noise, -0.25), confidence=confidence) == wanted
    assert of((noise, 0.25), (DiscreteLaplace(3.0), 0.0), confidence=confidence) == wanted


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_gaussians_are_one_normal(confidence: float) -> None:
    parts = (
        (DiscreteGaussian(3e6), 1.0),
        (DiscreteGaussian(4e6), ROOT),
        (DiscreteGaussian(1e6), -5.0),
    )
    t = of(*parts, confidence=confidence) / 1e6
    sigma = math.sqrt(9 + 32 + 25)
    assert math.erfc(t / sigma / ROOT) == pytest.approx(1 - confidence, rel=1e-9)


def tail_of_mixture(t: float, sigma: float, b: float) -> float:
    """P(|G + X| > t) for a normal G and a Laplace X: the convolution in closed form."""
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(60):
        r = mpmath.mpf(sigma) / b
        x = mpmath.mpf(t) / sigma
        left = mpmath.exp(r * r / 2 - mpmath.mpf(t) / b) * mpmath.ncdf(x - r)
        right = mpmath.exp(r * r / 2 + mpmath.mpf(t) / b) * mpmath.ncdf(-x - r)
        return float(2 * mpmath.ncdf(-x) + left - right)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("ratio", [1e-3, 0.01, 0.024, 0.026, 0.1, 0.5, 1.0, 3.0, 30.0])
def test_a_mixture_against_the_closed_form(ratio: float, confidence: float) -> None:
    b = 1e6
    t = of((DiscreteGaussian(ratio * b), ROOT), (DiscreteLaplace(b), 1.0), confidence=confidence)
    for close, below in ((t * (1 - 2e-4), False), (t * (1 + 2e-4), True)):
        assert (tail_of_mixture(close, ROOT * ratio * b, b) < 1 - confidence) == below


def mass(noise: Noise, z: int) -> float:
    """P(z), but for a factor."""
    if noise.kind == "laplace":
        return math.exp(-abs(z) / noise.scale)
    return math.exp(-((z / noise.scale) ** 2) / 2)


def enumerated(terms: tuple[tuple[Noise, int], ...], confidence: float) -> int:
    """The exact discrete distribution by enumeration."""
    total = {0: 1.0}
    for noise, weight in terms:
        zs = range(-int(40 * noise.scale) - 12, int(40 * noise.scale) + 13)
        whole = math.fsum(mass(noise, z) for z in zs)
        moved: dict[int, float] = {}
        for at, p in total.items():
            for z in zs:
                moved[at + weight * z] = (
                    moved.get(at + weight * z, 0.0) + p * mass(noise, z) / whole
                )
        total = {at: p for at, p in moved.items() if p > 1e-25}
    within, t = total.get(0, 0.0), 0
    while within < confidence:
        t += 1
        within += 2 * total.get(t, 0.0)
    return t


@pytest.mark.parametrize("confidence", [0.0, 0.5, 0.75, 0.95, 0.999999])
@pytest.mark.parametrize(
    "terms",
    [
        ((DiscreteGaussian(3.0), 1), (DiscreteGaussian(3.0), -1)),
        ((DiscreteGaussian(0.5), 1), (DiscreteGaussian(0.7), 1)),
        ((DiscreteGaussian(0.5), 1), (DiscreteGaussian(9.0), 1)),
        ((DiscreteGaussian(1.0), 2), (DiscreteLaplace(0.7), 3)),
        ((DiscreteGaussian(2.0), 1), (DiscreteGaussian(2.0), 3), (DiscreteLaplace(1.0), 2)),
        ((DiscreteGaussian(0.1), 1), (DiscreteLaplace(1.0), 64)),
        ((DiscreteGaussian(4.0), 5), (DiscreteGaussian(4.0), 7)),
        ((DiscreteGaussian(1.6), 1), (DiscreteGaussian(1.6), 1), (DiscreteGaussian(1.6), 6)),
    ],
)
def test_short_lattices_with_gaussians_are_exact(
    terms: tuple[tuple[Noise, int], ...], confidence: float
) -> None:
    weighted = tuple((noise, float(weight)) for noise, weight in terms)
    assert of(*weighted, confidence=confidence) == enumerated(terms, confidence)


@pytest.mark.parametrize(
    "terms",
    [
        ((DiscreteGaussian(30.0), 0.1), (DiscreteLaplace(12.0), 0.37)),
        (
            (DiscreteGaussian(50.0), 1.0),
            (DiscreteGaussian(50.0), ROOT),
            (DiscreteLaplace(10.0), 3.3),
        ),
        ((DiscreteGaussian(100.0), 1.0), *((DiscreteLaplace(100.0), 0.2),) * 20),
        ((DiscreteGaussian(1000.0), 1.0), (DiscreteGaussian(1000.0), 1.0)),
    ],
)
@pytest.mark.one_in(2)
def test_mixtures_against_monte_carlo(terms: tuple[tuple[Noise, float], ...]) -> None:
    n = 10_000
    t = of(*terms)
    drawn = [[weight * z for z in noise.draw(n)] for noise, weight in terms]
    hits = sum(abs(math.fsum(zs)) <= t * (1 + 1e-12) for zs in zip(*drawn, strict=True))
    low, high = limits(hits, n, 1e-6)
    assert low <= 0.95 + 0.01
    assert high >= 0.95 - 0.002


def test_a_coarse_gaussian_that_is_hardly_blurred_keeps_its_steps() -> None:
    # As a normal noise it would be 0.98, which the discrete one passes in 21 % of the draws.
    noise = DiscreteGaussian(0.5)
    assert of((noise, 1.0), (DiscreteGaussian(1.0), 1e-9)) == noise.interval(0.95) == 1.0


noises = st.one_of(
    st.floats(1e-3, 1e15).map(DiscreteLaplace), st.floats(1e-3, 1e15).map(DiscreteGaussian)
)


@settings(deadline=None)
@given(
    st.lists(st.tuples(noises, st.floats(-1e6, 1e6)), min_size=1, max_size=6),
    st.floats(0.01, 0.999999),
)
def test_mixtures_are_total(terms: list[tuple[Noise, float]], confidence: float) -> None:
    t = of(*terms, confidence=confidence)
    assert math.isfinite(t)
    assert t >= 0
