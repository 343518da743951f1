"""The exact cells of a release: read in one statement for each kind of thing that is measured, and
held for as long as it takes to add noise.

`ExactCells` has no repr, cannot be pickled or iterated by accident, and leaves this package only as
noisy numbers, or to the owner through `dpsql.audit`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product
from operator import add

from sqlglot import exp

from dpsql.core.emit.plans import Source, nested
from dpsql.core.emit.printing import printed
from dpsql.core.enforce.asked_cells import Cells
from dpsql.core.enforce.clipped import Clipping, Grid
from dpsql.core.enforce.lattice import OnLattice
from dpsql.core.enforce.truncation import Truncation
from dpsql.core.infer.domain import Domain, PublicKeys
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.plan.expr import Column
from dpsql.core.plan.nodes import Plan, Project
from dpsql.core.release.arguments import weights_of
from dpsql.core.release.measures import APART, Kind, Measure
from dpsql.core.release.picks import Best
from dpsql.core.release.release import Release
from dpsql.core.release.statements import Statements
from dpsql.errors import Diagnostic, Rejected, Span
from dpsql.execution import heavy_units
from dpsql.execution.exact import Exact, Key, normal
from dpsql.execution.grid_counts import Points, by_group
from dpsql.execution.heavy_units import Truncated
from dpsql.execution.matching import Matches, Offer, matched
from dpsql.platform.engine.protocol import Snapshot

MAX_PUBLIC_GROUPS = 1_000_000


class Clips(Exact):
    """One measure for every clip: its sums by threshold, and how many units are at each.

    Attributes:
        units: the units at each threshold; the last are above all. Measures of one clip have the
            same ones.
        sums: by threshold and group, the sum of light units, and the parts of heavy ones.
    """

    __slots__ = ("grid", "sums", "units")

    def __init__(self, grid: Grid, units: list[int]) -> None:
        self.grid, self.units = grid, units
        self.sums: list[dict[Key, tuple[int, int]]] = [{} for _ in units]

    def evidence(self, count: int) -> tuple[list[int], int]:
        """How many units are above each of the first `count` thresholds, of how many."""
        return self.above(count), sum(self.units)

    def above(self, count: int) -> list[int]:
        """How many units are above each of the first `count` thresholds."""
        return [sum(self.units[number + 1 :]) for number in range(count)]

    def choose(self, noise: AdaptiveLaplace) -> tuple[int, bool]:
        """The number of the threshold to clip at, and whether it is known not to be too low."""
        return noise.choose(self.above(len(noise.thresholds)), sum(self.units))

    def at(self, number: int) -> dict[Key, int]:
        """The measure clipped at a threshold, in parts of a step, of groups that have rows."""
        light: dict[Key, int] = {}
        heavy: dict[Key, int] = {}
        for place, sums in enumerate(self.sums):
            for key, (plain, parts) in sums.items():
                if place <= number:
                    light[key] = light.get(key, 0) + plain
                else:
                    heavy[key] = heavy.get(key, 0) + parts
        return {
            key: self.grid.clipped(light.get(key, 0), heavy.get(key, 0), number)
            for key in dict.fromkeys((*light, *heavy))
        }


Adapted = Clips | Matches | Truncated


class ExactCells(Exact):
    """Exact values.

    Attributes:
        groups: the groups.
        values: `values[m][g]` is measure m in group g, in lattice steps.
        points: `points[p][g]` are the rows of pick p in group g.
        clips: the measures that are clipped or matched when it is run, whose `values` are all 0.
        scores: by pick, the candidates of a best group and their scores.
        units: how many units each group has, where groups are private.
    """

    __slots__ = ("clips", "groups", "points", "scores", "units", "values")

    def __init__(
        self,
        groups: list[Key],
        values: list[list[int]],
        points: list[list[Points]],
        clips: Mapping[int, Adapted],
        scores: dict[int, dict[Key, int]],
        units: list[int] | None,
    ) -> None:
        self.groups, self.values, self.points = groups, values, points
        self.clips, self.scores, self.units = clips, scores, units


def read(
    release: Release,
    groups: list[Key] | None,
    snapshot: Snapshot,
    sql: Statements,
    fed: Mapping[str, list[object]] | None = None,
    candidates: Mapping[int, list[Key]] | None = None,
) -> ExactCells:
    """The exact value of every measure in every one of `groups`, in their order.

    Args:
        release: what is measured.
        groups: the public domain's keys; None where keys are private, and the groups are those that
            have a unit.
        snapshot: of the data.
        sql: the release's `statements`.
        fed: the columns of the released rows that it reads, by parameter.
        candidates: by pick, the groups of which the best is asked for.

    Raises:
        EngineError: the engine failed.
    """
    tables: dict[int, dict[Key, int]] = {}
    units: dict[Key, int] | None = None
    if release.cells is not None and sql.cells is not None:
        sums = _totals(release.cells, snapshot, sql.cells, fed, sql.kept_in(sql.cells))
        for number, measure in enumerate(release.measures):
            if measure.kind not in APART and measure.constant is None:
                tables[number] = _measured(measure, sums, release.cells)
        if release.cells.units and release.units is not None:
            place = release.cells.columns.index("units")
            units = {key: values[place] for key, values in sums.items()}
            tables[release.units] = {key: values[-1] for key, values in sums.items()}
    clips: dict[int, Adapted] = {}
    if isinstance(release.clipping, Truncation) and sql.clipping is not None:
        rows = snapshot.rows(sql.clipping, fed)
        clips |= heavy_units.read(release.clipping.values, (tuple(map(normal, r)) for r in rows))
    elif isinstance(release.clipping, Clipping) and sql.clipping is not None:
        clips |= _clips(release.clipping, snapshot, sql.clipping, fed)
    for (pairs, numbers), text in zip(release.pairs, sql.pairs, strict=True):
        width = len(pairs.keys)
        if pairs.capacities is not None:
            offers = _offered(snapshot.rows(text, fed))
            clips |= {number: matched(offers, pairs.capacities) for number in numbers}
            continue
        for row in snapshot.rows(text, fed):
            key = tuple(normal(v) for v in row[:width])
            for number in numbers:
                summed = release.measures[number].kind in (Kind.DISTINCT_SUM, Kind.WEIGHTS)
                value = _steps(row[width + 1], pairs.total) if summed else _steps(row[width], None)
                counts = tables.setdefault(number, {})
                counts[key] = counts.get(key, 0) + value
                if release.measures[number].kind is Kind.WEIGHTS:
                    units = units or {}
                    units[key] = units.get(key, 0) + _steps(row[width], None)
    points: list[dict[Key, Points]] = []
    scores: dict[int, dict[Key, int]] = {}
    for number, (pick, text) in enumerate(zip(release.picks, sql.picks, strict=True)):
        if isinstance(pick, Best):
            sums = _totals(pick.cells, snapshot, text, fed, sql.kept_in(text))
            found = _measured(pick.measure, sums, pick.cells)
            scores[number] = {key: found.get(key, 0) for key in (candidates or {})[number]}
            points.append({})
        else:
            points.append(by_group(pick, snapshot.rows(text, fed)))
    if units is None and release.units is not None:
        units = tables.get(release.units, {})
    if groups is None:
        assert units is not None
        groups = sorted((group for group, n in units.items() if n), key=_sortable)
    values = [
        [measure.constant] * len(groups)
        if measure.constant is not None
        else [tables.get(number, {}).get(group, 0) for group in groups]
        for number, measure in enumerate(release.measures)
    ]
    shown = [[p.get(g, {}) for g in groups] for p in points]
    present = None if units is None else [units.get(group, 0) for group in groups]
    return ExactCells(groups, values, shown, clips, scores, present)


def _clips(
    clipping: Clipping, snapshot: Snapshot, sql: str, fed: Mapping[str, list[object]] | None
) -> dict[int, Clips]:
    found: dict[int, Clips] = {}
    for value in clipping.values:
        units = [0] * (len(value.grid.thresholds) + 1)
        found |= {measure: Clips(value.grid, units) for measure, _ in value.measures}
    for number, place, first, second, *key in snapshot.rows(sql, fed):
        if first is None:
            continue  # the sum over NULLs alone, which is nothing
        assert isinstance(number, int) and isinstance(place, int) and isinstance(first, int)
        if second is None:
            found[number].units[place] += first
            continue
        assert isinstance(second, int)
        sums, group = found[number].sums[place], tuple(normal(v) for v in key)
        before = sums.get(group, (0, 0))
        sums[group] = (before[0] + first, before[1] + second)
    return found


def _offered(rows: Sequence[tuple[object, ...]]) -> list[list[Offer]]:
    """What the units have, in their order; see `Pairs`."""
    found: list[list[Offer]] = []
    for *key, offered, number, place in sorted(rows, key=lambda row: row[-2:]):
        assert isinstance(offered, str) and number == len(found) + (place == 1)
        if place == 1:
            found.append([])
        found[-1].append((tuple(normal(v) for v in key), bytes.fromhex(offered)))
    return found


def _sortable(key: Key) -> list[tuple[int, str, object]]:
    """An order of groups that does not depend on the engine's: NULL last, before it NaN."""
    return [
        (2, "", 0)
        if v is None
        else (1, "", 0)
        if v is math.nan
        else (0, "number" if isinstance(v, int | float | Fraction) else type(v).__name__, v)
        for v in key
    ]


