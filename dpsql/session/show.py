"""A policy to be looked at, with what its data's catalog and their verification add to it."""

from __future__ import annotations

from contextlib import closing

import duckdb

from dpsql.core.schema import Schema
from dpsql.execution.boundary import typed
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.policy import Policy, resolve
from dpsql.platform.policy.files import named
from dpsql.report.policies.picture import PolicyPicture, picture
from dpsql.report.policies.registry import record
from dpsql.session.claims import in_record
from dpsql.session.connect import Data, opened, sidecar
from dpsql.session.copies import in_force
from dpsql.session.policies import PolicyLike, load_policy


@typed
def registered(policy: PolicyLike, data: Data | None = None) -> str:
    """A record of a policy for a registry of deployments, as YAML; see `show`."""
    loaded = load_policy(policy)
    return record(loaded, _schema(loaded, data))


@typed
def show(policy: PolicyLike, data: Data | None = None) -> PolicyPicture:
    """What is public of a policy: its tables, their paths to the unit, and bounds. No row is read.

    Args:
        policy: as for `connect`.
        data: as for `connect`; without them every column needs a type.

    Raises:
        PolicyError: the policy is wrong, or the data cannot be opened.
    """
    return picture(_schema(load_policy(policy), data))


def _schema(policy: Policy, data: Data | None) -> Schema:
    if data is None:
        return resolve(policy, None, None)
    if isinstance(data, duckdb.DuckDBPyConnection):
        return resolve(policy, DuckDBEngine.from_connection(data).catalog(), None)
    file = in_force(named(data, "the data"))
    with closing(opened(file, policy)) as engine:
        known = in_record(engine, policy, sidecar(file, "verified.json"))
        return resolve(policy, engine.catalog(), known)
