"""What a database's own catalog says: the part of the schema that the engine itself enforces.

An engine fills it with nothing else. A constraint that the engine merely stores, or that it would
have to read rows to confirm, does not belong here: all of this counts as proven.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpsql.core.schema import HERE
from dpsql.types import Scalar, Type


@dataclass(frozen=True, slots=True)
class CatalogColumn:
    """A column of the database.

    Attributes:
        bounds: inclusive, from a CHECK that every non-NULL value passes (for a DOUBLE: NaN fails).
        values: every value that is not NULL, from a CHECK; those of an ENUM are in its type.
    """

    name: str
    type: Type
    not_null: bool = False
    bounds: tuple[Scalar, Scalar] | None = None
    values: tuple[Scalar, ...] | None = None


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """An enforced foreign key of one column: its value is NULL or is in the referenced column."""

    column: str
    table: str
    referenced_column: str


@dataclass(frozen=True, slots=True)
class CatalogTable:
    """A table of the database.

    Attributes:
        keys: column sets under an enforced PRIMARY KEY or UNIQUE, only those with all columns
            NOT NULL; the PRIMARY KEY first.
        foreign_keys: enforced, single-column ones.
        place: its database and schema.
    """

    name: str
    columns: tuple[CatalogColumn, ...]
    keys: tuple[tuple[str, ...], ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    place: tuple[str, str] = HERE

    def column(self, name: str) -> CatalogColumn | None:
        """The column of that name, whatever the case, or None."""
        low = name.lower()
        return next((column for column in self.columns if column.name.lower() == low), None)


@dataclass(frozen=True, slots=True)
class Catalog:
    """The tables of a database that may be listed in a policy."""

    tables: tuple[CatalogTable, ...]

    def table(self, name: str) -> CatalogTable | None:
        """The table of that name, whatever the case, or None."""
        low = name.lower()
        return next((table for table in self.tables if table.name.lower() == low), None)
