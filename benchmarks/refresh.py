"""What a copy costs that is refreshed after a file of each table was added, beside one made anew.

    python benchmarks/refresh.py [--scale 0.1] [--parts 20]

TPC-H as a folder of Parquet files, of which the last one in so many has new customers, and orders
and their lines of some old ones. CPU time of `dpsql.prepare`, in one process.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import duckdb  # noqa: E402

import dpsql  # noqa: E402
from dpsql.platform.engine.conform import Cut  # noqa: E402
from tests.tpch.data import TABLES, database  # noqa: E402

POLICY = ROOT / "tests" / "tpch" / "policy.yaml"
LAST = "FROM orders WHERE o_orderkey > (SELECT max(o_orderkey) * (1 - 1 / {parts}) FROM orders)"
NEW = {
    "customer": "c_custkey > (SELECT max(c_custkey) * (1 - 1 / {parts}) FROM customer)",
    "orders": f"o_orderkey IN (SELECT o_orderkey {LAST} AND o_custkey % {{parts}} = 1)",
    "lineitem": f"l_orderkey IN (SELECT o_orderkey {LAST} AND o_custkey % {{parts}} = 1)",
}


def written(folder: Path, scale: str, parts: int) -> dict[str, tuple[Path, Path]]:
    """The folder with the old files; of each table that grows, where its new one waits, and where
    it goes.
    """
    waiting = {}
    with duckdb.connect(str(database(scale)), read_only=True) as data:
        for table in TABLES:
            (folder / table).mkdir(parents=True)
            new = NEW.get(table, "false").format(parts=parts)
            copy = "COPY (FROM {0} WHERE {1}({2})) TO '{3}' (FORMAT parquet)"
            data.execute(copy.format(table, "NOT ", new, folder / table / "0.parquet"))
            if table in NEW:
                waits = folder.parent / f"{table}.parquet"
                data.execute(copy.format(table, "", new, waits))
                waiting[table] = waits, folder / table / "1.parquet"
    return waiting


def cpu(folder: Path, copy: Path, *, refresh: bool) -> tuple[float, tuple[Cut, ...]]:
    """Seconds of CPU time, and what became of the tables."""
    begun = time.process_time()
    cuts = dpsql.prepare(folder, POLICY, copy, refresh=refresh)
    return time.process_time() - begun, cuts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", default="0.1")
    parser.add_argument("--parts", type=int, default=20)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder, copy = Path(made) / "tpch", Path(made) / "copy"
        waiting = written(folder, args.scale, args.parts)
        first, _ = cpu(folder, copy, refresh=False)
        for waits, there in waiting.values():
            waits.rename(there)
        some, cuts = cpu(folder, copy, refresh=True)
        whole, _ = cpu(folder, Path(made) / "anew", refresh=False)
        print("| first | refreshed | anew | units made anew |")
        print("|---|---|---|---|")
        print(f"| {first:.2f} | {some:.2f} | {whole:.2f} | {cuts[0].of:,} |")


if __name__ == "__main__":
    main()
