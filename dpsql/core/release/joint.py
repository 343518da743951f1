"""Measures of one family in the places of others, from which what was made of those is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.core.release.formulas import (
    Axis,
    Formula,
    Linear,
    Moments,
    Output,
    Quotient,
    Term,
    terms,
)
from dpsql.core.release.measures import Measure, Setting


@dataclass(frozen=True, slots=True)
class Joint:
    """Measures that can be taken together, instead of as many or fewer apart.

    Attributes:
        count: the measure that says how many values there are.
        measures: what is measured.
        made: each measure whose place they take, in its steps: how many of each step of theirs.
        alone: whether what else they say is best read with the count that they say, so that others
            may say it, too.
    """

    count: int
    measures: tuple[Measure, ...]
    made: Mapping[int, tuple[Fraction, ...]]
    alone: bool = False

    @property
    def own(self) -> set[int]:
        """The measures whose place they take, but for the count."""
        return self.made.keys() - {self.count}

    def excludes(self, other: Joint) -> bool:
        """Whether only one of both can be taken."""
        if self.count == other.count and not (self.alone and other.alone):
            return True
        return bool(self.own & other.made.keys() or other.own & self.made.keys())


def alike(measures: Sequence[Measure], setting: Setting) -> bool:
    """Whether all are of rows of which a unit has as many as are declared, and none is clipped."""
    if setting.rows is None or any(m.adaptive or m.constant is not None for m in measures):
        return False
    return all(m.contribution.rows == setting.rows for m in measures)


def read_elsewhere(outputs: Sequence[Output]) -> set[int]:
    """The measures that formulas read which are no arithmetic on sums."""
    return {
        t.measure
        for o in outputs
        for t in terms(o.formula)
        if not isinstance(o.formula, Linear | Quotient | Moments)
    }


@dataclass(frozen=True, slots=True)
class Together:
    """Measures with others in their places.

    Attributes:
        measures: as many as there were, or more.
        outputs: what is made of them.
    """

    measures: tuple[Measure, ...]
    outputs: tuple[Output, ...]


def together(
    measures: Sequence[Measure],
    outputs: Sequence[Output],
    chosen: Sequence[Joint],
) -> Together:
    """The measures with those that are taken together instead.

    Args:
        measures: of a release.
        outputs: what is made of them.
        chosen: no two of which exclude each other. The first of those with one count takes its
            place; the others read their own.
    """
    new = list(measures)
    made: dict[int, dict[int, Fraction]] = {}
    counts: list[tuple[set[int], int, dict[int, Fraction]]] = []
    for joint in chosen:
        places = sorted(joint.own if joint.count in made else joint.made)
        more = len(joint.measures) - len(places)
        places += range(len(new), len(new) + more)
        new += joint.measures[:more]
        for n, place in enumerate(places):
            new[place] = joint.measures[n]
        said = {old: dict(zip(places, parts, strict=True)) for old, parts in joint.made.items()}
        counts.append((joint.own, joint.count, said[joint.count]))
        made = said | made
    least: dict[int, int] = {}
    for place, measure in enumerate(new):
        least.setdefault(measure.family, place)
    return Together(
        tuple(replace(m, family=least[m.family]) for m in new),
        tuple(replace(o, formula=remade(o.formula, made | _counted(o, counts))) for o in outputs),
    )


def _counted(
    output: Output, counts: Sequence[tuple[set[int], int, dict[int, Fraction]]]
) -> dict[int, dict[int, Fraction]]:
    """The counts of the measures that an aggregate reads, as these say them."""
    read = {term.measure for term in terms(output.formula)}
    return {count: said for own, count, said in counts if own & read}


Made = Mapping[int, Mapping[int, Fraction]]


def remade(formula: Formula, made: Made) -> Formula:
    """The formula over new measures, which are `made` into the old ones."""
    if isinstance(formula, Linear):
        return replace(formula, terms=_terms(formula.terms, made))
    if isinstance(formula, Quotient):
        return replace(
            formula,
            numerator=_terms(formula.numerator, made),
            denominator=_terms(formula.denominator, made),
        )
    if isinstance(formula, Moments):
        return replace(
            formula,
            count=_terms(formula.count, made),
            y=_axis(formula.y, made),
            x=None if formula.x is None else _axis(formula.x, made),
            cross=_terms(formula.cross, made),
        )
    return formula


def _axis(axis: Axis, made: Made) -> Axis:
    return replace(axis, total=_terms(axis.total, made), square=_terms(axis.square, made))


def _terms(read: tuple[Term, ...], made: Made) -> tuple[Term, ...]:
    found: dict[int, Fraction] = {}
    for term in read:
        for measure, part in made.get(term.measure, {term.measure: Fraction(1)}).items():
            found[measure] = found.get(measure, Fraction(0)) + part * term.weight
    return tuple(Term(measure, weight) for measure, weight in found.items() if weight)