def _totals(
    cells: Cells,
    snapshot: Snapshot,
    sql: str,
    fed: Mapping[str, list[object]] | None,
    kept: Sequence[str],
) -> dict[Key, list[int]]:
    """The columns of the cells by group, in lattice steps; SUM over no value is NULL, hence 0."""
    totals: dict[Key, list[int]] = {}
    lattices = {f"s{i}": item.total for i, item in enumerate(cells.inputs)}
    width, own = len(cells.keys), [lattices.get(name) for name in cells.columns]
    for row in snapshot.rows(sql, fed, kept):
        key = tuple(normal(v) for v in row[:width])
        sums, before = list(map(_steps, row[width:], own)), totals.get(key)
        totals[key] = sums if before is None else list(map(add, before, sums))
    return totals


def group_rows(
    domain: Domain, columns: tuple[Column, ...], snapshot: Snapshot, source: Source
) -> list[Key]:
    """Every group of the domain, in an order that is a function of public things.

    Raises:
        EngineError: the engine failed.
        Rejected: DP304 where public tables make too many groups.
    """
    found = [snapshot.rows(text) for text in group_queries(domain, source)]
    return listed_groups(domain, columns, found)


def group_queries(domain: Domain, source: Source) -> list[str]:
    """The queries for all that public tables list."""
    return [groups_text(public, source) for public in domain.public]


