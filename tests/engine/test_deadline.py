"""The clock of all deadlines: it stops what is late in time, and is not woken for what is not."""

from __future__ import annotations

import threading
import time

from dpsql.platform.engine.deadline import Deadline, _Clock, stopped


def late(deadline: Deadline, nearer: float | None = None) -> float:
    """When what has that deadline is stopped, in seconds."""
    stop, begun = threading.Event(), time.monotonic()
    with stopped(deadline, stop.set):
        if nearer is not None:
            deadline.at = begun + nearer
        assert stop.wait(10)
    return time.monotonic() - begun


def test_a_short_one_beside_a_long_one() -> None:
    with stopped(Deadline.after(100), lambda: None):
        time.sleep(0.1)  # the clock waits for that one
        assert late(Deadline.after(0.1)) < 0.8


def test_one_that_comes_nearer() -> None:
    with stopped(Deadline.after(100), lambda: None):
        time.sleep(0.1)
        assert late(Deadline.after(100), nearer=0.2) < 3


def test_it_is_stopped_again_and_again() -> None:
    times: list[float] = []
    with stopped(Deadline.after(0), lambda: times.append(time.monotonic())):
        time.sleep(0.5)
    assert len(times) > 2


def test_what_is_not_late_is_not_stopped_and_wakes_nobody() -> None:
    clock, wakes = _Clock(), []
    wait = clock._wait
    clock._wait = lambda seconds: (wakes.append(seconds), wait(seconds))[1]  # type: ignore[method-assign,func-returns-value]
    stop = threading.Event()
    for _ in range(200):
        clock.remove(clock.add(Deadline.after(100), stop.set))
    time.sleep(0.2)
    assert not stop.is_set() and len(wakes) <= 2
