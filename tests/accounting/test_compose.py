"""Composition of a fixed batch, against dp-accounting's Rényi accountant."""

from fractions import Fraction

import dp_accounting
import pytest
from dp_accounting.rdp import rdp_privacy_accountant

from dpsql.core.account.compose import basic, least, rdp, zcdp
from dpsql.core.account.events import DiscreteLaplaceEvent, Event, GaussianEvent, RareEvent
from dpsql.core.account.loss import NOTHING, ORDERS, approximate, total

DELTA = Fraction(1, 10**6)


def theirs(event: dp_accounting.DpEvent, n: int) -> float:
    accountant = rdp_privacy_accountant.RdpAccountant([float(order) for order in ORDERS])
    accountant.compose(event, n)
    return float(accountant.get_epsilon(float(DELTA)))


@pytest.mark.parametrize(("sigma", "n"), [(5.0, 1), (5.0, 3), (20.0, 100), (3.0, 50)])
def test_gaussian_noise_as_dp_accounting_says(sigma: float, n: int) -> None:
    """The bound of discrete noise is the divergence of continuous noise."""
    events: list[Event] = [GaussianEvent(((sigma, 1),), Fraction(9), Fraction(1, 10))] * n
    assert float(rdp(events, DELTA)) == pytest.approx(
        theirs(dp_accounting.GaussianDpEvent(sigma), n)
    )
    assert zcdp(events, DELTA) <= rdp(events, DELTA)  # at the best order of all


@pytest.mark.parametrize(("scale", "n"), [(10.0, 100), (100.0, 1000), (2.0, 40)])
def test_laplace_noise_as_dp_accounting_says(scale: float, n: int) -> None:
    """Noise of very many steps is as continuous noise; of one step it costs more."""
    continuous = theirs(dp_accounting.LaplaceDpEvent(scale), n)
    fine: list[Event] = [DiscreteLaplaceEvent(scale * 10**6, 10**6)] * n
    coarse: list[Event] = [DiscreteLaplaceEvent(scale, 1)] * n
    assert float(rdp(fine, DELTA)) == pytest.approx(continuous, rel=1e-5)
    assert float(rdp(coarse, DELTA)) > continuous * (1 + 1e-3)
    assert rdp(coarse, DELTA) <= zcdp(coarse, DELTA) * Fraction(11, 10)


def test_half_the_sensitivity_is_half_the_cost() -> None:
    whole: list[Event] = [DiscreteLaplaceEvent(10.0, 2)] * 100
    half: list[Event] = [DiscreteLaplaceEvent(10.0, 1)] * 100
    for way in (zcdp, rdp):
        assert way(half, DELTA) < way(whole, DELTA) * Fraction(1, 2)


def test_events_lose_less_than_their_epsilons() -> None:
    events: list[Event] = [DiscreteLaplaceEvent(4.0, 1)] * 100
    known = total(event.loss for event in events)
    unknown = total(approximate(event.cost) for event in events)
    assert known.cost == unknown.cost
    assert known.rho < unknown.rho
    assert zcdp(events, DELTA) < basic(events).eps


def test_the_least_of_both_ways() -> None:
    loss = RareEvent(DELTA).loss
    assert least(loss, DELTA, lambda left: Fraction(7)) == 0
    assert least(approximate(basic([])), DELTA, lambda left: left) == 0
    one = DiscreteLaplaceEvent(1.0, 1).loss + loss
    assert least(one, 3 * DELTA, lambda left: left) == 2 * DELTA
    with pytest.raises(ValueError, match="larger δ"):
        least(loss, DELTA / 2, lambda left: Fraction(7))
    assert least(NOTHING, Fraction(0), lambda left: Fraction(7)) == 0
