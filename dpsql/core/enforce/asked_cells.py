"""The query that the engine runs for one release: exact sums per group, bounded per unit.

`Cells` says what is to be computed; how it is written in SQL stands in `cells_sql`.

Where the bound on rows per unit is not proven, a unit's rows are first added up per group, and cut
down to it: see `quota_sql`.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpsql.core.enforce.lattice import OnLattice
from dpsql.core.enforce.weights import Norm
from dpsql.core.plan.expr import Column, Expr
from dpsql.core.plan.nodes import Plan, Scan
from dpsql.core.shape.attach_unit import UnitPath


@dataclass(frozen=True, slots=True)
class Chained:
    """Where the rows of a counted input stand among those of a cell: inputs that have no row in
    common stand one after the other.

    Attributes:
        after: the input that stands before it; None for none.
        down: no such order is known, and what is kept of it is rounded down.
    """

    after: int | None
    down: bool = False


ALONE = Chained(None)


@dataclass(frozen=True, slots=True)
class Input:
    """One aggregated expression.

    Attributes:
        expr: what is counted and summed.
        counted: whether COUNT(expr) is needed beside COUNT(*).
        total: where it is summed, the lattice of `expr`. A sum of n values lies in
            [n·low, n·high]; n is COUNT(expr) if that is counted, else COUNT(*), and then the range
            holds 0 unless `expr` is never NULL.
        chained: where its rows stand among those of a cell, where a unit is cut down.
    """

    expr: Expr
    counted: bool
    total: OnLattice | None
    chained: Chained = ALONE


@dataclass(frozen=True, slots=True)
class Cells:
    """Exact cells of one release.

    Attributes:
        plan: the joined and filtered rows.
        keys: the group keys.
        inputs: what is aggregated.
        members: conditions on the key columns: which groups are in the public domain. Where units
            are bounded they apply to cells, not rows: that is faster, and a unit's rows in other
            groups can only make its share in these smaller.
        path: where the unit is; None where it is neither needed nor must rows be dropped.
        quota: R where it must be enforced, else None.
        per_group: R bounds a unit's rows in each group, instead of those in all groups together.
        unit_not_null: whether rows without a unit must be dropped.
        units: whether the units that keep a row in a group are counted; only with a quota.
        norm: with `units`, the norm of what they weigh, see `weights`; or None.
        once: the private table that the rows are of, each once at most; None where they are not, or
            R is another bound than that of its rows.

    The result's columns are the keys, then COUNT(*), then for each input its COUNT and its SUM,
    where it has them, then the count of units, then what these weigh.
    """

    plan: Plan
    keys: tuple[tuple[Column, Expr], ...]
    inputs: tuple[Input, ...]
    members: tuple[Expr, ...]
    path: UnitPath | None
    quota: int | None
    unit_not_null: bool
    per_group: bool = False
    units: bool = False
    norm: Norm | None = None
    once: Scan | None = None

    @property
    def sums(self) -> tuple[str, ...]:
        """What the columns are called that add up rows and values: n, n0, s0, …"""
        return ("n", *(name for name, _, _ in measured(self.inputs)))

    @property
    def columns(self) -> tuple[str, ...]:
        """All of the result's but the keys, in their order."""
        units = ("units",) * self.units + ("weights",) * (self.norm is not None)
        return self.sums + units


def measured(inputs: tuple[Input, ...]) -> list[tuple[str, str, int]]:
    """What is aggregated beside COUNT(*): a name, COUNT or SUM, and of which input."""
    found: list[tuple[str, str, int]] = []
    for i, item in enumerate(inputs):
        found += [(f"n{i}", "count", i)] if item.counted else []
        found += [(f"s{i}", "sum", i)] if item.total is not None else []
    return found
