"""A PostgreSQL database as tables: copied once, in one snapshot of it, into a DuckDB file.

Claim: queries see one state of the server's data, and what the catalog says is enforced is true of
it. Why: all is read in one read-only transaction at REPEATABLE READ. Keys, references, NOT NULL and
simple checks are constraints of the copy as well, so DuckDB tests each of them on every row while
it is made; whatever the server has left unchecked, nothing here rests on it.
Source: PostgreSQL 14 to 18, chapters "Transaction Isolation" and "System Catalogs".

Names are looked up in pg_catalog alone, and a role that row-level security would show a part of the
rows is refused. Values travel as texts, each in its one standard form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import duckdb

from dpsql.core.sqltypes import parse_type
from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine import ownerlog, sandbox
from dpsql.platform.engine.duckdb_catalog import ALIKE, COLLATED
from dpsql.platform.engine.folder import Types
from dpsql.platform.engine.guard import refused
from dpsql.platform.engine.postgres_checks import checks_of
from dpsql.platform.engine.reading import declared
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.engine.sql_text import dotted
from dpsql.platform.engine.sql_text import name as quoted
from dpsql.platform.engine.sql_text import text as literal
from dpsql.platform.engine.texts import cast, misfit
from dpsql.types import DOUBLE, VARCHAR, Type

if TYPE_CHECKING:
    import psycopg

HOME = "public"
"""The schema of tables whose names have one part: `main` of the copy."""

T = TypeVar("T")

_SETTINGS = (
    "SET statement_timeout = '1h'",
    "SET lock_timeout = '1min'",
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "SET LOCAL search_path = pg_catalog",
    "SET LOCAL row_security = off",
    "SET LOCAL client_encoding = 'UTF8'",
    "SET LOCAL datestyle = 'ISO, YMD'",
    "SET LOCAL intervalstyle = 'postgres'",
    "SET LOCAL TimeZone = 'UTC'",
    "SET LOCAL extra_float_digits = 3",
    "SET LOCAL bytea_output = 'hex'",
    "SET LOCAL standard_conforming_strings = on",
)

_TABLES = """SELECT n.nspname, c.relname, c.oid::int8, c.relkind::text,
  EXISTS (SELECT 1 FROM pg_inherits AS i WHERE i.inhparent = c.oid) AND c.relkind = 'r'
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_'
ORDER BY 1, 2"""

_COLUMNS = """WITH RECURSIVE base AS (
  SELECT a.attnum, a.attname, a.attnotnull, a.atttypid AS type, a.atttypmod AS mod, a.attcollation
  FROM pg_attribute AS a
  WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped
    AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
  UNION ALL
  SELECT b.attnum, b.attname, b.attnotnull, t.typbasetype, t.typtypmod, b.attcollation
  FROM base AS b JOIN pg_type AS t ON t.oid = b.type AND t.typtype = 'd'
)
SELECT b.attname, b.attnotnull, t.typname, b.mod, n.nspname = 'pg_catalog',
  (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder)
   FROM pg_enum AS e WHERE e.enumtypid = t.oid),
  coalesce((SELECT NOT l.collisdeterministic FROM pg_collation AS l WHERE l.oid = b.attcollation),
    false)
FROM base AS b JOIN pg_type AS t ON t.oid = b.type AND t.typtype <> 'd'
  JOIN pg_namespace AS n ON n.oid = t.typnamespace
ORDER BY b.attnum"""

_CONSTRAINTS = """SELECT c.contype::text, c.confrelid::int8,
  (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(c.conkey)
    WITH ORDINALITY AS k(num, place) JOIN pg_attribute AS a
    ON a.attrelid = c.conrelid AND a.attnum = k.num),
  (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(c.confkey)
    WITH ORDINALITY AS k(num, place) JOIN pg_attribute AS a
    ON a.attrelid = c.confrelid AND a.attnum = k.num),
  pg_get_expr(c.conbin, c.conrelid)
FROM pg_constraint AS c
WHERE c.conrelid = %s AND c.contype IN ('p', 'u', 'f', 'c') AND c.convalidated
  AND coalesce(to_jsonb(c) ->> 'conenforced', 'true') = 'true'
  AND coalesce(to_jsonb(c) ->> 'conperiod', 'false') = 'false'
