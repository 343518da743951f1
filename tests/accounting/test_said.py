"""What comments say of a query's price, by whichever way it came in."""

from __future__ import annotations

from fractions import Fraction
from time import monotonic

import pytest

from dpsql.errors import InvalidBudget
from dpsql.report.workloads.price_comments import amount, said


@pytest.mark.parametrize(
    ("comments", "eps", "delta"),
    [
        ([], None, None),
        (["of the month"], None, None),
        (["not eps: 1", "eps 1", "xeps: 1", "epsilon: 1"], None, None),
        ([" eps: 0.1 "], Fraction(1, 10), None),
        (["EPS:1/3", "delta: 1e-6"], Fraction(1, 3), Fraction(1, 10**6)),
        ([" eps: 0.10", "eps: 1/10", "x"], Fraction(1, 10), None),
        (["delta: 0"], None, Fraction(0)),
    ],
)
def test_what_is_said(comments: list[str], eps: Fraction | None, delta: Fraction | None) -> None:
    assert said(comments, "eps") == eps
    assert said(comments, "delta") == delta


@pytest.mark.parametrize(
    "comments",
    [["eps: 0.1", "eps: 0.2"], ["eps: 0.1", "EPS: x"], ["eps:"], ["eps: 0"], ["eps: nan"]],
)
def test_what_is_said_wrongly(comments: list[str]) -> None:
    with pytest.raises(InvalidBudget):
        said(comments, "eps")
    assert said(comments, "delta") is None


@pytest.mark.parametrize(
    "text", [" " * 900_000, " " * 900_000 + "y", "x" + " " * 900_000 + "y", "\n" * 900_000 + "1 2"]
)
def test_a_long_comment_takes_no_time(text: str) -> None:
    """A comment that was read in time that grows with its square stopped the whole server."""
    began = monotonic()
    with pytest.raises(InvalidBudget):
        said([f"eps:{text}"], "eps")
    assert said([f"{text}eps"], "eps") is None
    assert monotonic() - began < 5


def test_an_amount_is_of_its_kind() -> None:
    assert amount("eps", "2") == 2
    with pytest.raises(InvalidBudget):
        amount("delta", "2")
