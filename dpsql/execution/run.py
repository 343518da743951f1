"""From a compiled query to noisy rows: public groups, charge, exact cells, noise, post-processing.

The order is the guarantee: the ledger is charged, durably, before the engine is asked for anything
private; noise is added before anything leaves this module; what comes after sees noisy numbers and
public tables only.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from typing import Protocol

from dpsql.accounting.ledger import Entry, Ledger
from dpsql.calibration import Picker
from dpsql.compile import Compiled, PublicQuery, ReleasedQuery, plan_sql, post_sql
from dpsql.engine.guard import guarded
from dpsql.engine.protocol import Engine, Snapshot
from dpsql.engine.scratch import Scratch
from dpsql.engine.scratch_pool import ScratchPool
from dpsql.execution import cells
from dpsql.execution.cells import Key
from dpsql.execution.widths import slopes, width
from dpsql.mechanism.clipped import AdaptiveLaplace
from dpsql.mechanism.laplace import DiscreteLaplace
from dpsql.mechanism.noisy_max import NoisyMax
from dpsql.mechanism.protocol import Noise
from dpsql.mechanism.quantiles import JointQuantiles
from dpsql.plan.expr import Column, Ref
from dpsql.policy.schema import Table
from dpsql.rewrite.cells_sql import feeds_of, parameter
from dpsql.sensitivity import decode
from dpsql.sensitivity.decode import Noisy
from dpsql.sensitivity.formulas import Exceeds
from dpsql.sensitivity.picks import Best, Pick
from dpsql.sensitivity.release import Release
from dpsql.sensitivity.trace import ROW
from dpsql.sql.emit import Source, output_name
from dpsql.sql.emit import table as sql_table
from dpsql.statements import Statements, plans, statements
from dpsql.types import Scalar, Type


@dataclass(frozen=True, slots=True)
class NoisyRelease:
    """What is released: for each group its key, and what is noisy of it; and of each measure the
    noise, with what one of its steps is worth in steps of the measure.
    """

    groups: list[Key]
    noisy: list[Noisy]
    noises: tuple[tuple[Noise, Fraction], ...]


_NOTHING = NoisyRelease([()], [Noisy([])], ())
"""What a query over public tables alone releases."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The answer's rows and the 95 % half-widths beside them."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[object, ...]]
    intervals: list[tuple[float | None, ...]]


class Recheck(Protocol):
    """What was true of the data when it was opened."""

    def definitions(self, snapshot: Snapshot) -> None:
        """Raise PolicyError where a table is another one now; reads no row."""

    def facts(self, snapshot: Snapshot) -> None:
        """Raise PolicyError where a key or a public number of rows is none any more."""


CONFIDENCE = 0.95


def engine_source(engine: Engine) -> Source:
    """Declared tables by their full names in the engine."""
    return lambda table: sql_table(*engine.target(table.name))


def execute(
    compiled: Compiled,
    texts: tuple[Statements, ...],
    engine: Engine,
    ledger: Ledger,
    scratches: ScratchPool,
    description: list[object],
    recheck: Recheck | None = None,
) -> Rows:
    """Answer a compiled query.

    Args:
        compiled: the query, accepted.
        texts: the SQL of each release.
        engine: the data.
        ledger: is charged `compiled.cost` before anything private is read.
        scratches: empty databases for post-processing.
        description: of the releases, for the ledger's entry; a function of the query alone.
        recheck: what must still be true of data that can change, asked in the query's snapshot.

    Raises:
        BudgetExceeded: nothing was charged.
        EngineError: the charge stays.
    """
    query = compiled.query
    if isinstance(query, PublicQuery):
        return _public(query, engine, scratches)
    source = engine_source(engine)
    with engine.snapshot() as snapshot, scratches.take() as scratch:
        if recheck is not None:
            recheck.definitions(snapshot)
        groups = [public_groups(release, snapshot, source) for release in query.releases]
        rivals = [candidates(release, snapshot, source) for release in query.releases]
        if compiled.cost.eps:
            ledger.reserve(compiled.cost, Entry(compiled.text, json.dumps(description)))
        if recheck is not None:
            recheck.facts(snapshot)  # reads private rows, and fails by what they are: charged
        for table in query.tables:
            copy_table(scratch, table, engine, snapshot)

        def answered() -> Rows:
            released: list[NoisyRelease] = []
            for number, (found, sql) in enumerate(zip(groups, texts, strict=True)):
                release = query.releases[number]
                fed = fed_columns(query, release, scratch)
                exact = cells.read(release, found, snapshot, sql, fed, rivals[number])
                released.append(add_noise(query, number, exact))
                load(query, number, released[-1], scratch)
            return post_process(query, released, scratch)

        # A bug of ours must not show what it met either.
        return guarded(answered, "answer")


