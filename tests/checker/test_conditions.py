"""What is known where a condition is TRUE: ends of intervals, values, and no more."""

from __future__ import annotations

import pytest

from dpsql.checker.certificate import certify
from dpsql.checker.facts import Column, Facts, Measure, Sums
from tests.checker.claims import SHOP, F, claim, refused, table


def test_what_is_equal_to_a_constant_is_one_value_unless_it_is_rounded() -> None:
    text = "SELECT id, COUNT(*) FROM main.orders WHERE id = {} GROUP BY id"
    for right in ("7", "CAST(7 AS DECIMAL(9, 2))", "CAST('7' AS BIGINT)"):
        certify(claim(text.format(right), 1, keys=1), SHOP)
    for wrong in ("CAST(9007199254740992 AS DOUBLE)", "CAST(7 AS REAL)"):
        refused(claim(text.format(wrong), 1, keys=1))
    # 0 and -0 are equal, and have two texts
    text = "SELECT t, COUNT(*) FROM (SELECT o.customer AS u, CAST(c.score AS TEXT) AS t, c.score " \
        "AS x FROM main.orders o JOIN main.wide w ON w.id > o.units JOIN main.customers c " \
        "ON c.id = o.customer) AS a WHERE x = {} GROUP BY t"  # fmt: skip
    refused(claim(text.format("CAST(0 AS DOUBLE)"), 1, keys=1))


@pytest.mark.parametrize("condition", ["units <> 8", "units <> 9 OR units > 3", "units <> 8.9"])
def test_a_condition_takes_away_the_end_that_it_names(condition: str) -> None:
    refused(claim(f"SELECT SUM(units) FROM main.orders WHERE {condition}", 24))


def test_a_condition_takes_away_each_end_that_it_names() -> None:
    text = "SELECT SUM(units) FROM main.orders WHERE units NOT IN (9, 8, 6)"
    certify(claim(text, 21), SHOP)
    refused(claim(text, 20))


def test_what_is_true_everywhere_leaves_nothing_to_the_other_branches() -> None:
    text = "SELECT SUM(CASE WHEN units <= {} THEN units ELSE 100 END) FROM main.orders"
    certify(claim(text.format(9), 27), SHOP)
    refused(claim(text.format(8), 27))


def test_alternatives_are_those_that_the_other_conditions_leave() -> None:
    text = "SELECT SUM(units) FROM main.orders WHERE (units < 3 OR units > 5) AND units <= 4"
    certify(claim(text, 6), SHOP)
    refused(claim(text, 5))


@pytest.mark.parametrize(
    "condition",
    [
        "r = 16777217",
        "r IN (16777217)",
        "f IN (0.1)",
        "CAST(m AS DOUBLE) IN (0.1)",
        "j IN (9007199254740992, CAST(9007199254740992 AS DOUBLE))",
        "CASE WHEN r = 16777217 THEN NULL ELSE r END IS NULL",
    ],
)
def test_what_is_rounded_before_it_is_compared_may_be_equal(condition: str) -> None:
    """Each of these is TRUE of a row that keeps the facts, so that a count of 0 is not proven."""
    wide, long = 2**53 + 1, F(10**18 + 1, 10**19)
    rounded = table(
        "rounded",
        Column("id", "BIGINT", False, max_rows=1),
        Column("r", "REAL", False, F(0), F(2**24)),
        Column("f", "DOUBLE", False, F(0.1), F(1)),
        Column("j", "BIGINT", False, F(wide), F(wide), frozenset({F(wide)})),
        Column("m", "DECIMAL(20,19)", False, long, F(1, 2), frozenset({long, F(1, 2)})),
        key=("id",),
        owner="id",
        owned=True,
    )
    none = Measure("n", ((0, F(1)),), 0, 0, 0, 0, 0)
    refused(
        Sums(f"SELECT COUNT(*) FROM main.rounded WHERE {condition}", 0, (none,)),
        Facts((rounded,), ("rounded", "id"), replace=False),
    )
