"""What several mechanisms cost together, by each way of adding up, side by side.

All but `basic` need a δ for their ε, and take that of basic composition where it is less. They are
figures for mechanisms that are fixed beforehand: what a ledger grants to queries chosen one after
the other is its accountant's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dpsql.core.account import compose, pld
from dpsql.core.account.amount import Cost
from dpsql.core.account.conversion import eps_of_divergence, eps_of_rho
from dpsql.core.account.events import Event
from dpsql.core.account.loss import ORDERS, Loss
from dpsql.once import Once
from dpsql.report.figures import QueryCost


@dataclass(frozen=True, slots=True)
class Totals:
    """The total of a query, or of several.

    Attributes:
        loss: what a ledger is charged, by each way of adding up.
        delta: the δ at which `zcdp`, `rdp` and `pld` are; 0 where there is none.
        events: how often each mechanism is used.
    """

    loss: Loss
    delta: Fraction
    events: Mapping[Event, int] = field(repr=False)
    _pld: Once[Fraction] = field(repr=False, compare=False)

    @property
    def basic(self) -> QueryCost:
        """(Σε, Σδ)."""
        return QueryCost(self.loss.cost)

    @property
    def zcdp(self) -> QueryCost | None:
        """By zero-concentrated privacy; None without a δ."""
        return self._least(lambda delta: eps_of_rho(self.loss.rho, delta))

    @property
    def rdp(self) -> QueryCost | None:
        """By Rényi divergences; None without a δ."""
        pairs = list(zip(ORDERS, self.loss.renyi, strict=True))
        return self._least(lambda at: min(eps_of_divergence(o, used, at) for o, used in pairs))

    @property
    def pld(self) -> QueryCost | None:
        """By privacy loss distributions; None without a δ. It is computed when it is first asked
        for: that takes a moment where there are many different mechanisms.
        """
        return self._at(self._pld)

    @property
    def least(self) -> Fraction:
        """The ε of `pld`, exactly."""
        return self._pld()

    def _least(self, eps: Callable[[Fraction], Fraction]) -> QueryCost | None:
        return self._at(lambda: compose.least(self.loss, self.delta, eps))

    def _at(self, eps: Callable[[], Fraction]) -> QueryCost | None:
        return QueryCost(Cost(eps(), self.delta)) if self.delta else None

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        found: dict[str, object] = {"delta": float(self.delta), "rho": float(self.loss.rho)}
        by = {"basic": self.basic, "zcdp": self.zcdp, "rdp": self.rdp, "pld": self.pld}
        return found | {name: cost and cost.to_dict() for name, cost in by.items()}


def totals(events: Mapping[Event, int], loss: Loss, delta: Fraction) -> Totals:
    """The totals of mechanisms, whose sum a ledger is charged as `loss`.

    Args:
        events: how often each mechanism is used.
        loss: of all of them, for a ledger.
        delta: of the budget, which is taken where `loss` has no δ.
    """
    at = loss.cost.delta or delta
    return Totals(loss, at, events, Once(_distribution, events, loss, at))


def _distribution(events: Mapping[Event, int], loss: Loss, delta: Fraction) -> Fraction:
    if sum(events.values()) < 2 or delta >= 1:
        return loss.cost.eps  # nothing to compose, or nothing to compose it for
    return min(loss.cost.eps, pld.epsilon(Counter(events).elements(), delta))
