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

SURE = 1e-3
"""The probability that a strategy that learns too much is given up as one that does not, each time
it is looked at; those that surely learn less need no more sessions."""


@cache
def worlds() -> tuple[World, World]:
    return World(present=True), World(present=False)


def most(eps: Fraction) -> float:
    return math.tanh(float(eps) / 2) + float(DELTA)


class Heard:
    """How often agents of a strategy say "in", where the person is and where not.

    Args:
        strategy: theirs.
        here: the two worlds.

    Attributes:
        said: how often, where the person is and where not.
        answered: how many queries were answered.
    """

    def __init__(self, strategy: Strategy, here: tuple[World, World]) -> None:
        self._strategy, self._here = strategy, here
        self.said, self._sessions = [0, 0], 0
        self.answered = 0

    def ask(self, sessions: int) -> None:
        """So many sessions more in each world."""
        anyio.run(self._ask, sessions)
        self._sessions += sessions

    async def _ask(self, sessions: int) -> None:
        for number, world in enumerate(self._here):
            for _ in range(sessions):
                every = await attack(world, self._strategy)
                self.said[number] += score(every, *self._here) > 0
                self.answered += sum("rows" in told for _, told in every)

    def at_least(self) -> float:
        """A lower bound on the advantage, at `ALPHA`."""
        one, other = self.said
        return at_least(one, self._sessions, ALPHA / 2) - at_most(other, self._sessions, ALPHA / 2)

    def at_most(self) -> float:
        """An upper bound on it, at `SURE`."""
        one, other = self.said
        return at_most(one, self._sessions, SURE / 2) - at_least(other, self._sessions, SURE / 2)


def advantage(strategy: Strategy, sessions: int, here: tuple[World, World]) -> float:
    """A lower bound on what so many sessions of a strategy learn."""
    heard = Heard(strategy, here)
    heard.ask(sessions)
    return heard.at_least()


def test_an_agent_learns_no_more_than_its_budget_allows() -> None:
    """Whoever was always right would be told from whom the budget allows in 60 sessions."""
    strategy = Strategy("poor", evenly("SELECT COUNT(*) AS n FROM people WHERE id = 7"))
    assert advantage(strategy, 60, worlds()) <= most(EPS)


@pytest.mark.deep
@pytest.mark.parametrize("strategy", STRATEGIES, ids=IDS)
def test_no_strategy_learns_more_than_its_budget_allows(strategy: Strategy) -> None:
    """A thousand sessions in each world, or until it surely learns less."""
    heard = Heard(strategy, worlds())
    for _ in range(10):
        heard.ask(100)
        if heard.at_most() <= most(EPS):
            return
    assert heard.at_least() <= most(EPS)


def test_there_are_enough_strategies() -> None:
    assert len(STRATEGIES) >= 50 and len(set(IDS)) == len(IDS)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=IDS)
@pytest.mark.one_in(3)
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
    heard = Heard(strategy, rich)
    heard.ask(60)
    assert most(EPS) < heard.at_least() <= most(Fraction(8)) < heard.at_most()


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
