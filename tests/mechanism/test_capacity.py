"""The choice of a capacity: its exact law on neighbours, what it spends, what it says of itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product

import pytest

from dpsql.core.account.events import ExponentialEvent
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.capacity import PRIOR, CapacityChoice
from dpsql.core.noise.clip import FINE
from dpsql.core.noise.laplace import DiscreteLaplace
from tests.support.edits import edit

from .bounds import limits

CAPACITIES = (1, 2, 4)
DRAWS = 1_000
EPS = Fraction(3, 2)


def made(units: int = 1, eps: Fraction = EPS, rest: Fraction = Fraction(4)) -> CapacityChoice:
    return CapacityChoice.calibrate(eps, Fraction(1, 2), rest, units, CAPACITIES, 1)


def law(choice: CapacityChoice, found: Sequence[int]) -> list[float]:
    """P(each candidate), from the scores and the rate that it is drawn at."""
    rate = float(choice.eps) / (2 * choice.units * FINE)
    logs = [rate * score for score in choice.scores(found)]
    weights = [math.exp(x - max(logs)) for x in logs]
    return [w / sum(weights) for w in weights]


def losses(left: Sequence[float], right: Sequence[float]) -> list[float]:
    return [math.log(a / b) for a, b in zip(left, right, strict=True)]


def neighbours(found: Sequence[int], units: int) -> list[tuple[int, ...]]:
    """What is found without one unit: less by 0 to the capacity, at each; or with another one in
    its place: as many less or more.
    """
    rise = 0 if units == 1 else 1
    every = product(*(range(-c, rise * c + 1) for c in CAPACITIES))
    return [tuple(n + moved for n, moved in zip(found, change, strict=True)) for change in every]


FOUND = [(4, 8, 16), (9, 9, 9), (5, 9, 12), (6, 12, 13), (4, 4, 12), (7, 8, 40)]


@pytest.mark.parametrize("units", [1, 2])
def test_no_neighbours_are_farther_apart_than_claimed(units: int) -> None:
    """Of two databases that differ in one unit, and of two that differ in one unit's rows."""
    choice = made(units)
    worst = 0.0
    for found in FOUND:
        left = law(choice, found)
        for other in neighbours(found, units):
            apart = losses(left, law(choice, other))
            worst = max(worst, *map(abs, apart), max(apart) - min(apart))
    assert worst <= float(EPS) + 1e-9
    assert worst > 0.5 * float(EPS)


def test_what_is_missing_is_reached() -> None:
    """A score moves by one unit, no less."""
    choice = made()
    assert choice.missing((4, 8, 16))[1] - choice.missing((4, 8, 12))[1] == FINE
    assert choice.missing((4, 8, 16))[2] == 0


def test_the_range_of_the_losses_is_what_is_recorded() -> None:
    assert made().events()[0] == ExponentialEvent(EPS)


@pytest.mark.parametrize("found", [(0, 0, 0), (9, 9, 9), (50, 90, 130), (50, 90, 91)])
def test_every_capacity_comes_as_often_as_it_should(found: tuple[int, ...]) -> None:
    choice = made()
    drawn = [choice.draw(found, found[-1])[0] for _ in range(DRAWS)]
    for number, chance in enumerate(law(choice, found)):
        low, high = limits(drawn.count(number), DRAWS, 1e-6 / 12)
        assert low <= chance + 1e-12 and chance - 1e-12 <= high


def test_the_prior_falls_as_it_says() -> None:
    """Where nothing is missing each is as much less likely as it is said."""
    chances = law(made(), (9, 9, 9))
    for number, capacity in enumerate(CAPACITIES):
        assert chances[0] / chances[number] == pytest.approx(capacity ** float(PRIOR), rel=0.01)


