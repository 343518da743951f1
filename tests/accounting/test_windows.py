"""Budgets that are renewed: which window a moment is in, and that no clock opens one early."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql.core.account import windows
from dpsql.core.account.account import Account, Cap
from dpsql.core.account.amount import ZERO, Cost
from dpsql.core.account.windows import BudgetWindow, window_at
from dpsql.errors import BudgetExceeded, EngineError, InvalidBudget
from dpsql.platform.ledger.ledger import Entry
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.accounting.conftest import Make, opened
from tests.accounting.damage import rows

START = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
STEP = timedelta(microseconds=1)
ONE = Cost(Fraction(1))
HALF = Cost(Fraction(1, 2))


def at(time: datetime, analyst: str = "") -> Entry:
    return Entry("SELECT 1", time=time, analyst=analyst)


def test_windows_follow_the_first_line() -> None:
    first = window_at(None, DAY, DAY, START)
    assert first == BudgetWindow(START, START + DAY)
    assert window_at(first, DAY, DAY, START + DAY - STEP) is first
    assert window_at(first, DAY, DAY, START + DAY) == BudgetWindow(START + DAY, START + 2 * DAY)
    late = window_at(first, DAY, DAY, START + 7 * DAY - STEP)
    assert late == BudgetWindow(START + 6 * DAY, START + 7 * DAY)


def test_without_a_length_it_never_ends() -> None:
    first = window_at(None, None, None, START)
    assert first == BudgetWindow(START, None)
    assert window_at(first, None, None, START + 10**4 * DAY) is first


@pytest.mark.parametrize(
    ("old", "new", "until"),
    [
        (3 * DAY, DAY, START + 3 * DAY),  # shorter: as promised
        (3 * DAY, 5 * DAY, START + 5 * DAY),  # longer: at once
        (3 * DAY, None, None),
        (None, 2 * DAY, START + DAY + 2 * DAY),  # a whole window from the owner's decision
        (None, None, None),
    ],
)
def test_another_length_forgives_nothing_in_the_running_window(
    old: timedelta | None, new: timedelta | None, until: datetime | None
) -> None:
    first = window_at(None, old, old, START)
    assert window_at(first, old, new, START + DAY) == BudgetWindow(START, until)


def test_another_length_is_that_of_the_windows_after_it() -> None:
    first = window_at(None, 3 * DAY, 3 * DAY, START)
    changed = window_at(first, 3 * DAY, DAY, START + DAY)
    assert window_at(changed, DAY, DAY, START + 3 * DAY) == BudgetWindow(
        START + 3 * DAY, START + 4 * DAY
    )
    assert window_at(first, 3 * DAY, None, START + 5 * DAY) == BudgetWindow(START + 3 * DAY, None)


periods = st.sampled_from([None, DAY, 2 * DAY, timedelta(hours=7)])


@given(st.lists(st.tuples(periods, st.integers(0, 90)), min_size=1, max_size=12))
def test_windows_never_overlap_and_never_end_early(
    steps: list[tuple[timedelta | None, int]],
) -> None:
    moment, old, before = START, steps[0][0], None
    for period, hours in steps:
        moment += timedelta(hours=hours)
        found = window_at(before, old, period, moment)
        assert found.since <= moment and not found.over(moment)
        if before is not None:
            if found.since == before.since:  # the same one: it ends as promised, or later
                assert (
                    found.until is None
                    or (before.until and found.until >= before.until)
                    or (before.until is None and period and found.until == moment + period)
                )
            else:  # another one: the one before was over
                assert before.until is not None and found.since >= before.until
        before, old = found, period


def test_the_calendar_ends() -> None:
    with pytest.raises(InvalidBudget):
        windows.check(timedelta(0))
    with pytest.raises(InvalidBudget):
        windows.check(timedelta(days=366_001))
    late = datetime(9999, 1, 1, tzinfo=UTC)
    assert window_at(None, timedelta(366), timedelta(366), late) == BudgetWindow(late, None)
    with pytest.raises(InvalidBudget, match="positive"):
        MemoryLedger(Account(ONE, window=-DAY))


def test_each_window_has_the_whole_budget_and_no_more(make: Make) -> None:
    ledger = make(Account(ONE, window=DAY))
    ledger.reserve(HALF, at(START))
    ledger.reserve(HALF, at(START + DAY - STEP))
    with pytest.raises(BudgetExceeded):
        ledger.reserve(HALF, at(START + DAY - STEP))
    ledger.reserve(HALF, at(START + DAY))
    lines = ledger.entries()
    assert [line.spent.cost for line in lines] == [HALF, ONE, HALF]
    assert [line.window for line in lines] == [START, START, START + DAY]


def test_a_clock_that_is_set_back_opens_nothing(make: Make) -> None:
    ledger = make(Account(ONE, window=DAY))
    ledger.reserve(HALF, at(START + DAY))
    ledger.reserve(HALF, at(START - 5 * DAY))
    for time in (START - 5 * DAY, START, START + 2 * DAY - STEP):
        with pytest.raises(BudgetExceeded):
            ledger.reserve(HALF, at(time))
    first, second = ledger.entries()
    assert second.window == first.window == START + DAY
    assert second.entry.time == START - 5 * DAY  # what was asked is kept as it was


def test_a_clock_that_is_set_back_is_not_written_as_time(where: str) -> None:
    ledger = opened(where, Account(ONE, window=DAY))
    for days in (3, 1):
        ledger.reserve(HALF, at(START + days * DAY))
    first, second = rows(where, "SELECT clock FROM charge ORDER BY number")
    assert first == second == ("2026-01-04T00:00:00.000000+00:00",)
    assert len(opened(where, Account(ONE, window=DAY)).entries()) == 2


def test_two_machines_whose_clocks_differ_share_a_window(make: Make) -> None:
    ledger = make(Account(ONE, window=DAY))
    slow = timezone(-timedelta(hours=11))
    ledger.reserve(HALF, at(START + DAY / 2))
    # A machine that is an hour slow, and in another time zone.
    ledger.reserve(HALF, at((START + DAY / 2 - timedelta(hours=1)).astimezone(slow)))
    for time in (START + DAY, START + DAY / 4):
        with pytest.raises(BudgetExceeded):
            ledger.reserve(HALF, at(time))
    ledger.reserve(HALF, at((START + 3 * DAY / 2).astimezone(slow)))
    assert [line.spent.cost for line in ledger.entries()] == [HALF, ONE, HALF]


def test_what_is_left_is_said_by_the_later_clock(make: Make) -> None:
    ledger = make(Account(ONE, window=DAY))
    ledger.reserve(ONE, at(START))  # long ago
    assert (ledger.spent, ledger.remaining) == (ZERO, ONE)
    ahead = datetime.now(UTC) + 100 * DAY
    ledger.reserve(ONE, at(ahead))
    assert (ledger.spent, ledger.remaining) == (ONE, ZERO)


def test_a_shorter_length_forgives_nothing_now(where: str) -> None:
    now = datetime.now(UTC)
    opened(where, Account(ONE, window=30 * DAY)).reserve(ONE, at(now))
    shorter = opened(where, Account(ONE, window=timedelta(seconds=1)))
    assert shorter.entries()[-1].kind == "window"
    for time in (now + DAY, now + 30 * DAY - STEP):
        with pytest.raises(BudgetExceeded):
            shorter.reserve(HALF, at(time))
    assert shorter.reserve(HALF, at(now + 30 * DAY)) == 3


def test_windows_that_come_later_count_from_then(where: str) -> None:
    now = datetime.now(UTC)
    opened(where, ONE).reserve(ONE, at(now - 50 * DAY))
    renewed = opened(where, Account(ONE, window=DAY))
    (_, decided) = renewed.entries()
    assert (decided.kind, decided.note) == ("window", '{"window": "86400000000"}')
    assert decided.spent.cost == ONE
    with pytest.raises(BudgetExceeded):
        renewed.reserve(HALF, at(decided.entry.time + DAY - STEP))
    renewed.reserve(HALF, at(decided.entry.time + DAY))
    again = opened(where, Account(ONE, window=DAY))
    assert len(again.entries()) == 3  # opening it again decides nothing
    assert again.spent in (HALF, ZERO)


def test_a_process_with_an_older_policy_must_open_it_again(where: str) -> None:
    old = opened(where, Account(ONE, window=DAY))
    opened(where, Account(ONE, window=2 * DAY))
    with pytest.raises(EngineError, match=r"^the ledger has other windows by now; open it again; "):
        old.reserve(HALF, at(START))


def test_caps_are_renewed_too(make: Make) -> None:
    ledger = make(Account(ONE, caps=(Cap("ann", HALF),), window=DAY))
    ledger.reserve(HALF, at(START, "ann"))
    with pytest.raises(BudgetExceeded, match="the cap of ann"):
        ledger.reserve(HALF, at(START + DAY - STEP, "ann"))
    ledger.reserve(HALF, at(START + DAY, "ann"))
    assert [line.spent_by.cost for line in ledger.entries()] == [HALF, HALF]
