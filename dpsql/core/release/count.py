"""COUNT(*) and COUNT(x).

Claim: a unit with at most R rows adds at most R to a count; the range of one row is [1, 1] for
COUNT(*) and [0, 1] for COUNT(x). Why: by definition. The rest is `bound`.
"""

from __future__ import annotations

from fractions import Fraction

from dpsql.core.release.formulas import Linear, Term
from dpsql.core.release.measures import Measurements


def count(measurements: Measurements, index: int | None) -> Linear:
    """The formula of COUNT(*) (`index` None) or of COUNT of an argument."""
    measure = measurements.rows() if index is None else measurements.count(index)
    return Linear((Term(measure, Fraction(1)),), Fraction(0))
