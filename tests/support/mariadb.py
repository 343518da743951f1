"""A MariaDB server of its own, where one is installed: what MySQL's SQL means there."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

_SERVER = shutil.which("mariadbd") or shutil.which("mariadbd", path="/usr/sbin")
_INSTALL = shutil.which("mariadb-install-db")
REASON = "" if _SERVER and _INSTALL else "no MariaDB server is installed"


@contextmanager
def mariadb() -> Iterator[str]:
    """A server that root may ask without a password; its socket. Texts differ by each blank."""
    assert _SERVER is not None and _INSTALL is not None
    with tempfile.TemporaryDirectory(prefix="dpsql-maria-", ignore_cleanup_errors=True) as name:
        data, socket = Path(name, "data"), Path(name, "socket")
        as_root = ["--user=root"] if os.geteuid() == 0 else []
        quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        made = ("--auth-root-authentication-method=normal", "--skip-test-db")
        subprocess.run([_INSTALL, *as_root, f"--datadir={data}", *made], **quiet)  # type: ignore[call-overload]
        texts = ("--character-set-server=utf8mb4", "--collation-server=utf8mb4_nopad_bin")
        own = (f"--datadir={data}", f"--socket={socket}", "--skip-networking", "--no-defaults")
        words = [_SERVER, own[-1], *as_root, *own[:-1], *texts, "--default-time-zone=+00:00"]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            late = monotonic() + 60
            while not socket.exists() and run.poll() is None and monotonic() < late:
                sleep(0.05)
            yield str(socket)
            run.terminate()
