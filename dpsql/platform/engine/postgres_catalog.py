"""What a PostgreSQL database says of itself: its tables, their columns and what it enforces.

Names are looked up in pg_catalog alone, and a role that row-level security would show a part of the
rows is refused.
Source: PostgreSQL 14 to 18, chapter "System Catalogs".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from dpsql.core.sqltypes import parse_type
from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine import ownerlog
from dpsql.platform.engine.duckdb_catalog import ALIKE, COLLATED
from dpsql.platform.engine.file_tables import declared
from dpsql.platform.engine.folder import Types
from dpsql.platform.engine.postgres_checks import checks_of
from dpsql.platform.engine.postgres_values import PLAIN, value_of
from dpsql.platform.engine.sql_text import dotted
from dpsql.platform.engine.sql_text import name as quoted
from dpsql.platform.engine.sql_text import text as literal
from dpsql.types import DOUBLE, VARCHAR, Type

if TYPE_CHECKING:
    import psycopg

HOME = "public"
"""The schema of tables whose names have one part: `main` of the copy."""

T = TypeVar("T")

SESSION = (
    "SET statement_timeout = '1h'",
    "SET lock_timeout = '1min'",
    "SET idle_in_transaction_session_timeout = '1h'",
)
SETTINGS = (
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "SET LOCAL search_path = pg_catalog, pg_temp",
    "SET LOCAL row_security = off",
    "SET LOCAL client_encoding = 'UTF8'",
    "SET LOCAL datestyle = 'ISO, YMD'",
    "SET LOCAL intervalstyle = 'postgres'",
    "SET LOCAL TimeZone = 'UTC'",
    "SET LOCAL extra_float_digits = 3",
    "SET LOCAL bytea_output = 'hex'",
    "SET LOCAL standard_conforming_strings = on",
    "SET LOCAL lc_monetary = 'C'",
    "SET LOCAL transform_null_equals = off",
    "SET LOCAL quote_all_identifiers = off",
    "SET LOCAL gin_fuzzy_search_limit = 0",
)
"""A transaction in which nothing that a role or a database was given changes what is read."""

_TABLES = """SELECT n.nspname, c.relname, c.oid::int8, c.relkind::text,
  coalesce(obj_description(c.oid, 'pg_class'), ''),
  EXISTS (
    WITH RECURSIVE part AS (
      SELECT i.inhrelid AS oid FROM pg_inherits AS i WHERE i.inhparent = c.oid
      UNION SELECT i.inhrelid FROM pg_inherits AS i JOIN part AS p ON i.inhparent = p.oid
    )
    SELECT 1 FROM part AS p JOIN pg_class AS o ON o.oid = p.oid
    WHERE c.relkind = 'r' OR o.relkind = 'f')
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_'
ORDER BY 1, 2"""

_COLUMNS = """WITH RECURSIVE base AS (
  SELECT a.attrelid, a.attnum, a.attname, a.attnotnull AND NOT EXISTS (
      SELECT 1 FROM pg_constraint AS c WHERE c.conrelid = a.attrelid AND c.contype = 'n'
        AND c.conkey = ARRAY[a.attnum] AND NOT c.convalidated) AS attnotnull,
    a.atttypid AS type, a.atttypmod AS mod, a.attcollation, a.attgenerated = 'v' AS computed,
    ARRAY[]::int8[] AS domains
  FROM pg_attribute AS a
  WHERE a.attrelid = ANY(%s) AND a.attnum > 0 AND NOT a.attisdropped
    AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
  UNION ALL
  SELECT b.attrelid, b.attnum, b.attname, b.attnotnull, t.typbasetype, t.typtypmod, b.attcollation,
    b.computed, b.domains || t.oid::int8
  FROM base AS b JOIN pg_type AS t ON t.oid = b.type AND t.typtype = 'd'
)
SELECT b.attrelid::int8, b.attname, b.attnotnull, t.typname, b.mod, n.nspname = 'pg_catalog',
  (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder)
   FROM pg_enum AS e WHERE e.enumtypid = t.oid),
  coalesce((SELECT NOT l.collisdeterministic FROM pg_collation AS l WHERE l.oid = b.attcollation),
    false), b.computed, b.domains, coalesce(col_description(b.attrelid, b.attnum), ''),
  t.typname <> 'bpchar' AND EXISTS (
    SELECT 1 FROM pg_constraint AS c, unnest(c.conkey, c.conpfeqop) AS k(num, op)
      JOIN pg_operator AS o ON o.oid = k.op
    WHERE c.conrelid = b.attrelid AND k.num = b.attnum AND o.oprleft = 'bpchar'::regtype)
