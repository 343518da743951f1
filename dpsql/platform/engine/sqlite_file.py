"""A SQLite database as tables: copied once, by Python's own reader, into a DuckDB file.

SQLite holds values of any type in any column. So a column has the type that the policy declares, or
that the database does, and a value that is none of it is an error, as in a file of texts. Nothing
is found in values, and no constraint is taken over: the policy declares keys and references.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import quote

import duckdb

from dpsql.core.sqltypes import parse_type
from dpsql.errors import PolicyError
from dpsql.platform.engine import sandbox
from dpsql.platform.engine.file_tables import declared
from dpsql.platform.engine.folder import Types
from dpsql.platform.engine.guard import refused
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.engine.sql_text import name as quoted
from dpsql.platform.engine.texts import cast, misfit, unfit
from dpsql.types import BIGINT, DOUBLE, VARCHAR, Type

_CHUNK = 10_000
_UNREADABLE = (
    "cannot be read as a SQLite database: it ends too early, or is damaged; the owner's log has "
    "the details"
)
_LOGS = ("-wal", "-journal")


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    columns: tuple[tuple[str, Type], ...]


def check_at_rest(file: Path, shown: str) -> None:
    """Refuse a database with changes in another file, which its own bytes do not have.

    Raises:
        PolicyError: there are some.
    """
    for log in _LOGS:
        beside = file.with_name(f"{file.name}{log}")
        if beside.exists() and beside.stat().st_size:
            raise PolicyError(
                f"has changes in {beside.name} that are not yet in it: close the program that "
                "writes to it, or have it do PRAGMA wal_checkpoint(TRUNCATE)",
                file=shown,
            )


def copy(
    file: Path,
    into: Path,
    types: Types | None,
    allowed: Allowance,
    shown: str,
    *,
    rows: bool = True,
) -> tuple[str, ...]:
    """Copy its tables, those in `types` if that is given; or what they are alone, without `rows`.

    Returns:
        What is left out, each with the reason.

    Raises:
        PolicyError: it cannot be read, or values do not fit their types.
    """
    check_at_rest(file, shown)
    wanted = None if types is None else {name.lower() for name in types}
    # Immutable: nothing is locked, nor written beside it; its stamp tells whether it changed.
    source = f"file:{quote(str(file))}?mode=ro&immutable=1"
    with (
        closing(refused(lambda: sqlite3.connect(source, uri=True), _UNREADABLE, shown)) as old,
        closing(duckdb.connect(str(into), config=sandbox.config(allowed))) as new,
    ):
        sandbox.no_bar(new)
        sound = refused(lambda: old.execute("PRAGMA quick_check(1)").fetchall(), _UNREADABLE, shown)
        if sound != [("ok",)]:
            raise PolicyError(_UNREADABLE, file=shown)
        every = refused(lambda: old.execute(_TABLES).fetchall(), _UNREADABLE, shown)
        listed = refused(lambda: old.execute("PRAGMA table_list").fetchall(), _UNREADABLE, shown)
        # In some an index is stored. (Before SQLite 3.37 nobody tells, and they are tables.)
        others = {row[1] for row in listed if row[2] != "table"}
        left_out = []
        for kind, name, sql in every:
            is_virtual = str(sql).upper().startswith("CREATE VIRTUAL")
            if kind != "table" or is_virtual or name in others:
                left_out.append(f"{name}: a view, or no table of its own")
            elif wanted is not None and name.lower() not in wanted:
                left_out.append(f"{name}: of no table")
            else:
                table = refused(partial(_table, old, name, types), _UNREADABLE, shown)
                _made(new, table)
                if rows:
                    _copied(old, new, table, shown)
    return tuple(left_out)


_TABLES = """SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'view')
AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"""


def _table(old: sqlite3.Connection, name: str, types: Types | None) -> _Table:
    said = declared(types or {}, name)
    # Generated columns, too: with their values.
    rows = old.execute(f"PRAGMA table_xinfo({quoted(name)})").fetchall()
    named = [(str(row[1]), row[2]) for row in rows]
    return _Table(name, tuple((c, said.get(c.lower()) or _type(kind)) for c, kind in named))


def _type(said: object) -> Type:
    """The type of a column that is declared so, by the rules of SQLite where they name no other."""
    text = str(said).upper()
    try:
        known = parse_type(text)
    except ValueError:
        known = Type("UNKNOWN")
    if known.is_integer or "INT" in text:
        return BIGINT
    if any(word in text for word in ("CHAR", "CLOB", "TEXT")) or not text:
        return VARCHAR
    if any(word in text for word in ("REAL", "FLOA", "DOUB")):
        return DOUBLE
    if "BLOB" in text:
        return Type("BLOB")
    return VARCHAR if known.is_opaque or known.name == "ENUM" else known


def _made(new: duckdb.DuckDBPyConnection, table: _Table) -> None:
    made = ", ".join(f"{quoted(column)} {kind}" for column, kind in table.columns)
    new.execute(f"CREATE TABLE {quoted(table.name)} ({made})")


def _copied(
    old: sqlite3.Connection, new: duckdb.DuckDBPyConnection, table: _Table, shown: str
) -> None:
    names, kinds = [quoted(c) for c, _ in table.columns], [kind for _, kind in table.columns]
    each = list(zip(names, kinds, strict=True))
    given = ", ".join(f"unnest(${place}) AS {n}" for place, n in enumerate(names, 1))
    counts = ", ".join(f"count(*) FILTER (WHERE {misfit(n, kind)})" for n, kind in each)
    cells = ", ".join(cast(n, kind) for n, kind in each)
    check = f"SELECT {counts} FROM (SELECT {given})"
    insert = f"INSERT INTO {quoted(table.name)} SELECT {cells} FROM (SELECT {given})"
    wrong = [0] * len(names)

    def add(rows: Sequence[Sequence[object]]) -> None:
        columns = list(zip(*rows, strict=True))
        texts = [[_text(value) for value in column] for column in columns]
        [misfits] = new.execute(check, texts).fetchall()
        new.execute(insert, texts)
        for place, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
            raw = kind.name != "BLOB" and sum(isinstance(value, bytes) for value in column)
            wrong[place] += max(raw, misfits[place])

    select = f"SELECT {', '.join(names)} FROM {quoted(table.name)}"
    cursor = refused(partial(old.execute, select), _UNREADABLE, shown)
    while rows := refused(partial(cursor.fetchmany, _CHUNK), _UNREADABLE, shown):
        refused(partial(add, rows), _UNREADABLE, shown)
    problems = [
        f"{unfit(count)} column {column} of type {kind}"
        for (column, kind), count in zip(table.columns, wrong, strict=True)
        if count
    ]
    if problems:
        raise PolicyError(f"{table.name}: {'; '.join(problems)}", file=shown)


def _text(value: object) -> str | None:
    if isinstance(value, bytes):
        return "".join(f"\\x{byte:02X}" for byte in value)
    return None if value is None else str(value)
