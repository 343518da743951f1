"""Brute force: what an accepted query really does on drawn databases, against what is claimed."""

from __future__ import annotations

import atexit
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from dpsql.compile import Compiled, ReleasedQuery
from dpsql.core.enforce.truncation import Truncation
from dpsql.core.noise.clip import FINE
from dpsql.core.release.measures import Measure
from dpsql.core.release.picks import Best
from dpsql.core.release.release import Release
from dpsql.core.release.statements import Statements, statements
from dpsql.execution import cells
from dpsql.execution.cells import Adapted, Clips, Points
from dpsql.execution.exact import Key
from dpsql.execution.heavy_units import Truncated
from dpsql.execution.matching import Matches
from dpsql.execution.reading import Fed, candidates, exact_feeds, public_groups
from dpsql.platform.engine.scratch import Scratch
from tests.support.databases import BROKEN, HOLD, Database, databases
from tests.support.effort import FULL, tries
from tests.support.neighbours import nobodys, some, worlds
from tests.support.policies import Loaded, load
from tests.support.store import Store, in_world, source

EXAMPLES = int(os.environ.get("DPSQL_GRAMMAR_EXAMPLES", tries(1, 5)))

FEW = 10
"""Databases that Hypothesis draws before it copies parts of them."""


def repeat(
    strategy_of: object,
    check: Callable[[Database], None],
    examples: int,
    *,
    shrink: bool = True,
) -> None:
    """Run `check` on so many drawn databases, the same ones every time; of a database on which it
    fails look for the smallest, if wanted. After `FEW` five of six are hardly others, so it begins
    anew then.
    """
    for start in range(0, examples, FEW):
        _repeat(strategy_of, check, min(FEW, examples - start), start, shrink)


