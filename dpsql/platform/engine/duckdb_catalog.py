"""DuckDB's own catalog: types and enforced constraints, never data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import duckdb
import sqlglot

from dpsql.core.schema import Path
from dpsql.core.sqltypes import parse_type
from dpsql.platform.engine import check_ranges
from dpsql.platform.policy.catalog import (
    Catalog,
    CatalogColumn,
    CatalogTable,
    ForeignKey,
    WideForeignKey,
)
from dpsql.types import Type

VIEW = (
    "it is a view, of which no claim can be checked; list it under `views`, and the tables that it "
    "reads under `tables`, or store its rows as a table"
)
COLLATED = "it has a column with a COLLATE clause, under which different texts are equal"
GENERATED = "it has a generated column, which may fail on a row; store the column instead"
ALIKE = "two of its columns have names that differ in case alone; rename one"
FOREIGN = "it is in an attached database that is none of DuckDB's"


@dataclass(frozen=True, slots=True)
class DuckDBCatalog:
    """What `read` finds.

    Attributes:
        catalog: the tables and views, and why some of them are of no use.
        definitions: how each is defined, with all its constraints, by its full name.
    """

    catalog: Catalog
    definitions: Mapping[tuple[str, ...], str]


@dataclass(frozen=True, slots=True)
class _Constraint:
    kind: str
    columns: tuple[str, ...]
    expression: str | None
    table: str | None
    referenced: tuple[str, ...]


DEFINITIONS, VIEWS = (
    f'SELECT "database_name", "schema_name", "{kind}_name", "sql" '
    f'FROM "system"."main"."duckdb_{kind}s"()'
    for kind in ("table", "view")
)


def definitions(rows: Sequence[Sequence[object]]) -> dict[tuple[str, ...], str]:
    """The rows of DEFINITIONS, or of VIEWS, by their targets."""
    return {tuple(str(part) for part in row[:3]): str(row[3]) for row in rows}


def read(
    connection: duckdb.DuckDBPyConnection,
    home: tuple[str, str],
    *,
    views: bool = False,
    attached: frozenset[str] | None = None,
) -> DuckDBCatalog:
    """The catalog of a database, and of those that are attached to it.

    Args:
        home: the database and the schema where names without these are looked up.
        views: whether its views are dpsql's own, over files, and so are tables.
        attached: which others count; None for all. (Connections of one process to one file have
            all databases that one of them has attached.)
    """

    def of(function: str, columns: str) -> list[tuple[Path, tuple[object, ...]]]:
        # Filtered here: a query with = or lower() could be shadowed by the database's own macros.
        names = ", ".join(f'"{c}"' for c in ["database_name", "schema_name", *columns.split()])
        found = connection.execute(f'SELECT {names} FROM "system"."main"."{function}"()').fetchall()
        return [((str(r[0]), str(r[1]), str(r[2])), r[3:]) for r in found if r[0] in kinds]

    listed = 'SELECT "database_name", "type", "internal" FROM "system"."main"."duckdb_databases"()'
    kinds = {
        str(name): str(kind)
        for name, kind, internal in connection.execute(listed).fetchall()
        if not internal and (attached is None or name in {home[0], *attached})
    }
    # Before all else: a table that changes meanwhile is one that has changed.
    told = (DEFINITIONS,) if views else (DEFINITIONS, VIEWS)
    every = (connection.execute(sql).fetchall() for sql in told)
    defined = definitions([row for rows in every for row in rows])
    reasons: dict[Path, str] = {}
    columns: dict[Path, list[_Column]] = {}
    told_of: dict[Path, str] = {}
    found: dict[Path, str] = {}
    for path, (sql, internal, comment) in of("duckdb_tables", "table_name sql internal comment"):
        if not internal:
            columns[path], told_of[path] = [], str(comment or "")
            if _collated(str(sql)):
                reasons[path] = COLLATED
    for path, (sql, internal) in of("duckdb_views", "view_name sql internal"):
        if not internal:
            columns[path] = []
            if not views:
                reasons[path], found[path] = VIEW, str(sql)
    fields = "table_name column_name data_type is_nullable is_generated column_index comment"
    rows = of("duckdb_columns", fields)
    for path, row in sorted(rows, key=lambda r: (r[0], int(str(r[1][4])))):
        name, type_, nullable, generated, _, comment = row
        if path in columns:
            columns[path].append((str(name), str(type_), bool(nullable), str(comment or "")))
            if generated:
                reasons.setdefault(path, GENERATED)
    for path, own in columns.items():
        if len({name.lower() for name, *_ in own}) < len(own):
            reasons.setdefault(path, ALIKE)
    constraints: dict[Path, list[_Constraint]] = {path: [] for path in columns}
    fields = (
        "table_name constraint_type constraint_column_names expression "
        "referenced_table referenced_column_names"
    )
    for path, (kind, members, text, other, referenced) in of("duckdb_constraints", fields):
        if path in constraints:
            constraints[path].append(
                _Constraint(
                    str(kind),
                    _names(members),
                    None if text is None else str(text),
                    None if other is None else str(other),
                    _names(referenced),
                )
            )
    for path in columns:
        if kinds[path[0]] != "duckdb":
            reasons.setdefault(path, FOREIGN)
    tables = tuple(
        replace(
            _table(path[2], columns[path], constraints[path]),
            place=path[:2],
            comment=told_of.get(path, ""),
        )
        for path in sorted(columns)
        if path not in reasons
    )
    return DuckDBCatalog(Catalog(tables, home, reasons, found), defined)


_Column = tuple[str, str, bool, str]
"""Its name, its type, whether it may be NULL, and its comment."""


def _table(
    name: str, columns: Sequence[_Column], constraints: Sequence[_Constraint]
) -> CatalogTable:
    not_null = {column for column, _, nullable, _ in columns if not nullable}
    checks = [c.expression for c in constraints if c.kind == "CHECK" and c.expression]
    keys: dict[tuple[str, ...], None] = {}  # an ordered set
    references: list[ForeignKey] = []
    wide: list[WideForeignKey] = []
    for c in sorted(constraints, key=lambda c: c.kind != "PRIMARY KEY"):
        if c.kind in ("PRIMARY KEY", "UNIQUE") and not_null.issuperset(c.columns):
            keys[c.columns] = None
        if c.kind == "FOREIGN KEY" and c.table and len(c.columns) == len(c.referenced) == 1:
            references.append(ForeignKey(c.columns[0], c.table, c.referenced[0]))
        elif c.kind == "FOREIGN KEY" and c.table and len(c.columns) == len(c.referenced):
            wide.append(WideForeignKey(c.columns, c.table, c.referenced))
    return CatalogTable(
        name=name,
        columns=tuple(_column(column, checks) for column in columns),
        keys=tuple(keys),
        foreign_keys=tuple(references),
        wide_keys=tuple(wide),
    )


def _column(column: _Column, checks: Sequence[str]) -> CatalogColumn:
    name, data_type, nullable, comment = column
    type_ = _type(data_type)
    return CatalogColumn(
        name=name,
        type=type_,
        not_null=not nullable,
        bounds=check_ranges.bounds(checks, name, type_),
        values=check_ranges.values(checks, name, type_),
        comment=comment,
    )


def _type(data_type: str) -> Type:
    if data_type.startswith("TIMESTAMP_"):
        return Type(data_type)  # other units and ranges than TIMESTAMP, so casts to it may fail
    try:
        return parse_type(data_type)
    except ValueError:
        return Type("UNKNOWN")


def _names(members: object) -> tuple[str, ...]:
    return tuple(str(m) for m in members) if isinstance(members, list | tuple) else ()


def _collated(create_table: str) -> bool:
    """Whether a CREATE TABLE names a collation; DuckDB's catalog functions do not show it."""
    try:
        tokens = sqlglot.tokenize(create_table, read="duckdb")
    except sqlglot.errors.SqlglotError:
        return "collate" in create_table.lower()
    return any(token.token_type.name == "COLLATE" for token in tokens)
