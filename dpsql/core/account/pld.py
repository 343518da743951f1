"""What a batch of mechanisms costs by their privacy loss distributions: nearly the least there is.

It holds for mechanisms and parameters that are all fixed before the first answer. Of each a pair of
distributions is composed that dominates it (`dominating_pairs`, `distributions`); Gaussian noise
that has no such pair here is taken with the ε that its ρ proves at a half of δ (`conversion`); what
has slack takes it from δ. No floating-point number decides: the step of the grid is found in
floats, but a coarser one makes ε larger, never wrong."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import count

from dpsql.core.account.compose import least, rdp, zcdp
from dpsql.core.account.conversion import eps_of_rho
from dpsql.core.account.distributions import Losses, LossGrid
from dpsql.core.account.dominating_pairs import LaplacePair, Pair, pairs
from dpsql.core.account.events import Event
from dpsql.core.account.loss import total
from dpsql.core.account.normal_law import up

POINTS = 2**14
"""Of the grid, at most about, over all losses that matter."""

FINENESS = 256
"""Points of the grid, at most about, in the losses of what costs most."""

LOST = 10**6
"""One part in so many of δ is lost by cutting off tails, at each doubling of the mechanisms."""


def epsilon(events: Iterable[Event], delta: Fraction) -> Fraction:
    """The ε at δ of a batch, rounded up; never more than by `compose.basic`, `zcdp` or `rdp`.

    Args:
        events: fixed beforehand; any number, equal ones cost hardly more time than one.
        delta: in [0, 1), exact.

    Raises:
        ValueError: the events have no ε at this δ, which is too small, or δ is out of range.
    """
    every = tuple(events)
    loss = total(event.loss for event in every)
    composed = least(loss, delta, lambda left: _epsilon(Counter(every), left))
    return min(composed, zcdp(every, delta), rdp(every, delta))


def _epsilon(events: Counter[Event], delta: Fraction) -> Fraction:
    """The ε at δ > 0 of all but their slack."""
    found, rho = pairs(events)
    if rho:
        delta /= 2
        found[LaplacePair(eps_of_rho(rho, delta), 1)] += 1
    if not found:
        return Fraction(0)
    grid = _grid(found, delta)
    units = math.floor(delta * grid.one)
    eps = _composed(grid, found, units).epsilon(units)
    assert eps is not None, "cutting off tails does not use up δ"
    return up(eps)


def _grid(found: Counter[Pair], delta: Fraction) -> LossGrid:
    """One on which sums of the losses are spread hardly more than they are."""
    main = max(found, key=lambda pair: found[pair] * pair.spread**2)
    variance = math.fsum(n * pair.spread**2 for pair, n in found.items())
    log = -math.log(delta)
    reach = min(
        math.fsum(n * pair.most for pair, n in found.items()),
        variance / 2 + math.sqrt(2 * variance * (log + 1)) + max(pair.most for pair in found),
    )
    step = max(2 * reach / POINTS, main.most / FINENESS)
    # A whole number of steps to the largest loss, which is the likeliest one.
    parts = max(1, round(main.most / step))
    exact = main.rate * main.shift / parts if isinstance(main, LaplacePair) else Fraction(step)
    return LossGrid(exact, max(20, 14 + math.ceil(log / math.log(10))))


def _composed(grid: LossGrid, found: Counter[Pair], units: int) -> Losses:
    """The losses of all together: always the two with the fewest points next."""
    whole, numbers = found.total(), count()
    heap: list[tuple[int, int, int, Losses]] = []

    def push(mechanisms: int, losses: Losses) -> None:
        heapq.heappush(heap, (len(losses.weights), next(numbers), mechanisms, losses))

    def times(mechanisms: int, a: Losses, b: Losses) -> Losses:
        return a.times(b).cut(units * mechanisms // (whole * LOST))

    for pair, n in found.items():
        power, mechanisms = pair.losses(grid), 1
        while mechanisms <= n:
            if n & mechanisms:
                push(mechanisms, power)
            mechanisms *= 2
            if mechanisms <= n:
                power = times(mechanisms, power, power)
    while len(heap) > 1:
        (_, _, m, a), (_, _, n, b) = heapq.heappop(heap), heapq.heappop(heap)
        push(m + n, times(m + n, a, b))
    return heap[0][-1]
