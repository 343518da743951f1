"""The exit codes. They are stable: scripts rest on them."""

from __future__ import annotations

from dpsql.errors import (
    AnalystLocked,
    BudgetExceeded,
    DpsqlError,
    InvalidArgument,
    InvalidBudget,
    LedgerTampered,
    PolicyError,
    Rejected,
    RequestExists,
)

OK = 0
INTERNAL = 1
USAGE = 2
REJECTED = 3
POLICY = 4
BUDGET = 5
LEDGER = 6
AUDIT = 7
INTERRUPTED = 130
BROKEN_PIPE = 141
TERMINATED = 143

HELP = """\
exit codes:
  0    done
  1    the engine failed, or dpsql itself did
  2    the arguments are wrong
  3    the query is rejected; nothing was charged
  4    the policy is wrong, or is not true of the data, or the data cannot be opened
  5    ε or δ is no amount, or is more than is left; nothing was charged
  6    the ledger is not what it was, knows the idempotency key, or locked the analyst; no charge
  7    an audit contradicts a claim
  130  interrupted (Ctrl-C)
  141  whoever read the output has gone
  143  ended (SIGTERM)"""


_CODES: dict[type[DpsqlError], int] = {
    Rejected: REJECTED,
    PolicyError: POLICY,
    InvalidBudget: BUDGET,
    BudgetExceeded: BUDGET,
    InvalidArgument: USAGE,
    AnalystLocked: LEDGER,
    LedgerTampered: LEDGER,
    RequestExists: LEDGER,
}


def of(error: DpsqlError) -> int:
    """The exit code of an error."""
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), INTERNAL)