ORDER BY c.contype = 'p' DESC, c.conname"""

_OWN = {
    "main": f"main is the copy's name for the schema {HOME}",
    "information_schema": "DuckDB has a schema of that name itself",
    "pg_catalog": "DuckDB has a schema of that name itself",
}
_KINDS = {
    "v": "a view; list the tables that it reads, or store its rows as a table",
    "m": "a materialized view; store its rows as a table",
    "f": "a foreign table, which belongs to another server",
}

_PLAIN = {
    "bool": "BOOLEAN",
    "int2": "SMALLINT",
    "int4": "INTEGER",
    "int8": "BIGINT",
    "float4": "FLOAT",
    "float8": "DOUBLE",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "timestamptz": "TIMESTAMP",
}

_REASONS = {
    "42501": "cannot be read by this user, who needs SELECT on the tables of the policy, and all "
    "of their rows in spite of row-level security",
    "57014": "could not be read within an hour",
    "55P03": "a table is locked by others",
    "53": "the server is out of resources",
}
"""By SQLSTATE, or how it begins; the first that fits."""

_NOT_OPENED = "no server is there, or no such database, or it is not open to this user"


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    type: Type
    sent: str
    """SQL: its value as a text."""
    not_null: bool


@dataclass(frozen=True, slots=True)
class _Table:
    path: tuple[str, str, str]
    """Database, schema and name in the copy: in fewer parts a schema could be a database."""
    source: str
    """SQL of its name on the server."""
    oid: int
    columns: tuple[_Column, ...]
    keys: tuple[tuple[str, ...], ...]
    references: tuple[tuple[str, int, str], ...]
    """Of a column, the table and its column that it refers to."""
    checks: tuple[str, ...]

    @property
    def shown(self) -> str:
        """Its name as a policy writes it."""
        return self.path[2] if self.path[1] == "main" else ".".join(self.path[1:])


def database(url: str) -> str:
    """The name of the database, or of the service that names it."""
    return urlsplit(url).path.strip("/") or "postgres"


def copy(
    url: str, into: Path, types: Types | None, allowed: Allowance, *, rows: bool = True
) -> tuple[str, ...]:
    """Copy its tables, those in `types` if that is given.

    Args:
        url: such as postgresql://user@host/database.
        into: the DuckDB file that is made.
        types: the declared tables and columns; the type of a number without a precision is there.
        allowed: what DuckDB may use.
        rows: whether they are wanted; else the tables are empty.

    Returns:
        What is left out, each with the reason.

    Raises:
        PolicyError: it cannot be reached or read, or values do not fit their types.
        EngineError: the driver is not installed.
    """
    try:
        import psycopg
    except ImportError:
        psycopg = None  # type: ignore[assignment]
    if psycopg is None:
        raise EngineError("PostgreSQL needs its driver: pip install 'dpsql[postgres]'")
    wanted = None if types is None else {name.lower() for name in types}
    connect = partial(psycopg.connect, url, autocommit=True, connect_timeout=30)
    with (
        closing(_asked(connect)) as server,
        closing(duckdb.connect(str(into), config=sandbox.config(allowed))) as new,
    ):
        sandbox.no_bar(new)
        for setting in _SETTINGS:
            _asked(partial(server.execute, setting))
        made, left_out = _found(server, into.stem, wanted, types or {})
        for schema in sorted({table.path[1] for table in made} - {"main"}):
            new.execute(f"CREATE SCHEMA {dotted((into.stem, schema))}")
        known = {table.oid: table for table in made}
        for table in made if rows else ():  # held to the end: TRUNCATE and ALTER heed no snapshot
            _asked(partial(server.execute, f"SELECT FROM {table.source} LIMIT 0"))
        for table in _ordered(known):
            message = f"{table.shown} cannot be made in DuckDB; the owner's log has the details"
            refused(partial(_make, new, table, known), message)
            if rows:
                _fill(server, new, table, into.with_suffix(".csv"))
    return left_out


_LINE = 16_000_000
"""The bytes that a row may have."""


def _found(
    server: psycopg.Connection[Any], database: str, wanted: set[str] | None, types: Types
) -> tuple[list[_Table], tuple[str, ...]]:
    made: list[_Table] = []
    left_out: list[str] = []
    every = _rows(server, _TABLES)
    tables = Counter((row[0].lower(), row[1].lower()) for row in every if row[3] not in _KINDS)
    schemas = Counter(schema.lower() for schema in {row[0] for row in every} - {HOME})
    for schema, name, oid, kind, inherited in every:
        full = name if schema == HOME else f"{schema}.{name}"
        if schema.lower() in _OWN:
            left_out.append(f"{full}: {_OWN[schema.lower()]}")
        elif kind in _KINDS:
            left_out.append(f"{full}: {_KINDS[kind]}")
        elif schemas[schema.lower()] > 1 or tables[schema.lower(), name.lower()] > 1:
            left_out.append(f"{full}: another name differs from it in case alone; rename one")
        elif wanted is not None and wanted.isdisjoint((full.lower(), name.lower())):
            left_out.append(f"{full}: of no table")
        else:
            every_column = _rows(server, _COLUMNS, oid)
            columns = [row for row in every_column if row[4] or row[2] != "citext"]
            folded = [row[0] for row in every_column if row not in columns]
            left_out += [f"{full}.{c}: of citext different texts are equal" for c in folded]
            names = [str(row[0]) for row in columns]
            reason = ALIKE if len({n.lower() for n in names}) < len(names) else None
            reason = COLLATED if any(row[6] for row in columns) else reason
            reason = reason or (None if columns else "this user may read none of its columns")
            if reason is not None:
                left_out.append(f"{full}: {reason}")
                continue
            said = declared(types, full) or declared(types, name)
            # What a parent table is told of, its children need not keep.
            found = [] if inherited else _rows(server, _CONSTRAINTS, oid)
            path = (database, "main" if schema == HOME else str(schema), str(name))
            made.append(_table(path, dotted((schema, name)), oid, columns, found, said))
    return made, tuple(left_out)


def _table(
    path: tuple[str, str, str],
    source: str,
    oid: int,
    columns: Sequence[Sequence[Any]],
    constraints: Sequence[Sequence[Any]],
    said: Mapping[str, Type | None],
) -> _Table:
    made = tuple(_column(row, said.get(str(row[0]).lower())) for row in columns)
    kinds = {column.name: column.type for column in made}
    # Values of a type that an extension made may be equal where their texts differ.
    own_types = {str(row[0]) for row in columns if row[4] or row[5]}
    texts = {str(row[0]) for row in columns if row[4] and row[2] in ("text", "varchar")}
    keys: list[tuple[str, ...]] = []
    references: list[tuple[str, int, str]] = []
    checks: list[str] = []
    for kind, other, own, theirs, check in constraints:
        if not kinds.keys() >= set(own or ()):
            continue
        if kind in "pu":
            keys.append(tuple(own))
        elif kind == "f" and len(own) == 1 and own_types.issuperset(own):
            references.append((own[0], int(other), theirs[0]))
        elif kind == "c":
            checks += checks_of(str(check), kinds, texts)
    return _Table(path, source, oid, made, tuple(keys), tuple(references), tuple(checks))


def _column(row: Sequence[Any], said: Type | None) -> _Column:
    name, not_null, kind, mod, builtin, labels, _ = row
    sql = quoted(name)
    type_, sent = VARCHAR, f"{sql}::text"
    if labels:
        type_ = parse_type(f"ENUM({', '.join(map(literal, labels))})")
    elif builtin and kind == "numeric":
        type_ = _decimal(mod, said)
        if type_ == VARCHAR:  # 1.0 is 1
            sent = f"trim_scale({sql})::text"
    elif builtin and kind in _PLAIN:
        type_ = parse_type(_PLAIN[kind])
    if builtin and kind == "timestamptz":
        sql = f"({sql} AT TIME ZONE 'UTC')"
        sent = f"{sql}::text"
    if type_.is_temporal:  # DuckDB writes BC elsewhere
        early = f"regexp_replace({sent}, '^(\\S+)(.*) BC$', '\\1 (BC)\\2')"
        sent = f"CASE WHEN {sql} < '0001-01-01' THEN {early} ELSE {sent} END"
    elif builtin and kind == "bytea":
        type_ = Type("BLOB")
        sent = f"regexp_replace(encode({sql}, 'hex'), '(..)', '\\x\\1', 'g')"
    return _Column(name, type_, sent, bool(not_null))


def _decimal(mod: int, said: Type | None) -> Type:
    """numeric(p, s); without these, or with more digits than DuckDB has, what the policy says of
    it, or else DOUBLE.
    """
    precision, scale = (mod - 4 >> 16) & 0xFFFF, ((mod - 4 & 0x7FF) ^ 1024) - 1024
    precision, scale = max(precision - min(scale, 0), scale), max(scale, 0)
    if mod < 4 or precision > 38:
        return said if said is not None and (said.is_numeric or said == VARCHAR) else DOUBLE
    return Type("DECIMAL", precision, scale)


def _ordered(tables: Mapping[int, _Table]) -> Iterator[_Table]:
    """Each after those that it refers to; in a circle, as they come."""
    done: set[int] = set()
    while len(done) < len(tables):
        left = [table for oid, table in tables.items() if oid not in done]
        free = [t for t in left if all(o not in tables or o in done for _, o, _ in t.references)]
        for table in free or left[:1]:
            done.add(table.oid)
            yield table


def _make(new: duckdb.DuckDBPyConnection, table: _Table, known: Mapping[int, _Table]) -> None:
    parts = [f"{quoted(c.name)} {c.type}{' NOT NULL' * c.not_null}" for c in table.columns]
    for number, key in enumerate(table.keys):
        parts.append(f"{'UNIQUE' if number else 'PRIMARY KEY'} ({', '.join(map(quoted, key))})")
    if table.keys and not _is_primary(table):
        parts = [part.replace("PRIMARY KEY", "UNIQUE") for part in parts]
    parts += [f"CHECK ({check})" for check in table.checks]
    kinds = {c.name: c.type for c in table.columns}
    for column, oid, other in table.references:
        to = known.get(oid)
        made = to is not None and new.execute(_EXISTS, list(to.path[1:])).fetchall() != []
        # DuckDB has no references between schemas.
        if to is None or not made or (other,) not in to.keys or to.path[1] != table.path[1]:
            continue
        if kinds[column] == next(c.type for c in to.columns if c.name == other):
            at = f"{dotted(to.path)} ({quoted(other)})"
            parts.append(f"FOREIGN KEY ({quoted(column)}) REFERENCES {at}")
    new.execute(f"CREATE TABLE {dotted(table.path)} ({', '.join(parts)})")


_EXISTS = "SELECT 1 FROM duckdb_tables() WHERE schema_name = ? AND table_name = ?"


def _is_primary(table: _Table) -> bool:
    full = {c.name for c in table.columns if c.not_null}
    return full.issuperset(table.keys[0])


def _fill(
    server: psycopg.Connection[Any], new: duckdb.DuckDBPyConnection, table: _Table, file: Path
) -> None:
    """Copy the rows, by a file between the two."""
    items = ", ".join(column.sent for column in table.columns)
    sql = f"COPY (SELECT {items} FROM {table.source}) TO STDOUT (FORMAT csv, FORCE_QUOTE *)"

    def send() -> None:
        with file.open("wb") as stream, server.cursor().copy(sql) as rows:
            for part in rows:
                stream.write(part)

    shown = table.shown
    try:
        file.touch(mode=0o600)
        _asked(send)
        names = [f"c{place}" for place in range(len(table.columns))]
        listed = ", ".join(f"{name}: 'VARCHAR'" for name in names)
        read = (
            f"read_csv({literal(str(file))}, auto_detect = false, header = false, delim = ',', "
            f"quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false, "
            f"max_line_size = {_LINE}, parallel = false, new_line = '\\n', "
            f"columns = {{{listed}}})"
        )
        each = list(zip(names, table.columns, strict=True))
        counts = ", ".join(f"count(*) FILTER (WHERE {misfit(n, c.type)})" for n, c in each)
        long = (
            f"{shown}: its rows cannot be read, as where one has more than {_LINE:,} bytes; the "
            "owner's log has the details"
        )
        [wrong] = refused(lambda: new.execute(f"SELECT {counts} FROM {read}").fetchall(), long)
        problems = [
            f"{count} rows do not fit column {column.name} of type {column.type}"
            for column, count in zip(table.columns, wrong, strict=True)
            if count
        ]
        if problems:
            raise PolicyError(f"{shown}: {'; '.join(problems)}")
        cells = ", ".join(cast(n, c.type) for n, c in each)
        insert = f"INSERT INTO {dotted(table.path)} SELECT {cells} FROM {read}"
        message = f"{shown}: its rows are not what its constraints say; the owner's log has more"
        refused(lambda: new.execute(insert), message)
    finally:
        file.unlink(missing_ok=True)


def _rows(server: psycopg.Connection[Any], sql: str, *given: object) -> list[tuple[Any, ...]]:
    return _asked(lambda: server.execute(sql, given or None).fetchall())


def _asked(work: Callable[[], T]) -> T:
    """What the server gives; its own words go to the owner's log alone.

    Raises:
        PolicyError: it failed.
    """
    import psycopg

    try:
        return work()
    except psycopg.Error as error:
        ownerlog.record("PostgreSQL", error)
        state = error.sqlstate or ""
    found = [words for start, words in _REASONS.items() if state.startswith(start)]
    reason = found[0] if found else "cannot be read" if state else _NOT_OPENED
    raise PolicyError(f"the PostgreSQL database: {reason}; the owner's log has the details")
