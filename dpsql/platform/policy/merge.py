"""The policy and the catalog side by side: which tables and columns there are, of which types,
with which references, and which keys are unique in fact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpsql.core.schema import Reference
from dpsql.core.sqltypes import UNKNOWN
from dpsql.platform.policy import several_columns
from dpsql.platform.policy.catalog import Catalog, CatalogColumn, CatalogTable
from dpsql.platform.policy.checks import declared_links, domain, unit_link
from dpsql.platform.policy.messages import no_column
from dpsql.platform.policy.model import ColumnPolicy, Policy, TablePolicy
from dpsql.platform.policy.owners import Link, Links, find_owners
from dpsql.platform.policy.places import Path, Problem
from dpsql.platform.policy.scalars import comparable
from dpsql.types import Type

_NOTHING = ColumnPolicy()


@dataclass(frozen=True, slots=True)
class MergedColumn:
    """A column by both accounts.

    Attributes:
        name: as the engine spells it; without a catalog as the policy does.
        path: of its declaration in the policy, or of its table's.
        link: its reference, if any, to a listed table.
        link_enforced: whether the engine enforces that reference.
    """

    name: str
    type: Type
    path: Path
    declared: ColumnPolicy
    catalog: CatalogColumn | None
    link: Link | None
    link_enforced: bool

    @property
    def link_path(self) -> Path:
        """Of what declares the reference, or of its column or table."""
        return self.path if self.declared.references is None else (*self.path, "references")


@dataclass(frozen=True, slots=True)
class MergedTable:
    """A listed table by both accounts.

    Attributes:
        columns: by lower-case name, in the engine's order.
        key: lower-case columns, together unique and never NULL *in fact*; () where none is known.
        key_to_check: whether that holds only once the opening check has tested the data.
        keys: every one that is known, and that one.
        owner: the reference that leads to the unit; None for the unit's own table and public ones.
        lookup: the reference of several columns that tells the owner column, which is then none of
            the data's: its reference is that of the owner there.
    """

    name: str
    path: Path
    declared: TablePolicy
    catalog: CatalogTable | None
    columns: Mapping[str, MergedColumn]
    key: tuple[str, ...]
    key_to_check: bool
    keys: tuple[tuple[str, ...], ...]
    owner: Link | None
    lookup: Link | None = None

    @property
    def unique(self) -> frozenset[str]:
        """Lower-case columns that are each unique and never NULL in fact."""
        return frozenset(key[0] for key in self.keys if len(key) == 1)

    @property
    def not_null(self) -> frozenset[str]:
        """Lower-case columns that are in a key."""
        return frozenset(column for key in self.keys for column in key)


def merge(policy: Policy, catalog: Catalog | None) -> Mapping[str, MergedTable]:
    """The listed tables by lower-case name.

    Raises:
        PolicyError: the two contradict each other, or both are silent on what is needed.
    """
    merger = _Merger(policy, catalog)
    return merger.tables()


def links(policy: Policy, catalog: Catalog | None) -> Links:
    """The references between listed tables: those that the policy declares, and of other columns
    those that the engine enforces.
    """
    found = dict(declared_links(policy))
    catalog = None if catalog is None else catalog.called(policy.tables)
    for name in policy.tables:
        known = catalog.table(name) if catalog is not None else None
        declared = {link.column for link in found[name.lower()]}
        found[name.lower()] += tuple(
            Link(name.lower(), key.column.lower(), key.table.lower(), key.referenced_column.lower())
            for key in (known.foreign_keys if known is not None else ())
            if key.column.lower() not in declared and key.table.lower() in found
        )
    return found


def not_found(catalog: Catalog, name: str, what: str = "table") -> str:
    """Why a name means no table, or no view, of a policy."""
    meant = [*catalog.meant(name)]
    if len(meant) > 1:
        return f"{name} could mean {' or '.join('.'.join(path) for path in meant)}"
    if meant:
        return f"{name}: {catalog.unusable[meant[0]]}"
    # No "did you mean": a table that the policy does not list is not to be named.
    return f"the database has no {what} {name}"


class _Merger:
    def __init__(self, policy: Policy, catalog: Catalog | None) -> None:
        self.policy, self.catalog = policy, catalog
        self.problems: list[Problem] = []
        self.names = {name.lower(): name for name in policy.tables}
        self.declared = {name.lower(): table for name, table in policy.tables.items()}
        self.catalog_tables: dict[str, CatalogTable | None] = {}

    def tables(self) -> Mapping[str, MergedTable]:
        listed: dict[tuple[str, ...], str] = {}
        known = None if self.catalog is None else self.catalog.called(self.names.values())
        for low, name in self.names.items():
            found = known.table(name) if known is not None else None
            if self.catalog is not None and found is None:
                self._tell(("tables", name), not_found(self.catalog, name))
            if found is not None and (other := listed.setdefault(found.path, name)) != name:
                self._tell(("tables", name), f"{other} is the same table")
            self.catalog_tables[low] = found
        self._stop()
        columns = {low: self._columns(low) for low in self.names}
        self._apart(columns)
        self._stop()
        self._unit_column(columns)
        for low in self.names:
            for column in columns[low].values():
                self._reference(low, column, columns)
        self._stop()
        links = {
            low: tuple(column.link for column in of_table.values() if column.link is not None)
            for low, of_table in columns.items()
        }
        self.problems += list(several_columns.problems(self.policy, columns))
        self._stop()
        wide = several_columns.links(self.policy)
        links = {low: (*of_table, *wide[low]) for low, of_table in links.items()}
        owners, problems = find_owners(self.policy, links, final=True)
        self.problems += problems
        self._stop()
        looked = {low: self._told(link, owners, columns) for low, link in owners.items()}
        self._stop()
        merged = {low: self._table(low, columns[low], owners, looked) for low in self.names}
        for table in merged.values():
            self._targets(table, merged)
            self.problems += several_columns.targets(table, merged, self._unit())
        self._rows(merged)
        self._one_unit(merged)
        self._stop()
        return merged

    def _apart(self, columns: Mapping[str, Mapping[str, MergedColumn]]) -> None:
        """What is said of a column, such as that a claim was verified, goes by table.column; two
        are called alike only where names have points in them.
        """
        seen: set[str] = set()
        for low, of_table in columns.items():
            for full in (f"{low}.{column}" for column in of_table):
                if full in seen:
                    self._tell(("tables", self.names[low]), f"two columns are called {full}")
                seen.add(full)

    def _columns(self, low: str) -> dict[str, MergedColumn]:
        name, table, catalog = self.names[low], self.declared[low], self.catalog_tables[low]
        path: Path = ("tables", name)
        listed = {column.lower(): column for column in table.columns}
        columns: dict[str, MergedColumn] = {}
        if catalog is not None:
            self._known_to(catalog, name, table)
            for in_catalog in catalog.columns:
                spelled = listed.get(in_catalog.name.lower())
                columns[in_catalog.name.lower()] = self._column(low, spelled, in_catalog)
            return columns
        # Without a catalog a key's columns exist because the key says so.
        implied = [*table.key]
        if low == self.policy.unit_table.lower() and not table.key and self.policy.unit_column:
            implied = [self.policy.unit_column]
        for column in implied:
            if column.lower() not in listed:
                type_ = self._type_from_references(low, column.lower())
                columns[column.lower()] = MergedColumn(
                    column, type_, path, _NOTHING, None, None, False
                )
        for column_low, column in listed.items():
            columns[column_low] = self._column(low, column, None)
        return columns

    def _known_to(self, catalog: CatalogTable, name: str, table: TablePolicy) -> None:
        path: Path = ("tables", name)
        named: list[tuple[Path, str]] = [
            *(((*path, "columns", column), column) for column in table.columns),
            *(((*path, "key", index), column) for index, column in enumerate(table.key)),
        ]
        for thing, columns in table.one_unit.items():
            named += [((*path, "one_unit", thing, i), column) for i, column in enumerate(columns)]
        if table.owner is not None:
            named.append(((*path, "owner"), table.owner))
        for where, column in named:
            if catalog.column(column) is None:
                known = (one.name for one in catalog.columns)
                self._tell(where, no_column(f"database's table {name}", column, known))

    def _column(
        self, low: str, spelled: str | None, in_catalog: CatalogColumn | None
    ) -> MergedColumn:
        path: Path = ("tables", self.names[low])
        declared = _NOTHING
        if spelled is not None:
            path = (*path, "columns", spelled)
            declared = self.declared[low].columns[spelled]
        name = in_catalog.name if in_catalog is not None else str(spelled)
        type_ = declared.type or UNKNOWN
        if in_catalog is not None:
            type_ = in_catalog.type
            said = declared.type
            # Two opaque types are alike to the analysis, however each is spelled.
            if said is not None and said != type_ and not (said.is_opaque and type_.is_opaque):
                self._tell((*path, "type"), f"declared as {said}, but the database has {type_}")
        elif declared.type is None:
            self._tell(path, f"without a database the column {name} needs a type")
        self.problems += domain(declared, None if type_ == UNKNOWN else type_, path)
        link, enforced = self._link(low, name.lower(), declared)
        return MergedColumn(name, type_, path, declared, in_catalog, link, enforced)

    def _link(self, low: str, column: str, declared: ColumnPolicy) -> tuple[Link | None, bool]:
        catalog = self.catalog_tables[low]
        enforced = [
            Link(low, column, key.table.lower(), key.referenced_column.lower())
            for key in (catalog.foreign_keys if catalog is not None else ())
            if key.column.lower() == column and key.table.lower() in self.names
        ]
        if (to := declared.references) is not None:
            link = Link(low, column, to.table.lower(), to.column.lower())
            return link, link in enforced
        own = unit_link(self.policy, low)
        if own is not None and own.column == column:
            return own, False
        return (enforced[0], True) if enforced else (None, False)

    def _type_from_references(self, low: str, column: str) -> Type:
        """The type of a column that is only named as a key: that of a column that refers to it."""
        for table in self.declared.values():
            for other in table.columns.values():
                to = other.references
                if to is None or other.type is None:
                    continue
                if (to.table.lower(), to.column.lower()) == (low, column):
                    return other.type
        return UNKNOWN

    def _unit_column(self, columns: Mapping[str, Mapping[str, MergedColumn]]) -> None:
        name = self.policy.unit_column
        if name is None:
            return
        of_unit = columns[self.policy.unit_table.lower()]
        if name.lower() not in of_unit:
            known = (column.name for column in of_unit.values())
            self._tell(("unit",), no_column(f"table {self.policy.unit_table}", name, known))

    def _reference(
        self, low: str, column: MergedColumn, columns: Mapping[str, Mapping[str, MergedColumn]]
    ) -> None:
        link = column.link
        if link is None:
            return
        path = column.link_path
        to_name = self.names[link.to_table]
        if not self.declared[low].private and self.declared[link.to_table].private:
            message = f"the public table's column {column.name} refers to the private {to_name}"
            self._tell(path, message)
        target = columns[link.to_table].get(link.to_column)
        if target is None:
            known = (other.name for other in columns[link.to_table].values())
            self._tell(path, no_column(f"table {to_name}", link.to_column, known))
        elif not comparable(column.type, target.type):
            message = (
                f"{column.name} is {column.type}, but {to_name}.{target.name} is {target.type}"
            )
            self._tell(path, message)

    def _told(
        self,
        link: Link,
        owners: Mapping[str, Link],
        columns: dict[str, dict[str, MergedColumn]],
    ) -> Link:
        """The owner of a table; where a reference of several columns tells it, that of the table
        that it leads to, as a column of this one.
        """
        if not link.pairs:
            return link
        there, name = owners.get(link.to_table), self.names[link.to_table]
        unit = self._unit()
        owner = there.column if there is not None else unit[1]
        if there is not None and there.pairs:
            message = f"{name} itself is told by several columns whose its rows are; give one of "
            self._tell(("tables", self.names[link.table], "references"), message + "them a column")
            return link
        made = Link(link.table, link.column, *unit, units=True)
        if there is not None:
            made = replace(there, table=link.table, column=link.column)
        type_, path = columns[link.to_table][owner].type, ("tables", self.names[link.table])
        columns[link.table][link.column] = MergedColumn(
            link.column, type_, path, _NOTHING, None, made, False
        )
        return made

    def _table(
        self,
        low: str,
        columns: Mapping[str, MergedColumn],
        owners: Mapping[str, Link],
        looked: Mapping[str, Link],
    ) -> MergedTable:
        declared, catalog = self.declared[low], self.catalog_tables[low]
        enforced = [
            tuple(column.lower() for column in key)
            for key in (catalog.keys if catalog is not None else ())
        ]
        on_path = low == self.policy.unit_table.lower() or any(
            link.to_table == low for link in owners.values()
        )
        # Only these keys are tested when the database is opened. The key of another private table
        # would be a claim that nothing enforces and nothing checks, so it is not kept.
        tested = on_path or not declared.private
        key, to_check = _key(tuple(column.lower() for column in declared.key), enforced, tested)
        return MergedTable(
            name=catalog.name if catalog is not None else self.names[low],
            path=("tables", self.names[low]),
            declared=declared,
            catalog=catalog,
            columns=columns,
            key=key,
            key_to_check=to_check,
            keys=tuple(one for one in (*enforced, key) if one),
            owner=looked.get(low),
            lookup=owners[low] if low in owners and owners[low].pairs else None,
        )

    def _targets(self, table: MergedTable, merged: Mapping[str, MergedTable]) -> None:
        """A reference leads to a key, one on the owner path to a key that holds in fact."""
        for column in table.columns.values():
            link = column.link
            if link is None or link.units:
                continue
            if column.declared.references is None and table.owner != link:
                continue
            target = merged[link.to_table]
            declared_key = [name.lower() for name in target.declared.key]
            if link.to_column in target.unique:
                continue
            if table.owner != link and declared_key == [link.to_column]:
                continue
            to_column = target.columns[link.to_column].name
            message = f"{target.name}.{to_column} is not the key of its table; a reference needs "
            message += f"`key: [{to_column}]` at {target.name}"
            if (target.name.lower(), link.to_column) == self._unit():
                message += f"; if a unit has several rows there, write `unit: {to_column}`, "
                message += "without a table, and at each table `owner:` with the column that names "
                message += "a unit"
            self._tell(column.link_path, message)

    def _unit(self) -> tuple[str, str]:
        return self.policy.unit_table.lower(), (self.policy.unit_column or "").lower()

    def _rows(self, merged: Mapping[str, MergedTable]) -> None:
        """Under `replace` the number of units is public; that of rows only where they are equal."""
        table = merged[self.policy.unit_table.lower()]
        unit = self.policy.unit_column
        if (
            table.declared.rows is not None
            and unit is not None
            and unit.lower() not in table.unique
        ):
            self._tell(
                (*table.path, "rows"),
                f"`rows` needs one row for each unit: `key: [{unit}]` at {table.name}",
            )

    def _one_unit(self, merged: Mapping[str, MergedTable]) -> None:
        """Rows of a thing of one unit say themselves whose they are."""
        of_units = self._unit()
        for low, table in merged.items():
            path: Path = ("tables", self.names[low], "one_unit")
            for thing, columns in table.declared.one_unit.items():
                for index, column in enumerate(columns):
                    if column.lower() not in table.columns:
                        known = (c.name for c in table.columns.values())
                        message = no_column(f"table {table.name}", column, known)
                        self._tell((*path, thing, index), message)
                link = table.owner
                if low != of_units[0] and (
                    link is None or (link.to_table, link.to_column) != of_units
                ):
                    message = f"the table {table.name} has no column with the unit itself"
                    self._tell((*path, thing), message)

    def _tell(self, path: Path, message: str) -> None:
        self.problems.append(Problem(path, message))

    def _stop(self) -> None:
        if self.problems:
            raise self.policy.errors(self.problems)


def _key(
    declared: tuple[str, ...], enforced: list[tuple[str, ...]], tested: bool
) -> tuple[tuple[str, ...], bool]:
    """The key that holds in fact, and whether it is for the opening check to test."""
    if declared:
        for key in enforced:
            if set(key) == set(declared):
                return declared, False
        for key in enforced:
            if set(key) < set(declared):
                return key, False  # unique on less: stronger, and its columns are NOT NULL
        if tested:
            return declared, True
    return (min(enforced, key=len), False) if enforced else ((), False)


def reference(column: MergedColumn, merged: Mapping[str, MergedTable]) -> Reference | None:
    """The column's reference where its other end is unique in fact, or both are the unit."""
    link = column.link
    if link is None or not (link.units or link.to_column in merged[link.to_table].unique):
        return None
    target = merged[link.to_table]
    return Reference(target.name, target.columns[link.to_column].name)