FROM base AS b JOIN pg_type AS t ON t.oid = b.type AND t.typtype <> 'd'
  JOIN pg_namespace AS n ON n.oid = t.typnamespace
ORDER BY b.attnum"""
"""Of tables, by their numbers; so are their constraints."""

_CONSTRAINTS = """SELECT c.conrelid::int8, c.contype::text, c.confrelid::int8,
  (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(c.conkey)
    WITH ORDINALITY AS k(num, place) JOIN pg_attribute AS a
    ON a.attrelid = c.conrelid AND a.attnum = k.num),
  (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(c.confkey)
    WITH ORDINALITY AS k(num, place) JOIN pg_attribute AS a
    ON a.attrelid = c.confrelid AND a.attnum = k.num),
  pg_get_expr(c.conbin, c.conrelid)
FROM pg_constraint AS c
WHERE c.conrelid = ANY(%s) AND c.contype IN ('p', 'u', 'f', 'c') AND c.convalidated
  AND NOT EXISTS (
    WITH RECURSIVE own AS (
      SELECT c.conindid AS oid
      UNION SELECT i.inhrelid FROM pg_inherits AS i JOIN own ON i.inhparent = own.oid
    )
    SELECT 1 FROM own JOIN pg_index AS i ON i.indexrelid = own.oid
    WHERE NOT (i.indisvalid AND i.indisready AND i.indislive))
  AND coalesce(to_jsonb(c) ->> 'conenforced', 'true') = 'true'
  AND coalesce(to_jsonb(c) ->> 'conperiod', 'false') = 'false'
