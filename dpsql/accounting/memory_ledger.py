"""A ledger for data that lives only as long as the process does."""

from __future__ import annotations

from dpsql.accounting.account import Account
from dpsql.accounting.amount import Cost
from dpsql.accounting.memory_store import MemoryStore
from dpsql.accounting.sql_ledger import SqlLedger


class MemoryLedger(SqlLedger):
    """An account in memory, safe for threads; refused in a forked child.

    Args:
        account: what the owner decided; a bare cost is a total and nothing else.

    Raises:
        InvalidBudget: the account is none.
    """

    def __init__(self, account: Account | Cost) -> None:
        super().__init__(MemoryStore(), account)
