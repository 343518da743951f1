"""How fast the ledger grants: SQLite and PostgreSQL, beside a bare transaction of one INSERT.

    python benchmarks/ledger.py
    python benchmarks/ledger.py long    # only how calls slow down with the lines that there are
    python benchmarks/ledger.py one     # only what one charge and its answer are made of

Each process has a ledger of its own on the same account and charges as fast as it can; all start
together. A grant is timed from the call to its return: charged, committed and synced, and noted in
the second place. The bare transaction has the same pragmas and a row as long, on a connection of
its own as the ledger has. What is measured first is fsync, on which all of it waits.
"""

from __future__ import annotations

import cProfile
import json
import multiprocessing
import os
import pstats
import secrets
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import wraps
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dpsql.core.account.account import Account  # noqa: E402
from dpsql.core.account.amount import Cost  # noqa: E402
from dpsql.core.account.events import DiscreteLaplaceEvent  # noqa: E402
from dpsql.core.account.loss import NOTHING, approximate  # noqa: E402
from dpsql.platform.ledger import accounts  # noqa: E402
from dpsql.platform.ledger.admission import Head, following  # noqa: E402
from dpsql.platform.ledger.connection import Connection  # noqa: E402
from dpsql.platform.ledger.ledger import Entry, Stored  # noqa: E402
from dpsql.platform.ledger.opening import open_ledger  # noqa: E402
from dpsql.platform.ledger.witness import Witness  # noqa: E402
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


