"""What is printed is what was asked: equal, or rejected."""

from __future__ import annotations

import pytest

from tests.differential.compare import compared, expressions, public

EXPRESSIONS, QUERIES = 50_000, 5_000
"""How many `make test-deep` tries."""

ONCE_DIFFERENT = (
    "greatest(m * m, i)",
    "(m * m) = (i * 1.0001)",
    "CASE WHEN p THEN m * m ELSE i END",
    "greatest(m + m, 1.0001::DECIMAL(7, 4))",
    "coalesce(m * m * m, m)",
    "i ** - -1::DOUBLE",
    "(-2) ** (- -1::DOUBLE * 3)",
    ".5 + m",
)
"""What random ones found: digits lost beside a product, powers of whole numbers, `.5`."""


def test_what_was_different_once_is_equal() -> None:
    tally = compared(ONCE_DIFFERENT)
    assert tally.seen == {"equal": len(ONCE_DIFFERENT)}, tally.report()


def test_expressions_mean_what_they_say() -> None:
    tally = expressions(400)
    assert not tally.differ, tally.report()
    assert tally.seen["equal"] > 250


def test_public_queries_mean_what_they_say() -> None:
    tally = public(40)
    assert not tally.differ, tally.report()
    assert tally.seen["equal"] > 25


@pytest.mark.deep
@pytest.mark.parametrize("part", range(1, 11))
def test_expressions_mean_what_they_say_deep(part: int) -> None:
    tally = expressions(EXPRESSIONS // 10, part)
    assert not tally.differ, tally.report()


@pytest.mark.deep
def test_public_queries_mean_what_they_say_deep() -> None:
    tally = public(QUERIES, 1)
    assert not tally.differ, tally.report()
