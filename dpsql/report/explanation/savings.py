"""What it saves to ask for all groups and all aggregates of a query at once.

Measured against the same noise: each aggregate asked for alone, with measurements of its own, in
each group alone, and all of these ε added up by basic composition. Let an aggregate be made from
the measurements M, let a unit move measurement m by Lₘ over all groups (L1) and by Cₘ in one (L∞),
and let sₘ be the scale of its Laplace noise. Then

    apart in everything     Σ over aggregates, over the groups G, over M  of  Cₘ/sₘ
    groups together         Σ over aggregates, over M                     of  Lₘ/sₘ
    all together            the ε charged

The first less the second is what parallel composition over the groups saves: a unit is in L0 of the
groups, not in all. The second less the third is what shared measurements save. Members of a family
(``release.shared``) in one aggregate cost what one of them does; a pick costs what its
mechanism does on as many rows. Gaussian noise is compared by the ε of its ρ at the query's δ, and
by no more than all of it costs: an understatement, since the δ of what is asked apart would add up
as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dpsql.compile import Compiled, ReleasedQuery
from dpsql.core.account.amount import Cost
from dpsql.core.account.compose import basic
from dpsql.core.account.conversion import eps_of_rho
from dpsql.core.calibrate.calibration import picker_event
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.release.formulas import Picked, terms
from dpsql.core.release.measures import Measure
from dpsql.core.release.picks import Best
from dpsql.core.release.release import Release as Point
from dpsql.report.forms import Plain

_ZERO = Fraction(0)

_Aggregate = tuple[frozenset[int], tuple[int, ...]]
"""The measures and the picks that one aggregate reads of a release point, by number."""

MEANING = (
    "the ε that the same noise would cost if each group (parallel composition), and each aggregate "
    "with its own measurements (shared measurements), were asked for apart and added up by basic "
    "composition, minus the ε charged; of Gaussian noise, each time at the δ of all of it"
)
"""What is counted as saved."""


@dataclass(frozen=True, slots=True)
class Savings(Plain):
    """What it saves to ask for all at once.

    That is the ε which the same noise would cost if each group, and each aggregate with its own
    measurements, were asked for apart and added up by basic composition, minus the ε charged; see
    ``savings``.

    Attributes:
        groups: by parallel composition over the groups, in ε; None where only the run tells how
            many there are.
        shared: by measurements that several aggregates share, in ε.
    """

    groups: Fraction | None
    shared: Fraction

    @property
    def any(self) -> bool:
        """Whether anything is saved."""
        return bool(self.groups or self.shared)

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return Plain.to_dict(self) | {"meaning": MEANING}


def savings(compiled: Compiled) -> Savings:
    """What a query saves that is not public, in ε."""
    query, charged = compiled.query, compiled.cost.eps
    assert isinstance(query, ReleasedQuery)
    apart, together, known = _ZERO, _ZERO, True
    for index, point in enumerate(query.releases):
        best = any(isinstance(pick, Best) for pick in point.picks)
        groups = 1 if best else point.domain.size
        for aggregate in _aggregates(point):
            joint = _eps(query, index, aggregate, alone=False)
            together += joint
            if groups is None:
                known = False
            else:
                alone = joint if best else _eps(query, index, aggregate, alone=True)
                apart += max(joint, groups * alone) - joint
    return Savings(apart if known else None, max(_ZERO, together - charged))


def _aggregates(point: Point) -> Iterator[_Aggregate]:
    """One for each aggregate of the query, and one for each measurement of ours."""
    read: set[int] = set()
    for output in point.outputs:
        measures = frozenset(term.measure for term in terms(output.formula))
        picks = (output.formula.pick,) if isinstance(output.formula, Picked) else ()
        yield measures, picks
        read |= measures
    for number in range(len(point.measures)):
        if number not in read:
            yield frozenset({number}), ()


def _eps(query: ReleasedQuery, index: int, aggregate: _Aggregate, *, alone: bool) -> Fraction:
    """The ε of an aggregate by itself; `alone` in one group, else in all."""
    point, (measures, picks) = query.releases[index], aggregate
    laplace: dict[int, Fraction] = {}
    gaussian: dict[int, Fraction] = {}
    for number in measures:
        measure, noise = point.measures[number], query.planned[index].noise[number]
        of = gaussian if isinstance(noise, DiscreteGaussian) else laplace
        cost = _one(measure, noise, alone)
        of[measure.family] = max(cost, of.get(measure.family, _ZERO))
    total = sum(laplace.values(), _ZERO) + _gaussian(sum(gaussian.values(), _ZERO), query.joint)
    for number in picks:
        # All rows of a unit may be in one group: a pick costs the same there.
        total += picker_event(point.picks[number], query.planned[index].pickers[number]).cost.eps
    return total


def _one(measure: Measure, noise: Noise | AdaptiveLaplace, alone: bool) -> Fraction:
    """ε of Laplace noise, or ρ of Gaussian noise."""
    moved = measure.sensitivity
    if not moved.l1:
        return _ZERO
    if isinstance(noise, AdaptiveLaplace):
        return basic(noise.events()).eps
    if isinstance(noise, DiscreteLaplace):
        return noise.event(moved.linf if alone else moved.l1).cost.eps
    return Fraction(moved.linf**2 if alone else moved.l2_squared) / (2 * Fraction(noise.scale) ** 2)


def _gaussian(rho: Fraction, joint: Cost | None) -> Fraction:
    if joint is None or not rho:
        return _ZERO
    return min(joint.eps, eps_of_rho(rho, joint.delta))
