"""From Rényi divergences to (ε, δ) and back: on the safe side, and hardly off."""

from fractions import Fraction

import mpmath as mp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.account.conversion import divergence_for, eps_of_divergence, eps_of_rho
from dpsql.core.account.gaussian_loss import rho_for
from dpsql.core.account.loss import ORDERS
from tests.support.effort import tries

orders = st.sampled_from(ORDERS)
amounts = st.fractions(Fraction(1, 10**9), 10**4)
deltas = st.sampled_from([Fraction(1, 10**n) for n in (1, 3, 6, 9, 15, 40)])


def exact(value: Fraction) -> mp.mpf:
    return mp.mpf(value.numerator) / value.denominator


def proven(order: Fraction, divergence: mp.mpf, eps: mp.mpf) -> mp.mpf:
    """The δ of the claim."""
    a = exact(order)
    return mp.exp((a - 1) * (divergence - eps)) / (a - 1) * (1 - 1 / a) ** a


@settings(deadline=None, max_examples=tries(20, 100))
@given(orders, amounts, deltas)
def test_a_divergence_proves_its_delta(order: Fraction, eps: Fraction, delta: Fraction) -> None:
    with mp.workdps(60):
        found = divergence_for(order, eps, delta)
        if found:
            assert proven(order, exact(found), exact(eps)) <= exact(delta)
        more = exact(found) + (exact(eps) + 100) * mp.mpf("1e-17")
        assert proven(order, more, exact(eps)) > exact(delta)


@settings(deadline=None, max_examples=tries(20, 100))
@given(orders, amounts, deltas)
def test_an_eps_is_proven(order: Fraction, divergence: Fraction, delta: Fraction) -> None:
    with mp.workdps(60):
        found = eps_of_divergence(order, divergence, delta)
        assert proven(order, exact(divergence), exact(found)) <= exact(delta)
        if found:
            less = exact(found) * (1 - mp.mpf("1e-17"))
            assert proven(order, exact(divergence), less) > exact(delta)


@settings(deadline=None, max_examples=tries(20, 100))
@given(orders, amounts, deltas)
def test_there_and_back(order: Fraction, eps: Fraction, delta: Fraction) -> None:
    found = divergence_for(order, eps, delta)
    assert eps_of_divergence(order, found, delta) <= eps * (1 + Fraction(1, 10**15)) or not found


@settings(deadline=None, max_examples=tries(20, 100))
@given(amounts, amounts, deltas)
def test_more_loss_is_more_eps(a: Fraction, b: Fraction, delta: Fraction) -> None:
    low, high = sorted((a, b))
    for order in ORDERS:
        assert eps_of_divergence(order, low, delta) <= eps_of_divergence(order, high, delta)
        assert divergence_for(order, low, delta) <= divergence_for(order, high, delta)
        assert divergence_for(order, low, delta / 2) <= divergence_for(order, low, delta)


@pytest.mark.parametrize("rho", ["1e-18", "1e-9", "1e-4", "0.1", "1", "50", "1e6"])
@pytest.mark.parametrize("delta", [Fraction(1, 10), Fraction(1, 10**6), Fraction(1, 10**40)])
@pytest.mark.one_in(3)
def test_rho_is_converted_at_the_best_order(rho: str, delta: Fraction) -> None:
    with mp.workdps(40):
        amount = Fraction(rho)
        found = exact(eps_of_rho(amount, delta))

        def eps(log: mp.mpf) -> mp.mpf:
            beta = mp.exp(log)
            a = 1 + beta
            logs = mp.log(exact(delta)) + mp.log(beta) - a * mp.log(beta / a)
            return a * exact(amount) - logs / beta

        best = min(eps(mp.mpf(k) / 50) for k in range(-1500, 3000, tries(2, 1)))
        assert found <= max(mp.mpf(0), best) * (1 + mp.mpf("1e-12"))
        # The least over all orders is at most a part in 10³ below the least over this grid.
        assert found >= best * (1 - mp.mpf("1e-3"))


@settings(deadline=None, max_examples=tries(20, 100))
@given(amounts, deltas)
def test_rho_there_and_back(eps: Fraction, delta: Fraction) -> None:
    back = eps_of_rho(rho_for(eps, delta), delta)
    assert abs(back - eps) <= eps / 10**6  # two searches for the best order


def test_nothing_is_nothing() -> None:
    assert eps_of_rho(Fraction(0), Fraction(1, 2)) == 0
    assert eps_of_divergence(Fraction(2), Fraction(0), Fraction(1, 2)) == 0


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1), Fraction(-1)])
def test_a_delta_is_between_0_and_1(delta: Fraction) -> None:
    for convert in (divergence_for, eps_of_divergence):
        with pytest.raises(ValueError, match="δ"):
            convert(Fraction(2), Fraction(1), delta)
    with pytest.raises(ValueError, match="δ"):
        eps_of_rho(Fraction(1), delta)


def test_only_exact_arguments() -> None:
    with pytest.raises(TypeError):
        eps_of_rho(0.5, Fraction(1, 2))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="order"):
        divergence_for(Fraction(1), Fraction(1), Fraction(1, 2))
