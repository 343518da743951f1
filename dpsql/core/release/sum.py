"""SUM(x), from its own measurement or from the centred one and a count that is there anyway.

Claim: with x in [a, b] on the lattice, a row adds at most max(|a|, |b|) to the plain sum and at
most (b - a)/2 to the centred one. Why: the clamp and the lattice put each row's value there before
anything is added (see `secure` and `lattice`). SUM = centred + c·COUNT(x) is post-processing.
"""

from __future__ import annotations

from fractions import Fraction

from dpsql.core.release.formulas import Linear, Term
from dpsql.core.release.measures import Measurements


def total(measurements: Measurements, index: int) -> Linear:
    """The formula of SUM; to be asked for after all counts and averages of the query."""
    lattice = measurements.arguments[index].lattice
    assert lattice is not None
    if not measurements.has_count(index):
        measure = measurements.total(index)
        return Linear((Term(measure, lattice.step),), Fraction(0))
    centre = Fraction(lattice.low + lattice.high, 2) * lattice.step
    centred = measurements.centred(index)
    terms = (
        Term(centred, measurements.measures[centred].unit),
        Term(measurements.count(index), centre),
    )
    return Linear(terms, Fraction(0))
