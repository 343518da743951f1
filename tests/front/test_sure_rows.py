"""Groups of public rows that an outer join keeps are there whatever private rows there are, and
nothing is charged for asking."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.release.formulas import Exceeds
from dpsql.proven import PublicQuery
from tests.support.answers import home
from tests.support.effort import tries
from tests.support.noiseless import NO_NOISE, noiseless
from tests.support.policies import load

GROUPS = (
    "(SELECT r.id, COUNT(c.id) AS n, COUNT(c.age) AS aged FROM regions AS r LEFT JOIN customers "
    "AS c ON c.region = r.id AND c.vip GROUP BY r.id)"
)

READING = (
    f"SELECT id, n, LAG(n) OVER (ORDER BY id) FROM {GROUPS}",
    f"SELECT AVG(n), MIN(n), COUNT(*), COUNT(*) FILTER (WHERE aged = 0) FROM {GROUPS}",
    f"SELECT n, COUNT(*) FROM {GROUPS} GROUP BY n",
)

Person = tuple[str | None, str | None, str]

people = st.lists(
    st.tuples(
        st.sampled_from([None, "1", "2", "3", "9"]),
        st.sampled_from([None, "20"]),
        st.sampled_from(["true", "false"]),
    ),
    max_size=6,
)


def answers(
    sql: str, rows: list[tuple[str | None, str | None, str]]
) -> tuple[list[str], list[str]]:
    """dpsql's, without noise, and the engine's."""
    held = home("shop")
    none: dict[str, list[list[str | None]]] = {name: [] for name in load("shop").schema.tables}
    regions = [[str(i), "a", "north"] for i in range(1, 5)]
    units = [
        [str(i), region, age, None, None, vip, *[None] * 5]
        for i, (region, age, vip) in enumerate(rows)
    ]
    held.fill({**none, "regions": regions, "customers": units})
    with noiseless():
        mine = held.run(sql, eps=NO_NOISE).rows
    theirs = held.connection.execute(sql).fetchall()
    return sorted(map(plain, mine)), sorted(map(plain, theirs))


def plain(row: tuple[object, ...]) -> str:
    return repr([round(float(v), 6) if isinstance(v, int | float | Decimal) else v for v in row])


@pytest.mark.parametrize("sql", READING)
@settings(max_examples=tries(3, 8), deadline=None)
@given(rows=people, of=st.integers(0, 5))
def test_groups_are_the_same_on_neighbours(sql: str, rows: list[Person], of: int) -> None:
    for database in (rows, rows[:of] + rows[of + 1 :]):
        mine, theirs = answers(sql, database)
        assert mine == theirs
        if sql == READING[0]:
            assert len(mine) == 4


def asked(sql: str) -> tuple[int, int]:
    """How many numbers are measured, and how many of them tell whether groups have rows."""
    query = compile_query(sql, load("shop").schema, Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    formulas = [o.formula for r in query.releases for o in r.outputs]
    told = sum(isinstance(f, Exceeds) and f.among for f in formulas)
    return sum(len(r.measures) for r in query.releases), told


def test_counts_ask_for_nothing_else() -> None:
    one = GROUPS.replace("COUNT(c.age)", "0")
    assert asked(f"SELECT AVG(n) FROM {one}") == (1, 0)
    assert asked(f"SELECT AVG(n) FROM {one.replace('LEFT JOIN', 'JOIN')}")[1] == 1


def test_what_is_null_without_a_row_asks_for_rows() -> None:
    sums = GROUPS.replace("COUNT(c.age)", "SUM(c.age)")
    assert asked(f"SELECT AVG(aged) FROM {sums}")[1] == 1


def test_of_groups_alone_nothing_private_is_asked() -> None:
    sql = (
        "SELECT COUNT(*) FROM (SELECT DISTINCT r.id FROM regions AS r LEFT JOIN customers AS c ON "
        "c.region = r.id)"
    )
    compiled = compile_query(sql, load("shop").schema, Fraction(1))
    assert not isinstance(compiled.query, PublicQuery)
    assert not compiled.query.releases
    assert compiled.cost.eps == 0
