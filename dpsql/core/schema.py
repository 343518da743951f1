"""What the analysis is told: the policy, merged with what the engine's catalog enforces and with
what the owner has verified. Frozen; a function of public things only.

Every fact is either a *claim* (declared, enforced by the rewritten query) or *proven* (enforced by
the engine, checked when the database was opened, or covered by a verification record). The flags
`…_proven` tell which; nothing else in dpsql may treat a claim as true.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from dpsql.core.frozen import FrozenMap
from dpsql.core.limits import Limits
from dpsql.types import Scalar, Type

HERE = ("memory", "main")
"""The database and the schema of tables of which no engine says more."""

Path = tuple[str, str, str]
"""A full name: database, schema, table."""

Neighbours = Literal["add_remove", "replace"]


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key's other end: a table and a column of it that is unique in fact."""

    table: str
    column: str


@dataclass(frozen=True, slots=True)
class Lookup:
    """Where a reference of several columns leads, which tells whose a row is.

    Claim: the rows with that row's owner beside them are a table as others are, whose owner is a
    column: what it has of a unit is a function of the unit's own rows.
    Why: no two rows there share a key in fact, so a row meets one of them or none, and is of that
    one's unit; if it meets none, or a column of it is NULL, it is nobody's, and is left out.

    Attributes:
        columns: of this table, in the order of `key`.
        table: where the key is.
        key: columns that are together unique in fact.
        owner: the column there that leads to the unit.
    """

    columns: tuple[str, ...]
    table: Table
    key: tuple[str, ...]
    owner: str


@dataclass(frozen=True, slots=True)
class Randomized:
    """Randomized response: a first coin decides whether the truth is told; if not, a second coin
    decides what is said. Every row has its own coins.

    Claim: `weight(reported, truth)` is an unbiased 0-or-1 for "the truth is `truth`": its mean over
    the coins is 1 if it is, and 0 if not.
    Why: for truth b the report is TRUE with probability t·b + q, where q = (1 - t)·y. So
    w(r) = (r - q)/t has mean ((t·b + q) - q)/t = b, and 1 - w has mean 1 - b.
    Source: Warner (JASA 1965); Greenberg et al. (JASA 1969) for the unrelated second coin.

    Attributes:
        truth: t, the probability that the truth is told; above 0 and below 1.
        yes: y, the probability that the second coin says TRUE; from 0 to 1.
    """

    truth: Fraction
    yes: Fraction

    def reports_yes(self, truth: bool) -> Fraction:
        """The probability that TRUE is reported where the truth is `truth`."""
        return self.truth * truth + (1 - self.truth) * self.yes

    def weight(self, reported: bool, truth: bool) -> Fraction:
        """What a row that reported `reported` counts towards the rows whose truth is `truth`."""
        found = (reported - self.reports_yes(False)) / self.truth
        return found if truth else 1 - found

    def variance(self, truth: bool) -> Fraction:
        """The variance of a row's weight over its coins, where the truth is `truth`: that of the
        report, p·(1 - p), divided by t². It is the same for both weights, which add up to 1.
        """
        yes = self.reports_yes(truth)
        return yes * (1 - yes) / self.truth**2


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column of a declared table; equal to itself alone.

    Attributes:
        nullable: False only where it is proven that no NULL occurs.
        declared_nullable: what the owner says: True, False (a claim), or None for nothing. A
            column of which nothing is said has no NULL among its group keys, and COUNT of it is
            measured apart from COUNT(*).
        bounds: inclusive; exact numbers, dates or timestamps.
        values: the public domain, in the owner's order, without NULL.
        references: where a foreign key leads.
        max_rows: at most so many rows of this table share one value of this column.
        max_length: of a text, in characters: where the owner says nothing, the policy's limit.
        max_length_said: whether that is the owner's own word.
        randomized: how its values were randomized when they were collected or published; then no
            single value is the truth, and only numbers of many rows are, once they are debiased.
    """

    name: str
    type: Type
    nullable: bool = True
    declared_nullable: bool | None = None
    bounds: tuple[Scalar, Scalar] | None = None
    bounds_proven: bool = False
    values: tuple[Scalar, ...] | None = None
    values_proven: bool = False
    references: Reference | None = None
    max_rows: int | None = None
    max_rows_proven: bool = False
    max_length: int | None = None
    max_length_proven: bool = False
    max_length_said: bool = True
    randomized: Randomized | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A declared table.

    Attributes:
        name: as the engine spells it, with the parts that the policy writes: visits,
            clinic.visits, warehouse.clinic.visits.
        private: whether its rows belong to privacy units.
        key: columns that are together unique and never NULL *in fact* (empty: nothing is known).
        owner: for a private table the column that leads to the unit: the unit column itself, or
            the foreign key of the first step. None where each row is a unit, and for public tables.
        owner_proven: no row's owner is NULL, and none dangles (for a step that needs a join).
        lookup: where the owner column is none of the data's, the row of another table that has it.
        rows: the public number of rows; for the unit's own table under `replace`, and optionally
            for public tables. Checked when the database is opened.
        hidden: where there are several kinds of unit and the schema is that of one: the rows belong
            to units of other kinds alone. They are the same on all neighbours of this kind, but
            nobody may see them: no list of groups is taken from them.
        others: the columns that lead to units of the other kinds.
        place: its full name in the engine; () for its name, `HERE`. No part of what it is: a file
            that is renamed has the same data.
        one_unit: by name, the columns that name a thing of one unit; a claim, which nothing rests
            on: see `dpsql.front.resolve.one_unit`.
    """

    name: str
    private: bool
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()
    owner: str | None = None
    owner_proven: bool = False
    lookup: Lookup | None = field(default=None, repr=False)
    rows: int | None = None
    hidden: bool = field(default=False, repr=False)
    others: tuple[str, ...] = field(default=(), repr=False)
    place: Path | tuple[()] = field(default=(), repr=False, compare=False)
    one_unit: Mapping[str, tuple[str, ...]] = field(default_factory=FrozenMap, repr=False)
    _by_name: Mapping[str, Column] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {c.name.lower(): c for c in self.columns})

    def column(self, name: str) -> Column | None:
        """The column of that name, whatever the case (DuckDB folds ASCII case), or None."""
        return self._by_name.get(name.lower())

    @property
    def path(self) -> Path:
        """Its full name in the engine."""
        return self.place or (*HERE, self.name)

    @property
    def named(self) -> frozenset[str]:
        """The columns, in lower case, that name rows: of its key, and of what it looks up."""
        looked = () if self.lookup is None else self.lookup.columns
        return frozenset(name.lower() for name in (*self.key, *looked))

    @property
    def stored(self) -> tuple[Column, ...]:
        """The columns that the data have: without an owner that is looked up."""
        return tuple(c for c in self.columns if self.lookup is None or c.name != self.owner)

    @property
    def randomized(self) -> bool:
        """Whether some column holds randomized answers."""
        return any(column.randomized is not None for column in self.columns)


