"""After how many failed charges an analyst is locked, and what counts as one."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from linecache import getline
from pathlib import Path
from time import sleep

import pytest

from dpsql.core.account.account import Account
from dpsql.core.account.amount import Cost
from dpsql.errors import (
    AnalystLocked,
    EngineError,
    LedgerTampered,
    RateExceeded,
)
from dpsql.platform.ledger import holder, opening
from dpsql.platform.ledger.ledger import Entry, Ledger, Stored
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.platform.ledger.store import GATE

from .conftest import Make, opened
from .damage import change, forge
from .test_kills import traced

ONE = Cost(Fraction(1))


THREE = Account(Cost(Fraction(100)), identity="x", failures=3)


pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def fail(ledger: Ledger, analyst: str = "ann", *, interrupted: bool = False) -> None:
    number = ledger.reserve(ONE, Entry("SELECT 1", analyst=analyst))
    ledger.failed(number, interrupted=interrupted)


def test_the_third_failure_locks_and_not_the_second(make: Make) -> None:
    ledger = make(THREE)
    fail(ledger)
    fail(ledger)
    ledger.commit(ledger.reserve(ONE, Entry("SELECT 1", analyst="ann")), ())
    fail(ledger)
    spent = ledger.spent
    with pytest.raises(AnalystLocked) as caught:
        ledger.reserve(ONE, Entry("SELECT 1", analyst="ann"))
    assert (caught.value.analyst, caught.value.failures) == ("ann", 3)
    assert str(caught.value) == (
        "analyst 'ann' is locked: 3 charged queries failed; the owner may look at them and unlock: "
        "dpsql budget DATA unlock --analyst ann"
    )
    assert ledger.spent == spent
    assert ledger.failures() == {"ann": 3}


def test_one_analyst_locks_no_other_and_no_name_is_one(make: Make) -> None:
    ledger = make(THREE)
    for _ in range(3):
        fail(ledger, "")
    with pytest.raises(AnalystLocked, match=r"^whoever gives no name is locked: 3 .* unlock$"):
        ledger.reserve(ONE, Entry("SELECT 1"))
    assert ledger.reserve(ONE, Entry("SELECT 1", analyst="ann"))


def test_the_owner_looks_and_it_begins_anew(make: Make) -> None:
    ledger = make(THREE)
    for _ in range(3):
        fail(ledger)
        fail(ledger, "bob")
    assert ledger.unlock("ann") == 3
    assert ledger.failures() == {"bob": 3}
    fail(ledger)
    fail(ledger)
    fail(ledger)
    with pytest.raises(AnalystLocked):
        fail(ledger)
    assert ledger.entries()[-1].kind == "failed"


def test_who_stops_his_own_query_is_not_locked(make: Make) -> None:
    ledger = make(THREE)
    for _ in range(5):
        fail(ledger, interrupted=True)
    assert ledger.failures() == {}
    assert ledger.spent.eps == 5


def test_without_a_limit_nobody_is(make: Make) -> None:
    ledger = make(Account(Cost(Fraction(100)), identity="x"))
    for _ in range(9):
        fail(ledger)


def test_a_query_that_runs_is_no_failure_and_an_answered_one_neither(make: Make) -> None:
    ledger = make(THREE)
    running = [ledger.reserve(ONE, Entry("SELECT 1")) for _ in range(3)]
    ledger.commit(running[0], (Stored("k", "", "[]"),))
    ledger.failed(running[0])  # stopped after its answer was stored
    assert ledger.failures() == {}
    assert len(ledger.entries()) == 3


def test_as_many_run_at_once_as_may_fail_and_not_one_more(make: Make) -> None:
    """Or whoever asks fifty at once that fail learns fifty bits."""
    ledger = make(THREE)
    fail(ledger)
    running = [ledger.reserve(ONE, Entry("SELECT 1", analyst="ann"), wait=0) for _ in range(2)]
    spent = ledger.spent
    with pytest.raises(RateExceeded, match=r"^analyst 'ann' has 2 queries that run, and as many"):
        ledger.reserve(ONE, Entry("SELECT 1", analyst="ann"), wait=0)
    assert ledger.spent == spent
    ledger.reserve(ONE, Entry("SELECT 1", analyst="bob"), wait=0)
    ledger.commit(running[0], ())
    running[0] = ledger.reserve(ONE, Entry("SELECT 1", analyst="ann"), wait=0)
    ledger.failed(running[0], interrupted=True)
    running[0] = ledger.reserve(ONE, Entry("SELECT 1", analyst="ann"), wait=0)
    for number in running:
        ledger.failed(number)
    with pytest.raises(AnalystLocked):
        ledger.reserve(ONE, Entry("SELECT 1", analyst="ann"), wait=0)


def test_who_waits_is_granted_when_another_has_its_answer(make: Make) -> None:
    ledger = make(THREE)
    running = [ledger.reserve(ONE, Entry("SELECT 1")) for _ in range(3)]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(ledger.reserve, ONE, Entry("SELECT 1"), wait=60)
        with pytest.raises(TimeoutError):
            waiting.result(0.2)
        ledger.commit(running[0], ())
        assert waiting.result(60) == 4


def test_of_twenty_that_fail_at_once_three_are_seen(make: Make) -> None:
    ledger = make(THREE)

    def one(number: int) -> bool:
        try:
            line = ledger.reserve(ONE, Entry(f"SELECT {number}", analyst="ann"), wait=60)
        except AnalystLocked:
            return False
        sleep(0.01)
        ledger.failed(line)
        return True

    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(one, range(20))) == 3
    assert ledger.failures() == {"ann": 3}
    assert ledger.spent.eps == 3


def test_what_another_process_runs_counts_and_what_it_left_does_not_lock_for_ever(
    where: str,
) -> None:
    ledger = opened(where, THREE)
    entry = Entry("SELECT 1", analyst="ann")

    def work() -> None:
        other = opened(where, THREE)
        for _ in range(2):
            other.reserve(ONE, entry)
        os.write(outside, b"x")
        os.read(waits, 1)

    inside, outside = os.pipe()
    waits, go = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            work()
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    os.read(inside, 1)
    mine = ledger.reserve(ONE, entry, wait=0)
    with pytest.raises(RateExceeded):
        ledger.reserve(ONE, entry, wait=0)
    os.write(go, b"x")
    os.waitpid(process, 0)
    for pipe in (inside, outside, waits, go):
        os.close(pipe)
    assert ledger.failures() == {"ann": 2}
    ledger.commit(mine, ())
    ledger.commit(ledger.reserve(ONE, entry, wait=0), ())
    assert ledger.unlock("ann") == 2
    for _ in range(3):
        ledger.reserve(ONE, entry, wait=0)


def test_an_answer_that_comes_late_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read once is remembered, but not that a charge had no answer yet."""
    path = str(tmp_path / "ledger")
    first, second = opened(path, THREE), opened(path, THREE)
    for _ in range(5):
        numbers = [first.reserve(ONE, Entry("SELECT 1"), wait=0) for _ in range(3)]
        with pytest.raises(RateExceeded):
            second.reserve(ONE, Entry("SELECT 1"), wait=0)
        for number in numbers:
            second.commit(number, ())
    assert first.failures() == second.failures() == {}


