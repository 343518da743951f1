"""Private groups of tiny databases: the exact probabilities of all outputs keep to (ε, δ), and
would not with a threshold that is one less.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, NamedTuple
from unittest.mock import patch

import pytest

from dpsql.compile import Compiled, ReleasedQuery, compile_query
from dpsql.core.calibrate.calibration import Calibrated
from dpsql.core.calibrate.options import Options
from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.execution.cells import ExactCells
from dpsql.execution.noise import add_noise
from tests.support.answers import home
from tests.support.brute import Measured, store
from tests.support.databases import Database
from tests.support.effort import tries
from tests.support.noiseless import NO_NOISE, noiseless
from tests.support.policies import load

DELTA = Fraction(1, 1000)
PAGES = "SELECT page, COUNT(DISTINCT person) AS u FROM visits GROUP BY page"
KEYS = "SELECT page FROM visits GROUP BY page"
"""Nothing is shown but which groups there are, so that units are weighed."""
JOBS = "SELECT job, COUNT(*) AS n FROM people GROUP BY job"

Visits = Mapping[int, str]
"""The pages of each person, a letter each."""


FEW = 6
"""Steps of a weight, so that all of them can be gone through."""


@pytest.fixture(autouse=True)
def coarse_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("enforce.weights", "release.bound", "release.weighing"):
        monkeypatch.setattr(f"dpsql.core.{module}.WHOLE", FEW)


NOISES = {"laplace": DiscreteLaplace, "gaussian": DiscreteGaussian}


def compiled(sql: str, policy: str, noise: Literal["laplace", "gaussian"]) -> Compiled:
    """The query, with that noise on the units of each group, whichever loses less."""

    def other(found: Calibrated) -> bool:
        (planned,) = found.planned
        assert planned.release.units is not None
        return not isinstance(planned.noise[planned.release.units], NOISES[noise])

    options = Options(delta=DELTA, noise=noise)
    many = patch("dpsql.core.release.weighing.MANY", 1 if noise == "gaussian" else 2**62)
    with patch("dpsql.core.calibrate.calibration._lost", other), many:
        return compile_query(sql, load(policy).schema, Fraction(1), options=options)


def shown(found: Compiled) -> tuple[Noise, int]:
    """The noise on the units of each group, and the threshold."""
    query = found.query
    assert isinstance(query, ReleasedQuery) and query.releases[0].units is not None
    noise, threshold = query.planned[0].noise[query.releases[0].units], query.planned[0].threshold
    assert isinstance(noise, DiscreteLaplace | DiscreteGaussian) and threshold is not None
    return noise, threshold


def world(visits: Visits) -> Database:
    people = tuple((str(who), pages[:1] or None, None, "a", "1") for who, pages in visits.items())
    rows = tuple(
        (str(who), page, None, None, None, None, None, "true")
        for who, pages in visits.items()
        for page in pages
    )
    return {"people": people, "visits": rows, "calls": (), "sites": ()}


class Group(NamedTuple):
    """What is compared with the threshold: the group's units, or what these weigh."""

    number: int
    units: int


def counted(found: Compiled, policy: str, worlds: list[Visits]) -> list[list[Group]]:
    """The groups of each of the databases."""
    held = store(policy)
    held.fill([world(visits) for visits in worlds])
    seen = Measured(found, held).see_all(len(worlds))
    (release,) = found.query.releases  # type: ignore[union-attr]
    assert release.units is not None
    return [
        [Group(*g) for g in zip(one[0].values[release.units], one[0].units or (), strict=True)]
        for one in seen
    ]


def masses(noise: Noise) -> dict[int, float]:
    """P(Z = z), but for what has less than 10⁻²⁵ of it."""
    power, scales = (1, 60) if isinstance(noise, DiscreteLaplace) else (2, 12)
    far = math.ceil(scales * noise.scale)
    of = {z: math.exp(-((abs(z) / noise.scale) ** power) / power) for z in range(-far, far + 1)}
    return {z: mass / math.fsum(of.values()) for z, mass in of.items()}


def outputs(noise: Noise, group: Group, threshold: int, minimum: int) -> dict[int | None, float]:
    """The probabilities of no such group (None), and of each number with noise."""
    if group.units < minimum:
        return {None: 1.0}
    every = {group.number + z: mass for z, mass in masses(noise).items()}
    seen: dict[int | None, float] = {n: mass for n, mass in every.items() if n >= threshold}
    return {None: math.fsum(m for n, m in every.items() if n < threshold)} | seen


