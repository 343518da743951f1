"""Conditions that are equalities in other words: the rows are those that DuckDB has, NULLs too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import dpsql
from tests.front.test_totals import POLICY
from tests.support.orders import orders

CONDITIONS = [
    "o.customer IS NOT DISTINCT FROM c.id",
    "o.customer = c.id OR (o.customer IS NULL AND c.id IS NULL)",
    "c.id IS NULL AND o.customer IS NULL OR c.id = o.customer",
    "o.customer = c.id AND (o.maybe = o.amount OR o.maybe IS NULL AND o.amount IS NULL)",
    "o.customer = c.id AND (o.maybe = o.amount OR o.maybe IS NULL AND o.maybe IS NULL)",
    "o.customer <= c.id AND o.customer >= c.id",
    "c.id BETWEEN o.customer AND o.customer AND o.maybe IS NOT NULL",
    "o.customer IN (c.id)",
    "o.customer = c.id AND o.maybe <= o.amount AND o.amount <= o.maybe",
    "o.customer = c.id AND o.maybe IN (o.amount, 3, NULL)",
    "o.customer = c.id AND o.maybe NOT IN (o.amount, 3)",
    "o.customer = c.id AND o.maybe IS NOT DISTINCT FROM o.maybe",
]


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    with orders(POLICY) as found:
        yield found


@pytest.mark.parametrize("join", ["JOIN", "LEFT JOIN"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_rows_are_the_same(db: dpsql.Database, condition: str, join: str) -> None:
    sql = f"SELECT COUNT(*), COUNT(o.id) FROM customers c {join} orders o ON {condition}"
    expected = db.plain.execute(sql).fetchall()  # type: ignore[attr-defined]
    assert [tuple(r) for r in db.run(sql, eps=10**6).rows] == expected
