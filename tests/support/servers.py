"""A PostgreSQL server of its own, where one is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def _programs() -> Path | None:
    """Where initdb and pg_ctl are."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("pg_ctl")
    folders += [Path(found).parent] if found else []
    return next((f for f in folders if (f / "initdb").exists() and (f / "pg_ctl").exists()), None)


def _user() -> str | None:
    """Whom the server runs as: it refuses root."""
    if os.geteuid():
        return None
    import pwd

    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    return None


_RUN = """
"$0" -s -w -D "$1" -l "$2" -o "$3" start > /dev/null && echo ready
read _
"$0" -s -w -D "$1" -m immediate stop
"""
"""Stops the server when its input ends: also when the tests are killed."""

REASON = "no PostgreSQL server is installed" if _programs() is None else ""


@contextmanager
def postgres() -> Iterator[str]:
    """A server; the URL of its databases, to which a name is added after the slash."""
    programs, user = _programs(), _user()
    assert programs is not None
    with tempfile.TemporaryDirectory(prefix="dpsql-pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if user is not None:
            shutil.chown(folder, user)

        settings = {
            "user": user,
            "cwd": folder,
            "stdout": subprocess.PIPE,
            "env": {"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"},
        }
        made = ("-A", "trust", "-U", "dpsql", "-E", "UTF8", "--no-sync", "-D", folder / "data")
        subprocess.run([programs / "initdb", *made], check=True, **settings)  # type: ignore[call-overload]
        options = f"-k {folder} -c listen_addresses='' -c max_connections=50"
        words = ("sh", "-c", _RUN, programs / "pg_ctl", folder / "data", folder / "log", options)
        with subprocess.Popen(words, stdin=subprocess.PIPE, **settings) as runner:  # type: ignore[call-overload]
            assert runner.stdout.readline() == b"ready\n", "the server does not start"
            yield f"postgresql://dpsql@/{{}}?host={folder}"
            runner.stdin.close()
