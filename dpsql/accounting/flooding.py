"""How small and how often charges may be: a line is written for each, and verified ever after."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.engine import Connection

from dpsql.accounting import queries
from dpsql.accounting.account import Account
from dpsql.accounting.amount import Cost
from dpsql.accounting.lines import Line
from dpsql.errors import InvalidBudget, RateExceeded


def check_size(account: Account, asked: Cost) -> None:
    """Refuse a charge that is smaller than the owner allows.

    Raises:
        InvalidBudget: it is.
    """
    if asked.eps < account.min_eps:
        least = Cost(account.min_eps)
        raise InvalidBudget(f"the query costs {asked}; the least that is charged is {least}")


def check_rate(connection: Connection, made: int, account: Account, line: Line) -> None:
    """Refuse a charge that comes too soon.

    Claim: in any time of the rate's length, by the ledger's clock, which never goes back, an
    analyst is charged at most as often as it says. Why: the charge that many before this one must
    be that long ago, and each charge was compared so, under the lock of the account.

    Args:
        connection: in a transaction that nobody else adds lines in.
        made: the account's id.
        account: what the owner decided.
        line: that shall be written.

    Raises:
        RateExceeded: there were too many.
    """
    if account.rate is None:
        return
    of = {"of": made, "analyst": line.analyst, "skip": account.rate.charges - 1}
    found = connection.execute(queries.NTH, of).scalar()
    if found is None:
        return
    wait = account.rate.time - (line.clock - datetime.fromisoformat(found))
    if wait.total_seconds() > 0:
        seconds = wait.total_seconds()
        raise RateExceeded(
            f"at most {account.rate}: the next query may be charged in {seconds:.0f} s", seconds
        )
