"""How the ε and δ of a query become noise: in parts, see `importance`, which are then calibrated.

What is drawn costs the sum of its events: Gaussian noise of all releases is one of them, though
other noise may be drawn in between, on what was released so far. That is concurrent composition
(Vadhan and Zhang, "Concurrent composition theorems for differential privacy", STOC 2023): the noise
of each part is fixed before, and only what it is added to may depend on the answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

from dpsql.core.account import exposure
from dpsql.core.account.amount import Cost
from dpsql.core.account.events import DiscreteLaplaceEvent, Event, RareEvent, SharedLaplaceEvent
from dpsql.core.account.loss import Loss, total
from dpsql.core.calibrate.importance import importances, parts_of
from dpsql.core.calibrate.options import Options
from dpsql.core.enforce.truncation import Truncation
from dpsql.core.enforce.weights import weight
from dpsql.core.infer.domain import MAX_GROUPS
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.clip import COUNTS, FINE, SUMS
from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.gaussian import joint as jointly
from dpsql.core.noise.integer_noise import Noise, NoiseError
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.noise.noisy_max import NoisyMax
from dpsql.core.noise.quantiles import JointQuantiles
from dpsql.core.noise.threshold import gaussian_threshold, threshold
from dpsql.core.noise.truncated import TruncatedLaplace
from dpsql.core.noise.weighed_threshold import weighed_threshold
from dpsql.core.plan.invariants import InvariantError
from dpsql.core.release.measures import Kind, Measure
from dpsql.core.release.picks import Best, Pick
from dpsql.core.release.release import Release
from dpsql.core.release.weighing import needed_units
from dpsql.errors import Diagnostic, Rejected
from dpsql.once import Once

Picker = JointQuantiles | NoisyMax


@dataclass(frozen=True, slots=True)
class PlannedRelease:
    """A release with the noise that it gets.

    Attributes:
        release: what is measured.
        noise: of each measure.
        pickers: for each pick, the mechanism.
        threshold: the least noisy number of units of a group that is shown, or the least that they
            weigh; None where all groups are public.
        delta: what the threshold costs.
    """

    release: Release
    noise: tuple[Noise | AdaptiveLaplace, ...]
    pickers: tuple[Picker, ...]
    threshold: int | None
    delta: Fraction


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The releases of a query with their noise.

    Attributes:
        planned: each release, in order.
        joint: of all Gaussian noise, which is calibrated together; None where there is none.
        events: all that is drawn.
    """

    planned: tuple[PlannedRelease, ...]
    joint: Cost | None
    events: tuple[Event, ...]
    _loss: Once[Loss] = field(repr=False, compare=False)

    @property
    def loss(self) -> Loss:
        """Of all together; ε is all that was given, where anything is drawn. Found when it is asked
        for, of the noise that is taken.

        Raises:
            InvariantError: it is more than was given.
        """
        return self._loss()


@dataclass(frozen=True, slots=True)
class _Item:
    """What needs a part of ε: a family of measures (by its first), or a pick."""

    release: int
    family: int | None
    pick: int | None
    importance: float

    @property
    def added(self) -> bool:
        """Whether it is a family of measures."""
        return self.family is not None


def calibrated(
    releases: tuple[Release, ...],
    eps: Fraction,
    options: Options,
    wanted: Mapping[int, Fraction],
    min_units: int,
) -> Calibrated:
    """Noise for everything that is measured. Where keys are private, the units of each group get
    the noise that loses less, see `_lost`; Gaussian noise takes half of their δ.

    Args:
        releases: of a query.
        eps: of the whole query, > 0.
        options: what the analyst chose.
        wanted: how much the accuracy of an aggregate matters, by its column's id; 1 if not named.
        min_units: private groups of fewer units are never shown.

    Raises:
        Rejected: DP305, noise that would not fit 64 bits.
    """
    private = any(point.units is not None for point in releases)
    ways = _WAYS if private and options.noise != "laplace" else _WAYS[:1]
    tried = (_calibrated(releases, eps, options, wanted, min_units, way) for way in ways)
    return min((found for found in tried if found), key=_lost)


@dataclass(frozen=True, slots=True)
class _Way:
    """What may get Gaussian noise.

    Attributes:
        units: the numbers of units of private groups; what these weigh has the noise of its norm.
        rest: what else is added up.
    """

    units: bool
    rest: bool

    def takes(self, measure: Measure, counts: bool) -> bool:
        """Whether a measure may get it, which `counts` the units of private groups or does not."""
        if measure.norm is not None:
            return measure.norm == 2
        return self.units if counts else self.rest


