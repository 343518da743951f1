"""Adaptive clipping: what one unit may add to a sum, found in the data with a part of ε.

Let v(u) be the vector that unit u adds to the groups, in whole steps, and |v(u)| the sum of its
absolute values. For a clip τ the measurement is the sum over the units of v(u) where |v(u)| <= τ,
and of v(u)·τ/|v(u)| where it is more.

Claim. For each τ, one unit moves the measurement by at most τ (L1), whatever its rows are; and the
choice of τ is private by itself (see `noise.clip`: it reads how many units have |v(u)| above
each of a public list of thresholds, which one unit moves by at most 1 each, all in the same
direction). Given τ, noise of scale τ/ε' makes the sum ε'-private; both costs add up, because
the noise depends on the released τ alone. Under `replace` two units move the sum: twice the noise.

Several measures may share a clip. Let n(u) be a vector of whole numbers, and v(u) that of all of
the measures, with |v(u)| <= w·|n(u)| for a public w: so it is where n counts rows, and a row moves
the measures by w together (see `release.one_clip`). Then the thresholds are those of |n(u)|,
and a unit above τ adds v(u)·τ/|n(u)|: in all measures and groups w·τ at most, by the same reason.
Its rows count for less, the same less in each measure: what is made of their quotient is right also
where units are cut. Where there is one measure alone n is v, and w is 1.

Exactness. A step is cut in Q parts. A heavy unit adds τ·f, f = v·Q/|n| rounded towards 0, parts to
a group: its |f| add up to at most w·Q, so it adds at most w·τ·Q parts, that is w·τ steps. Where w
is `WIDE` or more, a step is fine enough, and is not cut. The engine gives, for each group and
threshold, the sums of v and of f over the units between it and the one below, so that the
measurement for every τ of the list is known from one pass.

Source: Amin, Kulesza, Munoz, Vassilvitskii (ICML 2019); Andrew, Thakkar, McMahan, Ramaswamy
(NeurIPS 2021) for clips that follow the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dpsql.core.enforce.asked_cells import Cells
from dpsql.core.plan.expr import Column

OCTAVE = 4
"""Thresholds in a factor of 2."""

PARTS = 2**12
"""Q: parts of a step."""

WIDE = 2**18
"""Steps of one row from which on they are not cut: what a heavy unit adds to each of many groups
is rounded to whole parts, and steps of less are more than the noise of many units hides.
"""

FINE = 2**24
"""Thresholds above are multiples of Q steps, so that τ·f/Q is a whole number of steps."""

MANY = 2**24
"""A unit is thought to have no more rows than that, where nothing else is declared."""

MAX_CLIP = 2**52
"""In steps: noise of τ/ε stays within 64 bits for any ε that is not tiny."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Public thresholds, ascending; some may be equal.

    Attributes:
        top: the greatest.
        width: w, how many steps a unit adds for each that the threshold allows it.
    """

    top: int
    width: int = 1

    @property
    def thresholds(self) -> tuple[int, ...]:
        """1 … `top`."""
        return _thresholds(self.top)

    @property
    def cut(self) -> int:
        """Q."""
        return PARTS if self.width < WIDE else 1

    def parts(self, index: int) -> int:
        """In how many parts a step is cut for the clip of that number: Q or 1."""
        return self.cut if self.thresholds[index] < FINE else 1

    def most(self, index: int) -> int:
        """What one unit adds at most with the clip of that number, in parts of a step."""
        return self.thresholds[index] * self.width * self.parts(index)

    def clipped(self, light: int, heavy: int, index: int) -> int:
        """The measurement in parts of a step: Σ v of the light units, and τ·Σ f of the heavy."""
        clip, parts = self.thresholds[index], self.parts(index)
        if parts == self.cut:
            return light * parts + clip * heavy
        return light + clip // self.cut * heavy


@lru_cache(maxsize=256)
def _thresholds(top: int) -> tuple[int, ...]:
    found: list[int] = []
    number = 0
    while not found or found[-1] < top:
        value = min(_power(number), top)
        found.append(value if value < FINE else -(-value // PARTS) * PARTS)
        number += 1
    return tuple(found)


def _power(number: int) -> int:
    """2^(number/`OCTAVE`), rounded up: the least whole number with that power at least 2^number."""
    octaves, rest = divmod(number, OCTAVE)
    low, high = 1 << octaves, 2 << octaves
    while low < high:
        middle = (low + high) // 2
        if middle**OCTAVE >= 2**number:
            high = middle
        else:
            low = middle + 1
    return low if rest else 1 << octaves


Terms = tuple[tuple[str, int], ...]
"""Columns of the cells, and how often each counts."""


@dataclass(frozen=True, slots=True)
class Value:
    """What has one clip: of each unit and group, as weights of the columns of the cells.

    Attributes:
        size: n, (column of the cells, weight).
        measures: of each measure its number, and v in the same way.
        grid: the thresholds of the clip.
    """

    size: Terms
    measures: tuple[tuple[int, Terms], ...]
    grid: Grid

    @property
    def number(self) -> int:
        """That of its first measure."""
        return self.measures[0][0]


@dataclass(frozen=True, slots=True)
class Clipping:
    """What the engine is asked for: rows by unit and group, and what is clipped of them.

    Attributes:
        cells: the sums of each unit in each group; without a quota.
        values: what is clipped, each by itself.
        columns: the group keys.
    """

    cells: Cells
    values: tuple[Value, ...]
    columns: tuple[Column, ...]


def top(magnitude: int, rows: int | None) -> int:
    """The greatest threshold: what is beyond is clipped.

    Args:
        magnitude: of a row's value at most, in steps; 1 where rows are clipped.
        rows: of a unit at most, as far as that is declared or proven.
    """
    return max(2, min(magnitude * min(MANY, rows or MANY), MAX_CLIP))
