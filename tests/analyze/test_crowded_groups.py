"""Keys of which public tables list too many values are private ones: how far one unit moves such
groups, on neighbours where it is in all that it can be in, and with which threshold they come out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Unpack

import pytest

from dpsql.compile import Compiled, ReleasedQuery, compile_query, plain_source
from dpsql.core.account import exposure
from dpsql.core.calibrate.options import Options, Wishes
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.release.statements import statements
from dpsql.errors import Rejected
from dpsql.execution import cells
from dpsql.execution.certify import certified
from dpsql.execution.identity import identities
from tests.support.answers import Home, home
from tests.support.brute import Measured, check_database, check_neighbours, store
from tests.support.databases import Database
from tests.support.policies import load

DELTA = Fraction(1, 10**6)

TWO_KEYS = (
    "SELECT l.product, t.tag, COUNT(*) AS n, COUNT(DISTINCT o.customer) AS u FROM lines l "
    "JOIN orders o ON o.id = l.order_id JOIN tags t ON t.product = l.product GROUP BY ALL"
)
SETS = (
    "SELECT product, returned, COUNT(*) AS n FROM lines GROUP BY GROUPING SETS (({}), (returned))"
)
FED = (
    "WITH g AS (SELECT product, AVG(quantity) AS a FROM lines GROUP BY 1) SELECT l.product, "
    "COUNT(*) AS n FROM lines l JOIN g ON g.product = l.product AND l.quantity >= g.a GROUP BY 1"
)
OUTER = (
    "SELECT p.id, COUNT(*) AS n FROM products p LEFT JOIN lines l ON l.product = p.id GROUP BY 1"
)
"""Products that nobody has are groups in SQL, and none of private ones."""
DISTINCT = "SELECT DISTINCT p.kind FROM lines l JOIN products p ON p.id = l.product"
MEDIAN = "SELECT product, MEDIAN(quantity) AS m FROM lines GROUP BY product"
FOLLOWED = (
    "SELECT product, COUNT(*) AS n FROM lines GROUP BY 1 HAVING n > 1 "
    "QUALIFY RANK() OVER (ORDER BY n) < 3"
)
TWICE = (
    "SELECT a.product, a.n, b.s FROM (SELECT product, COUNT(*) AS n FROM lines GROUP BY 1) a "
    "JOIN (SELECT product, SUM(quantity) AS s FROM lines GROUP BY 1) b USING (product)"
)
EVERY = (TWO_KEYS, SETS.format("product"), FED, OUTER, DISTINCT, MEDIAN, FOLLOWED, TWICE)

PRODUCTS = range(1, 7)


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A shop with more products than are answered."""
    held = home("shop")
    held.fill(crowd())
    held.session._analysis.kept.clear()
    monkeypatch.setattr(cells, "MAX_PUBLIC_GROUPS", 2)
    yield held
    held.session._analysis.kept.clear()


def compiled(held: Home, sql: str, **wishes: Unpack[Wishes]) -> Compiled:
    return held.session._analysis.ready(held.session, sql, 1, DELTA, wishes)[0].compiled


def queried(found: Compiled) -> ReleasedQuery:
    assert isinstance(found.query, ReleasedQuery)
    return found.query


