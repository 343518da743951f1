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

        def run(program: str, *words: str) -> None:
            subprocess.run(
                [programs / program, "-D", folder / "data", *words],
                user=user,
                cwd=folder,
                check=True,
                stdout=subprocess.DEVNULL,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"},
            )

        run("initdb", "-A", "trust", "-U", "dpsql", "-E", "UTF8", "--no-sync")
        options = f"-k {folder} -c listen_addresses='' -c max_connections=50"
        run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql://dpsql@/{{}}?host={folder}"
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")