def timed(work: Work, count: int, clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """How long each of so many takes, in seconds."""
    times = []
    for _ in range(count):
        start = clock()
        work()
        times.append(clock() - start)
    return times


def granted(make: Callable[[str], Work], where: str, count: int, start: Barrier) -> list[float]:
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
        results.put(granted(make, where, GRANTS // processes, start))

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


def filled(path: Path, lines: int, interrupted: bool) -> str:
    """A ledger with so many lines of one analyst, written at once and not one by one.

    Args:
        path: of the new ledger.
        lines: how many.
        interrupted: whether every second one says that the charge before it was interrupted.
    """
    ledger = open_ledger(str(path), TOTAL)
    made, loss = ledger._made, approximate(TENTH).rounded_up()

    def work(connection: Connection) -> None:
        head, last = accounts.head(connection, made, []), None
        for number in range(1, lines + 1):
            if interrupted and number % 2 == 0:
                note = json.dumps({"line": number - 1, "drawn": False})
                entry = Entry("", time=ENTRY.time)
                line = following(
                    *(head, entry, NOTHING, lambda _, was=last: was),
                    kind="interrupted",
                    note=note,
                    period=None,
                )
            else:
                note = json.dumps({"by": "another-machine 7:7"})
                key = f"request {number}" if number % 10 == 0 else ""
                entry = replace(ENTRY, sql=f"SELECT {number % 500}", request=key)
                line = following(head, entry, loss, lambda _, was=last: was, note=note, period=None)
            line = accounts.append(connection, made, line)
            head, last = Head.of(line), line

    ledger._store.write(work)
    return str(path)


def long(folder: Path) -> None:
    """What each call takes after many lines: CPU time, since other work may be going on."""
    print(
        "\n| lines | of them interrupted | opened, verified | opened again | the first charge |"
        " charge | request | spent |\n|---|---|---|---|---|---|---|---|"
    )
    for interrupted in (False, True):
        for lines in (10, 1_000, 10_000, LINES):
            where = filled(folder / f"long {interrupted} {lines}", lines, interrupted)
            state = folder / f"other state {interrupted} {lines}"
            begun = time.process_time()
            open_ledger(where, TOTAL, witness=state)
            opened = time.process_time()
            ledger = open_ledger(where, TOTAL, witness=state)
            again = time.process_time()
            ledger.reserve(TENTH, ENTRY)
            first = time.process_time()
            calls: dict[str, Work] = {
                "charge": lambda ledger=ledger: ledger.reserve(TENTH, ENTRY),
                "request": lambda ledger=ledger: ledger.request("request 10"),
                "spent": lambda ledger=ledger: ledger.spent,
            }
            took = [
                statistics.median(timed(work, 31, time.process_time)) for work in calls.values()
            ]
            spans = [opened - begun, again - opened, first - again, *took]
            shown = " | ".join(f"{1e3 * span:.1f} ms" for span in spans)
            print(f"| {lines:,} | {lines // 2 if interrupted else 0:,} | {shown} |", flush=True)


def short(folder: Path) -> None:
    """How many grants there are in a second."""
    print(f"fsync of a page: {1e3 * statistics.median(timed(syncing(folder), 300)):.2f} ms\n")
    print("| ledger | processes | grants/s | median ms | p99 ms |\n|---|---|---|---|---|")
    for processes in (1, 8):
        row = measured(inserting, str(folder / f"bare {processes}"), processes)
        print(f"| bare SQLite INSERT | {processes} | {row} |", flush=True)
        row = measured(granting, str(folder / f"ledger {processes}"), processes)
        print(f"| SQLite | {processes} | {row} |", flush=True)
    if servers.REASON:
        print(servers.REASON)
        return
    with servers.postgres() as url:
        for processes in (1, 8):
            row = measured(granting, url.format("postgres"), processes)
            print(f"| PostgreSQL | {processes} | {row} |", flush=True)


@contextmanager
def driver(asked: list[tuple[str, Any]]) -> Iterator[None]:
    """SQLite without syncs, which notes what it is asked; "" where a connection is opened."""

    class Cursor(sqlite3.Cursor):
        def execute(self, sql: str, given: Any = ()) -> sqlite3.Cursor:
            asked.append((sql, given))
            return super().execute(sql, given)

    class Driver(sqlite3.Connection):
        def cursor(self, factory: Any = Cursor) -> Any:
            return super().cursor(factory)

        def executescript(self, sql: str) -> sqlite3.Cursor:
            quick = sql.replace("EXTRA", "OFF")
            asked.extend((one, ()) for one in quick.split(";") if one.strip())
            return super().executescript(quick)

    connect = sqlite3.connect

    def opened(where: str, **options: Any) -> sqlite3.Connection:
        asked.append(("", where))
        return connect(where, factory=Driver, **options)

    with patch.object(sqlite3, "connect", opened), patch.object(os, "fsync", lambda _: None):
        yield


def alone(asked: Sequence[tuple[str, Any]], connection: sqlite3.Connection) -> None:
    """The same by the driver alone, for an account that there is not."""
    for sql, given in asked:
        if sql.startswith("INSERT"):
            given = (secrets.randbits(60), *given[1:])
        if sql:
            connection.execute(sql, given).fetchall()


@contextmanager
def witnessed(spent: list[float]) -> Iterator[None]:
    """Add up the CPU time of the second place."""

    def timing(call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def work(*args: Any, **options: Any) -> Any:
            begun = time.process_time()
            try:
                return call(*args, **options)
            finally:
                spent.append(time.process_time() - begun)

        return work

    with ExitStack() as stack:
        for name in ("seen", "verified", "put_verified", "advance"):
            stack.enter_context(patch.object(Witness, name, timing(getattr(Witness, name))))
        yield


def one(folder: Path) -> None:
    """What a charge, its answer, and looking for one are made of; nothing is synced.

    CPU times are the 5th percentile of 300: the least that other work on the machine lets be seen.
    """
    ledger = open_ledger(str(folder / "one"), TOTAL)
    loss = DiscreteLaplaceEvent(scale=10, l1=1).loss
    entry = replace(ENTRY, releases=json.dumps([{"name": "n"}] * 20))
    answer = (Stored("k" * 64, "f" * 64, json.dumps([1, 2, 3] * 40)),)
    numbers = [ledger.reserve(loss, entry)]
    calls: dict[str, Work] = {
        "charge": lambda: numbers.append(ledger.reserve(loss, entry)),
        "its answer": lambda: ledger.commit(numbers[-1], answer),
        "look for one": lambda: ledger.find(key="nobody's"),
    }
    calls["its answer"]()
    columns = "| call | statements | Python's calls | CPU, µs | second place | SQLite alone |"
    print(f"{columns}\n|---|---|---|---|---|---|")
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name in calls}
    statements, functions = dict.fromkeys(calls, 0), dict.fromkeys(calls, 0)
    asked: list[tuple[str, Any]] = []
    shutil.copy(folder / "one", folder / "bare")
    bare = sqlite3.connect(folder / "bare", isolation_level=None)
    bare.execute("PRAGMA synchronous = OFF")
    ledger._store.rest()  # or its connection would be one that syncs
    with driver(asked):
        calls["charge"]()
        for _ in range(300):
            for name, call in calls.items():
                second: list[float] = []
                asked.clear()
                with witnessed(second):
                    (took,) = timed(call, 1, time.process_time)
                noted = [*asked]
                (least,) = timed(lambda of=noted: alone(of, bare), 1, time.process_time)  # type: ignore[misc]
                found[name].append((took, sum(second), least))
                statements[name] = len(noted)
        for name, call in calls.items():
            profile = cProfile.Profile()
            profile.runcall(call)
            functions[name] = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
    bare.close()
    for name, rows in found.items():
        spans = (f"{1e6 * sorted(column)[15]:.0f}" for column in zip(*rows, strict=True))
        print(f"| {name} | {statements[name]} | {functions[name]} | {' | '.join(spans)} |")


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["DPSQL_STATE"] = str(folder / "state")
        wanted = sys.argv[1:] or ["short", "long", "one"]
        for part in (short, long, one):
            if part.__name__ in wanted:
                part(folder)


if __name__ == "__main__":
    main()
