"""A durable ledger in one SQLite file; see `sqlite_store` for what makes it so.

The total is the policy's and is not stored: whoever opens the ledger with another total is granted
another remainder, but what was spent stays spent.
"""

from __future__ import annotations

from pathlib import Path

from dpsql.accounting.account import Account
from dpsql.accounting.amount import Cost
from dpsql.accounting.sql_ledger import SqlLedger
from dpsql.accounting.sqlite_store import SqliteStore
from dpsql.accounting.witness import Witness


class SqliteLedger(SqlLedger):
    """An account in the file `path`; made, with mode 0600, if there is none.

    Args:
        path: where the file is or shall be; its folder must exist.
        account: what the owner decided; a bare cost is a total and nothing else.
        timeout: seconds to wait for other processes before a call is refused.
        witness: the folder of the second place; None for `witness.default_folder`.
        rule: whether the account must be one that adds up by `account.accountant`.

    Raises:
        LedgerTampered: it is not what it was.
        EngineError: the file cannot be made or opened, is damaged, or is something else.
        InvalidBudget: the account is none.
    """

    def __init__(
        self,
        path: Path | str,
        account: Account | Cost,
        *,
        timeout: float = 30.0,
        witness: Path | None = None,
        rule: bool = True,
    ) -> None:
        super().__init__(SqliteStore(path, timeout), account, Witness(witness), rule=rule)
