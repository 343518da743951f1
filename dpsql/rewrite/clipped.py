"""Adaptive clipping: what one unit may add to a sum, found in the data with a part of ε.

Let v(u) be the vector that unit u adds to the groups, in whole steps, and |v(u)| the sum of its
absolute values. For a clip τ the measurement is the sum over the units of v(u) where |v(u)| <= τ,
and of v(u)·τ/|v(u)| where it is more.

Claim. For each τ, one unit moves the measurement by at most τ (L1), whatever its rows are; and the
choice of τ is private by itself (see `mechanism.clip`: it reads how many units have |v(u)| above
each of a public list of thresholds, which one unit moves by at most 1 each, all in the same
direction). Given τ, noise of scale τ/ε' makes the sum ε'-private; both costs add up, because
the noise depends on the released τ alone. Under `replace` two units move the sum: twice the noise.

Exactness. A step is cut in Q parts. A heavy unit adds τ·f, f = v·Q/|v| rounded towards 0, parts to
a group: its |f| add up to at most Q, so it adds at most τ·Q parts, that is τ steps. The engine
gives, for each group and each threshold, the sums of v and of f over the units between it and the
one below, so that the measurement for every τ of the list is known from one pass.

Source: Amin, Kulesza, Munoz, Vassilvitskii (ICML 2019); Andrew, Thakkar, McMahan, Ramaswamy
(NeurIPS 2021) for clips that follow the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpsql.plan.expr import Column
from dpsql.rewrite.cells import Cells

OCTAVE = 4
"""Thresholds in a factor of 2."""

PARTS = 2**12
"""Q: parts of a step."""

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
    """

    top: int

    @property
    def thresholds(self) -> tuple[int, ...]:
        """1 … `top`."""
        return _thresholds(self.top)

    def parts(self, index: int) -> int:
        """In how many parts a step is cut for the clip of that number: Q or 1."""
        return PARTS if self.thresholds[index] < FINE else 1


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


@dataclass(frozen=True, slots=True)
class Value:
    """One measure of each unit and group, as whole steps: weights of the columns of the cells.

    Attributes:
        measure: its number.
        terms: (column of the cells, weight).
        grid: the thresholds of its clip.
    """

    measure: int
    terms: tuple[tuple[str, int], ...]
    grid: Grid


@dataclass(frozen=True, slots=True)
class Clipping:
    """What the engine is asked for: rows by unit and group, and what is clipped of them.

    Attributes:
        cells: the sums of each unit in each group; without a quota.
        values: the measures.
        columns: the group keys.
    """

    cells: Cells
    values: tuple[Value, ...]
    columns: tuple[Column, ...]


def top(magnitude: int, rows: int | None) -> int:
    """The greatest threshold: what is beyond is clipped.

    Args:
        magnitude: of a row's value at most, in steps.
        rows: of a unit at most, as far as that is declared or proven.
    """
    return max(2, min(magnitude * min(MANY, rows or MANY), MAX_CLIP))


def clipped(light: int, heavy: int, clip: int, parts: int) -> int:
    """The measurement in parts of a step: Σ v of the light units, and τ·Σ f of the heavy ones."""
    if parts == PARTS:
        return light * PARTS + clip * heavy
    return light + clip // PARTS * heavy


def step(parts: int) -> Fraction:
    """What one part is worth, in steps."""
    return Fraction(1, parts)
