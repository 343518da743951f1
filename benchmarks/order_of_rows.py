"""In which order a copy's rows are read fastest: CPU time of DuckDB in ms, median of nine runs.

    python benchmarks/order_of_rows.py

The orders of TPC-H at scale 1, as they are made (by key), by date and by customer: two ways of
adding up by customer, a range of days, and a query that reads all rows.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import duckdb

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.tpch.data import database  # noqa: E402

ORDERS = {"as made": "", "by date": "ORDER BY o_orderdate", "by customer": "ORDER BY o_custkey"}
QUERIES = {
    "groups of each customer": "SELECT count(*), sum(least(n, 5)) FROM (SELECT o_custkey, "
    "o_orderpriority, count(*) AS n FROM kept GROUP BY ALL)",
    "rows of each customer, numbered": "SELECT count(*) FROM (SELECT row_number() OVER "
    "(PARTITION BY o_custkey ORDER BY o_orderkey) AS place FROM kept) WHERE place <= 5",
    "three months": "SELECT sum(o_totalprice) FROM kept WHERE o_orderdate "
    "BETWEEN DATE '1994-01-01' AND DATE '1994-03-31'",
    "all rows": "SELECT o_orderpriority, count(*), sum(o_totalprice) FROM kept GROUP BY ALL",
}
RUNS = 9


def main() -> None:
    print(f"| query | {' | '.join(ORDERS)} |\n{'|---' * (1 + len(ORDERS))}|")
    found: dict[str, list[float]] = {name: [] for name in QUERIES}
    for order in ORDERS.values():
        with tempfile.TemporaryDirectory() as folder, duckdb.connect(f"{folder}/kept.duckdb") as db:
            db.execute("SET enable_progress_bar = false")
            db.execute(f"ATTACH '{database('1')}' AS source (READ_ONLY)")
            db.execute(f"CREATE TABLE kept AS FROM source.orders {order}")
            for name, sql in QUERIES.items():
                times = []
                for _ in range(RUNS):
                    start = time.process_time()
                    db.execute(sql).fetchall()
                    times.append(1000 * (time.process_time() - start))
                found[name].append(statistics.median(times))
    for name, row in found.items():
        print(f"| {name} | {' | '.join(f'{ms:.0f}' for ms in row)} |")


if __name__ == "__main__":
    main()
