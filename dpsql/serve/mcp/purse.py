"""What an agent may spend in a session.

Claim: all calls of a session together are charged at most `most`, however many run at once. Why: a
call's cost is taken before it is run, under a lock, and is given back only where the call has ended
and the ledger says that it was not charged; and what is run for nothing is run so that it cannot be
charged.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from secrets import token_hex

from dpsql.core.account.amount import decimal_text
from dpsql.errors import BudgetExceeded, DpsqlError
from dpsql.report.result import Answer
from dpsql.session.database import Database
from dpsql.session.remote.client import NOT_REACHED


class Purse:
    """Of one session. Safe for threads."""

    def __init__(self, most: Fraction) -> None:
        self.most, self._taken = most, Fraction(0)
        self._lock = threading.Lock()

    @property
    def left(self) -> Fraction:
        """What may still be spent."""
        return self.most - self._taken

    def check(self, eps: Fraction) -> None:
        """Whether so much is left.

        Raises:
            BudgetExceeded: it is not.
        """
        if eps > self.left:
            most, left = decimal_text(self.most), decimal_text(self.left)
            raise BudgetExceeded(
                f"this asks for ε = {decimal_text(eps)}; of ε = {most}, which this session of the "
                f"agent may spend, ε = {left} is left; nothing was charged"
            )

    def pay(self, db: Database, eps: Fraction, run: Callable[[str], Answer]) -> Answer:
        """An answer that costs at most `eps`.

        Args:
            db: whose ledger is charged.
            eps: that is taken for it.
            run: gives the answer, under an idempotency key of the ledger.

        Raises:
            BudgetExceeded: the session may not spend so much.
            DpsqlError: what `run` raises.
        """
        with self._lock:
            self.check(eps)
            self._taken += eps
        key, back = f"agent-{token_hex(16)}", Fraction(0)
        try:
            answer = run(key)
            back = eps - answer.cost.exact.eps
            return answer
        except DpsqlError as error:
            # Of a server that was not reached it is not known what it will do yet.
            ended = str(error) != NOT_REACHED
            back = eps if ended and _is_uncharged(db, key) else Fraction(0)
            raise
        finally:
            with self._lock:
                self._taken -= back


def _is_uncharged(db: Database, key: str) -> bool:
    """Whether the ledger says that nothing was charged under a key."""
    try:
        return db.charged(key) is None
    except DpsqlError:
        return False
