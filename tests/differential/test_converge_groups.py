"""Groups are those that conditions and combinations leave, as the engine's own are."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import product

import pytest

from tests.differential.converge import both, plain
from tests.support.answers import home
from tests.support.effort import tries
from tests.support.policies import load

CONDITIONS = (
    "date_trunc('month', day) >= '2024-10-01'",
    "date_trunc('month', day) > '2024-10-01' AND date_trunc('month', day) <> '2024-12-01'",
    "date_trunc('quarter', day) = '2024-04-01'",
    "date_trunc('week', day) <= '2024-02-05'",
    "date_trunc('year', day) < '2024-03-01'",
    "year(day + INTERVAL 300 DAY) = 2024",
    "2024 < year(day + INTERVAL 2 MONTH)",
    "EXTRACT(year FROM day) = 2024 AND day > '2024-11-11'",
    "month(day) IN (3, 5) OR month(day) % 6 = 0",
    "DATE_DIFF('day', day, DATE '2024-12-31') BETWEEN 0 AND 20",
    "DATE_DIFF('month', DATE '2024-01-01', day) > 9",
    "DATE_DIFF('day', day, DATE '2024-12-31') // 7 > 49",
    "decade(day) >= 202",
    "day - INTERVAL 5 DAY > '2024-12-01'",
)

GROUPED = (
    "date_trunc('month', day)",
    "date_trunc('week', day)",
    "day",
    "DATE_DIFF('day', day, DATE '2024-12-31') // 7",
    "year(day + INTERVAL 300 DAY)",
)
"""Keys that rise or fall with the day, or are what the condition says."""

LISTED = {
    *product((GROUPED[0], GROUPED[1], GROUPED[3]), (CONDITIONS[8],)),
    *product((GROUPED[1], GROUPED[3]), (CONDITIONS[1],)),
}
"""Where groups without rows are listed: a condition that leaves no interval of the days says
nothing of a key that is another function of them.
"""


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.one_in(3)
def test_groups_are_those_that_conditions_leave(condition: str) -> None:
    """There is an order on each day, so that each group of the engine's has a row."""
    held = home("shop")
    none = {name: [] for name in load("shop").schema.tables}
    first = date(2024, 1, 1)
    days = [str(first + timedelta(days=i)) for i in range(366)]
    people = [[str(i), *[None] * 4, "true", *[None] * 5] for i in range(366)]
    orders = [[str(i), str(i), day, *[None] * 5, "1", *[None] * 3] for i, day in enumerate(days)]
    held.fill({**none, "customers": people, "orders": orders})
    for key in GROUPED:
        sql = f"SELECT {key} AS k, COUNT(*) FROM orders WHERE {condition} GROUP BY k"
        mine, theirs = both(held, sql)
        assert {row for row in mine if row[1]} == set(theirs), sql
        if (key, condition) not in LISTED:
            assert len(mine) == len(theirs), sql


OF_ONE_COLUMN = (
    "YEAR(day), MONTH(day)",
    "YEAR(day), QUARTER(day), MONTH(day)",
    "DATE_TRUNC('month', placed), MONTHNAME(placed), QUARTER(placed)",
    "placed::DATE, DAYNAME(placed), EXTRACT(week FROM placed)",
    "STRFTIME(day, '%Y-%m'), YEAR(day), MONTH(day)",
    "HOUR(placed) // 6, MONTH(placed), LAST_DAY(placed)",
    "WEEKOFYEAR(day), isoyear(day), paid",
    "units, units % 3, units > 4",
)
AMONG = (
    "TRUE",
    "placed < '2024-04-01' AND day < '2024-04-01'",
    "QUARTER(day) = 2 AND MONTH(placed) = 5",
    "DAY(placed) > 29 AND DAY(day) > 29 AND units IN (3, 7)",
)


@pytest.mark.parametrize(("keys", "condition"), list(product(OF_ONE_COLUMN, AMONG))[:: tries(3, 1)])
def test_groups_of_one_columns_keys_converge(keys: str, condition: str) -> None:
    """Two orders on each day, an hour and eleven hours after its midnight."""
    held = home("shop")
    none = {name: [] for name in load("shop").schema.tables}
    first = datetime(2024, 1, 1)
    times = [first + timedelta(days=i, hours=h) for i in range(365) for h in (1, 11)]
    people = [[str(i), *[None] * 4, "true", *[None] * 5] for i in range(365)]
    orders = [
        [str(i), str(i // 2), str(at.date()), str(at), None, None, "true", None, str(1 + i % 9)]
        + [None] * 3
        for i, at in enumerate(times)
    ]
    held.fill({**none, "customers": people, "orders": orders})
    sql = f"SELECT {keys}, COUNT(*), SUM(units) FROM orders WHERE {condition} GROUP BY ALL"
    mine, theirs = both(held, sql)
    assert sorted(plain(r) for r in mine if r[-2]) == sorted(map(plain, theirs)), sql


TRIPS = "FROM trips JOIN people ON id = person"
BY_REFERENCES = (
    "SELECT home, COUNT(*) FROM people GROUP BY home",
    "SELECT town, COUNT(*), SUM(km) FROM trips GROUP BY town",
    "SELECT town, COUNT(*) FROM trips WHERE town IS NULL GROUP BY town",
    "SELECT town, COUNT(*) FROM trips WHERE town IS NOT NULL GROUP BY town",
    "SELECT town, COUNT(*) FROM trips WHERE town <> 2 OR town IS NULL GROUP BY town",
    f"SELECT home, town, COUNT(*), COUNT(DISTINCT person) {TRIPS} GROUP BY home, town",
    f"SELECT town, COUNT(*) {TRIPS} WHERE home IS NOT DISTINCT FROM town GROUP BY town",
    "SELECT t, COUNT(*) FROM (SELECT home AS t FROM people UNION ALL SELECT town FROM trips) "
    "GROUP BY t",
    "SELECT town, COUNT(name), COUNT(*) FROM trips LEFT JOIN towns ON towns.id = town "
    "GROUP BY town",
    "SELECT CAST(town AS VARCHAR), COUNT(*) FROM trips GROUP BY town",
    "SELECT home, COUNT(town) FROM people LEFT JOIN trips ON id = person GROUP BY home",
    "SELECT home, SUM(n) FROM (SELECT home, id, COUNT(*) AS n FROM people JOIN trips ON id = "
    "person GROUP BY ALL) GROUP BY home",
)


@pytest.mark.parametrize("sql", BY_REFERENCES)
def test_null_of_a_foreign_key_is_a_group(sql: str) -> None:
    held = home("trips")
    towns = [[str(i), f"town {i}"] for i in range(5)]
    homes = [None if i % 5 == 4 else str(i % 5) for i in range(60)]
    people = [[str(i), at] for i, at in enumerate(homes)]
    trips = [[str(i // 2), homes[i * 7 % 60], str(i % 50)] for i in range(100)]
    held.fill({"people": people, "trips": trips, "towns": towns})
    mine, theirs = both(held, sql)
    rows = sorted(plain(r) for r in mine if any(r[1:]) and r[-1])
    assert rows == sorted(plain(r) for r in theirs if r[-1]), sql
