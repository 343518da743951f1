"""No sequence of calls spends less than it charged, or grants more than the budget."""

from __future__ import annotations

import shutil
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from tempfile import mkdtemp
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from dpsql.core.account import accountants
from dpsql.core.account.account import Account, Accountant, Cap
from dpsql.core.account.amount import Cost
from dpsql.core.account.loss import NOTHING, Loss, approximate
from dpsql.errors import BudgetExceeded, EngineError, LedgerTampered, RequestExists
from dpsql.platform.ledger import admission
from dpsql.platform.ledger.ledger import Entry, Stored
from dpsql.platform.ledger.opening import acknowledge, open_ledger
from dpsql.platform.ledger.sql_ledger import SqlLedger
from dpsql.platform.ledger.witness import Witness
from tests.accounting.damage import rows

DAY = timedelta(days=1)
DELTA = Fraction(1, 10**6)
TOTAL = Cost(Fraction(2), DELTA)
CAPS = (
    Cap("ann", Cost(Fraction(1), DELTA)),
    Cap("two", Cost(Fraction(3, 2), DELTA), frozenset("ab")),
)

LINES = "SELECT since, until, clock, kind FROM charge ORDER BY number"

amounts = st.sampled_from([Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(1, 7)])
losses = st.builds(
    lambda eps, fine: (
        Loss(Cost(eps), eps**2 / 4, Fraction(0), approximate(Cost(eps)).renyi)
        if fine
        else approximate(Cost(eps))
    ),
    amounts,
    st.booleans(),
)
periods = st.sampled_from([None, DAY, 2 * DAY])


