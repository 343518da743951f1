"""What a query does with its noisy releases: post-processing, where nothing else can be read."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from dpsql.accounting.loss import NOTHING, Loss
from dpsql.compile import ReleasedQuery
from dpsql.engine.scratch import Scratch
from dpsql.execution.cells import Key
from dpsql.execution.noise import NoisyRelease
from dpsql.execution.widths import slopes, width
from dpsql.plan.expr import Column, Ref
from dpsql.sensitivity import decode
from dpsql.sensitivity.decode import Noisy
from dpsql.sensitivity.formulas import Exceeds
from dpsql.sensitivity.trace import ROW
from dpsql.sql.emit import output_name
from dpsql.types import Type

CONFIDENCE = 0.95

_NOTHING = NoisyRelease([()], [Noisy([])], ())
"""What a query over public tables alone releases."""


@dataclass(frozen=True, slots=True)
class Reused:
    """Which stored answer is given again.

    Attributes:
        number: of the line of the ledger that paid for it.
        kind: "retry" of the same request; "repeat" of the same numbers; "subset" of its groups; or
            sums of them: a "total" of all groups, a "rollup" into coarser ones.
    """

    number: int
    kind: Literal["retry", "repeat", "subset", "total", "rollup"]


@dataclass(frozen=True, slots=True)
class Rows:
    """The answer's rows and the 95 % half-widths beside them.

    Attributes:
        charged: to the ledger for this answer.
        reused: the stored answer that it was made from, at no cost; None where noise was drawn.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[object, ...]]
    intervals: list[tuple[float | None, ...]]
    charged: Loss = NOTHING
    reused: Reused | None = None


def post_process(query: ReleasedQuery, released: list[NoisyRelease], scratch: Scratch) -> Rows:
    """Run what the query does with its releases, and find each number's half-width."""
    answer = scratch.run(query.post_sql)
    shown = len(query.names)
    rows = [row[:shown] for row in answer.rows]
    if query.trace is None:
        found: list[tuple[float | None, ...]] = [(None,) * shown] * len(rows)
    else:
        found = intervals(query, released[0] if released else _NOTHING, answer.rows)
    return Rows(query.names, answer.types[:shown], rows, found)


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


def intervals(
    query: ReleasedQuery, released: NoisyRelease, rows: list[tuple[object, ...]]
) -> list[tuple[float | None, ...]]:
    """The half-width of each number of the answer.

    Args:
        query: whose noise is traced.
        released: its only release.
        rows: of the traced plan, with its extra columns.
    """
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
