"""Neighbouring databases, made in Python from the policy's text alone."""

from __future__ import annotations

from zlib import crc32

from tests.support.databases import Cell, Database, Row
from tests.support.policies import Loaded, Owner

Worlds = tuple[Database, ...]


def unit_of(table: str, row: Row, database: Database, loaded: Loaded) -> Cell:
    """The unit that owns a row; None for none."""
    owner = loaded.owners[table]
    if owner.pairs and owner.table is not None:
        there = owner.table
        same = [(row[_place(table, c, loaded)], _place(there, k, loaded)) for c, k in owner.pairs]
        for other in database[there.lower()]:
            if all(value is not None and other[place] == value for value, place in same):
                return unit_of(there, other, database, loaded)
        return None
    return _named(owner, row[_place(table, owner.column, loaded)], database, loaded)


def _named(owner: Owner, value: Cell, database: Database, loaded: Loaded) -> Cell:
    """The unit that a value of an owner column names. Where the column leads to one that owns the
    rows there, the value names their unit by itself, whether or not there is such a row.
    """
    if owner.table is None or value is None:
        return value
    upper = loaded.owners[owner.table]
    if upper.column is not None and upper.column == owner.key:
        return _named(upper, value, database, loaded)
    place = _place(owner.table, owner.key, loaded)
    for other in database[owner.table.lower()]:
        if other[place] == value:
            return unit_of(owner.table, other, database, loaded)
    return None


def _place(table: str, column: str | None, loaded: Loaded) -> int:
    assert column is not None
    names = [c.name.lower() for c in loaded.schema.tables[table.lower()].columns]
    return names.index(column.lower())


def worlds(database: Database, loaded: Loaded) -> tuple[Worlds, tuple[tuple[int, int], ...]]:
    """Databases, and which pairs of them are neighbours.

    add_remove: the database, and the database without each of its units.
    replace: one unit more was drawn than there are; leaving one out gives databases of which any
    two differ in one unit's rows.
    """
    if loaded.kinds:
        every = [world for kind in loaded.kinds for world in _each_left_out(database, kind)]
        return (database, *every), tuple((0, i) for i in range(1, len(every) + 1))
    without = _each_left_out(database, loaded)
    if not loaded.replace:
        return (database, *without), tuple((0, i) for i in range(1, len(without) + 1))
    pairs = tuple((i, j) for i in range(len(without)) for j in range(i))
    return without, pairs


def some(
    found: Worlds, pairs: tuple[tuple[int, int], ...], most: int
) -> tuple[Worlds, tuple[tuple[int, int], ...]]:
    """So many pairs of neighbours at most, other ones of each database, and what they are of."""
    start = crc32(repr(found).encode()) % max(len(pairs), 1)
    chosen = (*pairs[start:], *pairs[:start])[:most]
    kept = sorted({0, *(end for pair in chosen for end in pair)} if found else ())
    return tuple(found[i] for i in kept), tuple((kept.index(a), kept.index(b)) for a, b in chosen)


def _each_left_out(database: Database, loaded: Loaded) -> Worlds:
    owned = {name.lower() for name in loaded.owners}
    private = {low: t for low, t in loaded.schema.tables.items() if t.private and low in owned}
    if loaded.owners[loaded.unit_table].column is None:
        low = loaded.unit_table.lower()
        rows = database[low]
        return tuple({**database, low: rows[:i] + rows[i + 1 :]} for i in range(len(rows)))
    units = {
        low: [unit_of(t.name, row, database, loaded) for row in database[low]]
        for low, t in private.items()
    }
    everyone = dict.fromkeys(u for found in units.values() for u in found if u is not None)
    if loaded.replace:
        everyone = dict.fromkeys(u for u in units[loaded.unit_table.lower()] if u is not None)
    return tuple(
        {
            low: tuple(r for r, u in zip(rows, units[low], strict=True) if u != gone)
            if low in private
            else rows
            for low, rows in database.items()
        }
        for gone in everyone
    )


def nobodys(database: Database, loaded: Loaded) -> Database:
    """The database without every row that a unit owns: orphans and public tables are left. Of
    several kinds of unit, without those that have one of each kind that the table is of.
    """
    if loaded.kinds:
        return {
            low: tuple(r for r in rows if _lost(low, r, database, loaded))
            for low, rows in database.items()
        }
    if loaded.owners[loaded.unit_table].column is None:
        return {**database, loaded.unit_table.lower(): ()}
    return {
        low: tuple(
            row
            for row in rows
            if not loaded.schema.tables[low].private
            or unit_of(loaded.schema.tables[low].name, row, database, loaded) is None
        )
        for low, rows in database.items()
    }


def _lost(low: str, row: Row, database: Database, loaded: Loaded) -> bool:
    """Whether a row has no unit of some kind that its table is of, or the table is public."""
    name = loaded.schema.tables[low].name
    kinds = [kind for kind in loaded.kinds if name in kind.owners]
    return not kinds or any(unit_of(name, row, database, kind) is None for kind in kinds)
