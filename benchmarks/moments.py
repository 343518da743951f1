"""What MIN, MAX and quantiles of a million moments cost, on data whose claims are proven.

    python benchmarks/moments.py

CPU seconds of this process and of the worker that reads, wall seconds, and by how many MB the two
have grown; then the same of plain DuckDB. The grid has a point a second in four years.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import dpsql  # noqa: E402

ROWS = 1_000_000

TABLES = (
    "CREATE TABLE people AS SELECT i AS id FROM range(100000) t(i)",
    "CREATE TABLE events AS SELECT i % 100000 AS person, TIMESTAMP '2020-01-01' "
    f"+ to_seconds((i * 7919) % 126000000) AS happened FROM range({ROWS}) t(i)",
)

POLICY = """
unit: people.id
budget: {eps: 1000}
tables:
  people: {access: private, key: [id], columns: {id: {type: BIGINT}}}
  events:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 10}
      happened: {type: TIMESTAMP, bounds: [2020-01-01, 2024-01-01], nullable: false}
"""

ASKED = ("MIN(happened)", "MEDIAN(happened)", "QUANTILE_DISC(happened, 0.9)", "MAX(happened)")


def worker() -> str:
    """The process of the worker."""
    found = subprocess.run(["pgrep", "-P", str(os.getpid())], capture_output=True, text=True)
    return next(pid for pid in found.stdout.split() if "python" in _of(pid, "status"))


def _of(pid: str, what: str) -> str:
    try:
        return Path("/proc", pid, what).read_text(encoding="utf-8")
    except OSError:  # pgrep itself
        return ""


def used(pid: str) -> tuple[float, float, float]:
    """CPU seconds here and in the worker, and the MB that both have had at most."""
    ticks = sum(map(int, _of(pid, "stat").rpartition(")")[2].split()[11:13]))
    most = int(_of(pid, "status").partition("VmHWM:")[2].split()[0])
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return time.process_time(), ticks / os.sysconf("SC_CLK_TCK"), (own + most) / 1024


def main() -> None:
    """Print a line for each aggregate."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["DPSQL_STATE"] = str(folder / "state")
        (folder / "policy.yaml").write_text(POLICY, encoding="utf-8")
        with duckdb.connect(str(folder / "events.duckdb")) as made:
            for text in TABLES:
                made.execute(text)
        dpsql.prepare(folder / "events.duckdb", folder / "policy.yaml", folder / "copy")
        print("| asked | CPU | worker's CPU | wall | MB more | DuckDB's CPU |")
        print("|---|---|---|---|---|---|")
        with dpsql.connect(folder / "copy", folder / "policy.yaml") as db:
            db.run("SELECT COUNT(*) FROM events", 1)
            pid = worker()
            for item in ASKED:
                sql = f"SELECT {item} FROM events"
                before, wall = used(pid), time.perf_counter()
                db.run(sql, 1)
                wall = time.perf_counter() - wall
                here, there, more = (b - a for a, b in zip(before, used(pid), strict=True))
                with duckdb.connect(str(folder / "events.duckdb")) as plain:
                    begun = time.process_time()
                    plain.execute(sql).fetchall()
                    alone = time.process_time() - begun
                figures = f"{here:.2f} | {there:.2f} | {wall:.2f} | {more:.0f} | {alone:.2f}"
                print(f"| {item} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
