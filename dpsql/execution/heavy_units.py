"""One measure of rows of two units, for every threshold; see `noise.truncated`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from dpsql.core.enforce.truncation import Weighed
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.clip import FINE
from dpsql.core.noise.flow import Flow
from dpsql.core.noise.truncated import TruncatedLaplace
from dpsql.execution.exact import Exact, Key

FIRST, SECOND, ROWS = range(3)
"""What a row of the engine's answer is: units of a kind, or rows with two heavy units."""


class Units(Exact):
    """The units of one group, and of one sign; its sums are computed as they are asked for.

    Attributes:
        ends: the thresholds.
        between: of each kind, by how many thresholds they are above: how many units, and their
            weight.
        shared: by the thresholds that both units are above, the weight of the rows of two units.
        totals: what these units have, of each kind.
    """

    __slots__ = ("_flow", "_sums", "between", "ends", "shared", "totals")

    def __init__(self, ends: Sequence[int]) -> None:
        self.ends = ends
        self.between: tuple[dict[int, tuple[int, int]], dict[int, tuple[int, int]]] = ({}, {})
        self.shared: dict[int, list[tuple[int, int, int]]] = {}
        self.totals: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self._flow = Flow()
        self._sums: list[int] = []  # Q from the last threshold on, downwards

    @property
    def cover(self) -> int:
        """How many units there are of the kind that has fewer: without them there is no row."""
        return min(sum(many for many, _ in kind.values()) for kind in self.between)

    def truncated(self, place: int) -> int:
        """Q at the threshold of that number. Where it is as much as all units of one kind can have,
        it is so below, too: Q is concave, and 0 at 0.
        """
        while (found := len(self.ends) - len(self._sums)) > place:
            if self._sums and self._sums[-1] == self.cover * self.ends[found]:
                return self.cover * self.ends[place]
            self._sums.append(self._next(found - 1))
        return self._sums[len(self.ends) - 1 - place]

    def _next(self, place: int) -> int:
        clip, flow = self.ends[place], self._flow
        whole = sum(weight for _, weight in self.between[0].values())
        over = sum(
            weight - many * clip
            for kind in self.between
            for number, (many, weight) in kind.items()
            if number > place
        )
        if place + 1 < len(self.ends):
            flow.widen_all(self.ends[place + 1] - clip)
        for a, b, weight in self.shared.get(place + 1, ()):
            for side, unit in enumerate((a, b)):
                if not flow.has(side, unit):
                    flow.widen(side, unit, self.totals[side][unit] - clip)
            flow.tie(a, b, weight)
        return whole - over + flow.augment()


class Truncated(Exact):
    """A measure for every threshold."""

    __slots__ = ("grid", "groups", "signs")

    def __init__(self, value: Weighed) -> None:
        self.grid, self.signs = value.grid, 2 if value.signed else 1
        self.groups: dict[tuple[Key, bool], Units] = {}

    def add(self, what: int, side: bool, row: tuple[object, ...], key: Key) -> None:
        """Take a row of the engine's answer: (p, n, v, o, a, b)."""
        place, many, weight, other, first, second = row
        units = self.groups.setdefault((key, side), Units(self.grid.ends))
        assert isinstance(place, int) and isinstance(many, int) and isinstance(weight, int)
        if what == ROWS:
            assert isinstance(other, int) and isinstance(first, int) and isinstance(second, int)
            units.shared.setdefault(place, []).append((first, second, many))
            units.totals[0][first], units.totals[1][second] = weight, other
        else:
            units.between[what][place] = (many, weight)

    def doubling(self, most: int, count: int) -> list[int]:
        """S of the group where it is greatest, at each of the first `count` thresholds, in parts of
        a unit, and cut off at `most`; nothing is computed below, nor where a group is known to have
        as many heavy units as it can have: S grows as thresholds fall.
        """
        ends, found = self.grid.ends, [most] * count
        open_, closed = dict(self.groups), 0
        for place in reversed(range(count)):
            clip, double = ends[place], bisect_left(ends, 2 * ends[place])
            for name, units in tuple(open_.items()):
                more = units.truncated(double) - units.truncated(place)
                closed = max(closed, FINE * more // clip)
                if more == clip * units.cover:
                    del open_[name]
            found[place] = min(most, closed)
            if found[place] == most:
                break
        return found

    def choose(self, noise: AdaptiveLaplace) -> tuple[int, bool]:
        """The number of the threshold to truncate at, and whether it is known not to be too low."""
        assert isinstance(noise, TruncatedLaplace)
        number = noise.place(self.doubling(noise.most, len(noise.thresholds)))
        double = bisect_left(self.grid.ends, 2 * self.grid.ends[number])
        total, doubled = (
            sum(units.truncated(place) for units in self.groups.values())
            for place in (number, double)
        )
        return number, noise.sure(number, total, doubled, self.signs)

    def at(self, number: int) -> dict[Key, int]:
        """The measure truncated at a threshold, of groups that have rows."""
        found: dict[Key, int] = {}
        for (key, negative), units in self.groups.items():
            value = units.truncated(number)
            found[key] = found.get(key, 0) + (-value if negative else value)
        return found


def read(values: Iterable[Weighed], rows: Iterable[tuple[object, ...]]) -> dict[int, Truncated]:
    """The measures from the rows of the engine's answer."""
    found = {value.measure: Truncated(value) for value in values}
    for number, what, side, *row in rows:
        assert isinstance(number, int) and isinstance(what, int)
        found[number].add(what, bool(side), tuple(row[:6]), tuple(row[6:]))
    return found
