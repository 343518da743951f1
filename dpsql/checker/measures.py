"""The last step: how far one unit moves what is shown.

A unit adds to each number for each of its rows (or of those that they stand for, see `quotas`) at
most. Let it add T numbers in [a, b], at most C of them to one group, to K groups at most; let m be
the larger of |a| and |b|. One unit more or less, L0 <= K, L1 <= T·m, L∞ <= min(C, T)·m. Where a
unit is replaced by another, L0 <= 2·K, L1 <= 2·T·m and L∞ <= min(C, T)·(max(b, 0) - min(a, 0));
with n groups at all, L0 <= n and L1 <= n·L∞. Always L2² <= L1·L∞ (Hölder). Where each unit of each
database has one row, and that is never NULL, and there is one group, a number moves by b - a at
most where a unit is replaced.

K is at most T, the combinations of values of the keys, and those of keys that the unit does not
fix. A number of distinct values counts pairs of a group and a value: T is at most K·C, C values in
each.

A family: what one row adds to all its measures, each divided by the measure's claim, comes to
1/(s·T) at most, s the units that move. What it adds is a piecewise linear, convex function of its
values, so that the ends of their intervals say how much; of inputs of which no row has two, there
is one at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt
from typing import Any

from dpsql.checker.facts import Facts, Measure, Sums
from dpsql.checker.groups import group_rows, many, own
from dpsql.checker.partition import whole
from dpsql.checker.proof import Refused, Step
from dpsql.checker.quotas import positive
from dpsql.checker.relation import MANY, Relation, Tally, choices, least, times
from dpsql.checker.scalars import exclusive, not_zero, value
from dpsql.checker.select import Select, windows
from dpsql.checker.tree import Expr, Meaning
from dpsql.checker.values import Value, hull

ROWS: Expr = ("rows",)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of what a row adds to a measure: weight, weight where the input is not NULL, or weight
    times the input.

    Attributes:
        sort: "rows", "count" or "sum".
        input: the expression, or the number of a tally's input; ROWS of none.
        ends: of the input; its values.
        weight: what it is multiplied with.
    """

    sort: str
    input: Any
    ends: Value
    weight: Fraction


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far neighbours move a number; see above."""

    l0: int | None
    l1: Fraction | None
    linf: Fraction | None
    l2_squared: Fraction | None


@dataclass(frozen=True, slots=True)
class Setting:
    """What all measures of an answer have in common: T, C, K; see above.

    Attributes:
        groups: how many there are at all; None for many.
        every: each unit of each database has one row, and there is one group.
        units: in how many neighbours differ.
    """

    total: int | None
    cell: int | None
    touched: int | None
    groups: int | None
    every: bool
    units: int


def sums(answer: Select, claim: Sums, facts: Facts) -> Step:
    """The proof of what is claimed of an answer.

    Raises:
        Refused: it does not follow.
    """
    rows = answer.rows
    shown = answer.items[: claim.keys]
    if not set(shown) <= set(answer.keys):
        raise Refused("a column that is shown as a key is none")
    if not rows.private or rows.rows == 0:
        return Step("public", "no private row is read", (rows.step,))
    if not rows.owned:
        raise Refused("rows of nobody may be counted")
    if windows(answer.items):
        raise Refused("a window function at the last step is not followed")
    cell = group_rows(rows, shown)
    virtual = plain = _setting(rows, shown, least(rows.rows, _stands(rows)), cell, facts)
    if rows.tally is not None:
        cell = times(rows.tally.cell, cell)
        virtual = _setting(rows, shown, rows.tally.total, least(cell, rows.tally.total), facts)
    steps: list[Step] = []
    families: dict[int, list[tuple[Measure, list[Part], Setting]]] = {}
    for measure in claim.measures:
        special = _special(answer, measure, plain)
        if special is not None:
            if [m.family for m in claim.measures].count(measure.family) > 1:
                raise Refused("measures of one family are of several kinds")
            steps.append(special)
            continue
        found, of_tally = _parts(answer, measure)
        setting = virtual if of_tally else plain
        families.setdefault(measure.family, []).append((measure, found, setting))
    for members in families.values():
        if any(s is not members[0][2] for _, _, s in members):
            raise Refused("measures of one family are of several kinds")
        if any(len(inputs_of(parts)) > 1 for _, parts, _ in members):
            steps += _partition(members, rows)
            continue
        for measure, found, setting in members:
            low, high = _ends(found)
            bounds = _bounds(setting, low, high, setting is not virtual or virtual is plain)
            steps.append(_compared(measure, bounds, low, high))
        if len(members) > 1:
            steps.append(_family(members, rows))
    return Step("sums", f"{len(claim.measures)} numbers for each group", (*steps, rows.step))


def _stands(rows: Relation) -> int | None:
    """Where each row stands for one at least, a unit has no more rows than they stand for."""
    return rows.tally.total if rows.tally is not None and positive(rows) else None


def _setting(
    rows: Relation, keys: Sequence[Expr], total: int | None, cell: int | None, facts: Facts
) -> Setting:
    groups = many(keys, rows)
    return Setting(
        total=total,
        cell=cell,
        touched=least(total, rows.rows, _stands(rows), groups, own(keys, rows)),
        groups=groups,
        every=rows.complete and rows.rows == 1 and not keys,
        units=facts.units,
    )


def _bounds(s: Setting, low: Fraction, high: Fraction, one_each: bool) -> Bounds:
    if s.every and s.units > 1 and one_each:
        width = high - low
        return Bounds(1 if width else 0, width, width, width * width)
    size = max(abs(low), abs(high))
    total = least(s.total, times(s.touched, s.cell))
    span = size if s.units == 1 else max(high, Fraction(0)) - min(low, Fraction(0))
    linf = times(least(s.cell, total), span)
    l1 = least(times(total, s.units * size), times(s.groups, linf))
    l0 = least(times(s.units, s.touched), s.groups) if size else 0
    return Bounds(l0, l1, linf, times(l1, linf))


def _compared(measure: Measure, found: Bounds, low: Fraction, high: Fraction) -> Step:
    """The step that says so; refused where less is claimed than was found."""
    for name, mine, theirs in (
        ("L0", found.l0, measure.l0),
        ("L1", found.l1, measure.l1),
        ("L2 squared", found.l2_squared, measure.l2_squared),
        ("Linf", found.linf, measure.linf),
    ):
        if theirs is not None and (mine is None or mine > theirs):
            said = "nothing" if mine is None else mine
            raise Refused(f"{measure.label}: {name} is claimed to be {theirs}, proven is {said}")
    if measure.one_way and low < 0 < high:
        raise Refused(f"{measure.label}: one unit may move groups both ways")
    text = f"{measure.label}: a row adds {low} to {high}; L0 {found.l0}, L1 {found.l1}, "
    return Step("bound", text + f"L2² {found.l2_squared}, L∞ {found.linf}")


def _parts(answer: Select, measure: Measure) -> tuple[list[Part], bool]:
    """What a row adds to a measure, and whether rows are those that rows stand for."""
    found = [_part(answer.items[place], weight, answer.rows) for place, weight in measure.terms]
    sorts = {of_tally for _, of_tally in found}
    if len(sorts) != 1:
        raise Refused(f"{measure.label}: numbers of several kinds are added up")
    return [part for part, _ in found], sorts.pop()


def _part(item: Expr, weight: Fraction, rows: Relation) -> tuple[Part, bool]:
    if item[0] != "call" or item[2]:
        raise Refused("what is shown is no sum of rows")
    if item[1] == "count_star":
        return Part("rows", ROWS, Value(null=False), weight), False
    arg = item[3]
    meaning = rows.means(arg)
    if (
        item[1] == "sum"
        and rows.tally is not None
        and meaning[:1] in (("size",), ("count",), ("sum",))
    ):
        return tallied(meaning, weight, rows.tally), True
    ends = value(arg, rows.known)
    if item[1] == "count":
        return Part("count", arg, ends, weight), False
    if item[1] == "sum" and ends.kind in ("whole", "exact"):
        return Part("sum", arg, ends, weight), False
    raise Refused(f"{item[1]} at the last step is not followed")


def tallied(meaning: Meaning, weight: Fraction, tally: Tally) -> Part:
    """What each of the rows that a row stands for adds to a size, a count or a sum."""
    if meaning[0] == "size":
        return Part("rows", ROWS, Value(null=False), weight)
    number: int = meaning[1]
    _, ends = tally.inputs[number]
    if meaning[0] == "count":
        return Part("count", number, ends, weight)
    if meaning[2] == "size" and ends.null:
        ends = hull([ends, Value(Fraction(0), Fraction(0), False, ends.kind)]).but(null=False)
    return Part("sum", number, ends, weight)


def inputs_of(parts: Sequence[Part]) -> list[Any]:
    """What is counted and added up."""
    return list(dict.fromkeys(p.input for p in parts if p.input != ROWS))


def worlds(every: Sequence[Sequence[Part]], inputs: Sequence[Any]) -> list[list[Fraction]]:
    """What a row adds to each of several measures, in all cases that are extreme: no input has a
    value, or one of them has, at one of its ends.
    """
    flat = [p for parts in every for p in parts]
    found: list[list[Fraction]] = []
    if all(p.ends.null or p.ends.count == 0 for p in flat if p.input != ROWS):
        found.append([_added(parts, None, Fraction(0)) for parts in every])
    for one in inputs:
        ends = [p.ends for p in flat if p.input == one]
        if all(e.count == 0 for e in ends):
            continue
        summed = [p.ends for p in flat if p.input == one and p.sort == "sum"]
        at: list[Any] = [Fraction(0)]
        if summed:
            if any(e.low is None or e.high is None for e in summed):
                raise Refused("nothing bounds what is added up")
            at = [min(e.low for e in summed), max(e.high for e in summed)]  # type: ignore[type-var]
        found += [[_added(parts, one, x) for parts in every] for x in at]
    return found


def _added(parts: Sequence[Part], one: object, x: Fraction) -> Fraction:
    own = [p for p in parts if p.input in (ROWS, one)]
    return sum((p.weight * (x if p.sort == "sum" else 1) for p in own), Fraction(0))


def _ends(parts: Sequence[Part]) -> tuple[Fraction, Fraction]:
    """The least and the most that a row adds to one measure."""
    inputs = inputs_of(parts)
    if len(inputs) > 1:
        raise Refused("a number is made of several inputs")
    found = [of[0] for of in worlds([parts], inputs)]
    return min(found), max(found)


def _partition(
    members: Sequence[tuple[Measure, list[Part], Setting]], rows: Relation
) -> list[Step]:
    """The proofs for measures that are parts of one whole; see `partition`. Where counts are cut
    down, all sums are cut by one function that rises, which leaves the whole times the count.
    """
    setting = members[0][2]
    every = [p for _, parts, _ in members for p in parts]
    summed = {p.input for p in every if p.sort == "sum"}
    counted = {p.sort for p in every if p.sort != "sum"}
    if len(counted) != 1 or ("rows" in counted and any(p.ends.null for p in every)):
        raise Refused("weights do not add up to one whole in all rows")
    exprs, of = {i: i for i in (p.input for p in every)}, rows
    if any(isinstance(i, int) for i in summed):
        assert rows.tally is not None
        of = rows.tally.of
        exprs = {i: rows.tally.inputs[i][0] for i in exprs if i != ROWS}
        for _, parts, _ in members:
            ends = sorted(p.weight for p in parts if p.sort == "sum")
            last = any(p.sort != "sum" for p in parts)
            if ends not in ([-1, 1], [-1] if last else [1]) or (last and ends != [-1]):
                raise Refused("weights that are cut down are no differences of rising sums")
        if not _cut_alike(summed, counted, rows):
            raise Refused("weights are not cut down alike")
        for one in summed:
            if sum(p.weight for p in every if p.sort == "sum" and p.input == one):
                raise Refused("weights that are cut down do not add up to one whole")
    weights: list[tuple[Fraction, dict[Expr, Fraction]]] = []
    for _, parts, _ in members:
        fixed = sum((p.weight for p in parts if p.sort != "sum"), Fraction(0))
        own: dict[Expr, Fraction] = {}
        for p in parts:
            if p.input != ROWS:  # what is counted is of its leaves, 0 times
                expr: Expr = exprs[p.input]
                own[expr] = own.get(expr, Fraction(0)) + p.weight * (p.sort == "sum")
        weights.append((fixed, own))
    all_of = whole(weights, of.known, of.meaning)
    bounds = _bounds(setting, Fraction(0), all_of, False)
    steps = [_compared(measure, bounds, Fraction(0), all_of) for measure, _, _ in members]
    total = least(setting.total, times(setting.touched, setting.cell))
    moved = times(total, setting.units * all_of)
    for measure, _, _ in members:
        for most, claimed in ((moved, measure.l1), (times(moved, bounds.linf), measure.l2_squared)):
            if most is None or claimed is None or most > claimed:
                raise Refused("weights move by more together than is claimed of each")
    text = f"a row adds {all_of} to {len(members)} weights together, none of which is negative"
    return [*steps, Step("whole", text)]


def _cut_alike(inputs: set[Any], counted: set[str], rows: Relation) -> bool:
    """Whether sums were cut down by one function: of the same rows, by the same hash."""
    found = [m for m in rows.meaning.values() if m[0] == "sum" and m[1] in inputs]
    counts = [m for m in rows.meaning.values() if m[0] == "count" and m[1] in inputs]
    if all(m[2] == "own" for m in found):
        return all(len(m) == 2 for m in counts)
    ways = {m[2:] for m in found}
    if len(found) != len(inputs) or len(ways) != 1:
        return False
    if next(iter(ways))[0] == "size":
        return counted == {"rows"}
    first = [m[3] for m in counts if len(m) == 4 and m[2] == (m[1],)]
    return counted == {"count"} and len(first) == len(inputs) and len(set(first)) == 1


def _family(members: Sequence[tuple[Measure, list[Part], Setting]], rows: Relation) -> Step:
    """The proof of what measures claim that share what one unit can add."""
    setting = members[0][2]
    parts = [p for _, p, _ in members]
    inputs = inputs_of([p for ps in parts for p in ps if p.ends.count != 0])
    if not _one_at_a_time(inputs, rows, setting, parts):
        raise Refused("a row may be in two measures of a family")
    total = least(setting.total, times(setting.touched, setting.cell))
    if total is None:
        raise Refused("nothing bounds the rows of a family")
    worst_l1, worst_l2 = Fraction(0), Fraction(0)
    for case in worlds(parts, inputs):
        l1, l2 = Fraction(0), Fraction(0)
        for added, (measure, own_parts, s) in zip(case, members, strict=True):
            if not added:
                continue
            if not measure.l1 or not measure.l2_squared:
                raise Refused(f"{measure.label}: nothing is claimed, and something is added")
            low, high = _ends(own_parts)
            linf = _bounds(s, low, high, False).linf
            assert linf is not None
            l1 += abs(added) / measure.l1
            l2 += abs(added) * linf / measure.l2_squared
        worst_l1, worst_l2 = max(worst_l1, l1), max(worst_l2, l2)
    rows_moved = setting.units * total
    if max(worst_l1, worst_l2) * rows_moved > 1:
        names = ", ".join(m.label for m, _, _ in members)
        raise Refused(f"the measures of a family share more than one part: {names}")
    text = f"a unit moves {worst_l1 * rows_moved} of the claims together"
    return Step("family", f"of {len(members)} measures {text}")


def _one_at_a_time(
    inputs: Sequence[Any], rows: Relation, setting: Setting, parts: Sequence[Sequence[Part]]
) -> bool:
    """Whether no row has a value of two of the inputs; where counts were cut down, that they were
    cut in one chain of such inputs, or rounded down.
    """
    if len(inputs) < 2:
        return True
    if not all(isinstance(i, int) for i in inputs):
        counted = {p.input for ps in parts for p in ps if p.sort == "count"}
        exprs = [e if e in counted else not_zero(e) for e in inputs]
        return _apart(exprs, rows)
    assert rows.tally is not None
    chains = {m[1]: m for m in rows.meaning.values() if m[:1] == ("count",)}
    of = rows.tally.of
    if not _apart([rows.tally.inputs[i][0] for i in inputs], of):
        return False
    if not chains.keys() >= set(inputs):
        return False
    cut = [chains[i] for i in inputs]
    if all(len(c) == 2 or c[2] == "down" for c in cut):
        return True
    _, _, line, *by = max(cut, key=lambda c: len(c[2]))
    return _apart([rows.tally.inputs[i][0] for i in line], of) and all(
        c[3:] == tuple(by) and c[2] == line[: len(c[2])] for c in cut
    )


def _apart(exprs: Sequence[Expr], rows: Relation) -> bool:
    full = [m[1] if (m := rows.means(e))[:1] in (("case",), ("made",)) else e for e in exprs]
    return all(exclusive(a, b, rows.known) for i, a in enumerate(full) for b in full[:i])


def _special(answer: Select, measure: Measure, plain: Setting) -> Step | None:
    """Distinct values, and weights of units."""
    if len(measure.terms) != 1:
        return None
    ((place, weight),) = measure.terms
    item, rows = answer.items[place], answer.rows
    if item[0] != "call" or item[1] not in ("count", "sum"):
        return None
    arg = item[3]
    ends = value(arg, rows.known)
    if item[2]:
        found = choices(arg, rows)
        one = None if MANY in found else len(found)
        options = ends.options
        each = least(one, None if options is None else options - ends.null)
        setting = replace(plain, cell=least(each, plain.cell))
        low, high = Fraction(0), weight
        if item[1] == "sum":
            if ends.low is None or ends.high is None or ends.kind not in ("whole", "exact"):
                raise Refused("nothing bounds the distinct values that are added up")
            low, high = min(ends.low, low) * weight, max(ends.high, low) * weight
        return _compared(measure, _bounds(setting, low, high, False), low, high)
    meaning = rows.means(arg)
    if item[1] == "sum" and meaning[:1] == ("share",):
        if not rows.part_of or rows.part_of != meaning[1]:
            raise Refused("weights are not those of the rows that are weighed")
        return _shares(measure, meaning, weight, plain)
    return None


def _shares(measure: Measure, meaning: Sequence[object], weight: Fraction, s: Setting) -> Step:
    """W in L1, or in L2, over all rows of a unit; see `quotas`."""
    _, _, whole, norm = meaning
    assert isinstance(whole, int)
    touched, units = s.touched, s.units
    if norm == 2 and s.cell != 1:
        raise Refused("a unit may weigh twice in one group")
    square = whole if norm == 2 else whole * whole
    most = Fraction(isqrt(square)) * weight
    l2 = square * weight * weight
    l1: Fraction | None = most
    if norm == 2:
        l1 = None if touched is None else Fraction(isqrt(touched * square)) * weight
    found = Bounds(times(units, touched), times(units, l1) if l1 else None, most, units * l2)
    return _compared(measure, found, Fraction(0), most)
