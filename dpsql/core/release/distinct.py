"""COUNT(DISTINCT x), SUM(DISTINCT x) and AVG(DISTINCT x).

Claim: when a unit comes or goes, the set of values of a group changes by values that this unit has
there and nobody else has: at most one for each pair (group, value) among its rows. So the vector of
counts moves as a sum of such pairs, each 0 or 1, and the vector of sums as one of x or 0 each. A
unit has at most R pairs, R its rows; at most one a group where x is a function of the unit, as in
COUNT(DISTINCT unit), whose sensitivity is 1 therefore; at most V a group where x has V values.

Where these may be many, values are matched with units (`execution.matching`), each of which counts
for few. Where not, and none of this holds by itself, a unit's pairs are cut to R of them, chosen by
a hash of the pair and the unit: which ones it keeps does not depend on anybody else's rows (see
`enforce.pairs`).
"""

from __future__ import annotations

from fractions import Fraction

from dpsql.core.release.formulas import Linear, Quotient
from dpsql.core.release.measures import Measurements


def count(measurements: Measurements, index: int) -> Linear:
    """The formula of COUNT(DISTINCT x)."""
    return Linear((measurements.distinct(index),), Fraction(0))


def total(measurements: Measurements, index: int) -> Linear:
    """The formula of SUM(DISTINCT x)."""
    return Linear((measurements.distinct_total(index),), Fraction(0))


def average(measurements: Measurements, index: int) -> Quotient:
    """The formula of AVG(DISTINCT x): the sum over the count, kept in the range of x."""
    lattice = measurements.arguments[index].lattice
    assert lattice is not None
    numerator, denominator = total(measurements, index).terms, count(measurements, index).terms
    low, high = lattice.low * lattice.step, lattice.high * lattice.step
    return Quotient(numerator, denominator, 0, Fraction(0), low, high)