def interrupted_at(moment: int, work: Callable[[], object]) -> bool:
    """Do it with a Ctrl-C before that line of the ledger's code; whether there was one."""
    left = moment

    def one_less() -> None:
        nonlocal left
        frame = sys._getframe(2)
        # The interpreter lets no signal in between a `with` and the lock that it lets go of, nor at
        # a `try`, which is no instruction of its own.
        if getline(frame.f_code.co_filename, frame.f_lineno).lstrip().startswith(("with ", "try:")):
            return
        left -= 1
        if left == -1:
            raise KeyboardInterrupt

    try:
        traced(one_less)
        work()
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(None)
    return left < 0


# Between the opening of a file and the `with` that closes it, only the collector does.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("kind", "step"),
    [
        ("memory", 7),
        ("sqlite", 19),
        pytest.param("memory", 1, marks=pytest.mark.deep),
        pytest.param("sqlite", 1, marks=pytest.mark.deep),
    ],
)
def test_a_ctrl_c_while_it_is_charged_costs_nothing_and_counts_nothing(
    kind: str, step: int, tmp_path: Path
) -> None:
    """Wherever it comes: either nothing was charged, or the same query takes it up for nothing."""
    account = replace(THREE, total=Cost(Fraction(10**6)), failures=10**6)
    path = str(tmp_path / "ledger")
    ledger = MemoryLedger(account) if kind == "memory" else opened(path, account)
    ledger.commit(ledger.reserve(ONE, Entry("SELECT 0")), ())
    moment, taken = 0, 0
    while True:
        entry, before = Entry(f"SELECT {moment}"), ledger.spent.eps
        if not interrupted_at(moment, lambda entry=entry: ledger.reserve(ONE, entry)):
            break
        assert ledger.failures() == {}
        charged = ledger.spent.eps - before
        assert charged in (0, 1)
        number = ledger.reserve(ONE, replace(entry, time=datetime.now(UTC)), wait=0)
        assert ledger.spent.eps - before == 1
        assert (ledger.paid_by(number) != number) == (charged == 1)
        ledger.commit(number, ())
        taken += charged == 1
        moment += step
    assert moment > 100 and taken > 2
    assert not list(GATE._inside)  # or each later fork would wait


def test_a_failed_line_gets_no_answer(make: Make) -> None:
    ledger = make(THREE)
    number = ledger.reserve(ONE, Entry("SELECT 1"))
    ledger.failed(number)
    with pytest.raises(EngineError, match="ended without an answer"):
        ledger.commit(number, (Stored("k", "", "[]"),))


def test_how_far_it_came_is_not_shown(make: Make) -> None:
    ledger = make(THREE)
    ledger.failed(ledger.reserve(ONE, Entry("SELECT 1")), drawn=False)
    ledger.failed(ledger.reserve(ONE, Entry("SELECT 2")), drawn=True)
    assert [json.loads(line.note) for line in ledger.entries()[1::2]] == [{"line": 1}, {"line": 3}]
    assert [line.note for line in ledger.entries()[::2]] == ["", ""]