_WAYS = (
    _Way(units=False, rest=True),
    _Way(units=True, rest=False),
    _Way(units=True, rest=True),
)


def _lost(found: Calibrated) -> float:
    """How many units a group needs to be shown, times the half-widths of what is shown of it: so
    that a tenth less of one is worth a tenth more of the other.
    """
    needed, widths = 0.0, 0.0
    for point in found.planned:
        needed += 0 if point.threshold is None else needed_units(point.release, point.threshold)
        for measure, noise in zip(point.release.measures, point.noise, strict=True):
            shown = measure.sensitivity.l1 and measure.norm is None
            if shown and not isinstance(noise, AdaptiveLaplace):
                widths += noise.interval(0.95) / measure.sensitivity.l1
    return needed * (widths or 1)


def _calibrated(
    releases: tuple[Release, ...],
    eps: Fraction,
    options: Options,
    wanted: Mapping[int, Fraction],
    min_units: int,
    way: _Way,
) -> Calibrated | None:
    """The noise that is chosen in one of the ways; None where there is none."""
    items = [item for n, point in enumerate(releases) for item in _items(n, point, wanted)]
    parts = dict(zip(items, parts_of([i.importance for i in items], eps), strict=True))
    added = [item for item in items if item.added]
    first = {i: releases[i.release].measures[i.family or 0] for i in added}
    counting = {i for i in added if releases[i.release].units == i.family}
    takers = [i for i in added if way.takes(first[i], i in counting)]
    needed = any(i in counting for i in takers)
    halved = needed or (options.noise == "gaussian" and bool(takers))
    deltas = _deltas(releases, options, halved=halved)
    clipped = {
        i: _adaptive(releases[i.release], i.family or 0, parts[i])
        for i in added
        if first[i].adaptive
    }
    laplace = {
        i: _laplace(releases[i.release], i.family, parts[i]) for i in added if i not in clipped
    }
    chosen: dict[_Item, Noise | AdaptiveLaplace] = {**laplace, **clipped}
    events: list[Event] = [e for mechanism in clipped.values() for e in mechanism.events()]
    takers = [i for i in takers if i in laplace]
    used = sum(deltas, Fraction(0))
    gaussian = _gaussian(releases, parts, laplace, options, used, takers, needed)
    if needed and gaussian is None and way.units:
        return None
    if gaussian is not None:
        found, event = gaussian
        chosen.update(found)
        events.append(event)
    noise = tuple(_noise(n, point, chosen, parts) for n, point in enumerate(releases))
    members = [_members(point) for point in releases]
    for item, mechanism in chosen.items():
        if isinstance(mechanism, DiscreteLaplace):
            family = members[item.release][item.family or 0]
            events.append(_together(releases[item.release], family, noise[item.release]))
    pickers: list[tuple[Picker, ...]] = []
    for n, point in enumerate(releases):
        own = [item for item in items if item.release == n and item.pick is not None]
        pickers.append(tuple(_picker(p, parts[i]) for p, i in zip(point.picks, own, strict=True)))
        events += [picker_event(a, b) for a, b in zip(point.picks, pickers[-1], strict=True)]
    planned = tuple(
        PlannedRelease(
            _neglecting(point, found), found, own, _threshold(point, found, part, min_units), part
        )
        for point, found, own, part in zip(releases, noise, pickers, deltas, strict=True)
    )
    events += [RareEvent(delta) for delta in deltas if delta]
    given = Cost(eps, options.delta)
    joint = None if gaussian is None else gaussian[1].cost
    return Calibrated(
        planned,
        joint,
        tuple(events),
        Once(_spent, tuple(events), given, bool(items)),
    )


def _spent(events: tuple[Event, ...], given: Cost, any_noise: bool) -> Loss:
    spent = total(event.loss for event in events)
    if not given.covers(spent.cost):  # calibration rounds noise up
        raise InvariantError("the noise of a query costs more than it may")
    return replace(spent, cost=Cost(given.eps if any_noise else Fraction(0), spent.cost.delta))


def _noise(
    number: int,
    point: Release,
    chosen: Mapping[_Item, Noise | AdaptiveLaplace],
    parts: Mapping[_Item, Fraction],
) -> tuple[Noise | AdaptiveLaplace, ...]:
    """Of each measure: the one chosen for its family, in proportion to its own sensitivity."""
    by_family = {i.family: (m, parts[i]) for i, m in chosen.items() if i.release == number}
    found: list[Noise | AdaptiveLaplace] = []
    for n, measure in enumerate(point.measures):
        if measure.sensitivity.l1 and measure.family not in by_family:
            raise InvariantError("a private number needs noise")
        mechanism, eps = by_family.get(measure.family, (DiscreteLaplace(0.0), Fraction(0)))
        if eps and n != measure.family:
            mechanism = _member(mechanism, point, n, eps)
        found.append(mechanism)
    return tuple(found)


