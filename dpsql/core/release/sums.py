"""COUNT, SUM and AVG.

COUNT(*) and COUNT(x). Claim: a unit with at most R rows adds at most R to a count; the range of one
row is [1, 1] for COUNT(*) and [0, 1] for COUNT(x). Why: by definition. The rest is `bound`.

SUM(x), from its own measurement or from the centred one and a count that is there anyway. Claim:
with x in [a, b] on the lattice, a row adds at most max(|a|, |b|) to the plain sum and at most
(b - a)/2 to the centred one. Why: the clamp and the lattice put each row's value there before
anything is added (see `secure` and `lattice`). SUM = centred + c·COUNT(x) is post-processing.

AVG(x) = c + SUM(x - c) / COUNT(x), c the middle of the range of x. Claim: the released average is a
function of two measurements, each bounded as above; under `replace` with a public number of rows N
it is a function of one, with sensitivity (b - a)/N. Why: SUM(x - c) moves by at most b - a when one
unit's row is replaced, and dividing by the public N and adding the public c is post-processing. The
average is kept in [a, b], free. Where the two are measured together instead, see `together`.
"""

from __future__ import annotations

from fractions import Fraction

from dpsql.core.release.formulas import Linear, Quotient, Term
from dpsql.core.release.measures import Measurements


def count(measurements: Measurements, index: int | None) -> Linear:
    """The formula of COUNT(*) (`index` None) or of COUNT of an argument."""
    measure = measurements.rows() if index is None else measurements.count(index)
    return Linear((Term(measure, Fraction(1)),), Fraction(0))


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
