"""The systems, their virtual environments, and how they are asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv-peers"


@dataclass(frozen=True, slots=True)
class System:
    """One system.

    Attributes:
        name: for people.
        worker: its module under `workers`; none for a system that cannot be run from here.
        packages: what pip installs for it; none for dpsql, which runs where this runs.
        engine: where its queries run.
        absent: why it is not measured.
    """

    name: str
    worker: str = ""
    packages: tuple[str, ...] = ()
    engine: str = ""
    absent: str = ""


DPSQL = System("dpsql", "ours", engine="DuckDB")
SYSTEMS = (
    DPSQL,
    System(
        "SmartNoise SQL",
        "smartnoise",
        ("smartnoise-sql==1.0.10", "psycopg2-binary"),
        "PostgreSQL",
    ),
    System("Qrlew", "qrlew", ("pyqrlew==0.9.27",), "PostgreSQL"),
    System(
        "DPSQL+",
        absent="not installable from PyPI (it is the repository github.com/lycorp-jp/DPSQL_Plus)",
    ),
)
SHOWN = ("dpsql", "duckdb", "opendp", "smartnoise-sql", "pyqrlew", "numpy", "pandas", "sqlalchemy")
"""Packages whose versions are recorded."""


def python(system: System) -> Path:
    """The Python that runs the system."""
    if not system.packages:
        return Path(sys.executable)
    return FOLDER / system.worker / "bin" / "python"


def install(system: System) -> str:
    """Make the environment where it is missing; the reason why it cannot be made, or ""."""
    if system.absent or not system.packages:
        return system.absent
    done = python(system).parent / ".installed"
    wanted = "\n".join(system.packages)
    if done.exists() and done.read_text() == wanted:
        return ""
    folder = python(system).parents[1]
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    command = [str(python(system)), "-m", "pip", "install", "--quiet", *system.packages]
    got = subprocess.run(command, capture_output=True, text=True)
    if got.returncode:
        lines = [line for line in got.stderr.splitlines() if line.startswith("ERROR")]
        return f"not installable: {(lines or ['pip failed'])[-1]}"
    done.write_text(wanted)
    return ""


def versions(system: System) -> dict[str, str]:
    """Of the packages that matter, and of Python."""
    code = (
        "import importlib.metadata as m, json, platform\n"
        f"names = {SHOWN!r}\n"
        "found = {d.metadata['Name'].lower(): d.version for d in m.distributions()}\n"
        "print(json.dumps({'python': platform.python_version(), "
        "**{n: found[n] for n in names if n in found}}))"
    )
    got = subprocess.run([str(python(system)), "-c", code], capture_output=True, text=True)
    return dict(json.loads(got.stdout))


def ask(system: System, request: dict[str, Any], limit: float = 60) -> dict[str, Any]:
    """One request to a process of its own; what came of it. `limit` is in seconds."""
    command = [str(python(system)), "-m", f"benchmarks.comparison.workers.{system.worker}"]
    settings = {**os.environ, "RUST_BACKTRACE": "0", "PYTHONWARNINGS": "ignore"}
    try:
        got = subprocess.run(
            command,
            input=json.dumps(request),
            capture_output=True,
            text=True,
            timeout=limit,
            cwd=ROOT,
            env=settings,
        )
    except subprocess.TimeoutExpired:
        return {"status": "crashed", "message": f"no answer in {limit:g} s", "text": ""}
    line = next((one for one in got.stdout.splitlines() if one.startswith("@@")), None)
    if line is None:
        last = (got.stderr.strip().splitlines() or [""])[-1]
        ended = f"the process ended with {got.returncode}: {last}"
        return {"status": "crashed", "message": ended, "text": got.stderr}
    return dict(json.loads(line[2:]))
