"""Rows of two units each: what the engine is asked for, where their sums are truncated.

For each group, the units of each kind between public thresholds, with the weight of their rows; and
the rows whose two units are both heavy, by these units. From that the truncated sum is known at
each threshold that is chosen, and what a doubling would bring in (`noise.truncated`). Most rows
have no two heavy units, and stay in the engine.

Claim: a row is in the answer just if it has a unit of each kind, and where a unit goes, just its
rows go. Why: below are inner joins, filters and projections of private tables alone, and public
tables; a joined row is one of the rows that it is made of, all of one unit of each kind at most
(`infer.unit`, in the schema of that kind), so it goes with any of them, and with nothing else.

Thresholds so low that they are not chosen need no rows: where, of the weight L and R that units of
either kind have above a threshold, and L′ and R′ above one that is at least twice as high,

    max(L, R) − L′ − R′ >= S · (τ′ − τ),

a doubling of τ brings in S units' worth or more. Why: by claim 2 of `noise.truncated` the sum
at τ is Σ w − max(L, R) at most, and at τ′ it is Σ w − L′ − R′ at least; it is concave. Below τ it
is so all the more. S is what `TruncatedLaplace.most` says, a public number.

Work. What the engine does for one unit's rows is bounded as elsewhere, for each kind
(`infer.work`). How long the flow takes is no sum over units, and neither is how many rows have
two heavy units, down to which threshold: they are told apart in Python, each in some tens of
microseconds.
`limits.padding` is for whoever fears that this tells of one of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dpsql.core.enforce.clipped import top
from dpsql.core.plan.expr import Column, Expr
from dpsql.core.plan.nodes import Plan

PARTS = 2**8
"""The least threshold is a part of the most that a row can weigh: prior belief in it is high, and
to overcome that takes units. It makes noise of a part of what a row can weigh.
"""


@dataclass(frozen=True, slots=True)
class Doubling:
    """Public thresholds, ascending: some power of two or 1, 2, 3, 4, 6, 8, 12, … times that; the
    last is `top` or more.

    Attributes:
        top: the greatest that is of use, in steps.
        least: what the least is at most, ≥ 1.
    """

    top: int
    least: int = 1

    @property
    def thresholds(self) -> tuple[int, ...]:
        """Those that can be chosen."""
        return _thresholds(self.top, self.least)[:-2]

    @property
    def ends(self) -> tuple[int, ...]:
        """These, and two more: twice each of them is here."""
        return _thresholds(self.top, self.least)

    def parts(self, index: int) -> int:
        """In how many parts a step is cut: truncated sums are whole."""
        return 1

    def most(self, index: int) -> int:
        """By how much one unit moves the sum of a group with the threshold of that number."""
        return self.thresholds[index]


@lru_cache(maxsize=256)
def _thresholds(top: int, least: int) -> tuple[int, ...]:
    found = [2 ** (least.bit_length() - 1)]
    while len(found) < 3 or found[-3] < top:
        last = found[-1]
        # 3·2^n comes after 2^(n + 1), but for 1, after which comes 2.
        found.append(max(last + 1, last * 4 // 3 if last % 3 == 0 else last * 3 // 2))
    return tuple(found)


def grid(magnitude: int, rows: int | None) -> Doubling:
    """The thresholds of a measure; arguments as of `clipped.top`."""
    return Doubling(top(magnitude, rows), max(1, magnitude // PARTS))


@dataclass(frozen=True, slots=True)
class Weighed:
    """One measure: what a row weighs, in whole steps; nothing where that is NULL.

    Attributes:
        measure: its number.
        expr: what is summed, or counted where it is not NULL; None for 1 of each row.
        counted: whether it is counted.
        grid: the thresholds.
        signed: whether it can be negative; else only what is positive is summed.
        neglected: (how many units' worth a doubling brings in where a threshold is never chosen,
            how many thresholds can be); None where that is not known: all rows are asked for.
    """

    measure: int
    expr: Expr | None
    counted: bool
    grid: Doubling
    signed: bool = False
    neglected: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Truncation:
    """What the engine is asked for.

    Attributes:
        plan: the joined and filtered rows.
        keys: the group keys.
        members: conditions on the key columns, see `enforce.members`.
        units: the unit of each kind; rows where one is NULL are left out.
        kinds: what these are called.
        values: the measures.
        groups: in how many groups one unit can be; None for all that are output.
    """

    plan: Plan
    keys: tuple[tuple[Column, Expr], ...]
    members: tuple[Expr, ...]
    units: tuple[Column, Column]
    kinds: tuple[str, str]
    values: tuple[Weighed, ...]
    groups: int | None
