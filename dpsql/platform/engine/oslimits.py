"""What the operating system does not let a worker process do.

DuckDB's own memory limit leaves out what grows beside its buffers, such as long strings; the limit
here does not. Only Linux enforces it; elsewhere the deadline is what remains.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_ROOM = 512 * 2**20  # bytes: the interpreter, the engine itself, stacks of threads
_SPARE = 5  # seconds of CPU time over what the deadline allows


def process_memory(engine: int) -> int:
    """The bytes that a worker may have whose engines may have so many: there are two of them, and
    each keeps what it has read for as long as nobody else needs it.
    """
    return 2 * engine + _ROOM


def machine_memory() -> int:
    """The bytes of memory that this process may hope for."""
    try:
        found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    except (ValueError, OSError, AttributeError):
        return 4 * 2**30
    for file in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError), open(file, encoding="ascii") as limit:
            found.append(int(limit.read()))
    return min(found)


def confine(memory: int, file_size: int) -> None:
    """Limit this process, for good.

    Args:
        memory: its own bytes, without files that are mapped.
        file_size: the bytes of one file that it writes.
    """
    os.umask(0o077)
    try:
        import resource
    except ImportError:
        return
    _limit(resource.RLIMIT_CORE, 0)  # a core file would hold private rows
    _limit(resource.RLIMIT_DATA, memory)
    _limit(resource.RLIMIT_FSIZE, file_size)
    if sys.platform == "linux":
        _linux()


def _limit(which: int, most: int) -> None:
    import resource

    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(which, (most, most))


def _linux() -> None:
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: no core, no debugger of the same user
    # Where memory runs out, this process goes, and not the one that holds the ledger.
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write("1000")


def more_cpu(seconds: float) -> None:
    """Let this process use so much CPU time from now on, and then end."""
    try:
        import resource
    except ImportError:
        return
    usage = resource.getrusage(resource.RUSAGE_SELF)
    until = int(usage.ru_utime + usage.ru_stime + seconds) + _SPARE
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (until, hard))
