"""COUNT(DISTINCT x) with few values for each unit: values are matched with units that have them.

A value counts once a unit stands for it, and a unit stands for ℓ of its values at most: that is its
*capacity*. Units come in the order of their hashes. In the first stage each takes the first of its
values, by group and hash, that nobody has taken yet; in the next one it takes more, up to the next
capacity, and so on. C(ℓ) is what is taken when the stage of capacity ℓ has ended, by group; a
value is one of a group.

Claim. Where a unit is removed, what is taken in the stages up to capacity ℓ is taken still, but for
at most ℓ values, and nothing else is. So the vector of the groups' numbers falls by 0 to ℓ (L1);
where a unit is replaced, it moves by at most 2ℓ.

Why. Take each unit for ℓ copies, one for each value that it may stand for. Then values are taken by
copies, one each, in an order of all pairs of a copy and a value that is a function of that copy's
unit and that value alone: by stage, by unit, by what it has. A pair is taken where neither
its copy nor its value is. Remove one copy and go through the pairs side by side. At each time one
of two things is true: (1) the same values are taken, and one copy more is free with all copies
there; at first that is the removed one; (2) one value more is taken with all copies there, and the
same copies are free. A pair that is treated alike changes nothing. In (1) another treatment is that
of the copy that is free there alone, with a free value: it is taken there, which leads to (2). In
(2) it is that of the value that is taken there alone, with a free copy: it is taken without the
removed copy, which leads to (1). So one value less is taken at most; with ℓ copies, at most ℓ.

What a unit can do to how long this takes: it is asked for each of its values once, whatever others
have, since what is taken stays taken.

Values are told apart by a hash of 64 bits. Two with the same hash in a group are one value for all
units, which leaves the argument as it is. At the greatest capacity, that of all values that a unit
may have, each value with a unit is taken: C is COUNT(DISTINCT x).

Source: Knop and Steinke, "Counting distinct elements under person-level differential privacy",
NeurIPS 2023, for maximum matchings, whose size is as stable. Which values are in a maximum matching
is not: here it is, so that groups can be counted, and one pass is enough. That all units take
values in one random order finds more of them than if each had an order of its own (Karp, Vazirani
and Vazirani, STOC 1990).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from dpsql.core.enforce.pairs import Capacities
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.execution.exact import Exact, Key


class Matches(Exact):
    """One number of distinct values for every capacity.

    Attributes:
        grid: the capacities.
        units: how many units have a value.
        taken: by capacity, the values of each group that are taken with it and with no smaller one.
    """

    __slots__ = ("grid", "taken", "units")

    def __init__(self, grid: Capacities) -> None:
        self.grid = grid
        self.units = 0
        self.taken: list[dict[Key, int]] = [{} for _ in grid.thresholds]

    def evidence(self, count: int) -> tuple[list[int], int]:
        """How many values are taken with each of the first `count` capacities, and how many units
        have any.
        """
        found, total = [], 0
        for taken in self.taken[:count]:
            total += sum(taken.values())
            found.append(total)
        return found, self.units

    def choose(self, noise: AdaptiveLaplace) -> tuple[int, bool]:
        """The number of a capacity, and whether there are units enough to know that it will do."""
        return noise.choose(*self.evidence(len(noise.thresholds)))

    def at(self, number: int) -> dict[Key, int]:
        """The values of each group that are taken with a capacity."""
        found: dict[Key, int] = {}
        for taken in self.taken[: number + 1]:
            for key, count in taken.items():
                found[key] = found.get(key, 0) + count
        return found


Offer = tuple[Key, bytes]
"""A group, and the hashes of a unit's values in it, `WIDTH` bytes each."""

WIDTH = 8


def matched(units: Sequence[Sequence[Offer]], grid: Capacities) -> Matches:
    """The values that are taken, stage by stage.

    Args:
        units: of each, in their order, its values by group, in its own order.
        grid: the capacities, ascending.
    """
    found = Matches(grid)
    found.units = len(units)
    gone: dict[Key, set[int]] = {group: set() for offers in units for group, _ in offers}
    waiting = [_taking(offers, gone) for offers in units]
    before = 0
    for capacity, taken in zip(grid.thresholds, found.taken, strict=True):
        ready, waiting = waiting, []
        for unit in ready:
            groups = list(islice(unit, capacity - before))
            for group in groups:
                taken[group] = taken.get(group, 0) + 1
            if len(groups) == capacity - before:
                waiting.append(unit)
        before = capacity
    return found


def _taking(offers: Sequence[Offer], gone: Mapping[Key, set[int]]) -> Iterator[Key]:
    """Take a unit's values that nobody has taken, one each time that it is asked, and tell of which
    group it is. What is not asked for is not taken.
    """
    for group, hashes in offers:
        others = gone[group]
        for value in memoryview(hashes).cast("Q"):
            if value not in others:
                others.add(value)
                yield group
