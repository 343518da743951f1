"""The terms of a model: each a number of a row in a public range, around its middle.

A row's z = (x − centre)/half is in [−1, 1]; x is clamped first, so that one row counts as one row
of data that keep the bounds. What is written is u = x − centre, in exact decimals where x is exact,
so that sums are exact; `half` divides what comes back.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpsql.models.literals import constant, double, exact, places, quoted
from dpsql.types import Scalar, Type, decimal

HALF = Fraction(1, 2)
MOST_DIGITS = 17
"""Of an exact x: products of two such fit 38 digits."""


@dataclass(frozen=True, slots=True)
class Term:
    """One x of a model, or its y.

    Attributes:
        name: for people.
        column: of the relation.
        clamped: SQL: the column within its bounds; of a text the column itself.
        centred: SQL: u.
        centre, half: x is from centre − half to centre + half.
        two: x is at an end always, so that u² is half².
        level: for which value of the column x is 1, where it is 0 for others.
        grain: the column is a whole multiple of it; None where no such step is known.
    """

    name: str
    column: str
    clamped: str
    centred: str
    centre: Fraction
    half: Fraction
    two: bool = False
    level: Scalar | None = None
    grain: Fraction | None = None


def number(column: str, kind: Type, low: Fraction, high: Fraction) -> Term:
    """The term of a number within bounds, of which the second is the greater."""
    name, centre, half = quoted(column), (low + high) / 2, (high - low) / 2
    digits = kind.scale or 0
    finer = places(centre)
    if kind.is_exact and finer is not None and places(low) is not None:
        width = max(len(str(int(abs(end)))) for end in (low, high)) + max(digits, finer)
        if width <= MOST_DIGITS:
            clamped = f"LEAST(GREATEST({name}, {exact(low)}), {exact(high)})"
            cast = f"CAST({clamped} AS {decimal(width, max(digits, finer))})"
            grain = Fraction(1, 10**digits)
            two, centred = high - low == grain, f"{cast} - {exact(centre)}"
            return Term(column, column, clamped, centred, centre, half, two, grain=grain)
    as_double = name if kind.is_float else f"CAST({name} AS DOUBLE)"
    ends = [Fraction(float(end)) for end in (low, high)]
    middle = Fraction(float((ends[0] + ends[1]) / 2))
    clamped = f"LEAST(GREATEST({as_double}, {double(ends[0])}), {double(ends[1])})"
    half = max(ends[1] - middle, middle - ends[0])
    return Term(column, column, clamped, f"{clamped} - {double(middle)}", middle, half)


def truth(column: str) -> Term:
    """The term of a BOOLEAN, which counts as 1 or 0."""
    return _one_or_none(column, column, quoted(column), True)


def levels(column: str, values: tuple[Scalar, ...]) -> tuple[Term, ...]:
    """A term for each value but the first."""
    name = quoted(column)
    return tuple(
        _one_or_none(f"{column} = {value}", column, f"{name} = {constant(value)}", value)
        for value in values[1:]
    )


def _one_or_none(name: str, column: str, condition: str, level: Scalar) -> Term:
    centred = f"CASE WHEN {condition} THEN 0.5 ELSE -0.5 END"
    return Term(name, column, quoted(column), centred, HALF, HALF, True, level)
