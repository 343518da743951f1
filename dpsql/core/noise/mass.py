"""Rows spread evenly over the cells of a grid, and what a quantile may be chosen from.

Positions are counted in steps, `UNITS` a cell; masses in rows · `UNITS`, so that the mass below
every step is an integer. Only the occupied cells are held, so that no time grows with the grid.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

from dpsql.core.noise import exponential
from dpsql.core.noise.exponential import Piece

UNITS = 2**20
"""Steps in a cell. Cuts are at odd steps, so that none falls on the edge of a cell."""


@dataclass(frozen=True, slots=True)
class Rank:
    """The rank share·N + shift among N rows, where the shift goes no farther than N/2.

    Attributes:
        share: in [0, 1], exact.
        shift: in rows; positive for MIN, negative for MAX.
    """

    share: Fraction
    shift: int = 0

    @property
    def slope(self) -> Fraction:
        """max(q, 1−q): by how much a row changes the distance of a rank from this one, at most."""
        return max(self.share, 1 - self.share)

    def below(self, cut: Rank) -> Rank:
        """The same rank, in terms of the mass below `cut`."""
        share = self.share / cut.share if cut.share else Fraction(0)
        return Rank(share, round(self.shift - share * cut.shift))

    def above(self, cut: Rank) -> Rank:
        """The same rank, in terms of the mass above `cut`."""
        rest = 1 - cut.share
        share = (self.share - cut.share) / rest if rest else Fraction(1)
        return Rank(share, round(self.shift - (1 - share) * cut.shift))


class Candidates(NamedTuple):
    """Candidates: of piece i the places starts[i] + step·j, j = 0 … n−1, as scored by the piece."""

    starts: list[int]
    step: int
    pieces: list[Piece]
    rate: Fraction

    def draw(self) -> int:
        """One place, by the exponential mechanism."""
        index, j = exponential.draw(self.pieces, self.rate)
        return self.starts[index] + self.step * j


class Segment(NamedTuple):
    """The steps `start` … `end`, in or between cells; `below` is the mass below its start."""

    start: int
    end: int
    below: int
    rows: int


class Mass:
    """The rows of one group: its cells in ascending order, and the rows > 0 in each."""

    def __init__(self, cells: Sequence[int], counts: Sequence[int]) -> None:
        self._cells, self._counts = cells, counts
        # In rows, before each occupied cell.
        self._below = array("q", accumulate(counts, initial=0))

    def below(self, step: int) -> int:
        """The mass below a step."""
        i = bisect_left(self._cells, step // UNITS)
        whole = self._below[i] * UNITS
        if i < len(self._cells) and self._cells[i] == step // UNITS:
            return whole + self._counts[i] * (step % UNITS)
        return whole

    def cuts(self, low: int, high: int, target: Rank, rate: Fraction) -> Candidates:
        """The odd steps low … high, scored by −|rank − target| at `rate` per row."""
        goal, scale = self._goal(low, high, target)
        starts: list[int] = []
        pieces: list[Piece] = []
        if low == high:
            return Candidates([low], 2, [Piece(1, 0)], rate)
        for start, end, below, rows in self._segments(low, high, goal, scale, rate):
            first = start | 1
            n = (end + 1 - first) // 2 if end % 2 == 0 else (end - first) // 2 + 1
            ahead, climb = scale * (below + rows * (first - start)) - goal, 2 * scale * rows
            # The ranks of the first `falls` are below the target: the distance falls.
            falls = min(n, max(0, -(ahead // climb))) if rows else n
            starts += first, first + 2 * falls
            pieces += (
                Piece(falls, abs(ahead), -climb),
                Piece(n - falls, ahead + climb * falls, climb),
            )
        return Candidates(starts, 2, pieces, rate / (scale * UNITS))

    def cells(self, low: int, high: int, target: Rank, rate: Fraction) -> Candidates:
        """The cells of low … high, scored by minus the distance of the target from their ranks."""
        goal, scale = self._goal(low, high, target)
        starts: list[int] = []
        pieces: list[Piece] = []
        if low == high:
            return Candidates([low // UNITS], 1, [Piece(1, 0)], rate)
        for start, end, below, rows in self._segments(low, high, goal, scale, rate):
            first = start // UNITS
            left, right = scale * below, scale * (below + rows * (end - start))
            starts.append(first)
            pieces.append(Piece((end - 1) // UNITS + 1 - first, max(0, left - goal, goal - right)))
        return Candidates(starts, 1, pieces, rate / (scale * UNITS))

    def _goal(self, low: int, high: int, target: Rank) -> tuple[int, int]:
        """(the mass below the target's rank, times a scale; the scale that makes it an integer)."""
        before = self.below(low)
        mass = self.below(high) - before
        share, scale = target.share, 2 * target.share.denominator
        plain, half = 2 * share.numerator * mass, share.denominator * mass
        rank = plain + scale * UNITS * target.shift
        if target.shift > 0:
            rank = min(rank, max(plain, half))
        else:
            rank = max(rank, min(plain, half))
        return scale * before + rank, scale

    def _segments(
        self, low: int, high: int, goal: int, scale: int, rate: Fraction
    ) -> Iterator[Segment]:
        """Cells and the gaps between them, without those whose weights are neglected anyway."""
        row = scale * UNITS
        below = self._below
        first = bisect_left(self._cells, low // UNITS)
        last = bisect_left(self._cells, -(-high // UNITS))
        # The best candidate is less than a step of the cell at the goal away from it.
        here = max(0, bisect_left(below, -(-goal // row)) - 1)
        slack = scale * self._counts[here] if here < len(self._counts) else 0
        slack += exponential.reach(high - low + 1, rate / row)
        begin = min(max(bisect_left(below, -((slack - goal) // row)) - 1, first), last)
        stop = min(max(bisect_right(below, (goal + slack) // row), first), last)
        position = low if begin == first else (self._cells[begin - 1] + 1) * UNITS
        for i in range(begin, stop):
            edge = self._cells[i] * UNITS
            left, right = max(edge, low), min(edge + UNITS, high)
            if position < left:
                yield Segment(position, left, below[i] * UNITS, 0)
            rows = self._counts[i]
            yield Segment(left, right, below[i] * UNITS + rows * (left - edge), rows)
            position = right
        end = high if stop == last else self._cells[stop] * UNITS
        if position < end:
            yield Segment(position, end, below[stop] * UNITS, 0)
