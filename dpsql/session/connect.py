"""Opening data under a policy, with its ledger and the record of its verification."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Union

import duckdb

from dpsql.core.account.account import Account
from dpsql.core.limits import Limits
from dpsql.core.schema import Schema
from dpsql.errors import InvalidArgument, PolicyError
from dpsql.execution.boundary import typed
from dpsql.platform.engine import duckdb_open, file_kinds
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.far import spark
from dpsql.platform.engine.far.opening import open_server
from dpsql.platform.engine.far.postgres import open_in_place
from dpsql.platform.engine.far.spark import is_session
from dpsql.platform.engine.instance import instance
from dpsql.platform.engine.recipe import databases
from dpsql.platform.engine.resources import Resources
from dpsql.platform.engine.urls import is_postgres, is_served, is_server, is_spark
from dpsql.platform.ledger.ledger import Ledger
from dpsql.platform.ledger.opening import URLS, open_ledger
from dpsql.platform.policy import Policy, resolve
from dpsql.platform.policy.files import named
from dpsql.platform.policy.named_columns import named_columns
from dpsql.session.beside import LEDGER, RECORD, ledger_beside, sidecar
from dpsql.session.claims import in_record
from dpsql.session.copies import copy_of, in_force
from dpsql.session.database import Database
from dpsql.session.policies import PolicyLike, account, load_policy
from dpsql.session.recheck import check_readable, naming
from dpsql.session.remote.client import Client
from dpsql.session.remote.database import RemoteDatabase
from dpsql.session.units_in_time import check_copy

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Data = Union[str, os.PathLike[str], duckdb.DuckDBPyConnection, Mapping[str, object], "SparkSession"]
"""A path, the URL of a server, an open connection, a session of Spark's, or frames in memory by the
names of their tables."""

ON_A_SERVER = (
    "data on a server have their ledger where you say: --ledger or connect(…, ledger=…), a file or "
    "the URL of a PostgreSQL database"
)

ONLY_POSTGRES = "in place are data of a PostgreSQL database alone, named by its URL"

IN_MEMORY = (duckdb.DuckDBPyConnection, Mapping)


def _path(data: Data) -> Path | None:
    """Where data are; None in memory, and on a server.

    Raises:
        InvalidArgument: it is nothing that can be opened.
        PolicyError: no file can have that name.
    """
    if isinstance(data, IN_MEMORY) or _on_a_server(data):
        return None
    _check_url(data)
    return named(data, "the data")


def _on_a_server(data: object) -> bool:
    """A URL, or a session of Spark's, which is no path either."""
    return is_server(data) or is_session(data)


def _check_url(data: object) -> None:
    """Another URL is no path; it is not shown, since a password may be in it.

    Raises:
        PolicyError: it is one.
    """
    if isinstance(data, str) and "://" in data and not is_server(data):
        begins = "postgresql://, sc:// or spark://"
        raise PolicyError(f"data are named by a path, or by a URL that begins with {begins}")


