"""How far one unit can move a vector of per-group sums.

Setting. Each unit u contributes to the groups a vector v(u); the measurement is the sum of these
vectors over all units. A unit has at most R rows; a row falls into one group and adds a number in
[a, b] there (or nothing); m = max(|a|, |b|). So v(u) has at most K = min(R, groups) non-zero
entries (1 if the unit determines its group), and its absolute values add up to at most R·m.

add_remove: neighbours differ by one v(u), so
    L0 <= K      L1 <= R·m      L∞ <= R·m      L2 <= L1
The bounds on L1, L2 and L∞ are attained by a unit with all its R rows in one group, at ±m.

replace: neighbours differ by v - v' for two such vectors.
    L0 <= min(2K, groups)       L∞ <= R·(max(b, 0) - min(a, 0))
    L1 <= 2·R·m, and <= groups·L∞      L2 <= sqrt(L1·L∞)  (Hölder)
If every unit has exactly one row, not dropped and not NULL, and there is one group, v is one number
in [a, b] and L∞ = b - a; for a = b the measurement is the same on all databases.

Source: Dwork, McSherry, Nissim, Smith (TCC 2006) for sensitivity; the design, §5, for taking the
smallest of several sound bounds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction


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
    """What one unit can add: at most `rows` rows, each a number in [low, high] lattice units.

    Attributes:
        groups: how many groups are output (None: not known before public tables are read).
        one_group: the unit determines its group, or there are no keys.
        every_unit: each unit of each database has exactly one row, which is never NULL or dropped.
    """

    rows: int
    low: int
    high: int
    groups: int | None
    one_group: bool
    every_unit: bool

    @property
    def magnitude(self) -> int:
        """m."""
        return max(abs(self.low), abs(self.high))


def add_remove(c: Contribution) -> Sensitivity:
    """Neighbours differ by one unit with all its rows."""
    total = c.rows * c.magnitude
    return Sensitivity(_touched(c), total, total * total, total)


def replace(c: Contribution) -> Sensitivity:
    """Neighbours differ in what one unit's rows are."""
    if c.every_unit and c.groups == 1:
        width = c.high - c.low
        return Sensitivity(1 if width else 0, width, width * width, width)
    linf = c.rows * (max(c.high, 0) - min(c.low, 0))
    l1 = 2 * c.rows * c.magnitude
    if c.groups is not None:
        l1 = min(l1, c.groups * linf)
    l0 = 2 * _touched(c)
    l0 = l0 if c.groups is None else min(l0, c.groups)
    return Sensitivity(l0, l1, l1 * linf, linf)


def _touched(c: Contribution) -> int:
    """K."""
    if c.one_group:
        return min(c.rows, 1)
    return c.rows if c.groups is None else min(c.rows, c.groups)


def sensitivity(c: Contribution, neighbours: str) -> Sensitivity:
    """The bound for the policy's neighbour relation."""
    return replace(c) if neighbours == "replace" else add_remove(c)
