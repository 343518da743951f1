"""Which measurements output columns are made of, and how far off several make one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from dpsql.compile import ReleasedQuery
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.plan.expr import Ref, columns_of
from dpsql.core.release.formulas import Linear, Output, Picked, Quotient, terms
from dpsql.core.release.release import Release as Point
from dpsql.execution.widths import grain, rounded, width
from dpsql.report.explanation.measurement import Release
from dpsql.report.explanation.releases import itself
from dpsql.report.forms import Plain


@dataclass(frozen=True, slots=True)
class Computed(Plain):
    """A count, a sum or an average that is made of several measurements.

    Attributes:
        name: the output column.
        measurements: the names of what it is made of.
        per_row: whether its half-width is `interval` divided by the number of values: an average's.
    """

    name: str
    measurements: tuple[str, ...]
    per_row: bool
    _interval: Callable[[float, bool], float] = field(repr=False, compare=False)

    def interval(self, confidence: float = 0.95) -> float:
        """The half-width within which the noise stays with that probability; of an average in the
        middle of its range, times the number of values.

        Raises:
            ValueError: `confidence` is not in [0, 1).
        """
        return self._interval(confidence, False)

    def widest(self, confidence: float = 0.95) -> float:
        """The same of an average at an end of its range.

        Raises:
            ValueError: `confidence` is not in [0, 1).
        """
        return self._interval(confidence, True)

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        widths = {"interval95": self.interval(), "widest95": self.widest()}
        return Plain.to_dict(self) | widths


def measurements(query: ReleasedQuery) -> Mapping[str, tuple[int, ...]]:
    """By the name of the output column, in small letters, the places of its measurements in the
    explanation; nothing where it is not modelled how the noise reaches the output.
    """
    if query.trace is None or len(query.releases) != 1:
        return {}
    (point,) = query.releases
    made: dict[str, tuple[int, ...]] = {}
    for name, expr in zip(query.names, query.trace.outputs, strict=True):
        read = columns_of(expr)
        used: set[int] = set()
        for output in point.outputs:
            if output.column.id in read:
                formula = output.formula
                used |= {term.measure for term in terms(formula)}
                if isinstance(formula, Picked):
                    used.add(len(point.measures) + formula.pick)
        if used:
            made.setdefault(name.lower(), tuple(sorted(used)))
    return made


def computed(query: ReleasedQuery, releases: Sequence[Release]) -> tuple[Computed, ...]:
    """The output columns that are made of several measurements with noise that is known.

    Args:
        query: calibrated.
        releases: what is measured, as it is explained, in order.
    """
    if query.trace is None:
        return ()
    shown = dict(zip(query.trace.outputs, query.names, strict=True))
    names, found = iter(release.name for release in releases), list[Computed]()
    for point, noises in ((p.release, p.noise) for p in query.planned):
        own = [next(names) for _ in (*point.measures, *point.picks)]
        for output in point.outputs:
            name = shown.get(Ref(output.column))
            if name is not None:
                found += _computed(name, output, point, own, noises)
    return tuple(found)


def _computed(
    name: str,
    output: Output,
    point: Point,
    names: Sequence[str],
    noises: Sequence[Noise | AdaptiveLaplace],
) -> Iterator[Computed]:
    formula = output.formula
    if not isinstance(formula, Linear | Quotient):
        return
    read = sorted({term.measure for term in terms(formula)})
    same = len(read) < 2 if isinstance(formula, Quotient) else itself(formula, point) is not None
    if same or not read or any(isinstance(noises[m], AdaptiveLaplace) for m in read):
        return
    known = {m: noise for m in read if not isinstance(noise := noises[m], AdaptiveLaplace)}
    made = partial(_half_width, formula, known, grain(output))
    per_row = isinstance(formula, Quotient) and bool(formula.denominator)
    yield Computed(name, tuple(names[m] for m in read), per_row, made)


def _half_width(
    formula: Linear | Quotient,
    noises: Mapping[int, Noise],
    step: float,
    confidence: float,
    at_end: bool,
) -> float:
    """The half-width of a sum; of an average, times the number of values. Why: where the mean is m,
    (S + Y)/(N + Z) is off by (Y - m·Z)/N to first order.
    """
    if not 0 <= confidence < 1:
        raise ValueError("a confidence must be in [0, 1)")
    if isinstance(formula, Linear):
        return rounded(_of({t.measure: t.weight for t in formula.terms}, noises, confidence), step)
    low, high = formula.low - formula.centre, formula.high - formula.centre
    found: list[float] = []
    for mean in (low, high) if at_end else ((low + high) / 2,):
        weights = {t.measure: t.weight for t in formula.numerator}
        for term in formula.denominator:
            weights[term.measure] = weights.get(term.measure, Fraction(0)) - mean * term.weight
        found.append(_of(weights, noises, confidence))
    return max(found)


def _of(weights: Mapping[int, Fraction], noises: Mapping[int, Noise], confidence: float) -> float:
    used = list(weights)
    numbered = {place: float(weights[m]) for place, m in enumerate(used)}
    half = width(numbered, [noises[m] for m in used], confidence)
    assert half is not None
    return half
