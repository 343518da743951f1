"""When a query has to end, and when its answer is given.

**Claim**: with `padding` p, what is known of a query that may have read private rows is known at a
multiple of p after it *began*, so that its time tells how many multiples they took, and no more.
It begins when it was charged, or would be, and before any private row is read: what came before,
its analysis and what it waited for, takes as long for each neighbour, but as long as the analyst
likes, who could else lay a multiple wherever it tells him most. Why: nothing is given before; and
its deadline is a multiple after its beginning, too, since a timeout that the analyst chooses would
tell the time more finely than the padding does. What the ledger says of it, that it was answered or
has failed, which others may look at meanwhile, is said at that time too (`settle`); what comes
after that reads no private row, or begins anew: the queries of a model begin one by one. What is
refused before anything is read, such as a query that is not accepted, is said at once: that is
public. Whoever stops a query by `stop` before its time comes is told that it was stopped, whether
it had ended or not.

Left open: whether a query takes one multiple or two. Choose a padding that the usual query stays
below.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from math import ceil
from time import monotonic, sleep
from typing import TypeVar

from dpsql.core.limits import Limits
from dpsql.errors import (
    BudgetExceeded,
    InvalidArgument,
    InvalidBudget,
    LimitExceeded,
    Rejected,
    RequestExists,
    UnknownDialect,
)
from dpsql.platform.engine.deadline import Deadline

T = TypeVar("T")

LATE = "its time, by its timeout or limits.seconds, was over before it was charged"
_LONGEST = 365 * 24 * 3600
_AT_ONCE = (Rejected, InvalidBudget, UnknownDialect, BudgetExceeded, RequestExists)


@dataclass(slots=True)
class Pace:
    """Of one question.

    Attributes:
        padding: seconds; 0 for none.
        seconds: that it may take, and those of private rows again if they are padded.
        received: the moment of the monotonic clock.
        deadline: when what runs is stopped.
        since: the moment of which multiples are counted.
    """

    padding: float
    seconds: float
    stop: InitVar[threading.Event | None] = None
    received: float = field(default_factory=monotonic)
    deadline: Deadline = field(init=False)
    since: float = field(init=False)
    _settled: bool = field(default=False, init=False)

    def __post_init__(self, stop: threading.Event | None) -> None:
        # It comes nearer when a query begins.
        self.deadline = Deadline(self._last + self.padding, stop)
        self.since = self.received

    @staticmethod
    def of(limits: Limits, timeout: float | None, stop: threading.Event | None = None) -> Pace:
        """For a question that is received now.

        Args:
            limits: of the policy.
            timeout: seconds, to stop it earlier.
            stop: ends it sooner when it is set, as Ctrl-C does.

        Raises:
            InvalidArgument: a timeout that is none.
        """
        padding = 0.0 if limits.padding is None else limits.padding.total_seconds()
        seconds = float(limits.seconds)
        if timeout is not None:
            seconds = min(seconds, _seconds(timeout))
        return Pace(padding, seconds, stop)

    @property
    def _last(self) -> float:
        """The moment before which a query must begin."""
        return self.received + self.seconds

    def begin(self) -> None:
        """Private rows may be read from now on."""
        if self.padding:
            self.since, self._settled = monotonic(), False
            multiples = max(1, ceil((self._last - self.since) / self.padding))
            self.deadline.at = self.since + multiples * self.padding

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
        """Between two steps of what takes long, and before a charge.

        Raises:
            KeyboardInterrupt: `stop` was set.
            LimitExceeded: the time is over.
        """
        if self.deadline.stopped:
            raise KeyboardInterrupt
        if monotonic() >= self._last:
            raise LimitExceeded(LATE, "seconds")

    def settle(self) -> bool:
        """Wait for the multiple at which the outcome may be known; whether there is a padding.

        Raises:
            KeyboardInterrupt: it was stopped meanwhile.
        """
        self._wait()
        return bool(self.padding)

    def _wait(self) -> None:
        if self.padding and not self._settled:
            multiples = max(1, ceil((monotonic() - self.since) / self.padding))
            sleep(max(0.0, self.since + multiples * self.padding - monotonic()))
            self._settled = True
            if self.deadline.stopped:  # or it would show that it had ended by then
                raise KeyboardInterrupt


def _seconds(timeout: object) -> float:
    is_number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
    if not is_number or not 0 < timeout < _LONGEST:  # type: ignore[operator]
        raise InvalidArgument("a timeout is a number of seconds above 0, and of less than a year")
    return float(timeout)  # type: ignore[arg-type]
