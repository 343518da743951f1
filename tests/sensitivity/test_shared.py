"""Measures that share what one unit can add: which do, what noise they get, and that it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from dpsql.compile import Compiled, ReleasedQuery, compile_query
from dpsql.core.calibrate.options import Options
from dpsql.core.enforce.asked_cells import ALONE, Chained
from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.release import release, shared
from dpsql.core.release.measures import Measure
from dpsql.report.explanation.explanation import explanation
from tests.support.brute import check_neighbours
from tests.support.effort import tries
from tests.support.policies import load

SUMS = (
    "SELECT SUM(amount) FILTER (WHERE units <= 2), "
    "SUM(CASE WHEN units BETWEEN 3 AND 5 THEN amount ELSE 0 END) FROM orders"
)
INDICATORS = (
    "SELECT SUM(CASE WHEN units <= 3 THEN 1 ELSE 0 END), "
    "SUM(CASE WHEN units > 3 THEN 1 ELSE 0 END) FROM orders"
)
COUNTS = "SELECT COUNT(*) FILTER (WHERE paid), COUNT(*) FILTER (WHERE units > 3) FROM orders"
OVERLAPPING = (
    "SELECT COUNT(*) FILTER (WHERE units < 6), COUNT(*) FILTER (WHERE units > 3) FROM orders"
)


def compiled(sql: str, policy: str = "shop", options: Options | None = None) -> Compiled:
    return compile_query(sql, load(policy).schema, Fraction(1), options=options or Options())


def query(sql: str, policy: str = "shop", options: Options | None = None) -> ReleasedQuery:
    found = compiled(sql, policy, options).query
    assert isinstance(found, ReleasedQuery)
    return found


def families(sql: str, policy: str = "shop") -> list[int]:
    (point,) = query(sql, policy).releases
    return [measure.family for measure in point.measures]


@pytest.mark.parametrize(
    ("items", "wanted"),
    [
        ("COUNT_IF(paid), COUNT_IF(NOT paid), COUNT_IF(paid IS NULL)", [0, 0, 0]),
        ("COUNT_IF(paid), COUNT_IF(units > 3), COUNT_IF(NOT paid)", [0, 1, 0]),
        # All rows and some of them share these and the others.
        ("COUNT(*), COUNT_IF(paid)", [0, 0]),
        ("COUNT_IF(paid), SUM(units) FILTER (WHERE NOT paid)", [0, 0]),
        ("SUM(CASE WHEN paid THEN 1 ELSE 0 END), SUM(CASE WHEN paid THEN 0 ELSE 1 END)", [0, 1]),
        ("SUM(CASE WHEN units > 3 THEN 1 ELSE 0 END), COUNT_IF(units <= 3)", [0, 0]),
        # An average counts the rows where it is 0: all share them, see test_subsets.
        ("AVG(CASE WHEN units > 3 THEN 1 ELSE 0 END), COUNT_IF(units <= 3)", [0, 0, 0]),
        # A count and its sum are one family themselves, see test_together.
        ("AVG(amount) FILTER (WHERE paid), AVG(amount) FILTER (WHERE NOT paid)", [0, 0, 0, 0]),
        # So are the three weights of a variance, see test_partition.
        ("VAR_POP(units) FILTER (WHERE paid), COUNT_IF(NOT paid)", [0, 0, 0, 3]),
        # A value is in the cells of all that have it.
        ("COUNT(DISTINCT CASE WHEN paid THEN units END), COUNT_IF(NOT paid)", [0, 1]),
    ],
)
def test_families(items: str, wanted: list[int]) -> None:
    found = families(f"SELECT {items} FROM orders")
    assert sorted(found.count(f) for f in set(found)) == sorted(
        wanted.count(f) for f in set(wanted)
    )
    assert all(found[f] == f for f in found)


def test_each_member_has_its_own_scale_at_the_same_epsilon() -> None:
    one = compiled("SELECT COUNT_IF(paid), SUM(amount) FILTER (WHERE NOT paid) FROM orders")
    assert isinstance(one.query, ReleasedQuery)
    (count, total) = one.query.planned[0].noise
    # 3 orders of up to 500.00 each, all of ε for both.
    assert (count, total) == (DiscreteLaplace(3.0), DiscreteLaplace(150_000.0))
    assert one.cost.eps == 1
    assert [r.eps for r in explanation(one, lambda: ()).releases] == [1, 1]


def test_two_families_share_the_whole() -> None:
    noise = (
        query(
            "SELECT COUNT_IF(paid), COUNT_IF(NOT paid), COUNT_IF(units > 5) FROM orders "
            "WHERE units > 2"
        )
        .planned[0]
        .noise
    )
    assert len(noise) == 3
    scales = [z.scale for z in noise if isinstance(z, DiscreteLaplace)]
    spent = {Fraction(3) / Fraction(s) for s in scales}
    assert len(spent) == 2
    assert Fraction(999, 1000) < sum(spent) <= 1


def test_gaussian_noise_of_a_family() -> None:
    """All members at the ρ of the first, which is that of all together."""
    options = Options(delta=Fraction(1, 10**6), noise="gaussian")
    found = query(
        "SELECT COUNT_IF(paid), SUM(amount) FILTER (WHERE NOT paid) FROM orders", options=options
    )
    noise, (point,) = found.planned[0].noise, found.releases
    rho = [
        m.sensitivity.l2_squared / (2 * Fraction(z.scale) ** 2)
        for m, z in zip(point.measures, noise, strict=True)
        if isinstance(z, DiscreteGaussian)
    ]
    assert len(rho) == 2
    assert rho[1] <= rho[0]
    assert rho[1] > rho[0] * Fraction(999_999, 1_000_000)
    (alone, _) = query(COUNTS, options=options).planned[0].noise
    assert isinstance(alone, DiscreteGaussian)
    assert isinstance(noise[0], DiscreteGaussian)
    assert alone.scale > noise[0].scale


@pytest.mark.parametrize(
    ("items", "table", "wanted"),
    [
        # One group: the number of patients with sex F moves by 1 at most, and so does that of M,
        # but both move when one takes the place of another.
        ("COUNT_IF(sex = 'F'), COUNT_IF(sex = 'M')", "patients", 2),
        ("COUNT_IF(days < 5), COUNT_IF(days >= 5)", "stays", 2),
        ("ward, COUNT_IF(days < 5), COUNT_IF(days >= 5)", "stays", 1),
    ],
)
def test_replaced_units(items: str, table: str, wanted: int) -> None:
    grouped = " GROUP BY ward" if items.startswith("ward") else ""
    sql = f"SELECT {items} FROM {table}{grouped}"
    assert len(set(families(sql, "replace"))) == wanted
    check_neighbours(compiled(sql, "replace"), "replace", tries(8, 30))


@pytest.mark.parametrize("policy", ["shop", "shop verified"])
@pytest.mark.parametrize(
    "sql",
    [
        SUMS,
        "SELECT status, AVG(units) FILTER (WHERE paid), SUM(weight) FILTER (WHERE NOT paid), "
        "COUNT_IF(paid IS NULL) FROM orders GROUP BY status",
        "SELECT VAR_POP(units) FILTER (WHERE paid), VAR_POP(units) FILTER (WHERE NOT paid) "
        "FROM orders",
    ],
)
@pytest.mark.one_in(2)
def test_neighbours(sql: str, policy: str) -> None:
    found = compiled(sql, policy)
    check_neighbours(found, policy, tries(15, 60))


def always(one: object, other: object) -> bool:
    return True


def nothing(measures: object) -> dict[int, Chained]:
    return {}


def all_first(measures: tuple[Measure, ...]) -> dict[int, Chained]:
    return dict.fromkeys(shared.chains(measures), ALONE)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("sql", "place", "name", "wrong"),
    [
        # Conditions that overlap taken for exclusive.
        (OVERLAPPING, shared, "exclusive", always),
        # Sums that are bounded by the count of all rows of their group.
        (INDICATORS, release, "chains", nothing),
        # Counts of which each is rounded as if it were the first.
        (INDICATORS, release, "chains", all_first),
    ],
)
def test_mutants(
    sql: str,
    place: object,
    name: str,
    wrong: Callable[..., object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check_neighbours(compiled(sql), "shop", 60)
    monkeypatch.setattr(place, name, wrong)
    with pytest.raises(AssertionError, match="of the family"):
        check_neighbours(compiled(sql), "shop", 60)


def test_a_mutant_that_splits_replaced_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """One group under `replace`, taken for a family as it is under `add_remove`."""
    sql = "SELECT COUNT_IF(sex = 'F'), COUNT_IF(sex = 'M') FROM patients"

    def every(measures: tuple[object, ...], *_: object) -> tuple[object, ...]:
        return tuple(replace(m, family=0) for m in measures)  # type: ignore[type-var]

    monkeypatch.setattr(release, "shared", every)
    with pytest.raises(AssertionError, match="of the family"):
        check_neighbours(compiled(sql, "replace"), "replace", 60)
