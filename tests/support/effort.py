"""How much a test with random examples tries: a share of it usually, all in the deep suite."""

from __future__ import annotations

import os

FULL = bool(os.environ.get("DPSQL_FULL"))
"""Set by `make test-deep`."""


def tries(usual: int, full: int) -> int:
    """How many examples to try.

    Args:
        usual: in `make test`, by everybody and often; enough to kill the mutants of the rule.
        full: in `make test-deep`.
    """
    return full if FULL else usual
