"""What calls the engine: Ctrl-C at any time, and errors that keep nothing of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import FrameType, TracebackType

import pytest

from dpsql.core.noise.integer_noise import NoiseError
from dpsql.errors import EngineError
from dpsql.execution.boundary import typed
from dpsql.platform.engine.guard import guarded


def frames(error: BaseException) -> Iterator[FrameType]:
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


@pytest.mark.parametrize("attended", [False, True])
@pytest.mark.parametrize("kind", [NoiseError, EngineError, ValueError, KeyboardInterrupt])
def test_an_error_keeps_no_frame_of_what_was_done(
    attended: bool, kind: type[BaseException]
) -> None:
    def work() -> None:
        private = [1667, 3333]
        try:
            raise ZeroDivisionError(private)
        except ZeroDivisionError:
            raise kind("failed")  # noqa: B904  (its context is what is tested)

    with pytest.raises((NoiseError, EngineError, KeyboardInterrupt)) as caught:
        guarded(work, interrupt=(lambda: None) if attended else None)
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    assert [f for f in frames(caught.value) if "private" in f.f_locals] == []


def test_ctrl_c_before_the_query_has_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody works then, so nobody is waited for."""
    done: list[str] = []

    def start(thread: threading.Thread) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(KeyboardInterrupt):
        guarded(lambda: done.append("work"), interrupt=lambda: done.append("interrupt"))
    assert done == []


def test_ctrl_c_while_the_thread_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has begun is stopped, and waited for; it is done once at most."""
    begun, stopped = threading.Event(), threading.Event()
    done: list[bool] = []
    real = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        real(thread)
        assert begun.wait(60)
        raise KeyboardInterrupt

    def work() -> None:
        begun.set()
        done.append(stopped.wait(60))

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(KeyboardInterrupt):
        guarded(work, interrupt=stopped.set)
    assert done == [True]


def test_ctrl_c_in_a_statement_that_nobody_waits_for() -> None:
    """DuckDB's word for it comes out as what it is, and not as a bug of ours."""

    @typed
    def work() -> None:
        raise RuntimeError("Query interrupted")

    with pytest.raises(KeyboardInterrupt) as caught:
        work()
    assert caught.value.__context__ is None and caught.value.__cause__ is None
