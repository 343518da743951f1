"""Values matched with units: what is taken without one of them, and of all that there are."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.core.enforce.pairs import Capacities
from dpsql.core.release.bound import Contribution
from dpsql.core.release.measures import Setting, matches
from dpsql.execution import matching
from dpsql.execution.exact import Key
from dpsql.execution.matching import WIDTH, Offer, matched
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.support.edits import edit

Unit = list[Offer]

WORLDS = 120


def drawn(seed: int) -> list[Unit]:
    """Some units with values of two groups, few or many of them in common."""
    rng = random.Random(seed)
    values = rng.choice((2, 5, 12, 40))
    units: list[Unit] = []
    for _ in range(rng.randint(1, 8)):
        offers: Unit = []
        for group in rng.sample([("a",), (None,)], rng.randint(1, 2)):
            wanted = min(values, rng.randint(1, 6))
            offers.append((group, packed(rng.sample(range(values), wanted))))
        units.append(offers)
    return units


def packed(values: Iterable[int]) -> bytes:
    return b"".join(value.to_bytes(WIDTH, sys.byteorder) for value in values)


def listed(unit: Unit) -> list[tuple[Key, int]]:
    """A unit's values, in its order."""
    return [
        (group, int.from_bytes(hashes[n : n + WIDTH], sys.byteorder))
        for group, hashes in unit
        for n in range(0, len(hashes), WIDTH)
    ]


def has(unit: Unit) -> set[tuple[Key, int]]:
    return set(listed(unit))


def grid(units: Sequence[Unit]) -> Capacities:
    return Capacities(max(1, *(len(has(unit)) for unit in units)))


def by_copies(units: Sequence[Unit], capacity: int) -> dict[Key, int]:
    """The same as the argument has it: pairs of a copy and a value, one after the other."""
    rungs = [0, *(n for n in grid(units).thresholds if n <= capacity)]
    pairs = [
        ((number, copy), value)
        for below, rung in pairwise(rungs)
        for number, unit in enumerate(units)
        for value in listed(unit)
        for copy in range(below, rung)
    ]
    copies: set[tuple[int, int]] = set()
    values: set[tuple[Key, int]] = set()
    for copy, value in pairs:
        if copy not in copies and value not in values:
            copies.add(copy)
            values.add(value)
    found: dict[Key, int] = {}
    for group, _ in values:
        found[group] = found.get(group, 0) + 1
    return found


def test_no_unit_moves_the_groups_by_more_than_its_capacity() -> None:
    """And in one direction; each capacity is reached, so that a smaller claim would be false."""
    reached: dict[int, int] = {}
    for seed in range(WORLDS):
        units = drawn(seed)
        capacities = grid(units)
        whole = matched(units, capacities)
        for gone in range(len(units)):
            rest = matched(units[:gone] + units[gone + 1 :], capacities)
            assert whole.units - rest.units == 1
            for number, capacity in enumerate(capacities.thresholds):
                a, b = whole.at(number), rest.at(number)
                fallen = [a.get(key, 0) - b.get(key, 0) for key in {*a, *b}]
                assert min(fallen, default=0) >= 0
                assert sum(fallen) <= capacity, (seed, gone, capacity)
                reached[capacity] = max(reached.get(capacity, 0), sum(fallen))
    for capacity in (1, 2, 4):
        assert reached[capacity] == capacity


def test_it_is_what_the_argument_says() -> None:
    for seed in range(WORLDS):
        units = drawn(seed)
        capacities = grid(units)
        found = matched(units, capacities)
        for number, capacity in enumerate(capacities.thresholds):
            assert found.at(number) == by_copies(units, capacity), seed


def test_with_the_greatest_capacity_every_value_counts() -> None:
    for seed in range(WORLDS):
        units = drawn(seed)
        capacities = grid(units)
        every = set().union(*map(has, units))
        found = matched(units, capacities).at(len(capacities.thresholds) - 1)
        assert sum(found.values()) == len(every)
        for key, count in found.items():
            assert count == sum(1 for group, _ in every if group == key)


def test_what_is_taken_grows_with_the_capacity() -> None:
    for seed in range(50):
        units = drawn(seed)
        capacities = grid(units)
        taken, present = matched(units, capacities).evidence(len(capacities.thresholds))
        assert taken == sorted(taken)
        assert present == len(units)


def test_units_of_one_value_match_as_many_as_there_can_be() -> None:
    units: list[Unit] = [[((), packed([n % 3]))] for n in range(7)]
    assert matched(units, Capacities(1)).evidence(1) == ([3], 7)


def test_nobody_has_nothing() -> None:
    found = matched([], Capacities(4))
    assert found.evidence(3) == ([0, 0, 0], 0)
    assert found.at(2) == {}


