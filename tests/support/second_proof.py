"""Whether the checker follows a compiled query, as it must before one is run."""

from __future__ import annotations

from dpsql.compile import Compiled, ReleasedQuery, plain_source
from dpsql.core.release.statements import statements
from dpsql.execution import certify as certifying


def refusal(compiled: Compiled) -> str | None:
    """Why the checker does not follow; None if it does."""
    if not isinstance(compiled.query, ReleasedQuery):
        return None
    texts = [statements(release, plain_source) for release in compiled.query.releases]
    try:
        certifying.proofs(compiled, texts, plain_source)
    except certifying.Refused as refused:
        return str(refused)
    return None
