"""The claims of a policy, checked on data, and the record of those that hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dpsql.errors import PolicyError
from dpsql.platform.engine.claim_checks import Report, holds, verify
from dpsql.platform.engine.protocol import Engine
from dpsql.platform.policy import (
    Policy,
    Verification,
    claims_digest,
    cuts,
    key_claims,
    length_claims,
    null_claims,
    resolve,
    valid,
)


def in_record(engine: Engine, policy: Policy, path: Path | None) -> Verification | None:
    """The verification record that is in force, or None."""
    if path is None:
        return None
    record = Verification.load(path)
    if record is None:
        return None  # and no version is computed
    return record if valid(record, policy, engine.version()) else None


def checked(engine: Engine, policy: Policy, path: Path | None) -> Report:
    """Every claim, counted; those that hold are recorded in the file at `path`, each by itself.

    Raises:
        PolicyError: the policy does not fit the data.
        EngineError: the data cannot be read.
    """
    before = engine.version()
    known = in_record(engine, policy, path)
    report = verify(
        engine,
        resolve(policy, engine.catalog(), None),  # by which a key is a fact without any record
        null_claims(policy),
        length_claims(policy),
        key_claims(policy),
        cuts(policy),
    )
    if any(finding.role == "fact" for finding in report.false):
        why = "the data does not open under a policy with a key that is none, or a wrong `rows`"
    elif before is None:
        why = engine.unversioned or "the version of this data cannot be told"
    elif path is None:
        why = "there is no place for the record: name the file of the ledger of these data"
    elif engine.version() != before:
        why = "the data changed while it was checked"
    else:
        try:
            holds(report, before, claims_digest(policy), known).save(path)
            return report
        except PolicyError as error:  # what was found is worth to be told all the same
            why = str(error)
    return replace(report, unrecorded=why)
