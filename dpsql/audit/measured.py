"""The exact measurements, and the largest changes that one unit of the data makes in them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpsql.audit.observed_claims import Quantity, places
from dpsql.audit.removal import Removal, unnoised
from dpsql.audit.vectors import Vector, differences, owned_by, vectors
from dpsql.compile import Compiled, ReleasedQuery
from dpsql.core.release import decode
from dpsql.core.release.decode import Noisy
from dpsql.core.release.formulas import Linear, Quotient, Term
from dpsql.core.release.measures import Measure
from dpsql.core.release.picks import Best, Pick
from dpsql.core.release.release import Release
from dpsql.core.release.statements import statements
from dpsql.execution.cells import read
from dpsql.execution.exact import Key
from dpsql.execution.reading import (
    candidates,
    engine_source,
    public_groups,
)
from dpsql.proven import PublicQuery
from dpsql.report.explanation.releases import column_names, released_unit, shown
from dpsql.session.database import Database


@dataclass(frozen=True, slots=True)
class ExactMeasure:
    """One release's exact values: `values[g]` belongs to `groups[g]`, in the released unit. For a
    pick they are numbers of rows, and a group has the point of its grid at its end.
    """

    name: str
    groups: tuple[Key, ...]
    values: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Observed:
    """The largest change that one unit made, beside what was claimed.

    Attributes:
        name: of the release, or of the derived column.
        l0, l1, l2, linf: the largest changes observed, each on its own.
        claimed_l0, claimed_l1, claimed_l2, claimed_linf: the bounds; None for a sum that is clipped
            when the query is run, whose changes are those before the clip.
        released: True for a release, whose noise is calibrated to the claimed L1. False for an
            aggregate that is computed from several, such as AVG from a sum and a count: no noise
            is scaled to it, its bounds follow from theirs and from its range.
    """

    name: str
    l0: int
    l1: int | float
    l2: float
    linf: int | float
    claimed_l0: int | None
    claimed_l1: int | float | None
    claimed_l2: int | float | None
    claimed_linf: int | float | None
    released: bool = True

    @property
    def within(self) -> bool:
        """Whether no change is larger than was claimed."""
        pairs = (
            (self.l0, self.claimed_l0, 1.0),
            (self.l1, self.claimed_l1, 1.0),
            (self.l2, self.claimed_l2, 1 + 1e-12),
            (self.linf, self.claimed_linf, 1.0),
        )
        return all(claim is None or seen <= claim * slack for seen, claim, slack in pairs)


def exact(db: Database, sql: str) -> tuple[ExactMeasure, ...]:
    """The exact base measurements of a query, per release and group.

    Args:
        db: the database.
        sql: a query that is accepted. A public query has no measurements.

    Raises:
        Rejected, EngineError.
    """
    compiled = usual(db, sql)
    if isinstance(compiled.query, PublicQuery):
        return ()
    source = engine_source(db._engine)
    result: list[ExactMeasure] = []
    with db._engine.snapshot() as snapshot:
        found: list[Vector] = []
        feeds = unnoised(compiled.query, db, snapshot)
        for release, fed in zip(compiled.query.releases, feeds, strict=True):
            groups = public_groups(release, snapshot, source)
            rivals = candidates(release, snapshot, source)
            cells = read(release, groups, snapshot, statements(release, source), fed, rivals)
            found += owned_by(release, cells)
    for place, vector in zip(places(compiled), found, strict=True):
        unit, zero = Fraction(1), Fraction(0)
        if isinstance(place.what, int):
            release = compiled.query.releases[place.release]
            unit, zero = released_unit(release, place.what), _zero(release, place.what)
        values = tuple(v * unit + zero for v in vector.values())
        result.append(ExactMeasure(place.name, tuple(vector), values))
    return tuple(result)


def sensitivity(db: Database, sql: str) -> tuple[Observed, ...]:
    """Remove each unit in turn (for `replace`, swap it for each other one) and measure again.

    For small data: every unit is removed. The largest observed L0, L1, L2 and L∞ are given beside
    the claimed ones: first per release, in the order of `Explanation.releases` and in the released
    unit; then per derived aggregate (`Observed.released` is False), in its own unit. What has
    private groups is measured over the groups of both neighbours; that a group is known at all is
    what δ is for.

    Raises:
        Rejected, EngineError.
        PolicyError: each row is a unit and the engine has no row numbers to remove one by.
    """
    compiled = usual(db, sql)
    if isinstance(compiled.query, PublicQuery):
        return ()
    query, listed = compiled.query, places(compiled)
    seen = [_Largest() for _ in listed]
    derived = _derived(query)
    moved = [_Largest() for _ in derived]
    with Removal(db, query, EVERY, 0) as removal:
        for a, b in removal.pairs():
            before, after = vectors(query, a), vectors(query, b)
            for place, largest, change in zip(
                listed, seen, differences(before, after), strict=True
            ):
                unit = _unit(place, query)
                largest.add([n * unit for n in change.values()])
            for (formula, start, count, _, _), largest in zip(derived, moved, strict=True):
                x, y = before[start : start + count], after[start : start + count]
                largest.add(_moved(formula, x, y))
    return (
        *(_observed(place, query, found) for place, found in zip(listed, seen, strict=True)),
        *(
            Observed(name, *found.shown, *claimed, released=False)
            for (_, _, _, name, claimed), found in zip(derived, moved, strict=True)
        ),
    )


EVERY = 2**31
"""More units than there are."""


def usual(db: Database, sql: str) -> Compiled:
    """The query at ε = 1, with the δ that it would be run with."""
    eps = Fraction(1)
    return db._analysis.first_proof(sql, None, {}, eps)


def _zero(release: Release, number: int) -> Fraction:
    """What is shown where the measure is 0: the middle, for a release that is an average."""
    if released_unit(release, number) == release.measures[number].unit:
        return Fraction(0)
    formulas = [o.formula for o in release.outputs]
    return next(f.centre for f in formulas if isinstance(f, Quotient) and not f.denominator)


class _Largest:
    """The largest norms of the changes that were added."""

    def __init__(self) -> None:
        self.l0, self.l1, self.l2, self.linf = 0, Fraction(0), 0.0, Fraction(0)

    def add(self, change: Sequence[Fraction]) -> None:
        """One more change: its numbers."""
        self.l0 = max(self.l0, sum(1 for x in change if x))
        self.l1 = max(self.l1, sum(map(abs, change), Fraction(0)))
        self.l2 = max(self.l2, math.sqrt(sum(x * x for x in change)))
        self.linf = max(self.linf, max(map(abs, change), default=Fraction(0)))

    @property
    def shown(self) -> tuple[int, int | float, float, int | float]:
        """L0, L1, L2 and L∞."""
        return self.l0, shown(self.l1), self.l2, shown(self.linf)


def _unit(place: Quantity, query: ReleasedQuery) -> Fraction:
    """What a step of the vector is worth in what is shown."""
    if isinstance(place.what, Best):
        return place.what.measure.unit
    if isinstance(place.what, Pick):
        return Fraction(1)
    return released_unit(query.releases[place.release], place.what)


def _observed(place: Quantity, query: ReleasedQuery, found: _Largest) -> Observed:
    if isinstance(place.what, Best):
        most = shown(place.what.linf * place.what.measure.unit)
        return Observed(place.name, *found.shown, None, None, None, most)
    if isinstance(place.what, Pick):
        rows = place.what.moved
        return Observed(place.name, *found.shown, rows, rows, rows, place.what.rows)
    measure, unit = query.releases[place.release].measures[place.what], _unit(place, query)
    if measure.adaptive:
        return Observed(place.name, *found.shown, None, None, None, None)
    claimed = measure.sensitivity
    return Observed(
        place.name,
        *found.shown,
        claimed_l0=claimed.l0,
        claimed_l1=shown(claimed.l1 * unit),
        claimed_l2=claimed.l2(unit),
        claimed_linf=shown(claimed.linf * unit),
    )


# --- what is computed from several numbers -------------------------------------------------------

Derived = tuple[Linear | Quotient, int, int, str, tuple[int, float, float, float]]
"""A formula, where the vectors of its release begin and how many they are, its name, its claims."""


def _derived(query: ReleasedQuery) -> list[Derived]:
    """The aggregates that are computed from more than one number, in the order of the query."""
    result: list[Derived] = []
    names, start = column_names(query), 0
    for release in query.releases:
        count = len(release.measures)
        for output in release.outputs:
            formula = output.formula
            if isinstance(formula, Linear | Quotient) and len(_parts(formula)) > 1:
                name = names.get(output.column, output.column.name)
                result.append((formula, start, count, name, _claims(formula, release)))
        start += count + len(release.picks)
    return result


def _parts(formula: Linear | Quotient) -> list[Term]:
    """The measures that an aggregate is made of."""
    if isinstance(formula, Linear):
        return list(formula.terms)
    return [*formula.numerator, *formula.denominator]


def _moved(formula: Linear | Quotient, a: list[Vector], b: list[Vector]) -> list[Fraction]:
    """How far the aggregate moves in every group."""
    groups = dict.fromkeys(key for vector in (*a, *b) for key in vector)
    return [_value(formula, b, g) - _value(formula, a, g) for g in groups]


def _value(formula: Linear | Quotient, found: Iterable[Vector], group: Key) -> Fraction:
    return decode.number(formula, Noisy([v.get(group, 0) for v in found]))


def _claims(formula: Linear | Quotient, release: Release) -> tuple[int, float, float, float]:
    """L0, L1, L2 and L∞ of an aggregate of several measures.

    One unit changes all measures of a release in the same groups: those where it has rows. There
    a weighted sum moves by no more than its parts together, and an average by no more than its
    range is wide, since it is kept inside.
    """
    parts = [(release.measures[t.measure], abs(t.weight)) for t in _parts(formula)]
    l0 = max(measure.sensitivity.l0 for measure, _ in parts)
    if isinstance(formula, Quotient):
        width = formula.high - formula.low
        return l0, shown(l0 * width), math.sqrt(l0) * float(width), shown(width)
    families: dict[int, list[tuple[Measure, Fraction]]] = {}
    for measure, weight in parts:
        families.setdefault(measure.family, []).append((measure, weight))
    l1s, linfs, l2 = [], [], 0.0
    for members in families.values():
        # Of a family the vectors, each by its own L1, add up to 1 at most.
        l1 = max(m.sensitivity.l1 * w for m, w in members)
        linf = min(l1, sum((m.sensitivity.linf * w for m, w in members), Fraction(0)))
        l1s.append(l1)
        linfs.append(linf)
        l2 += min(sum(m.sensitivity.l2(w) for m, w in members), math.sqrt(l1 * linf))
    return l0, shown(sum(l1s, Fraction(0))), l2, shown(sum(linfs, Fraction(0)))
