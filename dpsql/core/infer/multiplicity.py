"""How many rows one unit can have in a plan node.

Two figures are kept: `proven`, which holds on any database of the class, and `claimed`, which the
owner has declared and which the rewritten query enforces where it is the smaller one. None is ∞.

Claims, for the rows R(u) that a unit u has in an inner join of A and B:
1. A tracked, B public: R(u) <= A(u) * f, if each row of A meets at most f rows of B.
2. Both tracked, with equal units: R(u) <= min(A(u) * f_B, B(u) * f_A, A(u) * B(u)), since both
   rows of a joined row belong to u.
f = 1 where the equalities cover a key of that side; else the declared number of rows per value of
an equated column; else, for a public table, its declared number of rows.
3. In the rows of a join u has no more different values of the columns of one side, all together,
   than rows of that side: each joined row has those of one of them; a left join, NULLs besides. So
   of columns of several sides no more than the product, however many rows these make together.
Source: stability of joins, McSherry (PIQL, 2009) and Johnson et al. (FLEX, 2018), with fan-outs
declared instead of read from private data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpsql.core.infer.evidence import Evidence
from dpsql.core.infer.unit import UNIT, Anchor
from dpsql.core.plan.nodes import Scan
from dpsql.core.schema import Schema


@dataclass(frozen=True, slots=True)
class Bound:
    """An upper bound as a claim and as a fact; `claimed` is never above `proven`."""

    claimed: int | None
    proven: int | None

    def __mul__(self, other: Bound) -> Bound:
        return Bound(_times(self.claimed, other.claimed), _times(self.proven, other.proven))

    def __add__(self, other: Bound) -> Bound:
        return Bound(_plus(self.claimed, other.claimed), _plus(self.proven, other.proven))

    def least(self, *others: Bound) -> Bound:
        """The smaller bound of each kind."""
        every = (self, *others)
        return Bound(_least([b.claimed for b in every]), _least([b.proven for b in every]))

    def __str__(self) -> str:
        return "∞" if self.claimed is None else str(self.claimed)


def bound(value: int | None, proven: bool) -> Bound:
    """A declared number, which may be a fact."""
    return Bound(value, value if proven else None)


ONE = Bound(1, 1)
UNBOUNDED = Bound(None, None)

PerValue = Mapping[int, Bound]
"""By column id: at most so many rows of the node share one value of the column."""


def scan_rows(scan: Scan, schema: Schema) -> tuple[Bound, Evidence]:
    """The rows of a private table that one unit owns, along its path; and how that was found."""
    table, factors, found = scan.table, ONE, list[Evidence]()
    while True:
        if table.owner is None:
            found.append(Evidence("unit table", (table.name,)))
            break
        column = table.column(table.owner)
        assert column is not None
        if tuple(k.lower() for k in table.key) == (table.owner.lower(),):
            rows = ONE
            found.append(Evidence("key", (table.owner, table.name)))
        else:
            rows = bound(column.max_rows, column.max_rows_proven)
            found.append(Evidence("declared", (rows, table.name, table.owner)))
        factors = factors * rows
        reference = schema.next_owner(table)
        if reference is None:
            break
        upper = schema.table(reference.table)
        assert upper is not None
        table = upper
    return factors, Evidence("path", tuple(found))


def scan_per_value(scan: Scan) -> dict[int, Bound]:
    """The declared fan-outs of a table's columns, and 1 for its key."""
    result: dict[int, Bound] = {}
    for field, column in zip(scan.fields, scan.columns, strict=True):
        declared = scan.table.column(field)
        if declared is not None and declared.max_rows is not None:
            result[column.id] = bound(declared.max_rows, declared.max_rows_proven)
        if tuple(k.lower() for k in scan.table.key) == (field.lower(),):
            result[column.id] = ONE
    return result


Parts = Mapping[frozenset[int], Bound]
"""Sets of columns of which one unit has at most so many combinations of values."""


def combinations(columns: frozenset[int], parts: Parts) -> Bound:
    """How many combinations of values of these columns one unit has, by its rows' parts."""
    found, left = ONE, columns
    for part, most in sorted(
        parts.items(), key=lambda p: (p[1].claimed is None, p[1].claimed or 0)
    ):
        if part & left:
            found, left = found * most, left - part
    return UNBOUNDED if left else found


def fan_out(columns: frozenset[int], covered: bool, per_value: PerValue, rows: int | None) -> Bound:
    """How many rows of a side one row of the other meets, if `columns` of the side are equated."""
    if covered:
        return ONE
    found = UNBOUNDED if rows is None else Bound(rows, rows)
    return found.least(*(per_value[c] for c in columns if c in per_value))


def _times(a: int | None, b: int | None) -> int | None:
    if a == 0 or b == 0:
        return 0
    return None if a is None or b is None else a * b


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _least(values: list[int | None]) -> int | None:
    known = [v for v in values if v is not None]
    return min(known) if known else None


def anchored_rows(anchor: Anchor, schema: Schema) -> Bound:
    """How many rows of the anchor's table one unit has; each is one value of the column."""
    if anchor == UNIT:
        return ONE
    table = schema.table(anchor[0])
    assert table is not None
    return scan_rows(Scan(table, (), ()), schema)[0]
