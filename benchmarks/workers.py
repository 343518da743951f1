"""What a query pays for a process of its own.

    python benchmarks/workers.py

The same queries run on the same file with `workers=0` and with `workers=1`, in turns, each with new
noise and a ledger in memory, after two that warm up. *Overhead* is the median of the differences of
neighbouring runs, in milliseconds of wall-clock time; *at rest* is the difference of the fifth
percentiles, which other work on the machine changes less. *First* is the time from `connect` to the
first answer.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import duckdb  # noqa: E402

import dpsql  # noqa: E402
from dpsql.core.account.account import Account  # noqa: E402
from dpsql.core.account.amount import Cost, parse_eps  # noqa: E402
from dpsql.platform.ledger.opening import open_ledger  # noqa: E402

RUNS = 200
POLICY = """
unit: people.pid
budget: {eps: 1000000}
tables:
  people:
    access: private
    key: [pid]
    columns:
      pid: {type: BIGINT}
      kind: {type: BIGINT, values: [0, 1, 2, 3, 4, 5, 6, 7]}
      income: {type: BIGINT, bounds: [0, 100]}
  kinds:
    access: public
    key: [kind]
    columns:
      kind: {type: BIGINT}
      name: {type: VARCHAR}
"""
QUERIES = {
    "count": "SELECT COUNT(*) AS n FROM people",
    "groups": "SELECT kind, COUNT(*) AS n, SUM(income) AS s FROM people GROUP BY kind",
    "join": "SELECT k.name, COUNT(*) AS n FROM people p JOIN kinds k ON p.kind = k.kind "
    "GROUP BY k.name",
    "public": "SELECT COUNT(*) AS n FROM kinds",
}


def made(folder: Path) -> Path:
    file = folder / "people.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute(
            "CREATE TABLE people AS SELECT i AS pid, i % 8 AS kind, i % 101 AS income "
            "FROM range(10000) r(i)"
        )
        connection.execute(
            "CREATE TABLE kinds AS SELECT i AS kind, 'kind ' || i AS name FROM range(8) r(i)"
        )
    return file


def database(file: Path, workers: int) -> dpsql.Database:
    ledger = open_ledger(None, Account(Cost(parse_eps(10**6))))
    return dpsql.connect(file, POLICY, ledger=ledger, workers=workers)


def timed(database: dpsql.Database, sql: str) -> float:
    before = time.perf_counter()
    database.run(sql, 1, fresh=True)
    return (time.perf_counter() - before) * 1000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = made(Path(folder))
        for workers in (0, 1):
            before = time.perf_counter()
            with database(file, workers) as db:
                timed(db, QUERIES["count"])
                first = time.perf_counter() - before
            print(f"first answer, workers={workers}: {first * 1000:.0f} ms")
        with database(file, 0) as here, database(file, 1) as there:
            print(f"\n| {RUNS} runs of | here_ms | worker_ms | overhead_ms | at_rest_ms |")
            print("|---|---|---|---|---|")
            every = []
            for name, sql in QUERIES.items():
                pairs = [(timed(here, sql), timed(there, sql)) for _ in range(RUNS + 2)][2:]
                ours, theirs = (sorted(side) for side in zip(*pairs, strict=True))
                every.append(statistics.median(b - a for a, b in pairs))
                rest = theirs[RUNS // 20] - ours[RUNS // 20]
                middle = RUNS // 2
                print(f"| {name} | {ours[middle]:.2f} | {theirs[middle]:.2f} | ", end="")
                print(f"{every[-1]:.2f} | {rest:.2f} |", flush=True)
            print(f"| median | | | {statistics.median(every):.2f} | |")


if __name__ == "__main__":
    main()
