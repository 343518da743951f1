"""Counts of all rows and of some of them from counts of rows that no two of these share: when they
are, that a unit moves these by no more than is claimed, and that the answers are the engine's.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from dpsql.compile import Compiled, ReleasedQuery, compile_query
from dpsql.core.calibrate import choosing
from dpsql.core.calibrate.options import Options
from dpsql.core.release import subsets
from dpsql.core.release.joint import Joint
from dpsql.core.release.measures import Measure
from dpsql.report.explanation.explanation import explanation
from tests.differential.converge import plain
from tests.support.answers import Home, home
from tests.support.brute import check_neighbours
from tests.support.draws import answers, known
from tests.support.edits import edit
from tests.support.effort import tries
from tests.support.policies import load


def compiled(sql: str, policy: str = "shop", **options: Any) -> Compiled:
    wishes = Options(**options)
    return compile_query(sql, load(policy).schema, Fraction(1), options=wishes)


def measures(sql: str, policy: str = "shop", **options: Any) -> tuple[Measure, ...]:
    found = compiled(sql, policy, **options).query
    assert isinstance(found, ReleasedQuery)
    (point,) = found.releases
    return point.measures


def parts(sql: str, policy: str = "shop", **options: Any) -> int:
    return sum(m.conditional for m in measures(sql, policy, **options))


ORDERS = "SELECT {} FROM orders"
SUM = "SUM(CASE WHEN {} THEN 1 ELSE 0 END)"


# --- when they are -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "wanted"),
    [
        ("COUNT(*), COUNT_IF(paid)", 2),
        ("COUNT(*), COUNT(amount)", 2),
        ("COUNT(*), COUNT(*) FILTER (WHERE amount > 3 OR paid)", 2),
        ("COUNT_IF(paid) / COUNT(*)", 2),
        ("COUNT(*), COUNT_IF(paid), COUNT_IF(units > 3)", 4),
        ("COUNT(*), COUNT_IF(units < 2), COUNT_IF(units > 3)", 3),
        (f"COUNT(*), {SUM.format('units < 2')}, {SUM.format('units > 3')}", 3),
        (f"COUNT(*), {SUM.format('paid')}, COUNT_IF(units > 3)", 4),
        ("COUNT(*), AVG(amount), COUNT_IF(paid)", 2),
        # Three are shared by one with all; more by none.
        ("COUNT(*), COUNT_IF(paid), COUNT_IF(units > 3), COUNT_IF(amount > 3)", 2),
        ("COUNT(*), " + ", ".join(f"COUNT_IF(units > {n})" for n in range(2, 6)), 0),
        # No count of all rows; or one that is that of some.
        ("COUNT_IF(paid), COUNT_IF(units > 3)", 0),
        ("COUNT(*), COUNT(units), SUM(amount)", 0),
        # What is read as the count of a group's rows.
        ("COUNT(*), BOOL_OR(paid)", 0),
    ],
)
def test_which_are_measured_so(items: str, wanted: int) -> None:
    assert parts(ORDERS.format(items)) == wanted


def test_where_they_are_not() -> None:
    """Where the data clips, where a unit moves one number by less than it moves both, and where the
    count decides which groups are shown.
    """
    counts = "COUNT(*), COUNT_IF(paid)"
    assert not parts(ORDERS.format(counts), clipping="adaptive")
    ward = "SELECT ward, COUNT(*), COUNT_IF(days < 5) FROM stays GROUP BY ward"
    assert parts(ward, "replace") == 2
    assert not parts("SELECT COUNT(*), COUNT_IF(days < 5) FROM stays", "replace")
    secret = "SELECT email, COUNT(*), COUNT_IF(vip) FROM customers GROUP BY email"
    assert not parts(secret, delta=Fraction(1, 10**6))


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize(
    "items",
    [
        "COUNT(*), COUNT_IF(paid)",
        "COUNT(*), COUNT_IF(paid), COUNT_IF(units > 3)",
        "COUNT(*), COUNT_IF(units < 2), COUNT_IF(units > 3)",
        "COUNT(*), AVG(amount), COUNT(amount)",
        "COUNT(*), AVG(amount)",
        "COUNT(*), SUM(amount)",
    ],
)
def test_no_number_is_further_off(items: str, noise: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wishes: dict[str, Any] = {"noise": noise, "delta": Fraction(1, 10**6)}
    if noise == "laplace":
        wishes = {}

    def wide() -> dict[str, float]:
        made = explanation(compiled(ORDERS.format(items), **wishes), tuple)
        return {one.name: one.interval() for one in (*made.releases, *made.computed)}

    together = wide()
    monkeypatch.setattr(choosing, "_tried", lambda _: iter(()))
    apart = wide()
    shown = [name.lower() for name in items.split(", ")]
    assert all(together[name] <= apart[name] * 1.02 for name in shown)
    assert noise == "gaussian" or all(together[name] < 0.9 * apart[name] for name in shown)


@pytest.mark.parametrize(
    ("items", "wanted"),
    [
        ("COUNT(*), AVG(amount)", 3),
        ("COUNT(*), COUNT(amount), SUM(amount), AVG(amount)", 3),
        ("COUNT(*), AVG(weight)", 3),
        ("COUNT(*), AVG(amount), AVG(weight)", 5),
        # A NULL adds 0 to a sum.
        ("COUNT(*), SUM(amount)", 2),
        ("COUNT(*), SUM(amount - 100), SUM(weight)", 3),
        ("COUNT(*), SUM(amount) FILTER (WHERE paid)", 2),
        # Never NULL: two sums say both.
        ("COUNT(*), AVG(units)", 2),
        ("AVG(amount)", 2),
    ],
)
def test_averages_beside_the_count_of_all(items: str, wanted: int) -> None:
    found = measures(ORDERS.format(items))
    assert len(found) == wanted
    assert len({m.family for m in found}) == (2 if "weight)" in items and "amount" in items else 1)


def test_what_they_are_called() -> None:
    """A sum that is a weight so many times has its own line, with its own ±."""
    found = explanation(compiled(ORDERS.format("COUNT(*) AS n, SUM(amount), AVG(amount)")), tuple)
    assert [r.name for r in found.releases] == [
        "rows with amount near 0",
        "rows with amount near 500",
        "rows without amount",
    ]
    total = next(c for c in found.computed if c.name == "sum(amount)")
    assert total.measurements == ("rows with amount near 500",)
    assert total.interval() == pytest.approx(500 * found.releases[1].interval(), rel=1e-3)


# --- that it holds -------------------------------------------------------------------------------

TRIED = (
    ("COUNT(*), COUNT_IF(paid)", ""),
    ("COUNT(*), COUNT(amount), COUNT_IF(paid)", ""),
    ("COUNT(*), COUNT_IF(units < 2), COUNT_IF(units > 3)", ""),
    (f"COUNT(*), {SUM.format('units < 2')}, {SUM.format('units > 3')}", ""),
    ("status, COUNT(*), COUNT_IF(paid), COUNT_IF(units > 3)", "GROUP BY status"),
    ("COUNT(*), AVG(amount), COUNT_IF(paid)", ""),
    ("COUNT(*), AVG(CASE WHEN paid THEN 1 ELSE 0 END), COUNT_IF(units > 3)", ""),
    ("COUNT(*), AVG(amount), SUM(amount), COUNT(amount)", ""),
    ("status, COUNT(*), AVG(weight)", "GROUP BY status"),
    ("COUNT(*), AVG(amount), AVG(weight)", ""),
    ("COUNT(*), SUM(amount)", ""),
    ("status, COUNT(*), SUM(amount - 100), SUM(weight)", "GROUP BY status"),
    ("COUNT(*), SUM(amount) FILTER (WHERE paid), SUM(-amount) FILTER (WHERE paid)", ""),
    ("COUNT(*), SUM(7 - amount)", ""),
    ("COUNT(*), AVG(amount) FILTER (WHERE paid)", ""),
    ("COUNT(*), AVG(0.1 * amount + 2), SUM(0.3 * amount + 1) FILTER (WHERE paid)", ""),
    ("SUM(CAST(paid AS DECIMAL(1,0))), COUNT(*), COUNT_IF(units > 3)", ""),
    ("COUNT_IF(paid) / COUNT(*), VAR_POP(amount), AVG(amount), COUNT(amount)", ""),
)


@pytest.mark.parametrize("policy", ["shop", "shop verified"])
@pytest.mark.parametrize(("items", "groups"), TRIED)
@pytest.mark.one_in(3)
def test_no_unit_moves_a_measurement_by_more(items: str, groups: str, policy: str) -> None:
    check_neighbours(compiled(f"{ORDERS.format(items)} {groups}", policy), policy, tries(6, 40))


def test_replaced_units() -> None:
    sql = "SELECT ward, COUNT(*), COUNT_IF(days < 5) FROM stays GROUP BY ward"
    check_neighbours(compiled(sql, "replace"), "replace", tries(8, 40))


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("exclude", [True, False])
def test_the_bound_is_what_units_reach(rows: int, exclude: bool) -> None:
    """All units of up to so many rows: the most that the weights move together is the bound of
    each, and no less.
    """
    low, high = ("units < 2", "units > 3") if exclude else ("units > 2", "units > 3")
    found = measures(ORDERS.format(f"COUNT(*), COUNT_IF({low}), COUNT_IF({high})"))
    assert len({m.family for m in found}) == 1 and len(found) == (3 if exclude else 4)
    most = 0
    for units in product(range(1, 6), repeat=rows):
        a = [n < 2 if exclude else n > 2 for n in units]
        b = [n > 3 for n in units]
        sums = [0] * 4
        for x, y in zip(a, b, strict=True):
            sums[2 * x + y] += 1
        most = max(most, sum(sums))
    assert most == rows
    assert all(m.sensitivity.l1 == 3 == m.sensitivity.linf for m in found)  # max_rows: 3


def filled(missing: bool) -> Home:
    held = home("shop")
    none: dict[str, list[list[str | None]]] = {name: [] for name in load("shop").schema.tables}
    people = [[str(i), *[None] * 4, "true", *[None] * 5] for i in range(60)]
    orders = [
        [
            *(str(i), str(i), None, None, None if missing and i % 3 == 0 else f"{i % 7}.25"),
            None if missing and i % 8 == 1 else f"{i % 20}.5",
            *(None if missing and i % 5 == 0 else "true" if i % 2 else "false",),
            *(["open", "sent", "done", None][i % 4], str(1 + i % 9), None, None, None),
        ]
        for i in range(60)
    ]
    held.fill({**none, "customers": people, "orders": orders})
    return held


@pytest.mark.parametrize(("items", "groups"), TRIED)
def test_the_checker_follows(items: str, groups: str) -> None:
    filled(False).session.explain(f"SELECT {items} FROM orders {groups}", 1)


def without_noise(sql: str, *, missing: bool) -> None:
    """What is measured at ε = 1, without the noise, is the engine's answer; at an ε at which there
    is none, nothing is gained by measuring together.
    """
    held = filled(missing)
    held.session._analysis.kept.clear()
    found = known(held.session, sql, Fraction(1))
    made = answers(held.session, found.query, found.exact, noise=False)
    theirs = held.connection.execute(sql).fetchall()
    assert sorted(map(plain, made.rows)) == sorted(map(plain, theirs))


@pytest.mark.parametrize(("items", "groups"), TRIED)
@pytest.mark.parametrize("missing", [False, True])
def test_answers_are_the_engines(items: str, groups: str, missing: bool) -> None:
    without_noise(f"SELECT {items} FROM orders {groups}", missing=missing)


def test_joint_measures_that_would_take_one_place_exclude_each_other() -> None:
    """The count of values that an average reads is one of some rows, too."""
    found = compiled(ORDERS.format("COUNT(*), AVG(amount), COUNT(amount)")).query
    assert isinstance(found, ReleasedQuery)
    seen: list[tuple[Joint, ...]] = []
    for point in found.releases:
        seen += choosing._tried(point.pairable)
        for one, other in product(point.pairable, repeat=2):
            shared = one.made.keys() & other.made.keys() - {one.count} | {one.count} & other.own
            assert one is other or not shared or one.excludes(other)
    assert any(len(joints) == 1 for joints in seen)


# --- mutants -------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["twice", "overlap"])
def test_mutants(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights that are more than the whole, or of which a row has two."""
    right = subsets._weights

    def weights(variables: Any, *, exclude: bool) -> Any:
        made, said = right(variables, exclude=exclude)
        first = made[0]
        return [subsets._sum(first, first if wrong == "twice" else variables[-1]), *made[1:]], said

    sql = ORDERS.format("COUNT(*), COUNT_IF(units > 3), COUNT_IF(paid)")
    check_neighbours(compiled(sql), "shop", 60)
    monkeypatch.setattr(subsets, "_weights", weights)
    with pytest.raises(AssertionError, match="L1 of"):
        check_neighbours(compiled(sql), "shop", 60)


