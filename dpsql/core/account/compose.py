"""What mechanisms that were all fixed beforehand cost together: ε at a δ, by each way of adding up.

`basic` holds for adaptively chosen releases too, whatever the analyst chooses next after seeing
each answer (Dwork, McSherry, Nissim and Smith 2006 for ε; Dwork, Kenthapadi, McSherry, Mironov and
Naor 2006 for (ε, δ)). The others choose a conversion for this δ, and no more queries may follow:
`accountants` is for those that are chosen one after the other.
Each ε is the least of its own way and of basic composition, where that keeps to δ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from dpsql.core.account.amount import ZERO, Cost
from dpsql.core.account.conversion import eps_of_divergence, eps_of_rho
from dpsql.core.account.events import Event
from dpsql.core.account.loss import ORDERS, Loss, total


def basic(events: Iterable[Event]) -> Cost:
    """(Σ ε, Σ δ) over `events`, exact; the zero cost if there are none."""
    return sum((event.cost for event in events), ZERO)


def zcdp(events: Iterable[Event], delta: Fraction) -> Fraction:
    """The ε at δ by Σρ, rounded up. What has slack takes it from δ.

    Args:
        events: fixed beforehand; any number.
        delta: in [0, 1), exact.

    Raises:
        ValueError: the events have no ε at this δ, which is too small, or δ is out of range.
    """
    loss = total(event.loss for event in events)
    return least(loss, delta, lambda left: eps_of_rho(loss.rho, left))


def rdp(events: Iterable[Event], delta: Fraction) -> Fraction:
    """The ε at δ by the Rényi divergence of the best order, rounded up; else as `zcdp`."""
    loss = total(event.loss for event in events)
    pairs = tuple(zip(ORDERS, loss.renyi, strict=True))
    return least(
        loss,
        delta,
        lambda left: min(eps_of_divergence(order, used, left) for order, used in pairs),
    )


def least(loss: Loss, delta: Fraction, way: Callable[[Fraction], Fraction]) -> Fraction:
    """The least of a way's ε at what slack leaves of δ, and of Σε where Σδ is within δ.

    Raises:
        ValueError: neither has an ε, or δ is out of range.
    """
    if not 0 <= delta < 1:
        raise ValueError("δ must be at least 0 and below 1")
    left = delta - loss.slack
    found = [loss.cost.eps] if loss.cost.delta <= delta else []
    if left > 0:
        found.append(way(left))
    if not found:
        raise ValueError("these releases need a larger δ")
    return min(found)
