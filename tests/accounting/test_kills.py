"""Kill −9 anywhere between reserve and commit: nothing that was granted is lost."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import dpsql.platform.ledger
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger import holder
from dpsql.platform.ledger.ledger import Entry, Ledger, Stored
from tests.support.effort import tries
from tests.support.ledgers import durable

TOTAL = Cost(Fraction(10**6))
ONE = Cost(Fraction(1))
COMMITTED = -1
"""Just after the answer was committed."""
ANSWER = tuple(Stored(f"key {n}", "family", f"[{n}]") for n in range(3))
HERE = str(Path(dpsql.platform.ledger.__file__).parent)

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def traced(moment: Callable[[], None]) -> None:
    """Call `moment` before each line of the ledger's code that runs from now on.

    Each SQL statement and each step of a file is a line, so there is a moment before and after it.
    """

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(HERE):
            return None
        if event == "line":
            moment()
        return trace

    sys.settrace(trace)


def answer_one(ledger: Ledger, tell: Callable[[bytes], object]) -> None:
    """What a query does, and says what it came to."""
    number = ledger.reserve(ONE, Entry("SELECT 1"))
    tell(b"g")
    ledger.commit(number, ANSWER)
    tell(b"s")


def child(work: Callable[[Callable[[bytes], object]], None]) -> tuple[int, int]:
    """(process, where what it tells can be read) of a fork that does `work`, and no more."""
    inside, outside = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.close(inside)
            work(lambda text: os.write(outside, text))
        finally:
            os._exit(1)
    os.close(outside)
    return process, inside


def told(process: int, inside: int) -> tuple[bytes, int]:
    """What a child said until it ended, and how it ended."""
    with os.fdopen(inside, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(process, 0)
    return text, os.waitstatus_to_exitcode(status)


def moments(ledger: Ledger) -> int:
    """How many moments an answer has, in a child."""

    def work(tell: Callable[[bytes], object]) -> None:
        count = 0

        def one_more() -> None:
            nonlocal count
            count += 1

        traced(one_more)
        answer_one(ledger, lambda _: None)
        sys.settrace(None)
        tell(str(count).encode())

    ledger.entries()  # what was read once is remembered, here as before each kill
    return int(told(*child(work))[0])


def killed_at(point: int, ledger: Ledger) -> bytes:
    """What a query said before it was killed at that moment."""

    def work(tell: Callable[[bytes], object]) -> None:
        left = point

        def one_less() -> None:
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        if point == COMMITTED:
            holder.end = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        else:
            traced(one_less)
        answer_one(ledger, tell)

    text, status = told(*child(work))
    assert status == (1 if text == b"gs" else -signal.SIGKILL)
    return text


def check_kill(path: Path, point: int) -> tuple[bytes, int, bool]:
    """(what was said, how many lines more, whether the last is a new one with its answer)."""
    ledger = durable(path, TOTAL)
    before = len(ledger.entries())
    text = killed_at(point, ledger)
    ledger = durable(path, TOTAL)  # all is verified, and nothing is an alarm
    lines = ledger.entries()
    more = len(lines) - before
    assert more == 1 if b"g" in text else more in (0, 1)
    assert ledger.spent.eps == len(lines) == sum(line.cost.eps for line in lines)
    assert ledger.loss == lines[-1].spent
    stored = ledger.answers(len(lines))
    assert [one.body for one in stored] in ([], ["[0]", "[1]", "[2]"])
    assert lines[-1].answered == bool(stored)
    assert stored or b"s" not in text
    return text, more, lines[-1].answered and more == 1


def check_kills(folder: Path, points: int) -> None:
    path = folder / "ledger"
    ledger = durable(path, TOTAL)
    answer_one(ledger, lambda _: None)
    every = moments(ledger)
    assert every >= 400
    seen: set[tuple[bytes, int, bool]] = set()
    for n in range(points):
        if n % 100 == 0:  # a fresh one, so that opening stays fast
            path = folder / f"ledger {n}"
            ledger = durable(path, TOTAL)
            answer_one(ledger, lambda _: None)
        seen.add(check_kill(path, n * every // points))
    # And around the end, which is a little earlier or later each time, until one survives.
    every = moments(durable(path, TOTAL))
    for point in range(every - 12, every + 1000):
        seen.add(check_kill(path, point))
        if (b"gs", 1, True) in seen:
            break
    # And between the commit of the answer and its end, which are a few steps.
    seen.add(check_kill(path, COMMITTED))
    # Killed before the charge, after COMMIT but before it was granted, while the answer was being
    # computed, and after the answer was stored but before that was known.
    assert {(b"", 0, False), (b"", 1, False), (b"g", 1, False), (b"g", 1, True)} <= seen
    left = [p.name for p in folder.iterdir() if not p.name.startswith("ledger")]
    assert left == []


def test_a_kill_anywhere_never_loses_a_granted_charge(tmp_path: Path) -> None:
    check_kills(tmp_path, 24)


@pytest.mark.deep
def test_a_kill_at_a_thousand_points_never_loses_a_granted_charge(tmp_path: Path) -> None:
    check_kills(tmp_path, 1000)


def test_a_kill_from_outside_at_any_time(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    before = 0
    for wanted in range(1, tries(7, 21)):

        def work(tell: Callable[[bytes], object]) -> None:
            ledger = durable(path, TOTAL)
            while True:
                answer_one(ledger, tell)

        process, inside = child(work)
        granted = b""
        while len(granted) < wanted:  # then wherever it is by now
            granted += os.read(inside, 1)
        os.kill(process, signal.SIGKILL)
        text, _ = told(process, inside)
        granted += text
        ledger = durable(path, TOTAL)
        after = len(ledger.entries())
        assert granted.count(b"g") <= after - before <= granted.count(b"g") + 1
        assert ledger.spent.eps == after
        before = after


def test_a_kill_while_it_is_made(tmp_path: Path) -> None:
    """A ledger is there as a whole, or not yet; and making it again is no alarm."""
    count = 0

    def one_more() -> None:
        nonlocal count
        count += 1

    traced(one_more)
    try:
        durable(tmp_path / "first", TOTAL)
    finally:
        sys.settrace(None)
    points = tries(12, 40)
    for n in range(points):
        path = tmp_path / f"ledger {n}"

        def work(_: Callable[[bytes], object], path: Path = path, left: int = n) -> None:
            left = left * count // points

            def one_less() -> None:
                nonlocal left
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

            traced(one_less)
            durable(path, TOTAL)

        assert told(*child(work)) == (b"", -signal.SIGKILL)
        ledger = durable(path, TOTAL)
        assert ledger.reserve(ONE, Entry("SELECT 1")) == 1
