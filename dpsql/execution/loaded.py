"""The noisy answer of a release as a table of the second database."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpsql.compile import ReleasedQuery
from dpsql.core.emit.plans import output_name
from dpsql.core.plan.expr import Column
from dpsql.core.release import decode
from dpsql.core.release.decode import Noisy
from dpsql.core.release.formulas import Exceeds
from dpsql.core.release.trace import ROW
from dpsql.execution.exact import Key
from dpsql.execution.noise import NoisyRelease
from dpsql.platform.engine.protocol import Given, Workspace
from dpsql.types import BIGINT, INTEGER, Type

CONFIDENCE = 0.95

Made = Callable[[Noisy], tuple[object, ...]]
"""The aggregates of a group, from its numbers."""


def load(query: ReleasedQuery, number: int, noisy: NoisyRelease, scratch: Workspace) -> None:
    """Make a table of a release: its keys, its aggregates, its row numbers."""
    scratch.load(*given_table(query, number, noisy))


def given_table(query: ReleasedQuery, number: int, noisy: NoisyRelease) -> Given:
    """The same, for one statement."""
    columns = [(name, str(kind)) for name, kind in table_columns(query, number)]
    return query.releases[number].table, columns, table_rows(query, number, noisy)


def table_rows(query: ReleasedQuery, number: int, noisy: NoisyRelease) -> list[tuple[object, ...]]:
    """The rows of a release's table."""
    made = aggregates(query, number, noisy)
    return [
        (*key, *made(values), place)
        for place, (key, values) in enumerate(
            zip(keys(query, number, noisy), noisy.noisy, strict=True)
        )
    ]


def aggregates(query: ReleasedQuery, number: int, noisy: NoisyRelease) -> Made:
    """How the aggregates of a release are made from a group's numbers."""
    outputs = query.releases[number].outputs
    by_all = max(CONFIDENCE, 1 - 2 / max(len(noisy.groups), 1))  # beyond it above: one group
    reach = {
        o.formula: noise.interval(by_all if o.formula.among else CONFIDENCE) * part
        for o in outputs
        if isinstance(o.formula, Exceeds)
        for noise, part in (noisy.noises[o.formula.count.measure],)
    }

    def made(values: Noisy) -> tuple[object, ...]:
        return tuple(
            decode.plain(decode.value(o.formula, values, reach), o.column.type) for o in outputs
        )

    return made


def keys(query: ReleasedQuery, number: int, noisy: NoisyRelease) -> list[list[object]]:
    """The keys of a release's groups."""
    release = query.releases[number]
    columns = release.node.columns[: len(release.node.columns) - len(release.outputs)]
    return [_key_values(group, columns) for group in noisy.groups]


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
