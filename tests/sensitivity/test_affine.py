"""Sums of numbers that are one another times a number plus a number: which they are, what is
measured of them, and that the answers are the engine's.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.calibrate.options import Options
from dpsql.core.functions.build import cast, make
from dpsql.core.functions.constants import number
from dpsql.core.plan.expr import Expr, Ref, columns_of, null_unless
from dpsql.core.release.affine import affine
from dpsql.core.release.measures import Kind, Measure
from dpsql.errors import Rejected
from dpsql.report.explanation.explanation import explanation
from dpsql.types import BIGINT, DOUBLE, HUGEINT, INTEGER, Type, decimal
from tests.differential.converge import both, plain
from tests.functions import draw
from tests.functions.engine import Table
from tests.support.answers import home
from tests.support.brute import check_neighbours
from tests.support.draws import answers, known
from tests.support.effort import tries
from tests.support.policies import load

KINDS = [Type("TINYINT"), Type("UTINYINT"), INTEGER, BIGINT, HUGEINT, DOUBLE]
KINDS += [decimal(4, 2), decimal(9, 4), decimal(18, 3), decimal(19, 4), decimal(38, 10)]
CONSTANTS = ["0", "1", "2", "3", "-7", "0.1", "0.25", "99.995", "40"]


# --- which they are ------------------------------------------------------------------------------


def expression(pick: Any, table: Table, depth: int) -> Expr:
    """Of one column and constants, as deep at most."""
    (column,) = table.columns
    known = ["column", "column", "constant"]
    what = pick(st.sampled_from(known if not depth else ["add", "sub", "mul", "cast", "when"]))
    if what == "column":
        return Ref(column)
    if what == "constant":
        return number(pick(st.sampled_from(CONSTANTS)), None)
    inner = expression(pick, table, depth - 1)
    if what == "cast":
        return cast("cast", inner, pick(st.sampled_from(KINDS)), None)
    if what == "when":
        limit = number(pick(st.sampled_from(CONSTANTS)), None)
        return null_unless(make("gt", (Ref(column), limit), None), inner)
    other = expression(pick, table, pick(st.integers(0, depth - 1)))
    return make(what, (inner, other) if pick(st.booleans()) else (other, inner), None)


def test_they_are_what_the_engine_computes() -> None:
    """Of drawn expressions, row by row: the number times the slope plus the offset, and NULL where
    the number is.
    """
    seen = {"made": 0, "cast": 0}

    @settings(
        max_examples=tries(400, 6_000),
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def run(data: Any) -> None:
        table = data.draw(draw.tables((data.draw(st.sampled_from(KINDS)),)))
        try:
            expr = expression(data.draw, table, data.draw(st.integers(1, 4)))
        except Rejected:
            assume(False)
        if not expr.type.is_exact:
            return
        found = affine(expr)
        if found.base == expr:
            return
        assert bool(found.slope) == (found.base is not None)
        base = expr if found.base is None else found.base
        table.create()
        try:
            (values, _), (bases, _) = table.evaluate(expr, base)
        except duckdb.Error:  # it is too large for its type
            return
        for value, inner in zip(values, bases, strict=True):
            if found.base is None:
                assert value == found.offset
            elif inner is None:
                assert value is None
            else:
                assert value == found.slope * inner + found.offset, table.sql(expr)
        if columns_of(expr):
            seen["made"] += 1
            seen["cast"] += "CAST(" in table.sql(expr)

    run()
    assert min(seen.values()) > tries(10, 150), seen


# --- what is measured ----------------------------------------------------------------------------


def measures(sql: str, policy: str = "shop", **options: Any) -> tuple[Measure, ...]:
    found = compile_query(sql, load(policy).schema, Fraction(1), options=Options(**options)).query
    assert isinstance(found, ReleasedQuery)
    (point,) = found.releases
    return point.measures


ORDERS = "SELECT {} FROM orders"
ELSE = "SUM(CASE WHEN paid THEN units ELSE 1 END), SUM(CASE WHEN paid THEN 2 * units ELSE 1 END)"


@pytest.mark.parametrize(
    ("items", "wanted"),
    [
        ("SUM(units), SUM(units + 1)", 2),
        ("SUM(units), SUM(units + 1), SUM(units + 2), SUM(7 - units), SUM(-units)", 2),
        ("SUM(units), SUM(2 * units), SUM(-units)", 1),
        ("SUM(units), SUM(2 * units), SUM(2 * units + 1)", 2),
        ("AVG(units), AVG(units + 1), SUM(3 * units), COUNT(*)", 2),
        ("AVG(amount), SUM(amount * 1.19), COUNT(amount + 1), COUNT(amount)", 2),
        ("SUM(amount) FILTER (WHERE paid), SUM(amount + 1) FILTER (WHERE paid)", 2),
        ("SUM(amount) FILTER (WHERE paid), SUM(amount + 1) FILTER (WHERE units > 3)", 2),
        ("SUM(amount) FILTER (WHERE paid), SUM(amount + 1), SUM(amount + 2)", 3),
        ("SUM(units + 1), COUNT(units)", 2),
        # No whole numbers, or none that are exact.
        ("SUM(weight), SUM(weight + 1), SUM(weight + 2)", 3),
        ("SUM(units), SUM(units / 2), SUM(units // 2), SUM(units % 2)", 4),
        ("SUM(units), SUM(units * units), SUM(CAST(amount AS INTEGER)), SUM(amount)", 4),
        # One of them is clamped where the other is not.
        ("SUM(units), SUM(LEAST(units, 4)), SUM(LEAST(units, 4) + 1)", 3),
        ("SUM(units), SUM(units - 2 * units)", 1),
        ("SUM(total), SUM(-total)", 2),
        (ELSE, 2),
        ("SUM(DISTINCT units), SUM(DISTINCT units + 1)", 2),
    ],
)
def test_what_is_measured(items: str, wanted: int) -> None:
    assert len(measures(ORDERS.format(items))) == wanted


def test_ninety_sums_share_two_measurements() -> None:
    """Each is off by less than a tenth of what it is by itself, with 1/90 of ε."""
    schema, kept = load("shop").schema, range(1, 91)
    items = ", ".join(f"SUM(units + {k}) AS s{k}" for k in kept)
    found = explanation(compile_query(ORDERS.format(items), schema, Fraction(1)), tuple)
    assert len(found.releases) == 2
    assert [c.name for c in found.computed] == [f"s{k}" for k in kept]
    assert all(a.interval() < b.interval() for a, b in pairwise(found.computed))
    for k in (1, 45, 90):
        alone = compile_query(ORDERS.format(f"SUM(units + {k})"), schema, Fraction(1, 90))
        (itself,) = explanation(alone, tuple).releases
        assert found.computed[k - 1].interval() < itself.interval() / 10


def test_where_a_sum_by_itself_moves_by_its_range_alone() -> None:
    """Where one unit takes the place of another: 30 days less than 1 are 29 for a sum, and for the
    sum around the middle and the count 29, and 30 times one more.
    """
    stays = "SELECT {} FROM stays"
    assert all(m.kind is Kind.SUM for m in measures(stays.format(PAIR), "replace"))
    assert len(measures(stays.format(f"{PAIR}, COUNT(days)"), "replace")) == 2
    many = ", ".join(f"SUM(days + {k})" for k in range(9))
    assert len(measures(stays.format(many), "replace")) == 2


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize("items", ["SUM(days), SUM(3 * days + 1)", "SUM(days + 7), SUM(days)"])
@pytest.mark.parametrize("grouped", [False, True])
def test_no_sum_of_replaced_units_is_further_off(
    items: str, noise: str, grouped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = ("ward, ", " GROUP BY ward") if grouped else ("", "")
    sql = f"SELECT {keys[0]}{items} FROM stays{keys[1]}"
    wishes: dict[str, Any] = {"noise": noise, "delta": Fraction(1, 10**6)}
    options = Options(**wishes) if noise == "gaussian" else Options()

    def wide() -> dict[str, float]:
        found = compile_query(sql, load("replace").schema, Fraction(1), options=options)
        made = explanation(found, tuple)
        return {c.name: c.interval() for c in (*made.releases, *made.computed)}

    shared = wide()
    monkeypatch.setattr("dpsql.core.release.families.made_of_others", lambda *_: {})
    apart = wide()
    assert len(apart) == 2
    assert all(shared[name] <= apart[name] * 1.01 for name in apart)


PAIR = "SUM(days), SUM(3 * days + 1)"


def test_where_sums_are_clipped_each_has_its_own_clip() -> None:
    found = measures(ORDERS.format("SUM(units), SUM(units + 1)"), clipping="adaptive")
    assert len(found) == 2 and all(m.adaptive for m in found)


# --- that it holds -------------------------------------------------------------------------------

TRIED = (
    ("SUM(units), SUM(units + 1), SUM(7 - units), AVG(2 * units - 3), COUNT(units + 1)", ""),
    ("SUM(amount), SUM(amount * 1.19), AVG(5 - amount), COUNT(amount * 2), AVG(amount)", ""),
    ("SUM(-amount), AVG(-amount), MIN(-amount)", ""),
    ("paid, SUM(amount), SUM(amount + 1.5), AVG(0.5 * amount)", "GROUP BY paid"),
    ("SUM(amount) FILTER (WHERE paid), SUM(3 - amount) FILTER (WHERE paid), COUNT(*)", ""),
    (
        "SUM(CASE WHEN paid THEN units ELSE 1 END), SUM(CASE WHEN paid THEN units + 1 ELSE 1 END)",
        "",
    ),
    ("SUM(CAST(units AS BIGINT) + 1), SUM(units - 1), SUM(units + units)", ""),
)


@pytest.mark.parametrize("policy", ["shop", "shop verified"])
@pytest.mark.parametrize(("items", "groups"), TRIED)
@pytest.mark.one_in(3)
def test_no_unit_moves_a_measurement_by_more(items: str, groups: str, policy: str) -> None:
    sql = f"SELECT {items} FROM orders {groups}"
    options = Options(delta=Fraction(1, 10**6))
    found = compile_query(sql, load(policy).schema, Fraction(1), options=options)
    check_neighbours(found, policy, tries(4, 40))


@pytest.mark.parametrize(("items", "groups"), TRIED)
@pytest.mark.parametrize("missing", [False, True])
def test_answers_are_the_engines(items: str, groups: str, missing: bool) -> None:
    held = home("shop")
    none: dict[str, list[list[str | None]]] = {name: [] for name in load("shop").schema.tables}
    people = [[str(i), *[None] * 4, "true", *[None] * 5] for i in range(40)]
    orders = [
        [
            *(str(i), str(i), None, None, None if missing and i % 3 == 0 else f"{i % 7}.25", None),
            *("true" if i % 2 else "false", None, str(1 + i % 9), None, None, None),
        ]
        for i in range(40)
    ]
    held.fill({**none, "customers": people, "orders": orders})
    if "MIN(" in items:
        items = items.replace(", MIN(-amount)", "")
    sql = f"SELECT {items} FROM orders {groups}"
    held.session._analysis.kept.clear()
    found = known(held.session, sql, Fraction(1))  # as it is measured where there is noise
    made = answers(held.session, found.query, found.exact, noise=False)
    for mine in (made.rows, both(held, sql)[0]):
        theirs = held.connection.execute(sql).fetchall()
        assert sorted(map(plain, mine)) == sorted(map(plain, theirs))
