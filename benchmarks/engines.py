"""What privacy costs on a server that computes: dpsql against the plain query on the same server.

    python benchmarks/engines.py [--scale 1] [--runs 3] [--delta] [--lent | --proven | --postgres]

Sail (pysail, in a process of its own) reads TPC-H as Parquet files. For each query: wall time of
`Database.run` over that of the plain query, median of paired runs, in turn, after one warm-up; as
the files are opened, where all claims are enforced in each query but keys, and after
`dpsql.verify`; with --proven only after it. With --delta they are tables of Delta's, whose state is
told by a commit. Beside it the ratio of CPU time, of this process and the server together, which
says more where others use the machine. With --lent the tables are views of a session, of which
nothing is proven at all. With --postgres the server is PostgreSQL, in place: as tables with keys
and references, and as `dpsql.prepare` writes them into a schema, which proves all claims.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import duckdb  # noqa: E402
import psycopg  # noqa: E402
import sqlglot  # noqa: E402

import dpsql  # noqa: E402
from benchmarks.overhead import POLICY, QUERIES, geometric  # noqa: E402
from tests.support import on_spark, servers  # noqa: E402
from tests.tpch.data import TABLES, database  # noqa: E402
from tests.tpch.test_tpch import load  # noqa: E402


def cpu() -> float:
    """CPU seconds of this process and of the servers that it started; on Linux."""
    total = time.process_time()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError):  # a thread that has ended
            for child in (task / "children").read_text().split():
                fields = Path(f"/proc/{child}/stat").read_text().rpartition(") ")[2].split()
                total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def spent(work: Callable[[], object]) -> tuple[float, float]:
    """Wall time and CPU time, in seconds."""
    start, before = time.perf_counter(), cpu()
    work()
    return time.perf_counter() - start, cpu() - before


def measured(
    title: str, opened: Callable[[], dpsql.Database], ask: Callable[[str], Any], runs: int
) -> None:
    """The times of all queries, and the geometric mean of their ratios."""
    start = time.perf_counter()
    walls, cpus = list[float](), list[float]()
    with opened() as db:
        print(f"\n{title}: opened in {time.perf_counter() - start:.1f} s")
        print("query     plain_ms private_ms ratio cpu_ratio")
        for name, text in QUERIES.items():
            plain, private = list[tuple[float, float]](), list[tuple[float, float]]()
            for _ in range(runs + 1):
                plain.append(spent(lambda t=text: ask(t)))  # type: ignore[misc]
                private.append(spent(lambda t=text: db.run(t, 1, fresh=True)))  # type: ignore[misc]
            pairs = list(zip(plain[1:], private[1:], strict=True))
            walls.append(statistics.median(b[0] / a[0] for a, b in pairs))
            cpus.append(sum(b[1] for _, b in pairs) / max(sum(a[1] for a, _ in pairs), 0.01))
            ours, theirs = (1000 * statistics.median(w for w, _ in t[1:]) for t in (private, plain))
            print(f"{name:9} {theirs:8.0f} {ours:8.0f} {walls[-1]:8.2f} {cpus[-1]:8.2f}")
    print(f"geometric mean {geometric(walls):.2f}, of CPU time {geometric(cpus):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", default="1")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--lent", action="store_true")
    parser.add_argument("--proven", action="store_true")
    parser.add_argument("--delta", action="store_true")
    parser.add_argument("--postgres", action="store_true")
    given = parser.parse_args()
    if given.postgres:
        in_postgres(given.scale, given.runs)
    else:
        in_sail(given)


def in_postgres(scale: str, runs: int) -> None:
    """The same tables on a PostgreSQL server of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        servers.postgres() as server,
        psycopg.connect(server.format("postgres"), autocommit=True) as plain,
    ):
        load(server.format("postgres"), scale)
        plain.execute("VACUUM ANALYZE")
        opened = partial(
            dpsql.connect,
            *(server.format("postgres"), POLICY.read_text()),
            ledger=Path(folder) / "ledger",
            in_place=True,
        )

        def ask(text: str) -> object:
            said = sqlglot.transpile(text, read="duckdb", write="postgres")[0]
            return plain.execute(said).fetchall()

        measured("keys and references", opened, ask, runs)
        plain.execute(
            "DROP TABLE lineitem, orders, customer, partsupp, part, supplier, nation, region"
        )
        start, ledger = time.perf_counter(), Path(folder) / "ledger"
        url = server.format("postgres")
        dpsql.prepare(database(scale), POLICY.read_text(), url, schema="clean", ledger=ledger)
        print(f"\nprepared in {time.perf_counter() - start:.1f} s")
        plain.execute("VACUUM ANALYZE")
        plain.execute("SET search_path = clean")
        measured("prepared", opened, ask, runs)


def in_sail(given: argparse.Namespace) -> None:
    """The same tables as files that Sail reads."""
    with (
        tempfile.TemporaryDirectory() as folder,
        on_spark.sail() as address,
    ):
        session = on_spark.session(address)
        policy = POLICY.read_text()
        with duckdb.connect(str(database(given.scale)), read_only=True) as connection:
            for table in TABLES:
                file = Path(folder) / f"{table}.parquet"
                connection.execute(f"COPY {table} TO '{file}'")
                os.utime(file, (time.time() - 3600,) * 2)  # as if written an hour ago
                rows = session.read.parquet(str(file))
                if given.delta:
                    rows.write.format("delta").save(f"{folder}/{table}")
                    file.unlink()
                    session.sql(f"CREATE TABLE {table} USING delta LOCATION '{folder}/{table}'")
                    continue
                rows.createOrReplaceTempView(table)
                if not given.lent:
                    policy = policy.replace(f"\n  {table}:\n", f"\n  {table}:\n    files: {file}\n")
        ledger = Path(folder) / "ledger"
        opened = partial(dpsql.connect, session, policy, ledger=ledger)

        def ask(text: str) -> object:
            return session.sql(text).toArrow()

        try:
            if not given.proven:
                measured("enforced", opened, ask, given.runs)
            if not given.lent:
                start = time.perf_counter()
                dpsql.verify(session, policy, ledger=ledger)
                print(f"\nverified in {time.perf_counter() - start:.1f} s")
                measured("verified", opened, ask, given.runs)
        finally:
            session.stop()


if __name__ == "__main__":
    main()
