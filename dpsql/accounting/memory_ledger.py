"""A ledger for data that lives only as long as the process does."""

from __future__ import annotations

import os
from threading import Lock

from dpsql.accounting.amount import ZERO, Cost
from dpsql.accounting.ledger import Charge, Entry, charged
from dpsql.errors import EngineError


class MemoryLedger:
    """An account in memory, safe for threads.

    A forked child is refused: it has a copy of the data and of the account, and each copy would
    grant the budget again.

    Args:
        total: what may be spent altogether.
    """

    def __init__(self, total: Cost) -> None:
        self._total = total
        self._charges: list[Charge] = []
        self._lock = Lock()
        self._pid = os.getpid()

    @property
    def total(self) -> Cost:
        """What the policy allows altogether."""
        return self._total

    @property
    def spent(self) -> Cost:
        """What was charged so far."""
        # A copy first: another thread may append between a test and an index.
        last = self._charges[-1:]
        return last[0].spent if last else ZERO

    @property
    def remaining(self) -> Cost:
        """total − spent."""
        return self._total - self.spent

    def reserve(self, cost: Cost, entry: Entry) -> int:
        """Charge `cost` and return the number of the line.

        Raises:
            BudgetExceeded: more than is left; nothing was charged.
            EngineError: called in a forked child.
        """
        # Before the lock: a fork may have copied it while another thread held it.
        if os.getpid() != self._pid:
            raise EngineError("the in-memory ledger belongs to another process; refused")
        with self._lock:
            exact, after = charged(self._total, self.spent, cost)
            number = len(self._charges) + 1
            self._charges.append(Charge(number, entry, exact, after))
            return number

    def entries(self) -> tuple[Charge, ...]:
        """Every charge, oldest first."""
        return tuple(self._charges)
