"""Spark, by a session of its own kind or by Spark Connect, which Sail speaks too.

A session's settings may change what a statement means: those that do are checked in each snapshot,
and set where the session is ours. Dates outside of the years 1 to 9999, which Spark does not have,
though a file may, are NULL; so no row of anybody's makes a statement fail.
Source: Spark 4, "ANSI Compliance", "Configuration"; measured on Sail 0.7 and Spark 4.
"""

from __future__ import annotations

import socket
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from secrets import token_hex
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.far.server_protocol import Column
from dpsql.platform.engine.far.server_sql import Language
from dpsql.platform.engine.far.spark_functions import replaced
from dpsql.platform.engine.far.spark_iceberg import current_snapshot
from dpsql.platform.engine.far.spark_language import SPARK, quoted
from dpsql.platform.engine.far.spark_states import Commit, Held, last_commit, location, stored
from dpsql.platform.engine.far.spark_statistics import (
    FLOATING,
    apache,
    in_memory,
    itself,
    taken,
    unsure,
)
from dpsql.platform.engine.urls import is_spark
from dpsql.types import INTEGER_BITS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.caseSensitive": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.parser.quotedRegexColumnNames": "false",
    "spark.sql.decimalOperations.allowPrecisionLoss": "true",
    "spark.sql.legacy.literal.pickMinimumPrecision": "true",
    "spark.sql.legacy.decimal.retainFractionDigitsOnTruncate": "false",
    "spark.sql.legacy.charVarcharAsString": "false",
    "spark.sql.legacy.statisticalAggregate": "false",
    "spark.sql.groupByOrdinal": "true",
    "spark.sql.files.ignoreMissingFiles": "false",
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.readSideCharPadding": "true",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.int96RebaseModeInRead": "CORRECTED",
    "spark.sql.path.enabled": "false",
}
_LATER = ("spark.sql.path.enabled",)
"""Not in all of Spark 4."""
_ALIKE = {"UTC": ("UTC", "Etc/UTC", "Z", "GMT")}

_KINDS = {
    "boolean": "BOOLEAN",
    "byte": "TINYINT",
    "short": "SMALLINT",
    "integer": "INTEGER",
    "long": "BIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "string": "VARCHAR",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "timestamp_ntz": "TIMESTAMP",
}
UNNAMED = (
    "the state of a private table cannot be named: it has to be a table of Delta's or Iceberg's, "
    "or Parquet under files: in the policy that is at least a minute old"
)
COMPUTED = (
    "{} is a view that computes, or leaves out rows, of what this server may read by statistics of "
    "files, or the server's plan does not show that it is none: list it under views, and what it "
    "reads under tables, or store its rows"
)
_WAIT = 10.0  # seconds
MESSAGE = 32 << 20
"""Bytes of rows in one message to a server; Spark Connect takes no message of more than 128 MiB."""
_FIRST, _LAST = "0001-01-01", "9999-12-31"


_FRAMES, _LONG = 64, 200_000
"""So many analysed statements are kept, of so many letters; longer ones hold released numbers."""

Files = Mapping[str, Sequence[str]]
"""The files of tables, by the policy's names for them."""


