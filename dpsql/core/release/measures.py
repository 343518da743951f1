"""Base measurements: the few sums that are released, shared by all aggregates of a query.
What is made from them stands in `formulas`.

AVG(x), SUM(x) and COUNT(x) need at most two of them: how many rows have an x, and the sum of x
around the middle of its range. A count that three aggregates use is measured, and paid for, once.

    SUM(x) alone               sum of x
    AVG(x), or SUM(x) and a count that is measured anyway
                               sum of (x - c), count;  SUM = sum + c·count, AVG = c + sum/count

Centring. With x in [a, b] and c = (a + b)/2, the centred sum moves by (b - a)/2 per row where the
plain one moves by max(|a|, |b|) = (b - a)/2 + |c|. So deriving SUM from the centred sum and a count
that is there anyway is never worse: its noise has variance h² + c² against (h + |c|)², for
h = (b - a)/2, at equal ε. Often both are measured better as sums around the ends (`together`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from dpsql.core.enforce.lattice import OnLattice
from dpsql.core.enforce.weights import Norm
from dpsql.core.infer.evidence import Evidence
from dpsql.core.plan.expr import Expr
from dpsql.core.plan.values import Values
from dpsql.core.release.bound import Contribution, Sensitivity, clipped, sensitivity
from dpsql.core.release.formulas import Term
from dpsql.errors import Diagnostic, Rejected, Span
from dpsql.types import Scalar


class Kind(Enum):
    """What a base measurement adds up."""

    ROWS = "rows"
    VALUES = "values"
    SUM = "sum"
    CENTRED = "centred"
    PART = "part"
    DISTINCT = "distinct"
    DISTINCT_SUM = "distinct sum"
    WEIGHTS = "weights"


APART = frozenset({Kind.DISTINCT, Kind.DISTINCT_SUM, Kind.WEIGHTS})
"""Measures with a query of their own."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One number per group, to be released with noise.

    Attributes:
        kind: what it adds up.
        input: which input (None for rows).
        unit: what one lattice step of the measurement is worth in the released number.
        centre: twice the centre in steps of x, for CENTRED. The measurement is
            2·SUM(x) - centre·COUNT(x), in half steps, where the centre itself is no step, and
            SUM(x) - centre/2·COUNT(x) where it is; 0 for other kinds.
        contribution: what one unit can add.
        sensitivity: for the policy's neighbours.
        constant: the value itself where it is the same on all neighbours, else None.
        adaptive: the clip is found when it is run, or for DISTINCT the capacity of a unit, see
            `matching`; `sensitivity` is then in units of that.
        family: the number of the first of several measures that share what one unit can add: its
            rows are split over them, so that they share one part of ε; see `shared`. Of those that
            are clipped, they share the clip; see `one_clip`.
        norm: for WEIGHTS, the one that is bounded; see `weighing`.
        between: for PART, the inputs whose sums it lies between, see `partition`; the first of
            them begins at None, which is 0, and the last ends at None, all of the count.
        near: for PART, the inputs of the variables, and where each of them lies where a row adds
            most.
        usual: what a row adds where measurements are compared, see `importance`; None where its
            range says.
    """

    kind: Kind
    input: int | None
    unit: Fraction
    centre: int
    contribution: Contribution
    sensitivity: Sensitivity
    constant: int | None
    family: int
    adaptive: bool = False
    norm: Norm | None = None
    between: tuple[int | None, int | None] = (None, None)
    near: tuple[tuple[int, Fraction], ...] = ()
    usual: Fraction | None = None

    @property
    def conditional(self) -> bool:
        """Whether it counts the rows that satisfy conditions and do not satisfy others."""
        said = all(place in (0, 1) for _, place in self.near)
        return self.kind is Kind.PART and self.contribution.high == 1 and said


@dataclass(frozen=True, slots=True)
class Argument:
    """An aggregated expression after all rewriting.

    Attributes:
        expr: the secured expression.
        lattice: where it is summed.
        nullable: whether NULL can occur, as far as is proven.
        counted_apart: whether COUNT(expr) is measured apart from COUNT(*): the owner has not said
            that there is no NULL.
        text: as a person would write it.
        values: what it can be, as far as is proven.
        options: how many values it can have at most, apart from NULL; None for many.
        of_unit: all rows of one unit that have a value have the same one.
        owned: it is a column whose value tells the unit: no two units have the same one.
        listed: its values as the policy and the query list them, where that is asked for.
        by_type: nothing but the limits of its type says how large it can be.
        counted: the argument that is NULL in the same rows, and counted for it; None for itself.
        span: where it stands.
    """

    expr: Expr
    lattice: OnLattice | None
    nullable: bool
    counted_apart: bool
    text: str
    values: Values
    options: int | None = None
    of_unit: bool = False
    owned: bool = False
    listed: tuple[Scalar, ...] | None = None
    by_type: bool = False
    counted: int | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What all measures of a release have in common.

    Attributes:
        rows: the bound on rows per unit, enforced or proven; None for none.
        unbounded: why there is none.
        adaptive: sums and counts are clipped where the data says.
        groups: how many groups are output, if known.
        one_group: all rows of a unit are in one group.
        own: in how many groups that are output one unit can be, see `bound.Contribution`.
        cell: how many rows of a unit are in one group, in fact; None for `rows`, and where units
            are cut down: what is kept of them is bounded by their quota alone.
        public_rows: the number of rows where it is public and the same for all (no keys).
        neighbours: the policy's relation.
        clipping: what the analyst wishes, see `dpsql.core.calibrate.options`.
        unit_column: whether units are told by a column; else each row is one.
        enforced: whether units with more rows are cut down; else there are none.
        rows_why: how the bound on rows was found.
    """

    rows: int | None
    unbounded: Diagnostic | None
    adaptive: bool
    groups: int | None
    one_group: bool
    own: int | None
    cell: int | None
    public_rows: int | None
    neighbours: str
    clipping: str
    unit_column: bool
    enforced: bool
    rows_why: Evidence | None

    @property
    def sides(self) -> int:
        """In how many units neighbours differ."""
        return 2 if self.neighbours == "replace" else 1


