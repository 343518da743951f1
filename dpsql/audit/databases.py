"""Small databases under a schema, and how one becomes another.

What is true in fact (unique keys, what the engine enforces or the owner has verified) is true of
every one of them. What is only claimed, and enforced by the query, is not: values are beyond the
bounds, units have more rows than they may, paths lead nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from dpsql.audit.cell_values import Cell, Pool, constants, identities, pool
from dpsql.core.schema import Column, Schema, Table

Row = tuple[Cell, ...]

Tables = Mapping[str, Sequence[Row]]
"""The rows of every table, by lower-cased name, in the order of the schema's columns."""

FEW, MANY = 8, 90
"""Rows of a table: of most, and the most of any."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A database, and which of its units neighbours differ in.

    Attributes:
        tables: the rows.
        turn: the number of the unit, in the order of how many rows they have.
    """

    tables: Tables
    turn: int


class Maker:
    """Makes databases for one query.

    Args:
        schema: what is true, and what is claimed.
        sql: the query: columns that it does not name are not varied.
        rng: decides everything.
    """

    def __init__(self, schema: Schema, sql: str, rng: Random) -> None:
        self._schema, self._rng = schema, rng
        views = schema.views.values()
        if any(view.path[2].lower() in sql.lower() for view in views):
            sql = " ".join([sql, *(view.sql for view in views)])  # which name columns for it
        found = constants(sql)
        low = sql.lower()
        starred = re.search(r"[*]", re.sub(r"count\s*\(\s*\*\s*\)", "", low)) is not None
        self._order = _ordered(schema)
        self._used = self._needed(set(re.findall(r"\w+", low)), low)
        self._pools: dict[tuple[str, str], Pool] = {}
        self._ids: dict[tuple[str, str], list[str]] = {}
        for name, table in schema.tables.items():
            for column in table.columns:
                known = pool(column, found)
                if column.name.lower() not in low and not starred:
                    known = Pool(known.all[:1], known.all[:1])
                self._pools[name, column.name] = known
                self._ids[name, column.name] = identities(column, found)

    # --- a new one -------------------------------------------------------------------------------

    def draw(self) -> Candidate:
        """A database: an aimed one has many rows of one unit, whose values are those of the query
        or the ends of what is declared; a heavy one has more of them than the policy says.
        """
        rng = self._rng
        aimed, heavy = rng.random() < 0.4, rng.random() < 0.2
        tables: dict[str, list[Row]] = {}
        for low in self._order:
            tables[low] = self._table(low, tables, aimed, heavy) if low in self._used else []
        return self._kept(tables, rng.choice((0, 0, 0, 1, 2)))

    def _table(
        self, low: str, tables: Mapping[str, Sequence[Row]], aimed: bool, heavy: bool
    ) -> list[Row]:
        rng, table = self._rng, self._schema.tables[low]
        apart = self._schema.neighbours == "replace" and table.private and rng.random() < 0.7
        count = rng.randint(FEW - 3, FEW) if aimed else rng.randint(0, FEW)
        if heavy and table.private:
            owner = table.column(table.owner) if table.owner is not None else None
            most = owner.max_rows if owner is not None and owner.max_rows is not None else FEW
            count = min(most * (1 + apart) + rng.choice((0, 1, 2)), MANY)
        most_rows = self._most_rows(table)
        if most_rows is not None:
            count = min(most_rows, FEW)
        spread = rng.choice((1, 1, 20) if aimed or heavy else (1, 2, 20))
        same = {
            column.name: self._value(low, column.name, aimed)
            for column in table.columns
            if rng.random() < (0.8 if aimed else 0.5)
        }
        if apart:
            spread = rng.choice((2, 20))
        rows = [
            tuple(
                self._cell(table, column, number, spread, tables, {} if apart else same)
                for column in table.columns
            )
            for number in range(count)
        ]
        rows = self._apart(table, rows, tables, same.keys(), aimed) if apart else rows
        return [self._led(table, row, tables) for row in rows]

    def _led(self, table: Table, row: Row, tables: Mapping[str, Sequence[Row]]) -> Row:
        """The row, mostly as one that leads to a row of the table in which its owner is found."""
        found = table.lookup
        there = () if found is None else tables.get(found.table.name.lower(), ())
        if found is None or not there or self._rng.random() < 0.2:
            return row
        met, cells = self._rng.choice(there), list(row)
        for own, key in zip(found.columns, found.key, strict=True):
            cells[_place(table, own)] = met[_place(found.table, key)]
        return tuple(cells)

    def _apart(
        self,
        table: Table,
        rows: Sequence[Row],
        tables: Mapping[str, Sequence[Row]],
        alike: Collection[str],
        aimed: bool,
    ) -> list[Row]:
        """The rows, those of each unit with the same values in the columns that are `alike`: so two
        units are as far apart as they can be, one at each end, or each in a group of its own.
        """
        low, owners = table.name.lower(), Owners(self._schema, tables)
        own = {*(k.lower() for k in table.key), (table.owner or "").lower()}
        places = {
            i: column
            for i, column in enumerate(table.columns)
            if column.name in alike and column.name.lower() not in own
        }
        first: dict[Cell, dict[int, Cell]] = {}
        found: list[Row] = []
        for number, row in enumerate(rows):
            unit = str(number) if table.owner is None else owners.of(table, row)
            if unit not in first:
                first[unit] = {
                    i: self._value(low, c.name, aimed) if c.references is None else row[i]
                    for i, c in places.items()
                }
            found.append(tuple(first[unit].get(i, cell) for i, cell in enumerate(row)))
        return found

    def _most_rows(self, table: Table) -> int | None:
        """The public number of rows. A smaller database shows what a larger one would: that there
        are fewer rows is not used against a claim, since nothing is compared but one unit's part.
        """
        if table.rows is None:
            return None
        # Under `replace` one unit more than there are: each world is without one of them.
        return table.rows + (table.private and self._schema.neighbours == "replace")

    def _cell(
        self,
        table: Table,
        column: Column,
        number: int,
        spread: int,
        tables: Mapping[str, Sequence[Row]],
        same: Mapping[str, Cell],
    ) -> Cell:
        rng, low = self._rng, table.name.lower()
        ids = self._ids[low, column.name]
        owning = _same(table.owner, column.name)
        if len(table.key) == 1 and _same(table.key[0], column.name):
            return ids[number % len(ids)]
        if column.references is not None:
            options = self._referenced(column, tables)
            if not (owning and table.owner_proven) or not options:
                options += ids[6:8]
            nulls: list[Cell] = [None] if self._may_be_null(table, column) else []
            return rng.choice(([*options, *nulls])[:spread] or [None])
        if owning:
            units: list[Cell] = [*ids[:4]]
            units += [None] if self._may_be_null(table, column) else []
            return rng.choice(units[:spread])
        if any(_same(key, column.name) for key in table.key) and rng.random() < 0.7:
            return ids[number % len(ids)]
        return same[column.name] if column.name in same else self._value(low, column.name, False)

    def _referenced(self, column: Column, tables: Mapping[str, Sequence[Row]]) -> list[Cell]:
        """The keys that a column may lead to."""
        assert column.references is not None
        upper = self._schema.table(column.references.table)
        assert upper is not None
        place = _place(upper, column.references.column)
        rows = tables.get(upper.name.lower(), ())
        return list(dict.fromkeys(row[place] for row in rows if row[place] is not None))

    def _value(self, low: str, column: str, aimed: bool) -> Cell:
        known = self._pools[low, column]
        return self._rng.choice(known.aims if aimed and self._rng.random() < 0.8 else known.all)

    @staticmethod
    def _may_be_null(table: Table, column: Column) -> bool:
        if table.lookup is not None and column.name in table.lookup.columns:
            return True  # it is known of the rows alone that find an owner
        return column.nullable and not (_same(table.owner, column.name) and table.owner_proven)

    # --- one from another ------------------------------------------------------------------------

    def mutate(self, candidate: Candidate, other: Candidate) -> Candidate:
        """The database with a few changes, one of which may be a table of another database."""
        rng = self._rng
        tables = {low: list(rows) for low, rows in candidate.tables.items()}
        turn = candidate.turn if rng.random() < 0.9 else rng.choice((0, 1, 2))
        for _ in range(rng.choice((1, 1, 2, 3))):
            low = rng.choice(sorted(self._used))
            self._change(low, tables, other)
        return self._kept(tables, turn)

    def _change(self, low: str, tables: dict[str, list[Row]], other: Candidate) -> None:
        rng, table, rows = self._rng, self._schema.tables[low], tables[low]
        kind = rng.choice(("cell", "cell", "cell", "column", "again", "double", "drop", "cross"))
        if kind == "cross":
            tables[low] = list(other.tables.get(low, ()))
        elif not rows or (kind in ("again", "double") and len(rows) < 2 and rng.random() < 0.3):
            tables[low] = self._table(low, tables, rng.random() < 0.5, False)
        elif kind == "drop":
            rows.pop(rng.randrange(len(rows)))
        elif kind in ("again", "double"):
            copies = [rng.choice(rows)] if kind == "again" else rows[: MANY - len(rows)]
            rows += [self._renewed(table, row, rows, n) for n, row in enumerate(copies)]
        else:
            place = rng.randrange(len(table.columns))
            column = table.columns[place]
            fixed = {column.name: self._value(low, column.name, rng.random() < 0.5)}
            one = rng.randrange(len(rows))
            for number in range(len(rows)) if kind == "column" else (one,):
                cell = self._cell(table, column, number, rng.choice((1, 20)), tables, fixed)
                rows[number] = (*rows[number][:place], cell, *rows[number][place + 1 :])

    def _renewed(self, table: Table, row: Row, rows: Sequence[Row], more: int) -> Row:
        """The row with a key of its own."""
        if not table.key:
            return row
        low = table.name.lower()
        free = [k for k in table.key if not _same(table.owner, k)] or list(table.key)
        place = _place(table, free[-1])
        used = {other[place] for other in rows}
        ids = [i for i in self._ids[low, table.columns[place].name] if i not in used]
        return (*row[:place], ids[more], *row[place + 1 :]) if more < len(ids) else row

    # --- what is true of each ---------------------------------------------------------------------

    def _kept(self, tables: Mapping[str, Sequence[Row]], turn: int) -> Candidate:
        """Without the rows that would break what is true in fact."""
        found: dict[str, Sequence[Row]] = {}
        for low in self._order:
            table = self._schema.tables[low]
            known = Owners(self._schema, found)
            listed = [known.told(table, row) for row in tables.get(low, ())]
            rows = _unbroken(table, listed)[: self._most_rows(table)]
            if table.owner_proven and table.owner is not None:
                owners = Owners(self._schema, {**found, low: rows})
                rows = [row for row in rows if owners.of(table, row) is not None]
            found[low] = tuple(rows)
        return Candidate(found, turn)

    def _needed(self, words: set[str], text: str) -> set[str]:
        """The tables that are filled: those that the query names, and those they lead to."""
        used = {
            low
            for low, table in self._schema.tables.items()
            if low in words or low in text or table.path[2].lower() in words
        }
        used.add(self._schema.unit_table.lower())
        todo = list(used)
        while todo:
            more = _leads_to(self._schema.tables[todo.pop()]) - used
            used |= more
            todo += more
        return used


