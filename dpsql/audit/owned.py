"""The owner's data without one of its units: who the units are, and what each table is then."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from dpsql.audit.worlds import Side
from dpsql.core.emit.plans import Source, aliased, column, rows_of, with_alias
from dpsql.core.schema import Schema, Table
from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine.protocol import Snapshot

Sql = exp.Expr

_PARAMETER, _WORLDS = "audit_units", "audit_worlds"
_UNIT = "unit of the audit"
"""A name that no column of the owner's is likely to have."""
_NAME = f'"{_UNIT}"'


@dataclass(frozen=True, slots=True)
class OwnedUnits:
    """The units of the data, or those of them that are removed.

    Attributes:
        kind: their type, as the engine says.
        names: each as a text of that type; private.
        total: how many there are.
        rows: how many rows are theirs, in all private tables together.
        heaviest: how many of `names` are those with the most rows; the rest are a random sample.
    """

    kind: str
    names: tuple[str, ...]
    total: int
    rows: int
    heaviest: int

    def __repr__(self) -> str:
        return f"<{len(self.names)} of {self.total} units>"


def units_there(
    schema: Schema, snapshot: Snapshot, source: Source, most: int, seed: int
) -> OwnedUnits:
    """As `units`, of data on a server that computes: it is asked for all of them, with their rows.

    Raises:
        PolicyError: each row is a unit.
        EngineError: the engine failed.
    """
    tables = [table for table in schema.tables.values() if table.private]
    if any(table.owner is None for table in tables):
        raise PolicyError("each row is a unit, and this data has no row numbers to tell them by")
    parts = [_joined(table, schema, source).sql(dialect="duckdb") for table in tables]
    listed = " UNION ALL ".join(f"SELECT {_NAME} AS unit FROM ({part})" for part in parts)
    counted = f"SELECT unit, COUNT(*) AS n FROM ({listed}) WHERE unit IS NOT NULL GROUP BY unit"
    found = {str(unit): int(str(n)) for unit, n in snapshot.rows(counted)}
    first = next(table for table in tables if schema.next_owner(table) is None)
    column = first.column(first.owner or "")
    assert column is not None
    heavy = len(found) if len(found) <= most else most - most // 2
    names = sorted(found, key=lambda name: (-found[name], name))
    others = random.Random(seed).sample(names[heavy:], min(most, len(names)) - heavy)
    total = OwnedUnits(str(column.type), (*names[:heavy], *others), len(found), 0, heavy)
    return replace(total, rows=sum(found.values()))


def units(schema: Schema, snapshot: Snapshot, source: Source, most: int, seed: int) -> OwnedUnits:
    """The units that own a row somewhere; where they are more than `most`, half of that number are
    those with the most rows, and the others are drawn by `seed`.

    Raises:
        PolicyError: each row is a unit, and the engine has no row numbers to tell them by.
        EngineError: the engine failed.
    """
    parts = [
        _joined(table, schema, source).sql(dialect="duckdb")
        for table in schema.tables.values()
        if table.private
    ]
    listed = " UNION ALL ".join(f"SELECT {_NAME} AS unit FROM ({part})" for part in parts)
    counted = f"SELECT unit, COUNT(*) AS n FROM ({listed}) WHERE unit IS NOT NULL GROUP BY unit"
    failed = False
    try:
        sums = snapshot.rows(f"SELECT COUNT(*), SUM(n), ANY_VALUE(typeof(unit)) FROM ({counted})")
    except EngineError:
        failed = True
    if failed:
        if schema.unit_column is None:
            raise PolicyError(
                "each row is a unit, and this data has no row numbers to tell them by"
            )
        raise EngineError("the units could not be listed; the owner's log has the details")
    ((total, rows, kind),) = sums
    assert isinstance(total, int)
    if not total:
        return OwnedUnits("BIGINT", (), 0, 0, 0)
    heavy = total if total <= most else most - most // 2
    named = f"SELECT CAST(unit AS VARCHAR) AS name, n FROM ({counted})"
    first = snapshot.rows(f"SELECT name FROM ({named}) ORDER BY n DESC, name LIMIT {heavy}")
    names = [str(name) for (name,) in first]
    if total > most:
        known = set(names)
        drawn = f"SELECT name FROM ({named}) ORDER BY hash(name, {int(seed)}), name LIMIT {most}"
        others = [str(name) for (name,) in snapshot.rows(drawn) if str(name) not in known]
        names += others[: most - heavy]
    return OwnedUnits(str(kind), tuple(names), total, int(str(rows)), heavy)


def without_each(
    schema: Schema, snapshot: Snapshot, source: Source, kind: str, names: Sequence[str]
) -> Side:
    """World 0 is the data as it is, and each other world the data without one of `names`."""
    relation = (
        f"(SELECT unnest(${_WORLDS}::INTEGER[]) AS id, unnest(${_PARAMETER}::{kind}[]) AS unit)"
    )
    listed = [None, *names]

    def alone(world: int) -> Source:
        name = listed[world]
        value: Sql = exp.Null() if name is None else exp.Literal.string(name)
        typed = exp.Cast(this=value, to=exp.DataType.build(kind, dialect="duckdb"))
        return _reduced(schema, source, lambda: typed.copy())

    return Side(
        snapshot,
        relation,
        len(listed),
        {_PARAMETER: listed, _WORLDS: list(range(len(listed)))},
        _reduced(schema, source, lambda: column("worlds", "unit")),
        alone,
    )


def _reduced(schema: Schema, source: Source, gone: Callable[[], Sql]) -> Source:
    """Every private table without the rows of one unit; all of them where it is NULL."""

    def reduced(table: Table) -> Sql:
        if not table.private:
            return source(table)
        inner = with_alias(_joined(table, schema, source).subquery(), "o")
        nobody = exp.Is(this=gone(), expression=exp.Null())
        other = exp.NullSafeNEQ(this=column("o", _UNIT), expression=gone())
        kept = exp.Select().from_(inner).select(*(column("o", c.name) for c in table.columns))
        return kept.where(exp.Or(this=exp.Paren(this=nobody), expression=other)).subquery()

    return reduced


def _joined(table: Table, schema: Schema, source: Source) -> exp.Select:
    """A private table's rows, and beside each its unit: NULL for nobody's."""
    select = exp.Select().from_(with_alias(rows_of(table, source), "t0"))
    items = [column("t0", c.name) for c in table.columns]
    here, alias, number = table, "t0", 0
    if table.owner is None:
        return select.select(*items, aliased(exp.column("rowid", table="t0"), _UNIT))
    while True:
        assert here.owner is not None
        owner = column(alias, here.owner)
        reference = schema.next_owner(here)
        if reference is None:
            return select.select(*items, aliased(owner, _UNIT))
        upper = schema.table(reference.table)
        assert upper is not None
        number += 1
        step = f"t{number}"
        same = exp.EQ(this=owner, expression=column(step, reference.column))
        select = select.join(with_alias(rows_of(upper, source), step), on=same, join_type="left")
        here, alias = upper, step
