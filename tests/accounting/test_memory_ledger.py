"""The in-memory ledger and forks."""

import os
from fractions import Fraction

import pytest

from dpsql.core.account.amount import Cost
from dpsql.errors import EngineError
from dpsql.platform.ledger.ledger import Entry
from dpsql.platform.ledger.memory_ledger import MemoryLedger


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_cannot_spend_the_budget_again() -> None:
    ledger = MemoryLedger(Cost(Fraction(1)))
    child = os.fork()
    if child == 0:
        try:
            ledger.reserve(Cost(Fraction(1)), Entry("q"))
        except EngineError:
            os._exit(42)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 42
    assert ledger.reserve(Cost(Fraction(1)), Entry("q")) == 1
