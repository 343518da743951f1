"""Truncation of rows of two units: the sums against a linear program of their definition, what a
doubling of the threshold brings in, and the law of the choice.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction

import pytest
from scipy.optimize import linprog

from dpsql.core.enforce.truncation import PARTS, Doubling, Weighed, grid
from dpsql.core.noise.clip import FINE
from dpsql.core.noise.flow import Flow
from dpsql.core.noise.truncated import NEGLECTED, TruncatedLaplace
from dpsql.execution.heavy_units import Truncated, Units

Rows = dict[tuple[int, int], int]
"""The weight of the rows of a unit of each kind."""

GRID = Doubling(64)


def drawn(count: int, seed: int = 1) -> Iterator[Rows]:
    picked = random.Random(seed)
    while count:
        sizes = picked.randint(1, 5), picked.randint(1, 5)
        rows = {
            (a, b): picked.choice([1, 2, 3, 5, 8, 20])
            for a in range(sizes[0])
            for b in range(sizes[1])
            if picked.random() < 0.6
        }
        if rows:
            count -= 1
            yield rows


def totals(rows: Rows) -> tuple[dict[int, int], dict[int, int]]:
    found: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for ends, weight in rows.items():
        for kind, unit in zip(found, ends, strict=True):
            kind[unit] = kind.get(unit, 0) + weight
    return found


def without(rows: Rows) -> Iterator[Rows]:
    for kind in (0, 1):
        for unit in {ends[kind] for ends in rows}:
            yield {ends: w for ends, w in rows.items() if ends[kind] != unit}


def measure(rows: Rows) -> Truncated:
    """The rows as the engine tells of them."""
    found, units, known = Truncated(Weighed(0, None, True, GRID)), Units(GRID.ends), totals(rows)
    units.totals = known  # type: ignore[assignment]
    for (a, b), weight in rows.items():
        place = sum(min(known[0][a], known[1][b]) > end for end in GRID.ends)
        units.shared.setdefault(place, []).append((a, b, weight))
    for kind, of_units in zip(units.between, known, strict=True):
        for weight in of_units.values():
            place = sum(weight > end for end in GRID.ends)
            many, before = kind.get(place, (0, 0))
            kind[place] = many + 1, before + weight
    if rows:
        found.groups[(), False] = units
    return found


def by_definition(rows: Rows, clip: int) -> float:
    """The greatest weight of rows of which no unit has more than `clip`."""
    limits = [[float(e[k] == u) for e in rows] for k in (0, 1) for u in {e[k] for e in rows}]
    most = [(0, w) for w in rows.values()]
    solved = linprog([-1.0] * len(rows), A_ub=limits, b_ub=[clip] * len(limits), bounds=most)
    return -float(solved.fun)


def test_thresholds_and_their_doubles() -> None:
    assert Doubling(12).thresholds == (1, 2, 3, 4, 6, 8, 12)
    assert Doubling(12, 7).thresholds == (4, 6, 8, 12)
    for top in (1, 2, 5, 100, 2**52):
        for least in (1, 2, 3, 8, 2**30):
            found = Doubling(top, least)
            assert found.thresholds[-1] >= top
            assert found.thresholds[0] <= least < 2 * found.thresholds[0]
            assert {2 * t for t in found.thresholds} <= set(found.ends)
            # What is neglected is compared with what is two thresholds above.
            ends = found.ends
            assert all(ends[n + 2] >= 2 * ends[n] for n in range(1, len(ends) - 2))
    assert grid(5 * PARTS, 7).thresholds[0] == 4


def test_flows() -> None:
    assert Flow().augment() == 0
    found = Flow()
    for side, name, most in ((0, "a", 5), (1, "x", 3), (1, "y", 9)):
        found.widen(side, name, most)
    found.tie("a", "x", 4)
    found.tie("a", "y", 1)
    assert found.augment() == 4
    found.widen_all(1)
    assert found.augment() == 5  # one more to x, all of the way to y is taken
    found.widen(0, "b", 1)
    found.tie("b", "x", 1)
    found.tie("a", "z" if found.has(1, "z") else "y", 2)
    assert found.augment() == 7


def test_what_flows_is_taken_back() -> None:
    found = Flow()
    for side, name in ((0, "a"), (0, "b"), (1, "x"), (1, "y")):
        found.widen(side, name, 1)
    found.tie("a", "x", 1)
    assert found.augment() == 1
    found.tie("b", "x", 1)
    found.tie("a", "y", 1)
    assert found.augment() == 2


def test_sums_are_the_greatest_that_fit() -> None:
    for rows in drawn(40):
        found = measure(rows)
        for place, clip in enumerate(GRID.thresholds):
            assert found.at(place)[()] == pytest.approx(by_definition(rows, clip), abs=1e-6)


def test_neighbours() -> None:
    for rows in drawn(20, seed=2):
        whole = measure(rows)
        counts = whole.doubling(2**40, 10)
        for others in without(rows):
            less = measure(others)
            for place, clip in enumerate(GRID.thresholds):
                assert 0 <= whole.at(place)[()] - less.at(place).get((), 0) <= clip
            steps = [x - y for x, y in zip(counts, less.doubling(2**40, 10), strict=True)]
            assert min(steps) >= -FINE and max(steps) <= 2 * FINE


def test_a_unit_can_move_the_sum_by_the_whole_threshold() -> None:
    rows = {(0, b): 20 for b in range(5)}
    place = GRID.thresholds.index(64)
    assert measure(rows).at(place)[()] == 64


def mechanism(eps: Fraction, groups: int = 1) -> TruncatedLaplace:
    steps = [(clip, 1) for clip in GRID.thresholds]
    found = TruncatedLaplace.calibrate(eps, groups, steps, Fraction(3))
    assert isinstance(found, TruncatedLaplace)
    return found


def _law(
    found: TruncatedLaplace, counts: list[int], monkeypatch: pytest.MonkeyPatch
) -> list[float]:
    """The logarithms of the probabilities of each threshold."""
    asked: list[tuple[list[int], Fraction]] = []

    def choose(scores: list[int], rate: Fraction) -> int:
        asked.append((scores, rate))
        return 0

    monkeypatch.setattr("dpsql.core.noise.truncated.exponential.choose", choose)
    found.place(counts)
    ((scores, rate),) = asked
    logs = [float(rate * score) for score in scores]
    top = max(logs)
    whole = top + math.log(sum(math.exp(x - top) for x in logs))
    return [x - whole for x in logs]


@pytest.mark.parametrize("eps", [Fraction(1, 2), Fraction(4), Fraction(40)])
def test_the_law_of_the_choice(eps: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    found = mechanism(eps)
    spent = float(found.clip.eps)
    worst = 0.0
    for rows in drawn(40, seed=5):
        laws = []
        for database in (rows, *without(rows)):
            counts = measure(database).doubling(found.most, len(found.thresholds))
            laws.append(_law(found, counts, monkeypatch))
        for law in laws[1:]:
            worst = max(worst, *(abs(p - q) for p, q in zip(laws[0], law, strict=True)))
    assert 0 < worst <= spent * (1 + 1e-9)


def test_the_rate_is_for_scores_that_move_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    # The most that two scores can differ by: one falls by two units, another grows by one.
    found = mechanism(Fraction(4))
    size, target = len(found.thresholds), FINE * found.clip.target
    base = [target + 10 * FINE] * size
    moved = [n + (FINE if i % 2 else -2 * FINE) for i, n in enumerate(base)]
    laws = [_law(found, counts, monkeypatch) for counts in (base, moved)]
    change = [p - q for p, q in zip(*laws, strict=True)][:-1]
    assert max(change) - min(change) == pytest.approx(float(found.clip.eps))


def test_a_doubling_moves_as_far_both_ways() -> None:
    # The rows of a unit with two others, which are full at τ and not at 2·τ …
    full = dict.fromkeys(((1, 1), (2, 2)), 4)
    place = GRID.thresholds.index(4)

    def doubling(rows: Rows) -> int:
        return measure(rows).doubling(2**40, len(GRID.thresholds))[place]

    assert doubling(full | {(0, 1): 4, (0, 2): 4}) - doubling(full) == 2 * FINE
    # … and of one that fit at τ, and not at 2·τ: what takes their place has other rows at τ.
    others = {(a, 1): 8 for a in range(3)} | {(a, 2 + a): 4 for a in range(3)}
    assert doubling(others | {(9, 1): 8}) - doubling(others) == -FINE


def test_what_is_cut_off_is_never_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for eps in (Fraction(1, 10), Fraction(1), Fraction(8)):
        found = mechanism(eps)
        counts = [found.most] * len(found.thresholds)
        law = _law(found, counts, monkeypatch)
        assert math.exp(law[-1]) == pytest.approx(1)
        assert max(law[:-1]) <= -NEGLECTED


def test_what_tells_that_it_may_be_too_low_moves_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    found = mechanism(Fraction(4))

    class Fixed:
        scale = found.clip.check.scale

        def draw(self, count: int) -> list[int]:
            return [0] * count

    class Clip:
        check, enough = Fixed(), 0

    def fit(rows: Rows, place: int) -> int:
        double = bisect_left(GRID.ends, 2 * GRID.ends[place])
        sums = [measure(rows).at(n).get((), 0) for n in (place, double)]
        for least in range(-2, 200):  # the number is compared with `enough`: find where it stands
            Clip.enough = least
            if not TruncatedLaplace.sure(made, place, *sums, 1):
                return least - 1
        raise AssertionError

    made = object.__new__(TruncatedLaplace)
    object.__setattr__(made, "clip", Clip)
    object.__setattr__(made, "units", 1)
    object.__setattr__(made, "thresholds", found.thresholds)
    for rows in drawn(6, seed=6):
        for place in (0, 2, 5):
            before = fit(rows, place)
            assert before >= 0
            assert all(abs(before - fit(others, place)) <= 1 for others in without(rows))


def test_the_noise_is_of_the_threshold_in_every_group() -> None:
    found = mechanism(Fraction(4), groups=3)
    place = GRID.thresholds.index(8)
    assert found.noise(place).scale == pytest.approx(3 * 8 / float(found.rest))


def test_values_are_not_shown() -> None:
    found = measure({(1, 1): 3})
    assert repr(found) == "<exact truncated>"
    assert repr(found.groups[(), False]) == "<exact units>"
    with pytest.raises(TypeError):
        found.__reduce__()
