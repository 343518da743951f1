"""Noisy measurements -> the values of the query's aggregates, and how much of each noise they hold.

All of it is post-processing of noisy numbers and public constants.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

from dpsql.sensitivity.measures import Formula, Linear, Quotient
from dpsql.types import Type

Noisy = list[int]
"""One group's noisy measures, in lattice steps."""


def value(formula: Formula, noisy: Noisy) -> Fraction:
    """The aggregate's value, exact in the noisy numbers."""
    if isinstance(formula, Linear):
        parts = (term.weight * noisy[term.measure] for term in formula.terms)
        return sum(parts, formula.constant)
    count = _count(formula, noisy)
    mean = formula.centre + formula.numerator.weight * noisy[formula.numerator.measure] / count
    return min(max(mean, formula.low), formula.high)


def weights(formula: Formula, noisy: Noisy) -> dict[int, float]:
    """d value / d measure, per lattice step, at the noisy values."""
    if isinstance(formula, Linear):
        result: dict[int, float] = {}
        for term in formula.terms:
            result[term.measure] = result.get(term.measure, 0.0) + float(term.weight)
        return result
    count = _count(formula, noisy)
    top = formula.numerator
    found = {top.measure: float(top.weight / count)}
    if formula.denominator is not None:
        mean = top.weight * noisy[top.measure] / count
        reach = (formula.high - formula.low) / 2
        mean = min(max(mean, -reach), reach)
        found[formula.denominator.measure] = float(-mean / count)
    return found


def widest(formula: Formula) -> float | None:
    """The most that the value can be off, where its range is public."""
    return float(formula.high - formula.low) if isinstance(formula, Quotient) else None


def _count(formula: Quotient, noisy: Noisy) -> int:
    """The public or the noisy number of values; at least 1."""
    if formula.denominator is None:
        return formula.count
    return max(1, noisy[formula.denominator.measure])


def plain(number: Fraction, kind: Type) -> int | float | Decimal:
    """The number as a value of a SQL type; rounded half to even where it does not fit exactly."""
    if kind.is_integer:
        return round(number)
    if kind.is_decimal:
        steps = round(number * 10 ** (kind.scale or 0))
        with localcontext() as context:
            context.prec = 100
            return Decimal(steps).scaleb(-(kind.scale or 0))
    return float(number)
