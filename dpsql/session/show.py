"""A policy to be looked at, with what its data's catalog and their verification add to it."""

from __future__ import annotations

from contextlib import closing

from dpsql.core.schema import Schema
from dpsql.execution.boundary import typed
from dpsql.platform.policy import Policy, resolve
from dpsql.report.policies.policy_document import PolicyPicture, picture
from dpsql.report.policies.registry import record
from dpsql.session.claims import in_record
from dpsql.session.connect import Data, engine_of, record_path
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
    with closing(engine_of(data, policy)) as engine:
        return resolve(policy, engine.catalog(), in_record(engine, policy, record_path(data)))
