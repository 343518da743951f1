"""What is printed is what was asked: equal, or rejected."""

from __future__ import annotations

import pytest

from tests.differential.compare import expressions, public

EXPRESSIONS, QUERIES = 50_000, 5_000
"""How many `make test-deep` tries."""


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
