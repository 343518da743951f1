"""A durable ledger in a PostgreSQL database; see `postgres_store` for what makes it so."""

from __future__ import annotations

from pathlib import Path

from dpsql.accounting.account import Account
from dpsql.accounting.amount import Cost
from dpsql.accounting.postgres_store import PostgresStore
from dpsql.accounting.sql_ledger import SqlLedger
from dpsql.accounting.witness import Witness


class PostgresLedger(SqlLedger):
    """The account of a data set in a database that may hold many; made if there is none.

    Args:
        url: such as ``postgresql://user@host/database``.
        account: what the owner decided; a bare cost is a total and nothing else.
        timeout: seconds to wait for the server, and for other processes, before a call is refused.
        witness: the folder of the second place; None for `witness.default_folder`.
        rule: whether the account must be one that adds up by `account.accountant`.

    Raises:
        LedgerTampered: it is not what it was.
        EngineError: the database cannot be used, or is no ledger.
        InvalidBudget: the account is none.
    """

    def __init__(
        self,
        url: str,
        account: Account | Cost,
        *,
        timeout: float = 30.0,
        witness: Path | None = None,
        rule: bool = True,
    ) -> None:
        super().__init__(PostgresStore(url, timeout), account, Witness(witness), rule=rule)
