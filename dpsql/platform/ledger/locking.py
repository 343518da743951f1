"""What the operating system does for files: a folder is synced; an open file is locked, and who
dies lets go of it.

Where Python has `fcntl` it is `flock`. On Windows it is `msvcrt.locking` of the file's first byte,
which the system frees when the process that holds it ends, too; a byte can be locked beyond a
file's end. Where there is neither, nobody has a lock, and who cannot have it is refused.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
"""To open files with: no child inherits them, and opening a pipe does not wait; not on Windows."""


def sync(folder: Path | str) -> None:
    """What was made or renamed in a folder survives a loss of power from now on."""
    if os.name == "nt":  # where a folder is no file to be synced
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def take(handle: int) -> bool:
    """Whether the lock could be had at once.

    Raises:
        OSError: there are no locks here.
    """
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            _windows(handle, "LK_NBLCK")
    except (BlockingIOError, PermissionError):
        return False
    return True


def release(handle: int) -> None:
    """Let go of it: closing is not enough, since a forked child may have a copy of the handle."""
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_UN)
    else:
        _windows(handle, "LK_UNLCK")


def _windows(handle: int, how: str) -> None:
    try:
        msvcrt: Any = importlib.import_module("msvcrt")
    except ImportError:
        raise OSError("there are no locks on files here") from None
    os.lseek(handle, 0, os.SEEK_SET)
    msvcrt.locking(handle, getattr(msvcrt, how), 1)
