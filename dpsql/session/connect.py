"""Opening data under a policy, with its ledger and the record of its verification."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import duckdb

from dpsql.core.account.account import Account
from dpsql.core.schema import Schema
from dpsql.errors import InvalidArgument, PolicyError
from dpsql.execution.boundary import typed
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.instance import instance
from dpsql.platform.engine.protocol import Engine
from dpsql.platform.engine.resources import Resources
from dpsql.platform.ledger.ledger import Ledger
from dpsql.platform.ledger.opening import URLS, open_ledger
from dpsql.platform.policy import Policy, Verification, resolve, valid
from dpsql.platform.policy.files import named
from dpsql.session.copies import copy_of, in_force
from dpsql.session.database import Database
from dpsql.session.policies import PolicyLike, account, load_policy
from dpsql.session.recheck import check_readable
from dpsql.types import Type

Data = str | os.PathLike[str] | duckdb.DuckDBPyConnection


@typed
def connect(
    data: Data,
    policy: PolicyLike,
    *,
    ledger: Ledger | str | os.PathLike[str] | None = None,
    analyst: str = "",
    version: str | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    workers: int = 1,
    temp_directory: str | os.PathLike[str] | None = None,
) -> Database:
    """Open data under a policy.

    Args:
        data: a DuckDB file, a folder of Parquet or CSV files, the folder of a copy that was
            prepared, or an open DuckDB connection.
        policy: the policy, or its YAML file, its YAML text, or its content as a mapping.
        ledger: where spending is kept: a ledger, the path of a SQLite file, or the URL of a
            PostgreSQL database. By default a file beside the data, and of a copy the one beside
            the data that it was made of; in memory for a connection to an in-memory database, one
            for the database: connecting again is no new budget.
        analyst: who asks, for the caps of the policy and the ledger's lines.
        version: of the data, such as a date. While it and the policy's `epoch` stay, the answers
            that the ledger keeps under that name are given again for free. Of data behind an open
            connection they are not without one or the other.
        threads, memory_limit: of the engine ("4GB"), instead of the policy's `limits`.
        workers: how many processes are kept for the next query. A query of a file or a folder runs
            in a process of its own, which is killed when its time is over; 0: in this process, as
            those of an open connection do.
        temp_directory: where private directories are made for what does not fit into memory; None
            for the system's (TMPDIR).

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
    _usable(ledger)
    loaded = load_policy(policy)
    beside = None if isinstance(data, duckdb.DuckDBPyConnection) else named(data, "the data")
    file = None if beside is None else in_force(beside)
    with ExitStack() as opening:
        resources = Resources(
            loaded.limits.exact,
            threads=threads,
            memory_limit=memory_limit,
            workers=workers,
            temp_directory=temp_directory,
        )
        opening.callback(resources.close)
        engine = _engine(data, loaded, resources)
        opening.callback(engine.close)
        if file is not None and file.is_dir():
            check_readable(engine, loaded)
        record_path = None if file is None else sidecar(file, "verified.json")
        record = _record(engine, loaded, record_path)
        schema = resolve(loaded, engine.catalog(), record)
        kept = ledger if not isinstance(ledger, str | os.PathLike) else None
        if kept is None:
            whole = beside or _file_of(data, schema)
            kept = _ledger(ledger, whole, account(loaded, schema, ledger), data)
        made = Database(
            engine,
            loaded,
            kept,
            record,
            record_path,
            analyst=analyst,
            version=version,
            resources=resources,
            ledger_path=ledger_path(ledger, data, schema),
        )
        opening.pop_all()
    return made


def _engine(data: Data, policy: Policy, resources: Resources) -> DuckDBEngine:
    if isinstance(data, duckdb.DuckDBPyConnection):
        return DuckDBEngine.from_connection(data)
    return opened(Path(data), policy, resources)


