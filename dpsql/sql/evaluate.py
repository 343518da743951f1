"""Evaluate an expression of constants, with the engine's own arithmetic and without any data.

The image of a finite domain under a function (`SUBSTRING(segment, 1, 3)`) is computed this way, so
that the public domain and the private rows agree on what the function does.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache

import duckdb

from dpsql.plan.expr import Expr, Literal, substitute
from dpsql.sql.emit import literal, scalar
from dpsql.types import Scalar, Type

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
        "threads": "1",
    }
    return duckdb.connect(":memory:", config=settings)


def evaluate(
    expr: Expr, rows: Sequence[Mapping[int, Scalar | None]], types: Mapping[int, Type]
) -> list[object]:
    """The expression's value for each row of constants (column id -> value), in order."""
    results: list[object] = []
    for start in range(0, len(rows), 500):
        parts = []
        for row in rows[start : start + 500]:
            constants: dict[int, Expr] = {i: Literal(v, types[i]) for i, v in row.items()}
            parts.append(scalar(substitute(expr, constants), {}).sql(dialect="duckdb"))
        with calculator() as connection:
            answer = connection.execute("SELECT " + ", ".join(parts)).fetchone()
        assert answer is not None
        results += answer
    return results


__all__ = ["evaluate", "literal"]