def test_a_value_more_must_be_worth_its_noise() -> None:
    """With θ = 3 a capacity of 2 must find 3 values more than one of 1."""
    choice = CapacityChoice.calibrate(EPS, EPS, Fraction(1, 3), 1, (1, 2), 1)
    assert choice.target == 3
    assert choice.missing((10, 13)) == [0, 0]
    assert choice.missing((10, 14)) == [FINE // 2, 0]


def test_many_values_are_found_and_few_are_not_paid_for() -> None:
    assert law(made(), (1_000, 1_900, 2_000))[2] > 0.99
    assert law(made(), (80, 80, 80))[0] > 0.7


def test_with_noise_of_no_account_all_values_count() -> None:
    """A capacity is left out where the next one's noise is below a quarter of a value."""

    def least(rest: Fraction, units: int = 1) -> int:
        return CapacityChoice.calibrate(EPS, EPS, rest, units, CAPACITIES, 1).least

    assert [least(Fraction(n)) for n in (8, 9, 16, 17)] == [0, 1, 1, 2]
    assert [least(Fraction(n), units=2) for n in (16, 17, 32, 33)] == [0, 1, 1, 2]
    last = CapacityChoice.calibrate(EPS, EPS, Fraction(17), 1, CAPACITIES, 1)
    assert {last.draw((0, 0, 1), 9)[0] for _ in range(20)} == {2}


def test_whether_there_are_units_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    choice = made()
    needed = 2 * float(PRIOR) * math.log(4) * 2 / float(EPS)
    assert choice.enough >= needed + 2 * choice.check.interval(0.95)
    monkeypatch.setattr(DiscreteLaplace, "draw", lambda self, n: [0] * n)
    assert choice.draw((9, 9, 9), choice.enough)[1]
    assert not choice.draw((9, 9, 9), choice.enough - 1)[1]


@pytest.mark.parametrize("units", [1, 2])
def test_it_spends_what_it_is_given(units: int) -> None:
    capacities = tuple(2**k for k in range(20))
    for eps in (Fraction(1, 100), Fraction(4, 5), Fraction(50)):
        found = AdaptiveLaplace.of_values(eps, units, capacities, 3)
        spent = sum(event.cost.eps for event in found.events())
        assert eps * (1 - Fraction(1, 2**40)) <= spent <= eps
        assert found.clip.target == round(3 * units / (eps * Fraction(7, 12)))
        for number, capacity in enumerate(capacities):
            noise = found.noise(number)
            assert Fraction(noise.scale) >= units * capacity / found.rest
    most = AdaptiveLaplace.of_values(Fraction(10**6), units, capacities, 3)
    assert most.clip.events()[0].cost.eps == 64


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"eps": 1.0}, TypeError),
        ({"eps": Fraction(0)}, ValueError),
        ({"units": 0}, ValueError),
        ({"groups": 0}, ValueError),
        ({"capacities": (2, 1)}, ValueError),
        ({"capacities": (0, 1)}, ValueError),
    ],
    ids=str,
)
def test_arguments_are_checked(change: dict[str, object], problem: type[Exception]) -> None:
    usual: dict[str, object] = {
        "eps": EPS,
        "check": EPS,
        "rest": EPS,
        "units": 1,
        "capacities": CAPACITIES,
        "groups": 1,
    }
    with pytest.raises(problem):
        CapacityChoice.calibrate(**{**usual, **change})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("function", "old", "new", "check"),
    [
        (CapacityChoice.scores, " - prior", "", test_the_prior_falls_as_it_says),
        (
            CapacityChoice.missing,
            "FINE * n // high",
            "FINE * n // low",
            partial(test_no_neighbours_are_farther_apart_than_claimed, units=1),
        ),
        (
            CapacityChoice.missing,
            "FINE * n // high",
            "FINE * n // (high - low)",
            partial(test_no_neighbours_are_farther_apart_than_claimed, units=1),
        ),
        (
            CapacityChoice.draw,
            "2 * self.units * FINE",
            "self.units * FINE",
            partial(test_every_capacity_comes_as_often_as_it_should, found=(50, 90, 91)),
        ),
    ],
    ids=["no_prior", "by_the_smaller", "by_the_difference", "twice_the_rate"],
)
def test_mutants(
    function: object,
    old: str,
    new: str,
    check: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    edit("", function, old, new)(monkeypatch)
    with pytest.raises(AssertionError):
        check()