def public_groups(release: Release, snapshot: Snapshot, source: Source) -> list[Key] | None:
    """The groups that are output; None where they are known only with noise."""
    if release.domain.private:
        return None
    return cells.group_rows(release.domain, release.node.columns, snapshot, source)


def candidates(release: Release, snapshot: Snapshot, source: Source) -> dict[int, list[Key]]:
    """The groups of which the best is asked for, by pick; they are public."""
    return {
        number: cells.group_rows(pick.domain, (pick.key,), snapshot, source)
        for number, pick in enumerate(release.picks)
        if isinstance(pick, Best)
    }


def fed_columns(
    query: ReleasedQuery, release: Release, scratch: Scratch
) -> dict[str, list[object]]:
    """The released rows that a release reads, made from those before it; by parameter."""
    result: dict[str, list[object]] = {}
    names = dict.fromkeys(node.name for plan in plans(release) for node in feeds_of(plan))
    for name in names:
        feed = query.feeds[name]
        rows = scratch.run(plan_sql(feed.plan)).rows
        for position, field in enumerate(feed.fields):
            result[parameter(feed.name, field)] = [row[position] for row in rows]
    return result


def add_noise(query: ReleasedQuery, number: int, exact: cells.ExactCells) -> NoisyRelease:
    """Fresh noise on everything: one vector draw a measure, one choice a pick and group.

    Where groups are private, the units of each are counted with noise first, and a group below the
    threshold is dropped before anything else of it is touched.
    """
    release, noises = query.releases[number], query.noise[number]
    threshold, places = query.thresholds[number], list(range(len(exact.groups)))
    drawn: dict[int, list[int] | list[Fraction]] = {}
    used: dict[int, tuple[Noise, Fraction]] = {}
    if threshold is not None:
        assert release.units is not None
        units = exact.values[release.units]
        places = [i for i in places if units[i] >= query.minimum]
        counter = noises[release.units]
        assert not isinstance(counter, AdaptiveLaplace)
        counted = _noised([units[i] for i in places], counter)
        shown = [n >= threshold for n in counted]
        places = list(compress(places, shown))
        drawn[release.units] = list(compress(counted, shown))
    for n, noise in enumerate(noises):
        if isinstance(noise, AdaptiveLaplace):
            drawn[n], used[n] = _clipped(exact.clips[n], noise, [exact.groups[i] for i in places])
            continue
        used[n] = noise, Fraction(1)
        if n not in drawn:
            drawn[n] = _noised([exact.values[n][i] for i in places], noise)
    picked = [
        _best(pick, picker, exact.scores[n])
        if isinstance(pick, Best)
        else _picked(pick, picker, [exact.points[n][i] for i in places])
        for n, (pick, picker) in enumerate(zip(release.picks, query.pickers[number], strict=True))
    ]
    noisy = [
        Noisy([drawn[m][i] for m in range(len(noises))], tuple(p[i] for p in picked))
        for i in range(len(places))
    ]
    spread = tuple(used[n] for n in range(len(noises)))
    return NoisyRelease([exact.groups[i] for i in places], noisy, spread)