ORDER BY c.contype = 'p' DESC, c.conname"""
"""A key may be told of a partitioned table ONLY: its index is invalid, and its parts have none."""

_DOMAINS = """SELECT c.contypid::int8, pg_get_expr(c.conbin, 0) FROM pg_constraint AS c
WHERE c.contypid = ANY(%s) AND c.contype = 'c' AND c.convalidated ORDER BY c.conname"""
"""Where rows are copied, and so tested. In place a domain's check is no proof: ALTER DOMAIN does
not see rows that are not committed yet, and its NOT NULL lets a subquery without a row pass.
Source: PostgreSQL 14 to 18, ALTER DOMAIN and CREATE DOMAIN, "Notes".
"""

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

_PADDED = "refers to a char(n), to which texts are equal whatever blanks are at their ends"
_FOLDED = "of citext different texts are equal"
_ELSE = "of a type that PostgreSQL itself has not"
_COMPUTED = "computed when it is read, which may fail; GENERATED … STORED is not"

_REASONS = {
    "42501": "cannot be read by this user, who needs SELECT on the tables of the policy, and all "
    "of their rows in spite of row-level security",
    "57014": "could not be read in the time that there is",
    "55P03": "a table is locked by others",
    "53": "the server is out of resources",
}
"""By SQLSTATE, or how it begins; the first that fits."""

_NOT_OPENED = "no server is there, or no such database, or it is not open to this user"


@dataclass(frozen=True, slots=True)
class Column:
    """Attributes:
    sent: SQL: its value as a text.
    own: the name of its type there, beneath domains.
    value: SQL: its value, of the type that the server has for it; empty where it has none.
    faithful: whether `value` is another one for each other one, and NULL for NULL alone.
    """

    name: str
    type: Type
    sent: str
    not_null: bool
    own: str
    value: str = ""
    faithful: bool = True
    comment: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Table:
    """Attributes:
    path: database, schema and name in the copy: in fewer parts a schema could be a database.
    source: SQL of its name on the server.
    references: of a column, the table and its column that it refers to.
    """

    path: tuple[str, str, str]
    source: str
    oid: int
    columns: tuple[Column, ...]
    keys: tuple[tuple[str, ...], ...]
    references: tuple[tuple[str, int, str], ...]
    checks: tuple[str, ...]
    comment: str = field(compare=False)

    @property
    def shown(self) -> str:
        """Its name as a policy writes it."""
        return self.path[2] if self.path[1] == "main" else ".".join(self.path[1:])

    def is_named(self, names: Collection[str]) -> bool:
        """Whether one of some names, in lower case, is its."""
        return self.shown.lower() in names or self.path[2].lower() in names


@dataclass(frozen=True, slots=True)
class Told:
    """What the server's catalog has of tables, as it says it: rows.

    Attributes:
        listed: of tables that are wanted, their names as a policy writes them, and what they are.
        left_out: what is not, each with the reason.
        columns, constraints: of these tables, by their numbers.
        domains: the checks of their columns' types, where rows are copied.
    """

    listed: tuple[tuple[str, tuple[Any, ...]], ...]
    left_out: tuple[str, ...]
    columns: Mapping[int, list[tuple[Any, ...]]]
    constraints: Mapping[int, list[tuple[Any, ...]]]
    domains: Sequence[tuple[Any, ...]]


def told(server: psycopg.Connection[Any], wanted: Set[str] | None, *, in_place: bool) -> Told:
    """What the catalog says now; see `found`."""
    left_out: list[str] = []
    every = _rows(server, _TABLES)
    tables = Counter((row[0].lower(), row[1].lower()) for row in every if row[3] not in _KINDS)
    schemas = Counter(schema.lower() for schema in {row[0] for row in every} - {HOME})
    listed = []
    for row in every:
        schema, name, _, kind, *_ = row
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
            listed.append((full, row))
    columns = _by_table(server, _COLUMNS, [row[2] for _, row in listed])
    # What a parent table is told of, its children need not keep, nor what is elsewhere.
    constraints = _by_table(server, _CONSTRAINTS, [row[2] for _, row in listed if not row[5]])
    held = () if in_place else {d for rows in columns.values() for row in rows for d in row[8]}
    domains = _rows(server, _DOMAINS, sorted(held)) if held else []
    return Told(tuple(listed), tuple(left_out), columns, constraints, domains)


def found(
    of: Told, database: str, types: Types, *, in_place: bool = False
) -> tuple[list[Table], tuple[str, ...]]:
    """The tables of a catalog, and what is left out, each with the reason.

    Args:
        of: what the catalog says.
        database: what the copy is called.
        types: the declared types.
        in_place: whether the values stay there. Then nobody tests what is enforced once more, so
            of keys, references and checks those count that are true of the values as they are read.
    """
    made: list[Table] = []
    left_out = [*of.left_out]
    for full, (schema, name, oid, _, comment, inherited) in of.listed:
        columns = of.columns.get(oid, [])
        without = {row[0]: _PADDED for row in columns if row[10]}
        without |= {row[0]: _FOLDED for row in columns if row[2] == "citext" and not row[4]}
        if in_place:
            own = {row[0]: _ELSE for row in columns if not (row[4] or row[5])}
            own |= {row[0]: _COMPUTED for row in columns if row[7]}
            without = own | without
        columns = [row for row in columns if row[0] not in without]
        left_out += [f"{full}.{column}: {reason}" for column, reason in without.items()]
        names = [str(row[0]) for row in columns]
        reason = ALIKE if len({n.lower() for n in names}) < len(names) else None
        reason = COLLATED if any(row[6] for row in columns) else reason
        reason = reason or (None if columns else "this user may read none of its columns")
        if reason is not None:
            left_out.append(f"{full}: {reason}")
            continue
        said = declared(types, full) or declared(types, name)
        columns = [(r[0], r[1] and not inherited, *r[2:]) for r in columns]
        path = (database, "main" if schema == HOME else str(schema), str(name))
        place = (path, dotted((schema, name)), oid, comment)
        kept = of.constraints.get(oid, [])
        made.append(_table(*place, columns, kept, of.domains, said, in_place=in_place))
    return made, tuple(left_out)


def _by_table(
    server: psycopg.Connection[Any], sql: str, oids: Sequence[int]
) -> Mapping[int, list[tuple[Any, ...]]]:
    """What a statement says of tables, by their numbers."""
    rows: dict[int, list[tuple[Any, ...]]] = {}
    for oid, *row in _rows(server, sql, [*oids]) if oids else ():
        rows.setdefault(oid, []).append(tuple(row))
    return rows


def _table(
    path: tuple[str, str, str],
    source: str,
    oid: int,
    comment: str,
    columns: Sequence[Sequence[Any]],
    constraints: Sequence[Sequence[Any]],
    domains: Sequence[Sequence[Any]],
    said: Mapping[str, Type | None],
    *,
    in_place: bool,
) -> Table:
    made = tuple(_column(r, said.get(str(r[0]).lower()), in_place=in_place) for r in columns)
    kinds = {column.name: column.type for column in made}
    # Of a value that is read as NULL, or as another one's, no key says anything.
    faithful = {column.name for column in made if column.faithful or not in_place}
    # Values of a type that an extension made may be equal where their texts differ.
    own_types = {str(row[0]) for row in columns if _is_plain(row, in_place=in_place)} & faithful
    texts = {str(row[0]) for row in columns if row[4] and row[2] in ("text", "varchar")}
    # A check is of the number that is there, which may be read as another one.
    checked = {
        name: kinds[name]
        for name, _, kind, mod, builtin, *_ in columns
        if not (in_place and builtin and kind == "numeric" and _decimal(mod, None) == DOUBLE)
    }
    keys: list[tuple[str, ...]] = []
    references: list[tuple[str, int, str]] = []
    checks: list[str] = []
    for row in columns if in_place else ():
        if row[5]:  # an enum, which is a text there
            checks.append(f"{quoted(row[0])} IN ({', '.join(map(literal, row[5]))})")
    zoned = {str(row[0]) for row in columns if row[4] and row[2] == "timestamptz"}
    for row in columns:
        for _, check in (d for d in domains if d[0] in row[8]):
            checks += checks_of(str(check), checked, texts, zoned, value=str(row[0]))
    for kind, other, own, theirs, check in constraints:
        if not kinds.keys() >= set(own or ()):
            continue
        if kind in "pu" and faithful.issuperset(own):
            keys.append(tuple(own))
        elif kind == "f" and len(own) == 1 and own_types.issuperset(own):
            references.append((own[0], int(other), theirs[0]))
        elif kind == "c":
            checks += checks_of(str(check), checked, texts, zoned, exact=in_place)
    parts = (tuple(keys), tuple(references), tuple(checks))
    return Table(path, source, oid, made, *parts, comment)


_TEXTS = ("text", "varchar", "bpchar", "name", "uuid", "bytea")
_SAME_TEXTS = frozenset([*PLAIN, *_TEXTS])
"""The types of which equal values are read as equal ones: not jsonb, of which 1.0 is 1.00."""


def _is_plain(row: Sequence[Any], *, in_place: bool) -> bool:
    """Whether what is equal there is equal here; a copy's references are tested on its rows."""
    return bool(row[5]) or bool(row[4] and (not in_place or row[2] in _SAME_TEXTS))


