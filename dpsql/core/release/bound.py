"""How far one unit can move a vector of per-group sums.

Setting. Each unit u contributes to the groups a vector v(u); the measurement is the sum of these
vectors over all units. A unit adds at most R numbers in [a, b], at most C of them to one group, and
touches at most K groups; m = max(|a|, |b|). So T = min(R, K·C) bounds how many numbers it adds, and
the absolute values in v(u) add up to at most T·m. R or C may be unknown, as long as T is not.

add_remove: neighbours differ by one v(u), so
    L0 <= K      L1 <= T·m      L∞ <= min(C, T)·m      L2 <= sqrt(L1·L∞)  (Hölder)
Where C = R the bounds on L1, L2 and L∞ are attained by a unit with all R rows in one group, at ±m.

replace: neighbours differ by v - v' for two such vectors.
    L0 <= min(2K, groups)       L∞ <= min(C, T)·(max(b, 0) - min(a, 0))
    L1 <= 2·T·m, and <= groups·L∞      L2 <= sqrt(L1·L∞)
If every unit has exactly one row, not dropped and not NULL, and there is one group, v is one number
in [a, b] and L∞ = b - a; for a = b the measurement is the same on all databases.

Source: Dwork, McSherry, Nissim, Smith (TCC 2006) for sensitivity; the design, §5, for taking the
smallest of several sound bounds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpsql.core.enforce.weights import WHOLE, Norm


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """L0 counts groups; L1, L2² and L∞ are in lattice units (whole numbers)."""

    l0: int
    l1: int
    l2_squared: int
    linf: int

    def l2(self, unit: Fraction) -> float:
        """L2 in the unit of the released number, rounded up to a float."""
        exact = self.l2_squared * unit * unit
        root = math.isqrt(exact.numerator * exact.denominator)
        if root * root == exact.numerator * exact.denominator:
            return float(Fraction(root, exact.denominator))
        return math.nextafter(math.sqrt(float(exact)), math.inf)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one unit can add: at most `rows` numbers in [low, high] lattice units.

    Attributes:
        rows: R; None where nothing bounds it.
        groups: how many groups are output (None: not known before tables are read).
        own: in how many of them one unit can be: the keys that it determines are the same in all
            of its rows, so that the other keys alone tell them apart. 1 where there is no other;
            None where their values are not known.
        every_unit: each unit of each database has exactly one row, which is never NULL or dropped.
        cell: C, how many numbers it adds to one group; None for R.
    """

    rows: int | None
    low: int
    high: int
    groups: int | None
    own: int | None
    every_unit: bool
    cell: int | None = None

    @property
    def magnitude(self) -> int:
        """m."""
        return max(abs(self.low), abs(self.high))

    @property
    def touched(self) -> int | None:
        """K; None where nothing bounds it."""
        known = [n for n in (self.rows, self.groups, self.own) if n is not None]
        return min(known) if known else None

    @property
    def total(self) -> int | None:
        """T; None where nothing bounds it."""
        known = [] if self.rows is None else [self.rows]
        if self.cell is not None and self.touched is not None:
            known.append(self.touched * self.cell)
        return min(known) if known else None


def add_remove(c: Contribution) -> Sensitivity:
    """Neighbours differ by one unit with all its rows."""
    touched, total = _bounded(c)
    l1, linf = total * c.magnitude, _at_once(c, total) * c.magnitude
    return Sensitivity(touched, l1, l1 * linf, linf)


def replace(c: Contribution) -> Sensitivity:
    """Neighbours differ in what one unit's rows are."""
    if c.every_unit and c.groups == 1:
        width = c.high - c.low
        return Sensitivity(1 if width else 0, width, width * width, width)
    touched, total = _bounded(c)
    linf = _at_once(c, total) * (max(c.high, 0) - min(c.low, 0))
    l1 = 2 * total * c.magnitude
    if c.groups is not None:
        l1 = min(l1, c.groups * linf)
    l0 = 2 * touched
    l0 = l0 if c.groups is None else min(l0, c.groups)
    return Sensitivity(l0, l1, l1 * linf, linf)


def _bounded(c: Contribution) -> tuple[int, int]:
    """K and T."""
    touched, total = c.touched, c.total
    if touched is None or total is None:
        raise ValueError("nothing bounds what one unit adds")
    return touched, total


def _at_once(c: Contribution, total: int) -> int:
    """How many numbers one group can get from one unit."""
    return total if c.cell is None else min(c.cell, total)


def sensitivity(c: Contribution, neighbours: str) -> Sensitivity:
    """The bound for the policy's neighbour relation."""
    return replace(c) if neighbours == "replace" else add_remove(c)


def clipped(neighbours: str) -> Sensitivity:
    """In units of the clip: a unit adds a vector of L1 norm at most 1, to any number of groups."""
    units = 2 if neighbours == "replace" else 1
    return Sensitivity(units, units, units * units, units)


def weighed(c: Contribution, norm: Norm, neighbours: str) -> Sensitivity:
    """Of what units weigh in the groups that they are in, see `enforce.weights`.

    Why: of one unit's weights the norm is `WHOLE` at most, and so is each of them. Where it is in d
    groups, d <= K, they add up to W in norm 1, and in norm 2 to √d·W at most (Cauchy and Schwarz).
    Under `replace` two such vectors differ by at most the sum of both in L1, by their larger weight
    in L∞, and as no weight is negative, by 2·W² in the square of L2.
    """
    touched, _ = _bounded(c)
    sides = 2 if neighbours == "replace" else 1
    l1 = WHOLE if norm == 1 else math.isqrt(touched * WHOLE**2)
    return Sensitivity(sides * touched, sides * l1, sides * WHOLE**2, WHOLE)
