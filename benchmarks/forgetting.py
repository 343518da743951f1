"""What is kept of a query, forgotten: so that its analysis is timed, and no look into a table."""

from __future__ import annotations

import dpsql
from dpsql.execution.certify import once
from dpsql.proven import proven


def forget(db: dpsql.Database | None = None) -> None:
    """Forget both proofs of every query, and what an open database keeps of its own."""
    proven.cache_clear()
    once.cache_clear()
    if db is not None:
        db._analysis.kept.clear()
