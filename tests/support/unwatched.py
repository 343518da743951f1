"""Runs on an open connection without what is asked again in each of them.

Whether keys are keys, which `test_live` is about and many draws of noise are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from dpsql.session.recheck import OpeningChecks


@contextmanager
def unwatched() -> Iterator[None]:
    """No keys are looked at meanwhile."""
    with patch.object(OpeningChecks, "facts"):
        yield
