"""Durable ledgers, opened as the owner's commands open them, with what only tests say."""

from __future__ import annotations

import os
from pathlib import Path

from dpsql.core.account.account import Account
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.opening import store_of
from dpsql.platform.ledger.sql_ledger import SqlLedger
from dpsql.platform.ledger.witness import Witness


def durable(
    where: str | os.PathLike[str],
    account: Account | Cost,
    *,
    timeout: float = 30.0,
    witness: Path | None = None,
) -> SqlLedger:
    """The ledger of a file or a URL."""
    return SqlLedger(store_of(where, timeout), account, Witness(witness))
