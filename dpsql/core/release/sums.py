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

from dataclasses import replace
from fractions import Fraction

from dpsql.core.release.formulas import Linear, Quotient
from dpsql.core.release.measures import Measurements


def count(measurements: Measurements, index: int | None) -> Linear:
    """The formula of COUNT(*) (`index` None) or of COUNT of an argument."""
    counted = measurements.rows() if index is None else measurements.count(index)
    return Linear((counted,), Fraction(0))


def total(measurements: Measurements, index: int) -> Linear:
    """The formula of SUM; to be asked for after all counts and averages of the query."""
    lattice = measurements.arguments[index].lattice
    assert lattice is not None
    if not measurements.has_count(index):
        return Linear((measurements.total(index),), Fraction(0))
    centre = Fraction(lattice.low + lattice.high, 2) * lattice.step
    centred, counted = measurements.centred(index), measurements.count(index)
    return Linear((centred, replace(counted, weight=centre)), Fraction(0))


def average(measurements: Measurements, index: int) -> Quotient:
    """The formula of AVG."""
    argument = measurements.arguments[index]
    lattice = argument.lattice
    assert lattice is not None
    numerator = (measurements.centred(index),)
    low, high = lattice.low * lattice.step, lattice.high * lattice.step
    centre = (low + high) / 2
    public = measurements.setting.public_rows
    if public is not None and not argument.counted_apart:
        return Quotient(numerator, (), public, centre, low, high)
    return Quotient(numerator, (measurements.count(index),), 0, centre, low, high)
