"""A digest of the public rows that were copied, and lent to a server."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import duckdb

from dpsql.platform.engine.sql_text import dotted, name

_AT_ONCE = 100_000


def digest(cursor: duckdb.DuckDBPyConnection, tables: Iterable[tuple[str, ...]]) -> str:
    """The same only for the same tables with the same rows, in whatever order these came.

    Args:
        cursor: to the copies.
        tables: their full names.
    """
    whole = hashlib.blake2b(digest_size=32)
    for table in tables:
        columns = cursor.execute(f"DESCRIBE {dotted(table)}").fetchall()
        texts = [f"CAST({name(str(column))} AS VARCHAR)" for column, *_ in columns]
        # Each value with its length before it: no two rows look the same.
        parts = [f"coalesce(concat(length({t}), ':', {t}), 'NULL')" for t in texts]
        whole.update(repr((table, columns)).encode())
        rows = f"SELECT sha256(concat({', '.join(parts)})) AS h FROM {dotted(table)} ORDER BY h"
        found = cursor.execute(rows)
        while some := found.fetchmany(_AT_ONCE):
            whole.update("".join(h for (h,) in some).encode())
        whole.update(b";")
    return whole.hexdigest()
