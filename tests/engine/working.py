"""What workers are asked, and whether their processes are there."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from dpsql.platform.engine.remote import RemoteEngine

FOREVER = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b"


HANG = 60  # seconds: a guard, no measure


Opened = Callable[..., RemoteEngine]


def children() -> set[int]:
    """The processes that this one has, also those that ended and were not waited for."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "stat").read_text()
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(text.rpartition(")")[2].split()[1]) == os.getpid() and (
                b"worker_main" in command or not command
            ):
                found.add(int(entry.name))
    return found


def gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state in "ZX"


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + HANG
    while not true():
        assert time.monotonic() < end, "hung"
        time.sleep(0.01)


def count(engine: RemoteEngine) -> object:
    with engine.snapshot() as snapshot:
        return snapshot.rows("SELECT count(*) FROM t")[0][0]


def error_of(work: Callable[[], object]) -> BaseException | None:
    try:
        work()
    except Exception as error:
        return error
    return None


def when_busy(pid: int, work: Callable[[], object]) -> threading.Thread:
    """Do `work` as soon as a process computes, however late that is; on Linux."""

    def spent() -> int:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
        return int(fields[11]) + int(fields[12])

    before = spent()

    def watched() -> None:
        until(lambda: spent() >= before + 10)
        work()

    thread = threading.Thread(target=watched)
    thread.start()
    return thread