def opened(data: Path, policy: Policy, resources: Resources | None = None) -> DuckDBEngine:
    """A DuckDB file, that of a copy, or a folder whose CSV files have the types of the policy.

    Raises:
        PolicyError: it cannot be opened.
    """
    copied = in_force(data)
    # A copy has all tables in it.
    attached = {n: data.parent / file for n, file in policy.attach.items() if copied == data}
    data = copied
    # The policy's own where none are given: engines of one file in a process must agree.
    resources = resources or Resources(policy.limits.exact)
    if data.is_dir():
        if attached:
            raise policy.error("other files are attached to a DuckDB file alone", "attach")
        return DuckDBEngine.open_folder(data, _types(policy), resources.allowed)
    return DuckDBEngine.open_file(data, resources.allowed, attached)


def sidecar(data: Path, suffix: str) -> Path:
    """A file of dpsql's own beside the data.

    Raises:
        PolicyError: the data is the root of the file system, which nothing is beside.
    """
    where = data.resolve()
    if not where.name:
        raise PolicyError(f"{where} is no database and no folder of tables")
    return where.with_name(f"{where.name}.dpsql-{suffix}")


def ledger_beside(data: Path) -> Path:
    """The ledger that is meant where none is named: of a copy, that of the data.

    Raises:
        PolicyError: data that have none, or whose ledger is no file or gone.
    """
    copy = copy_of(data)
    if copy is None:
        return sidecar(data, "ledger")
    if not copy.ledger:
        raise PolicyError(
            "the ledger of the data that were copied is no file: name it", file=str(data)
        )
    if not Path(copy.ledger).is_file():  # a new one would be a second budget
        raise PolicyError(
            "the ledger of the data that were copied is not where it was: name it, or prepare the "
            "copy again",
            file=str(data),
        )
    return Path(copy.ledger)


def _usable(ledger: object) -> None:
    """A ledger, a URL of one, or a path that a file can have."""
    if isinstance(ledger, str | os.PathLike):
        if not str(ledger).startswith(URLS):
            named(ledger, "the ledger")
    elif ledger is not None and not hasattr(ledger, "reserve"):
        raise InvalidArgument(f"a ledger is named by a text or a path, not by {ledger!r:.60}")


def _ledger(where: object, beside: Path | None, made: Account, data: Data) -> Ledger:
    if isinstance(where, str | os.PathLike):
        return open_ledger(where, made)
    if isinstance(data, duckdb.DuckDBPyConnection) and beside is None:
        return open_ledger(None, made, memory=instance(data))
    assert beside is not None
    return open_ledger(ledger_beside(beside), made)


def ledger_path(ledger: object, data: Data, schema: Schema) -> str:
    """The ledger's file; empty where it is none, or its name may be a secret."""
    if isinstance(ledger, str | os.PathLike):
        return "" if str(ledger).startswith(URLS) else str(Path(ledger).resolve())
    beside = _file_of(data, schema) if isinstance(data, duckdb.DuckDBPyConnection) else Path(data)
    return "" if ledger is not None or beside is None else str(ledger_beside(beside))


def _file_of(data: Data, schema: Schema) -> Path | None:
    """The file with the units behind an open connection, so that their ledger outlives the process,
    whatever they are attached to; or None.
    """
    if not isinstance(data, duckdb.DuckDBPyConnection):
        return None
    units = schema.tables[schema.unit_table.lower()]
    sql = 'SELECT "database_name", "path" FROM "system"."main"."duckdb_databases"()'
    files = dict(data.cursor().execute(sql).fetchall())
    return Path(files[units.path[0]]) if files.get(units.path[0]) else None


def _record(engine: Engine, policy: Policy, path: Path | None) -> Verification | None:
    """The verification record that is in force, or None."""
    if path is None:
        return None
    record = Verification.load(path)
    if record is None or not valid(record, policy, engine.version()):
        return None
    return record


def _types(policy: Policy) -> dict[str, dict[str, Type]]:
    return {
        name: {c: d.type for c, d in table.columns.items() if d.type is not None}
        for name, table in policy.tables.items()
    }
