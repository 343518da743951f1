"""Which DuckDB database an open connection belongs to, however many connections lead to it.

Data in memory has no path to know it by, and a connection does not say which database it is of. So
the database gets a name of its own: an empty database in memory is attached to it, once, which all
its connections see, and which goes when it goes. Nothing of the owner's is changed by that.
"""

from __future__ import annotations

import os
from threading import Lock
from uuid import uuid4

import duckdb

from dpsql.platform.engine.guard import refused

PREFIX = "dpsql_account_"
"""How the name of the attached database begins."""

_FIND = (
    "SELECT database_name FROM duckdb_databases() "
    f"WHERE starts_with(database_name, '{PREFIX}') ORDER BY database_name"
)
_LOCK = Lock()


def _renewed() -> None:
    """Another thread of the parent's may have held it, and would for ever here."""
    global _LOCK
    _LOCK = Lock()


if hasattr(os, "register_at_fork"):  # Windows does not fork
    os.register_at_fork(after_in_child=_renewed)


def instance(connection: duckdb.DuckDBPyConnection) -> str:
    """A name that all connections to one database have in common, and no others.

    Raises:
        PolicyError: the connection is closed, or nothing can be attached to it.
    """

    def named() -> str:
        cursor = connection.cursor()
        try:
            with _LOCK:  # two threads that open it at once must not name it twice
                found = cursor.execute(_FIND).fetchone()
                if found is not None:
                    return str(found[0])
                name = f"{PREFIX}{uuid4().hex}"
                cursor.execute(f"ATTACH ':memory:' AS {name}")
                return name
        finally:
            cursor.close()

    message = "the database cannot be told from others: name its ledger, connect(…, ledger=…)"
    return refused(named, message)
