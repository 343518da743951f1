"""Runs on an open connection without what is asked again in each of them.

Whether macros shadow functions and keys are keys: 20 ms, which `test_live` is about and many
draws of noise are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from dpsql.platform.engine import sandbox
from dpsql.session.recheck import OpeningChecks


@contextmanager
def unwatched() -> Iterator[None]:
    """No macros and no keys are looked at meanwhile."""
    with patch.object(sandbox, "check_macros"), patch.object(OpeningChecks, "facts"):
        yield
