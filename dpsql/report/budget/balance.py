"""The account at one moment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from dpsql.core.account import accountants
from dpsql.core.account.account import Account
from dpsql.core.account.loss import NOTHING, Loss
from dpsql.platform.ledger.ledger import Charge, Ledger
from dpsql.report.budget import account_document
from dpsql.report.budget.caps import CapState, binding, states
from dpsql.report.budget.line import LedgerLine, csv_text
from dpsql.report.document import Document
from dpsql.report.figures import QueryCost, least, most
from dpsql.report.forms import Documented, Plain, plain
from dpsql.report.pictures import written

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class BudgetWindow(Plain):
    """The time for which the present budget is.

    Attributes:
        begun: with its first charge; None before that.
        ends: when the whole budget is there again.
    """

    begun: datetime | None
    ends: datetime | None


@dataclass(frozen=True, slots=True)
class Present:
    """What all lines together say, where not all are shown; see `Budget.caps` and `.window`."""

    caps: tuple[CapState, ...]
    window: BudgetWindow | None


@dataclass(frozen=True, slots=True, repr=False)
class Budget(Documented):
    """What may be spent, what was, and what is left, when it was asked for.

    Attributes:
        account: what the owner decided.
        loss: what was spent in the present window, exactly, by every way of adding up.
    """

    account: Account
    loss: Loss
    _lines: Callable[[], tuple[Charge, ...]] = field(compare=False)
    _failures: Callable[[], Mapping[str, int]] = field(compare=False, default=dict)
    _now: Present | None = field(compare=False, default=None)

    @classmethod
    def of(cls, ledger: Ledger) -> Budget:
        """The state of a ledger. Its lines are read only when they are asked for.

        Raises:
            EngineError: it cannot be read.
        """
        return cls(ledger.account, ledger.loss, cache(ledger.entries), cache(ledger.failures))

    def seen_by(self, analyst: str) -> Budget:
        """What one of several analysts is shown: the whole account, and of analysts himself alone.

        Raises:
            EngineError: the ledger cannot be read.
        """
        mine = replace(self.account, caps=self.account.caps_of(analyst))
        lines = tuple(line for line in self._lines() if line.entry.analyst == analyst)
        failed = {name: n for name, n in self._failures().items() if name == analyst}
        now = Present(self.caps_of(analyst), self.window)
        return Budget(mine, self.loss, lambda: lines, lambda: failed, now)

    @property
    def total(self) -> QueryCost:
        """The (ε, δ) that all answers together satisfy, in each window if there are windows."""
        return QueryCost(self.account.total)

    @property
    def spent(self) -> QueryCost:
        """Σε and Σδ of what was charged. By zcdp and rdp it may pass the total: see `guarantee`."""
        return QueryCost(self.loss.cost)

    @property
    def remaining(self) -> QueryCost:
        """The largest further charge that would be granted to whoever has no cap."""
        kind = self.account.accountant
        return QueryCost(accountants.remaining(kind, self.account.total, self.loss))

    @property
    def accountant(self) -> str:
        """The rule by which costs add up."""
        return self.account.accountant

    @property
    def guarantee(self) -> QueryCost:
        """The (ε, δ) that all answers so far satisfy, by the accountant's rule."""
        kind = self.account.accountant
        return QueryCost(accountants.guarantee(kind, self.account.total, self.loss))

    @property
    def history(self) -> tuple[LedgerLine, ...]:
        """Every line of the ledger, oldest first, those of earlier windows too.

        Raises:
            EngineError: the ledger cannot be read.
        """
        return tuple(map(LedgerLine, self._until_now()))

    @property
    def failures(self) -> Mapping[str, int]:
        """By analyst: how many charged queries failed since the owner looked. At
        `account.failures` the analyst is locked.

        Raises:
            EngineError: the ledger cannot be read.
        """
        return self._failures()

    @property
    def caps(self) -> tuple[CapState, ...]:
        """What analysts may spend and what they did, in the owner's order.

        Raises:
            EngineError: the ledger cannot be read.
        """
        if self._now is not None:
            return self._now.caps
        return tuple(states(self.account, self._present() if self.account.caps else ()))

    def caps_of(self, analyst: str) -> tuple[CapState, ...]:
        """The caps that bind an analyst; "" for nobody in particular.

        Raises:
            EngineError: the ledger cannot be read.
        """
        return binding(self.account, self.caps, analyst)

    @property
    def window(self) -> BudgetWindow | None:
        """The present window; None where the budget does not renew.

        Raises:
            EngineError: the ledger cannot be read.
        """
        if self._now is not None:
            return self._now.window
        if self.account.window is None:
            return None
        last = self._present()[-1:]
        return BudgetWindow(last[0].window, last[0].until) if last else BudgetWindow(None, None)

    def _until_now(self) -> tuple[Charge, ...]:
        """The lines that `loss` is the sum of; not those that others added since."""
        lines = self._lines()
        if self.loss == NOTHING:  # nothing yet; or not yet in this window, and all are earlier
            return lines
        known = [n for n, line in enumerate(lines, 1) if line.spent == self.loss]
        return lines[: known[-1]] if known else lines

    def _present(self) -> tuple[Charge, ...]:
        """The lines of the present window. Where one begins, the sum begins at nothing."""
        # The ledger alone decides what time it is: with its window, its loss is gone.
        if self.loss == NOTHING:
            return ()
        lines = self._until_now()
        return lines[max((n for n, x in enumerate(lines) if x.spent == x.loss), default=0) :]

    def to_dict(self) -> dict[str, object]:
        """All of it as plain data; amounts as numbers for reading, and of each line exactly as
        fractions in texts."""
        amounts = ("total", "spent", "remaining", "guarantee", "window", "caps", "history")
        found = {name: plain(getattr(self, name)) for name in amounts}
        spent = self.spent.to_dict() | {"rho": float(self.loss.rho)}
        who = {"account": self.account.identity, "accountant": self.accountant}
        return who | found | {"spent": spent}

    def _document(self) -> Document:
        """What is told on a page."""
        return account_document.document(self)

    def to_csv(self) -> str:
        """The lines as CSV, with a header; see `line.csv_text` for amounts and texts."""
        return csv_text(self.history)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """A picture: spending over time, and what each query took.

        Args:
            path: a file to write it to as well, as PNG, SVG or PDF by its ending.

        Raises:
            ImportError: matplotlib is missing (`pip install "dpsql[plot]"`).
            EngineError: the ledger cannot be read.
            OSError: the file cannot be written.
            ValueError: the ending is of no format that matplotlib writes.
        """
        from dpsql.report.budget.spending_picture import picture

        return written(picture(self), path)

    def __str__(self) -> str:
        if self.accountant not in ("zcdp", "rdp"):
            return f"{self.remaining} left of {self.total}"
        used, left = most(self.guarantee.exact.eps), least(self.remaining.exact.eps)
        return (
            f"ε = {used} of {self.total} used (accountant {self.accountant}); "
            f"one query of ε = {left} is left"
        )

    def __repr__(self) -> str:
        return f"<dpsql budget: {self}>"