class Spark:
    """A session; see `Server`."""

    def __init__(
        self, session: SparkSession, files: Files = MappingProxyType({}), *, own: bool = False
    ) -> None:
        """Args:
        session: it stays open, unless it is ours.
        files: Parquet files or folders that are tables, as the server finds them.
        own: whether it is ours, to set and to close.
        """
        self._session, self._own, self._files = session, own, dict(files)
        self._tag = f"dpsql-{token_hex(8)}"
        self._views: list[str] = []
        self._read: dict[str, str] = {}
        self._zoned: dict[str, frozenset[str]] = {}
        self._held: Held | None = None
        self._frames: dict[str, DataFrame] = {}
        _silence()
        if own:
            for name, value in _SETTINGS.items():
                # One that it has not, `settled` tells; of others pyspark thinks that they are old.
                with suppress(Exception), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    session.conf.set(name, value)

    @property
    def language(self) -> Language:
        """Spark's SQL."""
        return SPARK

    def begin(self, deadline: Deadline | None) -> None:
        """See `Server`: each statement has its own state."""

    def end(self) -> None:
        """See `Server`. What was analysed may have another meaning later, if there is no state."""
        if self._held is None:
            self._frames.clear()

    def settled(self) -> str | None:
        """See `Server`."""
        at_once = self._settings()
        for name, value in _SETTINGS.items():
            found = at_once[name] if name in at_once else self._setting(name)
            if found not in _ALIKE.get(value, (value,)):
                return f'the session has another {name}: spark.conf.set("{name}", "{value}")'
        return None if self._own else replaced(self._session, self._version)

    @cached_property
    def _version(self) -> str:
        return str(self._session.version)

    def _settings(self) -> Mapping[str, str]:
        """Those that a server of Spark Connect tells in one message; none of a session without."""
        for missing in ((), _LATER):
            names = [name for name in _SETTINGS if name not in missing]
            with suppress(Exception):
                found = self._session.client.get_configs(*names)
                return dict(zip(names, map(str, found), strict=True))
        return {}

    def _setting(self, name: str) -> str:
        """The value that is in force. Not with a default of ours, which the server would say of all
        that the session itself has not set, whatever the server's own is.
        """
        try:
            return str(self._session.conf.get(name))
        except Exception:
            if name not in _LATER:
                raise
        return _SETTINGS[name]

    def tables(self) -> Sequence[str]:
        """See `Server`."""
        return [table.name for table in self._session.catalog.listTables()]

    def hold(self, tables: Sequence[str]) -> str | None:
        """See `Server` and `spark_states`."""
        with suppress(Exception):  # what cannot be looked at has no state
            self._held = self._state(tables)
        return None if self._held is None else self._held.name

    def _state(self, tables: Sequence[str]) -> Held | None:
        views = {table: self._named(table) for table in tables if table in self._files}
        commits: dict[str, Commit] = {}
        for table in set(tables) - views.keys():
            commit = self._commit(self._named(table))
            if commit is None:
                return None
            commits[table] = commit
        held = Held.of(self._session, views, commits)
        for table, commit in commits.items() if held is not None else ():
            self._read[table] = self._view(commit.rows)
        return held

    def _commit(self, name: str) -> Commit | None:
        described = self._session.sql(f"DESCRIBE EXTENDED {name}").toArrow()
        details = stored([tuple(row.values()) for row in described.to_pylist()])
        where = location(details, "delta")
        if where is not None:
            return last_commit(self._session, where)
        return current_snapshot(self._session, name, details)

    @property
    def unnamed(self) -> str:
        """See `Server`."""
        return UNNAMED

    def held(self) -> bool:
        """See `Server`."""
        return self._held is None or self._held.stands(self._session)

    def columns(self, table: str) -> Sequence[Column] | None:
        """See `Server`."""
        if table not in self._files and not self._session.catalog.tableExists(table):
            return None
        schema = self._session.sql(f"SELECT * FROM {self._named(table)} WHERE FALSE").schema
        kinds = [(field.name, field.dataType) for field in schema.fields]
        self._zoned[table] = frozenset(n for n, k in kinds if k.typeName() == "timestamp")
        return [(name, _kind(kind)) for name, kind in kinds]

    def watched(self, table: str) -> bool:
        """See `Server`. Each Parquet file is asked for, of Delta's and Iceberg's the one that names
        them. Sail reads a whole file to tell its time, and looks for new ones in each statement.
        """
        return table in self._files and self._apache

    def unsure(self, table: str, columns: Sequence[Column]) -> frozenset[str]:
        """See `Server` and `spark_statistics`."""
        names = frozenset(name for name, kind in columns if unsure(kind))
        if not columns:
            return frozenset()
        name = self._named(table)
        if table not in self._read and not taken(self._session, name, by_apache=self._apache):
            raise PolicyError(COMPUTED.format(table))
        if not names or self._apache:
            return frozenset()
        return frozenset() if in_memory(self._session, name) else names

    @cached_property
    def _apache(self) -> bool:
        with suppress(Exception):  # one that has no such function is none
            return apache(self._session)
        return False

    def source(self, table: str, columns: Sequence[Column]) -> str:
        """See `Server`."""
        zoned = self._zoned.get(table, frozenset())
        items = (f"{_value(n, kind, n in zoned)} AS {quoted(n)}" for n, kind in columns)
        return f"(SELECT {', '.join(items)} FROM {self._named(table)}) AS t"

    def _named(self, table: str) -> str:
        """What is read for a table: a view of its files, or of the commit at which it is held, or
        what the catalog has by that name.
        """
        if table in self._files and table not in self._read:
            self._read[table] = self._view(self._session.read.parquet(*self._files[table]))
        return self._read.get(table) or ".".join(map(quoted, table.split(".")))

    def _view(self, frame: DataFrame) -> str:
        """A view of rows, of a name that nobody else has."""
        name = f"{self._tag.replace('-', '_')}_{len(self._views)}"
        frame.createOrReplaceTempView(name)
        self._views.append(name)
        return quoted(name)

    def publish(self, name: str, rows: Any) -> str:
        """See `Server`."""
        schema = _schema(rows)
        parts = [self._view(self._session.createDataFrame(part, schema)) for part in _parts(rows)]
        whole = " UNION ALL ".join(f"SELECT * FROM {part}" for part in parts)
        self._session.sql(whole).createOrReplaceTempView(name)
        self._views.append(name)
        with suppress(Exception):  # or each statement reads what was sent anew; some have no cache
            self._session.catalog.cacheTable(name)
        if len(parts) > 1:
            # What a server takes its workers may not: that shows now, and not after a charge.
            every = f"SELECT DISTINCT * FROM {quoted(name)}"
            self._session.sql(f"SELECT COUNT(*) FROM ({every}) AS t").toArrow()
        return f"{quoted(name)} AS t"

    def bind(self, sql: str) -> None:
        """See `Server`: the analysis of a statement, which knows tables by their columns alone. Not
        EXPLAIN: that optimizes, which folds rows that a session was lent, and reads statistics.
        """
        if sql not in self._frames:
            _ = self._analysed(sql).schema

    def _analysed(self, sql: str) -> DataFrame:
        """A statement as the server has analysed it, which it need not be sent for again."""
        frame = self._frames.get(sql)
        if frame is None:
            frame = self._session.sql(sql)
            if len(self._frames) >= _FRAMES:
                del self._frames[next(iter(self._frames))]
            if len(sql) <= _LONG:
                self._frames[sql] = frame
        return frame

    def run(self, sql: str) -> Any:
        """See `Server`."""
        self._session.addTag(self._tag)
        try:
            return self._analysed(sql).toArrow()
        except BaseException:
            self._frames.pop(sql, None)
            raise
        finally:
            self._session.removeTag(self._tag)

    def interrupt(self) -> None:
        """See `Server`: one that is gone runs nothing any more."""
        with suppress(Exception):
            self._session.interruptTag(self._tag)

    def close(self) -> None:
        """See `Server`."""
        with suppress(Exception):
            for name in self._views:
                self._session.catalog.dropTempView(name)
        with suppress(Exception):  # or the process would wait for a dead server when it ends
            if self._own:
                self._session.stop()


