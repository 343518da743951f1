"""What there is, as drivers ask for it: the answers of dpsql's own `information_schema`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import pyarrow as pa

from dpsql.report.result import Answer, frames
from dpsql.serve.flight import flight_sql as m
from dpsql.serve.flight.sqlinfo import sql_info

Run = Callable[[str], Answer]
"""A free query of the caller's."""

TEXT, NUMBER = pa.string(), pa.int32()

TABLES = (
    "SELECT table_catalog, table_schema, table_name, "
    "CASE WHEN table_type = 'VIEW' THEN 'VIEW' ELSE 'TABLE' END AS table_type "
    "FROM information_schema.tables ORDER BY ALL"
)
COLUMNS = (
    "SELECT table_catalog, table_schema, table_name, column_name, data_type "
    "FROM information_schema.columns "
    "ORDER BY table_catalog, table_schema, table_name, ordinal_position"
)
TYPES = ("TABLE", "VIEW")
"""As JDBC names them, by which tools ask."""


def _needed(name: str, kind: pa.DataType) -> pa.Field:
    return pa.field(name, kind, nullable=False)


_WHERE = (pa.field("catalog_name", TEXT), pa.field("db_schema_name", TEXT))
_KEYS = pa.schema(
    [
        *(
            pa.field(f"{end}_{name}", TEXT)
            for end in ("pk",)
            for name in ("catalog_name", "db_schema_name")
        ),
        *(_needed(name, TEXT) for name in ("pk_table_name", "pk_column_name")),
        *(pa.field(name, TEXT) for name in ("fk_catalog_name", "fk_db_schema_name")),
        *(_needed(name, TEXT) for name in ("fk_table_name", "fk_column_name")),
        _needed("key_sequence", NUMBER),
        *(pa.field(name, TEXT) for name in ("fk_key_name", "pk_key_name")),
        *(_needed(name, pa.uint8()) for name in ("update_rule", "delete_rule")),
    ]
)
_TABLES = pa.schema([*_WHERE, _needed("table_name", TEXT), _needed("table_type", TEXT)])
_WITH_SCHEMAS = _TABLES.append(_needed("table_schema", pa.binary()))

_XDBC = (
    *(("type_name", TEXT, False), ("data_type", NUMBER, False), ("column_size", NUMBER, True)),
    *(("literal_prefix", TEXT, True), ("literal_suffix", TEXT, True)),
    *(("create_params", pa.list_(_needed("item", TEXT)), True), ("nullable", NUMBER, False)),
    *(("case_sensitive", pa.bool_(), False), ("searchable", NUMBER, False)),
    *(("unsigned_attribute", pa.bool_(), True), ("fixed_prec_scale", pa.bool_(), False)),
    *(("auto_increment", pa.bool_(), True), ("local_type_name", TEXT, True)),
    *(("minimum_scale", NUMBER, True), ("maximum_scale", NUMBER, True)),
    *(("sql_data_type", NUMBER, False), ("datetime_subcode", NUMBER, True)),
    *(("num_prec_radix", NUMBER, True), ("interval_precision", NUMBER, True)),
)

SCHEMAS: dict[type, pa.Schema] = {
    m.CommandGetCatalogs: pa.schema([_needed("catalog_name", TEXT)]),
    m.CommandGetDbSchemas: pa.schema([_WHERE[0], _needed("db_schema_name", TEXT)]),
    m.CommandGetTableTypes: pa.schema([_needed("table_type", TEXT)]),
    m.CommandGetPrimaryKeys: pa.schema(
        [
            *(*_WHERE, _needed("table_name", TEXT), _needed("column_name", TEXT)),
            *(pa.field("key_name", TEXT), _needed("key_sequence", NUMBER)),
        ]
    ),
    **dict.fromkeys(
        (m.CommandGetExportedKeys, m.CommandGetImportedKeys, m.CommandGetCrossReference), _KEYS
    ),
    m.CommandGetXdbcTypeInfo: pa.schema([pa.field(n, k, nullable=may) for n, k, may in _XDBC]),
}


def schema_of(asked: m.Catalogued) -> pa.Schema:
    """Of what is answered."""
    if isinstance(asked, m.CommandGetTables):
        return _WITH_SCHEMAS if asked.include_schema else _TABLES
    if isinstance(asked, m.CommandGetSqlInfo):
        return sql_info(()).schema
    return SCHEMAS[type(asked)]


def table_of(asked: m.Catalogued, run: Run) -> pa.Table:
    """What is answered; nothing where there is nothing of the kind, such as foreign keys."""
    if isinstance(asked, m.CommandGetSqlInfo):
        return sql_info(asked.info)
    rows: Iterable[tuple[Any, ...]] = ()
    if isinstance(asked, m.CommandGetTableTypes):
        rows = [(name,) for name in TYPES]
    elif isinstance(asked, m.CommandGetCatalogs):
        rows = dict.fromkeys(row[:1] for row in run(TABLES).rows)
    elif isinstance(asked, m.CommandGetDbSchemas):
        like = _like(asked.db_schema_filter_pattern)
        pairs = dict.fromkeys(row[:2] for row in run(TABLES).rows)
        rows = [pair for pair in pairs if asked.catalog in (None, pair[0]) and like(pair[1])]
    elif isinstance(asked, m.CommandGetTables):
        rows = _tables(asked, run)
    columns = zip(*rows, strict=True) if rows else [()] * len(schema_of(asked))
    made = zip(columns, schema_of(asked), strict=True)
    arrays = [pa.array(values, field.type) for values, field in made]
    return pa.Table.from_arrays(arrays, schema=schema_of(asked))


def _tables(asked: m.CommandGetTables, run: Run) -> list[tuple[Any, ...]]:
    schema, name = _like(asked.db_schema_filter_pattern), _like(asked.table_name_filter_pattern)
    found = [
        row
        for row in run(TABLES).rows
        if asked.catalog in (None, row[0]) and schema(row[1]) and name(row[2])
        if not asked.table_types or row[3] in asked.table_types
    ]
    if not asked.include_schema:
        return found
    columns: dict[tuple[Any, ...], list[tuple[str, str]]] = {}
    for *path, column, kind in run(COLUMNS).rows:
        columns.setdefault(tuple(path), []).append((column, kind))
    return [(*row, _schema(columns.get(tuple(row[:3]), []))) for row in found]


def _schema(columns: list[tuple[str, str]]) -> bytes:
    names, kinds = zip(*columns, strict=True) if columns else ((), ())
    made: bytes = frames.schema(names, kinds)[0].serialize().to_pybytes()
    return made


def _like(pattern: str | None) -> Callable[[str], bool]:
    """Whether a name is like a pattern of % and _; each is, where there is none.

    Runs of % are one, and what stands between two is found where it comes first, so that no
    pattern takes longer than its length by the name's.
    """
    if pattern is None:
        return lambda name: True
    parts = [part.replace("_", "\0") for part in re.split("%+", pattern)]

    def fits(part: str, name: str, at: int) -> bool:
        own = name[at : at + len(part)]
        return len(own) == len(part) and all(a in ("\0", b) for a, b in zip(part, own, strict=True))

    def like(name: str) -> bool:
        first, *rest = parts
        if not rest:
            return len(first) == len(name) and fits(first, name, 0)
        at, last = len(first), rest.pop()
        if not fits(first, name, 0):
            return False
        for part in rest:
            places = range(at, len(name) - len(part) + 1)
            found = next((place for place in places if fits(part, name, place)), None)
            if found is None:
                return False
            at = found + len(part)
        return len(name) - len(last) >= at and fits(last, name, len(name) - len(last))

    return like
