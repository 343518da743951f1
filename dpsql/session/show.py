"""A policy to be looked at, with what its data's catalog and their verification add to it."""

from __future__ import annotations

from contextlib import closing

import duckdb

from dpsql.execution.boundary import typed
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.policy import resolve
from dpsql.platform.policy.files import named
from dpsql.report.policies.picture import PolicyPicture, picture
from dpsql.session.claims import in_record
from dpsql.session.connect import Data, opened, sidecar
from dpsql.session.copies import in_force
from dpsql.session.policies import PolicyLike, load_policy


@typed
def show(policy: PolicyLike, data: Data | None = None) -> PolicyPicture:
    """What is public of a policy: its tables, their paths to the unit, and bounds. No row is read.

    Args:
        policy: as for `connect`.
        data: as for `connect`; without them every column needs a type.

    Raises:
        PolicyError: the policy is wrong, or the data cannot be opened.
    """
    loaded = load_policy(policy)
    if data is None:
        return picture(resolve(loaded, None, None))
    if isinstance(data, duckdb.DuckDBPyConnection):
        return picture(resolve(loaded, DuckDBEngine.from_connection(data).catalog(), None))
    file = in_force(named(data, "the data"))
    with closing(opened(file, loaded)) as engine:
        record = in_record(engine, loaded, sidecar(file, "verified.json"))
        return picture(resolve(loaded, engine.catalog(), record))