def _repeat(
    strategy_of: object,
    check: Callable[[Database], None],
    examples: int,
    start: int,
    shrink: bool,
) -> None:
    @settings(
        phases=[p for p in Phase if shrink or p not in (Phase.shrink, Phase.explain)],
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(strategy_of)  # type: ignore[arg-type]
    def run(database: Database) -> None:
        check(database)

    (seed(start)(run) if start else run)()


def but_simplest(check: Callable[[Database], None]) -> Callable[[Database], None]:
    """`check`, but of the first that is drawn in `make test-deep` alone: it is the simplest, which
    has hardly a row, and tells little.
    """
    first = iter((not FULL,))

    def checked(database: Database) -> None:
        if not next(first, False):
            check(database)

    return checked


@lru_cache(maxsize=16)
def store(policy: str) -> Store:
    """The store of a policy's tables."""
    return Store(load(policy).schema)


atexit.register(store.cache_clear)  # the connections, while the engine is still there


@dataclass(frozen=True)
class Seen:
    """The cells of one release in one database: its groups, each measure's vector, and the rows at
    each point of each pick.
    """

    groups: list[Key]
    values: list[list[int]]
    points: list[list[Points]]
    clips: Mapping[int, Adapted]
    scores: dict[int, dict[Key, int]]
    units: list[int] | None

    def measured(self, number: int) -> dict[Key, int]:
        """A measure's vector."""
        return dict(zip(self.groups, self.values[number], strict=True))

    def picked(self, number: int) -> dict[Key, int]:
        """The rows of a pick, by group and point."""
        groups = zip(self.groups, self.points[number], strict=True)
        return {(*key, place): n for key, points in groups for place, n in points.items()}


class Measured:
    """A compiled query, measured on the databases of a store; its SQL is printed once for each."""

    def __init__(self, compiled: Compiled, held: Store) -> None:
        assert isinstance(compiled.query, ReleasedQuery)
        self.query = compiled.query
        self.releases = compiled.query.releases
        self.store = held
        self.feeds: list[Fed] = []
        self._texts: dict[int, Statements] = {}

    def see(self, world: int) -> list[Seen]:
        """The exact cells of every release in one of the databases. What a release reads of
        another is taken from database 0, without noise, for all: it is released.
        """
        if world == 0:
            self.feeds = self._fed()
        return [self._see(number, release, world) for number, release in enumerate(self.releases)]

    def see_all(self, count: int) -> list[list[Seen]]:
        """The same of each of so many databases. What is measured of private groups is measured of
        the list that has come out, which may have any group that exists in one of them.
        """
        seen = [self.see(world) for world in range(count)]
        for number, release in enumerate(self.releases):
            if not release.domain.private:
                continue
            groups = list(dict.fromkeys(g for world in seen for g in world[number].groups))
            for world, found in enumerate(seen):
                found[number] = self._read(number, release, world, groups)
        return seen

    def _fed(self) -> list[Fed]:
        if not self.query.feeds:
            return [{} for _ in self.releases]
        where = source(0)
        with Scratch() as scratch:
            for table in self.query.tables:
                columns = [(c.name, str(c.type)) for c in table.columns]
                names = ", ".join(f'"{c}"' for c, _ in columns)
                item = where(table).sql(dialect="duckdb")
                scratch.load(table.name, columns, self.store.rows(f"SELECT {names} FROM {item}"))
            return exact_feeds(self.query, self.store, where, scratch)

    def _see(self, number: int, release: Release, world: int) -> Seen:
        groups = public_groups(release, self.store, source(world))
        rivals = candidates(release, self.store, source(world))
        width = len(release.node.columns) - len(release.outputs)
        known = None if groups is None or rivals else _KnownGroups(self.store, set(groups), width)
        return self._read(number, release, world, groups, known, rivals)

    def _read(
        self,
        number: int,
        release: Release,
        world: int,
        groups: list[Key] | None,
        known: _KnownGroups | None = None,
        rivals: dict[int, list[Key]] | None = None,
    ) -> Seen:
        if number not in self._texts:
            self._texts[number] = statements(release, self.store.any)
        snapshot, fed = known or self.store, self.feeds[number]
        text = in_world(self._texts[number], world)
        exact = cells.read(release, groups, snapshot, text, fed, rivals)
        return Seen(
            exact.groups, exact.values, exact.points, exact.clips, exact.scores, exact.units
        )


@dataclass(frozen=True)
class _KnownGroups:
    """A snapshot that fails where rows of a group that is not output were counted."""

    store: Store
    groups: set[Key]
    width: int

    def rows(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        kept: Sequence[str] = (),
    ) -> list[tuple[object, ...]]:
        found = self.store.rows(sql, parameters)
        clipped = re.search(r' AS "i", "b\d+"\."b", SUM', sql) is not None
        truncated = " AS i, kind AS what" in sql
        for row in found:
            if clipped and row[3] is None:
                continue  # units, of no group
            first = 9 if truncated else 4 if clipped else 0
            key = tuple(cells.normal(v) for v in row[first : first + self.width])
            assert key in self.groups, "rows of a group that is not output were counted"
        return found


def check_neighbours(
    compiled: Compiled, policy: str, examples: int = EXAMPLES, pairs: int | None = None
) -> dict[str, float]:
    """On drawn databases: nothing fails, groups are public, and no unit moves a vector by more than
    is claimed.

    Args:
        compiled: the query.
        policy: its name.
        examples: how many databases are drawn.
        pairs: so many of each one's neighbours are looked at, at most; all where it is None.

    Returns:
        For each release, the largest observed L1 as a part of the claimed one.
    """
    loaded = load(policy)
    measured = Measured(compiled, store(policy))
    tight: dict[str, float] = {}
    repeat(
        databases(loaded, compiled.text, HOLD if loaded.verified else BROKEN),
        but_simplest(lambda database: check_database(measured, loaded, database, tight, pairs)),
        examples + 1,
    )
    return tight


def check_database(
    measured: Measured,
    loaded: Loaded,
    database: Database,
    tight: dict[str, float],
    most: int | None = None,
) -> None:
    """The same on one database; `tight` is raised to what is observed."""
    found, pairs = worlds(database, loaded)
    if most is not None:
        found, pairs = some(found, pairs, most)
    measured.store.fill([*found, nobodys(database, loaded)])
    seen = measured.see_all(len(found))
    if not loaded.verified:  # where all paths are unbroken there are no such rows
        _nothing(measured, measured.see(len(found)))
    for a, b in pairs:
        for number, release in enumerate(measured.releases):
            compare(release, seen[a][number], seen[b][number], tight)


def _nothing(measured: Measured, seen: list[Seen]) -> None:
    for release, found in zip(measured.releases, seen, strict=True):
        for measure, values in zip(release.measures, found.values, strict=True):
            assert measure.constant is not None or not any(values), "rows of nobody are counted"
        assert not any(any(groups) for groups in found.points), "rows of nobody are counted"
        for clips in found.clips.values():
            counted = clips.groups if isinstance(clips, Truncated) else clips.evidence(1)[1]
            assert not counted, "nobody is counted"


def compare(release: Release, a: Seen, b: Seen, tight: dict[str, float]) -> None:
    assert a.groups == b.groups, "which groups are output is private"
    for number, clips in a.clips.items():
        if isinstance(clips, Truncated):
            other = b.clips[number]
            assert isinstance(other, Truncated)
            assert isinstance(release.clipping, Truncation)
            _compare_truncated(clips, other, release.clipping.groups or len(a.groups))
            continue
        sharing = [n for n in a.clips if release.measures[n].family == number]
        if sharing:
            pairs = [(a.clips[n], b.clips[n]) for n in sharing]
            _compare_adapted(pairs, release.measures[number])
    families: dict[int, list[tuple[Fraction, Fraction]]] = {}
    for number, (measure, label) in enumerate(zip(release.measures, release.labels, strict=True)):
        moved = _moved(a.measured(number), b.measured(number))
        _check_moved(measure, label, moved)
        claim = measure.sensitivity
        if claim.l1:
            squares = Fraction(sum(m * m for m in moved), claim.l2_squared)
            parts = families.setdefault(measure.family, [])
            parts.append((Fraction(sum(moved), claim.l1), squares))
        _note(tight, f"{release.table}.{label}", sum(moved), measure.sensitivity.l1)
    for family, parts in families.items():
        label = release.labels[family]
        assert sum(l1 for l1, _ in parts) <= 1, f"L1 of the family of {label}"
        assert sum(squares for _, squares in parts) <= 1, f"L2 of the family of {label}"
    for number, (pick, label) in enumerate(zip(release.picks, release.pick_labels, strict=True)):
        if isinstance(pick, Best):
            name = f"{release.table}.{label}"
            _compare_scores(pick, a.scores[number], b.scores[number], name, tight)
            continue
        moved = _moved(a.picked(number), b.picked(number))
        assert sum(moved) <= pick.moved, f"L1 of {label}: {sum(moved)} > {pick.moved} rows"
        if pick.monotone:
            signs = _signs(a.picked(number), b.picked(number))
            assert len(signs) <= 1, f"{label} moved both ways"
        _note(tight, f"{release.table}.{label}", sum(moved), pick.moved)


def _compare_scores(
    best: Best, a: dict[Key, int], b: dict[Key, int], label: str, tight: dict[str, float]
) -> None:
    assert a.keys() == b.keys(), "which candidates there are depends on a unit"
    moved = max(_moved(a, b), default=0)
    assert moved <= best.linf, f"L∞ of {label}: {moved} > {best.linf} steps"
    if best.monotone:
        assert len(_signs(a, b)) <= 1, f"{label} moved both ways"
    _note(tight, label, moved, best.linf)


def _compare_adapted(sharing: list[tuple[Adapted, Adapted]], measure: Measure) -> None:
    """For every threshold: all that is measured with it moves by no more than it, for each unit
    that neighbours differ in; and numbers of values in one direction, where they differ in one.
    """
    a, b = sharing[0]
    units, grid = measure.sensitivity.l1, a.grid
    if isinstance(a, Clips) and isinstance(b, Clips):
        _compare_clips(a, b, units)
    else:
        assert abs(a.evidence(1)[1] - b.evidence(1)[1]) <= 1, "several units came or went"
    for number, clip in enumerate(grid.thresholds):
        moved = sum(sum(_moved(x.at(number), y.at(number))) for x, y in sharing)
        assert moved <= units * grid.most(number), f"clipped at {clip}"
        if units == 1 and isinstance(a, Matches):
            assert len(_signs(a.at(number), b.at(number))) <= 1, "values came and went"


def _compare_clips(a: Clips, b: Clips, units: int) -> None:
    """The number of units above a threshold moves by no more than one for each unit."""
    steps = [x - y for x, y in zip(a.above(len(a.units)), b.above(len(b.units)), strict=True)]
    assert max(map(abs, steps)) <= units - 1 or units == 1, "a threshold was passed by several"
    if units == 1:
        assert set(steps) <= {0, 1} or set(steps) <= {0, -1}, "units above a threshold"


def _compare_truncated(a: Truncated, b: Truncated, groups: int) -> None:
    """For every threshold: the truncated sums fall by no more than it in each of the groups that a
    unit can be in, and what a doubling brings in by −1 to 2 units.
    """
    thresholds = a.grid.thresholds[:11]
    for number, clip in enumerate(thresholds):
        moved = _moved(a.at(number), b.at(number))
        assert sum(moved) <= groups * clip, f"truncated at {clip}"
        assert max(moved, default=0) <= clip, f"truncated at {clip}"
    counts = (c.doubling(MANY_UNITS, len(thresholds)) for c in (a, b))
    steps = [x - y for x, y in zip(*counts, strict=True)]
    assert min(steps) >= -FINE and max(steps) <= 2 * FINE, "doubling"


MANY_UNITS = 2**40
"""In parts: no count is cut off."""


def _moved(x: dict[Key, int], y: dict[Key, int]) -> list[int]:
    return [abs(x.get(key, 0) - y.get(key, 0)) for key in dict.fromkeys((*x, *y))]


def _signs(x: dict[Key, int], y: dict[Key, int]) -> set[bool]:
    pairs = ((x.get(key, 0), y.get(key, 0)) for key in dict.fromkeys((*x, *y)))
    return {p > q for p, q in pairs if p != q}


def _check_moved(measure: Measure, label: str, moved: list[int]) -> None:
    claimed, l1 = measure.sensitivity, sum(moved)
    assert sum(1 for m in moved if m) <= claimed.l0, f"L0 of {label}"
    assert l1 <= claimed.l1, f"L1 of {label}: {l1} > {claimed.l1} steps"
    assert sum(m * m for m in moved) <= claimed.l2_squared, f"L2 of {label}"
    assert max(moved, default=0) <= claimed.linf, f"L∞ of {label}"


def _note(tight: dict[str, float], name: str, moved: int, claimed: int) -> None:
    part = moved / claimed if claimed else 1.0
    tight[name] = max(tight.get(name, 0.0), part)


def note_tightness(case: str, tight: dict[str, float]) -> None:
    """Append to the file that DPSQL_TIGHTNESS names, if it does."""
    path = os.environ.get("DPSQL_TIGHTNESS")
    if path:
        with Path(path).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"case": case, "tight": tight}) + "\n")


__all__ = ["Loaded", "Measured", "check_neighbours", "note_tightness", "repeat", "store"]
