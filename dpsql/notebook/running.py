"""A query, run; Ctrl-C says what was charged."""

from __future__ import annotations

import secrets
from decimal import Decimal
from fractions import Fraction

from dpsql.errors import DpsqlError
from dpsql.options import Wishes
from dpsql.result import Answer
from dpsql.session import Database


def run(
    database: Database,
    query: str,
    eps: int | Decimal | Fraction,
    delta: Decimal | Fraction | None,
    fresh: bool,
    wishes: Wishes,
) -> Answer:
    """The answer to a query; see `Database.run`.

    Raises:
        DpsqlError: what `Database.run` raises.
        KeyboardInterrupt: Ctrl-C; its text says what was charged.
    """
    key = f"notebook-{secrets.token_hex(16)}"
    try:
        return database.run(query, eps, delta, fresh=fresh, idempotency_key=key, **wishes)
    except KeyboardInterrupt:
        pass
    raise KeyboardInterrupt(f"the query was interrupted; {_charged(database, key)}")


def _charged(database: Database, key: str) -> str:
    """What a run with that key was charged: what the ledger has, whatever had been done."""
    try:
        line = database.charged(key)
    except DpsqlError:
        return "the ledger cannot be read: whether anything was charged is not known"
    return "nothing was charged" if line is None else f"{line.cost} was charged"
