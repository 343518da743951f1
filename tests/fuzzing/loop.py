"""Tries inputs until there is no time left, and keeps what should not have come."""

from __future__ import annotations

import logging
import random
import re
import signal
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import NoReturn

import dpsql
from dpsql import dbapi
from tests.fuzzing.targets import TARGETS
from tests.fuzzing.tries import Try, UntypedExitError

DEADLINE = 10.0
"""Seconds of CPU time that one input may take: other work may run on the machine."""

PATIENCE = 20
"""By the clock it may take so many times as long."""

SECRETS = ("SECRET", "Clerk#7", "9999999999999.99")
"""Values of the customer who is in the data, and in no query."""


class HangError(BaseException):
    """An input took longer than it may; nothing that catches exceptions catches this."""


@dataclass(frozen=True)
class Finding:
    """An input that ended otherwise than it may.

    Attributes:
        target: what was tried.
        what: which exception, and where it was raised; the same for the same bug.
        shown: the input.
        trace: the last lines of the traceback.
        seed: `tried(target, seed)` draws it again.
    """

    target: str
    what: str
    shown: str
    trace: str
    seed: int


@dataclass
class Tally:
    """What was tried, how much of it was accepted, and what was found, once for each bug."""

    tried: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    findings: dict[str, Finding] = field(default_factory=dict)
    slowest: tuple[float, str, str] = (0.0, "", "")

    def report(self) -> str:
        """A table for people."""
        lines = ["| target | inputs | accepted | inputs/s |", "|---|---|---|---|"]
        for name in TARGETS:
            tried, took = self.tried[name], self.seconds[name]
            rate = f"{tried / took:,.0f}" if took else ""
            lines.append(f"| {name} | {tried:,} | {self.accepted[name]:,} | {rate} |")
        lines.append(f"| all | {sum(self.tried.values()):,} | {sum(self.accepted.values()):,} | |")
        lines.append(f"\nnot typed, or over the deadline: {len(self.findings)}")
        lines.append(f"the slowest took {self.slowest[0]:.1f} s of CPU time ({self.slowest[1]})")
        return "\n".join(lines)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Interrupt what takes longer, in the main thread.

    Raises:
        HangError: it did.
    """

    def stop(_: int, __: FrameType | None) -> NoReturn:
        raise HangError

    clocks = (
        (signal.SIGPROF, signal.ITIMER_PROF, seconds),
        (signal.SIGALRM, signal.ITIMER_REAL, seconds * PATIENCE),
    )
    before = [signal.signal(number, stop) for number, _, _ in clocks]
    for _, timer, limit in clocks:
        signal.setitimer(timer, limit, 5)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(clocks, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def typed(error: BaseException) -> bool:
    """Whether an exception is one that the documentation names: dpsql's own, those of the DB-API,
    or a ValueError or TypeError that dpsql raises itself.
    """
    if isinstance(error, dpsql.EngineError) and not isinstance(error, dpsql.LedgerTampered):
        return "ledger" in str(error)  # else: a query was accepted, and then failed
    if isinstance(error, dpsql.Rejected) and error.code == "DP601":
        return False  # the checker does not follow a query that was accepted
    if isinstance(error, dbapi.InternalError) or type(error).__name__ == "InternalError":
        return False  # a bug of ours, however politely it is told
    if isinstance(error, dbapi.OperationalError) and "engine" in str(error):
        return False
    if isinstance(error, dpsql.DpsqlError | dbapi.Error):
        return True
    if not isinstance(error, ValueError | TypeError):
        return False
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return "/dpsql/" in frame.filename and (frame.line or "").startswith("raise")


class _Told(logging.Handler):
    """The last thing that the owner's log was told."""

    def __init__(self) -> None:
        super().__init__()
        self.last = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.last = record.getMessage()


OWNER = _Told()
logging.getLogger("dpsql.owner").addHandler(OWNER)


def place(error: BaseException) -> str:
    """Which exception it is, and the last line of dpsql that it came through; of what the owner's
    log has more of, that.
    """
    if isinstance(error, dpsql.EngineError | dbapi.Error | UntypedExitError):
        words = re.sub(r"[0-9]+|'[^']*'|\"[^\"]*\"", "…", OWNER.last or str(error))
        return f"{type(error).__name__}: {words[:90]!r}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "/dpsql/" in f.filename] or frames
    at = own[-1]
    file = at.filename.rpartition("/dpsql/")[2]
    return f"{type(error).__name__} at {file}:{at.lineno} in {at.name}"


def leaks(error: BaseException, shown: str) -> bool:
    """Whether a message, or what it was raised from, tells a value of the data."""
    seen: BaseException | None = error
    while seen is not None:
        if any(
            secret.lower() in str(seen).lower() and secret.lower() not in shown.lower()
            for secret in SECRETS
        ):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def tried(target: str, seed: int, tally: Tally, deadline: float = DEADLINE) -> None:
    """Draw one input and try it."""
    made: Try = TARGETS[target][0](random.Random(seed))
    OWNER.last = ""
    begun, busy = time.perf_counter(), time.process_time()
    problem: BaseException | None = None
    try:
        with within(deadline):
            tally.accepted[target] += made.work()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        problem = error
    took = time.perf_counter() - begun
    busy = time.process_time() - busy
    tally.tried[target] += 1
    tally.seconds[target] += took
    if busy > tally.slowest[0]:
        tally.slowest = (busy, target, made.shown)
    if busy > deadline and not isinstance(problem, HangError):
        problem = HangError()
    if problem is None:
        return
    leak = leaks(problem, made.shown)
    if typed(problem) and not leak:
        return
    what = f"LEAK {place(problem)}" if leak else place(problem)
    if what not in tally.findings:
        trace = "".join(traceback.format_exception(problem)[-4:]) + OWNER.last[:400]
        tally.findings[what] = Finding(target, what, made.shown, trace, seed)


def explore(
    seed: int, *, inputs: int | None = None, minutes: float | None = None
) -> Iterator[Tally]:
    """Try so many inputs, or for so long; the tally after every thousand and at the end."""
    rng = random.Random(seed)
    names = list(TARGETS)
    weights = [TARGETS[name][1] for name in names]
    end = None if minutes is None else time.monotonic() + 60 * minutes
    tally = Tally()
    count = 0
    while (inputs is None or count < inputs) and (end is None or time.monotonic() < end):
        target = rng.choices(names, weights)[0]
        tried(target, rng.getrandbits(48), tally)
        count += 1
        if count % 1000 == 0:
            yield tally
    yield tally
