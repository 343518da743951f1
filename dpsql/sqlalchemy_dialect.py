"""SQLAlchemy's dialect `dpsql://`, for data here and for data of a server.

    create_engine("dpsql:///shop.duckdb?policy=shop.yaml&eps=0.5")
    create_engine("dpsql://:TOKEN@host:8321/shop?eps=0.5")

Each query costs the ε of the URL, or of `connection.execution_options(eps=0.1)`; what was asked
before is given again for free. An engine opens the data once, for all its connections, and gives
them back by `engine.dispose()`. There are no transactions, and nothing is written.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

from sqlalchemy import event, exc, types
from sqlalchemy.engine import URL, Connection, Engine, default
from sqlalchemy.sql.compiler import SQLCompiler

from dpsql import dbapi
from dpsql.core.account.amount import read
from dpsql.core.calibrate.options import Amount
from dpsql.core.schema import Table
from dpsql.dbapi.exceptions import guarded
from dpsql.errors import InvalidBudget
from dpsql.session.connect import connect
from dpsql.session.database import Database
from dpsql.types import Type

AT_HOME = ("127.0.0.1", "::1", "localhost")
_HERE = {"policy", "ledger", "analyst", "version"}
_THERE = {"ca"}
_ALWAYS = {"eps", "delta", "noise", "clipping"}

HOW_HERE = "dpsql:///shop.duckdb?policy=shop.yaml&eps=0.5"
HOW_THERE = "dpsql://:TOKEN@host:port/shop?eps=0.5"

_TYPES: Mapping[str, type[types.TypeEngine[Any]]] = {
    "BOOLEAN": types.Boolean,
    "TINYINT": types.SmallInteger,
    "SMALLINT": types.SmallInteger,
    "INTEGER": types.Integer,
    "BIGINT": types.BigInteger,
    "HUGEINT": types.Numeric,
    "UTINYINT": types.SmallInteger,
    "USMALLINT": types.Integer,
    "UINTEGER": types.BigInteger,
    "UBIGINT": types.Numeric,
    "UHUGEINT": types.Numeric,
    "FLOAT": types.Float,
    "DOUBLE": types.Double,
    "VARCHAR": types.String,
    "DATE": types.Date,
    "TIME": types.Time,
    "TIMESTAMP": types.DateTime,
    "BLOB": types.LargeBinary,
    "INTERVAL": types.Interval,
}


class DpsqlCompiler(SQLCompiler):
    """SQL that DuckDB reads."""

    def visit_ilike_op_binary(self, binary: Any, operator: Any, **kw: Any) -> str:
        """ILIKE is there."""
        sides = (self.process(part, **kw) for part in (binary.left, binary.right))
        return " ILIKE ".join(sides) + self._escaped(binary)

    def visit_not_ilike_op_binary(self, binary: Any, operator: Any, **kw: Any) -> str:
        """So is NOT ILIKE."""
        sides = (self.process(part, **kw) for part in (binary.left, binary.right))
        return " NOT ILIKE ".join(sides) + self._escaped(binary)

    def _escaped(self, binary: Any) -> str:
        escape = binary.modifiers.get("escape", None)
        return (
            "" if escape is None else f" ESCAPE {self.render_literal_value(escape, types.String())}"
        )


class DpsqlDialect(default.DefaultDialect):
    """See the module."""

    name = "dpsql"
    driver = "dpsql"
    default_paramstyle = "qmark"
    statement_compiler = DpsqlCompiler

    supports_statement_cache = True
    supports_native_boolean = True
    supports_native_decimal = True
    supports_native_enum = False
    supports_alter = False
    supports_sane_rowcount = False
    div_is_floordiv = False
    postfetch_lastrowid = False

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self._lock = threading.Lock()
        self._opened: Database | None = None

    @classmethod
    def import_dbapi(cls) -> ModuleType:
        """The module of PEP 249."""
        return dbapi

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """When an engine is disposed of, its data are given back."""
        dialect = engine.dialect
        if isinstance(dialect, DpsqlDialect):
            event.listen(engine, "engine_disposed", lambda _: dialect.give_back())

    def create_connect_args(self, url: URL) -> tuple[tuple[()], dict[str, Any]]:
        """What `connect` is given.

        Raises:
            ArgumentError: the URL does not say it, or says more.
        """
        said = {name: _once(name, value) for name, value in url.query.items()}
        known = _ALWAYS | (_HERE if url.host is None else _THERE)
        unknown = sorted(said.keys() - known)
        if unknown:
            raise exc.ArgumentError(
                f"no option {unknown[0]!r}; there are {', '.join(sorted(known))}"
            )
        if not url.database:
            raise exc.ArgumentError(f"the URL names no data: {HOW_HERE}, or {HOW_THERE}")
        if "eps" not in said:
            raise exc.ArgumentError("the URL says the ε of each query: …?eps=0.5")
        made: dict[str, Any] = {name: said[name] for name in said.keys() - {"eps", "delta"}}
        made |= {name: _amount(name, said[name]) for name in ("eps", "delta") if name in said}
        if url.host is None:
            if "policy" not in said:
                raise exc.ArgumentError(f"data here needs its policy: {HOW_HERE}")
            return (), {**made, "data": url.database}
        if url.username:
            raise exc.ArgumentError(f"who asks is whose the token is: {HOW_THERE}")
        scheme = "http" if url.host in AT_HOME and "ca" not in said else "https"
        host = f"[{url.host}]" if ":" in url.host else url.host
        port = "" if url.port is None else f":{url.port}"
        address = f"{scheme}://{host}{port}/{url.database}"
        return (), {**made, "data": address, "token": str(url.password or "")}

    def connect(self, *args: Any, **said: Any) -> Any:
        """A connection of PEP 249; the first one opens the data."""
        opens = {name: said.pop(name) for name in (*_HERE, *_THERE, "token") if name in said}
        data = said.pop("data")
        with self._lock:
            if self._opened is None:
                self._opened = guarded(lambda: connect(data, **opens))
            database = self._opened
        return dbapi.connect(database, **said)

    def give_back(self) -> None:
        """Close the data; whoever connects again opens them again."""
        with self._lock:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    # --- no transactions ---

    def do_begin(self, dbapi_connection: Any) -> None:
        """There is nothing to begin."""

    def do_commit(self, dbapi_connection: Any) -> None:
        """A charge is durable before the data is read."""

    def do_rollback(self, dbapi_connection: Any) -> None:
        """What was charged stays charged."""

    def do_ping(self, dbapi_connection: Any) -> bool:
        """Whether it is open; asks nothing."""
        return True

    def do_execute(
        self, cursor: Any, statement: str, parameters: Any, context: Any | None = None
    ) -> None:
        """Ask, for the ε of the execution's options where they have one."""
        wanted = {} if context is None else context.execution_options
        own, before = cursor.connection, (cursor.connection.eps, cursor.connection.delta)
        try:
            if wanted.get("eps") is not None:
                own.eps = wanted["eps"]
            if wanted.get("delta") is not None:
                own.delta = wanted["delta"]
            cursor.execute(statement, tuple(parameters or ()))
        finally:
            own.eps, own.delta = before

    def do_execute_no_params(self, cursor: Any, statement: str, context: Any | None = None) -> None:
        """The same of a text without parameters."""
        self.do_execute(cursor, statement, (), context)

    # --- what is there ---

    def get_schema_names(self, connection: Connection, **kw: Any) -> list[str]:
        """The schemas that the policy's tables name."""
        return sorted({place for place, _ in _placed(connection)} - {""})

    def get_table_names(
        self, connection: Connection, schema: str | None = None, **kw: Any
    ) -> list[str]:
        """The tables of the policy."""
        return [name for place, name in _placed(connection) if place == (schema or "")]

    def get_view_names(
        self, connection: Connection, schema: str | None = None, **kw: Any
    ) -> list[str]:
        """None: what the policy names is a table to dpsql."""
        return []

    def has_table(
        self, connection: Connection, table_name: str, schema: str | None = None, **kw: Any
    ) -> bool:
        """Whether the policy has it."""
        return _find(connection, table_name, schema) is not None

    def get_columns(
        self, connection: Connection, table_name: str, schema: str | None = None, **kw: Any
    ) -> list[Any]:
        """Names and types."""
        table = _table(connection, table_name, schema)
        return [
            {
                "name": column.name,
                "type": _type(column.type),
                "nullable": column.name not in table.key,
                "default": None,
                "autoincrement": False,
            }
            for column in table.columns
        ]

    def get_pk_constraint(
        self, connection: Connection, table_name: str, schema: str | None = None, **kw: Any
    ) -> Any:
        """The policy's key."""
        key = list(_table(connection, table_name, schema).key)
        return {"constrained_columns": key, "name": None}

    def get_foreign_keys(
        self, connection: Connection, table_name: str, schema: str | None = None, **kw: Any
    ) -> list[Any]:
        """The policy's references."""
        found: list[Any] = []
        for column in _table(connection, table_name, schema).columns:
            if column.references is not None:
                place, name = _split(column.references.table)
                found.append(
                    {
                        "name": None,
                        "constrained_columns": [column.name],
                        "referred_schema": place or None,
                        "referred_table": name,
                        "referred_columns": [column.references.column],
                        "options": {},
                    }
                )
        return found

    def get_table_comment(
        self, connection: Connection, table_name: str, schema: str | None = None, **kw: Any
    ) -> Any:
        """Whether it is private."""
        table = _table(connection, table_name, schema)
        return {"text": "private: asked for with noise" if table.private else "public"}

    def get_indexes(self, connection: Connection, table_name: str, *_: Any, **kw: Any) -> list[Any]:
        """None."""
        return []

    def get_unique_constraints(
        self, connection: Connection, table_name: str, *_: Any, **kw: Any
    ) -> list[Any]:
        """None."""
        return []

    def get_check_constraints(
        self, connection: Connection, table_name: str, *_: Any, **kw: Any
    ) -> list[Any]:
        """None."""
        return []

    def _get_default_schema_name(self, connection: Connection) -> Any:
        return None


