"""How the aggregates of a query are made from its measurements, and how they move with them.

A formula is a function of noisy numbers and public constants: post-processing. What it needs for an
interval is its derivative by each measurement, at the noisy numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpsql.core.plan.expr import Column
from dpsql.types import Scalar


@dataclass(frozen=True, slots=True)
class Term:
    """`weight` times measure number `measure`, in the unit of the aggregate's value."""

    measure: int
    weight: Fraction


@dataclass(frozen=True, slots=True)
class Linear:
    """An aggregate that is a weighted sum of measures plus a constant: COUNT, SUM."""

    terms: tuple[Term, ...]
    constant: Fraction


@dataclass(frozen=True, slots=True)
class Quotient:
    """AVG: centre + numerator / denominator, kept in [low, high], the range of its values.

    Attributes:
        numerator: the sum of what the values are above the centre.
        denominator: how many they are; nothing where that is the public `count`.
    """

    numerator: tuple[Term, ...]
    denominator: tuple[Term, ...]
    count: int
    centre: Fraction
    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True)
class Axis:
    """The moments of one variable x, u = x - centre.

    Attributes:
        total: the sum of u.
        square: the sum of u² - half²/2; nothing where it is not needed.
        centre: the middle of the range of x.
        half: half of its width.
    """

    total: tuple[Term, ...]
    square: tuple[Term, ...]
    centre: Fraction
    half: Fraction


@dataclass(frozen=True, slots=True)
class Moments:
    """VAR, STDDEV, COVAR, CORR and REGR_*: functions of centred moments; see `moments`.

    Attributes:
        function: which.
        count: the number of values, or of pairs; nothing where it is the public `public`.
        y: the first argument.
        x: the second; None for functions of one.
        cross: the sum of u·v; nothing for functions of one, and where both are the same variable.
    """

    function: str
    count: tuple[Term, ...]
    public: int
    y: Axis
    x: Axis | None
    cross: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Exceeds:
    """BOOL_OR: whether the count is larger than noise alone makes it; negated for BOOL_AND.

    Attributes:
        count: which.
        negated: for BOOL_AND.
        among: whether of all groups together one at most is expected to be so by noise alone.
    """

    count: Term
    negated: bool
    among: bool = False


@dataclass(frozen=True, slots=True)
class Bins:
    """HISTOGRAM: the count of each bin, by its label."""

    labels: tuple[Scalar | float, ...]
    counts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Picked:
    """A value that a mechanism picked: entries of a pick; one of them, or a list.

    Attributes:
        pick: which of the release's picks.
        places: which of its answers.
        listed: whether the aggregate's value is a list of them.
    """

    pick: int
    places: tuple[int, ...]
    listed: bool


Formula = Linear | Quotient | Moments | Exceeds | Bins | Picked


def terms(formula: Formula) -> tuple[Term, ...]:
    """The measures that a formula reads."""
    if isinstance(formula, Linear):
        return formula.terms
    if isinstance(formula, Quotient):
        return (*formula.numerator, *formula.denominator)
    if isinstance(formula, Exceeds):
        return (formula.count,)
    if isinstance(formula, Bins):
        return formula.counts
    if isinstance(formula, Picked):
        return ()
    axes = [formula.y, *([] if formula.x is None else [formula.x])]
    sums = (formula.count, formula.cross, *(t for a in axes for t in (a.total, a.square)))
    return tuple(term for found in sums for term in found)


@dataclass(frozen=True, slots=True)
class Output:
    """One aggregate of the query and how its value comes from the measures.

    Attributes:
        column: its.
        formula: of the measures.
        argument: the number of what it aggregates among the arguments of the release, which may be
            made of another one; None for COUNT(*).
    """

    column: Column
    formula: Formula
    argument: int | None = None