@dataclass(frozen=True, slots=True)
class View:
    """A view of the owner's that queries may read: it stands for its definition.

    Attributes:
        name: as that of a table.
        path: its full name in the engine.
        sql: the CREATE VIEW that the engine stores.
    """

    name: str
    path: Path
    sql: str


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """Everything public that the analysis may use; equal to itself alone.

    Attributes:
        tables: by lower-cased name.
        unit_table: the table whose rows, or whose column `unit_column`, name the units.
        unit_column: None where each row of `unit_table` is a unit (the only private table then).
        unit_name: where no table has one row for each unit: what the policy calls it.
        eps, delta: the total budget.
        min_units: private groups of fewer units are never shown.
        limits: what one query may use.
        kinds: where there are several kinds of unit, the schema of each: what is public is the same
            in all of them, and whose a private row is they tell. This schema then says only which
            tables are private.
        visible: whether explanations show what the engine runs.
        crowded: of one query, the group keys of which public tables list too many values together;
            where there is a δ, groups of enough units are shown instead.
        counted: of one query, whether the public rows that private ones meet are counted; else how
            many they are is guessed.
    """

    tables: Mapping[str, Table]
    unit_table: str
    unit_column: str | None
    neighbours: Neighbours
    eps: Fraction
    delta: Fraction
    min_units: int = 1
    limits: Limits = field(default_factory=Limits)
    kinds: tuple[Schema, ...] = field(default=(), repr=False)
    unit_name: str | None = None
    visible: bool = field(default=True, repr=False)
    views: Mapping[str, View] = field(default_factory=FrozenMap, repr=False)
    crowded: frozenset[int] = field(default=frozenset(), repr=False)
    counted: bool = field(default=False, repr=False)

    @property
    def unit(self) -> str:
        """Who is protected, as the policy writes it."""
        if self.kinds:
            return ", ".join(kind.unit for kind in self.kinds)
        if self.unit_name is not None or self.unit_column is None:
            return self.unit_name or self.unit_table
        return f"{self.unit_table}.{self.unit_column}"

    @property
    def every(self) -> tuple[Table | View, ...]:
        """All that queries may name."""
        return (*self.tables.values(), *self.views.values())

    def alone(self) -> Schema:
        """The schema of one kind of unit for queries that read no row of another kind: without the
        tables that only units of other kinds have.
        """
        kept = {low: table for low, table in self.tables.items() if not table.hidden}
        return replace(self, tables=FrozenMap(kept))

    def types(self) -> FrozenMap[FrozenMap[Type]]:
        """The types of the columns of tables, by lower-case names: of columns, and of tables as a
        query may write them where these mean one.
        """
        return _types(self)

    def table(self, name: str) -> Table | None:
        """The declared table of that name, whatever the case, or None."""
        return self.tables.get(name.lower())

    def next_owner(self, table: Table) -> Reference | None:
        """Where the owner column of `table` leads; None where it *is* the unit (or the row is).

        The last step of a path needs no join: a foreign key to the unit column is the unit.
        """
        if table.owner is None:
            return None
        column = table.column(table.owner)
        assert column is not None
        reference = column.references
        if reference is None or self.is_unit(reference):
            return None
        if table.name.lower() == self.unit_table.lower():
            return None
        return reference

    def is_unit(self, reference: Reference) -> bool:
        """Whether a reference leads to the unit column itself."""
        return (
            self.unit_column is not None
            and reference.table.lower() == self.unit_table.lower()
            and reference.column.lower() == self.unit_column.lower()
        )


@lru_cache(maxsize=32)  # a schema is equal to itself alone, and never changes
def _types(schema: Schema) -> FrozenMap[FrozenMap[Type]]:
    known: dict[str, list[Table]] = {}
    for table in schema.tables.values():
        for start in range(3):
            known.setdefault(".".join(table.path[start:]).lower(), []).append(table)
    one = {name: tables[0] for name, tables in known.items() if len(tables) == 1}
    return FrozenMap(
        {
            name: FrozenMap({column.name.lower(): column.type for column in table.columns})
            for name, table in {**one, **schema.tables}.items()
        }
    )