def _once(name: str, value: str | Iterable[str]) -> str:
    if not isinstance(value, str):
        raise exc.ArgumentError(f"the URL says {name} more than once")
    return value


def _amount(name: str, text: str) -> Amount:
    problem = ""
    try:
        return read(text, {"eps": "ε", "delta": "δ"}[name])
    except InvalidBudget as error:
        problem = str(error)
    raise exc.ArgumentError(problem)


def _type(kind: Type) -> types.TypeEngine[Any]:
    if kind.name == "DECIMAL":
        return types.Numeric(kind.precision, kind.scale)
    if kind.name == "ENUM" and kind.values:
        return types.Enum(*map(str, kind.values), native_enum=False)
    return _TYPES.get(kind.name, types.NullType)()


def _tables(connection: Connection) -> Iterable[Table]:
    own: Any = connection.connection.dbapi_connection
    tables: Iterable[Table] = own.database.schema.tables.values()
    return tables


def _split(name: str) -> tuple[str, str]:
    place, _, own = name.rpartition(".")
    return place, own


def _placed(connection: Connection) -> list[tuple[str, str]]:
    return [_split(table.name) for table in _tables(connection)]


def _find(connection: Connection, name: str, schema: str | None) -> Table | None:
    wanted = (schema or "").lower(), name.lower()
    for table in _tables(connection):
        place, own = _split(table.name)
        if (place.lower(), own.lower()) == wanted:
            return table
    return None


def _table(connection: Connection, name: str, schema: str | None) -> Table:
    found = _find(connection, name, schema)
    if found is None:
        raise exc.NoSuchTableError(f"{schema}.{name}" if schema else name)
    return found
