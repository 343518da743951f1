"""The query that the engine runs for one release: exact sums per group, bounded per unit.

`Cells` says what is to be computed; how it is written in SQL stands in `sql/emit_cells.py`.

Bounding. Let R be the bound on rows per unit. Where R is not proven, a unit's rows are first added
up per group; a unit with T > R rows in all groups together keeps in each group
n' = floor(n·R/T) of its n rows (and of its counts), and its sum there is clamped to
[n'·low, n'·high].

Claim: whatever the data, the kept counts of one unit add up to at most R, and its kept sums are
sums of n' numbers in [low, high]; a unit with T <= R is not changed.
Why: the floors of n·R/T add up to at most R, because the n add up to T. A row's value is in
[low, high] (see `secure`), so a sum of n rows is in [n·low, n·high] before, and n' takes n's place
after. Which rows are kept does not depend on any other unit's rows. Where R bounds the rows in each
group (`per_group`), the same is done with T, the unit's rows in the group.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpsql.plan.expr import Column, Expr
from dpsql.plan.nodes import Plan
from dpsql.rewrite.attach_unit import UnitPath
from dpsql.rewrite.lattice import OnLattice


@dataclass(frozen=True, slots=True)
class Input:
    """One aggregated expression.

    Attributes:
        expr: what is counted and summed.
        counted: whether COUNT(expr) is needed beside COUNT(*).
        total: where it is summed, the lattice of `expr`. A sum of n values lies in
            [n·low, n·high]; n is COUNT(expr) if that is counted, else COUNT(*), and then the range
            holds 0 unless `expr` is never NULL.
    """

    expr: Expr
    counted: bool
    total: OnLattice | None


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

    The result's columns are the keys, then COUNT(*), then for each input its COUNT and its SUM,
    where it has them.
    """

    plan: Plan
    keys: tuple[tuple[Column, Expr], ...]
    inputs: tuple[Input, ...]
    members: tuple[Expr, ...]
    path: UnitPath | None
    quota: int | None
    unit_not_null: bool
    per_group: bool = False
