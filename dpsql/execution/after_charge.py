"""What fails after the charge: one outcome, and one place through which all of it passes.

Claim: which error comes out of a charged query does not depend on what the private rows made the
engine do. Why: whatever reads them runs in `opaque`, and every way to fail in it, a limit, a
deadline, an error of the engine or a bug of ours, is the same error with the same text. That there
was a failure at all can be seen; `settled` is where it is known.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from dpsql.errors import DpsqlError, EngineError, PolicyError
from dpsql.platform.engine import ownerlog
from dpsql.platform.engine.guard import FAILED, guarded
from dpsql.platform.ledger.ledger import Ledger

T = TypeVar("T")


@dataclass(slots=True)
class ChargeState:
    """Whether private rows may have been read by now.

    Attributes:
        ledger: that is charged.
        settle: waits until a failure may be known; whether that had to be waited for.
        made: from the moment on from which a failure may tell of private rows.
        line: of the ledger; 0 where what is the same on all neighbours made none.
        drawn: whether noise may have been drawn, or a failure now tells of rows what is paid for:
            such a charge is not taken up.
    """

    ledger: Ledger
    settle: Callable[[], bool] = bool
    made: bool = False
    line: int = 0
    drawn: bool = False


def settled(work: Callable[[], T], charge: ChargeState) -> T:
    """The result of `work`, which makes `charge`; every failure after that passes here."""
    try:
        return work()
    except BaseException as error:
        if charge.made or charge.line:
            _failed(charge, error)
        raise


def _failed(charge: ChargeState, error: BaseException) -> None:
    ownerlog.note(f"line {charge.line} failed after its charge: {type(error).__name__}")
    if charge.line:
        # Where nothing can be noted, the line counts as one whose process is over. Ctrl-C is the
        # caller's own doing, and locks nobody.
        interrupted = isinstance(error, KeyboardInterrupt)
        # Where times are padded, how far it came must not show by what may be taken up.
        padded = True
        try:
            padded = charge.settle()
        finally:
            drawn = charge.drawn or (interrupted and padded)
            with suppress(DpsqlError):
                charge.ledger.failed(charge.line, interrupted=interrupted, drawn=drawn)


def opaque(work: Callable[[], T], what: str = "answer") -> T:
    """The result of `work`, which reads private rows, or the one error that tells nothing.

    Raises:
        EngineError: it failed; whatever failed, the text is the same.
        PolicyError: a key of the policy is none any more, as the owner is to know.
        KeyboardInterrupt: Ctrl-C.
    """
    try:
        return guarded(work, what)
    except PolicyError:
        raise
    except DpsqlError as error:
        ownerlog.record(what, error)
    # Outside of the except block: the error must not lead to the other one.
    raise EngineError(FAILED)
