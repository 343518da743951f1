"""An error as a server tells it: the same text as the library's, and what it is for programs."""

from __future__ import annotations

from dpsql.errors import (
    AccessDenied,
    AnalystLocked,
    BudgetExceeded,
    DpsqlError,
    EngineError,
    InternalError,
    InvalidArgument,
    InvalidBudget,
    LedgerTampered,
    LimitExceeded,
    NotCalibrated,
    PolicyError,
    RateExceeded,
    Rejected,
    RequestExists,
    UnknownDialect,
)
from dpsql.session.remote.codec import encoded

STATUS: tuple[tuple[type[DpsqlError], int], ...] = (
    (Rejected, 422),
    (InvalidBudget, 400),
    (InvalidArgument, 400),
    (UnknownDialect, 400),
    (NotCalibrated, 422),
    (RateExceeded, 429),
    (BudgetExceeded, 402),
    (AnalystLocked, 423),
    (AccessDenied, 403),
    (RequestExists, 409),
    (LimitExceeded, 422),
    (LedgerTampered, 503),
    (PolicyError, 503),
    (InternalError, 500),
    (EngineError, 500),
)
"""The first that fits."""


def status(error: DpsqlError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, AccessDenied) and str(error) == AccessDenied.TOKEN:
        return 401
    return next((code for kind, code in STATUS if isinstance(error, kind)), 500)


def body(error: DpsqlError, *, raised: bool) -> dict[str, object]:
    """An error as JSON.

    Args:
        error: what happened.
        raised: whether this library asks, which raises the same again.
    """
    kind = type(error).__name__
    told: dict[str, object] = {"type": kind, "text": str(error)}
    if isinstance(error, Rejected):
        told["problems"] = [
            {
                "code": d.code,
                "message": d.message,
                "span": None if d.span is None else [d.span.start, d.span.end],
                "help": d.help,
            }
            for d in error.diagnostics
        ]
    if isinstance(error, RateExceeded):
        told["seconds"] = error.seconds
    found: dict[str, object] = {"error": told}
    if raised:
        state = {name: value for name, value in vars(error).items() if not callable(value)}
        found["raised"] = {"type": kind, "text": str(error), "state": encoded(state)}
    return found
