"""`dpsql.verify`: which claims of a policy are true of data, for the owner."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace

from dpsql.execution.boundary import typed
from dpsql.platform.engine.claim_checks import Report
from dpsql.platform.engine.resources import Resources
from dpsql.session.claims import checked
from dpsql.session.connect import Data, engine_of, record_path
from dpsql.session.policies import PolicyLike, load_policy
from dpsql.session.recheck import check_readable


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
        PolicyError: the policy is wrong, the data cannot be opened, or the record not be written.
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
        return replace(checked(engine, loaded, path), left_out=engine.left_out)
