"""Errors as Flight has them.

Claim: a client sees the library's own text, and of this process no frame but the one that raises.
Why: of an exception that is no Flight error pyarrow tells the client the traceback; `told` lets
none out, whatever it was, and the error that it raises has no history.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import pyarrow.flight as flight

from dpsql.errors import (
    AccessDenied,
    DpsqlError,
    InternalError,
    LedgerTampered,
    PolicyError,
    RateExceeded,
    RequestExists,
)
from dpsql.execution import boundary
from dpsql.serve import errors
from dpsql.serve.service import STOPPED

P = ParamSpec("P")
T = TypeVar("T")

LONGEST = 1200
"""Bytes of a text: gRPC sends it as a header, several times and escaped, and a client takes no more
than 8 kB of headers."""

_KINDS: tuple[tuple[type[DpsqlError], type[flight.FlightError]], ...] = (
    (AccessDenied, flight.FlightUnauthorizedError),
    (RateExceeded, flight.FlightUnavailableError),
    (LedgerTampered, flight.FlightUnavailableError),
    (PolicyError, flight.FlightUnavailableError),
    (InternalError, flight.FlightInternalError),
)
"""The first that fits; all else is a FlightServerError."""


def failure(error: DpsqlError) -> flight.FlightError:
    """An error for a client: the text, and for programs what HTTP tells them, in `extra_info`."""
    kind = next(
        (made for ours, made in _KINDS if isinstance(error, ours)), flight.FlightServerError
    )
    if isinstance(error, AccessDenied) and str(error) == AccessDenied.TOKEN:
        kind = flight.FlightUnauthenticatedError
    if isinstance(error, RequestExists) and str(error) == STOPPED:
        kind = flight.FlightCancelledError
    text = _short(str(error))
    extra = json.dumps(errors.body(error, raised=False), ensure_ascii=False).encode()
    if len(extra) > LONGEST:
        code = getattr(error, "code", None)
        said = {"type": type(error).__name__, **({"code": code} if code else {})}
        extra = json.dumps({"error": said}).encode()
    return kind(text, extra)


def told(work: Callable[P, T]) -> Callable[P, T]:
    """`work`, as Flight calls it: it returns, or raises a Flight error without a history."""

    @wraps(work)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return work(*args, **kwargs)
        except flight.FlightError as error:
            problem = error
        except DpsqlError as error:
            problem = failure(error)
        except BaseException as error:
            problem = failure(boundary.internal(error))
        problem.__cause__ = problem.__context__ = None
        raise problem.with_traceback(None)

    # Of GetSchema pyarrow tells even a Flight error's frame, which is this one: without its file.
    frame: Any = called
    frame.__code__ = frame.__code__.replace(co_filename="dpsql")
    return called


def _short(text: str) -> str:
    whole = text.encode("utf-8", "replace")
    if len(whole) <= LONGEST:
        return text
    return whole[:LONGEST].decode("utf-8", "ignore") + " …"
