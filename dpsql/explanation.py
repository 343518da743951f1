"""What is known about a query before anything is read, for analysts and for privacy reviewers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from dpsql.accounting.amount import Cost
from dpsql.accounting.compose import basic
from dpsql.calibration import Picker, picker_event
from dpsql.compile import Compiled, PublicQuery, ReleasedQuery
from dpsql.mechanism.clipped import AdaptiveLaplace
from dpsql.mechanism.laplace import DiscreteLaplace
from dpsql.mechanism.noisy_max import NoisyMax
from dpsql.mechanism.protocol import Noise
from dpsql.mechanism.quantiles import JointQuantiles
from dpsql.plan.expr import Ref
from dpsql.sensitivity.formulas import Linear, Picked, Quotient, terms
from dpsql.sensitivity.picks import Best, Pick
from dpsql.sensitivity.release import Release as Point

Number = int | float


@dataclass(frozen=True, slots=True)
class QueryCost:
    """What a query costs.

    Attributes:
        eps, delta: as floats, for reading.
        exact: as fractions, as the ledger charges them.
    """

    exact: Cost

    @property
    def eps(self) -> float:
        """ε."""
        return float(self.exact.eps)

    @property
    def delta(self) -> float:
        """δ."""
        return float(self.exact.delta)

    def __str__(self) -> str:
        return str(self.exact)


@dataclass(frozen=True, slots=True)
class Release:
    """One measurement that gets noise, per group; or one value that a mechanism picks.

    Attributes:
        name: the output column where it is one, else what is measured.
        l0: how many groups one unit can change.
        l1, l2, linf: how far one unit can move the vector over all groups, in the released unit;
            for a pick, how far it moves the numbers of rows at all points together.
        mechanism: "laplace" or "gaussian" noise; "exponential" for quantiles, "noisy max" for a
            mode; "constant" where all neighbours agree and no noise is needed.
        scale: of the noise, in the released unit: P(z) ∝ exp(-|z|/scale), or exp(-z²/2·scale²), on
            multiples of `step`; for a pick, P ∝ exp(-(rows from the best)/scale).
        step: the lattice on which the number and its noise lie, or the grid of a pick (0: a list).
        clipping: "adaptive" where a sum is clipped when the query is run: l0 to linf and scale
            are known only then (None).
        eps, delta: this measurement's part of the cost; all Gaussian noise of a query, and the bins
            of a histogram, share theirs.
        groups: how many groups are output; None where that depends on public tables, or on noise.
        reasons: why the sensitivity is what it is.
        threshold: for the units of private groups, the least noisy number of a group that is shown.
    """

    name: str
    l0: int | None
    l1: Number | None
    l2: Number | None
    linf: Number | None
    mechanism: str
    scale: float | None
    step: Number
    eps: float
    delta: float
    groups: int | None
    reasons: tuple[str, ...]
    threshold: int | None
    clipping: str | None
    _interval: Callable[[float], float] = field(repr=False, compare=False)

    def interval(self, confidence: float = 0.95) -> float:
        """The half-width within which the noise stays with that probability, in the released unit;
        for a pick, how many rows it is from the best, at most.

        Exact for the discrete noise used: the smallest t with P(|noise| <= t) >= confidence.

        Raises:
            ValueError: `confidence` is not in [0, 1), or the clip is not known before it is run.
        """
        return self._interval(confidence)

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {
            "name": self.name,
            "l0": self.l0,
            "l1": self.l1,
            "l2": self.l2,
            "linf": self.linf,
            "mechanism": self.mechanism,
            "scale": self.scale,
            "step": self.step,
            "eps": self.eps,
            "delta": self.delta,
            "groups": self.groups,
            "interval95": None if self.clipping else self.interval(0.95),
            "clipping": self.clipping,
            "threshold": self.threshold,
            "reasons": list(self.reasons),
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """A query's verdict, before any private row is read.

    Attributes:
        kind: "released" (noise is added), or "public" (exact and free).
        cost: of the whole query.
        releases: the measurements, in order.
        neighbours: the policy's relation.
        unit: the privacy unit.
    """

    kind: Literal["released", "public"]
    cost: QueryCost
    releases: tuple[Release, ...]
    neighbours: str
    unit: str
    _statements: Callable[[], tuple[str, ...]] = field(repr=False, compare=False)

    @property
    def sql(self) -> str:
        """The SQL that the engine will run, one statement after the other; printed when asked."""
        return ";\n".join(self._statements())

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {
            "kind": self.kind,
            "cost": {"eps": self.cost.eps, "delta": self.cost.delta},
            "neighbours": self.neighbours,
            "unit": self.unit,
            "releases": [r.to_dict() for r in self.releases],
            "sql": self.sql,
        }

    def __str__(self) -> str:
        if self.kind == "public":
            return "public: reads public tables alone; answered exactly, free"
        lines = [f"released: costs {self.cost}; unit {self.unit}, neighbours {self.neighbours}"]
        common = [why for why in self.releases[0].reasons if self._common(why)]
        lines += [f"  because {why}" for why in common if not why.startswith("neighbours")]
        for r in self.releases:
            lines.append(f"  {r.name}, {_groups(r.groups)}")
            if r.l1 is None and r.clipping is None:
                lines.append(f"    one unit moves a score by at most {_figure(r.linf)}")
            elif r.clipping is None:
                l1, l2, linf = _figure(r.l1), _figure(r.l2), _figure(r.linf)
                lines.append(f"    sensitivity L0 {r.l0}, L1 {l1}, L2 {l2}, L∞ {linf}")
            if r.mechanism == "constant":
                lines.append("    no noise: the same on all neighbours")
            elif r.clipping is not None:
                lines.append(f"    a clip that the data gives, then laplace noise; ε {r.eps:g}")
            elif r.mechanism in PICKING:
                lines.append(
                    f"    {r.mechanism} mechanism, ε {r.eps:g}: "
                    f"within {_figure(r.interval())} {'rows' if r.l1 else 'of the best'} at 95 %"
                )
            else:
                together = ", all Gaussian together" if r.mechanism == "gaussian" else ""
                delta = f", δ {r.delta:g}" if r.delta else ""
                lines.append(
                    f"    {r.mechanism} noise, scale {_figure(r.scale)}, ε {r.eps:g}{delta}"
                    f"{together}: ± {_figure(r.interval())} at 95 %"
                )
            if r.threshold is not None:
                lines.append(f"    groups of {r.threshold} or more, with noise, are shown")
            lines += [f"    because {why}" for why in r.reasons if not self._common(why)]
        return "\n".join(lines)

    def _common(self, reason: str) -> bool:
        """Whether the reason holds for all of several releases, and so is said once."""
        several = len(self.releases) > 1
        return reason.startswith("neighbours") or (
            several and all(reason in r.reasons for r in self.releases)
        )


MANY_CANDIDATES = 1000
"""Taken for the number of candidates where only the run tells."""

PICKING = frozenset({"exponential", "noisy max"})
"""Mechanisms that pick a value; their error is in rows."""


def _groups(count: int | None) -> str:
    if count is None:
        return "groups that only the run tells"
    return "1 group" if count == 1 else f"{count:,} groups"


def _figure(number: Number | None) -> str:
    """A number for reading: four significant digits, and no exponent where it can be helped."""
    if number is None:
        return "?"
    if isinstance(number, int) or abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.4g}"


def explanation(compiled: Compiled, sql: Callable[[], tuple[str, ...]]) -> Explanation:
    """The public view of a compiled query."""
    schema, query = compiled.schema, compiled.query
    unit = schema.unit_table
    if schema.unit_column is not None:
        unit = f"{unit}.{schema.unit_column}"
    return Explanation(
        kind="released" if isinstance(query, ReleasedQuery) and query.releases else "public",
        cost=QueryCost(compiled.cost),
        releases=() if isinstance(query, PublicQuery) else _releases(query),
        _statements=sql,
        neighbours=schema.neighbours,
        unit=unit,
    )


def _releases(query: ReleasedQuery) -> tuple[Release, ...]:
    result: list[Release] = []
    for index, (point, noises) in enumerate(zip(query.releases, query.noise, strict=True)):
        names = _names(query, point)
        threshold = query.thresholds[index]
        for number, noise in enumerate(noises):
            limit = threshold if number == point.units else None
            result.append(_release(query, index, number, noise, names, limit))
        for pick, picker in zip(point.picks, query.pickers[index], strict=True):
            made = (
                _best(pick, picker) if isinstance(pick, Best) else _pick(query, point, pick, picker)
            )
            result.append(made)
    return tuple(result)


def released_unit(point: Point, number: int) -> Fraction:
    """What one lattice step of a measure is worth in the number that is shown for it: an average
    over a public number of rows is shown as the average.
    """
    measure = point.measures[number]
    users = [o.formula for o in point.outputs if any(t.measure == number for t in terms(o.formula))]
    counts = {f.count for f in users if isinstance(f, Quotient) and f.denominator is None}
    if users and len(counts) == 1 and all(isinstance(f, Quotient) for f in users):
        return measure.unit / counts.pop()
    return measure.unit


def _release(
    query: ReleasedQuery,
    index: int,
    number: int,
    noise: Noise | AdaptiveLaplace,
    names: dict[int, str],
    threshold: int | None,
) -> Release:
    point = query.releases[index]
    measure = point.measures[number]
    name = names.get(number, point.labels[number])
    unit, moved = released_unit(point, number), measure.sensitivity
    if isinstance(noise, AdaptiveLaplace):
        return _clipped(point, number, name, noise, unit)
    spent = Cost(Fraction(0))
    if isinstance(noise, DiscreteLaplace) and moved.l1:
        spent = noise.event(moved.l1).cost
    elif moved.l1 and query.joint is not None:
        spent = query.joint
    if threshold is not None:
        spent = Cost(spent.eps, query.deltas[index])
    return Release(
        name=name,
        l0=moved.l0,
        l1=shown(moved.l1 * unit),
        l2=_plain(moved.l2(unit)),
        linf=shown(moved.linf * unit),
        mechanism=noise.kind if moved.l1 else "constant",
        scale=_scaled(noise.scale, unit),
        step=shown(unit),
        eps=float(spent.eps),
        delta=float(spent.delta),
        groups=point.domain.size,
        reasons=point.reasons[number],
        threshold=threshold,
        clipping=None,
        _interval=lambda confidence: float(noise.interval(confidence) * unit),
    )


def _clipped(
    point: Point, number: int, name: str, noise: AdaptiveLaplace, unit: Fraction
) -> Release:
    def unknown(confidence: float) -> float:
        raise ValueError("the clip, and so the noise, is known only when the query has run")

    return Release(
        name=name,
        l0=None,
        l1=None,
        l2=None,
        linf=None,
        mechanism="laplace",
        scale=None,
        step=shown(unit),
        eps=float(basic(noise.events()).eps),
        delta=0.0,
        groups=point.domain.size,
        reasons=point.reasons[number],
        threshold=None,
        clipping="adaptive",
        _interval=unknown,
    )


def _pick(query: ReleasedQuery, point: Point, pick: Pick, picker: Picker) -> Release:
    spent = picker_event(pick, picker).cost
    step = pick.grid.step if isinstance(pick.grid.step, Fraction) else Fraction(0)

    def rows(confidence: float) -> float:
        if isinstance(picker, JointQuantiles):
            return float(max(picker.rank_error(confidence)))
        return float(picker.within(pick.grid.size, confidence))

    two = 1 if pick.monotone else 2
    size = point.domain.size
    touched = two if point.setting.one_group else pick.moved
    return Release(
        name=_picked_name(query, point, pick) or pick.label,
        l0=touched if size is None else min(touched, size),
        l1=pick.moved,
        l2=pick.moved,
        linf=pick.rows,
        mechanism="noisy max" if pick.kind == "mode" else "exponential",
        scale=float(1 / picker.rate) if isinstance(picker, JointQuantiles) else picker.scale,
        step=shown(Fraction(0) if pick.grid.options else step),
        eps=float(spent.eps),
        delta=0.0,
        groups=point.domain.size,
        reasons=pick.reasons,
        threshold=None,
        clipping=None,
        _interval=rows,
    )


def _best(pick: Best, picker: Picker) -> Release:
    assert isinstance(picker, NoisyMax)
    size, unit, moved = pick.domain.size, pick.measure.unit, pick.measure.sensitivity

    def within(confidence: float) -> float:
        return float(picker.within(size or MANY_CANDIDATES, confidence) * unit)

    return Release(
        name=pick.label,
        l0=None,
        l1=None,
        l2=None,
        linf=shown(moved.linf * unit),
        mechanism="noisy max",
        scale=_scaled(picker.scale, unit),
        step=shown(unit),
        eps=float(picker.event(pick.linf).cost.eps),
        delta=0.0,
        groups=size,
        reasons=pick.reasons,
        threshold=None,
        clipping=None,
        _interval=within,
    )


def _picked_name(query: ReleasedQuery, point: Point, pick: Pick) -> str | None:
    """The output column's name where one column is all that the pick is for."""
    number = point.picks.index(pick)
    users = [
        o.column
        for o in point.outputs
        if isinstance(o.formula, Picked) and o.formula.pick == number
    ]
    if query.trace is None or len(users) != 1:
        return None
    for expr, name in zip(query.trace.outputs, query.names, strict=True):
        if isinstance(expr, Ref) and expr.column == users[0]:
            return name
    return None


def _scaled(scale: float, unit: Fraction) -> float:
    return float(Fraction(scale) * unit)


def shown(number: Fraction | int) -> Number:
    """An exact number for reading: whole where it is."""
    exact = Fraction(number)
    return exact.numerator if exact.denominator == 1 else float(exact)


def _plain(number: float) -> Number:
    return int(number) if number.is_integer() else number


def _names(query: ReleasedQuery, point: Point) -> dict[int, str]:
    """The output column's name for a measure that *is* that column and nothing else."""
    if query.trace is None:
        return {}
    names: dict[int, str] = {}
    for expr, name in zip(query.trace.outputs, query.names, strict=True):
        for output in point.outputs:
            formula = output.formula
            direct = isinstance(expr, Ref) and expr.column == output.column
            if direct and isinstance(formula, Linear) and len(formula.terms) == 1:
                names.setdefault(formula.terms[0].measure, name)
            elif direct and isinstance(formula, Quotient) and formula.denominator is None:
                names.setdefault(formula.numerator.measure, name)
    return names
