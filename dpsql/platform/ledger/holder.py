"""Which process a charge belongs to, and whether that process is over.

A charge whose process was killed, by the machine's memory guard for example, has nobody who could
note that it failed. So each line says who made it, in a way that tells the same process from a
later one with its number: the boot, the namespace of process numbers, the number and the start.
"""

from __future__ import annotations

import os
import platform
from functools import lru_cache
from pathlib import Path

_UNKNOWN = "?"
"""When a process began of which no more is known than that it is there."""

_RUNNING: set[tuple[str, int]] = set()
"""(account, line) of the queries of this process that have not ended."""


def begin(account: str, number: int) -> None:
    """A query of this process runs."""
    _RUNNING.add((account, number))


def end(account: str, number: int) -> None:
    """It runs no more, however it ended."""
    _RUNNING.discard((account, number))


def mine() -> str:
    """This process."""
    return _mine(os.getpid())


def over(holder: str, account: str, number: int) -> bool | None:
    """Whether nothing will come of a line any more; None where that cannot be told from here.

    Args:
        holder: what `mine` was in the process that made the line.
        account, number: of the line.
    """
    if holder == mine():
        return (account, number) not in _RUNNING
    machine, _, process = holder.rpartition(" ")
    if machine != mine().rpartition(" ")[0]:
        return None
    number_text, _, started = process.partition(":")
    try:
        found = _started(int(number_text))
    except (ValueError, OverflowError):
        return None
    if found and _UNKNOWN in (found, started):
        return None  # it, or a later one with its number
    return found != started


@lru_cache(maxsize=1)
def _mine(process: int) -> str:
    return f"{_machine()} {process}:{_started(process)}"


def _machine() -> str:
    """What must be the same for the numbers of processes to mean the same."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:  # no Linux: of the same name and user, at best
        user = getattr(os, "getuid", str)()  # Windows has no numbers of users
        return f"{platform.node()} {user}"


def _started(process: int) -> str:
    """When a process began, in the machine's own count; "" for one that is not there.

    The folder of another user's process can be hidden (``hidepid``), and some systems have no
    ``/proc`` at all; whether there is such a process can always be asked.
    """
    try:
        stat = Path(f"/proc/{process}/stat").read_text("utf-8", "replace")
        state, *rest = stat.rpartition(")")[2].split()
        return "" if state in ("Z", "X") else rest[18]
    except OSError:
        pass
    if os.name == "nt":  # where 0 is no question, but Ctrl-C
        return _UNKNOWN
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return ""
    except OSError:  # another user's
        pass
    return _UNKNOWN