def is_session(data: object) -> bool:
    """Whether it is a session of Spark, classic or of Spark Connect; nothing is imported for it."""
    kind = type(data)
    return kind.__name__ == "SparkSession" and kind.__module__.startswith("pyspark.sql.")


def opened(data: object, files: Files) -> Spark:
    """A session, or one of ours with the server that a URL names.

    Args:
        data: the session, or the URL.
        files: of tables, as for `Spark`.

    Raises:
        EngineError: pyspark is not installed.
        PolicyError: no server is there.
    """
    if not is_spark(data):
        return Spark(data, files)  # type: ignore[arg-type]
    problem: PolicyError | EngineError
    try:
        return Spark(_connected(str(data)), files, own=True)
    except ImportError:
        problem = EngineError("Spark needs its client: pip install 'dpsql[spark]'")
    except (Exception, SystemExit):  # which pyspark calls where it has no JVM
        problem = PolicyError("no Spark server is there, or it is not open to this user")
    raise problem


def _connected(url: str) -> SparkSession:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # pyspark's, of the newest pandas
        return _client(url)


def _client(url: str) -> SparkSession:
    if url.startswith("sc://"):
        from pyspark.sql.connect.client.retries import DefaultPolicy
        from pyspark.sql.connect.session import SparkSession as Connect

        parts = urlsplit(url)
        # Before the client, which tries for minutes; and what it tries later is a few times, too.
        socket.create_connection((parts.hostname or "", parts.port or 15002), _WAIT).close()
        made: Any = Connect.builder.remote(url).create()
        made.client.set_retry_policies([DefaultPolicy(max_retries=3)])
        return made  # type: ignore[no-any-return]
    from pyspark.sql import SparkSession

    return SparkSession.builder.master(url).getOrCreate()


