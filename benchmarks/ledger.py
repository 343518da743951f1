"""How fast the ledger grants: SQLite and PostgreSQL, beside a bare transaction of one INSERT.

    python benchmarks/ledger.py

Each process has a ledger of its own on the same account and charges as fast as it can; all start
together. A grant is timed from the call to its return: charged, committed and synced, and noted in
the second place. The bare transaction has the same pragmas and a row as long, on a connection of
its own as the ledger has. What is measured first is fsync, on which all of it waits.
"""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from fractions import Fraction
from multiprocessing.synchronize import Barrier
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dpsql.accounting.account import Account  # noqa: E402
from dpsql.accounting.amount import Cost  # noqa: E402
from dpsql.accounting.ledger import Entry, Stored  # noqa: E402
from dpsql.accounting.opening import open_ledger  # noqa: E402
from tests.support import servers  # noqa: E402

GRANTS = 400
"""In each measurement, by all processes together."""

LINES = 100_000
TOTAL = Account(Cost(Fraction(10**9)))
TENTH = Cost(Fraction(1, 10))
ENTRY = Entry("SELECT region, COUNT(*) AS n FROM orders GROUP BY region", '[{"name": "n"}]')

Work = Callable[[], object]


def granting(where: str) -> Work:
    """One grant, by a ledger of its own."""
    ledger = open_ledger(where, TOTAL)
    return lambda: ledger.reserve(TENTH, ENTRY)


def inserting(where: str) -> Work:
    """One transaction, by SQLite alone."""
    with sqlite3.connect(where) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, x TEXT)")
    connection.close()

    def work() -> None:
        connection = sqlite3.connect(where, isolation_level=None, timeout=60)
        connection.executescript("PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON;")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO t (x) VALUES (?)", ("x" * 2000,))
        connection.execute("COMMIT")
        connection.close()

    return work


def timed(work: Work, count: int) -> list[float]:
    """How long each of so many takes, in seconds."""
    times = []
    for _ in range(count):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return times


def one(make: Callable[[str], Work], where: str, count: int, start: Barrier) -> list[float]:
    """What one process measures."""
    work = make(where)
    work()
    start.wait()
    return timed(work, count)


def measured(make: Callable[[str], Work], where: str, processes: int) -> str:
    """A row of the table: per second, median and 99th percentile in milliseconds."""
    make(where)()
    context = multiprocessing.get_context("fork")
    start, results = context.Barrier(processes + 1), context.SimpleQueue()

    def child() -> None:
        results.put(one(make, where, GRANTS // processes, start))

    children = [context.Process(target=child) for _ in range(processes)]
    for process in children:
        process.start()
    start.wait()
    begun = time.perf_counter()
    times = sorted(t for _ in children for t in results.get())
    took = time.perf_counter() - begun
    for process in children:
        process.join()
    p99 = times[len(times) * 99 // 100]
    return f"{len(times) / took:.0f} | {1e3 * statistics.median(times):.1f} | {1e3 * p99:.1f}"


def syncing(folder: Path) -> Work:
    """One page, written and synced."""
    handle = os.open(folder / "page", os.O_RDWR | os.O_CREAT)

    def work() -> None:
        os.pwrite(handle, b"x" * 4096, 0)
        os.fsync(handle)

    return work


def long(folder: Path) -> None:
    """What each call takes after many lines."""
    ledger = open_ledger(None, TOTAL)  # in memory: to fill it takes a minute, not ten
    for number in range(1, LINES + 1):
        key = f"request {number}" if number % 10 == 0 else ""
        ledger.reserve(TENTH, Entry(ENTRY.sql, ENTRY.releases, ENTRY.time, f"{number % 7}", key))
        if number % 10 == 0:
            ledger.commit(number, (Stored(f"key {number}", f"family {number}", "[1]"),))
    path = folder / "long"
    open_ledger(str(path), TOTAL)
    with closing(sqlite3.connect(path)) as into:
        driver = ledger._store.connect().connection.driver_connection  # type: ignore[attr-defined]
        driver.backup(into)
    begun = time.perf_counter()
    again = open_ledger(str(path), TOTAL, witness=folder / "other state")
    print(f"\n{LINES:,} lines: opened and verified in {time.perf_counter() - begun:.1f} s;", end="")
    calls: dict[str, Work] = {
        "reserve": lambda: again.reserve(TENTH, ENTRY),
        "find": lambda: again.find(key=f"key {LINES // 2}"),
        "request": lambda: again.request(f"request {LINES // 2}"),
        "spent": lambda: again.spent,
    }
    for name, work in calls.items():
        print(f" {name} {1e3 * statistics.median(timed(work, 100)):.1f} ms", end="", flush=True)
    print()


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["DPSQL_STATE"] = str(folder / "state")
        print(f"fsync of a page: {1e3 * statistics.median(timed(syncing(folder), 300)):.2f} ms\n")
        print("| ledger | processes | grants/s | median ms | p99 ms |\n|---|---|---|---|---|")
        for processes in (1, 8):
            row = measured(inserting, str(folder / f"bare {processes}"), processes)
            print(f"| bare SQLite INSERT | {processes} | {row} |", flush=True)
            row = measured(granting, str(folder / f"ledger {processes}"), processes)
            print(f"| SQLite | {processes} | {row} |", flush=True)
        if servers.REASON:
            print(servers.REASON)
        else:
            with servers.postgres() as url:
                for processes in (1, 8):
                    row = measured(granting, url.format("postgres"), processes)
                    print(f"| PostgreSQL | {processes} | {row} |", flush=True)
        long(folder)


if __name__ == "__main__":
    main()
