"""Picks: values that a mechanism picks from a public list, by how rows are spread over it.

    MIN, MAX, MEDIAN, QUANTILE_*     the joint exponential mechanism on a public grid
    MODE                             report-noisy-max on the counts of a public list of values

Both read one table of exact counts: how many rows each group has at each point. Claim: a unit moves
all these counts together by at most R (L1), R its rows; 2R under `replace`. Why: a row is at one
point of one group. The loss of a pick is in proportion to the part of these rows that its group
has, so all groups together cost what is asked for one (see `noise.quantiles`, `noisy_max`).

MIN and MAX are extreme quantiles: the answer is a value below (above) which few rows are, few being
as many as the noise needs; the true extreme is one person's value and cannot be told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

from dpsql.core.enforce.asked_cells import Cells
from dpsql.core.enforce.lattice import on_grid
from dpsql.core.functions.build import make
from dpsql.core.infer.domain import Domain
from dpsql.core.plan.expr import Column, Expr, Literal
from dpsql.core.plan.values import Values, comparable, of_type
from dpsql.core.release.measures import Argument, Measure, Setting
from dpsql.errors import Diagnostic, Rejected
from dpsql.types import VARCHAR, Number, Scalar

POINTS = 2**20
"""How fine the grid of a numeric range is: a millionth of it, and at most so many rows a group."""

MAX_OPTIONS = 100_000

LOWEST, HIGHEST = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Grid:
    """Public points in order. `options` lists them, or else they are origin + i·step.

    Attributes:
        expr: the point of a row, as the engine computes it.
        size: how many points there are.
        origin: the first: in steps for numbers, else a date or a time that steps are counted from.
        step: between two of them: a number's unit, or a time.
        options: the points themselves, where they are listed.
        ends: of the range of numbers, which a point of the grid may be half a step beyond.
    """

    expr: Expr
    size: int
    origin: int | date | datetime
    step: Fraction | timedelta
    options: tuple[Scalar, ...] | None = None
    ends: tuple[Number, Number] | None = None

    def place(self, value: object) -> int | None:
        """The point's number; a value beyond an end is at the end, one that is not listed nowhere.

        Moving values to the ends keeps one row at one point, so it keeps the claim above.
        """
        if self.options is not None:
            return _numbers(self.options).get(value)  # type: ignore[call-overload,no-any-return]
        assert isinstance(value, int)
        return min(max(value - self.first, 0), self.size - 1)

    @property
    def first(self) -> int:
        """What the engine has at the first point."""
        return self.origin if isinstance(self.origin, int) else 0

    def value(self, number: int) -> Scalar:
        """The point of that number."""
        if self.options is not None:
            return self.options[number]
        if isinstance(self.step, timedelta):
            assert isinstance(self.origin, date)
            return self.origin + number * self.step
        assert isinstance(self.origin, int) and self.ends is not None
        return min(max((self.origin + number) * self.step, self.ends[0]), self.ends[1])


def _numbers(options: tuple[Scalar, ...]) -> dict[Scalar, int]:
    found = _KNOWN.get(options)
    if found is None:
        _KNOWN.clear()
        found = _KNOWN[options] = {value: i for i, value in enumerate(options)}
    return found


_KNOWN: dict[tuple[Scalar, ...], dict[Scalar, int]] = {}


@dataclass(frozen=True, slots=True)
class Pick:
    """One table of counts, and what is picked by it.

    Attributes:
        kind: "quantiles" or "mode".
        argument: the number of the argument.
        grid: the points.
        column: the column of the cells that has the point.
        cells: the exact counts.
        rows: how many rows one unit has, at most.
        monotone: whether neighbours differ by one unit, which moves all counts in one direction;
            else by two, one that comes and one that goes.
        shares: for quantiles, in order: 0 is MIN, 1 is MAX.
    """

    kind: str
    argument: int
    grid: Grid
    column: Column
    cells: Cells
    rows: int
    monotone: bool
    shares: tuple[Fraction, ...]

    @property
    def moved(self) -> int:
        """How far neighbours move all counts together (L1)."""
        return self.rows if self.monotone else 2 * self.rows


@dataclass(frozen=True, slots=True)
class Best:
    """The group with the greatest or the least score.

    Attributes:
        greatest: whether it is the greatest.
        domain: the candidates.
        key: their column.
        cells: the exact scores.
        measure: the score; `sensitivity.linf` is how far one unit moves a single one.
        monotone: whether a unit moves all scores the same way.
        arguments: what the score aggregates.
        setting: what its sensitivity rests on.
    """

    greatest: bool
    domain: Domain
    key: Column
    cells: Cells
    measure: Measure
    monotone: bool
    arguments: tuple[Argument, ...]
    setting: Setting

    @property
    def linf(self) -> int:
        """How far neighbours move one score."""
        return self.measure.sensitivity.linf


def ordered_grid(argument: Argument) -> Grid:
    """The grid of an order statistic: the public values, or the range where that has no more.

    Raises:
        Rejected: DP301, for values without an order that is public.
    """
    found, kind, options = _ranged(argument), argument.expr.type, argument.listed
    if options and (found is None or len(options) < found.size):
        rank: Callable[[Any], Any] = comparable if kind.values is None else kind.values.index
        options = tuple(sorted(options, key=rank))
        return Grid(argument.expr, len(options), 0, Fraction(1), options)
    if found is None:
        message = f"no public list or range of the values of {argument.text} is known"
        help = "declare `values` for it in the policy"
        raise Rejected(Diagnostic("DP301", message, argument.span, help))
    return found


def _ranged(argument: Argument) -> Grid | None:
    """Evenly spaced points in the range of numbers, days or seconds; None without a range."""
    expr, values, kind = argument.expr, argument.values, argument.expr.type
    if not values.bounded:
        return None
    if kind.is_numeric:
        lattice = on_grid(expr, values, POINTS)
        size, ends = lattice.high - lattice.low + 1, (values.low, values.high)
        return Grid(lattice.expr, size, lattice.low, lattice.step, ends=ends)
    if kind.name not in ("DATE", "TIMESTAMP"):
        return None
    unit, step, low = "day", timedelta(days=1), values.low
    if kind.name == "TIMESTAMP":
        unit, step, low = "second", timedelta(seconds=1), comparable(low).replace(microsecond=0)
    size = (comparable(values.high) - comparable(low)) // step + 1
    steps = make("date_diff", (Literal(unit, VARCHAR), Literal(low, kind), expr), None)
    return Grid(steps, size, low, step)


def points_of(argument: Argument) -> Values:
    """What a point of the grid of an order statistic can be.

    Claim: it is in the range. Why: listed values are, and so are evenly spaced ones, which are
    moved to its ends; a moment is at the start of its second.
    """
    found = _ranged(argument)
    if found is None:
        return of_type(argument.expr.type)
    low = argument.values.low if argument.expr.type.is_numeric else found.origin
    return Values(low, argument.values.high, True)


def listed_grid(argument: Argument) -> Grid:
    """The grid of a mode: the public values, in their order.

    Raises:
        Rejected: DP303, where they are not known or too many.
    """
    options = argument.listed
    if options is None or len(options) > MAX_OPTIONS:
        message = f"the values of {argument.text} are private: no public list of them is known"
        help = "declare `values` or `bounds` for its column in the policy, or filter it with IN (…)"
        if argument.expr.type.is_float or argument.expr.type.is_decimal:
            help = "ask for whole numbers, such as MODE(CAST(x AS INTEGER))"
        raise Rejected(Diagnostic("DP303", message, argument.span, help))
    if not options:
        message = f"{argument.text} has no value but NULL: there is none to pick"
        raise Rejected(Diagnostic("DP205", message, argument.span))
    return Grid(argument.expr, len(options), 0, Fraction(1), options)