class Calls(RuleBasedStateMachine):
    """Calls on one ledger, with what they must have done added up beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp(prefix="dpsql-machine-"))
        self.path = self.folder / "ledger"
        self.time = datetime.now(UTC) + DAY  # later than the owner's acts
        self.spent: dict[str, Loss] = defaultdict(lambda: NOTHING)  # by the window's beginning
        self.by: dict[tuple[str, str], Loss] = defaultdict(lambda: NOTHING)
        self.window = ""
        self.copies: list[Path] = []
        self.keys: set[tuple[str, str]] = set()

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def open(self) -> SqlLedger:
        account = Account(TOTAL, self.kind, "data", CAPS, self.period)
        return open_ledger(self.path, account, witness=self.folder / "state")

    @initialize(kind=st.sampled_from(["approx", "zcdp", "rdp"]), period=periods)
    def begin(self, kind: Accountant, period: timedelta | None) -> None:
        self.kind, self.period = kind, period
        self.ledger = self.open()

    def charged(self, loss: Loss, analyst: str) -> None:
        """What a line that is there by now must have spent."""
        self.window = rows(str(self.path), LINES)[-1][0]
        self.spent[self.window] = self.spent[self.window] + loss.rounded_up()
        name = analyst, self.window
        self.by[name] = self.by[name] + loss.rounded_up()

    @rule(
        loss=losses,
        analyst=st.sampled_from(["ann", "a", "b", ""]),
        hours=st.integers(-40, 30),
        key=st.sampled_from(["", "", "x", "y"]),
    )
    def reserve(self, loss: Loss, analyst: str, hours: int, key: str) -> None:
        self.time += timedelta(hours=hours)  # clocks also go back
        before = self.ledger.entries()
        try:
            number = self.ledger.reserve(loss, Entry("q", "[]", self.time, analyst, key))
        except BudgetExceeded:
            assert self.ledger.entries() == before
            return
        except RequestExists:
            assert (analyst, key) in self.keys and self.ledger.entries() == before
            return
        assert (analyst, key) not in self.keys
        if key:
            self.keys.add((analyst, key))
        assert self.ledger.paid_by(number) == number
        self.charged(loss, analyst)
        if number % 2:
            self.ledger.commit(number, (Stored("k", "f", f"[{number}]"),))
        # What was granted is within the budget, added up here and not there.
        assert accountants.fits(self.kind, TOTAL, self.spent[self.window])
        for cap in CAPS:
            names = cap.members or {cap.name}
            own = sum((self.by[name, self.window] for name in names), NOTHING)
            if analyst in names:
                assert accountants.fits(self.kind, cap.most, own)

    @rule(loss=losses)
    def fails_before_it_is_charged(self, loss: Loss) -> None:
        before = self.ledger.entries()
        failing = patch.object(admission, "check", side_effect=EngineError("failed"))
        with failing, pytest.raises(EngineError):
            self.ledger.reserve(loss, Entry("q", time=self.time))
        assert self.ledger.entries() == before

    @rule(loss=losses)
    def fails_after_it_is_charged(self, loss: Loss) -> None:
        # No other query is the same: that would take its charge up, see test_resuming.py.
        before = len(self.ledger.entries())
        failing = patch.object(Witness, "advance", side_effect=EngineError("failed"))
        with failing, pytest.raises((EngineError, BudgetExceeded)):
            self.ledger.reserve(loss, Entry(f"fails {before}", time=self.time))
        self.ledger = self.open()  # the witness sees it
        if len(self.ledger.entries()) > before:
            self.charged(loss, "")

    @rule(period=periods)
    def open_again(self, period: timedelta | None) -> None:
        self.period = period
        before = self.ledger.entries()
        self.ledger = self.open()
        assert self.ledger.entries()[: len(before)] == before

    @rule(kind=st.sampled_from(["approx", "zcdp", "rdp"]))
    def another_rule(self, kind: Accountant) -> None:
        self.kind = kind
        account = Account(TOTAL, kind, "data", CAPS, self.period)
        open_ledger(
            self.path, account, witness=self.folder / "state", rule=False
        ).change_accountant(self.kind)
        self.ledger = self.open()

    @precondition(lambda self: len(self.copies) < 3)
    @rule()
    def copy(self) -> None:
        copy = self.folder / f"copy {len(self.copies)}"
        shutil.copy(self.path, copy)
        self.copies.append(copy)

    @precondition(lambda self: self.copies)
    @rule(data=st.data())
    def put_an_older_copy_back(self, data: st.DataObject) -> None:
        copy = data.draw(st.sampled_from(self.copies))
        before = rows(str(self.path), LINES)
        same = copy.read_bytes() == self.path.read_bytes()
        shutil.copy(copy, self.path)
        if not same and len(rows(str(self.path), LINES)) < len(before):
            with pytest.raises(LedgerTampered):
                self.open()
        account = Account(TOTAL, self.kind, "data", CAPS, self.period)
        line = acknowledge(self.path, account, witness=self.folder / "state")
        if line is not None:
            # Whatever window that is by now: all that the last one had spent is in it.
            assert self.spent[self.window] - line.spent == NOTHING
            # The requests of lines that are gone are not known any more.
            known = rows(str(self.path), "SELECT analyst, request FROM charge")
            self.keys = {(analyst, key) for analyst, key in known if key}
        open_ledger(
            self.path, account, witness=self.folder / "state", rule=False
        ).change_accountant(self.kind)
        self.ledger = self.open()

    @invariant()
    def nothing_is_lost(self) -> None:
        if not hasattr(self, "ledger"):
            return
        lines = self.ledger.entries()
        numbers = [line.number for line in lines]
        assert numbers == sorted(set(numbers))
        if not lines:
            return
        kept = rows(str(self.path), LINES)
        # Never less than was charged; and no window begins before the last one's end.
        assert self.spent[kept[-1][0]] - lines[-1].spent == NOTHING
        for (since, until, _, _), (later, _, clock, kind) in pairwise(kept):
            assert since == later or kind == "acknowledged" or (until and clock >= until)


def test_no_sequence_of_calls_forgets_or_overspends() -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Calls,
        settings=settings(
            max_examples=5,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.deep
def test_no_long_sequence_of_calls_forgets_or_overspends() -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Calls,
        settings=settings(
            max_examples=150,
            stateful_step_count=50,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
