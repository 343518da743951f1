"""What a priced query costs beside its data: a query that is known, on 100 rows.

    python benchmarks/fixed.py

CPU time and wall time of `Database.run(sql, eps, fresh=True)` in milliseconds, the least of many
runs; and what of the CPU time goes into DuckDB's statements (with their thread) and into the
ledger's two calls. Where the ledger is a file, nothing is synced in these; the last two columns are
with every fsync, run by turns. Then what a group costs here, whatever the engine is: COUNT and SUM
by a key of so many values.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import dpsql  # noqa: E402
from dpsql.platform.engine.scratch import Scratch  # noqa: E402
from dpsql.platform.engine.snapshot import DuckDBSnapshot  # noqa: E402
from dpsql.platform.ledger.connection import Connection  # noqa: E402
from dpsql.platform.ledger.sql_ledger import SqlLedger  # noqa: E402
from dpsql.platform.ledger.sqlite_store import SqliteStore  # noqa: E402

RUNS, AT_ONCE = 48, 6

TABLE = (
    "CREATE TABLE people AS SELECT range AS id, ['a', 'b'][range % 2 + 1] AS kind, "
    "CAST(range % 50 AS INTEGER) AS weight FROM range(100)"
)

POLICY = {
    "unit": "people.id",
    "budget": {"eps": 100_000},
    "tables": {
        "people": {
            "access": "private",
            "key": ["id"],
            "columns": {
                "kind": {"type": "VARCHAR", "values": ["a", "b"]},
                "weight": {"type": "INTEGER", "bounds": [0, 50]},
            },
        }
    },
}

QUERIES = {
    "a count": "SELECT COUNT(*) FROM people",
    "by groups": "SELECT kind, COUNT(*), SUM(weight) FROM people GROUP BY kind",
    "sorted": "SELECT kind, AVG(weight) AS a FROM people GROUP BY kind ORDER BY a",
}

PARTS = {
    "engine": ((DuckDBSnapshot, "rows"), (Scratch, "load"), (Scratch, "run"), (Scratch, "clear")),
    "ledger": ((SqlLedger, "reserve"), (SqlLedger, "commit")),
}


@contextmanager
def timed_parts(spent: Counter[str]) -> Iterator[None]:
    """Add up the CPU time of `PARTS`."""

    def timed(part: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def timing(*args: Any, **kwargs: Any) -> Any:
            begun = time.process_time()
            try:
                return call(*args, **kwargs)
            finally:
                spent[part] += time.process_time() - begun  # type: ignore[assignment]

        return timing

    with ExitStack() as stack:
        for part, calls in PARTS.items():
            for owner, name in calls:
                stack.enter_context(patch.object(owner, name, timed(part, getattr(owner, name))))
        yield


@contextmanager
def unsynced(db: dpsql.Database) -> Iterator[None]:
    """Nothing waits for the disk. Before and after, a ledger's connection is a new one."""
    connected, store = SqliteStore.connect, db._ledger._store  # type: ignore[attr-defined]

    def connect(store: SqliteStore) -> Connection:
        connection = connected(store)
        connection.exec_driver_sql("PRAGMA synchronous = OFF")
        return connection

    store.rest()
    with patch.object(SqliteStore, "connect", connect), patch.object(os, "fsync", lambda _: None):
        yield
    store.rest()


def measured(db: dpsql.Database, sql: str) -> str:
    """The figures of one query: each the least of its own."""
    found: list[tuple[float, ...]] = []
    synced: list[tuple[float, float]] = []
    for _ in range(RUNS // AT_ONCE):
        with unsynced(db):
            once(db, sql)
            for _ in range(AT_ONCE):
                spent: Counter[str] = Counter()
                with timed_parts(spent):
                    cpu, wall = once(db, sql)
                found.append((cpu, wall, spent["engine"], spent["ledger"]))
        once(db, sql)
        synced += [once(db, sql) for _ in range(AT_ONCE)]
    least = [min(column) for column in (*zip(*found, strict=True), *zip(*synced, strict=True))]
    return " | ".join(f"{1e3 * figure:.1f}" for figure in least)


def once(db: dpsql.Database, sql: str) -> tuple[float, float]:
    """CPU and wall time of one run."""
    wall, cpu = time.perf_counter(), time.process_time()
    db.run(sql, 0.1, fresh=True)
    return time.process_time() - cpu, time.perf_counter() - wall


def by_group(folder: Path) -> None:
    """Print what answers of many groups take."""
    print("\n| groups | CPU, s | of each, µs |\n|---|---|---|")
    for groups in (1_000, 10_000, 100_000):
        path = folder / f"{groups}.duckdb"
        with duckdb.connect(str(path)) as made:
            made.execute(
                f"CREATE TABLE people AS SELECT range AS id, range AS k FROM range({groups})"
            )
        columns = {"k": {"type": "BIGINT", "bounds": [0, groups - 1]}}
        table = {"access": "private", "key": ["id"], "columns": columns}
        policy = {**POLICY, "limits": {"public_rows": groups}, "tables": {"people": table}}
        with dpsql.connect(path, policy, workers=0) as db:
            sql = "SELECT k, COUNT(*), SUM(k) FROM people GROUP BY k"
            least = min(once(db, sql)[0] for _ in range(4))
        print(f"| {groups:,} | {least:.2f} | {1e6 * least / groups:.0f} |", flush=True)


def main() -> None:
    """Print a line for each way to open the data and each query."""
    print("| data | ledger | query | CPU | wall | engine | ledger | CPU, synced | wall, synced |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name, duckdb.connect() as live:
        folder = Path(name)
        os.environ["DPSQL_STATE"] = str(folder / "state")
        live.execute(TABLE)
        with duckdb.connect(str(folder / "people.duckdb")) as made:
            made.execute(TABLE)
        ways: dict[tuple[str, str], dict[str, Any]] = {
            ("open connection", "memory"): {"data": live},
            ("open connection", "SQLite"): {"data": live, "ledger": folder / "live.ledger"},
            ("file", "SQLite"): {"data": folder / "people.duckdb", "ledger": folder / "a.ledger"},
        }
        for way, options in ways.items():
            data = options.pop("data")
            with dpsql.connect(data, POLICY, workers=0, **options) as db:
                for query, sql in QUERIES.items():
                    once(db, sql)
                    print(f"| {' | '.join(way)} | {query} | {measured(db, sql)} |", flush=True)
        by_group(folder)


if __name__ == "__main__":
    main()
