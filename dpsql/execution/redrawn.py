"""How far computed numbers may be off, where no derivative says: the noise is drawn again.

What is shown is g(x), x = θ + Z, of measures θ whose noise Z has a known distribution. Here g is
run over x + Z′ for up to `RUNS` fresh Z′, all at once in the second database; a half-width is the
quantile of |g(x + Z′) − g(x)|. Nothing but noisy numbers and public scales is read, so it costs
nothing (post-processing).

Claim: where g is linear it holds as often as it says, up to what 400 draws tell of many noises: a
standard deviation of √(0.05·0.95/400) = 1.1 % of coverage. Why: then g(x + Z′) − g(x) = g(Z′) has
the law of what the answer is off by, whatever θ is. Where g is smooth and the noise small beside
its bends that is so to first order: the parametric bootstrap (Efron and Tibshirani 1993, chapter
6). Where g jumps, in ranks, conditions, LIMIT, MAX, no such claim: the largest noisy number is too
large, and noise around x moves it less than it was moved. So where noise cannot tell groups apart
they are drawn again around what is as alike as it may be, too (`alike`), and the larger half-width
counts; how often that holds is measured by `benchmarks/coverage.py`. The draws of each noise are
its own quantiles, evenly spread and shuffled, so that one noise alone has the half-width of its
distribution.

The shuffling is a function of the noisy numbers: a stored answer has the same half-widths again.
A row that is not there in a run, or NULL, is left out of it; in fewer than half of the runs, and it
has no half-width. Groups that were not shown are in no run, and what later releases read of earlier
ones is as it was read: a half-width is of what was counted, at the threshold that was used.
"""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from random import Random
from statistics import NormalDist

from sqlglot import exp

from dpsql.compile import ReleasedQuery
from dpsql.core.emit.plans import nested, output_name
from dpsql.core.emit.plans import table as sql_table
from dpsql.core.emit.printing import printed
from dpsql.core.infer.public_work import public_steps
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.plan.nodes import Plan, Released, inputs, with_inputs
from dpsql.core.release import decode
from dpsql.core.release.decode import Noisy
from dpsql.core.release.formulas import Linear, Output
from dpsql.core.release.formulas import terms as measured
from dpsql.errors import DpsqlError
from dpsql.execution.alike import alike
from dpsql.execution.bent import DEEPEST
from dpsql.execution.loaded import aggregates, keys, table_columns
from dpsql.execution.noise import NoisyRelease
from dpsql.execution.widths import terms
from dpsql.platform.engine.protocol import Workspace
from dpsql.types import Number

RUNS, FEWEST = 400, 100
"""Runs, and the fewest that tell a half-width."""
WORK = 200_000
"""Numbers that are made again in all runs together, and measures that they are made of: 4 to 5 µs
each, a second at most.
"""
STEPS = 20_000_000
"""Rows that the second database looks at in all runs, about: half a second at most."""
_NONE = ((DiscreteLaplace(0.0), Fraction(1)),)
WORLD, WORLDS = "dpsql_world", "dpsql_worlds"

Off = Mapping[int, tuple[Sequence[float] | None, ...]]
"""By column, for each row how far the runs were from what is shown, in order."""


