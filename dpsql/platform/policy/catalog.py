"""What a database's own catalog says: the part of the schema that the engine itself enforces.

An engine fills it with nothing else. A constraint that the engine merely stores, or that it would
have to read rows to confirm, does not belong here: all of this counts as proven.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from dpsql.core.schema import HERE, Path
from dpsql.types import Scalar, Type


@dataclass(frozen=True, slots=True)
class CatalogColumn:
    """A column of the database.

    Attributes:
        bounds: inclusive, from a CHECK that every non-NULL value passes (for a DOUBLE: NaN fails).
        values: every value that is not NULL, from a CHECK; those of an ENUM are in its type.
        comment: what the database says of it, for people.
    """

    name: str
    type: Type
    not_null: bool = False
    bounds: tuple[Scalar, Scalar] | None = None
    values: tuple[Scalar, ...] | None = None
    comment: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """An enforced foreign key of one column: its value is NULL or is in the referenced column."""

    column: str
    table: str
    referenced_column: str


@dataclass(frozen=True, slots=True)
class WideForeignKey:
    """An enforced foreign key of several columns: together they are in the other table, or one of
    them is NULL.
    """

    columns: tuple[str, ...]
    table: str
    referenced: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CatalogTable:
    """A table of the database.

    Attributes:
        keys: column sets under an enforced PRIMARY KEY or UNIQUE, only those with all columns
            NOT NULL; the PRIMARY KEY first.
        foreign_keys: enforced, single-column ones.
        wide_keys: enforced ones of several columns.
        place: its database and schema.
        own: its name there, where `name` has more parts.
        comment: what the database says of it, for people.
    """

    name: str
    columns: tuple[CatalogColumn, ...]
    keys: tuple[tuple[str, ...], ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    wide_keys: tuple[WideForeignKey, ...] = ()
    place: tuple[str, str] = HERE
    own: str = ""
    comment: str = field(default="", compare=False)

    @property
    def path(self) -> Path:
        """Its full name."""
        return (*self.place, self.own or self.name)

    def column(self, name: str) -> CatalogColumn | None:
        """The column of that name, whatever the case, or None."""
        low = name.lower()
        return next((column for column in self.columns if column.name.lower() == low), None)


@dataclass(frozen=True, slots=True)
class Catalog:
    """The tables of a database that may be listed in a policy.

    Attributes:
        home: the database and the schema of names that name none.
        unusable: why others may not be, by their full names.
        views: the definitions of its views, by their full names.
    """

    tables: tuple[CatalogTable, ...]
    home: tuple[str, str] = HERE
    unusable: Mapping[Path, str] = field(default_factory=dict)
    views: Mapping[Path, str] = field(default_factory=dict)
    _meant: Mapping[str, dict[Path, str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found: dict[str, dict[Path, str]] = {}
        for path in (*(t.path for t in self.tables), *self.unusable):
            for name in self._names(path):
                found.setdefault(name.lower(), {})[path] = name
        object.__setattr__(self, "_meant", found)

    def table(self, name: str) -> CatalogTable | None:
        """The table of that name, whatever the case, or None."""
        low = name.lower()
        return next((table for table in self.tables if table.name.lower() == low), None)

    def meant(self, name: str) -> Mapping[Path, str]:
        """What a name of one to three parts may mean, and how the engine spells these parts.

        A table of the home schema goes before others of its name; a schema of the home database
        does not go before a database of its name: as in DuckDB, that means two things.
        """
        found = self._meant.get(name.lower(), {})
        here = {path: text for path, text in found.items() if path[:2] == self.home}
        return here if here and "." not in name else found

    def called(self, names: Iterable[str] | None = None) -> Catalog:
        """The tables that names mean, under these names, and so are those that they refer to.

        Args:
            names: of a policy; None for the shortest of each table.
        """
        known = {table.path: table for table in self.tables}
        if names is None:
            names = [n for n in map(self.shortest, known) if n]
        found = {}
        for name in names:
            meant = self.meant(name)
            if len(meant) == 1 and known.keys() >= meant.keys():
                [(path, text)] = meant.items()
                found[text.lower()] = replace(known[path], name=text, own=path[2])
        by_path = {table.path: table.name for table in reversed(found.values())}
        tables = (
            replace(
                t,
                foreign_keys=_to(t, by_path, t.foreign_keys),
                wide_keys=_to(t, by_path, t.wide_keys),
            )
            for t in found.values()
        )
        return replace(self, tables=tuple(tables))

    def shortest(self, path: Path) -> str:
        """The name that a policy gives a table or a view; "" where it can give none."""
        return next((n for n in self._names(path) if [*self.meant(n)] == [path]), "")

    def _names(self, path: Path) -> list[str]:
        """The names that may mean a table, the shortest first; none where its own has a point."""
        database, schema, own = path
        if not own or "." in own:
            return []
        inside = [own, f"{schema}.{own}"] if database == self.home[0] else []
        default = [f"{database}.{own}"] if schema == HERE[1] else []
        return [*inside, *default, f"{database}.{schema}.{own}"]


Key = TypeVar("Key", ForeignKey, WideForeignKey)


def _to(table: CatalogTable, names: Mapping[Path, str], keys: Iterable[Key]) -> tuple[Key, ...]:
    """The references to named tables; the engine has none to another schema."""
    low = {tuple(part.lower() for part in path): name for path, name in names.items()}
    return tuple(
        replace(key, table=low[to])
        for key in keys
        if (to := (*(p.lower() for p in table.place), key.table.lower())) in low
    )


def split(text: str, listed: Callable[[str], object]) -> tuple[str, str]:
    """The table and the column that table.column names, of which both may have points; the column
    is "" where it names a table.

    Args:
        text: the name.
        listed: None of what is no table.
    """
    parts = text.split(".")
    for end in range(len(parts), 0, -1):
        table = ".".join(parts[:end])
        if listed(table) is not None:
            return table, ".".join(parts[end:])
    return parts[0], ".".join(parts[1:])
