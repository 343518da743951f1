"""The tests of servers that compute, one server after the other, with all examples: what
`make test-engines` does.

    python -m tools.engines [pytest's arguments]

Sail in one process, Sail with a driver and two workers, Apache Spark, PostgreSQL. What is not here
is left out, and said. Spark is the server that DPSQL_SPARK names, or is started where there is a
JRE: from SPARK_HOME, a full `pyspark` or a distribution of Spark 4, else from the `pyspark` of the
client's version, which is installed once, beside .venv.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

from tests.support import servers

SPARK = (
    "tests/engine/test_languages.py",
    "tests/engine/test_language_mutants.py",
    "tests/engine/test_spark_grammar.py",
    "tests/session/test_on_spark.py",
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

ROOT = Path(__file__).resolve().parent.parent
PORT = 15932
SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


def main(arguments: list[str]) -> int:
    """Whether all passed: 0, or 1."""
    kept = {n: v for n, v in os.environ.items() if n != "DPSQL_SPARK" and n not in WORKERS}
    kept["DPSQL_FULL"] = "all"
    failed = _run("Sail, one process", SPARK, kept, arguments)
    failed |= _run("Sail, two workers", SPARK, {**kept, **WORKERS}, arguments)
    with _spark() as url:
        if url is None:
            print("Spark: left out, DPSQL_SPARK names none, and there is no JRE, or no pyspark")
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
    named = os.environ.get("DPSQL_SPARK")
    home = _home() if shutil.which("java") and not named else None
    if home is None:
        yield named
        return
    binding = f"spark.connect.grpc.binding.port={PORT}"
    # Not its own script for this, which a wheel of pyspark has not.
    submit = ("bash", home / "bin" / "spark-submit", "--class", SERVER, "--conf", binding)
    kept = {**os.environ, "SPARK_HOME": str(home)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        [*submit, "spark-internal"], env=kept, stdout=quiet, stderr=quiet
    ) as made:
        try:
            yield f"sc://localhost:{PORT}" if _answers(made) else None
        finally:
            made.terminate()


def _answers(server: subprocess.Popen[bytes]) -> bool:
    """Whether it does within two minutes."""
    end = time.monotonic() + 120
    while time.monotonic() < end and server.poll() is None:
        with suppress(OSError), socket.create_connection(("localhost", PORT), 1):
            return True
        time.sleep(1)
    return False


def _home() -> Path | None:
    """Where Spark is, installed if it was nowhere; None where it cannot be."""
    named = os.environ.get("SPARK_HOME")
    if named:
        return Path(named)
    folder = ROOT / ".venv-spark"
    python = folder / "bin" / "python"
    wanted = f"pyspark=={version('pyspark-client')}"
    if not (folder / wanted).exists():
        print(f"installing {wanted} into {folder.name}, once: some minutes", flush=True)
        venv.create(folder, with_pip=True, clear=True)
        quiet = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted)
        if subprocess.run([python, *quiet], check=False).returncode:
            return None
        (folder / wanted).touch()
    asked = [python, "-c", "import pyspark; print(*pyspark.__path__)"]
    return Path(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