def beyond(found: Compiled, one: list[Group], other: list[Group], less: int = 0) -> float:
    """The δ that the two databases need for the ε of the query: Σ max(0, P - e^ε·P′), where outputs
    of the same ln(P/P′) are taken together, group by group.
    """
    noise, threshold = shown(found)
    minimum = found.query.minimum  # type: ignore[union-attr]
    joint: dict[float, tuple[float, float]] = {0.0: (1.0, 1.0)}
    for groups in zip(one, other, strict=True):
        ours, theirs = (outputs(noise, group, threshold - less, minimum) for group in groups)
        group: dict[float, tuple[float, float]] = {}
        for n in ours.keys() | theirs.keys():
            add(group, ours.get(n, 0.0), theirs.get(n, 0.0))
        joint, before = {}, joint
        for p, q in before.values():
            for p_here, q_here in group.values():
                add(joint, p * p_here, q * q_here)
    eps = math.exp(float(found.cost.eps))
    return math.fsum(max(0.0, p - eps * q) for p, q in joint.values())


def add(joint: dict[float, tuple[float, float]], p: float, q: float) -> None:
    if p or q:
        ratio = round(math.log(p / q), 9) if p and q else math.inf if p else -math.inf
        p_before, q_before = joint.get(ratio, (0.0, 0.0))
        joint[ratio] = (p_before + p, q_before + q)


ADDED = [
    # All groups are new; one is, the others have more; none is.
    ("keys", PAGES, {}, {1: "abc"}),
    ("keys", PAGES, {2: "ab", 3: "a"}, {1: "abc"}),
    ("keys", PAGES, dict.fromkeys(range(2, 12), "abc"), {1: "abc"}),
    ("keys", PAGES, dict.fromkeys(range(2, 30), "ab"), {1: "abc"}),
    ("keys", PAGES, {2: "abcde"}, {1: "abcdef"}),
    ("keys", JOBS, {}, {1: "a"}),
    ("keys", JOBS, {n: "ab"[n % 2] for n in range(2, 20)}, {1: "b"}),
    ("keys", JOBS, {2: "b", 3: "c"}, {1: "a"}),
]
REPLACED = [
    ("keys_replace", PAGES, {2: "abc", 3: "abc", 4: "def", 5: "def"}, {1: "abc"}, {1: "def"}),
    ("keys_replace", PAGES, dict.fromkeys(range(2, 9), "abc"), {1: "abc"}, {1: "abd"}),
    ("keys_replace", PAGES, {2: "abc", 3: "ade"}, {1: "ad"}, {1: "bce"}),
    ("keys_replace", JOBS, {2: "a", 3: "a", 4: "b", 5: "b"}, {1: "a"}, {1: "b"}),
    ("keys_replace", JOBS, dict.fromkeys(range(2, 20), "a"), {1: "a"}, {1: "b"}),
]


EVERY: list[tuple[str, str, Visits, Visits, Visits]] = [
    *((p, s, o, u, {}) for p, s, o, u in ADDED),  # type: ignore[misc]
    *REPLACED,  # type: ignore[list-item]
]
WEIGHED = [(p, KEYS, o, u, v) for p, s, o, u, v in EVERY if s == PAGES]
WITH_NOISE = [(*case, noise) for case in (*EVERY, *WEIGHED) for noise in NOISES]


@pytest.mark.parametrize(
    ("policy", "sql", "others", "one", "other", "noise"), WITH_NOISE[:: tries(3, 1)]
)
@pytest.mark.one_in(3)
def test_the_output_keeps_to_eps_and_delta(
    policy: str,
    sql: str,
    others: Visits,
    one: Visits,
    other: Visits,
    noise: Literal["laplace", "gaussian"],
) -> None:
    found = compiled(sql, policy, noise)
    a, b = counted(found, policy, [{**others, **one}, {**others, **other}])
    assert a != b
    assert beyond(found, a, b) <= float(DELTA) * (1 + 1e-9)
    assert beyond(found, b, a) <= float(DELTA) * (1 + 1e-9)


@pytest.mark.parametrize(
    ("policy", "sql", "others", "one", "other"),
    [
        ("keys", PAGES, {}, {1: "abc"}, {}),
        ("keys", KEYS, {}, {1: "abc"}, {}),
        ("keys", JOBS, {}, {1: "a"}, {}),
    ],
)
def test_one_less_would_not(
    policy: str, sql: str, others: Visits, one: Visits, other: Visits
) -> None:
    found = compiled(sql, policy, "laplace")
    a, b = counted(found, policy, [{**others, **one}, {**others, **other}])
    assert beyond(found, a, b, less=1) > float(DELTA)


