"""The tests of servers that compute, one server after the other: what `make test-engines` does.

    python -m tools.engines [pytest's arguments]

Sail in one process, Sail with a driver and two workers, Apache Spark, PostgreSQL. What is not here
is left out, and said. Spark is the server that DPSQL_SPARK names, or is started where there is a
JRE: from SPARK_HOME, a full `pyspark` or a distribution of Spark 4, else from the `pyspark` of the
client's version, which is installed once, beside .venv.

All examples are tried, but of the cases of the language one part in 20, another one each day: after
20 days in a row each server has had each of them. DPSQL_PARTS=1 tries all, which takes hours.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support import servers, spark_server
from tests.support.effort import DAY, PARTS

SPARK = (
    "tests/engine/test_languages.py",
    "tests/engine/test_language_mutants.py",
    "tests/engine/test_spark_grammar.py",
    "tests/session/test_iceberg_states.py",
    "tests/session/test_lent_rows.py",
    "tests/session/test_on_spark.py",
    "tests/session/test_public_in_place.py",
    "tests/session/test_server_statistics.py",
    "tests/session/test_shuffled.py",
    "tests/session/test_states.py",
)
POSTGRES = (
    "tests/engine/test_postgres_cells.py",
    "tests/engine/test_postgres_data.py",
    "tests/engine/test_postgres_grammar.py",
    "tests/engine/test_postgres_language.py",
    "tests/engine/test_postgres_mutants.py",
    "tests/session/test_in_place.py",
    "tests/session/test_in_place_changes.py",
    "tests/session/test_in_place_proofs.py",
    "tests/session/test_in_place_values.py",
    "tests/session/test_on_a_server.py",
    "tests/session/test_owners_in_place.py",
    "tests/session/test_prepare_on_postgres.py",
    "tests/tpch/test_in_place.py",
)
WORKERS = {
    "SAIL_MODE": "local-cluster",
    "SAIL_CLUSTER__WORKER_INITIAL_COUNT": "2",
    "SAIL_CLUSTER__WORKER_MAX_COUNT": "2",
}
"""Sail's driver and workers are threads of one process that speak as if they were on machines."""

DYING = ("tests/session/test_spark_workers.py",)
"""Its servers are its own."""

PORT = 15932
SETTINGS = ("--driver-memory", "6g", "--conf", "spark.sql.shuffle.partitions=4")
"""With the 1 GB that it takes by itself it looks for memory most of the time; and small rows need
more than one part, but not 200."""


def main(arguments: list[str]) -> int:
    """Whether all passed: 0, or 1. With --files only what would be run is said, on lines."""
    if arguments == ["--files"]:
        print(*SPARK, *DYING, *POSTGRES, sep="\n")
        return 0
    kept = {n: v for n, v in os.environ.items() if n != "DPSQL_SPARK" and n not in WORKERS}
    # The same part for all servers, also when it is midnight meanwhile.
    kept |= {"DPSQL_FULL": "all", "DPSQL_DAY": str(DAY), "DPSQL_PARTS": str(PARTS)}
    print(f"part {DAY % PARTS + 1} of {PARTS} of the cases of the language (DPSQL_DAY={DAY})")
    failed = _run("Sail, one process", SPARK, kept, arguments)
    failed |= _run("Sail, two workers", SPARK, {**kept, **WORKERS}, arguments)
    with _spark() as url:
        if url is None:
            print("Spark: left out, DPSQL_SPARK names none, and there is no JRE, or no pyspark")
        else:
            failed |= _run("Spark", SPARK, {**kept, "DPSQL_SPARK": url}, arguments)
    failed |= _run("Spark, workers that die", DYING, kept, arguments)
    if servers.REASON:
        print(f"PostgreSQL: left out, {servers.REASON}")
    else:
        failed |= _run("PostgreSQL", POSTGRES, kept, arguments)
    return int(failed)


def _run(name: str, tests: tuple[str, ...], env: dict[str, str], arguments: list[str]) -> bool:
    print(f"{name}:", flush=True)
    # Or one process has the tests that take long, and the other nothing; and they take longer yet
    # on a machine that does other work.
    options = ("--maxschedchunk=1", "-o", "faulthandler_timeout=3600")
    command = [sys.executable, "-m", "pytest", "-m", "not deep", *options, *tests, *arguments]
    return subprocess.run(command, env=env, check=False).returncode != 0


@contextmanager
def _spark() -> Iterator[str | None]:
    """The URL of a server of Spark's; None where there is none."""
    named = os.environ.get("DPSQL_SPARK")
    if not named:
        spark_server.install()
    if named or spark_server.home() is None:
        yield named
        return
    with spark_server.started(PORT, *SETTINGS) as (url, _):
        yield url


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
