"""The account of a data set: what may be spent, what was, and the one way to spend.

`Ledger.reserve` is called before the engine is asked for anything. When it returns, the charge is
durable; it is never refunded, whatever happens next. When it raises, the query must not run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from dpsql.accounting.amount import Cost
from dpsql.errors import BudgetExceeded


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """Why a charge is made: functions of the query and the policy, never of the data.

    Attributes:
        sql: the canonical query text.
        releases: a JSON text that describes the releases (sensitivities, mechanism, ε, δ).
        time: when it was asked for (UTC); for the reader only, nothing depends on it.
    """

    sql: str
    releases: str = "[]"
    time: datetime = field(default_factory=_now)


@dataclass(frozen=True, slots=True)
class Charge:
    """One line of the ledger.

    Attributes:
        number: 1, 2, 3, … without gaps.
        entry: what was asked.
        cost: what it was charged.
        spent: everything spent so far, this line included.
    """

    number: int
    entry: Entry
    cost: Cost
    spent: Cost


class Ledger(Protocol):
    """An account that charges exactly, and only while the total lasts."""

    @property
    def total(self) -> Cost:
        """What the policy allows altogether."""

    @property
    def spent(self) -> Cost:
        """What was charged so far. Raises EngineError if it cannot be read."""

    @property
    def remaining(self) -> Cost:
        """total − spent, never below zero. Raises EngineError if it cannot be read."""

    def reserve(self, cost: Cost, entry: Entry) -> int:
        """Charge `cost`, durably, and return the number of the line.

        Raises:
            BudgetExceeded: more than is left; nothing was charged.
            EngineError: the ledger failed; the query must not run. The charge may stand.
        """

    def entries(self) -> tuple[Charge, ...]:
        """Every charge, oldest first. Raises EngineError if they cannot be read."""


def charged(total: Cost, spent: Cost, cost: Cost) -> tuple[Cost, Cost]:
    """(the cost on the ledger's grid, everything spent after it): the rule all ledgers share.

    Raises:
        BudgetExceeded: `cost` is more than is left of `total`.
    """
    exact = cost.rounded_up()
    after = spent + exact
    if total.covers(after):
        return exact, after
    left = total - spent
    raise BudgetExceeded(
        f"the query asks for {cost}; {left} is left of {total}",
        requested=(cost.eps, cost.delta),
        remaining=(left.eps, left.delta),
    )