def _member(
    first: Noise | AdaptiveLaplace, point: Release, number: int, eps: Fraction
) -> Noise | AdaptiveLaplace:
    """Noise for a measure of a family whose first has `first`; see `release.shared`."""
    if isinstance(first, AdaptiveLaplace):
        return first
    if isinstance(first, DiscreteLaplace):
        return _laplace(point, number, eps)
    assert isinstance(first, DiscreteGaussian)
    family, moved = point.measures[number].family, point.measures[number].sensitivity
    rho = point.measures[family].sensitivity.l2_squared / (2 * Fraction(first.scale) ** 2)
    try:
        return DiscreteGaussian.calibrate(moved.l2_squared, rho)
    except NoiseError:
        pass
    raise _too_wide(point, number)


def _members(point: Release) -> dict[int, list[int]]:
    """The measures of each family."""
    found: dict[int, list[int]] = {}
    for number, measure in enumerate(point.measures):
        found.setdefault(measure.family, []).append(number)
    return found


def _together(
    point: Release, members: list[int], noise: tuple[Noise | AdaptiveLaplace, ...]
) -> Event:
    """What the accountant is told of a family."""
    events: list[DiscreteLaplaceEvent] = []
    for number in members:
        mechanism = noise[number]
        assert isinstance(mechanism, DiscreteLaplace)
        events.append(mechanism.event(point.measures[number].sensitivity.l1))
    # Members of equal noise are one vector: what a neighbour moves of all of them is within l1.
    return events[0] if len(set(events)) == 1 else SharedLaplaceEvent(tuple(events))


def _gaussian(
    releases: tuple[Release, ...],
    parts: Mapping[_Item, Fraction],
    laplace: Mapping[_Item, DiscreteLaplace],
    options: Options,
    used: Fraction,
    items: list[_Item],
    needed: bool,
) -> tuple[dict[_Item, DiscreteGaussian], Event] | None:
    """Gaussian noise for what may get it; None where there is no δ for that, or where it is not
    `needed` and Laplace noise has the narrower intervals.
    """
    delta = options.delta - used
    if not items or delta <= 0 or options.noise == "laplace":
        return None
    eps = sum((parts[i] for i in items), Fraction(0))
    moved = [releases[i.release].measures[i.family or 0].sensitivity for i in items]
    worth = [i.importance / m.l1 for i, m in zip(items, moved, strict=True)]
    wanted = [
        max((w * w * m.l2_squared) ** (1 / 3), 1e-300) for w, m in zip(worth, moved, strict=True)
    ]
    shares = parts_of([w * w for w in wanted], Fraction(1))
    try:
        noises, event = jointly(
            [m.l2_squared for m in moved],
            eps,
            delta,
            shares=shares,
            one_number=len(items) == 1
            and moved[0].l0 == 1
            and len(_vectors(releases, items[0])) == 1,
            shared=any(len(set(_vectors(releases, item))) > 1 for item in items),
        )
    except NoiseError:
        return None
    ours = sum(w * n.interval(0.95) for w, n in zip(worth, noises, strict=True))
    theirs = sum(w * laplace[i].interval(0.95) for w, i in zip(worth, items, strict=True))
    if options.noise == "auto" and ours >= theirs and not needed:
        return None
    return dict(zip(items, noises, strict=True)), event


def _vectors(releases: tuple[Release, ...], item: _Item) -> list[int]:
    """The squares of the L2 sensitivities of the measures of the family; of the same one they are
    one vector, which moves by as much in all.
    """
    measures = releases[item.release].measures
    return [m.sensitivity.l2_squared for m in measures if m.family == item.family]


def _deltas(
    releases: tuple[Release, ...], options: Options, *, halved: bool
) -> tuple[Fraction, ...]:
    """δ in equal parts for the releases whose groups are private; half of it where Gaussian noise
    takes the other half.
    """
    private = sum(1 for point in releases if point.units is not None)
    part = options.delta / (max(private, 1) * (2 if halved else 1))
    return tuple(Fraction(0) if point.units is None else part for point in releases)


