"""One input and how it is tried, and the folder that all of a process write to."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Try:
    """One input.

    Attributes:
        shown: it, for whoever wants to repeat it.
        work: uses it; whether it was accepted.
    """

    shown: str
    work: Callable[[], bool]


class UntypedExitError(Exception):
    """A command ended as none should."""


FOLDER = Path(tempfile.mkdtemp(prefix="dpsql-fuzz-"))
"""Of this process; `clean` removes it."""


def clean() -> None:
    """Remove what the targets wrote."""
    shutil.rmtree(FOLDER, ignore_errors=True)