class Owners:
    """Who owns which row of one database, told from the policy's paths alone."""

    def __init__(self, schema: Schema, tables: Tables) -> None:
        self._schema, self._tables = schema, tables
        self._rows: dict[tuple[str, str], dict[Cell, Row]] = {}
        self._told: dict[tuple[str, tuple[int, ...]], dict[tuple[Cell, ...], Row]] = {}

    def told(self, table: Table, row: Row) -> Row:
        """The row with its owner, where several of its columns tell that."""
        found = table.lookup
        if found is None or table.owner is None:
            return row
        low, place = found.table.name.lower(), _place(table, table.owner)
        places = tuple(_place(found.table, k) for k in found.key)
        key = (low, places)
        if key not in self._told:
            rows = self._tables.get(low, ())
            self._told[key] = {tuple(r[i] for i in places): r for r in rows}
        value = tuple(row[_place(table, own)] for own in found.columns)
        met = None if None in value else self._told[key].get(value)
        owner = None if met is None else met[_place(found.table, found.owner)]
        return (*row[:place], owner, *row[place + 1 :])

    def of(self, table: Table, row: Row) -> Cell:
        """The unit that owns a row; None for nobody."""
        while True:
            row = self.told(table, row)
            assert table.owner is not None
            value = row[_place(table, table.owner)]
            reference = self._schema.next_owner(table)
            if reference is None or value is None:
                return value
            upper = self._schema.table(reference.table)
            assert upper is not None
            known = (upper.name.lower(), reference.column.lower())
            if known not in self._rows:
                place = _place(upper, reference.column)
                listed = self._tables.get(known[0], ())
                self._rows[known] = {r[place]: r for r in listed}
            if value not in self._rows[known]:
                return None
            table, row = upper, self._rows[known][value]


