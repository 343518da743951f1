"""How many digits a text is made of: what CAST of it to a number rests on."""

from __future__ import annotations

from datetime import date

import duckdb
import pytest

from dpsql.core.functions.build import make
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Column, Literal, Ref
from dpsql.core.plan.values import Values, of_constant, union
from dpsql.types import DATE, INTEGER, VARCHAR

TEXT = Ref(Column(1, "s", VARCHAR))


@pytest.mark.parametrize(
    ("count", "fill", "digits", "found"),
    [(3, "0", 2, 3), (1, "0", 2, 1), (0, "0", 2, None), (3, " ", 2, None), (3, "0", None, None)],
)
def test_filled_up_to_a_length(
    count: int, fill: str, digits: int | None, found: int | None
) -> None:
    args = (TEXT, Literal(count, INTEGER), Literal(fill, VARCHAR))
    known = {1: Values(nullable=False, digits=digits)}
    assert infer(make("lpad", args, None), known).most_digits == found


@pytest.mark.parametrize(
    ("text", "found"), [("007", 3), ("", None), ("-1", None), ("²", None), ("٣", None)]
)
def test_of_a_constant(text: str, found: int | None) -> None:
    assert of_constant(text).most_digits == found


def test_of_either_of_two() -> None:
    two, five, any_ = Values(digits=2), Values(digits=5), Values()
    assert union([two, five]).most_digits == 5
    assert union([two, any_]).most_digits is None
    assert union([two, of_constant("123")]).most_digits == 3
    assert union([two, of_constant(None)]).most_digits == 2


DAYS = "(SELECT unnest(generate_series(DATE '1000-01-01', DATE '9999-12-31', INTERVAL 1 DAY)) AS d)"
DAY = Ref(Column(2, "d", DATE))


@pytest.mark.parametrize("text", ["%Y%m%d", "%Y%m", "%y%j", "%H%M%S", "1%d", "%Y%m%d%H%M%S", "%Y"])
@pytest.mark.one_in(2)
def test_of_a_written_day(text: str) -> None:
    """Exactly so many, of every day of these years."""
    form = make("strftime", (DAY, Literal(text, VARCHAR)), None)
    found = infer(form, {2: Values(date(1000, 1, 1), date(9999, 12, 31))}).digits
    asked = f"SELECT DISTINCT strftime(d, '{text}') AS s FROM {DAYS}"
    ends = f"SELECT MAX(LENGTH(s)), BOOL_AND(regexp_full_match(s, '[0-9]+')) FROM ({asked})"
    assert duckdb.execute(ends).fetchall() == [(found, True)]


@pytest.mark.parametrize(
    ("text", "first"),
    [("%Y%m%d", 999), ("%Y-%m", 1000), ("%-d", 1000), ("%Y%b", 1000), ("%f", 1000), ("%%1", 1000)],
)
def test_of_days_that_are_written_otherwise_no_digits_are_known(text: str, first: int) -> None:
    form = make("strftime", (DAY, Literal(text, VARCHAR)), None)
    assert infer(form, {2: Values(date(first, 12, 31), date(9999, 12, 31))}).digits is None
