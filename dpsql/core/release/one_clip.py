"""One clip for the count and the sum of an average, where the data says what one unit may add.

    COUNT(x), SUM(x - c)                         a clip each: units are cut differently in the two
    A = SUM(x - a), B = SUM(x - b)               one clip of rows: x in [a, b], w = b - a

A row with an x moves A and B by w together, see `together`. So what a unit adds is clipped by one
number: how many rows with an x it has. A unit with n > τ of them adds τ/n of its part of A, and of
its part of B.

Claim. For each τ, one unit moves A and B by w·τ together (L1, over all groups). So noise of
s·w·τ/ε' on both costs ε', s = 2 under `replace`, else 1; and τ is chosen once for both.

Why. A unit with n_g rows that have an x in group g adds s_g - n_g·a >= 0 to A, s_g - n_g·b <= 0 to
B, whole numbers of steps: n_g·w in absolute value, by the clamp and the lattice, and w·n over all
groups. That is what `enforce.clipped` asks of measures that share a clip. The choice of τ reads how
many units have n > τ, which one unit moves by 1 at most.

What it is good for. A unit that is cut counts for τ rows with the average of its own: in each group
COUNT' = (A' - B')/w is τ/n of its count, and SUM' the same part of its sum. So an average is one of
rows, some of which count for less, and not outside of [a, b] but for noise. With two clips the sum
may lose much where the count loses nothing. Rows are small numbers, too, of which fewer units are
needed to find a clip than of sums (see `noise.clip`); and one choice has all of the ε of two.

What it costs. The noise is that of w, also where values are near the middle of [a, b], where a
sum's own clip would be low. So it is done where somebody has bounded x, by a declaration or in the
query, and not where the limits of its type are all that is known; and for averages alone: a sum
that nobody divides has the clip that is best for it.

Several averages of which no value is NULL have a clip each, and COUNT(*) is the first one's: what
these are divided by is their own count. Left out: what moments and bins use. A count that they use,
too, stays beside the average's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.core.release.bound import clipped
from dpsql.core.release.formulas import Linear, Output, Quotient, terms
from dpsql.core.release.joint import remade
from dpsql.core.release.measures import Argument, Kind, Measure, Setting
from dpsql.core.release.together import around_ends, parts_of_ends


@dataclass(frozen=True, slots=True)
class _Pair:
    """A count and a centred sum, and the places of what is measured instead."""

    count: int
    centred: int
    places: tuple[int, int]
    ends: tuple[Measure, Measure]


def with_one_clip(
    measures: tuple[Measure, ...],
    outputs: tuple[Output, ...],
    arguments: Sequence[Argument],
    setting: Setting,
) -> tuple[tuple[Measure, ...], tuple[Output, ...]]:
    """The measures with sums around the ends for the counts and sums of averages that are clipped,
    and what is made of them.

    Args:
        measures: of a release.
        outputs: what is made of them.
        arguments: what they aggregate.
        setting: of the release.
    """
    found = list(measures)
    pairs: list[_Pair] = []
    for count, centred in _averages(measures, outputs, arguments):
        taken = {place for pair in pairs for place in pair.places}
        free = count not in taken and count not in _others(outputs)
        first, second = sorted((centred, count if free else len(found)))
        low, high = around_ends(measures[centred])
        moved = clipped(setting.neighbours)
        ends = (
            replace(low, sensitivity=moved, family=first),
            replace(high, sensitivity=moved, family=first),
        )
        found += [] if free else [ends[1]]
        found[first], found[second] = ends
        pairs.append(_Pair(count, centred, (first, second), ends))
    return tuple(found), tuple(_over(output, pairs, measures) for output in outputs)


def _averages(
    measures: Sequence[Measure], outputs: Sequence[Output], arguments: Sequence[Argument]
) -> list[tuple[int, int]]:
    """The counts and centred sums of averages whose rows can be clipped."""
    found: dict[int, int] = {}
    for output in outputs:
        formula = output.formula
        if not isinstance(formula, Quotient) or not formula.denominator:
            continue
        (above,), (below,) = formula.numerator, formula.denominator
        centred, count = measures[above.measure], measures[below.measure]
        both = centred.adaptive and count.adaptive and centred.kind is Kind.CENTRED
        if not both or above.measure in _others(outputs) or centred.input is None:
            continue
        if not arguments[centred.input].by_type:
            found[above.measure] = below.measure
    return [(count, centred) for centred, count in sorted(found.items())]


def _others(outputs: Sequence[Output]) -> set[int]:
    """The measures that are used by more than counts, sums and averages."""
    made = [o.formula for o in outputs if not isinstance(o.formula, Linear | Quotient)]
    return {term.measure for formula in made for term in terms(formula)}


def _over(output: Output, pairs: Sequence[_Pair], measures: Sequence[Measure]) -> Output:
    """The output over the new measures: with the count that goes with its sum, if it has one."""
    read = {term.measure for term in terms(output.formula)}
    own = [pair for pair in pairs if pair.centred in read]
    counting = [p for p in pairs if p.count in read and p.count in p.places]
    made: dict[int, Mapping[int, Fraction]] = {}
    for pair in own or counting:
        unit = measures[pair.centred].unit
        parts = zip((pair.count, pair.centred), parts_of_ends(pair.ends[0], unit), strict=True)
        made |= {old: dict(zip(pair.places, of_both, strict=True)) for old, of_both in parts}
    return replace(output, formula=remade(output.formula, made))