def neighbours(candidate: Candidate, schema: Schema) -> tuple[Tables, Tables] | None:
    """Two worlds that differ in one unit's rows: it is in one of them alone, or (`replace`) another
    is in the other. None where there are too few units.
    """
    tables = candidate.tables
    top = schema.unit_table.lower()
    swapped = schema.neighbours == "replace"
    if schema.unit_column is None:
        rows = tables[top]
        if len(rows) < 1 + swapped:
            return None
        one, two = candidate.turn % len(rows), (candidate.turn + 1) % len(rows)
        without = [{**tables, top: [*rows[:n], *rows[n + 1 :]]} for n in (one, two)]
        return (without[1], without[0]) if swapped else (tables, without[0])
    owners = Owners(schema, tables)
    of = {
        low: [owners.of(table, row) for row in tables.get(low, ())]
        for low, table in schema.tables.items()
        if table.private
    }
    counts: dict[Cell, int] = {}
    for unit in (u for units in of.values() for u in units if u is not None):
        counts[unit] = counts.get(unit, 0) + 1
    units = sorted(counts, key=lambda u: (-counts[u], str(u)))
    if swapped:  # units of which there is one more, or less, are no neighbours
        units = [u for u in units if u in of[top]]
    if len(units) < 1 + swapped:
        return None

    def left(gone: Cell) -> Tables:
        return {
            low: [r for r, u in zip(rows, of[low], strict=True) if u != gone] if low in of else rows
            for low, rows in tables.items()
        }

    first = candidate.turn % len(units)
    if not swapped:
        return tables, left(units[first])
    return left(units[(first + 1) % len(units)]), left(units[first])


