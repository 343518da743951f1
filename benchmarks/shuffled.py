"""What a server that computes moves between its tasks, by its own count.

    python benchmarks/shuffled.py [--scale 0.1]

Sail (pysail, in a process of its own, one task a core) runs the statements of the benchmark's
queries under EXPLAIN ANALYZE: plain, as they are where nothing is verified, and after
`dpsql.verify`. What tells units over their quota is asked once, and kept. *reads*: how often a
table's files are read, at most. *groups*: the sums that tasks send each other by the keys of a
GROUP BY, in the largest exchange, and *most*: one for each group (for each unit and group, where
there is a unit) and task. *bytes*: what one takes in memory, at most.
*rows*: those that are sent to be joined, all exchanges together.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import duckdb  # noqa: E402

import dpsql  # noqa: E402
from benchmarks.overhead import POLICY, QUERIES  # noqa: E402
from tests.support import on_spark  # noqa: E402
from tests.support.exchanges import Exchange, Operator, asked, exchanges, ran, reads  # noqa: E402
from tests.tpch.data import TABLES, database  # noqa: E402

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def lake(address: str, scale: str) -> Iterator[tuple[SparkSession, str, Path]]:
    """A session whose views are TPC-H's tables, a policy of the same files, and a ledger's path."""
    session, policy = on_spark.session(address), POLICY.read_text()
    with (
        tempfile.TemporaryDirectory() as folder,
        duckdb.connect(str(database(scale)), read_only=True) as connection,
    ):
        for table in TABLES:
            file = Path(folder) / f"{table}.parquet"
            connection.execute(f"COPY {table} TO '{file}'")
            os.utime(file, (time.time() - 3600,) * 2)  # as if written an hour ago
            session.read.parquet(str(file)).createOrReplaceTempView(table)
            policy = policy.replace(f"\n  {table}:\n", f"\n  {table}:\n    files: {file}\n")
        try:
            yield session, policy, Path(folder) / "ledger"
        finally:
            session.stop()


def row(name: str, way: str, plan: Operator) -> str:
    """A line of the table."""
    found = list(exchanges(plan))
    groups = [e for e in found if e.kind == "groups"]
    most = max(groups, key=_rows, default=None)
    joined = sum(e.rows for e in found if e.kind == "rows")
    told = "– | –" if most is None else f"{most.rows:,.0f} | {most.most:,.0f}"
    # Few rows take the place of a batch.
    sizes = [f"{e.bytes / e.rows:.0f}" for e in groups if e.rows > 10_000]
    widest = max(sizes, key=int, default="–")
    return f"| {name} | {way} | {max(reads(plan).values())} | {told} | {widest} | {joined:,.0f} |"


def _rows(exchange: Exchange) -> float:
    return exchange.rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", default="0.1")
    given = parser.parse_args()
    print("| query | way | reads | groups | most | bytes | rows |")
    print("|---" * 7 + "|")
    with on_spark.sail() as address, lake(address, given.scale) as (session, policy, ledger):
        for name, text in QUERIES.items():
            print(row(name, "plain", ran(session, text)), flush=True)
        for way in ("enforced", "verified"):
            if way == "verified":
                dpsql.verify(session, policy, ledger=ledger)
            with dpsql.connect(session, policy, ledger=ledger) as db:
                for name, text in QUERIES.items():
                    *before, sql = asked(db, text)
                    for kept in before:
                        print(row(name, "over its quota", ran(session, kept)), flush=True)
                    print(row(name, way, ran(session, sql)), flush=True)


if __name__ == "__main__":
    main()
