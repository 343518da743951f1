"""Opening a ledger by where it is, and what only its owner does.

SQLAlchemy is imported where it is needed: to explain a query takes no ledger.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from dpsql.core.account.account import Account
from dpsql.platform.ledger.ledger import Charge

if TYPE_CHECKING:
    from dpsql.platform.ledger.connection import Connection
    from dpsql.platform.ledger.sql_ledger import SqlLedger
    from dpsql.platform.ledger.store import Store

URLS = ("postgresql:", "postgres:", "postgresql+psycopg:")
"""How the URL of a PostgreSQL database begins."""

Where = str | os.PathLike[str] | None
"""A SQLite file, the URL of a PostgreSQL database, or None for memory."""


def open_ledger(
    where: Where,
    account: Account,
    *,
    witness: Path | None = None,
    memory: str | None = None,
    rule: bool = True,
) -> SqlLedger:
    """The account of a data set, made if there is none.

    Args:
        where: the file or URL; None for an account that dies with its process.
        memory: of an account that does, the name of the data: it has one account.
        account: what the owner decided.
        witness: the folder of the second place; None for `witness.default_folder`.
        rule: whether it must add up by `account.accountant`: not for an owner who changes that.

    Raises:
        LedgerTampered: it is not what it was.
        EngineError: it cannot be used, or adds up by another rule than `account.accountant`.
        InvalidBudget: the account is none.
    """
    from dpsql.platform.ledger.memory_ledger import MemoryLedger
    from dpsql.platform.ledger.sql_ledger import SqlLedger
    from dpsql.platform.ledger.witness import Witness

    if where is None:
        return MemoryLedger(account, memory)
    return SqlLedger(store_of(where), account, Witness(witness), rule=rule)


def acknowledge(
    where: Where, account: Account, *, witness: Path | None = None, data: str | None = None
) -> Charge | None:
    """Accept a ledger as it is; what is known to have been spent stays spent.

    Args:
        where: the file or URL.
        account: what the owner decided.
        witness: the folder of the second place; None for `witness.default_folder`.
        data: the digest of their contents, if they have one.

    Returns:
        The line that says so; None if nothing was wrong.

    Raises:
        EngineError: it cannot be read; restore a backup first.
        InvalidBudget: the account is none.
    """
    from dpsql.platform.ledger.acknowledgement import accept
    from dpsql.platform.ledger.witness import Witness

    return None if where is None else accept(store_of(where), account, Witness(witness), data)


def store_of(where: str | os.PathLike[str], timeout: float = 30.0) -> Store:
    """What a file or a URL names, as it is.

    Args:
        where: the file or URL.
        timeout: seconds to wait for others before a call is refused.

    Raises:
        EngineError: the URL is none, or the driver is not installed.
    """
    if not isinstance(where, str) or not where.startswith(URLS):
        from dpsql.platform.ledger.sqlite_store import SqliteStore

        return SqliteStore(Path(where), timeout)
    from dpsql.platform.ledger.postgres_store import PostgresStore

    return PostgresStore(where, timeout)


def look(where: str | os.PathLike[str], account: Account) -> tuple[Charge, ...]:
    """The lines that can be read, oldest first, as they are; none if there is no ledger. It is for
    the owner of one that is refused: nothing is verified, made, changed or decided.

    Args:
        where: the file or URL.
        account: whose lines; in a file of one account, that one.

    Raises:
        EngineError: it cannot be read.
    """
    from dpsql.platform.ledger import accounts, selects, stored_texts
    from dpsql.platform.ledger.verify import readable

    store = store_of(where)

    def work(connection: Connection) -> tuple[Charge, ...]:
        made = accounts.find(connection, account.identity)
        every = accounts.every(connection) if made is None and store.alone else []
        if made is None and len(every) == 1:
            made = every[0]
        if made is None:
            return ()
        rows = connection.execute(selects.LINES, {"of": made[0], "line": 0})
        stored = stored_texts.unchecked(connection, made[0])
        return tuple(line.charge(False, stored) for line in map(readable, rows) if line is not None)

    if not store.exists:
        return ()
    return store.read(work)
