"""Every claim that a query's noise rests on, and what a pair of neighbours shows of each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpsql.audit.vectors import Vector, above, difference, differences, ends, vectors
from dpsql.audit.worlds import World
from dpsql.compile import Compiled, ReleasedQuery
from dpsql.core.calibrate.calibration import picker_event
from dpsql.core.enforce.truncation import Truncation
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.clip import FINE
from dpsql.core.noise.truncated import TruncatedLaplace
from dpsql.core.release.measures import Kind
from dpsql.core.release.picks import Best, Pick
from dpsql.core.release.release import Release
from dpsql.execution.cells import Adapted, Clips, ExactCells
from dpsql.execution.heavy_units import Truncated
from dpsql.once import Once
from dpsql.report.explanation.explanation import explanation
from dpsql.report.explanation.releases import released_unit

GROUPS = "groups that one world alone shows"
ONE_WAY = "directions in which one unit moves it"
LITTLE = 1e-9
"""Of ε, which tells pairs apart that are alike otherwise."""

CLIPPED = "L1 at each clip, in clips"
ABOVE = "L∞ of the units above each clip"
DOUBLED = "L∞ of the units that a doubling of each clip brings in"
SHARED_L1, SHARED_L2 = "L1 of all that share its ε, as a part", "L2² of all that share its ε"


@dataclass(frozen=True, slots=True)
class Quantity:
    """One thing that is released: a measure or a pick.

    Attributes:
        name: as `Explanation.releases` has it.
        index: the number of its vector.
        release, number: the release point, and which of its measures or picks.
        what: the measure's number, or the pick.
    """

    name: str
    index: int
    release: int
    number: int
    what: int | Pick | Best


@dataclass(frozen=True, slots=True)
class Claim:
    """One number that no pair of neighbours passes.

    Attributes:
        name: of what is released.
        what: "L0", "L1", "L2", "L∞", or another of this file's words.
        bound: in lattice steps; the square, for L2.
        unit: what a step is worth in what is shown.
        place: whose vector it is of; None for the groups of a release.
        release: the release point.
    """

    name: str
    what: str
    bound: Fraction
    unit: Fraction
    place: Quantity | None
    release: int

    def shown(self, value: Fraction) -> int | float:
        """A number for people, in the released unit."""
        found = math.sqrt(value) * float(self.unit) if self.what == "L2" else value * self.unit
        exact = Fraction(found)
        return exact.numerator if exact.denominator == 1 else float(found)

    def ratio(self, value: Fraction) -> float:
        """The observed as a part of the claimed one."""
        if not self.bound:
            return math.inf if value else 0.0
        part = float(value / self.bound)
        return math.sqrt(part) if self.what == "L2" else part


def places(compiled: Compiled) -> list[Quantity]:
    """Every measure and pick, in the order and by the names of `Explanation.releases`."""
    query = compiled.query
    assert isinstance(query, ReleasedQuery)
    names = iter(explanation(compiled, Once(tuple)).releases)
    found: list[Quantity] = []
    for release, point in enumerate(query.releases):
        listed: list[tuple[int, int | Pick | Best]] = [(n, n) for n in range(len(point.measures))]
        listed += list(enumerate(point.picks))
        for number, what in listed:
            found.append(Quantity(next(names).name, len(found), release, number, what))
    return found


def claims(compiled: Compiled) -> list[Claim]:
    """What is claimed, in the order of the query's releases."""
    query = compiled.query
    assert isinstance(query, ReleasedQuery)
    found: list[Claim] = []
    listed = places(compiled)
    for number, release in enumerate(query.releases):
        own = [place for place in listed if place.release == number]
        most = 0
        if release.domain.private:
            assert release.units is not None
            most = release.measures[release.units].sensitivity.l0
        name = ", ".join(c.name for c in release.node.columns[: len(release.aggregate.keys)])
        if name:
            found.append(Claim(f"keys {name}", GROUPS, Fraction(most), Fraction(1), None, number))
        for place in own:
            found += _of_place(place, release)
        found += _families(own, release, number)
    return found


def _of_place(place: Quantity, release: Release) -> Iterator[Claim]:
    def claim(what: str, bound: int | Fraction, unit: Fraction = Fraction(1)) -> Claim:
        return Claim(place.name, what, Fraction(bound), unit, place, place.release)

    if isinstance(place.what, Pick):
        yield claim("L1", place.what.moved)
        if place.what.monotone:
            yield claim(ONE_WAY, 1)
        return
    if isinstance(place.what, Best):
        yield claim("L∞", place.what.linf, place.what.measure.unit)
        if place.what.monotone:
            yield claim(ONE_WAY, 1)
        return
    measure = release.measures[place.what]
    if measure.constant is not None:
        return
    moved = measure.sensitivity
    if measure.adaptive:
        if measure.family != place.what:
            return  # one claim for all that share the clip
        yield claim(CLIPPED, moved.l1)
        if isinstance(release.clipping, Truncation):
            yield claim(DOUBLED, 2)  # claim 3 of `noise.truncated`
        elif measure.kind is not Kind.DISTINCT:
            yield claim(ABOVE, 1)
        return
    unit = released_unit(release, place.what)
    yield claim("L0", moved.l0)
    yield claim("L1", moved.l1, unit)
    yield claim("L2", moved.l2_squared, unit)
    yield claim("L∞", moved.linf, unit)


def _families(own: Sequence[Quantity], release: Release, number: int) -> Iterator[Claim]:
    """Measures that share what one unit can add, and so one part of ε."""
    families = [m.family for m in release.measures if not m.adaptive]
    for place in own:
        if isinstance(place.what, int) and families.count(place.what) > 1:
            yield Claim(place.name, SHARED_L1, Fraction(1), Fraction(1), place, number)
            yield Claim(place.name, SHARED_L2, Fraction(1), Fraction(1), place, number)


