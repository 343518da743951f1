"""A server of Spark's whose workers die, or have no disk left, while it computes: the answer is
whole, or there is one error that tells nothing, and the charge stays.

Skipped where Spark is not installed, which `make test-engines` does.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.errors import EngineError
from dpsql.platform.engine.far import spark as far_spark
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.support import spark_server

pytestmark = [
    pytest.mark.skipif(spark_server.home() is None, reason="Spark is not installed"),
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are not in /proc"),
]

EXECUTOR = b"CoarseGrainedExecutorBackend"
TWO_WORKERS = ("--master", "local-cluster[2,1,1024]", "--conf", "spark.task.maxFailures=2")
PEOPLE, VISITS = 100_000, 400_000
SUM = "SELECT COUNT(*) AS n, SUM(cost) AS s FROM visits"
WHOLE = (300_000, 300_000 * 7)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of files in which each person has four visits, of which three count."""
    folder = tmp_path_factory.mktemp("files")
    with duckdb.connect() as made:
        for name, rows in (
            ("people", f"SELECT i AS id FROM range({PEOPLE}) r(i)"),
            ("visits", f"SELECT i % {PEOPLE} AS person, 7 AS cost FROM range({VISITS}) r(i)"),
        ):
            made.execute(f"COPY ({rows}) TO '{folder}/{name}.parquet'")
            os.utime(folder / f"{name}.parquet", (0, 0))  # not young: keys are looked at once
    return f"""
unit: people.id
budget: {{eps: 1e9}}
tables:
  people:
    {{access: private, key: [id], files: {folder}/people.parquet, columns: {{id: {{}}}}}}
  visits:
    access: private
    files: {folder}/visits.parquet
    columns: {{person: {{references: people.id, max_rows: 3}}, cost: {{bounds: [0, 50]}}}}
"""


@contextmanager
def server(*settings: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    with spark_server.started(port, *settings) as (url, process):
        assert url is not None
        yield url, process


def below(process: int) -> Iterator[int]:
    """It, and all that it started."""
    yield process
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from below(int(child))


def kill_executors(process: subprocess.Popen[bytes]) -> int:
    """How many there were."""
    found = 0
    for one in below(process.pid):
        with suppress(OSError):
            if EXECUTOR in Path(f"/proc/{one}/cmdline").read_bytes():
                os.kill(one, signal.SIGKILL)
                found += 1
    return found


def ledger() -> MemoryLedger:
    return MemoryLedger(Cost(Fraction(10**16)))


def whole(db: dpsql.Database, sql: str) -> None:
    [row] = db.run(sql, 10**6)
    assert tuple(map(round, row)) == WHOLE


def failed(db: dpsql.Database, sql: str) -> None:
    """One error, without what the server said, and the charge stays."""
    spent = db.budget.spent.exact.eps
    with pytest.raises(EngineError, match="could not run the query") as caught:
        db.run(sql, 1)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert db.budget.spent.exact.eps == spent + 1


def test_workers_that_die(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run, deaths = far_spark.Spark.run, list[int]()
    ended = threading.Event()
    with server(*TWO_WORKERS) as (url, process), dpsql.connect(url, policy, ledger=ledger()) as db:
        whole(db, SUM)

        def once(self: far_spark.Spark, sql: str) -> Any:
            deaths.append(kill_executors(process))
            return run(self, sql)

        monkeypatch.setattr(far_spark.Spark, "run", once)
        whole(db, f"{SUM} WHERE cost < 50")
        assert deaths[0] == 2

        def always() -> None:
            while not ended.wait(0.2):
                deaths.append(kill_executors(process))

        def dying(self: far_spark.Spark, sql: str) -> Any:
            killer.start()
            return run(self, sql)

        killer = threading.Thread(target=always)
        monkeypatch.setattr(far_spark.Spark, "run", dying)
        try:
            failed(db, f"{SUM} WHERE cost < 49")
        finally:
            ended.set()
            killer.join()
        monkeypatch.undo()
        until = time.monotonic() + 60
        while time.monotonic() < until:  # until there are workers again
            with suppress(EngineError):
                return whole(db, f"{SUM} WHERE cost < 48")
        raise AssertionError("no query works any more")


def test_a_disk_that_is_full(policy: str) -> None:
    """No file of the server's may grow for a while, as on a disk without a byte left."""
    with (
        server("--master", "local[2]") as (url, process),
        dpsql.connect(url, policy, ledger=ledger()) as db,
    ):
        whole(db, SUM)
        limits = {p: resource.prlimit(p, resource.RLIMIT_FSIZE) for p in below(process.pid)}
        for one, (_, most) in limits.items():
            resource.prlimit(one, resource.RLIMIT_FSIZE, (10_000, most))
        failed(db, f"{SUM} WHERE cost < 50")
        for one, before in limits.items():
            resource.prlimit(one, resource.RLIMIT_FSIZE, before)
        whole(db, f"{SUM} WHERE cost < 49")
