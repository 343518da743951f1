"""A ledger for data that lives only as long as the process does."""

from __future__ import annotations

import os
from threading import RLock

from dpsql.accounting.account import Account
from dpsql.accounting.amount import Cost
from dpsql.accounting.memory_store import MemoryStore
from dpsql.accounting.sql_ledger import SqlLedger


class MemoryLedger(SqlLedger):
    """An account in memory, safe for threads; refused in a forked child.

    Args:
        account: what the owner decided; a bare cost is a total and nothing else.
        of: a name of the data. Ledgers of one process with the same name are the same, like those
            that open one file; None for one by itself.

    Raises:
        LedgerTampered: the account of the data is that of another data set.
        EngineError: it adds up by another rule than `account.accountant`.
        InvalidBudget: the account is none.
    """

    def __init__(self, account: Account | Cost, of: str | None = None) -> None:
        with _LOCK:
            store = MemoryStore() if of is None else _STORES.get(of) or MemoryStore()
            super().__init__(store, account)
            if of is not None:  # as long as the process: what was spent must not be forgotten
                _STORES[of] = store


_STORES: dict[str, MemoryStore] = {}
_LOCK = RLock()


def _renewed() -> None:
    """Another thread of the parent's may have held it, and would for ever here."""
    global _LOCK
    _LOCK = RLock()


os.register_at_fork(after_in_child=_renewed)