def smaller(candidate: Candidate) -> Iterable[Candidate]:
    """The database without each of its rows."""
    for low, rows in candidate.tables.items():
        for number in range(len(rows)):
            less = {**candidate.tables, low: (*rows[:number], *rows[number + 1 :])}
            yield Candidate(less, candidate.turn)


def _unbroken(table: Table, rows: Iterable[Row]) -> list[Row]:
    """Rows whose key is one, and no more of a value than is proven."""
    key = [_place(table, k) for k in table.key]
    limits = [
        (i, c.max_rows)
        for i, c in enumerate(table.columns)
        if c.max_rows is not None and c.max_rows_proven
    ]
    seen: set[Row] = set()
    counts: dict[tuple[int, Cell], int] = {}
    found: list[Row] = []
    for row in rows:
        value = tuple(row[i] for i in key)
        if key and (None in value or value in seen):
            continue
        full = [(i, row[i]) for i, most in limits if row[i] is not None]
        if any(counts.get((i, row[i]), 0) >= most for i, most in limits):
            continue
        for place in full:
            counts[place] = counts.get(place, 0) + 1
        seen.add(value)
        found.append(row)
    return found


def _ordered(schema: Schema) -> list[str]:
    """Tables, those that others lead to first."""
    order: list[str] = []
    todo = list(schema.tables)
    while todo:
        ready = [low for low in todo if _leads_to(schema.tables[low]) <= {*order, low}]
        for low in ready or todo[:1]:
            order.append(low)
            todo.remove(low)
    return order


def _leads_to(table: Table) -> set[str]:
    found = {c.references.table.lower() for c in table.columns if c.references is not None}
    return found | ({table.lookup.table.name.lower()} if table.lookup is not None else set())


def _place(table: Table, column: str) -> int:
    low = column.lower()
    return next(i for i, c in enumerate(table.columns) if c.name.lower() == low)


def _same(a: str | None, b: str) -> bool:
    return a is not None and a.lower() == b.lower()