def attained(contribution: Contribution, setting: Setting) -> Sensitivity | None:
    """The sensitivity where it is what all numbers of a unit are at their largest, which several
    measures can split; None where a bound on what neighbours do to one number is less.
    """
    if contribution.total is None:
        return None
    moved = sensitivity(contribution, setting.neighbours)
    most = setting.sides * contribution.total * contribution.magnitude
    return moved if moved.l1 == most and moved.l2_squared == most * moved.linf else None


MATCHED = 16
"""Values of a unit from which on they are matched with units, where nobody wishes otherwise. What
is spent on finding a capacity costs half as much noise again; and a capacity that is twice what is
needed as much again.
"""

MOST_MATCHED = 2**12
"""What one unit has is a text of a result, of 2^16 digits at most, and its values are asked for one
by one: some milliseconds.
"""


def matches(contribution: Contribution, owned: bool, setting: Setting) -> bool:
    """Whether distinct values are matched with units that have them, see `execution.matching`,
    rather than noise be added for all that a unit may have. That a value is one unit's is the case
    where matching finds nothing: a unit stands for all of its own.
    """
    most, wish = contribution.total, setting.clipping
    if most is None or owned or not setting.unit_column or wish == "declared":
        return False
    return (MATCHED if wish == "auto" else 2) <= most <= MOST_MATCHED


