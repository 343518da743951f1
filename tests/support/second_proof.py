"""Whether the checker follows a compiled query, as it must before one is run."""

from __future__ import annotations

from dpsql.compile import Compiled, ReleasedQuery, plain_source
from dpsql.core.emit.plans import Keeping
from dpsql.core.release.statements import statements
from dpsql.execution import certify as certifying

KEEPING = Keeping(plain_source)


def refusal(compiled: Compiled) -> str | None:
    """Why the checker does not follow; None if it does."""
    if not isinstance(compiled.query, ReleasedQuery):
        return None
    try:
        for source in (plain_source, KEEPING):
            texts = [statements(release, source) for release in compiled.query.releases]
            certifying.proofs(compiled, texts, source)
    except certifying.Refused as refused:
        return str(refused)
    return None