def _threshold(
    point: Release,
    noise: tuple[Noise | AdaptiveLaplace, ...],
    delta: Fraction,
    min_units: int,
) -> int | None:
    if point.units is None:
        return None
    measure, counter = point.measures[point.units], noise[point.units]
    moved, l0 = measure.sensitivity, measure.sensitivity.l0
    if not isinstance(counter, DiscreteLaplace | DiscreteGaussian):
        raise InvariantError("a threshold rests on noisy numbers of units")
    if measure.norm is not None:
        most, sides = measure.contribution.touched, point.setting.sides
        assert most is not None
        weights = partial(weight, norm=measure.norm)
        return weighed_threshold(counter, weights, most, sides, delta, min_units)
    if moved.linf > 1 or moved.l0 > moved.l1:
        raise InvariantError("a threshold rests on noisy numbers of units")
    if isinstance(counter, DiscreteGaussian):
        return gaussian_threshold(counter.scale, l0, delta, min_units)
    found = threshold(counter.scale, l0, delta, min_units)
    if exposure.delta(counter.scale, l0, found - min_units) > delta:
        raise InvariantError("a threshold costs more than its δ")
    return found


def _items(number: int, point: Release, wanted: Mapping[int, Fraction]) -> Iterator[_Item]:
    importance = importances(point, wanted)
    for n, measure in enumerate(point.measures):
        if measure.sensitivity.l1 and measure.family == n:
            yield _Item(number, n, None, importance[n])
    known = [a for a in importance if a > 0]
    usual = sum(known) / len(known) if known else 1.0
    for n in range(len(point.picks)):
        yield _Item(number, None, n, usual)


def _laplace(point: Release, family: int | None, eps: Fraction) -> DiscreteLaplace:
    assert family is not None
    try:
        return DiscreteLaplace.calibrate(point.measures[family].sensitivity.l1, eps)
    except NoiseError:
        pass
    raise _too_wide(point, family)


def _too_wide(point: Release, number: int) -> Rejected:
    message = f"the noise of {point.labels[number]} would not fit 64 bits at this ε"
    help = "use a larger ε, or narrower bounds"
    return Rejected(Diagnostic("DP305", message, None, help))


def _adaptive(point: Release, number: int, eps: Fraction) -> AdaptiveLaplace:
    measure = point.measures[number]
    units = measure.sensitivity.l1
    prior = COUNTS if measure.kind in (Kind.ROWS, Kind.VALUES) else SUMS
    try:
        if measure.kind is Kind.DISTINCT:
            return AdaptiveLaplace.of_values(
                eps, units, point.capacities(number).thresholds, point.setting.groups or 1
            )
        if isinstance(point.clipping, Truncation):
            return _truncating(point.clipping, number, units, eps, prior)
        assert point.clipping is not None
        value = next(v for v in point.clipping.values if v.number == number)
        if len(value.measures) > 1:
            prior = COUNTS
        steps = [(t, value.grid.parts(i)) for i, t in enumerate(value.grid.thresholds)]
        return AdaptiveLaplace.calibrate(eps, units, steps, prior, value.grid.width)
    except NoiseError:
        pass
    message = f"the noise of {point.labels[number]} would not fit 64 bits at this ε"
    raise Rejected(Diagnostic("DP305", message, None, "use a larger ε"))


def _truncating(
    truncation: Truncation, number: int, units: int, eps: Fraction, prior: Fraction
) -> TruncatedLaplace:
    grid = next(v.grid for v in truncation.values if v.measure == number)
    steps = [(t, grid.parts(i)) for i, t in enumerate(grid.thresholds)]
    found = TruncatedLaplace.calibrate(eps, units, steps, prior)
    assert isinstance(found, TruncatedLaplace)
    return found if truncation.groups is not None else found.for_all(MAX_GROUPS)


def _neglecting(point: Release, noises: Sequence[Noise | AdaptiveLaplace]) -> Release:
    """The release, whose truncated sums ask for nothing below thresholds that are never chosen."""
    if not isinstance(point.clipping, Truncation):
        return point
    values = []
    for value in point.clipping.values:
        noise = noises[value.measure]
        assert isinstance(noise, TruncatedLaplace)
        told = None if noise.every else (-(-noise.most // FINE), len(noise.thresholds))
        values.append(replace(value, neglected=told))
    return replace(point, clipping=replace(point.clipping, values=tuple(values)))


def _picker(pick: Pick | Best, eps: Fraction) -> Picker:
    if isinstance(pick, Best):
        return NoisyMax.calibrate(pick.linf, eps, monotone=pick.monotone)
    if pick.kind == "mode":
        return NoisyMax.calibrate(pick.rows, eps, monotone=pick.monotone)
    return JointQuantiles.calibrate(pick.moved, eps, pick.grid.size, pick.shares)


def picker_event(pick: Pick | Best, picker: Picker) -> Event:
    """What the accountant is told of a pick."""
    if isinstance(pick, Best):
        return picker.event(pick.linf)
    return picker.event(pick.rows if isinstance(picker, NoisyMax) else pick.moved)