ONE = "COUNT(*), COUNT_IF(paid)"
RATE = "COUNT(*), AVG(CASE WHEN paid THEN 1 ELSE 0 END)"
BOTH = "COUNT(*), COUNT_IF(paid), COUNT_IF(units > 3)"
VALUES = "COUNT(*), AVG(amount), COUNT(amount)"
TOTAL = "COUNT(*), SUM(units - 5) FILTER (WHERE paid)"


@pytest.mark.parametrize(
    ("items", "function", "old", "new"),
    [
        (ONE, "_joint", "made[rows] = (Fraction(1),)", "made[rows] = (Fraction(2),)"),
        (RATE, "_steps", "2 * bool(on) - 1", "bool(on)"),
        (BOTH, "_exclude", "a is not None and b", "True or b"),
        (VALUES, "_of_known", "count: (one, one, Fraction(0))", "count: (one, one, one)"),
        (VALUES, "_of_known", "Fraction(1, 2))", "Fraction(1, 3))"),
        (TOTAL, "_of_sum", "_either_way(argument, 0,", "_either_way(argument, low,"),
        (TOTAL, "_of_sum", "number: (least, least + 1)", "number: (Fraction(0), Fraction(1))"),
    ],
)
def test_mutants_of_answers(
    items: str, function: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql = ORDERS.format(items)
    without_noise(sql, missing=True)
    edit("mutant", getattr(subsets, function), old, new)(monkeypatch)
    with pytest.raises(AssertionError):
        without_noise(sql, missing=True)
