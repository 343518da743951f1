"""How long `dpsql` takes to start, and how much memory it has then.

    python benchmarks/startup.py

Wall time and CPU time of the whole process, the least of some runs, and the most memory that was
resident; for the shell, the time to the first prompt in a pseudo-terminal and to the moment at
which the embedded demo can answer.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.repl.screen import Terminal  # noqa: E402

RUNS = 5

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "python -c 'import duckdb, sqlglot, opendp.prelude'": [
        "-c",
        "import duckdb, sqlglot, opendp.prelude",
    ],
    "python -c 'import dpsql'": ["-c", "import dpsql"],
    "dpsql help": ["-m", "dpsql", "help"],
    "dpsql repl -c '\\q'": ["-m", "dpsql", "repl", "-c", "\\q"],
    "dpsql repl -c 'SELECT COUNT(*) FROM orders'": [
        *("-m", "dpsql", "repl", "-c", "SELECT COUNT(*) FROM orders"),
    ],
}


def measured(arguments: list[str]) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and MB of a process."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "DPSQL_STATE": home, "PYTHONPATH": str(ROOT)}
        start = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0, arguments
        return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def prompted() -> tuple[float, float]:
    """Seconds to the first prompt, and to a toolbar that knows the database."""
    with tempfile.TemporaryDirectory() as home:
        start = time.perf_counter()
        terminal = Terminal("repl", home=Path(home))
        try:
            terminal.until("dpsql>")
            prompt = time.perf_counter() - start
            terminal.send("SELECT COUNT(*) FROM orders")
            terminal.until("±")
            return prompt, time.perf_counter() - start
        finally:
            terminal.kill()


def main() -> None:
    """Print a line for each way to start."""
    print("| start | wall_s | cpu_s | memory_mb |\n|---|---|---|---|")
    for name, arguments in COMMANDS.items():
        runs = [measured(arguments) for _ in range(RUNS)]
        wall, cpu = min(r[0] for r in runs), min(r[1] for r in runs)
        print(f"| `{name}` | {wall:.2f} | {cpu:.2f} | {max(r[2] for r in runs):.0f} |")
    shells = [prompted() for _ in range(RUNS)]
    print(f"| `dpsql repl`, to the prompt | {min(s[0] for s in shells):.2f} | | |")
    print(f"| `dpsql repl`, to the first verdict | {min(s[1] for s in shells):.2f} | | |")


if __name__ == "__main__":
    main()
