"""A store in the schema ``dpsql`` of a PostgreSQL database, for many data sets and machines.

Claims, and why they hold:

* *Durable before it returns.* ``synchronous_commit`` is on for each connection, whatever the server
  says, and a server that does not sync its disk (``fsync = off``) is refused.
* *Never more than the total.* The account's row is locked first (``FOR UPDATE``). READ COMMITTED
  reads what was committed before each statement, so the newest line is read under that lock, and no
  two processes decide on the same balance.
* *Never granted twice.* Accounts are made under one advisory lock, and an identity is a primary
  key. A connection serves one call and so is never carried across a fork.
* *Nobody else's tables.* Names are looked for in the schema ``dpsql`` and nowhere else.
"""

from __future__ import annotations

import importlib
import math
from contextlib import closing
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from dpsql.errors import EngineError
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger_tables import BEFORE, FORMAT, statements
from dpsql.platform.ledger.store import Store

DIALECT: Any = PGDialect_psycopg()  # type: ignore[no-untyped-call]

SCHEMA = "dpsql"

_LOCK = 0x6470736C  # "dpsl": the advisory lock under which tables and accounts are made

_STAYS = """
CREATE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'rows stay'; END $$
"""

_REASONS = {
    "53100": "has no space left on its disk",
    "53": "is on a server that is out of resources",
    "55P03": "was locked by others for too long",
    "57014": "was locked by others for too long",
    "40": "was locked by others for too long",
    "25006": "cannot be written",
    "42501": "cannot be used by this user",
    "28": "cannot be opened by this user",
    "3D000": "is in a database that does not exist",
    "3F000": "is damaged or is no ledger",
    "42": "is damaged or is no ledger",
    "XX": "is damaged",
    "58": "is on a server that cannot read or write its disk",
    "22": "cannot hold this text",
    "08": "cannot be reached",
    "57": "cannot be reached",
}
"""By SQLSTATE, or how it begins; the first that fits."""


class PostgresStore(Store):
    """The database that `url` names; its tables are made if there are none.

    Args:
        url: such as ``postgresql://user@host/database``.
        timeout: seconds to wait for the server, and for other processes, before a call is refused.

    Raises:
        EngineError: the URL is none, or the driver is not installed.
    """

    READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
    alone = False

    def __init__(self, url: str, timeout: float) -> None:
        parsed, given = _parsed(url)
        host, port = (
            parsed.host or parsed.query.get("host"),
            parsed.port or parsed.query.get("port"),
        )
        self.place = f"postgresql://{host or ''}:{port or 5432}/{parsed.database or ''}"
        settings = {
            "search_path": SCHEMA,
            "synchronous_commit": "on",
            "lock_timeout": max(1, math.ceil(timeout * 1000)),
            "client_encoding": "UTF8",
        }
        self._driver = _driver()
        self.failures = self._driver.Error
        self._given = {
            **given,
            "autocommit": True,  # no transaction but those that `turn` begins
            "connect_timeout": max(2, math.ceil(timeout)),
            "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
        }

    def create(self) -> None:
        """See `Store`."""
        if self.guarded(self._format) is None:
            self.write(self._bring_up)

    def check(self, *, whole: bool = True) -> None:
        """See `Store`; also refuses a server on which nothing is durable."""
        if self.guarded(self._format) in [_mark(number) for number in BEFORE]:
            self.write(self._bring_up)
        if self.guarded(self._format) != _mark(FORMAT):
            raise EngineError(f"the ledger has another format, not {FORMAT}; refused")

    def connect(self) -> Connection:
        """See `Store`."""
        return Connection(self._driver.connect(**self._given), DIALECT)

    def lock(self, connection: Connection) -> None:
        """See `Store`."""
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")

    def reason(self, error: Exception) -> str:
        """See `Store`."""
        state = getattr(error, "sqlstate", None)
        if state is None:
            # psycopg refuses a NUL by itself; without a server there is no SQLSTATE either.
            refused = type(error).__name__ == "DataError"
            return "cannot hold this text" if refused else "cannot be reached"
        return next((text for code, text in _REASONS.items() if state.startswith(code)), "failed")

    def _format(self) -> str | None:
        """What is written on the schema; None where there is none."""
        with closing(self.connect()) as connection:
            if connection.exec_driver_sql("SHOW fsync").scalar() != "on":
                raise EngineError("the ledger's server does not sync its disk; refused")
            return _written(connection)

    def _bring_up(self, connection: Connection) -> None:
        """From nothing, or a format before, to this one, whole or not at all."""
        self.lock(connection)
        mark = _written(connection)
        formats: dict[str | None, int] = {None: 0} | {_mark(number): number for number in BEFORE}
        if mark not in formats:
            return  # another process was first
        made = statements(DIALECT, _kept, formats[mark])
        if mark is None:
            made = [f"CREATE SCHEMA {SCHEMA}", _STAYS, *made]
        for statement in (*made, f"COMMENT ON SCHEMA {SCHEMA} IS '{_mark(FORMAT)}'"):
            connection.exec_driver_sql(statement)


def _kept(table: Table) -> list[str]:
    made = f"CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
    return [f"{made} FOR EACH STATEMENT EXECUTE FUNCTION stays()"]


def _mark(number: int) -> str:
    """What is written on the schema."""
    return f"dpsql ledger, format {number}"


def _written(connection: Connection) -> str | None:
    """The same, as it is; None where there is no schema."""
    found = connection.exec_driver_sql(
        "SELECT coalesce(obj_description(oid, 'pg_namespace'), '')"
        f" FROM pg_namespace WHERE nspname = '{SCHEMA}'"
    ).scalar()
    return None if found is None else str(found)


def _driver() -> Any:
    try:
        return importlib.import_module("psycopg")
    except ImportError:
        pass
    raise EngineError("the ledger needs a driver: pip install 'dpsql[postgres]'; refused")


def _parsed(url: str) -> tuple[URL, dict[str, Any]]:
    """A URL, and what the driver is to be told of it."""
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "postgresql":
            return parsed, dict(DIALECT.create_connect_args(parsed)[1])
    except (ArgumentError, NoSuchModuleError, ValueError):
        pass
    raise EngineError("the ledger's URL is none of a PostgreSQL database; refused")
