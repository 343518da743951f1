"""Discrete Gaussian: calibration, closed forms against brute force, OpenDP's own privacy map."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.account.events import GaussianEvent
from dpsql.core.account.gaussian_loss import rho_for, shift_delta
from dpsql.core.account.normal_law import CONTEXT, tail
from dpsql.core.noise import sampler
from dpsql.core.noise.gaussian import DiscreteGaussian, joint
from dpsql.core.noise.integer_noise import MAX_SCALE, Noise, NoiseError

SCALES = [1e-9, 0.05, 0.3, 1.0, 2.99, 3.0, 20.0, 63.9, 64.0, 65.0, 333.3]
CONFIDENCES = [0.0, 0.1, 0.5, 0.75, 0.95, 0.999999]

epsilons = st.fractions(min_value=Fraction(1, 10**9), max_value=10**6, max_denominator=10**12)
deltas = st.integers(1, 59).flatmap(
    lambda n: st.integers(1, 10**n // 2).map(lambda k: Fraction(k, 10**n))
)


def as_noise(noise: Noise) -> Noise:
    return noise


def test_it_is_noise() -> None:
    assert as_noise(DiscreteGaussian(2.0)).scale == 2.0
    assert DiscreteGaussian(2.0).kind == "gaussian"


# --- zero-concentrated privacy


@settings(deadline=None)
@given(st.integers(1, 10**30), st.fractions(Fraction(1, 10**22), 10**6).filter(lambda rho: rho > 0))
def test_sigma_is_the_smallest_float_that_is_large_enough(l2_squared: int, rho: Fraction) -> None:
    if l2_squared / (2 * rho) > Fraction(MAX_SCALE) ** 2:
        return
    sigma = DiscreteGaussian.calibrate(l2_squared, rho).scale
    assert l2_squared / (2 * Fraction(sigma) ** 2) <= rho
    assert l2_squared / (2 * Fraction(math.nextafter(sigma, 0.0)) ** 2) > rho


@settings(deadline=None)
@given(st.integers(1, 2**40), st.fractions(Fraction(1, 10**9), 10**4))
def test_opendp_agrees_on_rho(l2: int, rho: Fraction) -> None:
    noise = DiscreteGaussian.calibrate(l2 * l2, rho)
    exact = Fraction(l2, 1) ** 2 / (2 * Fraction(noise.scale) ** 2)
    claimed = Fraction(sampler.gaussian(noise.scale).map(float(l2)))
    assert exact <= claimed <= exact * (1 + Fraction(1, 2**49))


def log_bound(beta: float, rho: float, eps: float) -> float:
    """ln δ of the conversion at α = 1 + beta, in floats."""
    return beta * ((1 + beta) * rho - eps) - math.log(beta) - (1 + beta) * math.log1p(1 / beta)


def exact_bound(beta: Decimal, rho: Fraction, eps: Fraction) -> Decimal:
    """The same, δ itself, to the digits of the context."""
    alpha = 1 + beta
    r, e = (Decimal(x.numerator) / x.denominator for x in (rho, eps))
    return (beta * (alpha * r - e)).exp() / beta * (alpha * (1 - 1 / alpha).ln()).exp()


@settings(deadline=None)
@given(epsilons, deltas)
def test_rho_is_proven_by_some_alpha_and_hardly_more_is_by_none(
    eps: Fraction, delta: Fraction
) -> None:
    rho = rho_for(eps, delta)

    def finest(rho: Fraction) -> float:
        """The β that gives the least δ for `rho`, by grids of ln β each finer than the last."""
        low, high = -21.0, 60.0
        for _ in range(6):
            step = (high - low) / 60
            grid = [low + k * step for k in range(61)]
            best = min(grid, key=lambda at: log_bound(math.exp(at), float(rho), float(eps)))
            low, high = best - step, best + step
        return math.exp(best)

    less, more = (rho * (1 + Fraction(sign, 10**8)) for sign in (-1, 1))
    with localcontext(CONTEXT) as context:
        context.prec = 100
        wanted = Decimal(delta.numerator) / delta.denominator
        assert exact_bound(Decimal(finest(less)), less, eps) <= wanted
        assert exact_bound(Decimal(finest(more)), more, eps) > wanted


@pytest.mark.parametrize("eps", [Fraction(1, 100), Fraction(1), Fraction(10)])
@pytest.mark.parametrize("delta", [Fraction(1, 10**9), Fraction(1, 100)])
def test_opendp_agrees_on_the_conversion(eps: Fraction, delta: Fraction) -> None:
    from opendp import combinators, measurements, metrics

    rho = rho_for(eps, delta)
    noise = DiscreteGaussian.calibrate(10**12, rho)
    zcdp = measurements.make_gaussian(
        sampler._vectors(), metrics.l2_distance(T=float), scale=noise.scale
    )
    reached = combinators.make_zCDP_to_approxDP(zcdp).map(1e6).epsilon(float(delta))
    # OpenDP searches α on its own and rounds up.
    assert float(eps) * (1 - 1e-9) <= reached <= float(eps) * (1 + 1e-2)


def test_more_budget_is_more_rho() -> None:
    base = rho_for(Fraction(1), Fraction(1, 10**6))
    assert rho_for(Fraction(11, 10), Fraction(1, 10**6)) > base
    assert rho_for(Fraction(1), Fraction(2, 10**6)) > base
    assert base.denominator <= 10**25


@pytest.mark.parametrize(
    ("eps", "delta", "error"),
    [
        (1.0, Fraction(1, 2), TypeError),
        (Fraction(1), 0.5, TypeError),
        (Fraction(0), Fraction(1, 2), ValueError),
        (Fraction(1), Fraction(0), ValueError),
        (Fraction(1), Fraction(1), ValueError),
    ],
)
def test_budgets_that_are_none(eps: Fraction, delta: Fraction, error: type[Exception]) -> None:
    with pytest.raises(error):
        rho_for(eps, delta)
    with pytest.raises(error):
        DiscreteGaussian.analytic(1, eps, delta)


# --- one number


def brute_force(sigma: float, shift: int, eps: Fraction) -> Fraction:
    """Σ max(0, p(z) − e^ε·p(z + shift)) over all z, to 35 digits."""
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(40):
        s, e = mpmath.mpf(sigma), mpmath.mpf(eps.numerator) / eps.denominator
        zs = range(-int(30 * sigma) - shift - 5, int(30 * sigma) + 6)
        f = {z: mpmath.exp(-(mpmath.mpf(z) ** 2) / (2 * s * s)) for z in zs}
        zero = mpmath.mpf(0)
        excess = (max(zero, p - mpmath.exp(e) * f.get(z + shift, zero)) for z, p in f.items())
        reached = mpmath.fsum(excess) / mpmath.fsum(f.values())
        return Fraction(mpmath.nstr(reached, 35))


@pytest.mark.parametrize(
    ("sigma", "shift", "eps"),
    [
        (0.05, 1, "1"),
        (0.3, 1, "1/2"),
        (0.7, 2, "3"),
        (1.0, 1, "1"),
        (2.5, 3, "1/10"),
        (4.2, 1, "1"),
        (10.0, 7, "2"),
        (20.0, 100, "5"),
    ],
)
def test_the_exact_condition_against_brute_force(sigma: float, shift: int, eps: str) -> None:
    exact = brute_force(sigma, shift, Fraction(eps))
    claimed = shift_delta(sigma, shift, Fraction(eps))
    assert exact <= claimed <= exact * (1 + Fraction(1, 10**18)) + Fraction(1, 10**80)


@pytest.mark.parametrize("eps", ["1/10", "1", "4"])
@pytest.mark.parametrize("sigma", [0.4, 1.1, 3.0, 7.7])
def test_a_greater_move_never_needs_less_delta(sigma: float, eps: str) -> None:
    reached = [shift_delta(sigma, shift, Fraction(eps)) for shift in range(1, 40)]
    assert all(a <= b * (1 + Fraction(1, 10**17)) for a, b in pairwise(reached))


@pytest.mark.parametrize(
    ("sigma", "shift", "eps", "most"),
    [
        (300.0, 1, "1/100", 0.05),
        (300.0, 1, "1/1000", 0.05),
        (300.0, 100, "1", 1e-3),
        (300.0, 300, "2", 1e-3),
        (1000.0, 10, "3/100", 1e-2),
    ],
)
def test_bounds_by_integrals_are_above_the_sums_and_near(
    sigma: float, shift: int, eps: str, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    for summed in (math.inf, 0.0):
        monkeypatch.setattr("dpsql.core.account.gaussian_loss._SUMMED", summed)
        calls.append(shift_delta.__wrapped__(sigma, shift, Fraction(eps)))
    exact, bounded = calls
    assert exact < bounded < exact * (1 + Fraction(most))


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 10**6),
    st.fractions(Fraction(1, 1000), 50),
    st.sampled_from([Fraction(1, 10**12), Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 3)]),
)
def test_the_analytic_sigma_is_proven_and_nearly_the_smallest(
    shift: int, eps: Fraction, delta: Fraction
) -> None:
    noise = DiscreteGaussian.analytic(shift, eps, delta)
    safe = DiscreteGaussian.calibrate(shift**2, rho_for(eps, delta))
    assert noise.scale <= safe.scale
    assert shift_delta(noise.scale, shift, eps) <= delta
    assert shift_delta(noise.scale * (1 - 2e-6), shift, eps) > delta


def test_the_analytic_sigma_is_the_continuous_one_for_large_moves() -> None:
    # Balle and Wang, ICML 2018, their figures: δ = Φ(Δ/2σ − εσ/Δ) − e^ε·Φ(−Δ/2σ − εσ/Δ).
    def phi(x: float) -> float:
        return math.erfc(-x / math.sqrt(2)) / 2

    for eps in (0.1, 1.0, 5.0):
        sigma = DiscreteGaussian.analytic(10**6, Fraction(str(eps)), Fraction(1, 10**6)).scale / 1e6
        a, b = 1 / (2 * sigma), eps * sigma
        assert phi(a - b) - math.exp(eps) * phi(-a - b) == pytest.approx(1e-6, rel=1e-4)


@pytest.mark.parametrize("eps", ["1/1000", "1/10", "1/2", "99/100"])
@pytest.mark.parametrize("delta", ["1e-12", "1e-6", "0.01"])
@pytest.mark.parametrize("shift", [1, 1000])
def test_the_classical_formula_asks_for_more(eps: str, delta: str, shift: int) -> None:
    e, d = Fraction(eps), Fraction(delta)
    analytic = DiscreteGaussian.analytic(shift, e, d).scale
    assert analytic * 1.1 < math.sqrt(2 * math.log(1.25 / float(d))) * shift / float(e)


def test_the_classical_formula_is_wrong_for_large_eps() -> None:
    # What it would be at ε = 20 is not private.
    sigma = 1000 * math.sqrt(2 * math.log(1.25e6)) / 20
    assert shift_delta(sigma, 1000, Fraction(20)) > Fraction(1, 10**6)


# --- a whole query


def test_the_parts_of_a_query_spend_its_rho_together() -> None:
    eps, delta = Fraction(1), Fraction(1, 10**6)
    noises, event = joint([4, 0, 100], eps, delta, shared=True)
    assert [noise.scale > 0 for noise in noises] == [True, False, True]
    assert event.rho <= rho_for(eps, delta) < event.rho * (1 + Fraction(1, 10**12))
    assert (event.cost.eps, event.cost.delta) == (eps, delta)
    with pytest.raises(ValueError, match="not proven"):  # each with the ρ of all
        GaussianEvent(
            tuple(
                (noise.scale / math.sqrt(2), l2)
                for noise, l2 in zip(noises, [4, 0, 100], strict=True)
            ),
            eps,
            delta,
        )


def test_shares_are_kept() -> None:
    eps, delta = Fraction(1), Fraction(1, 10**6)
    rho = rho_for(eps, delta)
    shares = [Fraction(3, 4), Fraction(1, 4)]
    noises, _ = joint([9, 9], eps, delta, shares=shares, shared=True)
    assert noises == tuple(DiscreteGaussian.calibrate(9, rho * share) for share in shares)
    for wrong in ([Fraction(3, 4), Fraction(1, 2)], [Fraction(1)]):
        with pytest.raises(ValueError, match="shares"):
            joint([9, 9], eps, delta, shares=wrong)


def test_one_number_takes_the_exact_condition() -> None:
    eps, delta = Fraction(1), Fraction(1, 10**6)
    noises, event = joint([0, 49], eps, delta, one_number=True)
    assert noises[1] == DiscreteGaussian.analytic(7, eps, delta)
    assert event.rho > rho_for(eps, delta)  # so that only the exact condition proves it
    with pytest.raises(ValueError, match="not proven"):
        GaussianEvent(event.parts, eps, delta)
    with pytest.raises(ValueError, match="not proven"):
        GaussianEvent(((noises[1].scale * 0.999999, 49),), eps, delta, one_number=True)
    rounded_up, _ = joint([50], eps, delta, one_number=True)
    assert rounded_up[0] == DiscreteGaussian.analytic(8, eps, delta)
    with pytest.raises(ValueError, match="more than one"):
        joint([1, 1], eps, delta, one_number=True)


def test_a_query_of_constants_costs_nothing() -> None:
    noises, event = joint([0, 0], Fraction(1), Fraction(1, 10**6), one_number=True)
    assert [noise.scale for noise in noises] == [0, 0]
    assert (event.cost.eps, event.cost.delta) == (0, 0)


@pytest.mark.parametrize("parts", [((0.0, 1),), ((1.0, -1),), ((math.nan, 1),), ((-1.0, 0),)])
def test_records_that_make_no_sense(parts: tuple[tuple[float, int], ...]) -> None:
    with pytest.raises(ValueError, match="positive"):
        GaussianEvent(parts, Fraction(1), Fraction(1, 2))


# --- the noise


@pytest.mark.parametrize(
    "scale", [math.nan, math.inf, -1.0, math.nextafter(MAX_SCALE, math.inf), 1, True, "1", None]
)
def test_other_scales_are_refused(scale: float) -> None:
    with pytest.raises(NoiseError):
        DiscreteGaussian(scale)


def test_noise_that_would_not_fit_is_refused() -> None:
    half = Fraction(1, 2)
    assert DiscreteGaussian.calibrate(2**110, half).scale == MAX_SCALE
    for l2_squared in (2**110 + 1, 10**800):
        with pytest.raises(NoiseError):
            DiscreteGaussian.calibrate(l2_squared, half)
    with pytest.raises(NoiseError):
        DiscreteGaussian.analytic(2**60, Fraction(1), Fraction(1, 10**6))


@pytest.mark.parametrize(
    ("l2", "rho", "error"),
    [
        (1, 0.1, TypeError),
        (1.0, Fraction(1), TypeError),
        (True, Fraction(1), TypeError),
        (-1, Fraction(1), ValueError),
        (1, Fraction(0), ValueError),
    ],
)
def test_senseless_arguments_are_refused(l2: int, rho: Fraction, error: type[Exception]) -> None:
    with pytest.raises(error):
        DiscreteGaussian.calibrate(l2, rho)


def test_a_constant_needs_no_noise() -> None:
    noise = DiscreteGaussian.calibrate(0, Fraction(1))
    assert noise.scale == 0
    assert noise == DiscreteGaussian.analytic(0, Fraction(1), Fraction(1, 2))
    assert noise.draw(3) == [0, 0, 0]
    assert [noise.mass(z) for z in (-1, 0, 1)] == [0, 1, 0]
    assert (noise.interval(0.95), noise.tail(0), noise.tail(-1), noise.variance) == (0, 0, 1, 0)


def masses(scale: float) -> list[float]:
    """P(|Z| = t) for t = 0, 1, …"""
    side = [math.exp(-((z / scale) ** 2) / 2) for z in range(int(20 * scale) + 3)]
    whole = 2 * math.fsum(side) - 1
    return [side[0] / whole, *(2 * p / whole for p in side[1:])]


@pytest.mark.parametrize("scale", SCALES)
def test_closed_forms_against_sums(scale: float) -> None:
    noise = DiscreteGaussian(scale)
    exact = masses(scale)
    for t in range(min(len(exact), int(8 * scale) + 3)):
        assert noise.tail(t) == pytest.approx(math.fsum(exact[t + 1 :]), rel=1e-9, abs=1e-30)
        both = noise.mass(t) + noise.mass(-t) if t else noise.mass(0)
        assert both == pytest.approx(exact[t], rel=1e-9, abs=1e-30)
    second = math.fsum(t * t * p for t, p in enumerate(exact))
    assert noise.variance == pytest.approx(second, rel=1e-9, abs=1e-30)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_the_interval_against_brute_force(scale: float, confidence: float) -> None:
    exact = masses(scale)
    t = 0
    while math.fsum(exact[t + 1 :]) > 1 - confidence:
        t += 1
    assert DiscreteGaussian(scale).interval(confidence) == t


@settings(deadline=None)
@given(st.floats(1e-6, MAX_SCALE), st.floats(0, 1, exclude_max=True))
def test_the_interval_is_the_smallest(scale: float, confidence: float) -> None:
    noise = DiscreteGaussian(scale)
    t = noise.interval(confidence)
    allowed = 1 - confidence
    assert noise.tail(t) <= allowed * (1 + 1e-9)
    assert t == 0 or noise.tail(t - 1) >= allowed * (1 - 1e-9)


@pytest.mark.parametrize("scale", [1e5, 1e9, MAX_SCALE])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 1 - 2.0**-53])
def test_the_interval_is_exact_where_floats_are_not(scale: float, confidence: float) -> None:
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(60):
        # From σ = 10⁵ on the discrete sum is the integral from half a step on to 10⁻¹¹.
        def outside(t: int) -> object:
            return mpmath.erfc((t + mpmath.mpf("0.5")) / mpmath.mpf(scale) / mpmath.sqrt(2))

        t = DiscreteGaussian(scale).interval(confidence)
        assert outside(t) <= 1 - mpmath.mpf(confidence) < outside(t - 1)


@pytest.mark.parametrize("confidence", [-0.1, 1.0, 2.0, math.nan])
def test_confidences_that_are_none(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        DiscreteGaussian(1.0).interval(confidence)


def test_the_normal_tail_has_28_digits() -> None:
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(60), localcontext(CONTEXT):
        for k in range(-300, 700):
            x = Decimal(k) / 17
            exact = mpmath.erfc(mpmath.mpf(str(x)) / mpmath.sqrt(2)) / 2
            assert abs(mpmath.mpf(str(tail(x))) / exact - 1) < mpmath.mpf("1e-28")


def test_draws_are_python_ints_and_as_many_as_asked() -> None:
    drawn = DiscreteGaussian(MAX_SCALE).draw(1000)
    assert len(drawn) == 1000
    assert all(type(z) is int for z in drawn)
    assert max(map(abs, drawn)) < 2**59  # 16 σ: P < 10⁻⁵²
    assert DiscreteGaussian(1.0).draw(0) == []
    with pytest.raises(ValueError, match="negative"):
        DiscreteGaussian(1.0).draw(-1)