def test_it_survives_a_restart_and_is_shared(where: str) -> None:
    first, second = opened(where, THREE), opened(where, THREE)
    fail(first)
    fail(second)
    assert opened(where, THREE).failures() == {"ann": 2}
    fail(first)
    for ledger in (first, second, opened(where, THREE)):
        with pytest.raises(AnalystLocked):
            ledger.reserve(ONE, Entry("SELECT 1", analyst="ann"))
    assert opening.open_ledger(where, THREE, rule=False).unlock("ann") == 3
    second.reserve(ONE, Entry("SELECT 1", analyst="ann"))


def child(work: Callable[[], None]) -> None:
    """Do it in a process that is killed then."""
    process = os.fork()
    if process == 0:
        try:
            work()
            os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(1)
    _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL


def test_a_killed_process_is_a_failure(where: str) -> None:
    """The machine's memory guard kills whole processes, and that can be provoked."""
    opened(where, THREE)
    for expected in (1, 2, 3):
        child(lambda: void(opened(where, THREE).reserve(ONE, Entry("SELECT 1", analyst="ann"))))
        assert opened(where, THREE).failures() == {"ann": expected}
    with pytest.raises(AnalystLocked):
        opened(where, THREE).reserve(ONE, Entry("SELECT 1", analyst="ann"))


def void(_: object) -> None: ...


def test_one_that_could_not_be_noted_is_one_all_the_same(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = opened(where, THREE)
    number = ledger.reserve(ONE, Entry("SELECT 1"))

    def failing(_: object) -> None:
        raise EngineError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(ledger._store, "write", failing)
        with pytest.raises(EngineError):
            ledger.failed(number)
    assert ledger.failures() == {"": 1}


@pytest.mark.parametrize(("late", "count"), [(-1, 0), (60, 1)])
def test_of_another_machine_it_counts_once_the_longest_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: int, count: int
) -> None:
    account = Account(Cost(Fraction(100)), failures=3, longest=timedelta(hours=1))
    time = datetime.now(UTC) - timedelta(hours=1, seconds=late)
    ledger = opened(str(tmp_path / "ledger"), account)
    with monkeypatch.context() as patched:
        patched.setattr(holder, "mine", lambda: "another-machine 7:7")
        ledger.reserve(ONE, Entry("SELECT 1", time=time))
    assert ledger.failures() == ({"": 1} if count else {})


def test_a_process_with_the_same_number_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = holder.mine()
    machine, _, process = mine.rpartition(" ")
    number, _, started = process.partition(":")
    assert holder.over(mine, "a", 1) is True
    holder.begin("a", 1)
    assert holder.over(mine, "a", 1) is False
    assert holder.over(f"{machine} {number}:{int(started) - 1}", "a", 1) is True
    holder.end("a", 1)
    assert holder.over(f"{machine} {os.getppid()}:{holder._started(os.getppid())}", "a", 1) is False
    assert holder.over(f"elsewhere {process}", "a", 1) is None
    assert holder.over(f"{machine} x:y", "a", 1) is None


@pytest.mark.parametrize("kind", ["failed", "interrupted", "unlocked", "resumed"])
def test_an_event_costs_nothing(tmp_path: Path, kind: str) -> None:
    """Or one could be forged that gives something back."""
    path = str(tmp_path / "ledger")
    ledger = opened(path, THREE)
    ledger.reserve(ONE, Entry("SELECT 1"))
    ledger.reserve(ONE, Entry("SELECT 1"))
    change(path, f"UPDATE charge SET kind = '{kind}' WHERE number = 2")
    forge(path)
    with pytest.raises(LedgerTampered, match="line 2 does not add up"):
        opening.open_ledger(path, THREE, witness=tmp_path / "other")


def test_memory_is_no_exception() -> None:
    ledger = MemoryLedger(THREE)
    for _ in range(3):
        fail(ledger)
    with pytest.raises(AnalystLocked):
        fail(ledger)


def test_a_process_that_is_hidden_is_not_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """``hidepid``: the folder of another user's process is not there; nor is one on macOS."""
    machine, _, process = holder.mine().rpartition(" ")
    started = process.partition(":")[2]
    there = os.getppid()
    gone = os.posix_spawn("/bin/true", ["true"], {})
    os.waitpid(gone, 0)

    def hidden(*_: object) -> str:
        raise FileNotFoundError

    def not_allowed(number: int, _: int) -> None:
        raise ProcessLookupError if number == gone else PermissionError

    monkeypatch.setattr(holder.Path, "read_text", hidden)
    for kill in (os.kill, not_allowed):
        monkeypatch.setattr(os, "kill", kill)
        assert holder.over(f"{machine} {gone}:{started}", "a", 1) is True
        assert holder.over(f"{machine} {there}:{started}", "a", 1) is None
        assert holder.over(f"{machine} {there}:?", "a", 1) is None
