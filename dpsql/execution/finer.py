"""A stored release of finer groups, or of more of them, as the answer to a coarser question.

    stored   SELECT region, kind, COUNT(*) FROM orders GROUP BY region, kind
    asked    SELECT COUNT(*) FROM orders                                        its total
             SELECT region, COUNT(*) FROM orders GROUP BY region                a rollup
             SELECT kind, COUNT(*) FROM orders WHERE region = 'north' GROUP BY kind     a subset

Claim. Let S be stored and N be asked, of the same sources under one policy and version of the data,
both sums over rows. If
  1. each condition of S is one of N,
  2. each further condition of N depends on the keys of S alone,
  3. each key of N is one of S, and each group of N has values that S lists,
  4. each key of S that N lacks is complete: S drops no row for its value of that key, or the
     further conditions let pass none but values that S lists,
then each exact number of N is the sum of the same number of S over the groups whose keys have N's
values and satisfy the further conditions, whatever the data is. So the sum of S's noisy numbers is
that exact number with the sum of their noises: post-processing, at no cost.

Why. Rows of N satisfy the conditions of S (1); by (2) all rows of a group of S satisfy the further
ones, or none does. A row that counts for a group of N has values of N's keys that S lists (3) and
of the other keys too (4), and the groups of S are all combinations of what its keys can be
together: so it is counted in exactly one group of S, and that is one of those that are summed. The
other way round, a row of such a group satisfies all conditions of N and has N's values. Each row
adds the same to both: what is added up has one digest; and a unit that is cut down has one group
(see `identity.Parts`). Rows without a unit are dropped by both alike.

What S measured together may be asked apart: a count of N is (A - B)/w of two measures of S (see
`release.together`), or A + B + … of some (`release.subsets`). Claim: its noise is that of the sum
of as many times as many draws, divided by w. Why: they have noise of one scale, which is symmetric.
It is read of no measures that N uses in another way: what is made of both would hold the same noise
twice.

What a condition says of a group is computed by the engine's own functions, on the group's keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Literal

from dpsql.compile import ReleasedQuery
from dpsql.core.emit.evaluate import Undefined, evaluate
from dpsql.core.infer.ranges import narrow
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.plan.canonical import Digest
from dpsql.core.plan.expr import Call, Column, Expr, Ref, children, conjunction, rebuild, walk
from dpsql.core.plan.values import Values, enumerate_interval, of_type
from dpsql.core.release.decode import Noisy
from dpsql.core.release.measures import Measure
from dpsql.execution.exact import Key
from dpsql.execution.fineness import EXACT, Fineness, Finenesses, fineness
from dpsql.execution.identity import Counted, Parts
from dpsql.execution.loaded import CONFIDENCE
from dpsql.execution.noise import NoisyRelease
from dpsql.execution.stored import Answered, Summands
from dpsql.execution.summed import Summed, summed
from dpsql.types import BOOLEAN, Type

Kind = Literal["repeat", "subset", "total", "rollup"]

ALIKE = frozenset({"eq", "ne", "in", "is_null", "coerce"})
"""What treats values of an ENUM as the strings that stand for them here; an order would not."""


def coarser(
    query: ReleasedQuery, parts: Parts, groups: list[Key], found: Answered
) -> tuple[NoisyRelease, Kind] | None:
    """What a stored release says of the only release of a query; None where that is not so, or it
    is not good enough.

    Args:
        query: what is asked.
        parts: of its release.
        groups: that are output.
        found: of the same family.
    """
    other = found.summands
    (release,) = query.releases
    if other is None:
        return None
    places = _measures(parts, other)
    if places is None or not _good_enough(found.fineness, fineness(query, 0), places):
        return None
    sums = _sums(parts, groups, other, found.release.groups)
    if sums is None:
        return None
    most = max(map(len, sums), default=0)
    made = NoisyRelease(
        groups,
        [Noisy(_row(release.measures, places, found.release, own)) for own in sums],
        tuple(_noise(place, found.release, most) for place in places),
    )
    if any(len(own) != 1 for own in sums):
        return made, "rollup" if parts.keys else "total"
    return made, "repeat" if groups == found.release.groups else "subset"


Place = int | Counted | None
"""Which measure of the stored release one is, or the count that some of them are; None for one that
is public.
"""


def _measures(parts: Parts, other: Summands) -> list[Place] | None:
    """What of the stored release each measure is; None where one is nothing of it."""
    known: dict[Digest, int | Counted] = {count.made: count for count in other.counts}
    known |= {made: place for place, made in enumerate(other.measures) if made}
    if any(made and made not in known for made in parts.measures):
        return None
    places = [known[made] if made else None for made in parts.measures]
    read = [p for place in places for p in _read(place)]
    return places if len(set(read)) == len(read) else None


def _read(place: Place) -> tuple[int, ...]:
    """The measures of the stored release."""
    if isinstance(place, Counted):
        return place.read
    return () if place is None else (place,)


def _good_enough(stored: Finenesses, asked: Finenesses, places: Sequence[Place]) -> bool:
    for place, wanted in zip(places, asked, strict=True):
        if place is None:
            good = wanted.kind == EXACT
        elif isinstance(place, Counted):
            good = _as_narrow([stored[p] for p in place.read], place.width, wanted)
        else:
            good = stored[place].as_good_as(wanted)
        if not good:
            return False
    return True


def _as_narrow(read: Sequence[Fineness], width: int, asked: Fineness) -> bool:
    """Whether a count that is read of several measures is as good as its own noise would be."""
    one, many = read[0].noise, len(read)
    if one is None or any(other.noise != one for other in read) or asked.noise is None:
        return False
    half = summed(one, many).interval(CONFIDENCE) / width
    variance = many * one.variance / width**2
    return variance <= asked.noise.variance and half <= asked.noise.interval(CONFIDENCE)


def _row(
    measures: Sequence[Measure],
    places: Sequence[Place],
    found: NoisyRelease,
    groups: Sequence[int],
) -> list[int | Fraction]:
    made: list[int | Fraction] = []
    for measure, place in zip(measures, places, strict=True):
        if place is None:
            assert measure.constant is not None
            made.append(measure.constant)
            continue
        if isinstance(place, Counted):
            plus, minus = (_summed(of, found, groups) for of in (place.plus, place.minus))
            made.append(Fraction(plus - minus, place.width))
        else:
            made.append(_summed((place,), found, groups))
    return made


def _summed(places: Sequence[int], found: NoisyRelease, groups: Sequence[int]) -> int | Fraction:
    return reduce(add, (found.noisy[g].measures[p] for p in places for g in groups), 0)


def _noise(place: Place, found: NoisyRelease, most: int) -> tuple[Noise | Summed, Fraction]:
    if place is None or not most:
        return DiscreteLaplace(0.0), Fraction(1)
    noise, part = found.noises[_read(place)[0]]
    assert not isinstance(noise, Summed)  # what is stored was drawn
    if isinstance(place, Counted):
        return summed(noise, len(place.read) * most), part / place.width
    return summed(noise, most), part


# --- which groups of the stored release make each group -------------------------------------------


def _sums(
    parts: Parts, groups: list[Key], other: Summands, stored: list[Key]
) -> list[list[int]] | None:
    """For each group that is asked for the numbers of the stored ones that it is the sum of."""
    if not other.conditions <= parts.conditions.keys() or not set(parts.keys) <= set(other.keys):
        return None
    further = [e for d, e in parts.conditions.items() if d not in other.conditions]
    terms = [_of_keys(term, parts, other.keys) for term in further]
    known = [term for term in terms if term is not None]
    if len(known) < len(terms):
        return None
    condition = conjunction(known)
    passed = _passed(condition, stored)
    if passed is None or not _complete(parts, other, condition, stored):
        return None
    places = [other.keys.index(key) for key in parts.keys]
    found: dict[Key, list[int]] = {}
    for number, group in enumerate(stored):
        own = found.setdefault(tuple(group[p] for p in places), [])
        if passed[number]:
            own.append(number)
    if any(group not in found for group in groups):
        return None
    return [found[group] for group in groups]


def _key(place: int, kind: Type) -> Column:
    """What stands for the key of a group in a condition."""
    return Column(-1 - place, "key", kind)


def _of_keys(term: Expr, parts: Parts, keys: tuple[Digest, ...]) -> Expr | None:
    """The condition as one of keys alone; None where it is none."""
    made = parts.canonical.expr(term)
    if made in keys:
        return Ref(_key(keys.index(made), term.type))
    if isinstance(term, Ref):
        return None
    below = [_of_keys(child, parts, keys) for child in children(term)]
    known = tuple(child for child in below if child is not None)
    return rebuild(term, known) if len(known) == len(below) else None


def _passed(condition: Expr | None, stored: list[Key]) -> list[bool] | None:
    """Which groups satisfy the condition; None where that cannot be computed exactly."""
    if condition is None:
        return [True] * len(stored)
    used = {n.column.id: n.column for n in walk(condition) if isinstance(n, Ref)}
    if any(_by_order(node) for node in walk(condition)):
        return None
    if not used:
        # A row of constants: something must be there to evaluate it on.
        used = {-1: _key(0, BOOLEAN)}
        rows: list[Key] = [(True,)] * len(stored)
    else:
        rows = [tuple(group[-1 - c] for c in used) for group in stored]
    distinct = list(dict.fromkeys(rows))
    if not all(_exact(value) for row in distinct for value in row):
        return None
    try:
        results = evaluate(condition, distinct, tuple(used.values()))  # type: ignore[arg-type]
    except Undefined:
        return None
    true = {row for row, result in zip(distinct, results, strict=True) if result is True}
    return [row in true for row in rows]


def _by_order(node: Expr) -> bool:
    """Whether it may matter that a value is of an ENUM."""
    if not any(child.type.name == "ENUM" for child in children(node)):
        return False
    return not isinstance(node, Call) or node.function not in ALIKE


def _exact(value: object) -> bool:
    """Whether the engine is given this value and no other."""
    if not isinstance(value, Fraction):
        return True
    return Fraction(Decimal(value.numerator) / Decimal(value.denominator)) == value


def _complete(parts: Parts, other: Summands, condition: Expr | None, stored: list[Key]) -> bool:
    """Whether each row that is asked for is in a group of the stored release."""
    here = {} if condition is None else _types(condition)
    for place, (key, tested) in enumerate(zip(other.keys, other.tested, strict=True)):
        if key in parts.keys or not tested:
            continue
        kind = here.get(-1 - place)
        if kind is None or condition is None:
            return False
        env: dict[int, Values] = {c: of_type(t) for c, t in here.items()}
        values = narrow(condition, env)[-1 - place]
        options = enumerate_interval(values, kind)
        listed = {group[place] for group in stored}
        if options is None or not set(options) <= listed:
            return False
        if values.nullable and None not in listed:
            return False
    return True


def _types(condition: Expr) -> dict[int, Type]:
    return {n.column.id: n.column.type for n in walk(condition) if isinstance(n, Ref)}