def _clipped(
    clips: cells.Clips, noise: AdaptiveLaplace, groups: list[Key]
) -> tuple[list[Fraction], tuple[Noise, Fraction]]:
    """A sum, clipped where the data says, with noise for that clip."""
    number = noise.choose(clips.above(len(noise.thresholds)))
    fitting, values = noise.noise(number), clips.at(number)
    part = Fraction(1, noise.thresholds[number][1])
    noisy = _noised([values.get(group, 0) for group in groups], fitting)
    return [n * part for n in noisy], (fitting, part)


def _noised(values: list[int], noise: Noise) -> list[int]:
    return [v + z for v, z in zip(values, noise.draw(len(values)), strict=True)]


def _best(pick: Best, picker: Picker, scores: dict[Key, int]) -> list[tuple[Scalar | None, ...]]:
    """The best of the candidates, whose scores are these; NULL where there are none."""
    assert isinstance(picker, NoisyMax)
    if not scores:
        return [(None,)]
    signed = [score if pick.greatest else -score for score in scores.values()]
    (value,) = list(scores)[picker.draw(signed)]
    return [(value,)]  # type: ignore[list-item]


def _picked(pick: Pick, picker: Picker, groups: list[cells.Points]) -> list[tuple[Scalar, ...]]:
    found: list[tuple[Scalar, ...]] = []
    for points in groups:
        if isinstance(picker, JointQuantiles):
            places = picker.draw(sorted(points.items()))
        else:
            places = [picker.draw([points.get(i, 0) for i in range(pick.grid.size)])]
        found.append(tuple(pick.grid.value(place) for place in places))
    return found


Fed = dict[str, list[object]]
"""The released rows that a release reads: its statement's parameters."""


def exact_feeds(
    query: ReleasedQuery, snapshot: Snapshot, source: Source, scratch: Scratch
) -> list[Fed]:
    """For audits and tests: what each release would read of those before it, were there no noise.

    Args:
        query: the query.
        snapshot: of the data.
        source: how its tables are written.
        scratch: holds the public tables that the query reads.
    """
    result: list[Fed] = []
    for number, release in enumerate(query.releases):
        fed = fed_columns(query, release, scratch)
        groups = public_groups(release, snapshot, source)
        rivals = candidates(release, snapshot, source)
        exact = cells.read(release, groups, snapshot, statements(release, source), fed, rivals)
        load(query, number, _without_noise(release, exact), scratch)
        result.append(fed)
    return result


def _without_noise(release: Release, exact: cells.ExactCells) -> NoisyRelease:
    """Exact numbers in the place of noisy ones; the first point stands for what is picked."""
    picks = tuple(
        _best(pick, NoisyMax(0.0, monotone=True), exact.scores[n])[0]
        if isinstance(pick, Best)
        else tuple(pick.grid.value(0) for _ in pick.shares or (None,))
        for n, pick in enumerate(release.picks)
    )
    last = {n: clips.at(len(clips.value.grid.thresholds) - 1) for n, clips in exact.clips.items()}

    def measured(n: int, i: int) -> int | Fraction:
        if n not in last:
            return exact.values[n][i]
        grid = exact.clips[n].value.grid
        part = Fraction(1, grid.parts(len(grid.thresholds) - 1))
        return last[n].get(exact.groups[i], 0) * part

    rows = [
        Noisy([measured(n, i) for n in range(len(exact.values))], picks)
        for i in range(len(exact.groups))
    ]
    exactly = tuple((DiscreteLaplace(0.0), Fraction(1)) for _ in release.measures)
    return NoisyRelease(exact.groups, rows, exactly)


def copy_table(scratch: Scratch, table: Table, engine: Engine, snapshot: Snapshot) -> None:
    """A public table's rows into the scratch database."""
    columns = [(c.name, str(c.type)) for c in table.columns]
    scratch.copy(table.name, columns, snapshot, engine.target(table.name))


def _public(query: PublicQuery, engine: Engine, scratches: ScratchPool) -> Rows:
    with engine.snapshot() as snapshot, scratches.take() as scratch:
        for table in query.tables:
            copy_table(scratch, table, engine, snapshot)
        answer = scratch.run(query.sql)
    none = (None,) * len(answer.columns)
    return Rows(answer.columns, answer.types, answer.rows, [none] * len(answer.rows))


