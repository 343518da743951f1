"""Released rows are read again: what their columns can be is claimed and enforced, and the checker
follows it in the SQL alone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.compile import compile_query
from tests.adversarial.queries import Query
from tests.adversarial.test_generated import some
from tests.support.answers import check_equal
from tests.support.databases import PLAIN
from tests.support.policies import load
from tests.support.second_proof import refusal

KEYS = {
    "status": "orders",
    "paid": "orders",
    "units": "orders",
    "month(day)": "orders",
    "floor(amount / 100)": "orders",
    "date_trunc('month', day)": "orders",
    "level": "customers",
}
"""Keys of the released rows: texts, truths, numbers, dates, an ENUM; most may be NULL."""

READ = [
    "SELECT r.k, COUNT(*) FROM orders o CROSS JOIN r GROUP BY 1",
    "SELECT r.k, SUM(o.units) FROM lines l JOIN orders o ON l.order_id = o.id CROSS JOIN r "
    "GROUP BY 1",
    "SELECT COUNT(DISTINCT r.k) FROM orders o CROSS JOIN r WHERE o.units > 3",
    "SELECT r.k IS NULL, AVG(o.units) FROM orders o JOIN r ON o.units < r.n GROUP BY 1",
]

JOINED = [
    ("status", "SELECT r.k, COUNT(*) FROM orders o JOIN r ON o.status IS NOT DISTINCT FROM r.k"),
    ("status", "SELECT o.status, COUNT(*) FROM orders o JOIN r ON o.status = r.k OR "
               "(o.status IS NULL AND r.k IS NULL)"),
    ("status", "SELECT upper(r.k), SUM(length(r.k)) FROM orders o JOIN r ON o.units < r.n"),
    ("status", "SELECT r.k || 'x', COUNT(*) FROM orders o JOIN r ON o.units < r.n"),
    ("level", "SELECT r.k, COUNT(*) FROM customers c JOIN orders o ON o.customer = c.id "
              "CROSS JOIN r WHERE r.k > 'basic'"),
    ("level", "SELECT c.level, COUNT(*) FROM customers c JOIN orders o ON o.customer = c.id "
              "JOIN r ON c.level IS NOT DISTINCT FROM r.k"),
    ("units", "SELECT r.k, SUM(o.units * r.k) FROM orders o JOIN r ON o.units >= r.k"),
]  # fmt: skip


def _released(key: str) -> str:
    return f"WITH r AS (SELECT {key} AS k, COUNT(*) AS n FROM {KEYS[key]} GROUP BY 1) "


@pytest.mark.parametrize("policy", ["shop", "shop verified"])
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.one_in(3)
def test_keys_of_released_rows_are_followed(policy: str, key: str) -> None:
    for read in READ:
        compiled = compile_query(_released(key) + read, load(policy).schema, Fraction(1))
        assert refusal(compiled) is None, read


@pytest.mark.parametrize("policy", ["shop", "shop verified"])
@pytest.mark.parametrize(("key", "read"), JOINED)
def test_released_rows_that_are_joined_back_are_followed(policy: str, key: str, read: str) -> None:
    text = f"{_released(key)}{read} GROUP BY 1"
    assert refusal(compile_query(text, load(policy).schema, Fraction(1))) is None


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.one_in(2)
def test_what_is_enforced_of_released_rows_changes_no_answer(key: str) -> None:
    read = f"{_released(key)}SELECT r.k, COUNT(*) FROM orders o CROSS JOIN r GROUP BY 1"
    compiled = compile_query(read, load("shop").schema, Fraction(1))
    for database in some(compiled, Query("shop", read, frozenset()), PLAIN, 7, 3):
        check_equal(compiled, "shop", database)
