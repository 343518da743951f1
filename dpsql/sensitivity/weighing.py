"""Private groups, whose units may weigh less where they are in several: see `rewrite.weights`.

Where the query does not show how many units a group has, what is compared with the threshold can be
any number of which one unit moves little. Counted, a unit in up to K groups moves K numbers by 1
each; weighed, it moves a vector of norm 1, so that noise is as small as for K = 1. A group is then
shown where its units weigh enough: as many as there would have to be without others, times d or √d
where they are in d groups each, and times K or √K at most, which is what counting costs everywhere.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from dpsql.rewrite.weights import WHOLE, Norm
from dpsql.sensitivity.bound import weighed as sensitivity
from dpsql.sensitivity.formulas import terms
from dpsql.sensitivity.measures import Kind
from dpsql.sensitivity.release import Release

_T = TypeVar("_T")


def weighs(release: Release) -> bool:
    """Whether units are counted for private groups alone, and one may be in several of these."""
    if release.units is None:
        return False
    measure = release.measures[release.units]
    if measure.kind is not Kind.DISTINCT or measure.contribution.touched == 1:
        return False
    return all(t.measure != release.units for o in release.outputs for t in terms(o.formula))


def weighed(release: Release, norm: Norm) -> Release:
    """The release with units weighed, where `weighs` says so; else as it is."""
    if not weighs(release):
        return release
    assert release.units is not None
    number, plain = release.units, release.measures[release.units]
    moved = sensitivity(plain.contribution, norm, release.setting.neighbours)
    unit = Fraction(1, WHOLE)
    measure = replace(plain, kind=Kind.WEIGHTS, unit=unit, sensitivity=moved, norm=norm)
    cells = release.cells
    pairs = tuple((replace(p, norm=norm), n) if number in n else (p, n) for p, n in release.pairs)
    if cells is not None and cells.units:
        cells = replace(cells, norm=norm)
    weight = "1/d" if norm == 1 else "1/√d"
    reasons = (*release.reasons[number], f"a unit in d groups weighs {weight} in each")
    return replace(
        release,
        cells=cells,
        pairs=pairs,
        measures=_with(release.measures, number, measure),
        labels=_with(release.labels, number, "weight of units"),
        reasons=_with(release.reasons, number, reasons),
    )


def _with(items: tuple[_T, ...], number: int, item: _T) -> tuple[_T, ...]:
    return (*items[:number], item, *items[number + 1 :])