@typed
def connect(
    data: Data,
    policy: PolicyLike | None = None,
    *,
    token: str | None = None,
    ca: str | os.PathLike[str] | None = None,
    ledger: Ledger | str | os.PathLike[str] | None = None,
    analyst: str = "",
    version: str | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    workers: int = 1,
    temp_directory: str | os.PathLike[str] | None = None,
    in_place: bool = False,
) -> Database:
    """Open data under a policy.

    Args:
        data: a DuckDB or SQLite file; a Parquet, CSV or JSON file, or a folder of them; the URL of
            a PostgreSQL database, which is copied, unless `in_place`; the URL of a Spark server,
            or a session of it, where rows stay; the folder of a copy that was prepared; an open
            DuckDB connection; or frames of pandas and polars and tables of Arrow, by the names of
            the tables: `{"visits": frame}`.
        policy: the policy, or its YAML file, its YAML text, or its content as a mapping.
        token: of a dpsql server, whose data are named by its URL, `https://host:port/name`; by
            default that in DPSQL_TOKEN. A server decides itself what else there is below.
        ca: a file with the certificates to trust of that server; by default that of DPSQL_CA, or
            else the system's.
        ledger: where spending is kept: a ledger, the path of a SQLite file, or the URL of a
            PostgreSQL database. By default a file beside the data, and of a copy the one beside
            the data that it was made of; in memory for a connection to an in-memory database, one
            for the database: connecting again is no new budget. For frames in memory, too: one for
            all frames under policies with the same `budget: account:`, or without one with the
            same shape.
        analyst: who asks, for the caps of the policy and the ledger's lines.
        version: of the data, such as a date. While it and the policy's `epoch` stay, the answers
            that the ledger keeps under that name are given again for free. Of data behind an open
            connection, and of frames, they are not without one or the other.
        threads, memory_limit: of the engine ("4GB"), instead of the policy's `limits`.
        workers: how many processes are kept for the next query. A query of a file or a folder runs
            in a process of its own, which is killed when its time is over; 0: in this process, as
            those of an open connection do.
        temp_directory: where private directories are made for what does not fit into memory; None
            for the system's (TMPDIR).
        in_place: of a PostgreSQL database: private rows stay on the server, which computes what
            queries read of them.

    Raises:
        PolicyError: the policy is wrong, or is not true of the data where it has to be: keys on
            unit paths that are not unique, a declared number of rows that is not the number.
        LedgerTampered: the ledger is not what it was; the owner must acknowledge that first.
        EngineError: the ledger cannot be opened.
        InvalidArgument: an analyst or a version that is no text, data or a ledger of another
            kind, or a memory limit or a number of workers that is none.
    """
    if not isinstance(analyst, str) or not isinstance(version, str | None):
        raise InvalidArgument("an analyst and a version are texts")
    if is_served(data):
        given = (policy, ledger, version, threads, memory_limit, temp_directory)
        if any(part is not None for part in given) or analyst or in_place or workers != 1:
            raise InvalidArgument("a dpsql server decides itself: give its URL and a token")
        token, ca = token or os.environ.get("DPSQL_TOKEN"), ca or os.environ.get("DPSQL_CA")
        return RemoteDatabase(Client(str(data), token or "", ca=None if ca is None else str(ca)))
    if token is not None or ca is not None:
        raise InvalidArgument("a token is for a dpsql server, named by https://host:port/name")
    if policy is None:
        raise PolicyError("data are opened under a policy: connect(data, policy)")
    _usable(ledger)
    if ledger is None and _on_a_server(data):  # before anything is copied
        raise PolicyError(ON_A_SERVER)
    loaded = load_policy(policy)
    beside = _path(data)
    with ExitStack() as opening:
        resources = Resources(
            loaded.limits.exact,
            threads=threads,
            memory_limit=memory_limit,
            workers=workers,
            temp_directory=temp_directory,
        )
        opening.callback(resources.close)
        engine = engine_of(data, loaded, resources, in_place=in_place)
        opening.callback(engine.close)
        if engine.sources:
            check_readable(engine, loaded)
        recorded = record_path(data, ledger)
        record = in_record(engine, loaded, recorded)
        schema = resolve(loaded, engine.catalog(), record)
        if ledger is None and len({t.path[0] for t in schema.tables.values() if t.private}) > 1:
            message = "private tables are in several databases, each of which may have a budget; "
            raise PolicyError(f"{message}name the one that counts: connect(…, ledger=…)")
        kept = ledger if not isinstance(ledger, str | os.PathLike) else None
        if kept is None:
            where = beside or _file_of(data, schema)
            check_one_ledger(engine, data, ledger)
            kept = _ledger(ledger, where, account(loaded, schema, ledger), data)
        path = ledger_path(ledger, data, schema)
        base = partial(Database, engine, loaded, kept, record, recorded, ledger_path=path)
        more = partial(base, analyst=analyst, version=version, resources=resources)
        made = naming(engine, loaded, more)
        opening.pop_all()
    return made