def _silence() -> None:
    """pyspark writes what a server says of an error to the terminal, beside raising it, in this
    whole process; that may be a row's value, and whoever asks may see the terminal.
    """
    with suppress(ImportError):  # of an older one, which does not
        from pyspark.logger import PySparkLogger

        for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
            PySparkLogger.getLogger(name).disabled = True


def _kind(kind: Any) -> str:
    name = kind.typeName()
    if name == "decimal":
        return f"DECIMAL({kind.precision}, {kind.scale})"
    collated = name == "string" and getattr(kind, "collation", "UTF8_BINARY") != "UTF8_BINARY"
    return "BLOB" if collated else _KINDS.get(name, "BLOB")


def _value(name: str, kind: str, zoned: bool) -> str:
    own = quoted(name)
    if kind == "BLOB":
        return f"(CASE WHEN {own} IS NOT NULL THEN X'00' END)"
    if kind in FLOATING:
        return itself(own, kind)
    if kind == "VARCHAR":  # a file may have what is no text, and Arrow has no place for it
        return f"(CASE WHEN is_valid_utf8({own}) THEN {own} END)"
    if kind in INTEGER_BITS:  # Sail says so of unsigned ones, which it holds and fails to give
        return f"try_cast({own} AS {kind})"
    if kind == "DATE":
        return f"(CASE WHEN {own} BETWEEN DATE '{_FIRST}' AND DATE '{_LAST}' THEN {own} END)"
    if kind == "TIMESTAMP":
        own = f"CAST({own} AS TIMESTAMP_NTZ)" if zoned else own
        first, last = f"'{_FIRST} 00:00:00'", f"'{_LAST} 23:59:59.999999'"
        ends = f"TIMESTAMP_NTZ {first} AND TIMESTAMP_NTZ {last}"
        return f"(CASE WHEN {own} BETWEEN {ends} THEN {own} END)"
    return own


def _parts(rows: Any) -> list[Any]:
    """An Arrow table in parts of which each is one message; an empty one is one part, too."""
    if rows.nbytes <= MESSAGE or rows.num_rows <= 1:
        return [rows]
    half = rows.num_rows // 2
    return [*_parts(rows.slice(0, half)), *_parts(rows.slice(half))]


def _schema(rows: Any) -> Any:
    """What an Arrow table has, said: an empty one does not say it."""
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(rows.schema, prefer_timestamp_ntz=True)