@dataclass(slots=True)
class Observer:
    """Compares pairs of worlds with the claims of a query.

    Attributes:
        compiled: the query.
        claims: all of them.
        places: what is released.
    """

    compiled: Compiled
    claims: list[Claim]
    places: list[Quantity]

    @classmethod
    def of(cls, compiled: Compiled) -> Observer:
        """For a query that releases something."""
        return cls(compiled, claims(compiled), places(compiled))

    @property
    def query(self) -> ReleasedQuery:
        """What is asked."""
        assert isinstance(self.compiled.query, ReleasedQuery)
        return self.compiled.query

    def observe(self, a: World, b: World) -> list[Fraction]:
        """What a pair of worlds shows of each claim."""
        moved = differences(vectors(self.query, a), vectors(self.query, b))
        found: list[Fraction] = []
        for claim in self.claims:
            left, right = a[claim.release], b[claim.release]
            if claim.place is None:
                release = self.query.releases[claim.release]
                if release.units is None or not release.domain.private:
                    shown = set(left.groups) ^ set(right.groups)
                    found.append(Fraction(len(shown)))
                    continue
                least = self.query.minimum
                units = zip(left.units or (), right.units or (), strict=True)
                found.append(Fraction(sum((m >= least) != (n >= least) for m, n in units)))
            elif claim.what == DOUBLED:
                found.append(self._doubled(claim.place, left, right))
            elif claim.what in (CLIPPED, ABOVE):
                assert isinstance(claim.place.what, int)
                u, v = left.clips[claim.place.what], right.clips[claim.place.what]
                if claim.what == ABOVE and isinstance(u, Clips) and isinstance(v, Clips):
                    found.append(norm("L∞", difference(above(u), above(v))))
                    continue
                measures = self.query.releases[claim.release].measures
                members = [n for n, m in enumerate(measures) if m.family == claim.place.what]
                pairs = [(left.clips[n], right.clips[n]) for n in members]
                clipping = self.query.releases[claim.release].clipping
                every = isinstance(clipping, Truncation) and clipping.groups is None
                # A unit that can be in all groups: how many there are is known at the run.
                found.append(_clipped(pairs) / (len(left.groups) or 1 if every else 1))
            elif claim.what in (SHARED_L1, SHARED_L2):
                found.append(self._shared(claim, moved))
            else:
                found.append(norm(claim.what, moved[claim.place.index]))
        return found

    def _doubled(self, place: Quantity, left: ExactCells, right: ExactCells) -> Fraction:
        assert isinstance(place.what, int)
        noise = self.query.planned[place.release].noise[place.what]
        assert isinstance(noise, TruncatedLaplace)
        found: list[list[int]] = []
        for world in (left, right):
            clips = world.clips[place.what]
            assert isinstance(clips, Truncated)
            found.append(clips.doubling(noise.most, len(noise.thresholds)))
        return Fraction(max(abs(a - b) for a, b in zip(*found, strict=True)), FINE)

    def _shared(self, claim: Claim, moved: Sequence[Vector]) -> Fraction:
        release, total = self.query.releases[claim.release], Fraction(0)
        for place in self.places:
            if place.release != claim.release or not isinstance(place.what, int):
                continue
            measure = release.measures[place.what]
            assert claim.place is not None
            if measure.family != claim.place.what or not measure.sensitivity.l1:
                continue
            vector = moved[place.index]
            if claim.what == SHARED_L1:
                total += norm("L1", vector) / measure.sensitivity.l1
            else:
                total += norm("L2", vector) / measure.sensitivity.l2_squared
        return total

    def loss(self, observed: Sequence[Fraction]) -> float:
        """The ε that the pair would show, were every claim's part of it used as far as it is seen:
        a guess, by which pairs are put in order.
        """
        pure, normal = 0.0, 0.0
        for claim, value in zip(self.claims, observed, strict=True):
            place = claim.place
            part = claim.ratio(value)
            if place is None:  # of pairs that are alike, one where groups come and go shows δ, too
                pure += part * LITTLE
                continue
            if isinstance(place.what, Pick | Best):
                if claim.what in ("L1", "L∞"):
                    picker = self.query.planned[place.release].pickers[place.number]
                    pure += part * float(picker_event(place.what, picker).cost.eps)
                continue
            noise = self.query.planned[place.release].noise[place.what]
            if isinstance(noise, AdaptiveLaplace):
                if claim.what == CLIPPED:
                    pure += part * sum(float(event.cost.eps) for event in noise.events())
            elif not noise.scale:
                continue
            elif noise.kind == "laplace" and claim.what == "L1":
                pure += float(value) / noise.scale
            elif noise.kind == "gaussian" and claim.what == "L2":
                normal += float(value) / noise.scale**2
        return pure + math.sqrt(normal)


def _clipped(members: Sequence[tuple[Adapted, Adapted]]) -> Fraction:
    """The largest L1 at any clip of all that share it, in clips."""
    (first, other), worst = members[0], Fraction(0)
    for number in ends(first, other):
        every = [norm("L1", difference(a.at(number), b.at(number))) for a, b in members]
        worst = max(worst, sum(every, Fraction(0)) / first.grid.most(number))
    return worst


def norm(what: str, moved: Vector) -> Fraction:
    """A norm of a difference; the square, for L2."""
    if what == "L0":
        return Fraction(len(moved))
    if what == "L1":
        return Fraction(sum(map(abs, moved.values())))
    if what == "L2":
        return Fraction(sum(n * n for n in moved.values()))
    if what == "L∞":
        return Fraction(max(map(abs, moved.values()), default=0))
    assert what == ONE_WAY
    return Fraction(len({n > 0 for n in moved.values()}))
