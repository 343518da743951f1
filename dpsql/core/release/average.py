"""AVG(x) = c + SUM(x - c) / COUNT(x), c the middle of the range of x.

Claim: the released average is a function of two measurements, each bounded as `sum` and `count`
say; under `replace` with a public number of rows N it is a function of one, with sensitivity
(b - a)/N. Why: SUM(x - c) moves by at most b - a when one unit's row is replaced, and dividing by
the public N and adding the public c is post-processing. The average is kept in [a, b], free. Where
the two are measured together instead, see `together`.
"""

from __future__ import annotations

from fractions import Fraction

from dpsql.core.release.formulas import Quotient, Term
from dpsql.core.release.measures import Measurements


def average(measurements: Measurements, index: int) -> Quotient:
    """The formula of AVG."""
    argument = measurements.arguments[index]
    lattice = argument.lattice
    assert lattice is not None
    centred = measurements.centred(index)
    numerator = (Term(centred, measurements.measures[centred].unit),)
    step = lattice.step
    low, high = lattice.low * step, lattice.high * step
    centre = (low + high) / 2
    public = measurements.setting.public_rows
    if public is not None and not argument.counted_apart:
        return Quotient(numerator, (), public, centre, low, high)
    denominator = (Term(measurements.count(index), Fraction(1)),)
    return Quotient(numerator, denominator, 0, centre, low, high)
