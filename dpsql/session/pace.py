"""When a query has to end, and when its answer is given.

**Claim**: with `padding` p, an answer, and each error of a query that was begun, is given at a
multiple of p after the query was received, so that its time tells how many multiples it took, and
no more. Why: nothing is given before; and a timeout that the analyst chooses is rounded up to a
multiple, or it would tell the time more finely than the padding does. What the ledger says of it,
that it was answered or has failed, which others may look at meanwhile, is said at that time too
(`settle`); what comes after that reads no private row. What is refused before anything is read,
such as a query that is not accepted, is said at once: that is public. Whoever stops a query by
`stop` before its time comes is told that it was stopped, whether it had ended or not.

Left open: whether a query takes one multiple or two. Choose a padding that the usual query stays
below.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from time import monotonic, sleep
from typing import TypeVar

from dpsql.core.limits import Limits
from dpsql.errors import (
    BudgetExceeded,
    InvalidArgument,
    InvalidBudget,
    Rejected,
    RequestExists,
    UnknownDialect,
)
from dpsql.platform.engine.deadline import Deadline

T = TypeVar("T")

_LONGEST = 365 * 24 * 3600
_AT_ONCE = (Rejected, InvalidBudget, UnknownDialect, BudgetExceeded, RequestExists)


@dataclass(frozen=True, slots=True)
class Pace:
    """Of one query.

    Attributes:
        received: the moment of the monotonic clock.
        padding: seconds; 0 for none.
        seconds: that it may take.
        stop: is set by whoever wants it to end sooner.
    """

    received: float
    padding: float
    seconds: float
    stop: threading.Event | None = None
    _settled: list[bool] = field(default_factory=list, repr=False, compare=False)

    @staticmethod
    def of(limits: Limits, timeout: float | None, stop: threading.Event | None = None) -> Pace:
        """For a query that is received now.

        Args:
            limits: of the policy.
            timeout: seconds, to stop it earlier.
            stop: ends it sooner when it is set, as Ctrl-C does.

        Raises:
            InvalidArgument: a timeout that is none.
        """
        received = monotonic()
        padding = 0.0 if limits.padding is None else limits.padding.total_seconds()
        seconds = float(limits.seconds)
        if timeout is not None:
            seconds = min(seconds, _seconds(timeout))
        if padding:
            seconds = ceil(seconds / padding) * padding
        return Pace(received, padding, seconds, stop)

    @property
    def deadline(self) -> Deadline:
        """When the query is stopped."""
        return Deadline(self.received + self.seconds, self.stop)

    def kept(self, work: Callable[[], T]) -> T:
        """The result or the error of `work`, at a multiple of the padding.

        Raises:
            KeyboardInterrupt: it was stopped before it began, or by `stop`.
        """
        self.check()
        try:
            made = work()
        except (*_AT_ONCE, KeyboardInterrupt):
            raise
        except BaseException:
            self._wait()
            raise
        self._wait()
        return made

    def check(self) -> None:
        """Between two steps of what takes long.

        Raises:
            KeyboardInterrupt: `stop` was set.
        """
        if self.deadline.stopped:
            raise KeyboardInterrupt

    def settle(self) -> bool:
        """Wait for the multiple at which the outcome may be known; whether there is a padding.

        Raises:
            KeyboardInterrupt: it was stopped meanwhile.
        """
        self._wait()
        return bool(self.padding)

    def _wait(self) -> None:
        if self.padding and not self._settled:
            passed = monotonic() - self.received
            until = self.received + ceil(passed / self.padding) * self.padding
            sleep(max(0.0, until - monotonic()))
            self._settled.append(True)
            self.check()  # or it would show that it had ended by then


def _seconds(timeout: object) -> float:
    is_number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
    if not is_number or not 0 < timeout < _LONGEST:  # type: ignore[operator]
        raise InvalidArgument("a timeout is a number of seconds above 0, and of less than a year")
    return float(timeout)  # type: ignore[arg-type]
