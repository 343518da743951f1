"""A copy of private tables in which every claim of the policy is true.

Claim: what the copy has of one unit is a function of that unit's rows, of the policy and of the
salt. So without a unit the copy is without that unit's rows and else the same, and the same holds
of a unit whose rows are exchanged. Whatever is true of the copy is true of it on all data.
Why: 1. A value is changed, or a row dropped, for what stands in that row alone (`_Fit`). So is the
unit named, where units are in time (`policy.time_units`).
2. A row is dropped whose owner is NULL or leads to no row that was kept. The row that it leads to
is of the same unit, because the columns on paths are keys, and a key that two units share is an
error, for the owner, after which there is no copy. By induction along the path, what is kept is
told by the unit's rows.
3. Where more rows share a value than may, those whose contents have the least hashes with the salt
stay, among the rows of one unit. Rows with equal contents are one another's copies: it makes no
difference which of them stay. No position, and no row of another unit, is asked.

Tables are made in the order of their paths. Rows with a date or a time stay in the order of the
source, which often is theirs, so that a range of days is found fast; others are put in the order of
what leads to the unit: adding up by unit takes a half to a quarter of the time then. (Measured:
docs/figures.md.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpsql.core.schema import Column, Lookup, Schema, Table
from dpsql.errors import PolicyError
from dpsql.platform.engine.sql_text import beyond, name, nearest, not_among, outside, text

GONE = "temp.main.dpsql_gone"
LOST = "temp.main.dpsql_lost"


@dataclass(frozen=True, slots=True)
class Cut:
    """What became of a table, for the owner.

    Attributes:
        table: its name.
        rows, kept: of the source, and of the copy.
        reasons: how many rows were dropped, by why.
        units: how many units lost a row to `max_rows` or to another row with the same key.
        changed: how many values were changed, by column and by how.
        totals: of bounded numbers, the sums before and after of those that are finite, by column.
        of: of how many units the rows are, where only some were made anew.
    """

    table: str
    rows: int
    kept: int
    reasons: Mapping[str, int]
    units: int = 0
    changed: Mapping[tuple[str, str], int] = field(default_factory=dict)
    totals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    of: int | None = None


@dataclass(frozen=True, slots=True)
class _Fit:
    """How a column is made to fit, as SQL over its row: what it becomes, where that is another
    value, and where the row must go instead.
    """

    value: str
    changed: Mapping[str, str]
    dropped: Mapping[str, str]


def leads_to(schema: Schema, table: Table) -> set[str]:
    """The tables, in lower case, in which the unit of a row is found next."""
    if table.lookup is not None:
        return {table.lookup.table.name.lower()}
    up = schema.next_owner(table)
    return set() if up is None else {up.table.lower()}


def order(schema: Schema) -> tuple[Table, ...]:
    """The private tables, each after the one to which its rows lead."""
    made: dict[str, Table] = {}
    tables = [table for table in schema.tables.values() if table.private]
    while len(made) < len(tables):
        for table in tables:
            if made.keys() >= leads_to(schema, table):
                made.setdefault(table.name.lower(), table)
    return tuple(made.values())


def fanouts(schema: Schema) -> frozenset[str]:
    """The columns, as lower-case "table.column", whose `max_rows` is true of every copy: those that
    say whose a row is. Rows of several units may share another column's value.
    """
    return frozenset(
        f"{table.name}.{column.name}".lower()
        for table in schema.tables.values()
        for column in table.columns
        if table.private and column.max_rows is not None and _same(column.name, table.owner)
    )


@dataclass(frozen=True, slots=True)
class Conformer:
    """Makes the tables of a copy.

    Attributes:
        do: runs one statement where source and copy are attached; its rows.
        schema: the claims.
        source, copy: SQL of a table's name there, by its name in lower case.
        named: of each private table, in lower case, the columns that are copied, in lower case.
        not_null: columns claimed to have no NULL, as lower-case "table.column".
        lengths: the most characters of texts, by the same names.
        salt: of the hashes, in hexadecimal.
        passed: called after each statement that goes through a table: as often as `passes` says.
    """

    do: Callable[[str], list[tuple[Any, ...]]]
    schema: Schema
    source: Mapping[str, str]
    copy: Mapping[str, str]
    named: Mapping[str, frozenset[str]]
    not_null: frozenset[str]
    lengths: Mapping[str, int]
    salt: str
    passed: Callable[[], object] = lambda: None

    def passes(self, table: Table) -> int:
        """How many statements of `private` go through the table."""
        cuts = len(self._shared(table, self.columns(table)))
        return 2 + (1 if table.key else 0) + 2 * cuts

    def private(self, table: Table) -> Cut:
        """Make the copy of a private table; the one that its rows lead to is made.

        Raises:
            PolicyError: two units share a key; no value of a type lies within the bounds; or a
                column is called rowid.
        """
        low = table.name.lower()
        source, copy = self.source[low], self.copy[low]
        columns = self.columns(table)
        if any(_same(c.name, "rowid") for c in columns):  # by its own we tell rows apart
            raise PolicyError(f"a column of {table.name} is called rowid; give it another name")
        fits = {c.name: self._fit(table, c) for c in columns}
        reasons = {"without a unit": self._without_unit(table)}
        for column, fit in fits.items():
            reasons |= {f"{column}: {why}": sql for why, sql in fit.dropped.items()}
        going = f"({' OR '.join(reasons.values())}) IS TRUE"
        items = ", ".join(f"{fit.value} AS {name(c)}" for c, fit in fits.items())
        rows = f"SELECT {items} FROM {source} AS s WHERE NOT ({going}){in_order(table, columns)}"
        self._pass(f"CREATE TABLE {copy} AS {rows}")
        changes = {(c, why): sql for c, fit in fits.items() for why, sql in fit.changed.items()}
        sums = [c for c in columns if c.type.is_numeric and c.bounds is not None]
        parts = [
            "count(*)",
            *(f"count(*) FILTER (WHERE r{i})" for i in range(len(reasons))),
            *(f"count(*) FILTER (WHERE c{i} AND NOT g)" for i in range(len(changes))),
            *(f"sum(CAST(v{i} AS DOUBLE))" for i in range(len(sums))),
        ]
        inner = [
            f"{going} AS g",
            *(f"{sql} AS r{i}" for i, sql in enumerate(reasons.values())),
            *(f"{sql} AS c{i}" for i, sql in enumerate(changes.values())),
            *(f"{_finite(c)} AS v{i}" for i, c in enumerate(sums)),
        ]
        [row] = self._pass(
            f"SELECT {', '.join(parts)} FROM (SELECT {', '.join(inner)} FROM {source} AS s)"
        )
        counts, rest = list(row[1 : 1 + len(reasons)]), list(row[1 + len(reasons) :])
        more, units = self._excess(table, columns)
        after = ", ".join(["count(*)", *(f"sum(CAST({name(c.name)} AS DOUBLE))" for c in sums)])
        [[kept, *then]] = self.do(f"SELECT {after} FROM {copy}")
        before = rest[len(changes) :]
        return Cut(
            table=table.name,
            rows=row[0],
            kept=kept,
            reasons=_some({**dict(zip(reasons, counts, strict=True)), **more}),
            units=units,
            changed=_some(dict(zip(changes, rest, strict=False))),
            totals={
                c.name: (b or 0.0, t or 0.0) for c, b, t in zip(sums, before, then, strict=True)
            },
        )

    def columns(self, table: Table) -> list[Column]:
        """The columns of a private table that are copied."""
        return [c for c in table.stored if c.name.lower() in self.named[table.name.lower()]]

    # --- what a row tells by itself ---------------------------------------------------------------

    def _fit(self, table: Table, column: Column) -> _Fit:
        full, x = f"{table.name}.{column.name}".lower(), f"s.{name(column.name)}"
        wrong: dict[str, str] = {}
        value = x
        if column.type.is_float:  # -0.0 is 0.0, so that what is equal is the same
            value = f"CASE WHEN {x} = 0 THEN CAST(0 AS {column.type}) ELSE {x} END"
        if full in self.lengths:
            wrong["too long"] = f"length({x}) > {self.lengths[full]:d}"
            value = f"left({x}, {self.lengths[full]:d})"
        if column.bounds is not None:
            beside = outside(x, column.type, column.bounds)
            value = self._clamped(x, value, column)
            if column.type.is_float:  # it is near to no bound: nobody knows the value
                wrong["NaN"], beside = f"isnan({x})", f"NOT isnan({x}) AND {beside}"
                value = f"CASE WHEN isnan({x}) THEN NULL ELSE {value} END"
            wrong["outside its bounds"] = beside
        if column.values is not None:
            wrong["none of its values"] = not_among(x, column.type, column.values)
            value = f"CASE WHEN {wrong['none of its values']} THEN NULL ELSE {value} END"
        wrong = {why: f"({x} IS NOT NULL AND {sql})" for why, sql in wrong.items()}
        null = {"NULL": f"{x} IS NULL"}
        if _names(table, column):  # another value would name another
            needed = column.name in table.key or full in self.not_null
            # without which there is no unit
            looked = table.lookup is not None and column.name in table.lookup.columns
            needed &= not _same(column.name, table.owner) and not looked
            return _Fit(x, {}, {**(null if needed else {}), **wrong})
        if full not in self.not_null:
            return _Fit(value, wrong, {})
        if column.values is None and column.bounds is not None and column.type.is_numeric:
            # As where a NULL is there in spite of the claim: it counts as the middle.
            low, high = (Fraction(end) for end in column.bounds)  # type: ignore[arg-type]
            middle = nearest(column.type, (low + high) / 2, low=False)
            least = nearest(column.type, low, low=True)  # where they are as near as can be
            return _Fit(f"coalesce({value}, greatest({middle}, {least}))", {**wrong, **null}, {})
        alien = {why: sql for why, sql in wrong.items() if why == "none of its values"}
        return _Fit(value, {why: wrong[why] for why in wrong.keys() - alien}, {**null, **alien})

    def _clamped(self, x: str, value: str, column: Column) -> str:
        assert column.bounds is not None
        first, last = column.bounds
        low, high = nearest(column.type, first, low=True), nearest(column.type, last, low=False)
        [[some]] = self.do(f"SELECT {low} <= {high}")
        if not some:
            raise PolicyError(f"no {column.type} lies within the bounds of {column.name}")
        return (
            f"CASE WHEN {beyond(x, column.type, first, low=True)} THEN {low} "
            f"WHEN {beyond(x, column.type, last, low=False)} THEN {high} ELSE {value} END"
        )

    def _without_unit(self, table: Table) -> str:
        if table.owner is None:
            return "FALSE"
        if table.lookup is not None:  # of which each row has a unit
            there = self.copy[table.lookup.table.name.lower()]
            met = _found(table.lookup, "s", "u")
            return f"NOT EXISTS (SELECT 1 FROM {there} AS u WHERE {met})"
        owner, up = f"s.{name(table.owner)}", self.schema.next_owner(table)
        if up is None:
            return f"{owner} IS NULL"
        upper = self.copy[up.table.lower()]
        return f"NOT EXISTS (SELECT 1 FROM {upper} AS u WHERE u.{name(up.column)} = {owner})"

    # --- what the rows of a unit tell together ----------------------------------------------------

    def _excess(self, table: Table, columns: Sequence[Column]) -> tuple[dict[str, int], int]:
        """Delete rows of the copy that share what they may not: how many, by why; and how many
        units had such rows.
        """
        self.do("CREATE OR REPLACE TEMP TABLE dpsql_lost (unit VARCHAR)")
        dropped: dict[str, int] = {}
        if table.key:
            self._refuse_shared(table, [f"t.{name(k)}" for k in table.key])
        for why, (among, most) in self._shared(table, columns).items():
            dropped[why] = self._cut(table, columns, among, most)
        [[units]] = self.do(f"SELECT count(DISTINCT unit) FROM {LOST}")
        return dropped, units

    def _shared(
        self, table: Table, columns: Sequence[Column]
    ) -> dict[str, tuple[Sequence[str], int]]:
        """What rows may share, as SQL, and how many of them; by why others are dropped."""
        found: dict[str, tuple[Sequence[str], int]] = {}
        if table.key:
            found["the key of another row"] = [f"t.{name(k)}" for k in table.key], 1
        for column in columns:
            if column.max_rows is not None and (column.name,) != table.key:
                among = [f"t.{name(column.name)}"]
                if not _same(column.name, table.owner):
                    among.append(self._unit(table)[0])
                why = f"more than {column.max_rows} rows of one {column.name}"
                found[why] = among, column.max_rows
        owner = None if table.lookup is None else table.column(table.owner or "")
        if table.lookup is not None and owner is not None and owner.max_rows is not None:
            why = f"more than {owner.max_rows} rows of one {owner.name}"
            found[why] = [f"tu.{name(table.lookup.owner)}"], owner.max_rows
        return found

    def _pass(self, sql: str) -> list[tuple[Any, ...]]:
        rows = self.do(sql)
        self.passed()
        return rows

    def _cut(self, table: Table, columns: Sequence[Column], among: Sequence[str], most: int) -> int:
        copy, (unit, steps) = self.copy[table.name.lower()], self._unit(table)
        texts = ", ".join(f"CAST(t.{name(c.name)} AS VARCHAR)" for c in columns)
        shared, known = ", ".join(among), " AND ".join(f"{one} IS NOT NULL" for one in among)
        self._pass(
            f"CREATE OR REPLACE TEMP TABLE dpsql_gone AS "
            f"SELECT t.rowid AS r, CAST({unit} AS VARCHAR) AS unit FROM {copy} AS t {steps} "
            f"WHERE ({shared}) IN (SELECT ({shared}) FROM {copy} AS t {steps} WHERE {known} "
            f"GROUP BY {shared} HAVING count(*) > {most:d}) "
            f"QUALIFY row_number() OVER (PARTITION BY {shared} "
            f"ORDER BY hash({text(self.salt)}, {texts}), {texts}) > {most:d}"
        )
        self.do(f"INSERT INTO {LOST} SELECT unit FROM {GONE}")
        self._pass(f"DELETE FROM {copy} WHERE rowid IN (SELECT r FROM {GONE})")
        [[gone]] = self.do(f"SELECT count(*) FROM {GONE}")
        return int(gone)

    def _refuse_shared(self, table: Table, keys: Sequence[str]) -> None:
        copy, (unit, steps) = self.copy[table.name.lower()], self._unit(table)
        [[shared]] = self._pass(
            f"SELECT count(*) FROM (SELECT 1 FROM {copy} AS t {steps} GROUP BY {', '.join(keys)} "
            f"HAVING count(DISTINCT {unit}) > 1)"
        )
        if shared:
            raise PolicyError(
                f"{shared:,} values of the key ({', '.join(table.key)}) of {table.name} are in "
                "rows of several units, so that none of them is one unit's own; mend the data, or "
                "declare another key"
            )

    def _unit(self, table: Table) -> tuple[str, str]:
        """SQL: the unit of a row `t` of the copy, and the joins that find it."""
        if table.owner is None:
            return "t.rowid", ""
        at, unit, steps = "t", table.owner, ""
        if table.lookup is not None:
            at, unit, found = "tu", table.lookup.owner, table.lookup
            there = self.copy[found.table.name.lower()]
            steps = f"JOIN {there} AS tu ON {_found(found, 't', 'tu')} "
            table = found.table
        while (up := self.schema.next_owner(table)) is not None:
            upper = self.schema.table(up.table)
            assert upper is not None and upper.owner is not None
            alias = f"{at}u"
            steps += f"JOIN {self.copy[upper.name.lower()]} AS {alias} "
            steps += f"ON {alias}.{name(up.column)} = {at}.{name(unit)} "
            at, unit, table = alias, upper.owner, upper
        return f"{at}.{name(unit)}", steps


def in_order(table: Table, columns: Sequence[Column]) -> str:
    """SQL: the order of a copy's rows `s`."""
    kept = table.owner is None or table.lookup is not None
    kept |= any(column.type.is_temporal for column in columns)
    return "" if kept else f" ORDER BY s.{name(table.owner or '')}"


def _found(lookup: Lookup, own: str, there: str) -> str:
    """SQL: whether a row of one alias finds that of another."""
    pairs = zip(lookup.columns, lookup.key, strict=True)
    return " AND ".join(f"{there}.{name(key)} = {own}.{name(column)}" for column, key in pairs)


def _finite(column: Column) -> str:
    """SQL: a number of a row `s`, where it can be added up."""
    x = f"s.{name(column.name)}"
    return f"CASE WHEN isfinite({x}) THEN {x} END" if column.type.is_float else x


def _names(table: Table, column: Column) -> bool:
    """Whether a column names a unit, a row or a thing: it is kept as it is, or not at all."""
    things = {c.lower() for columns in table.one_unit.values() for c in columns}
    keys = {key.lower() for key in table.key}
    return _same(column.name, table.owner) or column.name.lower() in things | keys


def _same(column: str, other: str | None) -> bool:
    return other is not None and column.lower() == other.lower()


def _some(counts: Mapping[Any, int]) -> dict[Any, int]:
    return {what: count for what, count in counts.items() if count}
