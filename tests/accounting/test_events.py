"""What each event loses, by every way of adding up, and what whole queries do."""

from fractions import Fraction

import pytest

from dpsql.compile import Compiled, compile_query
from dpsql.core.account import divergences
from dpsql.core.account.amount import Cost
from dpsql.core.account.compose import basic
from dpsql.core.account.events import (
    DiscreteLaplaceEvent,
    Event,
    ExponentialEvent,
    GaussianEvent,
    PureEvent,
    RareEvent,
    SharedLaplaceEvent,
)
from dpsql.core.account.loss import NOTHING, ORDERS, Loss, approximate, total
from dpsql.core.calibrate.options import Options
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.clip import SUMS
from dpsql.core.noise.gaussian import joint
from dpsql.core.schema import Schema
from dpsql.platform.policy import Policy, resolve

_, GAUSSIAN = joint([1, 25], Fraction(1), Fraction(1, 10**6))
EVENTS: list[Event] = [
    DiscreteLaplaceEvent(10.0, 3),
    SharedLaplaceEvent((DiscreteLaplaceEvent(10.0, 3), DiscreteLaplaceEvent(4.0, 1))),
    GAUSSIAN,
    RareEvent(Fraction(1, 10**7)),
    PureEvent(Fraction(1, 3)),
    ExponentialEvent(Fraction(1, 4), 3),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_a_loss_is_never_above_what_epsilon_says(event: Event) -> None:
    loss, most = event.loss, approximate(event.cost)
    assert loss.cost == event.cost
    if isinstance(event, GaussianEvent):
        assert loss == Loss(
            event.cost, event.rho, Fraction(0), tuple(a * event.rho for a in ORDERS)
        )
        return
    assert loss.slack == event.cost.delta
    assert loss.rho <= most.rho
    assert all(a <= b for a, b in zip(loss.renyi, most.renyi, strict=True))
    assert loss.rho > 0 or isinstance(event, RareEvent)
    # ρ is the bound of all orders.
    assert all(d <= order * loss.rho for order, d in zip(ORDERS, loss.renyi, strict=True))


def test_public_constants_lose_nothing() -> None:
    for event in (
        DiscreteLaplaceEvent(0.0, 0),
        GaussianEvent(((0.0, 0),), Fraction(1), Fraction(1, 10**6)),
        PureEvent(Fraction(0)),
        ExponentialEvent(Fraction(0)),
    ):
        assert event.loss == NOTHING


def test_losses_are_those_of_the_noise() -> None:
    found = divergences.laplace(Fraction(1, 10), 3)
    loss = DiscreteLaplaceEvent(10.0, 3).loss
    assert (loss.rho, loss.renyi) == (found.rho, found.renyi)
    less = DiscreteLaplaceEvent(10.0, 2).loss
    assert less.rho < loss.rho * Fraction(1, 2)


def test_a_family_loses_the_most_of_each_part() -> None:
    """At equal ε many small steps lose less than one large one; at less ε they never matter."""
    fine, coarse = DiscreteLaplaceEvent(100.0, 10), DiscreteLaplaceEvent(10.0, 1)
    assert SharedLaplaceEvent((fine, coarse)).loss == coarse.loss
    assert fine.loss.rho < coarse.loss.rho
    more = DiscreteLaplaceEvent(8.0, 1)
    assert SharedLaplaceEvent((coarse, more, fine)).loss == more.loss
    assert SharedLaplaceEvent((coarse, more, fine)).cost == more.cost


def test_rounds_of_choices_add_up() -> None:
    one, three = ExponentialEvent(Fraction(1, 4)).loss, ExponentialEvent(Fraction(1, 4), 3).loss
    assert one.rho == Fraction(1, 128)
    assert three == one + one + one


@pytest.mark.parametrize("units", [1, 2])
def test_a_clip_that_is_found_loses_its_epsilon(units: int) -> None:
    mechanism = AdaptiveLaplace.calibrate(Fraction(1), units, [(1, 1), (100, 1), (10**4, 1)], SUMS)
    choice, count, noise = mechanism.events()
    assert choice == ExponentialEvent(Fraction(1, 4)) and noise == PureEvent(Fraction(2, 3))
    assert Fraction(999, 12000) < count.cost.eps <= Fraction(1, 12)
    spent = basic(mechanism.events()).eps
    assert Fraction(999, 1000) < spent <= 1
    # The noise of every threshold is within what is recorded.
    for number, (clip, parts) in enumerate(mechanism.thresholds):
        exact = mechanism.noise(number).event(units * clip * parts).loss
        assert exact.rho <= noise.loss.rho
        assert all(a <= b for a, b in zip(exact.renyi, noise.loss.renyi, strict=True))


# Whole queries.

POLICY = """
unit: people.id
budget: {eps: 10, delta: 1e-5}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      job: {type: VARCHAR}
      kind: {type: VARCHAR, values: [a, b, c], nullable: false}
      vip: {type: BOOLEAN, nullable: false}
      x: {type: INTEGER, bounds: [0, 100], nullable: false}
      y: {type: INTEGER, bounds: [0, 7], nullable: false}
      free: {type: INTEGER}
  sites:
    access: public
    columns:
      n: {type: INTEGER}
"""
SHARED = "SELECT SUM(x) FILTER (WHERE vip), SUM(y) FILTER (WHERE NOT vip) FROM people"
QUERIES = [
    "SELECT COUNT(*) FROM people",
    "SELECT kind, COUNT(*), SUM(x), SUM(y) FROM people GROUP BY kind",
    "SELECT job, COUNT(*), AVG(x) FROM people GROUP BY job",
    "SELECT MEDIAN(x), MIN(x), MODE(kind), COUNT(*) FROM people",
    SHARED,
    "SELECT COUNT(*) FILTER (WHERE vip), COUNT(*) FILTER (WHERE NOT vip) FROM people",
]


def compiled(sql: str, options: Options, policy: str = POLICY) -> Compiled:
    return compile_query(sql, schema(policy), Fraction(1, 2), options=options)


def schema(policy: str) -> Schema:
    return resolve(Policy.parse(policy), None, None)


@pytest.mark.parametrize("noise", ["laplace", "gaussian", "auto"])
@pytest.mark.parametrize("sql", QUERIES)
def test_a_query_is_charged_as_its_events(sql: str, noise: str) -> None:
    found = compiled(sql, Options(delta=Fraction(1, 10**6), noise=noise))  # type: ignore[arg-type]
    assert found.cost == found.loss.cost
    assert found.cost.eps == Fraction(1, 2)
    summed = total(event.loss for event in found.events)
    assert summed.cost.delta == found.cost.delta <= Fraction(1, 10**6)
    assert Fraction(1, 2) * (1 - Fraction(1, 10**12)) < summed.cost.eps <= Fraction(1, 2)
    parts = (found.loss.rho, found.loss.slack, found.loss.renyi)
    assert parts == (summed.rho, summed.slack, summed.renyi)
    rare = [event for event in found.events if isinstance(event, RareEvent)]
    assert len(rare) == ("GROUP BY job" in sql)
    assert found.loss.slack == sum((event.delta for event in rare), Fraction(0))


def test_a_private_group_is_paid_once() -> None:
    """δ of the threshold, and the ε of the noisy number of units, which is one event."""
    delta = Fraction(1, 10**6)
    found = compiled("SELECT job, COUNT(*) FROM people GROUP BY job", Options(delta=delta))
    assert found.loss.cost == Cost(Fraction(1, 2), delta)
    assert [type(event) for event in found.events] == [DiscreteLaplaceEvent, RareEvent]
    assert found.events[-1] == RareEvent(delta)


def test_a_family_is_one_event() -> None:
    (event,) = compiled(SHARED, Options()).events
    assert isinstance(event, SharedLaplaceEvent)
    assert [member.l1 for member in event.members] == [100, 7]
    (same,) = compiled(QUERIES[-1], Options()).events
    assert same == DiscreteLaplaceEvent(2.0, 1)


def test_a_public_query_loses_nothing() -> None:
    found = compiled("SELECT COUNT(*) FROM sites", Options())
    assert (found.loss, found.events, found.cost) == (NOTHING, (), NOTHING.cost)


def test_a_clip_of_a_sum_is_in_the_events() -> None:
    found = compiled("SELECT SUM(free) FROM people", Options(clipping="adaptive"))
    kinds = [type(event) for event in found.events]
    assert kinds.count(ExponentialEvent) == 1  # the choice; then its check, and the noise
    assert kinds.count(PureEvent) == 2
