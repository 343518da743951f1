"""Each principal in turn, whoever asks how much."""

from __future__ import annotations

import threading
from itertools import pairwise

import pytest

from dpsql.errors import RateExceeded
from dpsql.serve.fair_queue import FairQueue
from dpsql.serve.request_rate import Pacer


def held(queue: FairQueue, who: str = "first") -> threading.Event:
    """The queue's only thread is busy until this is set."""
    go, begun = threading.Event(), threading.Event()
    queue.ask(who, lambda: (begun.set(), go.wait(20)))
    assert begun.wait(20)
    return go


def test_nobody_is_served_twice_while_others_wait() -> None:
    queue = FairQueue(1, 1, 1000, 1000)
    go, done = held(queue), list[str]()
    futures = [queue.ask("many", lambda: done.append("many")) for _ in range(30)]
    futures += [queue.ask(who, lambda who=who: done.append(who)) for who in "ab" for _ in range(5)]  # type: ignore[misc]
    go.set()
    for future in futures:
        future.result(20)
    last = max(i for i, who in enumerate(done) if who != "many")
    assert all(one != other for one, other in pairwise(done[: last + 1]))
    assert last <= 15 and done.count("many") == 30
    queue.close(5)


def test_how_much_one_runs_at_once() -> None:
    queue = FairQueue(3, 1, 1000, 1000)
    go, most, now, lock = threading.Event(), [0], [0], threading.Lock()

    def work() -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        go.wait(0.05)
        with lock:
            now[0] -= 1

    for future in [queue.ask("one", work) for _ in range(10)]:
        future.result(20)
    assert most[0] == 1
    queue.close(5)


def test_what_is_too_much() -> None:
    queue = FairQueue(1, 1, 4, 3)
    go = held(queue)
    for _ in range(3):
        queue.ask("a", lambda: None)
    with pytest.raises(RateExceeded, match="too many queries of yours wait"):
        queue.ask("a", lambda: None)
    last = queue.ask("b", lambda: 7)
    with pytest.raises(RateExceeded, match="the server has too many"):
        queue.ask("c", lambda: None)
    assert (queue.length, queue.running) == (4, 1)
    go.set()
    assert last.result(20) == 7
    queue.close(5)


def test_errors_and_what_is_called_off() -> None:
    queue = FairQueue(1, 1, 10, 10)
    go = held(queue)
    off = queue.ask("a", lambda: 1)
    assert off.cancel()

    def wrong() -> None:
        raise KeyboardInterrupt

    bad, good = queue.ask("a", wrong), queue.ask("a", lambda: 2)
    go.set()
    with pytest.raises(KeyboardInterrupt):
        bad.result(20)
    assert good.result(20) == 2
    queue.close(5)
    with pytest.raises(RateExceeded):
        queue.ask("a", lambda: 1)


def test_what_waits_is_let_go_at_the_end() -> None:
    queue = FairQueue(1, 1, 10, 10)
    go = held(queue)
    waits = queue.ask("a", lambda: 1)
    threading.Timer(0.2, go.set).start()
    queue.close(20)
    assert waits.cancelled()


def test_how_often_one_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("dpsql.serve.request_rate.monotonic", lambda: now[0])
    pacer = Pacer(60, most=2)
    for _ in range(60):
        pacer.take("a")
    with pytest.raises(RateExceeded, match="the next is heard in 1 s") as caught:
        pacer.take("a")
    assert caught.value.seconds == pytest.approx(1)
    pacer.take("b")
    now[0] += 1
    pacer.take("a")
    with pytest.raises(RateExceeded):
        pacer.take("a")
    now[0] += 1000
    for _ in range(60):
        pacer.take("a")
    with pytest.raises(RateExceeded):
        pacer.take("a")
