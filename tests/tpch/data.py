"""TPC-H databases for tests and benchmarks, made once and kept in `.bench/`."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

from tests.support.effort import ALL

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".bench"
TABLES = (
    "region",
    "nation",
    "supplier",
    "part",
    "partsupp",
    "customer",
    "orders",
    "lineitem",
)

SCALE = "0.1" if ALL else "0.01"
"""On servers that compute: `make test-engines` has more rows."""


def database(scale: str) -> Path:
    """The path of a DuckDB file with the eight TPC-H tables at `scale` ("0.01", "1").

    Made on the first call. Workers that race each make their own copy, and the last rename wins,
    so that nobody ever opens a file that is half written.
    """
    path = CACHE / f"tpch-sf{scale}.duckdb"
    if path.exists():
        return path
    CACHE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE, prefix=f"sf{scale}-") as made:
        folder = Path(made)
        subprocess.run(
            [_generator(), "parquet", "-s", scale, "--quiet", f"--output-dir={folder}"],
            check=True,
        )
        fresh = folder / "tpch.duckdb"
        with duckdb.connect(str(fresh)) as connection:
            connection.execute("SET enable_progress_bar = false")
            for table in TABLES:
                source = str(folder / f"{table}.parquet").replace("'", "''")
                connection.execute(f"CREATE TABLE {table} AS FROM read_parquet('{source}')")
        os.replace(fresh, path)
    return path


def query(number: int) -> str:
    """The text of TPC-H query `number` (1 to 22)."""
    return (Path(__file__).parent / "queries" / f"q{number:02}.sql").read_text(encoding="utf-8")


def _generator() -> str:
    """`tpchgen-cli` as installed beside the Python that runs this."""
    return str(Path(sys.executable).parent / "tpchgen-cli")