@pytest.mark.parametrize(("noise", "slack"), [("laplace", 1), ("gaussian", 3)])
@pytest.mark.parametrize(
    ("policy", "sql", "groups", "minimum"),
    [
        ("keys", PAGES, 3, 1),
        ("keys", JOBS, 1, 1),
        ("keys_replace", PAGES, 6, 3),
        ("keys_replace", JOBS, 2, 3),
    ],
)
def test_the_threshold_is_the_least_for_so_many_groups(
    policy: str,
    sql: str,
    groups: int,
    minimum: int,
    noise: Literal["laplace", "gaussian"],
    slack: int,
) -> None:
    """1 - (1 - p)^L <= δ at the threshold, and not below it; L as counted by hand. Gaussian noise
    has half of δ, and its threshold is the least but for one or two.
    """
    found, threshold = shown(compiled(sql, policy, noise))
    delta = float(DELTA) if noise == "laplace" else float(DELTA) / 2
    if noise == "laplace":
        assert found.scale == pytest.approx(groups)  # as many numbers change by 1, at ε = 1
    law = masses(found)
    needed = [
        1 - (1 - math.fsum(m for z, m in law.items() if minimum + z >= t)) ** groups
        for t in (threshold, threshold - slack)
    ]
    assert needed[0] <= delta < needed[1]


def test_groups_below_the_minimum_do_not_exist() -> None:
    """Two units in each group, of the three that the owner asks for."""
    found = compiled(PAGES, "keys_replace", "laplace")
    a, b = counted(found, "keys_replace", [{2: "abc", 3: "abc"}, {2: "abc", 3: "ab", 4: "c"}])
    assert a == b == [Group(2, 2)] * 3
    assert beyond(found, a, [*b[:2], Group(1, 1)]) == 0.0


@pytest.mark.parametrize(("policy", "least"), [("keys", 2), ("keys_replace", 4)])
def test_next_to_no_noise_hides_the_groups_below_the_threshold(policy: str, least: int) -> None:
    """With next to no noise the threshold is one above the least number of units."""
    every = {1: "abc", 2: "abc", 3: "abc", 4: "bde", 5: "d"}
    held = home(policy)
    with noiseless():
        held.fill(world(every))
        seen = sorted(held.run(PAGES, eps=NO_NOISE).rows)
    units = {"a": 3, "b": 4, "c": 3, "d": 2, "e": 1}
    assert seen == [(page, n) for page, n in units.items() if n >= least]


def test_great_noise_shows_no_group_below_the_minimum() -> None:
    """Two units are less than the three that the owner asks for, whatever is added to them."""
    found = compiled(PAGES, "keys_replace", "laplace")
    query = found.query
    assert isinstance(query, ReleasedQuery)
    exact = ExactCells([("a",), ("b",), ("c",)], [[3, 2, 1000]], [], {}, {}, [3, 2, 1000])
    with patch("dpsql.execution.noise._noised", lambda values, noise: [v + 10**6 for v in values]):
        assert add_noise(query, 0, exact).groups == [("a",), ("c",)]
    with patch("dpsql.execution.noise._noised", lambda values, noise: [v - 10**6 for v in values]):
        assert add_noise(query, 0, exact).groups == []


def test_the_number_that_is_compared_is_the_number_that_is_shown() -> None:
    """A second draw for it would be another release, which nothing pays for."""
    query = compiled(PAGES, "keys", "laplace").query
    assert isinstance(query, ReleasedQuery)
    _, threshold = shown(compiled(PAGES, "keys", "laplace"))
    counts = [threshold] * 2000
    exact = ExactCells([(f"{n}",) for n in range(2000)], [counts], [], {}, {}, counts)
    numbers = [noisy.measures[0] for noisy in add_noise(query, 0, exact).noisy]
    assert 500 < len(numbers) < 1900
    assert min(numbers) == threshold


@pytest.mark.parametrize("sql", [KEYS, "SELECT page, COUNT(*) AS n FROM visits GROUP BY page"])
def test_another_eps_is_the_same_release(sql: str) -> None:
    """So that a better answer that was paid for is given again."""
    asked = [
        compile_query(sql, load("keys").schema, Fraction(eps), options=Options(delta=delta)).query
        for eps in ("0.001", "1", "60")
        for delta in (Fraction(1, 10**9), DELTA)
    ]
    (first, *others) = (query.releases[0] for query in asked)  # type: ignore[union-attr]
    assert all(one.measures == first.measures for one in others)
    assert all(one.cells == first.cells for one in others)
    assert all(one.pairs == first.pairs for one in others)
