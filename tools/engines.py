"""The tests of servers that compute, one server after the other: what `make test-engines` does.

    python -m tools.engines [pytest's arguments]

Sail in one process, Sail with a driver and two workers, Apache Spark, PostgreSQL. What is not here
is left out, and said: Spark is the server that DPSQL_SPARK names, or is started from SPARK_HOME, a
full `pyspark` or a distribution of Spark 4, where there is a JRE.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support import servers

SPARK = (
    "tests/engine/test_languages.py",
    "tests/engine/test_language_mutants.py",
    "tests/engine/test_spark_grammar.py",
    "tests/session/test_on_spark.py",
    "tests/session/test_states.py",
)
POSTGRES = (
    "tests/engine/test_postgres_cells.py",
    "tests/engine/test_postgres_data.py",
    "tests/engine/test_postgres_language.py",
    "tests/session/test_in_place.py",
    "tests/session/test_on_a_server.py",
    "tests/session/test_owners_in_place.py",
    "tests/tpch/test_in_place.py",
)
WORKERS = {
    "SAIL_MODE": "local-cluster",
    "SAIL_CLUSTER__WORKER_INITIAL_COUNT": "2",
    "SAIL_CLUSTER__WORKER_MAX_COUNT": "2",
}
"""Sail's driver and workers are threads of one process that speak as if they were on machines."""

PORT = "15932"


def main(arguments: list[str]) -> int:
    """Whether all passed: 0, or 1."""
    kept = {n: v for n, v in os.environ.items() if n != "DPSQL_SPARK" and n not in WORKERS}
    failed = _run("Sail, one process", SPARK, kept, arguments)
    failed |= _run("Sail, two workers", SPARK, {**kept, **WORKERS}, arguments)
    with _spark() as url:
        if url is None:
            print("Spark: left out, neither DPSQL_SPARK nor SPARK_HOME with a JRE is there")
        else:
            failed |= _run("Spark", SPARK, {**kept, "DPSQL_SPARK": url}, arguments)
    if servers.REASON:
        print(f"PostgreSQL: left out, {servers.REASON}")
    else:
        failed |= _run("PostgreSQL", POSTGRES, kept, arguments)
    return int(failed)


def _run(name: str, tests: tuple[str, ...], env: dict[str, str], arguments: list[str]) -> bool:
    print(f"{name}:", flush=True)
    command = [sys.executable, "-m", "pytest", "-m", "not deep", *tests, *arguments]
    return subprocess.run(command, env=env, check=False).returncode != 0


@contextmanager
def _spark() -> Iterator[str | None]:
    """The URL of a server of Spark's; None where there is none."""
    script = Path(os.environ.get("SPARK_HOME", "")) / "sbin" / "start-connect-server.sh"
    named = os.environ.get("DPSQL_SPARK")
    if named or not (script.is_file() and shutil.which("java")):
        yield named
        return
    binding = f"spark.connect.grpc.binding.port={PORT}"
    subprocess.run([script, "--conf", binding], check=True)
    try:
        yield f"sc://localhost:{PORT}"
    finally:
        subprocess.run([script.with_name("stop-connect-server.sh")], check=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
