"""Where dpsql ends and its caller begins: what comes out is an answer or one of our own errors.

Claim: no error that a caller sees shows a value of a private row, by its text, its cause, its
context or the variables of its frames. Why: every function that a caller has is `typed`; what is
raised on purpose is a `DpsqlError`, whose text is a function of the query, the policy and the
ledger, and comes out without frames; all else is a bug of ours and comes out as an `InternalError`,
of which the caller learns that it happened, and nothing else.

A bug that shows only after the charge looks like every other failure after it: an `EngineError`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, TypeVar

from dpsql.errors import DpsqlError, EngineError, InternalError
from dpsql.platform.engine import ownerlog
from dpsql.platform.engine.guard import FAILED, is_ctrl_c

P = ParamSpec("P")
T = TypeVar("T")

NOTHING = "nothing was charged"
PERHAPS = "what was charged stays charged"


@dataclass(slots=True)
class _Progress:
    """How far the call has come that a caller made.

    Attributes:
        charge: what is known of a charge.
        made: there was one.
    """

    charge: str = NOTHING
    made: bool = False


_CALL: ContextVar[_Progress | None] = ContextVar("dpsql_call", default=None)


def charging() -> None:
    """A charge is about to be made: whether it was is not known where this is the last word."""
    call = _CALL.get()
    if call is not None:
        call.charge = PERHAPS


def charged(made: bool) -> None:
    """It was made, or it was not."""
    call = _CALL.get()
    if call is not None:
        call.made = call.made or made
        call.charge = PERHAPS if call.made else NOTHING


def typed(work: Callable[P, T]) -> Callable[P, T]:
    """`work`, as a caller has it: it returns, or raises one of our own errors, without frames.

    KeyboardInterrupt and what else is no Exception pass, without frames too. So does a TypeError
    of the call itself, for arguments that `work` has not, and an ImportError, where a package is
    missing that is only needed here.
    """

    @wraps(work)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        outer = _CALL.get()
        call = outer or _Progress()
        token = _CALL.set(call)
        try:
            return work(*args, **kwargs)
        except BaseException as error:
            problem = _outside(error, call)
        finally:
            _CALL.reset(token)
        try:
            # Outside of the except block: `from None` would still leave a __context__.
            raise problem
        finally:
            del problem  # which leads to this frame, and so to the database, as long as it is here

    return called


def internal(error: BaseException, charge: str = PERHAPS) -> InternalError:
    """What the caller sees of a bug of ours; its report goes to the owner's log.

    Args:
        error: what was raised.
        charge: what is known of a charge.
    """
    return InternalError(ownerlog.report(error), charge)


def _outside(error: BaseException, call: _Progress) -> BaseException:
    if is_ctrl_c(error):
        return KeyboardInterrupt()
    ours = isinstance(error, DpsqlError | ImportError)
    if ours or not isinstance(error, Exception) or _of_the_call(error):
        error.__cause__ = error.__context__ = None
        return error.with_traceback(None)
    if call.made:
        ownerlog.report(error)
        return EngineError(FAILED)
    return internal(error, call.charge)


def _of_the_call(error: Exception) -> bool:
    """Whether it was raised by the call and not inside of what was called."""
    trace = error.__traceback__
    return isinstance(error, TypeError) and trace is not None and trace.tb_next is None
