"""Averaging, differencing and reconstruction stay within what the budget allows."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import dpsql
from benchmarks import attacks
from tests.support.effort import tries

CHANCE = 1e-9
"""How often a test here may fail by bad luck, at most."""


def above(share: float, trials: int) -> float:
    """What a share of hits stays below but for `CHANCE`, if each trial hits with that chance
    independently, at most (Hoeffding 1963)."""
    return share + math.sqrt(math.log(1 / CHANCE) / (2 * trials))


def test_the_same_query_is_one_answer_and_one_charge() -> None:
    answers, spent = attacks.repeated(tries(200, 1000), Fraction(1, 100))
    assert len(answers) == 1
    assert spent == Fraction(1, 100)


@pytest.mark.deep
def test_averaging_fresh_answers_ends_with_the_budget() -> None:
    figure = attacks.averaging(asked=30, eps=Fraction(1, 25))
    assert figure.answers == 25  # 25 × 0.04 is 1, exactly
    # 8 means of 25 answers, each off by √2·25: their spread is about 7.1, and never 1.4.
    assert figure.reached > figure.allowed


@pytest.mark.deep
def test_differencing_guesses_no_better_than_epsilon_allows() -> None:
    figure = attacks.differencing(trials=60)
    assert figure.without == 1.0
    assert figure.reached <= above(figure.allowed, 60)


@pytest.mark.deep
@pytest.mark.parametrize(("accountant", "delta"), [("approx", "0"), ("zcdp", "1e-6")])
def test_reconstruction_at_a_total_of_one(accountant: str, delta: str) -> None:
    figure = attacks.reconstruction(accountant, delta)
    assert figure.answers == 800
    assert figure.without == 1.0
    assert figure.reached <= above(figure.allowed, attacks.PEOPLE)


def test_one_answer_more_than_the_budget_is_refused() -> None:
    db = attacks.database([0, 1], 1)
    for _ in range(10):
        db.run("SELECT COUNT(*) FROM p", 0.1, fresh=True)
    with pytest.raises(dpsql.BudgetExceeded):
        db.run("SELECT COUNT(*) FROM p", Fraction(1, 10**9), fresh=True)
    assert db.budget.spent.exact.eps == 1