@pytest.mark.parametrize(("top", "expected"), [(1, (1,)), (2, (1, 2)), (5, (1, 2, 4, 5))])
def test_capacities_double_up_to_the_greatest(top: int, expected: tuple[int, ...]) -> None:
    assert Capacities(top).thresholds == expected


def test_it_shows_nothing_of_what_it_holds() -> None:
    found = matched([[(("alice",), packed([77]))]], Capacities(1))
    assert repr(found) == "<exact matches>"
    with pytest.raises(TypeError):
        found.__reduce__()


@pytest.mark.parametrize(
    ("clipping", "least", "most"), [("auto", 16, 4_096), ("adaptive", 2, 4_096), ("declared", 1, 0)]
)
def test_how_many_values_of_a_unit_are_matched(clipping: str, least: int, most: int) -> None:
    setting = Setting(
        None, None, False, 1, True, 1, None, None, "add_remove", clipping, True, False, None
    )

    def are(values: int, owned: bool = False) -> bool:
        return matches(Contribution(values, 0, 1, 1, None, False), owned, setting)

    found = [n for n in (1, 2, 3, 15, 16, 4_095, 4_096, 4_097) if are(n)]
    assert found == [n for n in (1, 2, 3, 15, 16, 4_095, 4_096, 4_097) if least <= n <= most]
    assert not are(100, owned=True)
    assert not matches(Contribution(None, 0, 1, 1, None, False), False, setting)


@pytest.fixture(scope="module")
def reads() -> Iterator[dpsql.Database]:
    """1,000 readers, each of 12 of 60 articles."""
    data = duckdb.connect()
    data.execute("CREATE TABLE readers AS SELECT range AS id, 'a' AS city FROM range(1000)")
    data.execute(
        "CREATE TABLE reads AS SELECT u.range * 12 + n.range AS id, u.range AS reader, "
        "(hash(u.range, n.range) % 60)::BIGINT AS article, 'x' AS device, '' AS place, "
        "n.range::INTEGER AS seconds FROM range(1000) u, range(12) n"
    )
    data.execute("CREATE TABLE articles AS SELECT range AS id, '' AS topic FROM range(60)")
    policy = Path(__file__).parents[2] / "grammar_tests" / "policies" / "reads.yaml"
    ledger = MemoryLedger(Cost(Fraction(10**30), Fraction(1, 10)))
    with dpsql.connect(data, policy, ledger=ledger) as db:
        yield db
    data.close()


def test_it_stands_beside_clipped_sums(reads: dpsql.Database) -> None:
    sql = "SELECT COUNT(*) AS c, SUM(seconds) AS s, COUNT(DISTINCT article) AS n FROM reads"
    answer = reads.run(sql, 10_000, clipping="adaptive")
    assert [r.clipping for r in answer.explanation.releases].count("matched") == 1
    c, s, n = answer.rows[0]
    assert abs(c - 12_000) < 600 and abs(s - 66_000) < 3_000 and n == 60


def test_how_many_values_a_unit_counts_for_is_found(
    reads: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of 60 articles has some 200 readers: one of them is enough, and noise is for one; the
    likeliest capacity is taken.
    """
    best = "dpsql.core.noise.exponential.choose"
    monkeypatch.setattr(best, lambda scores, rate: scores.index(max(scores)))
    sql = "SELECT COUNT(DISTINCT article) AS n FROM reads"
    answer, declared = reads.run(sql, 1), reads.run(sql, 1, clipping="declared")
    assert answer.intervals == ((5.0,),) and declared.intervals == ((60.0,),)
    assert "cut where the data says" in str(answer)


def test_with_few_units_it_says_nothing_of_how_far_it_is_off(reads: dpsql.Database) -> None:
    sql = "SELECT COUNT(DISTINCT article) AS n FROM reads WHERE reader < 5"
    assert reads.run(sql, 1).intervals == ((None,),)


@pytest.mark.parametrize(
    ("function", "old", "new", "check"),
    [
        (
            matching.matched,
            "islice(unit, capacity - before)",
            "islice(unit, capacity - before + 1)",
            test_no_unit_moves_the_groups_by_more_than_its_capacity,
        ),
        (
            matching.matched,
            "    before = capacity\n",
            "",
            test_no_unit_moves_the_groups_by_more_than_its_capacity,
        ),
        (matching._taking, "others.add(value)", "pass", test_it_is_what_the_argument_says),
        (
            matching.matched,
            "if len(groups) == capacity - before:",
            "if not groups:",
            test_with_the_greatest_capacity_every_value_counts,
        ),
    ],
    ids=["one_too_many", "capacities_add_up", "values_taken_twice", "one_stage_alone"],
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
