"""Queries in processes of their own: killed, late or left, nothing of one stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dpsql.errors import EngineError, LimitExceeded
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.guard import FAILED
from dpsql.platform.engine.remote import RemoteScratches
from tests.engine.working import FOREVER, HANG, Opened, count, gone, until, when_busy


def test_a_worker_that_is_killed_is_one_error_and_another_answers(opened: Opened) -> None:
    engine = opened()
    count(engine)
    [pid] = engine.pids
    killer = when_busy(pid, lambda: os.kill(pid, signal.SIGKILL))
    with pytest.raises(EngineError) as caught, engine.snapshot() as snapshot:
        snapshot.rows(FOREVER)
    killer.join()
    assert str(caught.value) == FAILED
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    assert gone(pid)
    assert count(engine) == 1000
    assert pid not in engine.pids


def test_a_worker_that_died_while_it_waited_is_replaced(opened: Opened) -> None:
    engine = opened()
    count(engine)
    [pid] = engine.pids
    os.kill(pid, signal.SIGKILL)
    until(lambda: gone(pid))
    assert count(engine) == 1000


def test_a_deadline_ends_the_worker(opened: Opened) -> None:
    engine = opened()
    count(engine)
    [pid] = engine.pids
    began = time.monotonic()
    with pytest.raises(EngineError) as caught, engine.snapshot(Deadline.after(0.3)) as snapshot:
        snapshot.rows(FOREVER)
    assert time.monotonic() - began < HANG
    assert str(caught.value) == FAILED
    assert gone(pid)
    assert count(engine) == 1000


def test_a_deadline_holds_for_scratch_databases(opened: Opened) -> None:
    engine = opened()
    count(engine)  # it has begun
    deadline = Deadline.after(0.5)
    with (
        pytest.raises(EngineError),
        engine.snapshot(deadline) as snapshot,
        RemoteScratches().take(snapshot) as scratch,
    ):
        scratch.run(FOREVER)
    assert deadline.passed


def test_a_worker_that_is_slow_to_start_is_no_loss(opened: Opened) -> None:
    engine = opened()
    soon = Deadline.after(1e-4)
    with pytest.raises(LimitExceeded, match="Nothing was charged"), engine.snapshot(soon):
        pass
    [pid] = engine.pids  # it goes on
    assert count(engine) == 1000
    assert engine.pids == (pid,)


def test_ctrl_c_ends_the_worker(opened: Opened) -> None:
    engine = opened()
    count(engine)
    [pid] = engine.pids
    presser = when_busy(pid, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt) as caught, engine.snapshot() as snapshot:
        snapshot.rows(FOREVER)
    presser.join()
    assert caught.value.__context__ is None
    assert gone(pid)
    assert count(engine) == 1000


def test_closing_stops_what_runs(opened: Opened) -> None:
    engine = opened()
    count(engine)
    [pid] = engine.pids
    closer = when_busy(pid, engine.close)
    with pytest.raises(EngineError), engine.snapshot() as snapshot:
        snapshot.rows(FOREVER)
    closer.join()
    assert engine.pids == ()
    with pytest.raises(EngineError, match="closed"), engine.snapshot():
        pass


@pytest.mark.parametrize("forked", [False, True])
def test_a_worker_dies_with_its_parent(file: Path, tmp_path: Path, forked: bool) -> None:
    """Also where a child of its parent's lives on."""
    place = tmp_path / "temporary"
    place.mkdir()
    parent = f"""
import os, sys, time
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine import duckdb_open
from dpsql.platform.engine.protocol import Engine, Workspaces
from dpsql.platform.engine.remote import RemoteEngine
from dpsql.platform.engine.spill import Spill
from dpsql.platform.engine.worker import WorkerSettings
here = duckdb_open.open_file({str(file)!r})
engine = RemoteEngine(here, WorkerSettings(10**9, 1, 10**9, {str(place)!r}, 60), 1)
with engine.snapshot() as snapshot:
    child = os.fork() if {forked} else 0
    if {forked} and not child:
        time.sleep(60)
        os._exit(0)
    print(engine.pids[0], child, flush=True)
    snapshot.rows({FOREVER!r})
"""
    process = subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    pid, child = map(int, process.stdout.readline().split())
    assert not gone(pid)
    assert len(list(place.iterdir())) == 1
    process.kill()
    process.wait()
    process.stdout.close()
    try:
        until(lambda: gone(pid))
        until(lambda: list(place.iterdir()) == [])
        assert not forked or not gone(child)
    finally:
        if child:
            os.kill(child, signal.SIGKILL)


def test_a_forked_process_leaves_its_parents_worker_alone(file: Path) -> None:
    script = f"""
import os
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine import duckdb_open
from dpsql.platform.engine.protocol import Engine, Workspaces
from dpsql.platform.engine.remote import RemoteEngine
from dpsql.platform.engine.spill import Spill
from dpsql.platform.engine.worker import WorkerSettings
here = duckdb_open.open_file({str(file)!r})
engine = RemoteEngine(here, WorkerSettings(10**9, 1, 10**9, None, 60), 1)
def count():
    with engine.snapshot() as snapshot:
        return snapshot.rows("SELECT count(*) FROM t")
count()
before = engine.pids
child = os.fork()
if not child:
    os._exit(0 if count() == [(1000,)] and engine.pids != before else 1)
assert os.waitpid(child, 0)[1] == 0
assert count() == [(1000,)] and engine.pids == before
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=HANG)
