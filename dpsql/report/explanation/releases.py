"""The measurements of a compiled query as they are explained: names, units, noise and cost."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from typing import NoReturn

from dpsql.compile import ReleasedQuery
from dpsql.core.account.amount import Cost
from dpsql.core.account.compose import basic
from dpsql.core.account.events import Event
from dpsql.core.calibrate.calibration import Picker, picker_event
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.noise.noisy_max import NoisyMax
from dpsql.core.noise.quantiles import JointQuantiles
from dpsql.core.plan.expr import Column, Ref
from dpsql.core.release.formulas import Formula, Linear, Picked, Quotient, terms
from dpsql.core.release.measures import Kind
from dpsql.core.release.picks import Best, Pick
from dpsql.core.release.release import Release as Point
from dpsql.report.explanation.measurement import Release
from dpsql.report.explanation.of_one import of_one
from dpsql.report.explanation.reasons import cut, pick_reasons, reasons, tells_empty
from dpsql.report.figures import Number, float_up

MANY_CANDIDATES = 1000
"""Taken for the number of candidates where only the run tells."""


def releases_of(query: ReleasedQuery) -> tuple[Release, ...]:
    """What is measured, in order: of each release point its measures, then its picks."""
    result: list[Release] = []
    for index, planned in enumerate(query.planned):
        point, noises = planned.release, planned.noise
        names, units = _names(query, point), _units(point)
        families = Counter(measure.family for measure in point.measures)
        for number, noise in enumerate(noises):
            limit = planned.threshold if number == point.units else None
            shared = families[point.measures[number].family] > 1
            made = _release(query, index, number, noise, names, limit, units[number], shared)
            result.append(made)
        for pick, picker in zip(point.picks, planned.pickers, strict=True):
            made = (
                _best(point, pick, picker)
                if isinstance(pick, Best)
                else _pick(query, point, pick, picker)
            )
            result.append(made)
    return tuple(result)


def released_unit(point: Point, number: int) -> Fraction:
    """What one lattice step of a measure is worth in the number that is shown for it: an average
    over a public number of rows is shown as the average.
    """
    return _units(point)[number]


def _units(point: Point) -> list[Fraction]:
    """`released_unit` of every measure."""
    users: list[list[Formula]] = [[] for _ in point.measures]
    for output in point.outputs:
        for number in {term.measure for term in terms(output.formula)}:
            users[number].append(output.formula)
    units: list[Fraction] = []
    for measure, own in zip(point.measures, users, strict=True):
        counts = {f.count for f in own if isinstance(f, Quotient) and not f.denominator}
        whole = len(counts) == 1 and all(isinstance(f, Quotient) for f in own)
        units.append(measure.unit / counts.pop() if whole else measure.unit)
    return units


def _release(
    query: ReleasedQuery,
    index: int,
    number: int,
    noise: Noise | AdaptiveLaplace,
    names: dict[int, str],
    threshold: int | None,
    unit: Fraction,
    shared: bool,
) -> Release:
    point = query.releases[index]
    measure = point.measures[number]
    name = names[number] if number in names else point.labels[number]
    moved = measure.sensitivity
    if isinstance(noise, AdaptiveLaplace):
        return _clipped(point, number, name, noise, unit, shared)
    spent, rho = Cost(Fraction(0)), Fraction(0)
    if isinstance(noise, DiscreteLaplace) and moved.l1:
        spent, rho = noise.event(moved.l1).cost, _rho(noise.event(moved.l1))
    elif moved.l1 and query.joint is not None:
        spent, rho = query.joint, moved.l2_squared / (2 * Fraction(noise.scale) ** 2)
    if threshold is not None:
        spent = Cost(spent.eps, spent.delta + query.planned[index].delta)
    l2 = moved.l2(unit)
    return Release(
        name=name,
        l0=moved.l0,
        l1=shown(moved.l1 * unit),
        l2=int(l2) if l2.is_integer() else l2,
        linf=shown(moved.linf * unit),
        mechanism=noise.kind if moved.l1 else "constant",
        scale=_scaled(noise.scale, unit),
        step=shown(unit),
        eps=float(spent.eps),
        delta=float(spent.delta),
        rho=float_up(rho),
        groups=point.domain.size,
        reasons=reasons(point, number),
        threshold=None if threshold is None else shown(threshold * unit),
        shared=shared,
        _cut=cut(point, number),
        _of_one=() if threshold is None else of_one(point),
        _tells_empty=tells_empty(point, number),
        _interval=partial(_half_width, noise, unit),
        _mass=noise.mass if moved.l1 else None,
    )


def _clipped(
    point: Point, number: int, name: str, noise: AdaptiveLaplace, unit: Fraction, shared: bool
) -> Release:
    return Release(
        name=name,
        mechanism="laplace",
        step=shown(unit),
        eps=float(basic(noise.events()).eps),
        rho=float_up(_rho(*noise.events())),
        groups=point.domain.size,
        reasons=reasons(point, number),
        clip_eps=float(basic(noise.clip.events()).eps),
        clipping="matched" if point.measures[number].kind is Kind.DISTINCT else "adaptive",
        shared=shared,
        _cut=cut(point, number),
        _interval=_unknown,
    )


def _pick(query: ReleasedQuery, point: Point, pick: Pick, picker: Picker) -> Release:
    event = picker_event(pick, picker)
    step = pick.grid.step if isinstance(pick.grid.step, Fraction) else Fraction(0)

    two = 1 if pick.monotone else 2
    size = point.domain.size
    touched = two if point.setting.one_group else pick.moved
    return Release(
        name=_picked_name(query, point, pick) or point.pick_labels[point.picks.index(pick)],
        l0=touched if size is None else min(touched, size),
        l1=pick.moved,
        l2=pick.moved,
        linf=pick.rows,
        mechanism="noisy max" if pick.kind == "mode" else "exponential",
        scale=float(1 / picker.rate) if isinstance(picker, JointQuantiles) else picker.scale,
        step=shown(Fraction(0) if pick.grid.options else step),
        eps=float(event.cost.eps),
        rho=float_up(_rho(event)),
        groups=point.domain.size,
        reasons=(*pick_reasons(pick, point), *_from_the_end(picker)),
        _cut=cut(point, None),
        _interval=partial(_rows_off, picker, pick.grid.size),
    )


def _best(point: Point, pick: Best, picker: Picker) -> Release:
    assert isinstance(picker, NoisyMax)
    size, unit, moved = pick.domain.size, pick.measure.unit, pick.measure.sensitivity

    return Release(
        name=point.pick_labels[0],
        linf=shown(moved.linf * unit),
        mechanism="noisy max",
        scale=_scaled(picker.scale, unit),
        step=shown(unit),
        eps=float(picker.event(pick.linf).cost.eps),
        rho=float_up(_rho(picker.event(pick.linf))),
        groups=size,
        reasons=pick_reasons(pick, point),
        _interval=partial(_score_off, picker, size or MANY_CANDIDATES, unit),
    )


def _half_width(noise: Noise, unit: Fraction, confidence: float) -> float:
    return float(noise.interval(confidence) * unit)


def _unknown(_: float) -> NoReturn:
    raise ValueError("the clip, and so the noise, is known only when the query has run")


def _from_the_end(picker: Picker) -> tuple[str, ...]:
    """How far inwards the extreme values are: they themselves are those of single units."""
    targets = picker.targets if isinstance(picker, JointQuantiles) else ()
    found = sorted({abs(target.shift) for target in targets} - {0})
    return tuple(f"MIN and MAX are of the rank {rank:,} from the end" for rank in found[-1:])


def _rows_off(picker: Picker, points: int, confidence: float) -> float:
    """How many rows a pick is from the best, at most."""
    if isinstance(picker, JointQuantiles):
        return float(max(picker.rank_error(confidence)))
    return float(picker.within(points, confidence))


def _score_off(picker: NoisyMax, candidates: int, unit: Fraction, confidence: float) -> float:
    """How far the score of the best is from the greatest, at most."""
    return float(picker.within(candidates, confidence) * unit)


def _picked_name(query: ReleasedQuery, point: Point, pick: Pick) -> str | None:
    """The output column's name where one column is all that the pick is for."""
    number = point.picks.index(pick)
    users = [
        o.column
        for o in point.outputs
        if isinstance(o.formula, Picked) and o.formula.pick == number
    ]
    return column_names(query).get(users[0]) if len(users) == 1 else None