def _column(row: Sequence[Any], said: Type | None, *, in_place: bool) -> Column:
    name, not_null, kind, mod, builtin, labels, *_ = row
    sql = quoted(name)
    # Of an enum its owner may say how it is cast, to any text.
    type_, sent = VARCHAR, f"enum_out({sql})::text" if labels else f"{sql}::text"
    if labels and not in_place:
        type_ = parse_type(f"ENUM({', '.join(map(literal, labels))})")
    elif builtin and kind == "numeric":
        type_ = _decimal(mod, said)
        type_ = DOUBLE if in_place and type_.is_float else type_
        if type_ == VARCHAR:  # 1.0 is 1
            sent = f"trim_scale({sql})::text"
    elif builtin and kind in PLAIN:
        type_ = parse_type(PLAIN[kind])
    own = str(kind) if builtin else ""
    limited = own == "numeric" and _decimal(mod, None).is_decimal
    value, faithful = value_of(sql, sent, type_, own, limited=limited) if in_place else ("", True)
    if builtin and kind == "timestamptz":
        sql = f"({sql} AT TIME ZONE 'UTC')"
        sent = f"{sql}::text"
    if type_.is_temporal:  # DuckDB writes BC elsewhere
        early = f"regexp_replace({sent}, '^(\\S+)(.*) BC$', '\\1 (BC)\\2')"
        sent = f"CASE WHEN {sql} < '0001-01-01' THEN {early} ELSE {sent} END"
    elif builtin and kind == "bytea":
        type_ = Type("BLOB")
        sent = f"regexp_replace(encode({sql}, 'hex'), '(..)', '\\x\\1', 'g')"
    known = (bool(not_null) and faithful, str(kind), value, faithful, str(row[9]))
    return Column(name, type_, sent, *known)