def engine_of(
    data: Data, policy: Policy, resources: Resources | None = None, *, in_place: bool = False
) -> DuckDBEngine:
    """Whatever `connect` takes, opened.

    Raises:
        PolicyError: it cannot be opened.
        InvalidArgument: it is nothing that can be.
    """
    path = _path(data)
    if in_place and not is_postgres(data):
        raise PolicyError(ONLY_POSTGRES)
    copy = None if path is None else copy_of(path)
    check_copy(policy, copy)
    if isinstance(data, duckdb.DuckDBPyConnection):
        return duckdb_open.from_connection(data)
    if isinstance(data, Mapping):
        allowed = (resources or Resources(policy.limits.exact)).allowed
        engine = duckdb_open.open_frames(data, named_columns(policy), allowed)
    elif is_session(data):
        allowed = (resources or Resources(policy.limits.exact)).allowed
        engine = open_server(spark.opened(data, _files(policy)), _read(policy), allowed)
    else:
        given = str(data) if path is None else path
        engine = opened(given, policy, resources, in_place=in_place)
    missing = [name for name in policy.tables if not engine.catalog().meant(name)]
    if missing and engine.left_out:
        engine.close()
        some = "; ".join(engine.left_out[:5]) + ("; …" if len(engine.left_out) > 5 else "")
        message = f"the data have no table {missing[0]}; left out are {some}"
        raise policy.error(message, "tables", missing[0])
    for name in _unnamed(policy, engine):
        engine.close()
        message = (
            f"{name} is CSV: name one of its columns at least. Its first line is told as names "
        )
        message += "to everybody, and it is known by them alone that it is no row"
        raise policy.error(message, "tables", name)
    return engine


def _unnamed(policy: Policy, engine: DuckDBEngine) -> Iterator[str]:
    """The private tables of CSV files in which the policy names no column."""
    if engine.parts is None:
        return
    for name, columns in named_columns(policy).items():
        files = engine.parts.tables.get(name.lower())
        if policy.tables[name].private and files is not None and files.kind == "csv":
            folders = set(map(str.lower, files.partition))
            yield from [] if {column.lower() for column in columns} - folders else [name]


def opened(
    given: Path | str,
    policy: Policy | None = None,
    resources: Resources | None = None,
    *,
    rows: bool = True,
    in_place: bool = False,
) -> DuckDBEngine:
    """A DuckDB file, that of a copy, a folder of files, or one such file; texts have the types of
    the policy. Or a SQLite or PostgreSQL database, without rows where the catalog is wanted alone.

    Raises:
        PolicyError: it cannot be opened.
    """
    # The policy's own where none are given: engines of one file in a process must agree.
    _check_url(given)
    resources = resources or Resources(Limits() if policy is None else policy.limits.exact)
    types = None if policy is None else named_columns(policy)
    if is_spark(given):
        read = None if policy is None else _read(policy)
        return open_server(spark.opened(given, _files(policy)), read, resources.allowed)
    if is_server(given):
        if policy is not None and policy.attach:
            raise policy.error("other files are attached to a DuckDB file alone", "attach")
        if in_place:
            access = None if policy is None else _access(policy)
            return open_in_place(str(given), types, access, resources.allowed)
        return duckdb_open.open_postgres(str(given), types, resources.allowed, rows=rows)
    data = named(given, "the data")
    copied = in_force(data)
    # A copy has all tables in it.
    named_there = policy.attach if policy is not None and copied == data else {}
    attached = {name: data.parent / file for name, file in named_there.items()}
    data = copied
    kind = file_kinds.seen(data).kind if data.is_file() else ""
    whole = not data.is_dir() and (kind == "duckdb" or file_kinds.named(data.name) is None)
    if attached and policy is not None and (kind == "sqlite" or not whole):
        raise policy.error("other files are attached to a DuckDB file alone", "attach")
    if kind == "sqlite":
        return duckdb_open.open_sqlite(data, types, resources.allowed, rows=rows)
    if whole:
        return duckdb_open.open_file(data, resources.allowed, attached)
    return duckdb_open.open_folder(data, types, resources.allowed, _files(policy))


