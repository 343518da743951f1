"""What owners ask of a policy: to look at it (`show`), what is odd about it (`check`), and which of
its claims are true of data (`verify`).
"""

from __future__ import annotations

import os
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial

from dpsql.core.schema import Schema
from dpsql.errors import PolicyError
from dpsql.execution.boundary import typed
from dpsql.platform.engine.claim_checks import Report, units_of
from dpsql.platform.engine.protocol import Engine
from dpsql.platform.engine.resources import Resources
from dpsql.platform.policy import Policy, resolve
from dpsql.report.policies.check import Check, checked, refused
from dpsql.report.policies.policy_document import PolicyPicture, picture
from dpsql.report.policies.registry import record
from dpsql.session import claims
from dpsql.session.connect import Data, engine_of, record_path
from dpsql.session.database import Database
from dpsql.session.policies import PolicyLike, load_policy
from dpsql.session.recheck import check_readable, naming


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
        return resolve(
            policy, engine.catalog(), claims.in_record(engine, policy, record_path(data))
        )


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
    if engine is None:
        return checked(policy, schema, None)
    units = naming(engine, policy, partial(units_of, engine, schema))
    return checked(policy, schema, units)


@typed
def verify(
    data: Data, policy: PolicyLike, *, ledger: str | os.PathLike[str] | None = None
) -> Report:
    """Check every claim of a policy on data, for the owner; record those that hold.

    The record is kept beside the data, or beside the ledger of data on a server, and is in force
    from the next `connect` on, as long as the data's version and the policy's claims stay. What it
    says is proof, and costs queries nothing; what it does not say is enforced by each query. Which
    claims are proven is then public, so that whoever sees an explanation may tell that one is not
    true of the data: a cut (`clip`, `clip_rows`) is enforced in any case and tells nothing.

    Args:
        data, policy: as for `connect`. A key need not be one: all that is false is found at once.
        ledger: the file of the ledger of data on a server; nothing is charged to it.

    Returns:
        What was found of each claim: for the owner alone, since the numbers are exact.

    Raises:
        PolicyError: the policy is wrong, or the data cannot be opened.
        EngineError: the data cannot be read.
    """
    loaded = load_policy(policy)
    with ExitStack() as opening:
        resources = Resources(loaded.limits.exact)
        opening.callback(resources.close)
        engine = engine_of(data, loaded, resources)
        opening.callback(engine.close)
        path = record_path(data, ledger)
        if engine.sources:
            check_readable(engine, loaded)
        found = naming(engine, loaded, partial(claims.checked, engine, loaded, path))
        return replace(found, left_out=engine.left_out)
