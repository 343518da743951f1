"""One SELECT at a time, and nothing else, on a connection."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

from dpsql.errors import EngineError
from dpsql.platform.engine.protocol import ArrowStream


def one_select(
    cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Mapping[str, object] | None = None
) -> duckdb.DuckDBPyConnection:
    """The result of `sql`, to be fetched.

    Raises:
        EngineError: it is not one SELECT.
    """
    statement = _checked(cursor, sql)
    return cursor.execute(statement, dict(parameters) if parameters else None)


def streamed(cursor: duckdb.DuckDBPyConnection, sql: str) -> ArrowStream:
    """The same as an Arrow stream; read it once."""
    _checked(cursor, sql)
    return _Stream(cursor.sql(sql))


def _checked(cursor: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Statement:
    statements = cursor.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise EngineError("dpsql sends its engine one SELECT at a time")
    return statements[0]


class _Stream:
    """A relation without its type: DuckDB takes streams, but no relations, of other databases."""

    def __init__(self, relation: duckdb.DuckDBPyRelation) -> None:
        self._relation = relation

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._relation.__arrow_c_stream__(requested_schema)
