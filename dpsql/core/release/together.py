"""How many rows have an x, and their sum, from two sums of one family instead of two measures.

    COUNT(x), SUM(x - c)                         apart: each takes a part of ε
    A = SUM(x - a), B = SUM(x - b)               together: x in [a, b], both take all of one part
    COUNT(x) = (A - B)/w     SUM(x - c) = (A + B)/2      w = b - a, c the middle

A row with an x adds x - a in [0, w] to A and x - b in [-w, 0] to B, and |x - a| + |x - b| = w,
whatever x is: the two share what a row can add.

Claim. With Δ = s·T·w, T the bound on a unit's rows and s = 2 under `replace`, else 1, a neighbour
moves A and B by u and v with |u|₁ + |v|₁ <= Δ, and |u|₂² + |v|₂² <= Δ·L, L = T·w. So they are
members of one family (see `shared`), each with the sensitivities Δ, √(Δ·L) and L.

Why. A unit has n_g rows with an x in group g, Σ n_g <= T, and a sum s_g of them between n_g·a and
n_g·b: so it is by the clamp and the lattice, and where a unit is cut down the sum that is kept is
one of as many numbers in [a, b] as are kept (see `enforce.quota_sql`). It adds s_g - n_g·a >= 0 to
A and s_g - n_g·b <= 0 to B: n_g·w together, in absolute value, and T·w over all groups. Under
`replace` two units do. For L2: |u|₂² <= |u|₁·L (Hölder), as in `shared`; the same for v. A family
that SUM(x - c) shares with others, no row of which it has, they share with these just as well:
a row adds to A and B together the part of Δ that it adds to the centred sum of its own.

What it is good for. Laplace noise of scale b = Δ/ε on A and B makes the standard error of COUNT(x)
2·s·T/ε and that of the sum s·T·w/ε; apart, with ε in halves, these are √2 times as much. An average
at c + t·w/2 has (1 + t²)^½ times the error of the sum, and at the ends of [a, b] no more than A or
B alone. Where one of the two hardly matters, apart gives it hardly any ε and wins; with Gaussian
noise both are equal: `choosing` takes the better. By ρ, too, both are equal: one mechanism of all
of ε has about twice the ρ of two with half of it each.

Several averages share COUNT(*) where no value is NULL, and those of a pair share the number of
pairs: it is taken together with one of the sums, and the others use it as it is then. Which sum
that is, `choosing` finds. (If each of them said the count, too, and these were averaged, three
averages would be off by a fifth more at the same ε, and two by a little more.)

Left out: counts that decide which private groups are shown; what bins use; clipped sums, which are
a matter of their own (`one_clip`); and `replace` in one group, where a count and a sum each move by
half as much as here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from dpsql.core.release.formulas import Output
from dpsql.core.release.joint import Joint, alike, read_elsewhere
from dpsql.core.release.measures import Argument, Kind, Measure, Setting, attained


def pairs(
    measures: Sequence[Measure],
    outputs: Sequence[Output],
    arguments: Sequence[Argument],
    setting: Setting,
    units: int | None,
) -> tuple[Joint, ...]:
    """Which measures can be taken together.

    Args:
        measures: of a release.
        outputs: what is made of them.
        arguments: what they aggregate.
        setting: of the release.
        units: the measure that counts the units of private groups, if there is one.
    """
    numbers = {(m.kind, m.input): n for n, m in enumerate(measures)}
    others = read_elsewhere(outputs)
    found: list[Joint] = []
    for number, measure in enumerate(measures):
        if measure.kind is not Kind.CENTRED or measure.input is None:
            continue
        argument = arguments[measure.input]
        of = measure.input if argument.counted is None else argument.counted
        count = numbers.get((Kind.VALUES, of) if argument.counted_apart else (Kind.ROWS, None))
        if count is None or count == units or {count, number} & others:
            continue
        if not alike((measure, measures[count]), setting):
            continue
        ends = _ends(measure, setting)
        if ends is not None:
            made = dict(zip((count, number), parts_of_ends(ends[0], measure.unit), strict=True))
            found.append(Joint(count, ends, made))
    return tuple(found)


def _ends(centred: Measure, setting: Setting) -> tuple[Measure, Measure] | None:
    """The sums around both ends; None where a bound of one by itself is not one of both."""
    made: list[Measure] = []
    for end in around_ends(centred):
        moved = attained(end.contribution, setting)
        if moved is None or not moved.l1:
            return None
        made.append(replace(end, sensitivity=moved))
    return made[0], made[1]


def around_ends(centred: Measure) -> tuple[Measure, Measure]:
    """The sums around the least and the greatest value, for one around the middle."""
    odd = centred.centre % 2
    width = (centred.contribution.high - centred.contribution.low) // (2 if odd else 1)

    def around(low: int, high: int) -> Measure:
        return replace(
            centred,
            unit=centred.unit * (2 if odd else 1),
            centre=centred.centre - low - high,
            contribution=replace(centred.contribution, low=low, high=high),
        )

    return around(0, width), around(-width, 0)


def parts_of_ends(
    low: Measure, unit: Fraction
) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
    """How often both sums, in their order, are in the count, and in the centred sum.

    Args:
        low: the sum around the least value.
        unit: of the centred sum.
    """
    part = Fraction(1, low.contribution.high)
    # A + B is twice the centred sum, which is counted in half steps where theirs are whole.
    half = low.unit / (2 * unit)
    return (part, -part), (half, half)
