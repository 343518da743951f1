"""What a query does with its noisy releases: post-processing, where nothing else can be read."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from dpsql.compile import ReleasedQuery
from dpsql.core.account.loss import NOTHING, Loss
from dpsql.core.emit.plans import output_name
from dpsql.core.plan.expr import Column
from dpsql.core.release import decode
from dpsql.core.release.decode import Noisy
from dpsql.core.release.formulas import Exceeds
from dpsql.core.release.trace import ROW
from dpsql.execution.accuracy import Accuracy, accuracy
from dpsql.execution.exact import Key
from dpsql.execution.noise import NoisyRelease
from dpsql.platform.engine.protocol import Workspace
from dpsql.types import BIGINT, INTEGER, Type

CONFIDENCE = 0.95

_NOTHING = NoisyRelease([()], [Noisy([])], ())
"""What a query over public tables alone releases."""


@dataclass(frozen=True, slots=True)
class Reused:
    """Which stored answer is given again.

    Attributes:
        number: of the line of the ledger that paid for it.
        kind: "resumed", where an earlier charge paid for new noise, since none was drawn for it;
            "retry" of the same request; "repeat" of the same numbers; "subset" of its groups; or
            sums of them: a "total" of all groups, a "rollup" into coarser ones.
    """

    number: int
    kind: Literal["resumed", "retry", "repeat", "subset", "total", "rollup"]


@dataclass(frozen=True, slots=True)
class Rows:
    """The answer's rows and the 95 % half-widths beside them.

    Attributes:
        charged: to the ledger for this answer.
        reused: the stored answer that it was made from, at no cost; None where noise was drawn.
        accuracy: what the half-widths are made of; None where all is public.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[object, ...]]
    intervals: list[tuple[float | None, ...]]
    charged: Loss = NOTHING
    reused: Reused | None = None
    accuracy: Accuracy | None = None


def post_process(query: ReleasedQuery, released: list[NoisyRelease], scratch: Workspace) -> Rows:
    """Run what the query does with its releases, and find each number's half-width."""
    answer = scratch.run(query.post_sql)
    shown = len(query.names)
    rows = [row[:shown] for row in answer.rows]
    known = accuracy(query, released[0] if released else _NOTHING, answer.rows)
    return Rows(query.names, answer.types[:shown], rows, half_widths(known), accuracy=known)


def load(query: ReleasedQuery, number: int, noisy: NoisyRelease, scratch: Workspace) -> None:
    """The noisy answer of a release as a table: its keys, its aggregates, its row numbers."""
    release = query.releases[number]
    columns = [(name, str(kind)) for name, kind in table_columns(query, number)]
    keys = release.node.columns[: len(release.node.columns) - len(release.outputs)]
    by_all = max(CONFIDENCE, 1 - 2 / max(len(noisy.groups), 1))  # beyond it above: one group
    reach = {
        o.formula: noise.interval(by_all if o.formula.among else CONFIDENCE) * part
        for o in release.outputs
        if isinstance(o.formula, Exceeds)
        for noise, part in (noisy.noises[o.formula.count.measure],)
    }
    rows: list[tuple[object, ...]] = []
    for place, (group, values) in enumerate(zip(noisy.groups, noisy.noisy, strict=True)):
        made = tuple(
            decode.plain(decode.value(o.formula, values, reach), o.column.type)
            for o in release.outputs
        )
        rows.append((*_key_values(group, keys), *made, place))
    scratch.load(release.table, columns, rows)


def table_columns(query: ReleasedQuery, number: int) -> list[tuple[str, Type]]:
    """The table of a release: its columns, of the plan's types, and the number of the row."""
    row = ROW if query.trace is None else output_name(query.trace.row.id)
    columns = query.releases[number].node.columns
    found = [(output_name(c.id), INTEGER if c.type.name == "NULL" else c.type) for c in columns]
    return [*found, (row, BIGINT)]


def _key_values(group: Key, columns: tuple[Column, ...]) -> list[object]:
    return [
        decode.plain(v, c.type) if isinstance(v, Fraction) else v
        for v, c in zip(group, columns, strict=True)
    ]


def half_widths(known: Accuracy) -> list[tuple[float | None, ...]]:
    """The 95 % half-width of each number of an answer."""
    columns = [known.widths(i, CONFIDENCE) for i in range(len(known.noisy))]
    return list(zip(*columns, strict=True))


def intervals(
    query: ReleasedQuery, released: NoisyRelease, rows: list[tuple[object, ...]]
) -> list[tuple[float | None, ...]]:
    """The same, of the rows of the traced plan with its extra columns."""
    return half_widths(accuracy(query, released, rows))