def _access(policy: Policy) -> dict[str, bool]:
    """The tables that a policy lists, each with whether it is private."""
    return {name: table.private for name, table in policy.tables.items()}


def _read(policy: Policy) -> dict[str, frozenset[str] | None]:
    """The tables that a policy lists, with the columns that it names of public ones."""
    named = {name: map(str.lower, columns) for name, columns in named_columns(policy).items()}
    return {n: None if t.private else frozenset(named[n]) for n, t in policy.tables.items()}


def _files(policy: Policy | None) -> dict[str, tuple[str, ...]]:
    """The files of tables, where a policy declares them."""
    tables = {} if policy is None else policy.tables
    return {name: table.files for name, table in tables.items() if table.files}


def record_path(data: Data, ledger: object = None) -> Path | None:
    """Where it is recorded which claims hold: beside the data, and of data on a server beside the
    file of their ledger; None where there is no such place.
    """
    if _on_a_server(data):
        is_file = isinstance(ledger, str | os.PathLike) and not str(ledger).startswith(URLS)
        return sidecar(Path(str(ledger)), RECORD) if is_file else None
    path = _path(data)
    return None if path is None else sidecar(in_force(path), RECORD)


def check_one_ledger(engine: DuckDBEngine, data: Data, ledger: object) -> None:
    """Refuse files that have several ledgers where none is named: each would be a budget.

    Raises:
        PolicyError: they have.
    """
    path = _path(data)
    if ledger is not None or not engine.sources or path is None:
        return
    meant, paths = ledger_beside(path), [path for _, path, _ in engine.opened.stamps]
    for part in sorted({part for path in paths for part in (path, *path.parents) if part.name}):
        other = part.with_name(f"{part.name}.dpsql-{LEDGER}")
        if other != meant and other.exists():
            raise PolicyError(
                f"a file of it has another ledger, {other}: name the one that counts, with "
                "--ledger or connect(…, ledger=…)",
                file=str(data),
            )


def _usable(ledger: object) -> None:
    """A ledger, a URL of one, or a path that a file can have."""
    if isinstance(ledger, str | os.PathLike):
        if not str(ledger).startswith(URLS):
            named(ledger, "the ledger")
    elif ledger is not None and not hasattr(ledger, "reserve"):
        kind = type(ledger).__qualname__
        raise InvalidArgument(f"a ledger is named by a text or a path, not by an object {kind}")


def _ledger(where: object, beside: Path | None, made: Account, data: Data) -> Ledger:
    if isinstance(where, str | os.PathLike):
        return open_ledger(where, made)
    if isinstance(data, duckdb.DuckDBPyConnection) and beside is None:
        return open_ledger(None, made, memory=instance(data))
    if isinstance(data, Mapping):
        # Which data a frame holds nobody can tell: it may be the same ones, read again.
        return open_ledger(None, made, memory=f"frames {made.identity}")
    assert beside is not None  # a server's is named
    return open_ledger(ledger_beside(beside), made)


def ledger_path(ledger: object, data: Data, schema: Schema) -> str:
    """The ledger's file; empty where it is none, or its name may be a secret."""
    if isinstance(ledger, str | os.PathLike):
        return "" if str(ledger).startswith(URLS) else str(Path(ledger).resolve())
    beside = _file_of(data, schema) if isinstance(data, IN_MEMORY) else _path(data)
    return "" if ledger is not None or beside is None else str(ledger_beside(beside))


def _file_of(data: Data, schema: Schema) -> Path | None:
    """The file with the units behind an open connection, so that their ledger outlives the process,
    whatever they are attached to; or None.
    """
    if not isinstance(data, duckdb.DuckDBPyConnection):
        return None
    units = schema.tables[schema.unit_table.lower()]
    file = databases(data.cursor()).get(units.path[0])
    return Path(file) if file else None