def check_groups(domain: Domain, snapshot: Snapshot, source: Source) -> None:
    """Refuse groups that are too many to be answered; they are counted, not read. Of a product that
    makes too many its rows are not made.

    Raises:
        EngineError: the engine failed.
        Rejected: DP304.
    """
    size = math.prod(count for _, count in domain.counts)
    for public in domain.public:
        made = (nested(factor, source) for factor in public.factors)
        _check_size(domain, math.prod(rows_of(select, snapshot) for select in made))
        size *= rows_of(nested(public.plan, source).distinct(), snapshot)
    _check_size(domain, size)


def rows_of(select: exp.Select, snapshot: Snapshot, most: int | None = None) -> int:
    """How many rows a query over public tables has, as far as `most`.

    Raises:
        EngineError: the engine failed.
    """
    if most is not None:
        select = exp.select("*").from_(select.subquery("g")).limit(most)
    [[rows]] = snapshot.rows(printed(exp.select("COUNT(*)").from_(select.subquery("f"))))
    assert isinstance(rows, int)
    return rows


def check_single(plan: Plan, span: Span | None, snapshot: Snapshot, source: Source) -> None:
    """Refuse a query over public tables that has several rows.

    Raises:
        EngineError: the engine failed.
        Rejected: DP205.
    """
    if rows_of(nested(plan, source), snapshot, 2) == 2:
        message = "the subquery is used as one value, but it has several rows"
        raise Rejected(Diagnostic("DP205", message, span, "aggregate it, or narrow its WHERE"))


def _check_size(domain: Domain, size: int) -> None:
    if size > MAX_PUBLIC_GROUPS:
        plans = (part.plan for part in domain.public)
        items = (e for plan in plans if isinstance(plan, Project) for _, e in plan.items)
        span = next((e.span for e in items), None)
        message = f"the public tables make {size:,} groups, more than {MAX_PUBLIC_GROUPS:,}"
        raise Rejected(Diagnostic("DP304", message, span, "group by coarser keys"))


def listed_groups(
    domain: Domain, columns: tuple[Column, ...], found: Sequence[Sequence[tuple[object, ...]]]
) -> list[Key]:
    """Every group of the domain, given the rows of its `group_queries`.

    Raises:
        Rejected: DP304 where public tables make too many groups.
    """
    parts: list[tuple[list[int], list[Key]]] = []
    for part in domain.listings:
        parts.append(([c.id for c in part.columns], [*part.rows]))
    for public, answer in zip(domain.public, found, strict=True):
        rows = [tuple(normal(v) for v in r) for r in answer]
        assert len(set(rows)) == len(rows), "two groups have one key"
        parts.append(([c.id for c in public.columns], rows))
    _check_size(domain, math.prod(len(rows) for _, rows in parts))
    ids = [i for part_ids, _ in parts for i in part_ids]
    keys = [c.id for c in columns if c.id in set(ids)]
    # Sorted by the query's own order of keys: the first key varies slowest.
    order = sorted(range(len(parts)), key=lambda p: keys.index(parts[p][0][0]))
    places = [i for p in order for i in parts[p][0]]
    arrange = [places.index(i) for i in keys]
    result: list[Key] = []
    for combination in product(*(parts[p][1] for p in order)):
        flat = [v for piece in combination for v in piece]
        result.append(tuple(flat[i] for i in arrange))
    return result


def groups_text(public: PublicKeys, source: Source) -> str:
    """The query for groups that public tables list."""
    select = nested(public.plan, source).distinct()
    return printed(select.order_by(*(str(i + 1) for i in range(len(public.columns)))))


def _steps(value: object, lattice: OnLattice | None) -> int:
    if value is None:
        return 0
    if isinstance(value, Decimal) and lattice is not None:
        # In whole numbers, since fractions are slow.
        (above, below), (step, of) = value.as_integer_ratio(), lattice.step.as_integer_ratio()
        steps, rest = divmod(above * of, below * step)
        assert not rest
        return steps
    assert isinstance(value, int)
    return value


def _measured(measure: Measure, totals: dict[Key, list[int]], cells: Cells) -> dict[Key, int]:
    """The measure's exact value in each group that has rows."""
    terms = [(cells.columns.index(name), n) for name, n in weights_of(measure, cells.inputs)]
    return {key: sum(n * sums[place] for place, n in terms) for key, sums in totals.items()}
