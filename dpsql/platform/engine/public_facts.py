"""What the rows of a public table say of its columns: how many there are, how many share a value,
where values begin and end, how long texts are, whether there is a NULL; and which texts there are.

    orders JOIN rates ON orders.day = rates.day    on one day there are three rates
    MIN(title) … FROM films JOIN seen …            one of the titles, however few of them were seen

Claim: each of these is true of the table in the snapshot that it was measured in, and of all
databases that are neighbours there. Why: it is counted, and public tables are the same in all
neighbours. Whoever relies on it in another snapshot asks again there: `check_facts`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpsql.core.frozen import FrozenMap
from dpsql.core.schema import Column, Table
from dpsql.errors import EngineError
from dpsql.platform.engine.protocol import Engine, Snapshot
from dpsql.platform.engine.sql_text import dotted, name
from dpsql.types import VARCHAR, Scalar


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """What is true of a column.

    Attributes:
        bounds: where its numbers or dates lie; None for others, where there are none, and where one
            is not finite.
        longest: how many characters a text has at most; None for others.
        nulls: whether there is a NULL.
        most: how many rows share a value at most.
        texts: all texts, in order; None for others, where they are many, and where nobody asked.
    """

    bounds: tuple[Scalar, Scalar] | None
    longest: int | None
    nulls: bool
    most: int
    texts: tuple[str, ...] | None = None


MAX_TEXTS = 10_000
MAX_CHARACTERS = 1_000_000
"""Texts of a column that are listed at most, and the characters that they may have together."""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What is true of a table: how many rows it has, what its columns are; and whether their texts
    were listed.
    """

    table: Table
    rows: int
    listed: bool
    columns: Mapping[str, ColumnFacts] = field(default_factory=FrozenMap)


def measured(
    table: Table,
    wanted: Collection[str],
    target: Sequence[str],
    snapshot: Snapshot,
    *,
    listed: bool = False,
) -> TableFacts:
    """Count what is true of a public table.

    Args:
        table: of the schema.
        wanted: the columns to look at, in lower case.
        target: the table's full name in the engine.
        snapshot: of the engine.
        listed: whether their texts are listed, too.

    Raises:
        EngineError: the engine failed.
    """
    assert not table.private and not table.hidden
    columns = [c for c in table.columns if c.name.lower() in wanted and not c.type.is_opaque]
    source = dotted(target)
    asked = [sql for column in columns for sql in _asked(column)]
    [found] = snapshot.rows(f"SELECT {', '.join(['count(*)', *asked])} FROM {source}")
    rows = _whole(found[0])
    facts: dict[str, ColumnFacts] = {}
    for place, column in enumerate(columns):
        present, low, high, longest = found[1 + 4 * place : 5 + 4 * place]
        shared = (
            f"SELECT max(n) FROM (SELECT count(*) AS n FROM {source} "
            f"WHERE {name(column.name)} IS NOT NULL GROUP BY {name(column.name)})"
        )
        [[most]] = snapshot.rows(shared)
        facts[column.name.lower()] = ColumnFacts(
            bounds=_bounds(low, high),
            longest=None if longest is None else _whole(longest),
            nulls=_whole(present) < rows,
            most=0 if most is None else _whole(most),
            texts=_texts(column, source, longest, snapshot) if listed else None,
        )
    return TableFacts(table, rows, listed, FrozenMap(facts))


def _texts(
    column: Column, source: str, longest: object, snapshot: Snapshot
) -> tuple[str, ...] | None:
    if column.type != VARCHAR or longest is None:
        return None
    most = min(MAX_TEXTS, MAX_CHARACTERS // max(1, _whole(longest)))
    sql = name(column.name)
    found = snapshot.rows(
        f"SELECT DISTINCT {sql} FROM {source} WHERE {sql} IS NOT NULL LIMIT {most + 1}"
    )
    return None if len(found) > most else tuple(sorted(str(text) for [text] in found))


def check_facts(facts: Iterable[TableFacts], engine: Engine, snapshot: Snapshot) -> None:
    """Refuse to run what was proven of public tables that are others in this snapshot.

    Raises:
        EngineError: they are, or the engine failed; both tell of public rows alone.
    """
    for fact in facts:
        target = engine.target(fact.table.name)
        again = measured(fact.table, fact.columns, target, snapshot, listed=fact.listed)
        if (again.rows, dict(again.columns)) != (fact.rows, dict(fact.columns)):
            message = f"the public table {fact.table.name} changed since the query was analysed"
            raise EngineError(f"{message}; ask again")


def _asked(column: Column) -> tuple[str, str, str, str]:
    """How many values a column has, the least, the greatest, and the length of the longest."""
    sql, kind = name(column.name), column.type
    low = high = longest = "NULL"
    if kind.is_exact or kind.is_float or kind.name in ("DATE", "TIMESTAMP"):
        low, high = f"min({sql})", f"max({sql})"
        if not kind.is_exact:
            finite = f"bool_and(isfinite({sql}))"
            low, high = (f"CASE WHEN {finite} THEN {end} END" for end in (low, high))
    elif kind.name == "VARCHAR":
        longest = f"max(length({sql}))"
    return f"count({sql})", low, high, longest


def _bounds(low: Any, high: Any) -> tuple[Scalar, Scalar] | None:
    if low is None or high is None:
        return None
    if isinstance(low, str) or isinstance(high, str):
        return None  # a moment beyond Python's calendar
    if isinstance(low, date):
        return low, high
    assert isinstance(low, int | float | Decimal)
    exact = Fraction(low), Fraction(high)
    return exact if not isinstance(low, int) else (low, high)


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value
