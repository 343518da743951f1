"""Measures to which a row adds once at most: they share what one unit can add, and one part of ε.

    COUNT(*) FILTER (WHERE paid), SUM(amount) FILTER (WHERE NOT paid)

A *family* is a set of measures i, each of one expression that is not NULL only where conditions cᵢ
hold, no two of which a row can satisfy. (Of an expression that is only summed, 0 is as good as
NULL, and is made NULL where its rows must be counted.) Let Δᵢ be the L1 sensitivity of measure i by
itself, and let a neighbour move its vector over the groups by vᵢ.

Claim. Σ |vᵢ|₁/Δᵢ <= 1 and Σ |vᵢ|₂²/(Δᵢ of L2)² <= 1. So noise of the same ε on each member, Laplace
of scale Δᵢ/ε, costs ε for all of them together; and Gaussian noise with the same Δᵢ²/σᵢ² on each
costs what one of them does. (Parallel composition: McSherry, SIGMOD 2009, for databases that are
split; here it is one unit's rows that are.)

Why. Let a unit have T rows in the groups, R the bound on rows per unit, and mᵢ the most that one
row adds to measure i. It adds nᵢg numbers in [-mᵢ, mᵢ] to measure i in group g, one for each row
where the expression is not NULL; each row is in one of these nᵢg at most, so they add up to T at
most. Where T <= R, or where T > R is ruled out, Σᵢg |vᵢg|/mᵢ <= Σ nᵢg <= R. Where a unit with T > R
is cut down, the counts that are kept of a family add up to R at most (see `quota_sql`, and `chains`
here); a sum is scaled with its *own* count, which is why members have one
(`Input.counted`): the count of all rows of the group would allow each member as much as all
together. A centred sum is one of numbers in
[-mᵢ, mᵢ] as well, as long as a NULL adds nothing to it.
Under `add_remove` Δᵢ = R·mᵢ, which gives the claim. Under `replace` two units move, and Σ |vᵢ|₁/mᵢ
<= 2·R; so only measures with Δᵢ = 2·R·mᵢ are members: no others, whose smaller bound rests on what
one unit's loss and the other's gain do to one number. For L2: |vᵢ|₂² <= |vᵢ|₁·Lᵢ, Lᵢ being the L∞
sensitivity (Hölder), and (Δᵢ of L2)² = Δᵢ·Lᵢ; so the second sum is at most the first.

Left out: COUNT(*) of all rows, which every row is in; distinct values, whose cells are values and
not rows; and clipped sums, whose bound is found when they are run: those of one average have one
together (`one_clip`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from dpsql.core.enforce.asked_cells import Chained
from dpsql.core.infer.exclusive import Region, demands, exclusive, nulled, region
from dpsql.core.plan.expr import Expr
from dpsql.core.release.measures import Argument, Kind, Measure, Setting, attained

SPLIT = frozenset({Kind.VALUES, Kind.SUM, Kind.CENTRED})
"""The kinds that add up rows of which each may be in one member or in none."""

MAX_CHAIN = 64
"""Members before another one; counts of those beyond are rounded down where units are cut."""

MAX_COMPARED = 300_000
"""Pairs of conditions that are compared for one release; measures beyond that are no members."""


def shared(
    measures: tuple[Measure, ...], arguments: tuple[Argument, ...], setting: Setting
) -> tuple[Measure, ...]:
    """The measures with families: each joins the first one that excludes it.

    Args:
        measures: some may be in a family of several already; that stays as it is.
        arguments: what they aggregate.
        setting: of the release.
    """
    taken = Counter(m.family for m in measures)
    kinds: dict[int | None, set[Kind]] = {}
    for m in measures:
        kinds.setdefault(m.input, set()).add(m.kind)
    families = _Families()
    found: list[Measure] = []
    for number, measure in enumerate(measures):
        alone = taken[measure.family] == 1
        own = _region(measure, kinds[measure.input], arguments, setting) if alone else None
        family = number if own is None else families.join(own, number)
        found.append(measure if own is None else replace(measure, family=family))
    return tuple(found)


@dataclass(slots=True)
class _Families:
    """The families so far, and how much may still be compared.

    Attributes:
        members: of each family, by its number.
        by: the families whose first member says something, in ascending order.
        left: pairs of conditions.
    """

    members: dict[int, list[Region]] = field(default_factory=dict)
    by: dict[tuple[str, Expr], list[int]] = field(default_factory=dict)
    left: int = MAX_COMPARED

    def join(self, own: Region, number: int) -> int:
        """The first family of which every member excludes the region; else a new one."""
        near = {family for thing in own.heeds for family in self.by.get(thing, ())}
        first = next((family for family in sorted(near) if self._takes(family, own)), None)
        if first is None:
            self.members[number] = [own]
            for thing in own.says:
                self.by.setdefault(thing, []).append(number)
            return number
        self.members[first].append(own)
        return first

    def _takes(self, family: int, own: Region) -> bool:
        for member in self.members[family]:
            self.left -= own.work * member.work
            if self.left < 0 or not exclusive(own, member):
                return False
        return True


def chains(measures: tuple[Measure, ...]) -> dict[int, Chained]:
    """The inputs whose sums must be bounded by their own counts, where units are cut down: those of
    families.

    Claim: of an input in a chain, all that stand before it exclude it, and in each family that it
    is in they are the same ones in the same order. Why: that is what `before` says; inputs whose
    families differ in it are taken out, with all that stand after them.
    """
    members: dict[int, dict[int, None]] = {}
    for measure in measures:
        if measure.input is not None and measure.kind in SPLIT:
            members.setdefault(measure.family, {})[measure.input] = None
    listed = [tuple(inputs) for inputs in members.values() if len(inputs) > 1]
    before: dict[int, tuple[int, ...]] = {}
    out: set[int] = set()
    for inputs in listed:
        for place, number in enumerate(inputs):
            if before.setdefault(number, inputs[:place]) != inputs[:place] or place >= MAX_CHAIN:
                out.add(number)
    size = -1
    while size < len(out):
        size = len(out)
        for inputs in listed:
            first = next((i for i, number in enumerate(inputs) if number in out), len(inputs))
            out.update(inputs[first:])
    return {
        number: Chained(None, down=True)
        if number in out
        else Chained(earlier[-1] if earlier else None)
        for number, earlier in before.items()
    }


def _region(
    measure: Measure,
    kinds: set[Kind],
    arguments: tuple[Argument, ...],
    setting: Setting,
) -> Region | None:
    """The rows that add to the measure, `kinds` being those of its input; None where it cannot be a
    member.
    """
    bound = measure.contribution
    if measure.kind not in SPLIT or measure.adaptive or measure.constant is not None:
        return None
    if measure.input is None or setting.rows is None or bound.rows != setting.rows:
        return None
    argument = arguments[measure.input]
    if argument.nullable and not argument.counted_apart:
        return None  # a NULL may count, as the middle of the range
    moved = attained(bound, setting)
    if moved is None or not moved.l1:
        return None
    exprs = [argument.expr] + ([] if argument.lattice is None else [argument.lattice.expr])
    every = [demands(nulled(e) if kinds == {Kind.SUM} else e) for e in exprs]
    others = [frozenset(found) for found in every[1:]]
    conditions = tuple(e for e in every[0] if all(e in other for other in others))
    return region(conditions) if conditions else None
