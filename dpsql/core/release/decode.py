"""Noisy measurements -> the values of the query's aggregates, and how much of each noise they hold.

All of it is post-processing of noisy numbers and public constants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Context, Decimal
from fractions import Fraction
from math import lcm

from dpsql.core.release.formulas import (
    Bins,
    Exceeds,
    Formula,
    Linear,
    Moments,
    Picked,
    Quotient,
    Term,
)
from dpsql.core.release.second_moments import evaluate, range_of
from dpsql.core.release.second_moments import widest as widest_moment
from dpsql.types import Scalar, Type


@dataclass(frozen=True, slots=True)
class Noisy:
    """What is released of one group.

    Attributes:
        measures: in lattice steps; those that were clipped in parts of them.
        picks: for each pick its values.
    """

    measures: list[int | Fraction]
    picks: tuple[tuple[Scalar | None, ...], ...] = ()


Value = Fraction | float | Scalar | None | list[object] | dict[object, int]


def value(
    formula: Formula, noisy: Noisy, reach: Mapping[Exceeds, int | Fraction] | None = None
) -> Value:
    """The aggregate's value; of sums and averages exact in the noisy numbers.

    Args:
        formula: how it is made.
        noisy: the group's numbers.
        reach: how far noise alone goes, in steps; nothing for exact numbers.
    """
    if isinstance(formula, Linear | Quotient):
        return number(formula, noisy)
    if isinstance(formula, Moments):
        found = evaluate(formula, noisy.measures)
        return None if found is None else found.value
    if isinstance(formula, Exceeds):
        return (
            noisy.measures[formula.count.measure] > (reach or {}).get(formula, 0)
        ) != formula.negated
    if isinstance(formula, Bins):
        counts = (max(0, round(t.weight * noisy.measures[t.measure])) for t in formula.counts)
        return dict(zip(formula.labels, counts, strict=True))
    assert isinstance(formula, Picked)
    picked = [noisy.picks[formula.pick][place] for place in formula.places]
    return list(picked) if formula.listed else picked[0]


def number(formula: Linear | Quotient, noisy: Noisy) -> Fraction:
    """The value of a sum or an average."""
    measures = noisy.measures
    if isinstance(formula, Linear):
        found = Fraction(_sum(formula.terms, measures))
        return found + formula.constant if formula.constant else found
    count = _count(formula, measures)
    mean = formula.centre + Fraction(_sum(formula.numerator, measures)) / count
    return min(max(mean, formula.low), formula.high)


def weights(formula: Formula, noisy: Noisy) -> dict[int, float] | None:
    """d value / d measure, per lattice step, at the noisy values; None where there is none."""
    measures = noisy.measures
    if isinstance(formula, Linear):
        result: dict[int, float] = {}
        for term in formula.terms:
            result[term.measure] = result.get(term.measure, 0.0) + float(term.weight)
        return result
    if isinstance(formula, Moments):
        slope = evaluate(formula, measures)
        return None if slope is None else slope.by
    if not isinstance(formula, Quotient):
        return None
    count = _count(formula, measures)
    mean = Fraction(_sum(formula.numerator, measures)) / count
    mean = min(max(mean, formula.low - formula.centre), formula.high - formula.centre)
    rates = {term.measure: term.weight for term in formula.numerator}
    if len(rates) < len(formula.numerator):  # several of one measure
        rates = dict.fromkeys(rates, Fraction(0))
        for term in formula.numerator:
            rates[term.measure] += term.weight
    for term in formula.denominator:
        moved = -mean * term.weight
        before = rates.get(term.measure)
        rates[term.measure] = moved if before is None else before + moved
    return {measure: float(rate / count) for measure, rate in rates.items()}


def widest(formula: Formula) -> float | None:
    """The most that the value can be off, where its range is public."""
    if isinstance(formula, Moments):
        return widest_moment(formula)
    return float(formula.high - formula.low) if isinstance(formula, Quotient) else None


def limits(formula: Formula) -> tuple[float, float] | None:
    """Where the value is, where that is public."""
    if isinstance(formula, Moments):
        return range_of(formula)
    return (float(formula.low), float(formula.high)) if isinstance(formula, Quotient) else None


def _sum(terms: Sequence[Term], noisy: Sequence[int | Fraction]) -> int | Fraction:
    """Σ weight · measure: whole numbers of one denominator, since fractions are slow."""
    below = lcm(*(term.weight.denominator for term in terms))
    above: int | Fraction = 0
    for term in terms:
        part = term.weight.numerator * (below // term.weight.denominator)
        above += part * noisy[term.measure]
    return above if below == 1 else Fraction(above) / below


def _count(formula: Quotient, noisy: list[int | Fraction]) -> int | Fraction:
    """The public or the noisy number of values; at least 1."""
    if not formula.denominator:
        return formula.count
    return max(1, _sum(formula.denominator, noisy))


def plain(value: object, kind: Type) -> object:
    """The value as one of a SQL type: the nearest there is, half-way the even one."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, dict):
        assert kind.of is not None
        return {plain(k, kind.of): n for k, n in value.items()}
    if isinstance(value, list):
        assert kind.of is not None
        return [plain(v, kind.of) for v in value]
    if isinstance(value, date):
        midnight = kind.name == "TIMESTAMP" and not isinstance(value, datetime)
        return datetime(value.year, value.month, value.day) if midnight else value
    assert isinstance(value, int | float | Fraction)
    if kind.is_decimal and not isinstance(value, float):
        return _decimal(value, kind.precision or 0, kind.scale or 0)
    limits = kind.limits()
    if limits is not None:  # noise knows no limits, but a table does
        value = min(max(value, limits[0]), limits[1])
    if kind.is_integer:
        return round(value)
    if kind.is_decimal:
        return _decimal(Fraction(value), kind.precision or 0, kind.scale or 0)
    return float(value)


_WIDE = Context(prec=100)


def _decimal(value: int | Fraction, precision: int, scale: int) -> Decimal:
    """The nearest of a DECIMAL, in whole numbers, since fractions are slow."""
    above, below = value.as_integer_ratio()
    steps, rest = divmod(above * 10**scale, below)
    if 2 * rest > below or (2 * rest == below and steps % 2):
        steps += 1
    most = 10**precision - 1  # noise knows no limits, but a table does
    return Decimal(min(max(steps, -most), most)).scaleb(-scale, _WIDE)
