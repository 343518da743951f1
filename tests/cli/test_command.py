"""The command line as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import dpsql
from dpsql.cli import exits
from tests.cli.running import DATA, QUERY

COMMAND = [sys.executable, "-m", "dpsql"]


def environment(**more: str) -> dict[str, str]:
    root = str(Path(dpsql.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": root, **more}


def test_a_reader_that_leaves_is_no_error(shop: Path) -> None:
    script = f"{' '.join(COMMAND)} run {' '.join(DATA)} --eps 1 --format csv "
    script += "'SELECT a.product FROM products a, products b, "
    script += "(SELECT 1 FROM products LIMIT 40) c' | head -n 1; "
    script += 'echo "${PIPESTATUS[0]}"'
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=False, env=environment()
    )
    assert done.stdout == f"product\n{exits.BROKEN_PIPE}\n"
    assert done.stderr in ("", "cost ε = 0; ε = 10, δ = 1e-6 left of ε = 10, δ = 1e-6\n")


def test_control_c(shop: Path) -> None:
    # Eight of each category, 12 times over: few enough, as far as can be told beforehand.
    joins = "".join(f" JOIN products p{n} USING (category)" for n in range(12))
    query = f"SELECT COUNT(*) FROM products{joins}"
    process = subprocess.Popen(
        [
            *COMMAND,
            "run",
            *DATA,
            "--log",
            "owner.log",
            "--eps",
            "1",
            query,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        # A shell starts background jobs with SIGINT ignored, and they pass that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 60
    while not (shop / "owner.log").exists() and time.monotonic() < deadline:
        time.sleep(0.1)  # the log is opened as soon as the command begins
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "dpsql: interrupted\n")


def test_core_install_on_a_terminal_without_unicode(shop: Path) -> None:
    """The command needs no optional library."""
    script = (
        "import sys\n"
        "for name in ('pyarrow', 'pandas', 'polars', 'numpy'): sys.modules[name] = None\n"
        "from dpsql.cli import main\n"
        f"main(['explain', *{DATA!r}, {QUERY!r}])\n"
        f"sys.exit(main(['run', *{DATA!r}, '--eps', '1', '--format', 'csv', {QUERY!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env=environment(PYTHONIOENCODING="ascii"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("released: costs \\u03b5 = 1;")
    assert "\nchannel,n,mean\nweb," in done.stdout
