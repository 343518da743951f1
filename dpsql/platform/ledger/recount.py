"""Whether lines follow each other and add up: a second, separate reading of what `admission` does.

Amounts are whole numbers here, of the ledger's grids: a hundred thousand lines take seconds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field
from datetime import datetime
from functools import lru_cache
from operator import add
from typing import Any

from dpsql.core.account.amount import UNIT
from dpsql.core.account.loss import NOTHING, ORDERS
from dpsql.core.account.windows import BudgetWindow, window_at
from dpsql.platform.ledger.admission import Head
from dpsql.platform.ledger.ledger import tampered
from dpsql.platform.ledger.lines import COLUMNS, intact, moment_text, period_of, period_text

Row = Sequence[Any]
Amounts = tuple[int, ...]


@dataclass(slots=True)
class Recount:
    """Checks one line after another.

    Attributes:
        head: what the first of them goes on from.
        seals: the hash of each stored answer, by its place.
        analysts: of each one the sums and what was lost, by his last line in the present window.
    """

    head: InitVar[Head]
    seals: dict[int, str]
    number: int = field(init=False)
    hash: str = field(init=False)
    period: str | None = field(init=False)
    accountant: str = field(init=False)
    clock: str = field(init=False, default="")
    window: BudgetWindow | None = field(init=False)
    spent: Amounts = field(init=False)
    lost: str = field(init=False)
    analysts: dict[str, tuple[Amounts, Amounts]] = field(init=False, default_factory=dict)

    def __post_init__(self, head: Head) -> None:
        self.number, self.hash, self.window = head.number, head.hash, head.window
        self.period, self.accountant = period_text(head.period), head.accountant
        self.clock = "" if head.clock is None else moment_text(head.clock)
        self.spent, self.lost = amounts(head.spent.text()), head.lost.text()

    def add(self, row: Row) -> None:
        """The next line.

        Raises:
            LedgerTampered: it is not what was written, or does not follow.
        """
        value = dict(zip(COLUMNS, row, strict=True))
        number = value["number"]
        if number != self.number + 1:
            raise tampered(f"line {self.number + 1} is missing")
        if value["before"] != self.hash or not intact(row):
            raise tampered(f"line {number} was changed")
        try:
            right = self._follows(value)
        except (ValueError, TypeError, ArithmeticError):
            right = False
        if not right:
            raise tampered(f"line {number} does not add up")
        self.number, self.hash, self.clock = number, value["hash"], value["clock"]
        self.period, self.accountant = value["period"], value["accountant"]

    def _follows(self, value: dict[str, Any]) -> bool:
        clock = datetime.fromisoformat(value["clock"])
        period, old = period_of(value["period"]), period_of(self.period)
        kind = value["kind"]
        window = window_at(self.window, old, period, clock)
        if self.window is None or window.since != self.window.since:
            self.spent, self.lost = _NOTHING, NOTHING.text()
            self.analysts.clear()
        lost, loss = amounts(self.lost), amounts(value["loss"])
        known = self.analysts.get(value["analyst"])
        own = lost if known is None else _plus(known[0], _minus(lost, known[1]))
        self.window, self.spent = window, _plus(self.spent, loss)
        self.analysts[value["analyst"]] = (_plus(own, loss), lost)
        return (
            value["clock"] >= self.clock
            and value["since"] == moment_text(window.since)
            and value["until"] == (None if window.until is None else moment_text(window.until))
            and (loss == _NOTHING or kind in ("charge", "acknowledged"))
            and (period == old or kind == "window")
            and (value["accountant"] == self.accountant or kind == "accountant")
            and value["lost"] == self.lost
            and amounts(value["spent"]) == self.spent
            and amounts(value["spent_by"]) == self.analysts[value["analyst"]][0]
            and self._sealed(value["sealed"])
        )

    def _sealed(self, sealed: str) -> bool:
        place, _, found = sealed.partition(":")
        return self.seals.get(int(place)) == found


@lru_cache(maxsize=256)
def amounts(text: str) -> Amounts:
    """A loss as whole numbers: what `Loss.text` says, on the ledger's grids.

    Raises:
        ValueError: it is no loss.
    """
    parts = json.loads(text)
    if not isinstance(parts, list) or len(parts) != 4 + len(ORDERS):
        raise ValueError("no privacy loss")
    found = []
    for part in parts[:3]:
        over, _, under = part.partition("/")
        whole, rest = divmod(int(over) * UNIT.denominator, int(under or 1))
        if rest:
            raise ValueError("no privacy loss of the ledger's")
        found.append(whole)
    found += map(int, parts[3:])
    if min(found) < 0:
        raise ValueError("no privacy loss")
    return tuple(found)


def _plus(a: Amounts, b: Amounts) -> Amounts:
    return tuple(map(add, a, b))


def _minus(a: Amounts, b: Amounts) -> Amounts:
    return tuple(max(0, x - y) for x, y in zip(a, b, strict=True))


_NOTHING = amounts(NOTHING.text())
