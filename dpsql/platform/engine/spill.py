"""Private directories for what does not fit into an engine's memory.

They are made before the engine is, since it would make one that everybody may read, and removed by
the process that made them, also where the one that wrote there was killed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from weakref import WeakValueDictionary


@dataclass(frozen=True, slots=True)
class Spill:
    """Where an engine may write.

    Attributes:
        directory: its own.
        size: the bytes that it may hold.
    """

    directory: Path
    size: int

    def apart(self) -> Spill:
        """A directory within it. An engine may read what lies in its own, also what others wrote
        there, so one that runs a query's text shares none.
        """
        return Spill(Path(tempfile.mkdtemp(dir=self.directory)), self.size)  # mode 0700


class TempDirectory:
    """A directory that only its owner may read; gone when it is closed, or nobody has it any more.

    Args:
        parent: where it is made; None for the system's directory for such files (TMPDIR).

    Raises:
        OSError: it cannot be made.
    """

    def __init__(self, parent: str | os.PathLike[str] | None = None) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="dpsql-", dir=parent))  # mode 0700
        self._end = weakref.finalize(self, _remove, str(self.path), os.getpid())

    def close(self) -> None:
        """Remove it, with what is in it."""
        self._end()


_shared: WeakValueDictionary[tuple[int, str | None], TempDirectory] = WeakValueDictionary()
_lock = Lock()


def shared(parent: str | None) -> TempDirectory:
    """One directory for all engines of this process: those of one file are one, and must agree.

    It is removed when the last of those who have it let go.
    """
    with _lock:
        found = _shared.get((os.getpid(), parent))
        if found is None:
            found = _shared[os.getpid(), parent] = TempDirectory(parent)
        return found


def _remove(path: str, maker: int) -> None:
    if os.getpid() == maker:  # a forked process has no part in it
        shutil.rmtree(path, ignore_errors=True)