def _decimal(mod: int, said: Type | None) -> Type:
    """numeric(p, s); without these, or with more digits than DuckDB has, what the policy says of
    it, or else DOUBLE.
    """
    precision, scale = (mod - 4 >> 16) & 0xFFFF, ((mod - 4 & 0x7FF) ^ 1024) - 1024
    precision, scale = max(precision - min(scale, 0), scale), max(scale, 0)
    if mod < 4 or precision > 38:
        return said if said is not None and (said.is_numeric or said == VARCHAR) else DOUBLE
    return Type("DECIMAL", precision, scale)


def _rows(server: psycopg.Connection[Any], sql: str, *given: object) -> list[tuple[Any, ...]]:
    return asked(lambda: server.execute(sql, given or None).fetchall())


def asked(
    work: Callable[[], T],
    reasons: Mapping[str, str] = _REASONS,
    otherwise: str = "cannot be read",
) -> T:
    """What the server gives; its own words go to the owner's log alone.

    Args:
        work: what asks it.
        reasons: why it failed, by SQLSTATE, or how that begins.
        otherwise: what is said where it is none of these.

    Raises:
        PolicyError: it failed.
    """
    import psycopg

    try:
        return work()
    except psycopg.Error as error:
        ownerlog.record("PostgreSQL", error)
        state = error.sqlstate or ""
        open_ = bool(state) or not isinstance(error, psycopg.OperationalError)
    found = [words for start, words in reasons.items() if state.startswith(start)]
    reason = found[0] if found else otherwise if open_ else _NOT_OPENED
    raise PolicyError(f"the PostgreSQL database: {reason}; the owner's log has the details")


_SESSION: dict[str, Any] = {"autocommit": True, "connect_timeout": 30, "prepare_threshold": None}


def connected(url: str) -> psycopg.Connection[Any]:
    """A connection.

    Raises:
        PolicyError: it cannot be reached.
        EngineError: the driver is not installed.
    """
    try:
        import psycopg
    except ImportError:
        psycopg = None  # type: ignore[assignment]
    if psycopg is None:
        raise EngineError("PostgreSQL needs its driver: pip install 'dpsql[postgres]'")
    return asked(partial(psycopg.connect, url, **_SESSION))


_REWRITTEN = """
SELECT FROM pg_locks AS l LEFT JOIN pg_class AS c ON c.oid = l.relation
WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND l.database <> 0
    AND (c.oid IS NULL OR c.relfilenode NOT IN (0, pg_relation_filenode(c.oid)))
"""
"""A row for each table that is held and that the snapshot has not, or has another file of. What the
server's own functions say of a table is of now, and what its catalog says of the snapshot's time.
"""


def begin(server: psycopg.Connection[Any], *more: str, write: bool = False) -> None:
    """Begin a transaction with `SETTINGS` and more of them: two messages, whatever they are.

    Args:
        more: settings.
        write: whether it may write, be it into temporary tables.
    """
    settings = "; ".join((*SETTINGS, *more))
    settings = settings.replace("READ ONLY", "READ WRITE") if write else settings
    asked(partial(server.execute, "; ".join(SESSION)))
    asked(partial(server.execute, settings))


class RewrittenError(PolicyError):
    """A table was emptied or rewritten after the snapshot was taken, and before it was held."""


def hold(server: psycopg.Connection[Any], tables: Collection[Table]) -> None:
    """Hold tables to the transaction's end: TRUNCATE and ALTER heed no snapshot. And see whether
    all of their rows may be read.

    Raises:
        PolicyError: they may not.
        RewrittenError: the snapshot would be wrong; another one need not be.
    """
    # Not LOCK TABLE, which takes more than SELECT on some columns.
    if looks := "; ".join(f"SELECT FROM {table.source} LIMIT 0" for table in tables):
        asked(partial(server.execute, looks))
    if _rows(server, _REWRITTEN):
        raise RewrittenError(
            "the PostgreSQL database: a table was rewritten meanwhile; open it again"
        )
