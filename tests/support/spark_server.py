"""Apache Spark's own server: from SPARK_HOME, a full `pyspark` or a distribution of Spark 4, else
from the `pyspark` of the client's version, which `install` puts beside .venv."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / ".venv-spark"
SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


def home() -> Path | None:
    """Where Spark is; None where it is not installed, or no JRE is."""
    if not shutil.which("java"):
        return None
    if named := os.environ.get("SPARK_HOME"):
        return Path(named)
    if not (FOLDER / _wanted()).exists():
        return None
    asked = [FOLDER / "bin" / "python", "-c", "import pyspark; print(*pyspark.__path__)"]
    return Path(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip())


def install() -> None:
    """Put it beside .venv, once, where there is a JRE."""
    if home() is not None or not shutil.which("java"):
        return
    print(f"installing {_wanted()} into {FOLDER.name}, once: some minutes", flush=True)
    venv.create(FOLDER, with_pip=True, clear=True)
    quiet = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", _wanted())
    if not subprocess.run([FOLDER / "bin" / "python", *quiet], check=False).returncode:
        (FOLDER / _wanted()).touch()


def _wanted() -> str:
    return f"pyspark=={version('pyspark-client')}"


@contextmanager
def started(port: int, *settings: str) -> Iterator[tuple[str | None, subprocess.Popen[bytes]]]:
    """The URL of a server, None where it does not answer within two minutes; and its process.

    Args:
        port: of localhost.
        settings: more arguments of spark-submit.
    """
    found = home()
    assert found is not None
    binding = f"spark.connect.grpc.binding.port={port}"
    # Not its own script for this, which a wheel of pyspark has not.
    submit = ("bash", found / "bin" / "spark-submit", "--class", SERVER, "--conf", binding)
    with subprocess.Popen(
        [*submit, *settings, "spark-internal"],
        env={**os.environ, "SPARK_HOME": str(found)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as made:
        try:
            yield (f"sc://localhost:{port}" if _answers(made, port) else None), made
        finally:
            made.terminate()


def _answers(server: subprocess.Popen[bytes], port: int) -> bool:
    end = time.monotonic() + 120
    while time.monotonic() < end and server.poll() is None:
        with suppress(OSError), socket.create_connection(("localhost", port), 1):
            return True
        time.sleep(1)
    return False
