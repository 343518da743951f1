"""DuckDB's own catalog: types and enforced constraints, never data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import duckdb
import sqlglot

from dpsql.core.sqltypes import parse_type
from dpsql.platform.engine import check_ranges
from dpsql.platform.policy.catalog import Catalog, CatalogColumn, CatalogTable, ForeignKey
from dpsql.types import Type

VIEW = (
    "it is a view: its definition may fail or change from query to query; "
    "declare the tables below it, or store its rows as a table"
)
COLLATED = "it has a column with a COLLATE clause, under which different texts are equal"
GENERATED = "it has a generated column, which may fail on a row; store the column instead"
AMBIGUOUS = "tables of several schemas have this name, and none is in the default schema"
FOLDED = "tables of one schema differ only in case"


@dataclass(frozen=True, slots=True)
class DuckDBCatalog:
    """What `read` finds.

    Attributes:
        catalog: the usable tables.
        targets: database, schema and table, by lower-cased table name.
        unusable: why the others are not, by lower-cased name.
        definitions: the CREATE TABLE of each table, with all its constraints, by its target.
    """

    catalog: Catalog
    targets: Mapping[str, tuple[str, str, str]]
    unusable: Mapping[str, str]
    definitions: Mapping[tuple[str, ...], str]


@dataclass(frozen=True, slots=True)
class _Constraint:
    kind: str
    columns: tuple[str, ...]
    expression: str | None
    table: str | None
    referenced: tuple[str, ...]


_Place = tuple[str, str]  # schema, table

DEFINITIONS = (
    'SELECT "database_name", "schema_name", "table_name", "sql" '
    'FROM "system"."main"."duckdb_tables"()'
)


def definitions(rows: Sequence[Sequence[object]]) -> dict[tuple[str, ...], str]:
    """The rows of DEFINITIONS by their targets."""
    return {tuple(str(part) for part in row[:3]): str(row[3]) for row in rows}


def read(
    connection: duckdb.DuckDBPyConnection, database: str, schema: str, *, views: bool = False
) -> DuckDBCatalog:
    """The catalog of one database.

    Args:
        database, schema: where unqualified names are looked up.
        views: whether its views are dpsql's own, over files, and so are tables.
    """

    def of(function: str, columns: str) -> list[tuple[str, str, tuple[object, ...]]]:
        # Filtered here: a query with = or lower() could be shadowed by the database's own macros.
        names = ", ".join(f'"{c}"' for c in ["database_name", "schema_name", *columns.split()])
        found = connection.execute(f'SELECT {names} FROM "system"."main"."{function}"()').fetchall()
        return [(str(r[1]), str(r[2]), r[3:]) for r in found if r[0] == database]

    # Before all else: a table that changes meanwhile is one that has changed.
    defined = definitions(connection.execute(DEFINITIONS).fetchall())
    reasons: dict[_Place, str] = {}
    places: list[_Place] = []
    for in_schema, table, (sql, internal) in of("duckdb_tables", "table_name sql internal"):
        if not internal:
            places.append((in_schema, table))
            if _collated(str(sql)):
                reasons[in_schema, table] = COLLATED
    for in_schema, view, (internal,) in of("duckdb_views", "view_name internal"):
        if not internal:
            places.append((in_schema, view))
            if not views:
                reasons[in_schema, view] = VIEW
    columns: dict[_Place, list[tuple[str, str, bool]]] = {place: [] for place in places}
    fields = "table_name column_name data_type is_nullable is_generated column_index"
    rows = of("duckdb_columns", fields)
    for in_schema, table, row in sorted(rows, key=lambda r: (r[0], r[1], int(str(r[2][4])))):
        name, type_, nullable, generated, _ = row
        if (in_schema, table) in columns:
            columns[in_schema, table].append((str(name), str(type_), bool(nullable)))
            if generated:
                reasons.setdefault((in_schema, table), GENERATED)
    constraints: dict[_Place, list[_Constraint]] = {place: [] for place in places}
    fields = (
        "table_name constraint_type constraint_column_names expression "
        "referenced_table referenced_column_names"
    )
    for in_schema, table, (kind, members, text, other, referenced) in of(
        "duckdb_constraints", fields
    ):
        if (in_schema, table) in constraints:
            constraints[in_schema, table].append(
                _Constraint(
                    str(kind),
                    _names(members),
                    None if text is None else str(text),
                    None if other is None else str(other),
                    _names(referenced),
                )
            )
    return _assemble(places, reasons, columns, constraints, database, schema, defined)


def _assemble(
    places: Sequence[_Place],
    reasons: Mapping[_Place, str],
    columns: Mapping[_Place, list[tuple[str, str, bool]]],
    constraints: Mapping[_Place, list[_Constraint]],
    database: str,
    schema: str,
    defined: Mapping[tuple[str, ...], str],
) -> DuckDBCatalog:
    by_name: dict[str, list[_Place]] = {}
    for place in places:
        by_name.setdefault(place[1].lower(), []).append(place)
    tables: list[CatalogTable] = []
    targets: dict[str, tuple[str, str, str]] = {}
    unusable: dict[str, str] = {}
    for name, candidates in sorted(by_name.items()):
        here = [place for place in candidates if place[0] == schema] or candidates
        if len(here) > 1:
            unusable[name] = FOLDED if len({place[0] for place in here}) == 1 else AMBIGUOUS
            continue
        [place] = here
        if place in reasons:
            unusable[name] = reasons[place]
            continue
        made = _table(place[1], columns[place], constraints[place])
        tables.append(replace(made, place=(database, place[0])))
        targets[name] = (database, *place)
    return DuckDBCatalog(Catalog(tuple(tables)), targets, unusable, defined)


def _table(
    name: str, columns: Sequence[tuple[str, str, bool]], constraints: Sequence[_Constraint]
) -> CatalogTable:
    not_null = {column for column, _, nullable in columns if not nullable}
    checks = [c.expression for c in constraints if c.kind == "CHECK" and c.expression]
    keys: dict[tuple[str, ...], None] = {}  # an ordered set
    references: list[ForeignKey] = []
    for c in sorted(constraints, key=lambda c: c.kind != "PRIMARY KEY"):
        if c.kind in ("PRIMARY KEY", "UNIQUE") and not_null.issuperset(c.columns):
            keys[c.columns] = None
        if c.kind == "FOREIGN KEY" and c.table and len(c.columns) == len(c.referenced) == 1:
            references.append(ForeignKey(c.columns[0], c.table, c.referenced[0]))
    return CatalogTable(
        name=name,
        columns=tuple(_column(c, type_, nullable, checks) for c, type_, nullable in columns),
        keys=tuple(keys),
        foreign_keys=tuple(references),
    )


def _column(name: str, data_type: str, nullable: bool, checks: Sequence[str]) -> CatalogColumn:
    type_ = _type(data_type)
    return CatalogColumn(
        name=name,
        type=type_,
        not_null=not nullable,
        bounds=check_ranges.bounds(checks, name, type_),
        values=check_ranges.values(checks, name, type_),
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
