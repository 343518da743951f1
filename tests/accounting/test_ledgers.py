"""What every ledger promises: exact, never above the total, never refunded."""

import threading
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.account.amount import ZERO, Cost
from dpsql.core.account.loss import approximate
from dpsql.errors import BudgetExceeded, EngineError, InvalidBudget
from dpsql.platform.ledger.ledger import Entry, Ledger
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.accounting.conftest import Make
from tests.support.effort import tries
from tests.support.ledgers import durable

ONE = Cost(Fraction(1))
ENTRY = Entry("SELECT COUNT(*) FROM orders", '[{"name": "count"}]')
BERLIN = timezone(timedelta(hours=2))


def test_a_new_ledger_has_spent_nothing(make: Make) -> None:
    ledger = make(ONE)
    assert (ledger.total, ledger.spent, ledger.remaining) == (ONE, ZERO, ONE)
    assert ledger.entries() == ()


def test_ten_tenths_are_one(make: Make) -> None:
    ledger = make(ONE)
    tenth = Cost(Fraction(1, 10))
    assert [ledger.reserve(tenth, ENTRY) for _ in range(10)] == list(range(1, 11))
    assert ledger.spent == ONE
    assert ledger.remaining == ZERO
    with pytest.raises(BudgetExceeded):
        ledger.reserve(Cost(Fraction(1, 10**50)), ENTRY)


def test_a_refusal_says_what_is_left_and_charges_nothing(make: Make) -> None:
    ledger = make(Cost(Fraction(1), Fraction(1, 10**6)))
    ledger.reserve(Cost(Fraction(3, 4)), ENTRY)
    with pytest.raises(BudgetExceeded) as caught:
        ledger.reserve(Cost(Fraction(1, 2)), ENTRY)
    assert str(caught.value) == (
        "the query asks for ε = 0.5; ε = 0.25, δ = 1e-6 is left of ε = 1, δ = 1e-6"
    )
    assert caught.value.requested == (Fraction(1, 2), 0)
    assert caught.value.remaining == (Fraction(1, 4), Fraction(1, 10**6))
    assert ledger.spent == Cost(Fraction(3, 4))
    assert len(ledger.entries()) == 1
    assert ledger.reserve(Cost(Fraction(1, 4)), ENTRY) == 2


def test_delta_is_a_budget_too(make: Make) -> None:
    ledger = make(Cost(Fraction(10), Fraction(1, 10**6)))
    ledger.reserve(Cost(Fraction(1), Fraction(1, 10**6)), ENTRY)
    with pytest.raises(BudgetExceeded):
        ledger.reserve(Cost(Fraction(1), Fraction(1, 10**9)), ENTRY)
    pure = MemoryLedger(ONE)
    with pytest.raises(BudgetExceeded):
        pure.reserve(Cost(Fraction(1, 2), Fraction(1, 10**9)), ENTRY)
    assert ledger.reserve(Cost(Fraction(1)), ENTRY) == 2


@pytest.mark.parametrize("nul", ["", "\x00"])
def test_an_entry_comes_back_as_it_was(make: Make, nul: str) -> None:
    ledger = make(Cost(Fraction(1), Fraction(1, 10)))
    entry = Entry(
        *(f"SELECT 'ä€𝄞{nul}' -- \n", '{"a": [1]}', datetime(2026, 3, 29, 2, 30, tzinfo=BERLIN)),
        *("änn", "request 1", True, "0.1.0"),
    )
    cost = Cost(Fraction(1, 3), Fraction(1, 10**7))
    if nul and "postgres" in str(ledger._store.place):
        with pytest.raises(EngineError, match=r"^the ledger cannot hold this text; refused$"):
            ledger.reserve(cost, entry)
        assert ledger.spent == ZERO
        return
    ledger.reserve(cost, entry)
    ledger.reserve(cost, ENTRY)  # asked for by a clock that is behind
    first, second = ledger.entries()
    assert (first.number, first.entry, first.cost, first.spent.cost) == (1, entry, cost, cost)
    assert first.loss == approximate(cost).rounded_up()
    assert first.kind == "charge" and first.note == "" and not first.answered
    assert (second.number, second.entry, second.spent.cost) == (2, ENTRY, cost + cost)
    assert first.window is second.window is None
    assert len({first.hash, second.hash}) == 2


def test_awkward_fractions_are_rounded_up_and_stay_short(make: Make) -> None:
    ledger = make(Cost(Fraction(1)))
    asked = Fraction(0)
    for prime in (10**30 + 57, 10**30 + 61, 10**29 + 319, 10**28 + 331, 101):
        eps = Fraction(prime // 10, prime)
        asked += eps
        ledger.reserve(Cost(eps), ENTRY)
    assert asked < ledger.spent.eps < asked + Fraction(1, 10**50)
    assert len(str(ledger.spent.eps)) < 250


def test_a_cost_that_is_none_cannot_be_made(make: Make) -> None:
    ledger = make(ONE)
    for eps in (0.5, float("nan"), float("inf"), "1", -1):
        with pytest.raises(InvalidBudget):
            ledger.reserve(Cost(eps), ENTRY)  # type: ignore[arg-type]
    assert ledger.spent == ZERO


def test_threads_are_granted_exactly_the_budget(make: Make) -> None:
    ledger = make(Cost(Fraction(20)))
    granted: list[int] = []

    def work() -> None:
        for _ in range(10):
            with suppress(BudgetExceeded):
                granted.append(ledger.reserve(ONE, ENTRY))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(granted) == list(range(1, 21))
    assert ledger.remaining == ZERO


requests = st.lists(
    st.tuples(
        st.fractions(min_value=0, max_value=2, max_denominator=10**25),
        st.sampled_from([Fraction(0), Fraction(1, 10**6), Fraction(1, 3)]),
    ),
    max_size=12,
)


def check_any_sequence(ledger: Ledger, asked: list[tuple[Fraction, Fraction]]) -> None:
    granted = ZERO
    for eps, delta in asked:
        cost, before = Cost(eps, delta), ledger.remaining
        if before.covers(cost.rounded_up()):
            ledger.reserve(cost, ENTRY)
            granted = granted + cost
        else:
            with pytest.raises(BudgetExceeded) as caught:
                ledger.reserve(cost, ENTRY)
            assert caught.value.remaining == (before.eps, before.delta)
            assert ledger.remaining == before
    assert ledger.spent.covers(granted)  # never less than was granted
    assert ledger.total.covers(ledger.spent)  # never more than the total
    assert ledger.spent == sum((charge.cost for charge in ledger.entries()), ZERO)


@settings(deadline=None, max_examples=tries(25, 100))
@given(requests)
def test_no_sequence_exceeds_the_total_in_memory(asked: list[tuple[Fraction, Fraction]]) -> None:
    check_any_sequence(MemoryLedger(Cost(Fraction(3), Fraction(1, 2))), asked)


@settings(max_examples=tries(6, 25), deadline=None)
@given(requests)
def test_no_sequence_exceeds_the_total_in_sqlite(asked: list[tuple[Fraction, Fraction]]) -> None:
    with TemporaryDirectory() as folder:
        total = Cost(Fraction(3), Fraction(1, 2))
        check_any_sequence(durable(Path(folder, "l"), total), asked)
