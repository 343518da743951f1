"""How much a test with random examples tries: a share of it usually, all in the deep suite. That
runs once more what imports this, or `brute` that does, and nothing else."""

from __future__ import annotations

import os
from zlib import crc32

FULL = bool(os.environ.get("DPSQL_FULL"))
"""Set by `make test-deep`."""


def tries(usual: int, full: int) -> int:
    """How many examples to try.

    Args:
        usual: in `make test`, by everybody and often; enough to kill the mutants of the rule.
        full: in `make test-deep`.
    """
    return full if FULL else usual


def sampled(name: str, of: int) -> bool:
    """Whether one of many is tried: about one in `of` usually, always the same ones, and all of
    them in `make test-deep`.

    Args:
        name: by which it is chosen.
        of: how many there are for each that is tried.
    """
    return FULL or crc32(name.encode()) % of == 0
