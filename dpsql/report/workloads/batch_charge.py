"""What a ledger is charged for queries that are declared together, before the first answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from dpsql.core.account import pld
from dpsql.core.account.account import Accountant
from dpsql.core.account.amount import Cost
from dpsql.core.account.events import Event
from dpsql.core.account.loss import Loss

WORTH = Fraction(99, 100)
"""The part of a batch's ε that must be left for a δ to be spent on it."""


def charge(
    accountant: Accountant, loss: Loss, delta: Fraction, eps: Callable[[Fraction], Fraction]
) -> Loss:
    """The loss of a batch, with the ε of its privacy loss distributions where that is less.

    Claim: the batch is (ε, δ)-private with the cost that is returned. Why: all mechanisms and their
    parameters are fixed by the texts, the policy and the ε of each, before anything is read; that a
    later release of a query may be about what an earlier one told does not matter, since the pairs
    that dominate them are fixed (``account.distributions``). To what comes before and after, the
    batch is one query of that (ε, δ), so that accountants that add up ε and δ may take it. Those
    that add up ρ or divergences take the sums of the batch, which need no batch.

    Args:
        accountant: of the account.
        loss: the sum of the queries' losses.
        delta: at which ε is taken, if it is more than the queries' own.
        eps: the ε of the batch at a δ; see `composed`.
    """
    at = max(loss.cost.delta, delta)
    if accountant not in ("approx", "pld") or not at:
        return loss
    found = eps(at)
    # A δ of its own is not spent to save next to nothing.
    most = loss.cost.eps if at == loss.cost.delta else loss.cost.eps * WORTH
    return replace(loss, cost=Cost(found, at)) if found < most else loss


def composed(events: Mapping[Event, int]) -> Callable[[Fraction], Fraction]:
    """The ε of mechanisms at a δ, by their privacy loss distributions.

    Args:
        events: all mechanisms of a batch, and how often each is used.
    """
    return lambda delta: pld.epsilon(Counter(events).elements(), delta)