def post_process(query: ReleasedQuery, released: list[NoisyRelease], scratch: Scratch) -> Rows:
    """Run what the query does with its releases, and find each number's half-width."""
    answer = scratch.run(post_sql(query))
    shown = len(query.names)
    rows = [row[:shown] for row in answer.rows]
    if query.trace is None:
        intervals: list[tuple[float | None, ...]] = [(None,) * shown] * len(rows)
    else:
        intervals = _intervals(query, released[0] if released else _NOTHING, answer.rows)
    return Rows(query.names, answer.types[:shown], rows, intervals)


def load(query: ReleasedQuery, number: int, noisy: NoisyRelease, scratch: Scratch) -> None:
    """The noisy answer of a release as a table: its keys, its aggregates, its row numbers."""
    release = query.releases[number]
    row = ROW if query.trace is None else output_name(query.trace.row.id)
    columns = [(output_name(c.id), _stored(c.type)) for c in release.node.columns]
    keys = release.node.columns[: len(release.node.columns) - len(release.outputs)]
    reach = {
        n: noise.interval(CONFIDENCE) * part
        for o in release.outputs
        if isinstance(o.formula, Exceeds)
        for n in (o.formula.count.measure,)
        for noise, part in (noisy.noises[n],)
    }
    rows: list[tuple[object, ...]] = []
    for place, (group, values) in enumerate(zip(noisy.groups, noisy.noisy, strict=True)):
        made = tuple(
            decode.plain(decode.value(o.formula, values, reach), o.column.type)
            for o in release.outputs
        )
        rows.append((*_key_values(group, keys), *made, place))
    scratch.load(release.table, [*columns, (row, "BIGINT")], rows)


def _stored(kind: Type) -> str:
    return str(kind)


def _key_values(group: Key, columns: tuple[Column, ...]) -> list[object]:
    return [
        decode.plain(v, c.type) if isinstance(v, Fraction) else v
        for v, c in zip(group, columns, strict=True)
    ]


def _intervals(
    query: ReleasedQuery, released: NoisyRelease, rows: list[tuple[object, ...]]
) -> list[tuple[float | None, ...]]:
    traced = query.trace
    assert traced is not None
    shown, limits = len(query.names), _limits(query)
    first = shown + 1 + len(traced.gradients)
    noises = tuple(noise for noise, _ in released.noises)
    result: list[tuple[float | None, ...]] = []
    for row in rows:
        number = row[shown]
        assert isinstance(number, int)
        noisy = released.noisy[number]
        found: dict[int, dict[int, float]] = {i: {} for i in traced.exact}
        usable = set(traced.exact)
        for (position, aggregate), slope in zip(
            traced.gradients, row[shown + 1 : first], strict=True
        ):
            if not isinstance(slope, float):
                usable.discard(position)
                continue
            formula = query.releases[0].outputs[aggregate].formula
            weights = slopes(formula, noisy, released.noises, CONFIDENCE)
            if weights is None:
                usable.discard(position)
                continue
            for measure, weight in weights.items():
                before = found[position].get(measure, 0.0)
                found[position][measure] = before + slope * weight
        coins = dict(zip(traced.coins, row[first:], strict=True))
        widths = [
            width(found[i], noises, CONFIDENCE, coins.get(i, 0.0)) if i in usable else None
            for i in range(shown)
        ]
        result.append(tuple(_capped(w, limits[i]) for i, w in enumerate(widths)))
    return result


def _limits(query: ReleasedQuery) -> list[float | None]:
    """For each output column the most that it can be off, where that is public: an average is
    kept in the range of its values.
    """
    assert query.trace is not None
    ranges = {o.column.id: decode.widest(o.formula) for p in query.releases for o in p.outputs}
    return [ranges.get(e.column.id) if isinstance(e, Ref) else None for e in query.trace.outputs]


def _capped(width: float | None, limit: float | None) -> float | None:
    return width if width is None or limit is None else min(width, limit)