def redrawn(
    query: ReleasedQuery,
    released: Sequence[NoisyRelease],
    rows: Sequence[tuple[object, ...]],
    columns: Sequence[int],
    exact: Sequence[int],
    scratch: Workspace,
) -> Off:
    """How far columns are off in runs with other noise; of none where that would be too much work,
    or fails.

    Args:
        query: what was asked.
        released: its noisy numbers.
        rows: of its `shown` plan.
        columns: to look at, of numbers.
        exact: the columns that hold no noise.
        scratch: where nothing but public tables and noisy ones are.
    """
    if not columns:
        return {}
    made = sum(
        len(n.groups) * sum(1 + len(measured(o.formula)) for o in r.outputs)
        for n, r in zip(released, query.releases, strict=True)
    )
    sizes = {r.table: len(n.groups) for n, r in zip(released, query.releases, strict=True)}
    steps, _ = public_steps(_sized(query.plan, sizes))
    merged = [alike(n) for n in released]
    centres = [released]
    if any(m is not None for m in merged):
        centres.append([m or n for m, n in zip(merged, released, strict=True)])
    every = max(1, made, 2 * len(rows) * len(columns)) * len(centres)
    runs = min(RUNS, WORK // every, STEPS // (max(1, steps) * len(centres)))
    if runs < FEWEST:
        return {}
    last = range(len(query.names), len(query.shown.columns))
    marks = [*exact, *(last[:1] if query.trace is not None else last)]
    offs: list[Off] = []
    # The answer is there already: no failure here may take it away.
    with suppress(DpsqlError):
        for number, centre in enumerate(centres):
            names = _load(query, centre, runs, scratch, number)
            found = scratch.run(_sql(query, names, [*columns, *marks], runs + 1)).rows
            offs.append(_off(rows, found, columns, marks, runs))
        return {column: tuple(map(_larger, *(off[column] for off in offs))) for column in columns}
    return {}


def _sized(plan: Plan, sizes: Mapping[str, int]) -> Plan:
    if isinstance(plan, Released):
        return replace(plan, rows=sizes[plan.name])
    return with_inputs(plan, tuple(_sized(child, sizes) for child in inputs(plan)))


def half_width(off: Sequence[float] | None, confidence: float) -> float | None:
    """How far a number is off at most, with that probability; beyond `DEEPEST` as the tail of
    Laplace noise goes on, which is the longest.

    Args:
        off: how far the runs were, in order.
        confidence: in (0, 1).
    """
    if not off:
        return None
    # The i-th of n is at (i − 1/2)/n; between two steps of a whole number there is none.
    place = min(max(0.0, min(confidence, DEEPEST) * len(off) - 0.5), len(off) - 1.0)
    low, high = off[math.floor(place)], off[math.ceil(place)]
    reached = low if low == high else low + (high - low) * (place - math.floor(place))
    if low.is_integer() and high.is_integer():
        reached = float(math.ceil(reached))
    if confidence > DEEPEST:
        reached *= math.log(1 - confidence) / math.log(1 - DEEPEST)
    return reached if math.isfinite(reached) else None


def _off(
    rows: Sequence[tuple[object, ...]],
    found: Sequence[tuple[object, ...]],
    columns: Sequence[int],
    marks: Sequence[int],
    runs: int,
) -> Off:
    """How far the numbers of each row were in the runs from what they are in the last one, which
    has no noise; each row that was found begins with the number of its run.
    """
    wide = len(columns) + 1
    places: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(repr([row[i] for i in marks]), []).append(place)
    centre = {repr(list(row[wide:])): row for row in found if row[0] == runs}
    off = {column: [array("d") for _ in rows] for column in columns}
    for row in found:
        mark = repr(list(row[wide:]))
        same = places.get(mark, [])
        if len(same) == 1 and mark in centre and row[0] != runs:  # else rows cannot be told apart
            (place,) = same
            for column, value, middle in zip(columns, row[1:], centre[mark][1:], strict=False):
                distance = _distance(value, middle)
                if distance is not None:
                    off[column][place].append(distance)
    return {
        column: tuple(array("d", sorted(o)) if 2 * len(o) >= runs else None for o in of_rows)
        for column, of_rows in off.items()
    }


def _larger(*offs: Sequence[float] | None) -> Sequence[float] | None:
    """The larger distance at each part of the runs; None where one is not known."""
    known = [off for off in offs if off is not None]
    if len(known) < len(offs):
        return None
    least = min(map(len, known))
    return array("d", (max(o[(i + 1) * len(o) // least - 1] for o in known) for i in range(least)))


def _distance(value: object, shown: object) -> float | None:
    if not isinstance(value, int | float | Decimal) or not isinstance(shown, int | float | Decimal):
        return None
    distance = abs(float(value - shown))  # type: ignore[operator]  # both of the column's type
    return None if math.isnan(distance) else distance


def _sql(query: ReleasedQuery, names: Mapping[str, str], columns: Sequence[int], runs: int) -> str:
    """The query over all runs: each released table is its part of one run."""
    tree = nested(query.shown, lambda t: sql_table(t.name)).copy()
    for found in list(tree.find_all(exp.Table)):
        if found.name in names:
            part = exp.select("*").from_(sql_table(names[found.name]))
            part = part.where(f"{WORLD} = {WORLDS}.{WORLD}")
            found.replace(part.subquery(found.alias))
    wanted = ", ".join(f"answer.{output_name(query.shown.columns[i].id)}" for i in columns)
    worlds = f"range({runs}) AS {WORLDS}({WORLD})"
    return f"SELECT {WORLDS}.{WORLD}, {wanted} FROM {worlds}, LATERAL ({printed(tree)}) AS answer"


def _load(
    query: ReleasedQuery,
    released: Sequence[NoisyRelease],
    runs: int,
    scratch: Workspace,
    centre: int = 0,
) -> dict[str, str]:
    """A table of all runs for each released table, and of one without noise; what it is called.

    Args:
        centre: 0 where the noise is drawn around what is shown, which has noise itself.
    """
    taken = {t.name.lower() for t in query.tables} | {r.table for r in query.releases}
    names: dict[str, str] = {}
    for number, noisy in enumerate(released):
        table = query.releases[number].table
        name = f"{table}_runs{centre}"
        while name in taken:
            name += "_"
        taken.add(name)
        names[table] = name
        columns = [(field, str(kind)) for field, kind in table_columns(query, number)]
        rows = list(_rows(query, number, noisy, runs, centre))
        scratch.load(name, [(WORLD, "INTEGER"), *columns], rows)
    return names


def _rows(
    query: ReleasedQuery, number: int, noisy: NoisyRelease, runs: int, centre: int
) -> Iterator[tuple[object, ...]]:
    outputs = query.releases[number].outputs
    made = aggregates(query, number, noisy)
    last = aggregates(query, number, replace(noisy, noises=_NONE * len(noisy.noises)))
    told = repr((number, noisy.groups, [n.measures for n in noisy.noisy])).encode()
    random = Random(hashlib.sha256(told).digest())
    parts = [float(part) for _, part in noisy.noises]
    linear = all(isinstance(o.formula, Linear) for o in outputs)
    for place, (key, values) in enumerate(
        zip(keys(query, number, noisy), noisy.noisy, strict=True)
    ):
        drawn = [_drawn(noise, runs, random) for noise, _ in noisy.noises]
        if linear:
            found = zip(*(_sums(o, values, drawn, parts, runs) for o in outputs), strict=True)
            every: Iterator[tuple[object, ...]] = iter(found) if outputs else iter([()] * runs)
        else:
            every = (made(_moved(values, noisy, drawn, run)) for run in range(runs))
        for run, numbers in enumerate(every):
            yield (run, *key, *numbers, place)
        yield (runs, *key, *(last if centre else made)(values), place)


def _moved(values: Noisy, noisy: NoisyRelease, drawn: Sequence[Sequence[int]], run: int) -> Noisy:
    numbers = zip(values.measures, drawn, noisy.noises, strict=True)
    return Noisy([x + z[run] * part if z[run] else x for x, z, (_, part) in numbers], values.picks)


def _sums(
    output: Output,
    values: Noisy,
    drawn: Sequence[Sequence[int]],
    parts: Sequence[float],
    runs: int,
) -> list[float]:
    """A sum in all runs, near to its type's nearest number; a database rounds it."""
    assert isinstance(output.formula, Linear)
    found = [float(decode.number(output.formula, values))] * runs
    for term in output.formula.terms:
        rate = float(term.weight) * parts[term.measure]
        found = [x + rate * z for x, z in zip(found, drawn[term.measure], strict=True)]
    kind = output.column.type
    limits = kind.limits()
    if limits is not None:
        low, high = map(_inside, limits)
        found = [min(max(x, low), high) for x in found]
    return list(map(round, found)) if kind.is_integer else found


def _inside(limit: Number) -> float:
    """A type's limit, or a float near it that the type holds: 2^63 is beyond a BIGINT."""
    found = float(limit)
    return found if abs(Fraction(found)) <= abs(Fraction(limit)) else found * (1 - 2**-50)


def _drawn(noise: object, runs: int, random: Random) -> list[int]:
    """Draws of a noise, or of a sum of such."""
    found = [0] * runs
    for one in terms(noise):  # type: ignore[arg-type]
        if one.scale:
            own = list(_quantiles(one.kind, one.scale, runs))
            random.shuffle(own)
            found = [a + b for a, b in zip(found, own, strict=True)]
    return found


@lru_cache(maxsize=64)
def _quantiles(kind: str, scale: float, runs: int) -> tuple[int, ...]:
    """A noise at evenly spread parts of its distribution."""
    half = [_above(kind, scale, (i + 0.5) / runs) for i in range((runs + 1) // 2)]
    return *half, *(-z for z in half[: runs // 2])


def _above(kind: str, scale: float, part: float) -> int:
    """The least z that noise is above with at most that probability, up to one half.

    Of Laplace noise, with q = exp(−1/scale), P(Z > z) = q^(z + 1) / (1 + q).
    """
    if kind == "gaussian":
        return max(0, round(-NormalDist().inv_cdf(part) * scale))
    return max(0, math.ceil(-scale * math.log(part * (1 + math.exp(-1 / scale))) - 1))