def crowd() -> Database:
    """Two units of three orders, as many as one can have, with two lines each, of six products
    with two tags each.
    """
    shop: dict[str, tuple[tuple[str | None, ...], ...]] = dict.fromkeys(
        load("shop").schema.tables, ()
    )
    tables = load("shop").schema.tables

    def row(table: str, **cells: str) -> tuple[str | None, ...]:
        return tuple(cells.get(c.name) for c in tables[table].columns)

    shop["products"] = tuple(row("products", id=str(i), kind=f"k{i}", price="1") for i in PRODUCTS)
    shop["tags"] = tuple(row("tags", product=str(i), tag=tag) for i in PRODUCTS for tag in "ab")
    shop["holidays"] = tuple(row("holidays") for _ in range(3))
    shop["customers"] = tuple(row("customers", id=str(i)) for i in (1, 2))
    shop["orders"] = tuple(
        row("orders", id=str(10 * c + i), customer=str(c)) for c in (1, 2) for i in range(3)
    )
    shop["lines"] = tuple(
        row(
            "lines",
            order_id=str(10 * c + i // 2 % 3),
            product=str(i + 1),
            quantity="5",
            returned="0",
        )
        for c in (1, 2)
        for i in range(6)
    )
    return shop


@pytest.mark.parametrize("sql", EVERY)
@pytest.mark.one_in(2)
def test_one_unit_moves_them_by_no_more_than_is_claimed(shop: Home, sql: str) -> None:
    found = compiled(shop, sql)
    releases = queried(found).releases
    assert not any(release.domain.public for release in releases)
    assert any(release.domain.private for release in releases)
    certified(found, tuple(statements(r, plain_source) for r in releases), plain_source)
    check_neighbours(found, "shop")
    shop.session.run(sql, 1, 1e-6)


@pytest.mark.parametrize(("claimed", "holds"), [(12, True), (11, False)])
def test_a_unit_in_all_groups_that_it_can_be_in(shop: Home, claimed: int, holds: bool) -> None:
    """Six rows with two tags each: one group less would be too few."""
    found = compiled(shop, TWO_KEYS)
    query = queried(found)
    (planned,) = query.planned
    release = planned.release
    assert [c.name for c in release.domain.private] == [
        "product",
        "tag",
    ] and release.units is not None
    assert {m.sensitivity.l0 for m in release.measures} == {12}
    moved = [replace(m, sensitivity=replace(m.sensitivity, l0=claimed)) for m in release.measures]
    changed = replace(planned, release=replace(release, measures=tuple(moved)))
    measured = Measured(replace(found, query=replace(query, planned=(changed,))), store("shop"))
    if holds:
        check_database(measured, load("shop"), crowd(), {})
    else:
        with pytest.raises(AssertionError, match="L0 of"):
            check_database(measured, load("shop"), crowd(), {})


def test_the_threshold_is_that_of_so_many_groups(shop: Home) -> None:
    """And no number less: δ of all twelve together is what is charged, and one lower costs more."""
    (planned,) = queried(compiled(shop, TWO_KEYS, noise="laplace")).planned
    units, threshold = planned.release.units, planned.threshold
    assert units is not None and threshold is not None
    noise = planned.noise[units]
    assert isinstance(noise, DiscreteLaplace)
    assert exposure.delta(noise.scale, 12, threshold - 1) <= planned.delta <= DELTA
    assert exposure.delta(noise.scale, 12, threshold - 2) > planned.delta


@pytest.mark.parametrize("grouped", ["ROLLUP (product)", "CUBE (product, returned)"])
def test_totals_of_groups_that_are_not_all_shown_are_refused(shop: Home, grouped: str) -> None:
    with pytest.raises(Rejected) as caught:
        shop.session.explain(f"SELECT COUNT(*) FROM lines GROUP BY {grouped}", 1, DELTA)
    assert caught.value.code == "DP304"


@pytest.mark.parametrize("sql", EVERY)
def test_without_a_delta_they_are_too_many(shop: Home, sql: str) -> None:
    with pytest.raises(Rejected) as caught:
        shop.session.explain(sql, 1, 0)
    assert caught.value.code == "DP304"


@pytest.mark.parametrize("sql", EVERY)
@pytest.mark.one_in(2)
def test_whichever_keys_are_meant(sql: str) -> None:
    """Columns have numbers, which two compilations may give to other ones."""
    schema, options = load("shop").schema, Options(delta=DELTA)
    for part in (0, 1):
        crowded = replace(schema, crowded=frozenset(range(part, 200, 2)))
        check_neighbours(compile_query(sql, crowded, Fraction(1), options=options), "shop", 2)


def test_stored_answers_of_listed_groups_are_no_answers(
    shop: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor the other way round: a list of groups that grows makes another release."""
    known: set[str] = set()
    for most in (2, 100):
        monkeypatch.setattr(cells, "MAX_PUBLIC_GROUPS", most)
        shop.session._analysis.kept.clear()
        found = compiled(shop, OUTER)
        texts = tuple(statements(r, plain_source) for r in queried(found).releases)
        (identity,) = identities(queried(found), found.schema, texts)
        known.add(identity.shape)
    assert len(known) == 2


def test_of_one_kind_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    held = home("two")
    held.connection.execute("DELETE FROM towns; INSERT INTO towns VALUES ('a', 'x'), ('b', 'y')")
    held.session._analysis.kept.clear()
    monkeypatch.setattr(cells, "MAX_PUBLIC_GROUPS", 1)
    sql = "SELECT t.region, COUNT(*) FROM sellers s JOIN towns t ON t.name = s.town GROUP BY 1"
    (release,) = queried(compiled(held, sql)).releases
    assert [column.name for column in release.domain.private] == ["region"]
    check_neighbours(compiled(held, sql), "two")
    held.session._analysis.kept.clear()
