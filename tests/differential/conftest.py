"""A database with the data of a module, to which its answers are compared."""

from __future__ import annotations

import duckdb
import pytest


@pytest.fixture(scope="module")
def connection(request: pytest.FixtureRequest) -> duckdb.DuckDBPyConnection:
    """DuckDB with what the module's DATA says."""
    made = duckdb.connect()
    made.execute(request.module.DATA)
    return made
