"""Guesses, from a catalog alone, at what a drafted policy protects and which tables lead there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpsql.errors import PolicyError
from dpsql.platform.policy.catalog import Catalog, CatalogTable, WideForeignKey, split
from dpsql.platform.policy.messages import did_you_mean, no_column
from dpsql.platform.policy.owners import Link, Links, leading

# What people call the table of those whom they protect.
_PROTECTED = (
    *("customer", "person", "people", "patient", "user", "client", "member", "account"),
    *("household", "student", "employee", "citizen", "subject", "participant"),
)


@dataclass(frozen=True, slots=True)
class Unit:
    """The drafted unit: a table, its column (None: each row is one), and whether it is a guess."""

    table: CatalogTable
    column: str | None
    guessed: bool

    @property
    def text(self) -> str:
        """As the policy writes it."""
        return self.table.name if self.column is None else f"{self.table.name}.{self.column}"


def links_of(catalog: Catalog) -> Links:
    """The catalog's references to keys, by table, without those of a table to itself."""
    links: dict[str, tuple[Link, ...]] = {}
    for table in catalog.tables:
        low = table.name.lower()
        links[low] = tuple(
            Link(low, key.column.lower(), key.table.lower(), key.referenced_column.lower())
            for key in table.foreign_keys
            if key.table.lower() != low and _is_key(catalog, key.table, key.referenced_column)
        )
    return links


def find_unit(catalog: Catalog, unit: str | None) -> Unit:
    """The given unit, looked up; else the table that looks most like it.

    Raises:
        PolicyError: no such table or column, or nothing to guess from.
    """
    return _given(catalog, unit) if unit is not None else candidates(catalog)[0]


def candidates(catalog: Catalog) -> tuple[Unit, ...]:
    """What may be protected, the likeliest first.

    Raises:
        PolicyError: nothing to guess from.
    """
    tables = catalog.tables
    links = links_of(catalog)
    led = {table.name: _led_to(table, links) for table in tables}
    found = [table for table in tables if led[table.name]] or [*tables]
    if not found:
        raise PolicyError("the database has no table to draft a policy from")
    if len(found) > 1 and not any(led.values()) and not any(map(_likely, found)):
        raise PolicyError("no table refers to another; name the unit, such as person.id")
    best = sorted(found, key=lambda table: (not _likely(table), -led[table.name], table.name))
    return tuple(Unit(table, _single_key(table), True) for table in best)


def find_paths(
    catalog: Catalog, unit: Unit
) -> tuple[Mapping[str, Link], Mapping[str, tuple[Link, ...]]]:
    """The owner of each table that leads to the unit; and the choices where there are several.

    A table whose path goes through one of the latter is in neither.
    """
    links = links_of(catalog)
    start = unit.table.name.lower()
    owners: dict[str, Link] = {}
    several: dict[str, tuple[Link, ...]] = {}
    if unit.column is None:
        return owners, several
    for table in catalog.tables:
        low = table.name.lower()
        if low == start:
            continue
        found = leading(low, links, start)
        if len(found) == 1:
            owners[low] = found[0]
        elif found:
            several[low] = found
    while broken := [
        low
        for low, link in owners.items()
        if link.to_table != start and link.to_table not in owners
    ]:
        for low in broken:
            del owners[low]
    return owners, several


def find_wide(
    catalog: Catalog, unit: Unit, owned: set[str], several: set[str]
) -> dict[str, WideForeignKey]:
    """Of the tables without another way to the unit, the enforced reference of several columns that
    leads to one whose rows say themselves whose they are; by table in lower case.

    Args:
        catalog: of the database.
        unit: that is drafted.
        owned: the tables with a way of single columns.
        several: those with several ways.
    """
    start, found = unit.table.name.lower(), {}
    for table in catalog.tables if unit.column is not None else ():
        low = table.name.lower()
        ways = [key for key in table.wide_keys if key.table.lower() in owned | {start}]
        if len(ways) == 1 and low not in owned | several | {start}:
            found[low] = ways[0]
    return found


def _given(catalog: Catalog, unit: str) -> Unit:
    name, column = split(unit, catalog.table)
    table = catalog.table(name)
    if table is None:
        near = did_you_mean(name, (known.name for known in catalog.tables))
        raise PolicyError(f"the database has no table {name}{near}")
    if not column:
        return Unit(table, _single_key(table), False)
    found = table.column(column)
    if found is None:
        known = (one.name for one in table.columns)
        raise PolicyError(no_column(f"database's table {table.name}", column, known))
    return Unit(table, found.name, False)


def _led_to(table: CatalogTable, links: Links) -> int:
    """How many other tables lead to the table."""
    target = table.name.lower()
    return sum(1 for low in links if low != target and leading(low, links, target))


def _likely(table: CatalogTable) -> bool:
    name = table.name.lower()
    return any(name in (word, f"{word}s") for word in _PROTECTED)


def _single_key(table: CatalogTable) -> str | None:
    return next((key[0] for key in table.keys if len(key) == 1), None)


def _is_key(catalog: Catalog, table: str, column: str) -> bool:
    target = catalog.table(table)
    return target is not None and any(
        len(key) == 1 and key[0].lower() == column.lower() for key in target.keys
    )
