"""How far each number of an answer may be off, at any confidence.

What is kept are noisy numbers and public ones: those that were released, the noises they got, and
the derivatives of the output columns by them. So a half-width is post-processing, whenever it is
asked for.

Rows that noise selects. Claim: of answers that show some of G groups by their noisy numbers, at
least a part c has all shown numbers of a column within their half-widths, where these are those of
the confidence c^(1/G). Why: the noises of different groups are independent, so with probability c
no group is outside, whichever are shown (Šidák 1967, JASA 62).

Claim: a group that is shown in at least one of `SELDOM` answers, because its number passes a
condition, is within its half-width in a part c of the answers that show it, where that is of the
confidence 1 − (1 − c)/`SELDOM`. Why: P(outside | shown) ≤ P(outside)/P(shown). Of private groups,
shown where their noisy number of units is at least T, that is needed up to w above T alone, w the
half-width of the confidence c. Why: a group of T − d units is further above if Z > w + d, and
P(Z > w + d | Z ≥ d) ≤ P(Z > w | Z ≥ 0) ≤ 1 − c, since the noise is log-concave and symmetric.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

from dpsql.compile import ReleasedQuery
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.plan.expr import Literal, Ref, columns_of
from dpsql.core.release import decode
from dpsql.core.release.decode import Noisy
from dpsql.core.release.formulas import Formula, Linear, Picked
from dpsql.core.release.formulas import terms as measured
from dpsql.core.release.noisy import noisy_columns
from dpsql.core.release.selection import selection
from dpsql.core.release.trace import slope
from dpsql.execution.bent import Curve
from dpsql.execution.noise import NoisyRelease
from dpsql.execution.redrawn import Off, half_width, redrawn
from dpsql.execution.summed import Summed
from dpsql.execution.unknown_widths import TOO_MUCH, unknown
from dpsql.execution.widths import blurred, grain, rounded, slopes, width
from dpsql.platform.engine.protocol import Workspace

SELDOM = 20
"""A group that is shown in fewer than one of so many answers may be further off when it is."""
_SUREST = 1 - 2.0**-53


@dataclass(frozen=True, slots=True)
class Made:
    """What an output column is made of.

    Attributes:
        terms: aggregates, with the places of their derivatives in a row.
        coins: the place of the deviation of the coins in a row; None where there are none.
        curve: the column as a function of its noise; None where it is linear in it.
        ranged: the aggregate that it is, where the range of its values is public.
        grains: of the aggregates that are rounded before it is computed from them, the steps to
            which they are, with the places of their derivatives in a row.
    """

    terms: tuple[tuple[Formula, int], ...]
    coins: int | None
    curve: Curve | None
    ranged: Formula | None
    grains: tuple[tuple[float, int], ...] = ()

    @property
    def same(self) -> bool:
        """Whether rows with the same derivatives have the same half-width, whatever their numbers
        are: where it is linear in them.
        """
        linear = all(isinstance(formula, Linear) for formula, _ in self.terms)
        return linear and self.curve is None and self.ranged is None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Accuracy:
    """How far the numbers of an answer may be off.

    Attributes:
        noisy: of each column whether it may hold noise.
        made: of each column what it is made of; None where it holds no noise, or where how far it
            may be off is not known.
        noises: of each measure, with what one of its steps is worth in steps of the measure.
        rows: of each row what was released, and the derivatives, coins and constants.
        constants: the places of constants in a row, by their columns' ids.
        rivals: as one of how many groups a row was shown.
        threshold: the measure by which private groups are shown, and from where on.
        unsure: measures of which it is not known.
        off: of columns whose noise was drawn again, how far they were off then; see `redrawn`.
        why: of each column why half-widths are not known, where they are not.
        fed: whether a release reads numbers of one before it, which are taken as they were told.
    """

    noisy: tuple[bool, ...]
    made: tuple[Made | None, ...]
    noises: tuple[tuple[Noise | Summed, Fraction], ...]
    rows: tuple[tuple[Noisy, tuple[object, ...]], ...]
    unsure: frozenset[int] = frozenset()
    constants: Mapping[int, int] = field(default_factory=dict)
    rivals: int = 1
    threshold: tuple[int, int] | None = None
    off: Off = field(default_factory=dict)
    why: tuple[str | None, ...] = ()
    fed: bool = False

    def widths(self, column: int, confidence: float) -> tuple[float | None, ...]:
        """The half-widths of a column, a row each; None where there is no noise or none is known.

        Args:
            column: its number, from 0.
            confidence: between 0 and 1.
        """
        made = self.made[column]
        wanted = min(confidence ** (1 / self.rivals), _SUREST)
        if made is None:
            off = self.off.get(column, (None,) * len(self.rows))
            return tuple(half_width(o, wanted) for o in off)
        noises = tuple(noise for noise, _ in self.noises)
        if not made.same or self.threshold is not None:
            return tuple(self._width(made, noises, wanted, *row) for row in self.rows)
        read = [place for _, place in (*made.terms, *made.grains)]
        read += [] if made.coins is None else [made.coins]
        told = [tuple(values[place] for place in read) for _, values in self.rows]
        once = dict(zip(told, self.rows, strict=True))
        known = {key: self._width(made, noises, wanted, *row) for key, row in once.items()}
        return tuple(known[key] for key in told)

    def _width(
        self,
        made: Made,
        noises: Sequence[Noise | Summed],
        confidence: float,
        noisy: Noisy,
        values: tuple[object, ...],
    ) -> float | None:
        found: dict[int, float] = {}
        for formula, place in made.terms:
            rate = values[place]
            weights = slopes(formula, noisy, self.noises)
            if weights is None or not isinstance(rate, float):
                return None
            for measure, weight in weights.items():
                found[measure] = found.get(measure, 0.0) + rate * weight
        if any(found[measure] for measure in self.unsure & found.keys()):
            return None
        if self._near(noisy, found, confidence):
            confidence = min(1 - (1 - confidence) / SELDOM, _SUREST)
        coins = 0.0 if made.coins is None else values[made.coins]
        reached = None
        if made.curve is not None:
            constants = {i: values[place] for i, place in self.constants.items()}
            flat = partial(width, found, noises)
            reached = made.curve.half_width(noisy, constants, self.noises, found, confidence, flat)
        if reached is None:
            reached = width(found, noises, confidence, coins)
        if made.ranged is not None and reached is not None:
            reached = _within(made.ranged, noisy, reached)
        if reached is not None and reached < math.inf:
            rates = [(step, values[place]) for step, place in made.grains]
            steps = [step * abs(rate) for step, rate in rates if isinstance(rate, float)]
            alone = len(steps) == len(made.terms) == 1 and made.curve is None
            reached = rounded(reached, steps[0]) if alone else blurred(reached, steps, confidence)
        return reached if reached is not None and reached < math.inf else None

    def _near(self, noisy: Noisy, weights: Mapping[int, float], confidence: float) -> bool:
        """Whether a number holds the noise by which its group was shown, and only just."""
        if self.threshold is None or not weights.get(self.threshold[0]):
            return False
        units, least = self.threshold
        return noisy.measures[units] - least <= self.noises[units][0].interval(confidence)


def accuracy(
    query: ReleasedQuery,
    released: Sequence[NoisyRelease],
    rows: Sequence[tuple[object, ...]],
    scratch: Workspace | None = None,
) -> Accuracy:
    """How far the numbers of an answer may be off.

    Args:
        query: what was asked.
        released: its releases.
        rows: of the plan that is `shown`, with its extra columns.
        scratch: where noise can be drawn again, for columns without derivatives.
    """
    found = _traced(query, list(released) or [_NOTHING], rows)
    derived = [i for i, made in enumerate(found.made) if made is not None]
    why = unknown(query, released, found.noisy, derived)
    noisy = [i for i, may in enumerate(found.noisy) if may]
    wanted = [i for i in noisy if found.made[i] is None and not why[i]]
    exact = [i for i, may in enumerate(found.noisy) if not may]
    off = redrawn(query, released, rows, wanted, exact, scratch) if scratch is not None else {}
    failed = dict.fromkeys((i for i in wanted if i not in off), TOO_MUCH)
    told = tuple(failed.get(i, w) for i, w in enumerate(why))
    return replace(found, off=off, why=told, fed=bool(query.feeds))


_NOTHING = NoisyRelease([()], [Noisy([])], ())
"""What a query over public tables alone releases."""


def _traced(
    query: ReleasedQuery, told: Sequence[NoisyRelease], rows: Sequence[tuple[object, ...]]
) -> Accuracy:
    """What derivatives tell."""
    traced, shown = query.trace, len(query.names)
    if traced is None:
        noisy = noisy_columns(query.plan, _keys(query))
        may = tuple(c.id in noisy for c in query.plan.columns)[:shown]
        groups = max(len(r.groups) for r in told)
        return Accuracy(
            may,
            (None,) * shown,
            (),
            ((Noisy([]), ()),) * len(rows),
            rivals=_rivals(query, groups, len(rows)),
        )
    (released,) = told
    outputs = [output for release in query.releases for output in release.outputs]
    grains = [grain(output, released.noises) for output in outputs]
    terms: dict[int, list[tuple[Formula, int]]] = {i: [] for i in traced.exact}
    steps: dict[int, list[tuple[float, int]]] = {i: [] for i in traced.exact}
    for place, (position, aggregate) in enumerate(traced.gradients):
        terms[position].append((outputs[aggregate].formula, place))
        if grains[aggregate]:
            steps[position].append((grains[aggregate], place))
    first = len(traced.gradients)
    coins = {position: first + n for n, position in enumerate(traced.coins)}
    constants = {i: first + len(coins) + n for n, i in enumerate(traced.constants)}
    curves = {i: _curve(query, i) for i in traced.exact}
    ranged = _ranged(query)
    drawn = _drawn(query, released)
    return Accuracy(
        tuple(
            i in traced.noisy
            and (i not in traced.exact or i in coins or bool(columns_of(traced.outputs[i]) & drawn))
            for i in range(shown)
        ),
        tuple(
            Made(tuple(terms[i]), coins.get(i), curves[i], ranged[i], tuple(steps[i]))
            if i in traced.exact
            else None
            for i in range(shown)
        ),
        released.noises,
        tuple((released.noisy[_number(row[shown])], row[shown + 1 :]) for row in rows),
        released.unsure,
        constants,
        _rivals(query, len(released.noisy), len(rows)),
        _threshold(query),
    )


def _rivals(query: ReleasedQuery, groups: int, shown: int) -> int:
    """As one of how many groups a row is shown, where noise selects them; else 1."""
    by = selection(query.plan, _keys(query))
    if by.filtered:
        return max(groups, SELDOM)
    return groups if by.limited and shown < groups else 1


def _threshold(query: ReleasedQuery) -> tuple[int, int] | None:
    """The measure by which private groups are shown, and from where on."""
    for release, least in ((p.release, p.threshold) for p in query.planned):
        if release.units is not None and least is not None:
            return release.units, least
    return None


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


def _drawn(query: ReleasedQuery, released: NoisyRelease) -> frozenset[int]:
    """The aggregates that hold noise: not those of what is the same on all neighbours."""
    found = set()
    for output in (o for release in query.releases for o in release.outputs):
        measures = [term.measure for term in measured(output.formula)]
        if isinstance(output.formula, Picked) or any(released.noises[m][0].scale for m in measures):
            found.add(output.column.id)
    return frozenset(found)


def _keys(query: ReleasedQuery) -> frozenset[int]:
    """The key columns of releases; none where a release reads others: keys may be made of noise."""
    if query.feeds:
        return frozenset()
    outputs = {o.column.id for release in query.releases for o in release.outputs}
    return frozenset(c.id for r in query.releases for c in r.node.columns) - outputs


def _curve(query: ReleasedQuery, position: int) -> Curve | None:
    """An output column as a function of its noise; None where it is linear in it, or has coins."""
    assert query.trace is not None
    expr, read = query.trace.outputs[position], columns_of(query.trace.outputs[position])
    outputs = [o for release in query.releases for o in release.outputs if o.column.id in read]
    linear = all(isinstance(o.formula, Linear) for o in outputs)
    if linear and all(isinstance(slope(expr, o.column.id), Literal) for o in outputs):
        return None
    if position in query.trace.coins:
        return None
    ranged = isinstance(expr, Ref) and decode.limits(outputs[0].formula) is not None
    return Curve(expr, {o.column.id: o.formula for o in outputs}, ranged)


def _ranged(query: ReleasedQuery) -> list[Formula | None]:
    """For each output column the aggregate that it is, where the range of that is public."""
    assert query.trace is not None
    found = {
        o.column.id: o.formula
        for release in query.releases
        for o in release.outputs
        if decode.limits(o.formula) is not None
    }
    return [found.get(e.column.id) if isinstance(e, Ref) else None for e in query.trace.outputs]


def _within(formula: Formula, noisy: Noisy, reached: float) -> float:
    """A half-width, or how far the value is from the further end of its range, if that is less."""
    limits = decode.limits(formula)
    assert limits is not None
    if reached <= (limits[1] - limits[0]) / 2:
        return reached
    found = decode.value(formula, noisy)
    if not isinstance(found, float | Fraction):
        return reached
    return min(reached, max(float(found) - limits[0], limits[1] - float(found)))
