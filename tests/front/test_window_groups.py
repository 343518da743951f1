"""Quantiles by place whose rows are grouped once more, or come out DISTINCT, are SQL's with less
and less noise: few different values have many rows each, so that one row away is no other value.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import dpsql
from tests.front.test_totals import POLICY, rows
from tests.support.orders import orders

NUMBERED = """(SELECT k, amount, x, x - MIN(x) OVER (PARTITION BY k) AS above,
    MAX(amount) OVER (PARTITION BY k) AS top, COUNT(*) OVER (PARTITION BY k) AS total,
    ROW_NUMBER() OVER (PARTITION BY k ORDER BY x) AS place
    FROM (SELECT k, amount, amount // 25 AS x FROM orders))"""
WHOLE = NUMBERED.replace("PARTITION BY k", "")

CONVERGES = [
    f"SELECT DISTINCT k, MIN(CASE WHEN place >= 0.6 * total THEN x END) OVER (PARTITION BY k), "
    f"COUNT(*) OVER (PARTITION BY k) FROM {NUMBERED}",
    f"SELECT DISTINCT k, MIN(CASE WHEN place < 0.25 * total THEN 99 ELSE x + 3 END) OVER "
    f"(PARTITION BY k) * 2, SUM(amount) OVER (PARTITION BY k) FROM {NUMBERED}",
    f"SELECT DISTINCT MIN(CASE WHEN place >= 0.3 * total THEN x END) OVER () FROM {WHOLE}",
    f"SELECT DISTINCT MIN(CASE WHEN place >= 0.3 * total THEN x - 1 END) OVER (), COUNT(*) OVER () "
    f"FROM {WHOLE} GROUP BY place, x, total",
    f"SELECT k, MIN(CASE WHEN place >= 0.75 * total THEN x END), COUNT(*) FROM (SELECT k, place, "
    f"total, x FROM {NUMBERED} GROUP BY k, total, place, x) GROUP BY k",
]


LAST = """(SELECT k, maybe, COUNT(*) OVER () AS total,
    ROW_NUMBER() OVER (ORDER BY maybe) AS place FROM orders)"""
NULLS_LAST = [
    f"SELECT MIN(CASE WHEN place >= {p} * total THEN maybe END), MIN(CASE WHEN place < {p} * total "
    f"THEN 99 ELSE maybe END) FROM {LAST}"
    for p in ("0.1", "0.9")
]


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    with orders(POLICY) as found:
        yield found


@pytest.mark.parametrize("sql", CONVERGES)
def test_with_less_noise_it_is_what_sql_says(db: dpsql.Database, sql: str) -> None:
    expected = db.plain.execute(sql).fetchall()  # type: ignore[attr-defined]
    found = [tuple(r) for r in db.run(sql, eps=10**6).rows if None not in r]
    assert rows(found) == rows(expected)


@pytest.mark.parametrize("sql", NULLS_LAST)
def test_nulls_have_the_last_places(db: dpsql.Database, sql: str) -> None:
    expected = db.plain.execute(sql).fetchall()  # type: ignore[attr-defined]
    assert [tuple(r) for r in db.run(sql, eps=10**6).rows] == expected


def test_rows_of_public_tables_are_answered_as_they_were_asked(db: dpsql.Database) -> None:
    """Of no rows DISTINCT has none, and a total without keys has one."""
    sql = """SELECT DISTINCT MIN(CASE WHEN place >= 0.5 * total THEN x END) OVER () FROM (SELECT x,
        ROW_NUMBER() OVER (ORDER BY x) AS place, COUNT(*) OVER () AS total
        FROM (VALUES (1), (2)) AS t (x) WHERE x > 2)"""
    assert list(db.run(sql, eps=1).rows) == []
