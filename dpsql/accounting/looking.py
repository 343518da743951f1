"""What a ledger says that is refused, for its owner to look at. Nothing is decided by it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from dpsql.accounting.account import Account
from dpsql.accounting.ledger import Charge
from dpsql.accounting.opening import store_of

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection


def look(where: str | os.PathLike[str], account: Account) -> tuple[Charge, ...]:
    """The lines that can be read, oldest first, as they are; none if there is no ledger.

    Nothing is verified, made or changed.

    Args:
        where: the file or URL.
        account: whose lines; in a file of one account, that one.

    Raises:
        EngineError: it cannot be read.
    """
    from dpsql.accounting import accounts, queries, texts
    from dpsql.accounting.verify import readable

    store = store_of(where)

    def work(connection: Connection) -> tuple[Charge, ...]:
        made = accounts.find(connection, account.identity)
        every = accounts.every(connection) if made is None and store.alone else []
        if made is None and len(every) == 1:
            made = every[0]
        if made is None:
            return ()
        rows = connection.execute(queries.LINES, {"of": made[0], "line": 0})
        stored = texts.unchecked(connection, made[0])
        return tuple(line.charge(False, stored) for line in map(readable, rows) if line is not None)

    if not store.exists:
        return ()
    return store.read(work)
