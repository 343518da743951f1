"""An empty database: the engine's own functions, and no data."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import duckdb

_LOCK = threading.Lock()


@contextmanager
def calculator() -> Iterator[duckdb.DuckDBPyConnection]:
    """An empty database for constants and shapes; one caller at a time."""
    with _LOCK:
        yield _calculator()


@lru_cache(maxsize=1)
def _calculator() -> duckdb.DuckDBPyConnection:
    settings: dict[str, str | bool | int | float | list[str]] = {
        "enable_external_access": "false",
        "lock_configuration": "true",
        # x // 0 is NULL, here as everywhere in dpsql.
        "error_on_division_by_zero": "false",
        "threads": "1",
    }
    return duckdb.connect(":memory:", config=settings)


def is_function(name: str) -> bool:
    """Whether the engine itself has a function of that name."""
    query = "SELECT COUNT(*) FROM duckdb_functions() WHERE function_name = lower($1)"
    with calculator() as connection:
        return connection.execute(query, [name]).fetchone() != (0,)
