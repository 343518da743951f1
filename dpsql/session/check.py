"""`dpsql.check`: what is odd about a policy, for its owner."""

from __future__ import annotations

from contextlib import closing

from dpsql.errors import PolicyError
from dpsql.execution.boundary import typed
from dpsql.platform.engine.claim_checks import units_of
from dpsql.platform.engine.protocol import Engine
from dpsql.platform.policy import Policy, resolve
from dpsql.report.policies.check import Check, checked, refused
from dpsql.session.connect import Data, engine_of
from dpsql.session.database import Database
from dpsql.session.policies import PolicyLike, load_policy


@typed
def check(policy: PolicyLike, data: Data | None = None) -> Check:
    """Look for what is odd about a policy: what protects little, or answers badly.

    Args:
        policy: as for `connect`; one that does not load is told of as well.
        data: as for `connect`, if there are any: then columns and keys that the policy leaves to
            the database are known, and units are counted to compare δ with. A remark on δ then
            tells of that number: it is for the owner.

    Raises:
        PolicyError: the data cannot be opened.
        EngineError: the data cannot be read.
    """
    try:
        loaded = load_policy(policy)
    except PolicyError as error:
        return refused(error)
    if data is None:
        return _checked(loaded, None)
    with closing(engine_of(data, loaded)) as engine:
        return _checked(loaded, engine)


@typed
def check_open(database: Database) -> Check:
    """The same of a database that is open, with its data; see `check`."""
    return _checked(database._policy, database._engine)


def _checked(policy: Policy, engine: Engine | None) -> Check:
    try:
        schema = resolve(policy, None if engine is None else engine.catalog(), None)
    except PolicyError as error:
        return refused(error, "needs-data" if engine is None else "invalid")
    return checked(policy, schema, None if engine is None else units_of(engine, schema))
