"""`dpsql.prepare`: a copy of the data in which every claim of the policy is true."""

from __future__ import annotations

import os
from contextlib import ExitStack
from functools import partial

from dpsql.errors import InvalidArgument
from dpsql.execution.boundary import typed
from dpsql.platform.engine.conform import Cut
from dpsql.platform.engine.resources import Resources
from dpsql.platform.engine.spill import TempDirectory
from dpsql.platform.engine.urls import is_postgres
from dpsql.platform.policy import resolve
from dpsql.platform.policy.files import named
from dpsql.session import servers
from dpsql.session.conforming import Told, conforming_copy
from dpsql.session.connect import Data, check_one_ledger, engine_of, ledger_path
from dpsql.session.policies import PolicyLike, load_policy
from dpsql.session.recheck import naming


@typed
def prepare(
    data: Data,
    policy: PolicyLike,
    into: str | os.PathLike[str],
    *,
    schema: str | None = None,
    refresh: bool = False,
    ledger: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    temp_directory: str | os.PathLike[str] | None = None,
    told: Told | None = None,
) -> tuple[Cut, ...]:
    """Write a conforming copy of data, for the owner: where `connect` is given its folder, with the
    same policy, queries are proven by it and enforce nothing while they run.

    Rows without a unit are dropped, values outside of their bounds become the nearest bound, texts
    are cut, values that are not declared become NULL, and of rows that share more than they may
    some are kept, told by a hash of what is in them. Columns of private tables that the policy does
    not name are left out. Data and copy are one data set, with one ledger.

    Args:
        data, policy: as for `connect`; keys need not be unique within one unit.
        into: the folder of the copy; made where it is not there. Or the URL of a PostgreSQL
            database, for a user who may write there.
        schema: of that database, for the copy and nothing else; made where it is not there.
        refresh: whether tables are taken over from the copy that is there where their files, and
            those of the tables that they lead to, are as they were.
        ledger: the file of the data's ledger, where it is not beside the data.
        threads, memory_limit, temp_directory: of the work, instead of the policy's `limits`.
        told: called with a table, its rows that are done, and its rows.

    Returns:
        What became of each private table: for the owner alone, since the numbers are exact.

    Raises:
        PolicyError: the copy cannot be made, as where two units share a key; one that was there is
            as it was.
        EngineError: the data or the ledger cannot be read, or memory or disk ran out.
        LedgerTampered: the ledger is not what it was.
        InvalidArgument: an argument that is none.
    """
    loaded = load_policy(policy)
    with ExitStack() as opening:
        server = into if isinstance(into, str) and is_postgres(into) else None
        if (server is None) != (schema is None) or (server is not None and refresh):
            raise InvalidArgument(
                "a schema is of a PostgreSQL server, and a copy there needs one and has no refresh"
            )
        if server is not None:
            servers.check(loaded)
            directory = TempDirectory(temp_directory)
            opening.callback(directory.close)
            into = directory.path / "copy"
        folder = named(into, "the copy")
        resources = Resources(
            loaded.limits.exact,
            threads=threads,
            memory_limit=memory_limit,
            temp_directory=temp_directory,
        )
        opening.callback(resources.close)
        source = loaded if loaded.time is None else loaded.time.base
        engine = engine_of(data, source, resources)
        opening.callback(engine.close)
        check_one_ledger(engine, data, ledger)
        where = ledger_path(ledger, data, resolve(source, engine.catalog(), None))
        work = partial(conforming_copy, engine, loaded, folder, resources=resources)
        cuts = naming(engine, source, partial(work, ledger=where, refresh=refresh, told=told))
        if server is not None and schema is not None:
            servers.written(folder, loaded, resources, server, schema)
        return cuts