def _rho(*events: Event) -> Fraction:
    """Of mechanisms together, but for what has probability δ."""
    return sum((event.loss.rho for event in events), Fraction(0))


def _scaled(scale: float, unit: Fraction) -> float:
    return float(Fraction(scale) * unit)


def shown(number: Fraction | int) -> Number:
    """An exact number for reading: whole where it is."""
    exact = Fraction(number)
    return exact.numerator if exact.denominator == 1 else float(exact)


def column_names(query: ReleasedQuery) -> dict[Column, str]:
    """The output columns that show a released column as it is; of several, the first."""
    names: dict[Column, str] = {}
    if query.trace is not None:
        for expr, name in zip(query.trace.outputs, query.names, strict=True):
            if isinstance(expr, Ref):
                names.setdefault(expr.column, name)
    return names


def itself(formula: Linear, point: Point) -> int | None:
    """The measure that a sum or a count is; None where it is more, or so many times that."""
    if len(formula.terms) != 1:
        return None
    (term,) = formula.terms
    return term.measure if term.weight == point.measures[term.measure].unit else None


def _names(query: ReleasedQuery, point: Point) -> dict[int, str]:
    """The output column's name for a measure that *is* that column and nothing else."""
    names: dict[int, str] = {}
    made = {output.column: output.formula for output in point.outputs}
    for column, name in column_names(query).items():
        formula = made.get(column)
        if isinstance(formula, Linear) and (measure := itself(formula, point)) is not None:
            names.setdefault(measure, name)
        elif isinstance(formula, Quotient) and not formula.denominator:
            names.setdefault(formula.numerator[0].measure, name)
    return names
