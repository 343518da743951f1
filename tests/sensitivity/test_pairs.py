"""Distinct values of heavy units: exactly as many pairs are kept as the bound says, and which ones
is nobody else's business.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest

from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.calibrate.options import Options
from dpsql.core.release.release import Release
from dpsql.core.release.statements import statements
from tests.support.policies import load
from tests.support.store import Store, source

Visit = tuple[str, str, str]
"""Who, which page, which code."""

QUOTA = 3


def release(sql: str, delta: Fraction = Fraction(1, 10**5)) -> Release:
    schema = load("keys").schema
    query = compile_query(sql, schema, Fraction(1), options=Options(delta=delta)).query
    assert isinstance(query, ReleasedQuery)
    (found,) = query.releases
    return found


def kept(found: Release, number: int, visits: Iterable[Visit]) -> list[tuple[object, ...]]:
    """The rows of one of the release's queries of pairs."""
    held = Store(load("keys").schema)
    rows = tuple((who, page, code, None, None, None, None, "true") for who, page, code in visits)
    people = tuple((who, None, None, "a", "1") for who in dict.fromkeys(v[0] for v in visits))
    held.fill([{"people": people, "visits": rows, "calls": (), "sites": ()}])
    return sorted(held.rows(statements(found, source(0)).pairs[number]), key=repr)


def heavy(who: str, count: int = 12) -> list[Visit]:
    return [(who, f"page {n % 4}", str(n)) for n in range(count)]


def light(who: str, code: int) -> list[Visit]:
    return [(who, "page of others", str(code + n)) for n in range(QUOTA)]


CODES = "SELECT COUNT(DISTINCT code) AS n FROM visits"
BY_PAGE = "SELECT page, COUNT(DISTINCT code) AS n FROM visits GROUP BY page"
UNITS = "SELECT code, COUNT(DISTINCT person) AS n FROM visits GROUP BY code"


@pytest.mark.parametrize("who", [str(n) for n in range(12)])
def test_a_heavy_unit_keeps_exactly_its_quota(who: str) -> None:
    assert kept(release(CODES), 0, heavy(who)) == [(QUOTA,)]
    by_page = release(BY_PAGE)
    (number,) = [i for i, (p, _) in enumerate(by_page.pairs) if p.value is not None]
    assert sum(n for _, n in kept(by_page, number, heavy(who))) == QUOTA  # type: ignore[misc]
    units = kept(release(UNITS), 0, heavy(who))
    assert [n for _, n in units] == [1] * QUOTA


def test_a_unit_within_its_quota_keeps_all() -> None:
    rows = heavy("1", QUOTA) * 5  # 15 rows, but 3 pairs
    assert kept(release(CODES), 0, rows) == [(QUOTA,)]
    assert kept(release(UNITS), 0, rows) == [(0, 1), (1, 1), (2, 1)]


def test_what_is_kept_does_not_depend_on_others_or_on_the_order() -> None:
    found = release(UNITS)
    alone = kept(found, 0, heavy("1"))
    others = light("2", 100) + heavy("3", 30)[20:] + light("4", 200)
    for rows in (others + heavy("1"), heavy("1")[::-1] + others, heavy("1") + heavy("1")):
        codes = {n: count for n, count in kept(found, 0, rows) if n < 12}  # type: ignore[operator]
        assert sorted(codes.items()) == alone


def test_units_do_not_all_keep_the_same() -> None:
    found = release(UNITS)
    chosen = {repr(kept(found, 0, heavy(str(who)))) for who in range(12)}
    assert len(chosen) > 6


def test_nulls_are_no_values_and_take_no_place() -> None:
    rows: list[Visit] = [("1", "a", None), *heavy("1", QUOTA)]  # type: ignore[list-item]
    assert kept(release(CODES), 0, rows) == [(QUOTA,)]
