"""Exact amounts: what is an ε, what is not, and how they add up."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql.core.account import amount
from dpsql.core.account.amount import (
    UNIT,
    ZERO,
    Cost,
    decimal_text,
    parse_delta,
    parse_eps,
    round_up,
)
from dpsql.core.account.compose import basic
from dpsql.core.account.events import DiscreteLaplaceEvent
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.errors import InvalidBudget
from tests.support.effort import tries

amounts = st.fractions(min_value=0, max_value=1000, max_denominator=10**30)


@pytest.mark.parametrize(
    ("value", "eps"),
    [
        (1, Fraction(1)),
        (0.1, Fraction(1, 10)),
        (1e-9, Fraction(1, 10**9)),
        (Decimal("0.25"), Fraction(1, 4)),
        (Fraction(1, 3), Fraction(1, 3)),
        (10**6, Fraction(10**6)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.int64(2), Fraction(2)),
    ],
)
def test_an_eps_is_read_exactly(value: object, eps: Fraction) -> None:
    assert parse_eps(value) == eps
    assert type(parse_eps(value)) is Fraction


@pytest.mark.parametrize(
    "value",
    [
        *[math.nan, math.inf, -math.inf, 0, 0.0, -0.0, -1, -0.5, 5e-324, 1e-320, 1e-10, 1e7],
        *[10**5000, -(10**5000), True, False, "1", "1e5", None, b"1", [1], 1j, np.bool_(True)],
        *map(Decimal, ["NaN", "sNaN", "Infinity", "-1", "0", "1e999999999", "1e-999999999"]),
        *[Decimal("0." + "1" * 200), Fraction(0), Fraction(-1, 3), Fraction(1, 10**100)],
        *[Fraction(10**100 + 1, 10**100), np.float64("nan")],
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_eps_is_refused(value: object) -> None:
    with pytest.raises(InvalidBudget) as caught:
        parse_eps(value)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value).startswith("ε ")
    assert len(str(caught.value)) < 120
    assert not str(caught.value).endswith(".")  # so that it can be extended


def test_the_limit_is_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(amount, "MAX_EPS", Fraction(10**9))
    assert parse_eps(1e9) == 10**9


@pytest.mark.parametrize(
    ("value", "delta"),
    [
        (None, 0),
        (0, 0),
        (0.0, 0),
        (1e-5, Fraction(1, 10**5)),
        (Decimal("1e-12"), Fraction(1, 10**12)),
    ],
)
def test_a_delta_is_read_exactly(value: object, delta: Fraction) -> None:
    assert parse_delta(value) == delta


@pytest.mark.parametrize("value", [1, 1.0, 2, -1e-9, math.nan, math.inf, 5e-324, True, "0"])
def test_what_is_no_delta_is_refused(value: object) -> None:
    with pytest.raises(InvalidBudget, match=r"^δ "):
        parse_delta(value)


@given(st.floats(min_value=1e-9, max_value=1e6))
def test_a_float_is_the_decimal_it_shows(value: float) -> None:
    assert parse_eps(value) == Fraction(repr(value))
    assert round_up(parse_eps(value)) == parse_eps(value)  # on the ledger's grid


@given(amounts)
def test_rounding_is_upward_and_tiny(value: Fraction) -> None:
    rounded = round_up(value)
    assert value <= rounded < value + UNIT
    assert round_up(rounded) == rounded


@pytest.mark.parametrize("value", [Fraction(1, n) for n in range(1, 101)])
def test_simple_fractions_are_on_the_grid(value: Fraction) -> None:
    assert round_up(value) == value


def test_a_million_tenths_are_exactly_a_tenth_of_a_million() -> None:
    tenth = Cost(parse_eps(0.1)).rounded_up()
    spent = ZERO
    count = tries(10**5, 10**6)
    for _ in range(count):
        spent = spent + tenth
    assert spent == Cost(Fraction(count, 10))


@given(amounts, amounts, amounts, amounts)
def test_costs_add_and_leave(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> None:
    left, right = Cost(a, b), Cost(c, d)
    assert left + right == Cost(a + c, b + d)
    assert (left + right) - right == left
    assert (left + right).covers(right)
    assert (left - right).eps == max(0, a - c)
    assert left.covers(right) == (c <= a and d <= b)


@pytest.mark.parametrize("part", [0.5, 1, True, "1", None, math.nan, Fraction(-1)])
def test_a_cost_is_exact_and_not_negative(part: Fraction) -> None:
    with pytest.raises(InvalidBudget):
        Cost(part)
    with pytest.raises(InvalidBudget):
        Cost(Fraction(1), part)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0", "0"),
        ("1", "1"),
        ("100", "100"),
        ("1/2", "0.5"),
        ("1/10", "0.1"),
        ("123456789/1000", "123456.789"),
        ("1/10000", "0.0001"),
        ("1/1000000", "1e-6"),
        ("15/10000000", "1.5e-6"),
        ("1/1000000000000000000000", "1e-21"),
        ("1/3", "0.333333333333…"),
        ("200/3", "66.6666666666…"),
        ("1/300", "0.00333333333333…"),
        ("10000000000000000000000001/10", "1000000000000000000000000.1"),
    ],
)
def test_amounts_are_shown_as_decimals(value: str, text: str) -> None:
    if text.endswith("000.1"):
        text = "1000000000000000000000000…"  # 12 digits, and never more than there is
    assert decimal_text(Fraction(value)) == text


@given(amounts)
def test_a_shown_amount_is_never_more_than_there_is(value: Fraction) -> None:
    text = decimal_text(value)
    shown = Fraction(text.rstrip("…"))
    assert shown == value or (
        text.endswith("…") and shown < value < shown * (1 + Fraction(1, 10**10))
    )


def test_a_cost_shows_its_delta_only_if_it_has_one() -> None:
    assert str(Cost(Fraction(1, 2))) == "ε = 0.5"
    assert str(Cost(Fraction(1, 2), Fraction(1, 10**6))) == "ε = 0.5, δ = 1e-6"


@given(
    st.fractions(min_value=Fraction(1, 1000), max_value=100),
    st.lists(st.integers(0, 10**9), min_size=1, max_size=8),
)
def test_a_query_never_costs_more_than_it_was_given(eps: Fraction, l1s: list[int]) -> None:
    share = eps / len(l1s)
    events = [DiscreteLaplace.calibrate(l1, share).event(l1) for l1 in l1s]
    assert Cost(eps).covers(basic(events))


def test_composition_is_a_sum() -> None:
    assert basic([]) == ZERO
    events = [DiscreteLaplaceEvent(10.0, 1)] * 100
    assert basic(events) == Cost(Fraction(10))


@pytest.mark.parametrize(("scale", "l1"), [(0.0, 1), (-1.0, 1), (math.nan, 1), (1.0, -1)])
def test_an_event_without_noise_is_none(scale: float, l1: int) -> None:
    with pytest.raises(ValueError, match="noise"):
        DiscreteLaplaceEvent(scale, l1)


@pytest.mark.parametrize(
    ("text", "exact"),
    [("0.5", Fraction(1, 2)), ("1/3", Fraction(1, 3)), (" 1e-6 ", Fraction(1, 10**6)), ("2", 2)],
)
def test_an_amount_is_read_as_it_is_written(text: str, exact: Fraction) -> None:
    assert parse_eps(amount.read(text)) == exact


@pytest.mark.parametrize(
    "text", ["", "much", "1/0", "1/2/3", "0x1", "1,5", "1_0", "1_0/3", "٣", "１"]
)
def test_a_text_that_is_no_amount(text: str) -> None:
    with pytest.raises(InvalidBudget, match=r"is no ε; write a number such as 0\.5 or 1/3"):
        amount.read(text, "ε")


def test_a_huge_exponent_is_never_written_out() -> None:
    """As a fraction it would fill the memory; in a comment of a file it did."""
    with pytest.raises(InvalidBudget, match="ε has too many digits"):
        amount.read("1" * 201, "ε")
    for text in ("1e999999999", "1e-999999999"):
        with pytest.raises(InvalidBudget, match="out of range"):
            parse_eps(amount.read(text))
