"""Which ledger a command line means, without opening it."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

from dpsql import default
from dpsql.core.account.account import Account
from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine.urls import is_server, shown
from dpsql.platform.policy import Policy, resolve
from dpsql.session.beside import ledger_beside
from dpsql.session.conforming import bare
from dpsql.session.connect import ON_A_SERVER, opened
from dpsql.session.copies import copy_of
from dpsql.session.policies import account


@dataclass(frozen=True, slots=True)
class LedgerPlace:
    """A data set's ledger, as it is named on the command line.

    Attributes:
        data, policy: the files.
        ledger: what --ledger says.
        account: what the owner decided.
    """

    data: str
    policy: str
    ledger: str | None
    account: Account

    @property
    def where(self) -> Path | str:
        """The ledger's file, or the URL of its database."""
        return self.ledger or ledger_of(self.data)


def place(arguments: Namespace, data: str, policy: str) -> LedgerPlace:
    """The ledger of --ledger, or the one beside the data.

    Raises:
        PolicyError: policy or data cannot be opened, or contradict each other.
    """
    made = _account(data, Policy.load(policy), arguments.ledger)
    return LedgerPlace(data, policy, arguments.ledger, made)


def default_names(arguments: Namespace) -> tuple[str, str]:
    """Data and policy of the default database; the demo's ledger dies with its process."""
    found = default.named()
    if found is None:
        arguments.parser.error("no database is named; the demo's ledger is in memory: give DATA")
        raise AssertionError("error() does not return")
    data, policy, which = found
    if policy is None:
        arguments.parser.error(f"{which} decides itself who asks and which ledger is charged")
        raise AssertionError("error() does not return")
    print(f"dpsql: using {which}", file=sys.stderr)
    return data, policy


def told(error: EngineError, data: str, policy: str, ledger: str | None) -> EngineError:
    """The error with what the owner of the ledger types, word for word."""
    words = ["dpsql", "budget", shown(data), "--policy", policy]
    if ledger is not None:
        words += ["--ledger", shown(ledger)]
    return type(error)(str(error).replace("dpsql budget DATA", shlex.join(words)))


def digest(place: LedgerPlace) -> str | None:
    """The digest of the data's contents, if they have one."""
    engine = opened(place.data, _of_data(place.data, Policy.load(place.policy)), rows=False)
    try:
        return engine.version()
    finally:
        engine.close()


def ledger_of(data: str) -> Path:
    """The ledger that is meant where none is named.

    Raises:
        PolicyError: data that have none.
    """
    if is_server(data):
        raise PolicyError(ON_A_SERVER)
    return ledger_beside(Path(data))


def _account(data: str, policy: Policy, where: str | None) -> Account:
    """Of the data only the catalog is read; that of a copy which may be made of them, if units are
    in time."""
    whole = _of_data(data, policy)
    engine = opened(data, whole, rows=False)
    try:
        catalog = engine.catalog() if whole is policy else bare(engine.catalog(), policy)
        return account(policy, resolve(policy, catalog, None), where)
    finally:
        engine.close()


def _of_data(data: str, policy: Policy) -> Policy:
    """The policy by which data are opened: of units in time copies alone have a column."""
    copied = not is_server(data) and copy_of(Path(data)) is not None
    return policy if policy.time is None or copied else policy.time.base
