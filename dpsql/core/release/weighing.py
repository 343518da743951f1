"""Private groups, whose units may weigh less where they are in several: see `enforce.weights`.

Where the query does not show how many units a group has, what is compared with the threshold can be
any number of which one unit moves little. Counted, a unit in up to K groups moves K numbers by 1
each; weighed, it moves a vector of norm 1, so that noise is as small as for K = 1. A group is then
shown where its units weigh enough: as many as there would have to be without others, times d or √d
where they are in d groups each, and times K or √K at most, which is what counting costs everywhere.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from dpsql.core.enforce.weights import WHOLE, Norm, weight
from dpsql.core.release.bound import weighed as sensitivity
from dpsql.core.release.formulas import terms
from dpsql.core.release.measures import Kind
from dpsql.core.release.release import Release

MANY = 8
"""Groups of a unit from which on norm 2 is taken. Its threshold, with Gaussian noise, is some 1.6
times that of norm 1 for units in one group (25.2 and 15.5 at ε = 1, δ = 10⁻⁶, K = 10): where they
are in √K of K groups that comes to 1.6·K^¼ against √K, which are equal at 7. There it is as bad to
be wrong for units in one group as for units in K.
"""


def weighs(release: Release) -> bool:
    """Whether units are counted for private groups alone, and one may be in several of these."""
    if release.units is None:
        return False
    measure = release.measures[release.units]
    if measure.kind is not Kind.DISTINCT or measure.contribution.touched == 1:
        return False
    return all(t.measure != release.units for o in release.outputs for t in terms(o.formula))


def weighed(release: Release, *, gaussian: bool) -> Release:
    """The release with units weighed, where `weighs` says so; else as it is.

    Args:
        release: whose units are counted.
        gaussian: whether there may be Gaussian noise. Which norm is taken depends on that and on
            the policy alone, so that what is asked with another ε is the same release.
    """
    if not weighs(release):
        return release
    assert release.units is not None
    number, plain = release.units, release.measures[release.units]
    norm: Norm = 2 if gaussian and (plain.contribution.touched or 0) >= MANY else 1
    moved = sensitivity(plain.contribution, norm, release.setting.neighbours)
    unit = Fraction(1, WHOLE)
    measure = replace(plain, kind=Kind.WEIGHTS, unit=unit, sensitivity=moved, norm=norm)
    cells = release.cells
    pairs = tuple((replace(p, norm=norm), n) if number in n else (p, n) for p, n in release.pairs)
    if cells is not None and cells.units:
        cells = replace(cells, norm=norm)
    return replace(
        release,
        cells=cells,
        pairs=pairs,
        measures=(*release.measures[:number], measure, *release.measures[number + 1 :]),
    )


def needed_units(release: Release, threshold: int) -> float:
    """Units that reach a threshold; where they are weighed, if each is in √K groups of the K that
    it may be in: how many it is in is not public.
    """
    assert release.units is not None
    measure = release.measures[release.units]
    if measure.norm is None:
        return threshold
    return threshold / weight(math.isqrt(measure.contribution.touched or 1), measure.norm)
