"""The query that the engine runs for a COUNT(DISTINCT x) and the like.

    SELECT COUNT(DISTINCT product) FROM sales GROUP BY region
    WITH pairs AS (SELECT DISTINCT unit, region, product FROM sales),
         heavy AS (units with more than P pairs),
         kept AS (the pairs of others; of a heavy unit the first P in the order of a hash)
    SELECT region, COUNT(DISTINCT product) FROM kept GROUP BY region

Claim: the pairs that are kept of one unit are at most P, and a function of its own rows. Why: the
order is of hash(unit, group, value), then of the group and the value themselves, which no two of
its pairs share; nothing in it is another unit's. With the unit inside the hash, units do not all
keep the same groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dpsql.core.enforce.lattice import OnLattice
from dpsql.core.enforce.weights import Norm
from dpsql.core.plan.expr import Column, Expr
from dpsql.core.plan.nodes import Plan
from dpsql.core.shape.attach_unit import UnitPath


@dataclass(frozen=True, slots=True)
class Capacities:
    """For how many values a unit may stand: public, ascending, in factors of 2.

    Attributes:
        top: the greatest, ≥ 1: as many as a unit may have.
    """

    top: int

    @property
    def thresholds(self) -> tuple[int, ...]:
        """1, 2, 4, … `top`."""
        return _doubled(self.top)

    def parts(self, _: int) -> int:
        """Values are whole."""
        return 1

    def most(self, index: int) -> int:
        """For how many a unit stands with the capacity of that number."""
        return self.thresholds[index]


@lru_cache(maxsize=256)
def _doubled(top: int) -> tuple[int, ...]:
    return (*(1 << n for n in range((top - 1).bit_length())), top)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Distinct values for each group.

    Attributes:
        plan: the joined and filtered rows.
        keys: the group keys.
        value: what is counted; None for the unit itself.
        total: where the values are summed too, the lattice of `value`.
        members: conditions on the key columns: which groups are in the public domain.
        path: where the unit is; None where it is neither needed nor must rows be dropped.
        quota: P where it must be enforced, else None.
        unit_not_null: whether rows without a unit must be dropped.
        norm: of the unit itself, the norm of what it weighs in a group, see `weights`; or None.
        capacities: where values are matched with units (`execution.matching`), for how many a unit
            may stand; else None.

    The result's columns are the keys, then the count, then the sum, of values or weights, if there
    is one. Where values are matched, it has a row for each unit and group: the keys; the hashes of
    the values in ascending order, as one text of 16 hexadecimal digits each; the unit's number in
    the order of hashes; and the row's number among those of its unit.
    """

    plan: Plan
    keys: tuple[tuple[Column, Expr], ...]
    value: Expr | None
    total: OnLattice | None
    members: tuple[Expr, ...]
    path: UnitPath | None
    quota: int | None
    unit_not_null: bool
    norm: Norm | None = None
    capacities: Capacities | None = None