class Measurements:
    """Collects the measures of one release, and says what they are worth; asking twice for the same
    gives the same.
    """

    def __init__(self, setting: Setting, arguments: tuple[Argument, ...]) -> None:
        self.setting, self.arguments = setting, list(arguments)
        self.measures: list[Measure] = []
        self._known: dict[tuple[Kind, int | None], int] = {}
        self._derived: dict[Expr, int] = {}
        self.averaged: set[int] = set()
        """Inputs whose distinct values are summed, too: all of them are counted then."""

    def derived(self, argument: Argument) -> int:
        """The number of an argument that is made from others: x², x·y, whether x is in a bin."""
        if argument.expr not in self._derived:
            self._derived[argument.expr] = len(self.arguments)
            self.arguments.append(replace(argument, counted=None))
        return self._derived[argument.expr]

    def rows(self) -> Term:
        """COUNT(*): each row adds 1."""
        if self.setting.public_rows is not None:
            constant = self.setting.public_rows
            return self._measure(Kind.ROWS, None, (1, 1), Fraction(1), constant=constant)
        return self._measure(Kind.ROWS, None, (1, 1), Fraction(1))

    def count(self, index: int) -> Term:
        """COUNT(x): each row adds 1 where x is not NULL. The same as COUNT(*) where the owner says
        that x is never NULL; a NULL that is there all the same counts, which bounds it as well.
        """
        if not self.arguments[index].counted_apart:
            return self.rows()
        return self._measure(Kind.VALUES, self._counted(index), (0, 1), Fraction(1))

    def has_count(self, index: int) -> bool:
        """Whether COUNT(x) is measured already, or public."""
        if not self.arguments[index].counted_apart:
            return (Kind.ROWS, None) in self._known or self.setting.public_rows is not None
        return (Kind.VALUES, self._counted(index)) in self._known

    def _counted(self, index: int) -> int:
        found = self.arguments[index].counted
        return index if found is None else found

    def total(self, index: int, usual: Fraction | None = None) -> Term:
        """SUM(x): each row adds x, `usual` where measurements are compared, and nothing where x is
        NULL.
        """
        argument = self.arguments[index]
        lattice = argument.lattice
        assert lattice is not None
        low, high = lattice.low, lattice.high
        if argument.nullable:
            low, high = min(low, 0), max(high, 0)
        return self._measure(Kind.SUM, index, (low, high), lattice.step, usual=usual)

    def centred(self, index: int) -> Term:
        """SUM(x - c), c the middle of the range: each row adds x - c in [-h, h], and nothing for
        NULL. In half steps where c is no step, so that h = (b - a)/2 is exact.
        """
        lattice = self.arguments[index].lattice
        assert lattice is not None
        centre, width = lattice.low + lattice.high, lattice.high - lattice.low
        if centre % 2:
            return self._measure(Kind.CENTRED, index, (-width, width), lattice.step / 2, centre)
        half = width // 2
        return self._measure(Kind.CENTRED, index, (-half, half), lattice.step, centre)

    def distinct(self, index: int) -> Term:
        """COUNT(DISTINCT x): each pair of a group and a value that the unit has adds 0 or 1; one if
        no other unit has it.
        """
        return self._measure(Kind.DISTINCT, index, (0, 1), Fraction(1), cell=self._cell(index))

    def distinct_total(self, index: int) -> Term:
        """SUM(DISTINCT x): each pair of a group and a value that the unit has adds 0 or x."""
        lattice = self.arguments[index].lattice
        assert lattice is not None
        ends = min(lattice.low, 0), max(lattice.high, 0)
        return self._measure(Kind.DISTINCT_SUM, index, ends, lattice.step, cell=self._cell(index))

    def units(self) -> Term:
        """How many units have a row in each group: a unit adds 1 to each group that it touches. As
        many as there are rows where that is public: each unit has one then.
        """
        if self.setting.public_rows is not None:
            return self.rows()
        return self._measure(Kind.DISTINCT, None, (0, 1), Fraction(1), cell=1)

    def bins(self, indices: list[int]) -> list[Term]:
        """COUNT of each of several arguments of which no row has two: one family. A bin is one more
        key to what a unit can add: its rows may be in several bins of its one group, and under
        `replace` those of the other unit in others.
        """
        family, parts = len(self.measures), len(indices)
        return [
            self._measure(Kind.VALUES, i, (0, 1), Fraction(1), family=family, parts=parts)
            for i in indices
        ]

    def _cell(self, index: int) -> int | None:
        """How many values one unit can have in one group."""
        argument = self.arguments[index]
        return 1 if argument.of_unit else argument.options

    def _measure(
        self,
        kind: Kind,
        index: int | None,
        ends: tuple[int, int],
        unit: Fraction,
        centre: int = 0,
        constant: int | None = None,
        cell: int | None = None,
        family: int | None = None,
        parts: int = 1,
        usual: Fraction | None = None,
    ) -> Term:
        key = (kind, index)
        if key not in self._known:
            # Every row adds 0: so does any number of them, and nothing is read to find that out.
            nothing = ends == (0, 0) and kind not in APART
            constant = 0 if nothing else constant
            contribution = Contribution(
                rows=1 if nothing else self.setting.rows,
                low=ends[0],
                high=ends[1],
                groups=None if self.setting.groups is None else parts * self.setting.groups,
                own=None if self.setting.own is None else parts * self.setting.own,
                every_unit=self.setting.public_rows is not None and parts == 1,
                cell=cell if kind in APART else self.setting.cell,
            )
            adaptive = self.setting.adaptive and kind not in APART and constant is None
            if kind is Kind.DISTINCT and index is not None and index not in self.averaged:
                adaptive = matches(contribution, self.arguments[index].owned, self.setting)
            if adaptive:
                moved = clipped(self.setting.neighbours)
            elif contribution.total is None:
                assert self.setting.unbounded is not None
                raise Rejected(self.setting.unbounded)
            else:
                moved = sensitivity(contribution, self.setting.neighbours)
            number = len(self.measures)
            self._known[key] = number
            family = number if family is None or adaptive else family
            made = Measure(
                kind,
                index,
                unit,
                centre,
                contribution,
                moved,
                constant,
                family,
                adaptive,
                usual=usual,
            )
            self.measures.append(made)
        return Term(self._known[key], unit)
