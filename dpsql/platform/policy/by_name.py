"""References that a catalog does not have, guessed by the names and the types of columns.

Folders and many databases have no foreign keys. A guess is a line of a draft, and says so; nothing
rests on it: that a key is one is tested when the data is opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpsql.platform.policy.catalog import Catalog, CatalogColumn, CatalogTable, ForeignKey
from dpsql.platform.policy.scalars import comparable

_ENDS = ("_id", "_key", "_no", "_nr", "_code", "id", "key")
_BARE = ("id", "key", "no", "nr", "code")


@dataclass(frozen=True, slots=True)
class Guesses:
    """What was added to a catalog, all names in lower case.

    Attributes:
        references: the tables and columns of references.
        keys: the tables whose key is a guess.
        hints: for each table the tables that a column of it may lead to, by its name alone.
        names: of each table the column that seems to name its rows, if there is one.
    """

    references: frozenset[tuple[str, str]]
    keys: frozenset[str]
    hints: Mapping[str, frozenset[str]]
    names: Mapping[str, str]


def by_name(catalog: Catalog, unit: str | None) -> tuple[Catalog, Guesses]:
    """The catalog with references that names and types tell, and with the keys that they lead to.

    A column that has a foreign key keeps that one alone. It is taken to lead to a key that has its
    name, or that of its table; where several have, to the one whose table is called so.

    Args:
        catalog: of the database.
        unit: ``table.column``, if the owner has named it: then that is its table's key.
    """
    guess = _Guess(catalog, unit)
    added = {table.name: guess.references(table) for table in catalog.tables}
    used = {to.table for links in added.values() for to in links}
    keys = {t.name for t in catalog.tables if t.name in used and not guess.enforced(t)}
    tables = tuple(
        replace(
            table,
            foreign_keys=(*table.foreign_keys, *added[table.name]),
            keys=((guess.keys[table.name],), *table.keys) if table.name in keys else table.keys,
        )
        for table in catalog.tables
    )
    found = Guesses(
        frozenset((t.lower(), to.column.lower()) for t, links in added.items() for to in links),
        frozenset(name.lower() for name in keys),
        {t.name.lower(): guess.hints(t) for t in catalog.tables},
        {name.lower(): key.lower() for name, key in guess.keys.items()},
    )
    return replace(catalog, tables=tables), found


class _Guess:
    def __init__(self, catalog: Catalog, unit: str | None) -> None:
        self.tables = catalog.tables
        self.stems = {_stem(table) for table in catalog.tables}
        table, _, column = (unit or "").rpartition(".")
        self.unit = (table.lower(), column)
        found = ((t.name, self._key(t)) for t in catalog.tables)
        self.keys = {name: key for name, key in found if key is not None}

    def enforced(self, table: CatalogTable) -> bool:
        """Whether the engine enforces the key that others may lead to."""
        return any(key == (self.keys[table.name],) for key in table.keys)

    def references(self, table: CatalogTable) -> tuple[ForeignKey, ...]:
        """The guessed ones of a table."""
        known = {key.column.lower() for key in table.foreign_keys}
        found: list[ForeignKey] = []
        for column in table.columns:
            if column.name.lower() in known or self._natural(table, column.name):
                continue
            names = _called(table, column.name)
            fits = [t for t in self._keyed(table) if names & self._names(t)]
            fits = [t for t in fits if comparable(column.type, self._column(t).type)]
            fits = [t for t in fits if self._natural(t, self.keys[t.name])] or fits
            if len(fits) == 1 and table.name != fits[0].name:
                found.append(ForeignKey(column.name, fits[0].name, self.keys[fits[0].name]))
        return tuple(found)

    def hints(self, table: CatalogTable) -> frozenset[str]:
        """The tables to which a column of a table may lead, whatever its type."""
        found: set[str] = set()
        for other in self._keyed(table):
            names = self._names(other)
            for column in table.columns:
                for called in _called(table, column.name):
                    if called in names or any(
                        len(n) > 3 and called.endswith((f"_{n}", n)) for n in names
                    ):
                        found.add(other.name.lower())
        return frozenset(found)

    def _keyed(self, table: CatalogTable) -> list[CatalogTable]:
        return [other for other in self.tables if other.name in self.keys and other is not table]

    def _column(self, table: CatalogTable) -> CatalogColumn:
        column = table.column(self.keys[table.name])
        assert column is not None
        return column

    def _key(self, table: CatalogTable) -> str | None:
        """The column that names a row: the owner's word, an enforced key, or what is called so."""
        if table.name.lower() == self.unit[0] and (named := table.column(self.unit[1])):
            return named.name
        enforced = (key[0] for key in table.keys if len(key) == 1)
        natural = (c.name for c in table.columns if self._natural(table, c.name))
        return next(enforced, next(natural, None))

    def _natural(self, table: CatalogTable, column: str) -> bool:
        """Whether a column is called as one that names its table's rows: id, customer_id, and
        c_custkey, but not the order_id of order_lines, beside orders.
        """
        stem = _stem(table)
        for name in _called(table, column):
            bases = {name.removesuffix(e).rstrip("_") for e in _ENDS if name.endswith(e)}
            short = (b for b in bases - self.stems if len(b) >= 3 and stem.startswith(b))
            if name in _BARE or stem in bases or any(short):
                return True
        return False

    def _names(self, table: CatalogTable) -> set[str]:
        """What a column of another table that leads to the key is called."""
        called, stem = _called(table, self.keys[table.name]), _stem(table)
        names = {name for name in called if name not in _BARE}
        return names | {stem, *(f"{stem}{end}" for end in _ENDS)}


def _stem(table: CatalogTable) -> str:
    """The table's name, for one of its rows."""
    name = table.name.lower().rpartition(".")[2]
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name[:-1] if name.endswith("s") and len(name) > 3 else name


def _called(table: CatalogTable, column: str) -> set[str]:
    """A column's name, and the same without the prefix that all of the table's columns have."""
    low, firsts = column.lower(), {c.name.lower().partition("_")[:2] for c in table.columns}
    head = "".join(next(iter(firsts))) if len(firsts) == 1 and len(table.columns) > 1 else ""
    short = 1 < len(head) <= 4 and head.endswith("_")
    return {low, low.removeprefix(head)} if short else {low}
