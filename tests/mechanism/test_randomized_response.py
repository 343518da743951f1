"""Randomized response: unbiased weights, variances, the local ε, exact coins."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql.core.noise.randomized_response import RandomizedResponse

from .bounds import limits, proven_loss
from .test_exponential import DEEP_DRAWS, DRAWS

HALF = Fraction(1, 2)
truths = st.fractions(Fraction(1, 1000), 1)
probabilities = st.fractions(0, 1)


@given(truths, probabilities)
def test_the_weights_are_unbiased_and_their_variance_is_exact(
    truth: Fraction, yes: Fraction
) -> None:
    channel = RandomizedResponse(truth, yes)
    for bit in (False, True):
        chance = channel.reported(bit)
        assert 0 <= chance <= 1
        assert chance == (truth if bit else 0) + (1 - truth) * yes
        f, g = channel.weight(True), channel.weight(False)
        assert chance * f + (1 - chance) * g == bit
        assert chance * f**2 + (1 - chance) * g**2 - bit == channel.variance(bit)


def test_the_classical_coin() -> None:
    coin = RandomizedResponse(HALF, HALF)
    assert (coin.reported(True), coin.reported(False)) == (Fraction(3, 4), Fraction(1, 4))
    assert (coin.weight(True), coin.weight(False)) == (Fraction(3, 2), -HALF)  # 2·P′ − ½
    assert coin.ratio == 3
    assert coin.eps is not None
    with localcontext(prec=60):
        assert 0 < coin.eps - Fraction(Decimal(3).ln()) < Fraction(1, 10**38)


@given(truths, st.fractions(Fraction(1, 1000), Fraction(999, 1000)))
def test_eps_is_the_largest_log_ratio_rounded_up(truth: Fraction, yes: Fraction) -> None:
    channel = RandomizedResponse(truth, yes)
    if truth == 1:
        assert channel.ratio is channel.eps is None
        return
    one, zero = channel.reported(True), channel.reported(False)
    assert channel.ratio == max(
        one / zero, zero / one, (1 - one) / (1 - zero), (1 - zero) / (1 - one)
    )
    assert channel.eps is not None
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(80):
        exact = mpmath.log(mpmath.mpf(channel.ratio.numerator) / channel.ratio.denominator)
        shown = mpmath.mpf(channel.eps.numerator) / channel.eps.denominator
        assert exact < shown < exact * (1 + mpmath.mpf(10) ** -30)


@pytest.mark.parametrize(("truth", "yes"), [(1, HALF), (HALF, 0), (HALF, 1)])
def test_a_report_that_betrays_its_bit_has_no_eps(truth: int, yes: Fraction | int) -> None:
    channel = RandomizedResponse(Fraction(truth), Fraction(yes))
    assert channel.ratio is channel.eps is None


@pytest.mark.parametrize("p", [Fraction(3, 4), Fraction(9, 10)])
def test_opendp_agrees_on_the_local_eps(p: Fraction) -> None:
    from opendp import measurements
    from opendp.mod import enable_features

    enable_features("contrib")
    # It tells the truth with probability p, else the opposite: t = 2p − 1, and a fair coin.
    channel = RandomizedResponse(2 * p - 1, HALF)
    assert channel.eps is not None
    claimed = measurements.make_randomized_response_bool(prob=float(p)).map(1)
    assert claimed == pytest.approx(float(channel.eps), rel=1e-12)


def test_senseless_arguments_are_refused() -> None:
    for truth, yes in ((0, HALF), (Fraction(-1), HALF), (2, HALF), (HALF, -1), (HALF, 2)):
        with pytest.raises(ValueError, match="truth"):
            RandomizedResponse(Fraction(truth), Fraction(yes))
    for inexact in ((0.5, HALF), (HALF, 0.5), (1, HALF)):
        with pytest.raises(TypeError):
            RandomizedResponse(*inexact)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "channel", [RandomizedResponse(HALF, HALF), RandomizedResponse(Fraction(1, 7), Fraction(1, 5))]
)
def test_reports_come_as_often_as_they_should(channel: RandomizedResponse) -> None:
    reports = channel.randomize([True] * DRAWS + [False] * DRAWS)
    assert all(type(report) is bool for report in reports)
    for bit, part in ((True, reports[:DRAWS]), (False, reports[DRAWS:])):
        low, high = limits(sum(part), DRAWS, 1e-6)
        assert low <= channel.reported(bit) <= high


def test_certain_coins() -> None:
    bits = [True, False, False, True]
    assert RandomizedResponse(Fraction(1), HALF).randomize(bits) == bits
    assert all(RandomizedResponse(HALF, Fraction(1)).randomize([True] * 100))
    assert RandomizedResponse(HALF, HALF).randomize([]) == []


def test_the_estimate_of_a_count_is_as_near_as_its_variance_says() -> None:
    channel = RandomizedResponse(HALF, HALF)
    bits = [True] * 3000 + [False] * 7000
    variance = 3000 * channel.variance(True) + 7000 * channel.variance(False)
    yeses = [sum(channel.randomize(bits)) for _ in range(50)]
    estimates = [n * channel.weight(True) + (10_000 - n) * channel.weight(False) for n in yeses]
    # A mean of 50 is within 6 of its standard errors, and no one is beyond 7 deviations.
    assert abs(sum(estimates) / 50 - 3000) < 6 * math.sqrt(variance / 50)
    assert all(abs(estimate - 3000) < 7 * math.sqrt(variance) for estimate in estimates)


def check_the_loss(draws: int, too_much: float) -> None:
    def loss(channel: RandomizedResponse) -> float:
        left, right = (channel.randomize([bit] * draws) for bit in (True, False))
        return proven_loss([-bit for bit in left], [-bit for bit in right], threshold=-1)

    coin = RandomizedResponse(HALF, HALF)
    assert coin.eps is not None
    # A fair second coin has exp(ε) = (1 + t)/(1 − t).
    truth = Fraction(math.tanh(float(coin.eps) * too_much / 2)).limit_denominator(10**6)
    mutant = RandomizedResponse(truth, HALF)
    assert loss(coin) <= coin.eps < loss(mutant)


def test_the_coins_are_noisy_enough_and_20_percent_less_is_caught() -> None:
    check_the_loss(DRAWS, 1 / 0.8)


@pytest.mark.deep
def test_10_percent_less_is_caught() -> None:
    check_the_loss(DEEP_DRAWS, 1 / 0.9)
