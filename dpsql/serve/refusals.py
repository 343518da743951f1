"""What a principal is refused before a ledger is asked, by a run and, beforehand, by `explain`."""

from __future__ import annotations

from collections.abc import Sequence

from dpsql.core.account.amount import parse_eps
from dpsql.core.calibrate.options import Amount
from dpsql.errors import AccessDenied, DpsqlError, InvalidBudget
from dpsql.report.budget import Budget
from dpsql.report.explanation import Explanation
from dpsql.report.explanation.explanation import beforehand
from dpsql.serve.principals import Principal

PAUSED = "the owner has paused this principal: nothing is asked"


def refusal(who: Principal, every: Sequence[Amount]) -> DpsqlError | None:
    """Why somebody may not be charged so much for each query, whatever is left."""
    if who.paused:
        return AccessDenied(PAUSED)
    if any(parse_eps(eps) < who.min_eps for eps in every):
        return InvalidBudget(f"the least ε that you may ask for is {float(who.min_eps):g}")
    return None


def foreseen(found: Explanation, now: Budget, refused: DpsqlError) -> Explanation:
    """An explanation that says, too, what the server would refuse before a ledger is asked."""
    if found.ledger is None or found._again is None:
        return found
    return beforehand(found, now.account, now.loss, found._again, str(refused))
