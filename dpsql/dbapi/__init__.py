"""dpsql as a Python database, by PEP 249 (DB-API 2.0), for tools that speak it.

import pandas
from dpsql import dbapi
connection = dbapi.connect("shop.duckdb", "shop.yaml", eps=0.5)
pandas.read_sql("SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel", connection)

Each query costs the connection's ε, which can be set: `connection.eps = 1`. There are no
transactions: what was charged stays charged. `cursor.answer` has the intervals and the cost:
`cursor.answer.interval("n")`, or all as columns by `cursor.answer.to_pandas(intervals=True)`.
"""

from dpsql.dbapi.connection import Connection, connect
from dpsql.dbapi.cursor import Cursor
from dpsql.dbapi.exceptions import (
    DatabaseError,
    DataError,
    Error,
    IntegrityError,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    Warning,  # noqa: A004  (the name that PEP 249 wants)
)
from dpsql.dbapi.typecodes import (
    BINARY,
    DATETIME,
    NESTED,
    NUMBER,
    ROWID,
    STRING,
    Binary,
    Date,
    DateFromTicks,
    Time,
    TimeFromTicks,
    Timestamp,
    TimestampFromTicks,
)

apilevel = "2.0"
threadsafety = 2
"""Threads may share the module and connections, but not cursors."""

paramstyle = "qmark"
"""`WHERE channel = ?`; see `dpsql.dbapi.parameters`."""

__all__ = [
    "BINARY",
    "DATETIME",
    "NESTED",
    "NUMBER",
    "ROWID",
    "STRING",
    "Binary",
    "Connection",
    "Cursor",
    "DataError",
    "DatabaseError",
    "Date",
    "DateFromTicks",
    "Error",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "NotSupportedError",
    "OperationalError",
    "ProgrammingError",
    "Time",
    "TimeFromTicks",
    "Timestamp",
    "TimestampFromTicks",
    "Warning",
    "apilevel",
    "connect",
    "paramstyle",
    "threadsafety",
]
