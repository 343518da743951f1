"""How many digits a text is made of: what CAST of it to a number rests on."""

from __future__ import annotations

import pytest

from dpsql.core.functions.build import make
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Column, Literal, Ref
from dpsql.core.plan.values import Values, of_constant, union
from dpsql.types import INTEGER, VARCHAR

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
