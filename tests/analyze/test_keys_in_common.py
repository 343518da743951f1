"""Several group keys of one column: which of their values are listed together."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import chain, product

import duckdb
import pytest

from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.infer.domain import Domain
from dpsql.core.release.release import Release
from tests.support.policies import load


def released(sql: str, policy: str = "shop") -> Release:
    query = compile_query(sql, load(policy).schema, Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    (release,) = query.releases
    return release


def domain(keys: str, where: str = "TRUE", table: str = "orders") -> Domain:
    return released(f"SELECT {keys}, COUNT(*) FROM {table} WHERE {where} GROUP BY ALL").domain


DAYS = [date(2024, 1, 1) + timedelta(days=n) for n in range(366)]

KEYS = {
    "YEAR(day), MONTH(day), QUARTER(day)": {(d.year, d.month, (d.month + 2) // 3) for d in DAYS},
    "DATE_TRUNC('month', day), MONTHNAME(day)": {(d.replace(day=1), f"{d:%B}") for d in DAYS},
    "EXTRACT(isodow FROM day), STRFTIME(day, '%a %d')": {
        (d.isoweekday(), f"{d:%a %d}") for d in DAYS
    },
    "WEEKOFYEAR(day), MONTH(day)": {(d.isocalendar()[1], d.month) for d in DAYS},
    "MONTH(day), day >= '2024-06-15'": {(d.month, d >= date(2024, 6, 15)) for d in DAYS},
    "MONTH(placed), QUARTER(placed), LAST_DAY(placed)": {
        (d.month, (d.month + 2) // 3, DAYS[-1] if d.month == 12 else _last)
        for d in DAYS
        for _last in [date(2024, d.month % 12 + 1, 1) - timedelta(days=1)]
    },
    "units // 3, units > 5": {(n // 3, n > 5) for n in range(1, 10)},
}


@pytest.mark.parametrize("keys", KEYS)
def test_combinations_that_there_are(keys: str) -> None:
    found = domain(keys)
    (together,) = found.together
    rows = [tuple(_plain(v) for v in row) for row in together.rows]
    assert set(rows) == KEYS[keys] and found.size == len(rows) == len(set(rows))
    assert found.product is not None and found.size < found.product


def _plain(value: object) -> object:
    return value.date() if isinstance(value, datetime) else value


WHERE = {
    "day < '2024-03-01'": 2,
    "day < '2024-03-02'": 3,
    "placed < '2024-03-01'": 12,
    "MONTH(day) = 3": 1,
    "QUARTER(day) = 4 AND day < '2024-12-01'": 2,
    "DAY(day) = 31": 7,
    "WEEKOFYEAR(day) = 1 AND QUARTER(day) > 1": 1,
    "STRFTIME(day, '%m-%d') IN ('02-29', '07-01')": 2,
    "day IN ('2024-02-03', '2024-02-05')": 1,
}


@pytest.mark.parametrize("where", WHERE)
def test_conditions_narrow_them_jointly(where: str) -> None:
    assert domain("MONTH(day), QUARTER(day)", where).size == WHERE[where]


@pytest.mark.parametrize(
    ("keys", "where", "size"),
    [
        ("MONTH(placed), QUARTER(placed)", "placed < '2024-03-01'", 2),
        ("MONTH(placed), QUARTER(placed)", "placed <= '2024-03-01'", 3),
        ("CAST(placed AS DATE), MONTH(placed)", "placed < '2024-01-04'", 3),
        ("DATE_TRUNC('hour', placed), HOUR(placed)", "placed < '2024-01-02 06:00:00'", 30),
        (
            "HOUR(placed), DAYNAME(placed)",
            "placed >= '2024-01-01 22:30' AND placed < '2024-01-02'",
            2,
        ),
        ("DATE_DIFF('month', DATE '2024-01-01', placed), MONTH(placed)", "TRUE", 12),
    ],
)
def test_moments_of_a_day_are_listed_by_day(keys: str, where: str, size: int) -> None:
    assert domain(keys, where).size == size


@pytest.mark.parametrize(
    "key", ["DATE_TRUNC('day', placed)", "CAST(placed AS DATE)", "STRFTIME(placed, '%Y-%m-%d')"]
)
def test_midnight_that_is_excluded_is_no_day(key: str) -> None:
    assert domain(key, "placed < '2024-04-01'").size == 91
    assert domain(key, "placed <= '2024-04-01'").size == 92
    assert domain(key, "placed > '2024-03-31 23:59:59.999999'").size == 366 - 91


def test_other_keys_make_a_product_with_them() -> None:
    found = domain("paid, YEAR(day), units // 3, MONTH(day), units > 5")
    assert found.size == 2 * 12 * 4
    assert [len(part.columns) for part in found.listings] == [2, 1, 1, 1]  # those of units


def test_what_is_computed_of_another_key_is_no_key() -> None:
    found = domain("day, day >= '2024-06-01', units, units % 3, units + DAY(day)")
    assert [key.column.name for key in found.listed] == ["day", "units"]
    assert found.size == len(DAYS) * 9


def test_where_nothing_is_saved_it_is_a_product() -> None:
    assert not domain("YEAR(day), MONTH(day)").together  # each month of the one year
    assert not domain("MONTH(day), MONTH(placed)").together  # of two columns


def test_what_a_unit_can_do_is_bounded_by_the_product() -> None:
    """Rows are tested key by key, so that a unit can be counted in cells of other combinations."""
    release = released(
        "SELECT MONTH(day) AS m, QUARTER(day) AS q, COUNT(*) FROM orders WHERE day IN "
        "('2024-01-05', '2024-05-05') GROUP BY ALL"
    )
    assert (release.domain.size, release.domain.product) == (2, 4)
    assert release.setting.groups == release.setting.own == 4


def test_null_is_listed_with_what_is_made_of_it() -> None:
    found = domain("status, COALESCE(status, 'none')")
    (together,) = found.together
    assert set(together.rows) == {*((s, s) for s in ("open", "sent", "done")), (None, "none")}
    assert domain("status, status IS NULL").size == 4


def test_years_and_months_of_a_century_are_not_too_many() -> None:
    """Their product with the starts of the months has 1.2 million."""
    found = domain("YEAR(born), MONTH(born), DATE_TRUNC('month', born)", table="customers")
    assert found.size == 91 * 12


def test_weekdays_of_a_century_are_listed() -> None:
    assert domain("DAYNAME(born)", table="customers").size == 7


SHARED = (
    "(status, paid) IN (('open', TRUE), ('sent', FALSE))",
    "(status = 'open' AND paid) OR (status = 'sent' AND NOT paid)",
    "paid = (status = 'open')",
    "paid IS NOT DISTINCT FROM (units > 5)",
    "(status = 'open' OR paid) AND (paid OR units > 8)",
    "units > LENGTH(status) AND status <> 'done'",
    "CASE WHEN paid THEN units = 1 ELSE status IS NULL END",
    "(status, paid) NOT IN (('open', TRUE), ('sent', FALSE)) AND units < 3",
    "(status = 'open' OR paid OR amount > 3) AND units < 3",  # one says nothing of keys alone
)


@pytest.mark.parametrize("where", SHARED)
def test_conditions_of_several_keys_narrow_them_jointly(where: str) -> None:
    """Exactly the combinations of which the engine finds the condition TRUE for some amount; that
    nobody has said to be NULL, as `paid`, has no group of it.
    """
    found = domain("status, paid, units", where)
    rows = {tuple(chain(*parts)) for parts in product(*(part.rows for part in found.listings))}
    order = [c.name for part in found.listings for c in part.columns]
    everything = product(("open", "sent", "done", None), (True, False), range(1, 10))
    with duckdb.connect() as engine:
        engine.execute("CREATE TABLE t (status VARCHAR, paid BOOLEAN, units INTEGER)")
        engine.executemany("INSERT INTO t VALUES (?, ?, ?)", list(everything))
        amounts = "(VALUES (1), (9), (NULL)) AS a(amount)"
        asked = f"SELECT DISTINCT {', '.join(order)} FROM t, {amounts} WHERE {where}"
        assert rows == set(engine.execute(asked).fetchall())


def test_a_chain_of_conditions_ties_keys() -> None:
    one = domain("status, paid, units", "(status = 'open' OR paid) AND (paid OR units > 8)")
    (together,) = one.together
    assert [c.name for c in together.columns] == ["status", "paid", "units"]
    two = domain("status, paid, units", "(status = 'open') = paid AND units IN (1, 7)")
    (together,) = two.together
    assert [c.name for c in together.columns] == ["status", "paid"] and two.size == 3 * 2


def test_a_unit_may_be_in_combinations_that_are_not_listed() -> None:
    release = released(
        "SELECT status, paid, COUNT(*) AS n FROM orders WHERE (status, paid) IN (('open', TRUE), "
        "('sent', FALSE)) GROUP BY ALL"
    )
    assert (release.domain.size, release.domain.product) == (2, 4)
    assert release.setting.groups == 4


def test_too_many_combinations_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    where = "paid OR units > 8"
    assert domain("paid, units", where).size == 9 + 1
    monkeypatch.setattr("dpsql.core.infer.in_common.MAX_POINTS", 17)
    assert domain("paid, units", where).size == 2 * 9
