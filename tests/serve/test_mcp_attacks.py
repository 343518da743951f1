"""Agents that want to know whether one person is in the data learn what their budget allows.

Of ε, and a δ, whoever says "in" with probabilities p where the person is and q where not has an
advantage p - q of at most (e^ε - 1)/(e^ε + 1) + δ, whatever was asked, in however many sessions and
under however many tokens, as long as all together may spend ε (Kairouz, Oh and Viswanath 2015).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import anyio
import pytest

from dpsql.audit.binomial import at_least, at_most
from tests.support.agents import (
    DELTA,
    EPS,
    IDS,
    STRATEGIES,
    Strategy,
    World,
    attack,
    evenly,
    score,
    values,
)

ALPHA = 1e-6
"""The probability that the bound of one strategy is wrong, so that a sound server fails one of 60
strategies in 16,000 runs."""


@cache
def worlds() -> tuple[World, World]:
    return World(present=True), World(present=False)


def most(eps: Fraction) -> float:
    return math.tanh(float(eps) / 2) + float(DELTA)


def advantage(strategy: Strategy, sessions: int, here: tuple[World, World]) -> tuple[float, int]:
    """A lower bound on it, at `ALPHA`; and how many answers there were."""
    said = [0, 0]
    answered = 0

    async def all_of_them() -> None:
        nonlocal answered
        for number, world in enumerate(here):
            for _ in range(sessions):
                every = await attack(world, strategy)
                said[number] += score(every, *here) > 0
                answered += sum("rows" in told for _, told in every)

    anyio.run(all_of_them)
    low = at_least(said[0], sessions, ALPHA / 2) - at_most(said[1], sessions, ALPHA / 2)
    return low, answered


def test_an_agent_learns_no_more_than_its_budget_allows() -> None:
    """Whoever was always right would be told from whom the budget allows in 60 sessions."""
    strategy = Strategy("poor", evenly("SELECT COUNT(*) AS n FROM people WHERE id = 7"))
    assert advantage(strategy, 60, worlds())[0] <= most(EPS)


@pytest.mark.deep
@pytest.mark.parametrize("strategy", STRATEGIES, ids=IDS)
def test_no_strategy_learns_more_than_its_budget_allows(strategy: Strategy) -> None:
    assert advantage(strategy, 500, worlds())[0] <= most(EPS)


def test_there_are_enough_strategies() -> None:
    assert len(STRATEGIES) >= 50 and len(set(IDS)) == len(IDS)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=IDS)
def test_each_is_answered_and_charged_no_more_than_there_is(strategy: Strategy) -> None:
    """An agent whose queries are all rejected would show nothing."""

    async def costs() -> list[Fraction]:
        every = await attack(worlds()[0], strategy)
        found = (
            told["cost"]["eps"] for (name, _), told in every if name == "run" and "cost" in told
        )
        return [Fraction(eps).limit_denominator(10**6) for eps in found]

    found = anyio.run(costs)
    assert found and sum(found) <= EPS


def test_the_measure_would_notice_too_much() -> None:
    """The same agents on a budget of 8 learn more than one of 1 allows, and this test says so."""
    rich = World(present=True, eps=Fraction(8)), World(present=False, eps=Fraction(8))
    strategy = Strategy("rich", evenly("SELECT COUNT(*) AS n FROM people WHERE id = 7", eps=8))
    low, _ = advantage(strategy, 60, rich)
    assert most(EPS) < low <= most(Fraction(8))


def test_what_is_free_tells_nothing_of_anybody() -> None:
    """Word for word the same in both worlds: a function of texts, the policy and the ledger."""
    strategy = next(s for s in STRATEGIES if s.name == "looking round")

    async def free(world: World) -> list[object]:
        return [told for (name, _), told in await attack(world, strategy) if name != "run"]

    one, other = (anyio.run(free, world) for world in worlds())
    assert one == other and len(one) == 5


@pytest.mark.parametrize(
    "strategy", [s for s in STRATEGIES if s.name.startswith("an error")], ids=lambda s: s.name
)
def test_an_error_tells_nothing_of_anybody(strategy: Strategy) -> None:
    async def errors(world: World) -> list[object]:
        return [told.get("error") for _, told in await attack(world, strategy)]

    one, other = (anyio.run(errors, world) for world in worlds())
    assert one == other


def test_the_same_again_is_the_same_number() -> None:
    strategy = next(s for s in STRATEGIES if s.name == "again and again")

    async def numbers() -> list[object]:
        return [values(told)[0] for _, told in await attack(worlds()[0], strategy)]

    found = anyio.run(numbers)
    assert len(found) == 20 and len(set(found)) == 1
